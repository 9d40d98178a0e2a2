"""TeX's formulas in titles and abstracts of BibTeX into characters that people read and search for.

The Astrophysics Data System and dblp write signs, subscripts and superscripts as formulas. One of letters, signs and
scripts becomes text: f_esc, 10^4, H2O. One with a fraction, a root or another structure keeps its source.
"""
# ruff: noqa: RUF001  the tables hold signs that look like letters

from __future__ import annotations

import re

_SIGNS = {
    **dict(zip("leq le geq ge neq ne ll gg approx sim simeq cong equiv propto".split(), "≤≤≥≥≠≠≪≫≈∼≃≅≡∝", strict=True)),
    **dict(zip("lesssim lessapprox la gtrsim gtrapprox ga lt gt prec succ".split(), "≲⪅≲≳⪆≳<>≺≻", strict=True)),
    **dict(zip("times div pm mp cdot ast star circ bullet odot oplus otimes".split(), "×÷±∓·∗⋆∘•⊙⊕⊗", strict=True)),
    **dict(zip("infty partial nabla hbar hslash ell Re Im aleph emptyset".split(), "∞∂∇ħħℓℜℑℵ∅", strict=True)),
    **dict(zip("in notin ni subset subseteq supset supseteq cup cap setminus".split(), "∈∉∋⊂⊆⊃⊇∪∩∖", strict=True)),
    **dict(zip("forall exists neg lnot land lor wedge vee vdash models perp".split(), "∀∃¬¬∧∨∧∨⊢⊨⊥", strict=True)),
    **dict(zip("to rightarrow leftarrow leftrightarrow mapsto longrightarrow".split(), "→→←↔↦→", strict=True)),
    **dict(zip("Rightarrow Leftarrow Leftrightarrow uparrow downarrow".split(), "⇒⇐⇔↑↓", strict=True)),
    **dict(zip("sum prod int oint surd angle triangle mid parallel langle rangle".split(), "∑∏∫∮√∠△|∥⟨⟩", strict=True)),
    **dict(zip("lfloor rfloor lceil rceil prime dagger ddagger dag ddag deg".split(), "⌊⌋⌈⌉′†‡†‡°", strict=True)),
    **dict(zip("cdots ldots dots vdots lbrace rbrace vert Vert backslash".split(), "⋯………{}|‖\\", strict=True)),
}
LETTERS = {
    **dict(zip("Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split(), "ΓΔΘΛΞΠΣΥΦΨΩ", strict=True)),
    **dict(zip("alpha beta gamma delta epsilon zeta eta theta iota kappa".split(), "αβγδεζηθικ", strict=True)),
    **dict(zip("lambda mu nu xi omicron pi rho varsigma sigma tau upsilon".split(), "λμνξοπρςστυ", strict=True)),
    **dict(zip("phi chi psi omega varepsilon vartheta varpi varrho varphi".split(), "φχψωεϑϖϱφ", strict=True)),
    **dict(zip("sun earth arcsec arcmin fdg farcs farcm degr micron".split(), "☉⊕″′°″′°μ", strict=True)),
    **dict(zip("ohorn Ohorn OHORN uhorn Uhorn UHORN".split(), "ơƠƠưƯƯ", strict=True)),
}
_OVER = dict(zip("hat widehat bar overline tilde widetilde dot ddot vec".split(), "̂̂̄̅̃̃̇̈⃗", strict=True))
_FUNCTIONS = frozenset(
    "log ln lg exp sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh min max inf sup lim det dim ker gcd arg "
    "Pr mod bmod hom".split()
)
_NO_TEXT = frozenset(
    "mathrm mathbf mathit mathsf mathtt mathcal mathbb mathfrak mathscr mathnormal boldsymbol bm text textrm "
    "textbf textit textsf texttt textnormal textup mbox hbox operatorname ensuremath rm bf it cal sl sf tt "
    "displaystyle textstyle scriptstyle left right big Big bigl bigr Bigl Bigr limits nolimits mathop mathord "
    "mathrel mathbin protect".split()
)
_SPACES = frozenset("quad qquad space thinspace medspace".split())
_STRETCH = re.compile(
    r"(?P<escaped>\\[$\\])|\$\$(?P<two>(?:[^$\\]|\\.)*+)\$\$|\$(?P<one>(?:[^$\\]|\\.)*+)\$"
    r"|\\\((?P<round>(?:[^\\]|\\[^()])*+)\\\)|\\\[(?P<square>(?:[^\\]|\\[^\[\]])*+)\\\]"
    r"|\\ensuremath\s*+\{(?P<ensured>[^{}]*+(?:\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\}[^{}]*+)*+)\}"
    rf"|\\(?P<sign>{'|'.join(_SIGNS)})(?![A-Za-z])(?:\{{\}})?"
    rf"|\\(?P<letter>{'|'.join(LETTERS)})(?![A-Za-z])(?:\{{\}}|[ \t]*+)",
    re.DOTALL,
)
_COMMAND = re.compile(r"\\(?P<name>[A-Za-z]++)(?P<blank>\s*+)|\\(?P<mark>.)", re.DOTALL)
_ACCENTED = re.compile(rf"\\({'|'.join(_OVER)})(?![A-Za-z])\s*+(?:\{{([A-Za-z])\}}|([A-Za-z]))")
_MARK = re.compile(r"([_^])\s++")
_SCRIPT = re.compile(r"([_^])(?:\{([^{}]*+)\}|([^\s{}_^]))")
_GROUP = re.compile(r"(?<![_^])\{([^{}]*+)\}")
_RAISED = re.compile(r"\\raisebox\s*+\{[^{}]*+\}\s*+")
_ESCAPED = re.compile(r"\\[&#%]")
_STANDS_BEHIND = frozenset({"st", "nd", "rd", "th", "∗", "*", "†", "‡", "°", "′", "+", "-", "−", "⋆"})
_MARKS = {",": " ", ";": " ", ":": " ", " ": " ", "!": "", "{": "\x04", "}": "\x05", "|": "‖"}
_LATER = str.maketrans({"\x02": "_", "\x03": "^", "\x04": r"\{", "\x05": r"\}", "'": "′", "~": " "})
_DEEPEST = 8


def readable(source: str) -> str:
    """Return TeX source with its formulas and signs as characters, as far as they can be; accents and braces stay."""
    if "\\" not in source and "$" not in source:
        return source
    return _STRETCH.sub(_stretch, _RAISED.sub("", source))


def _stretch(match: re.Match[str]) -> str:
    """Return a formula as text, or a sign that stands in text."""
    if match["escaped"]:
        return match[0]
    if match["sign"]:
        return _SIGNS[match["sign"]]
    if match["letter"]:
        return LETTERS[match["letter"]]
    inner = next(part for part in match.group("two", "one", "round", "square", "ensured") if part is not None)
    if match["one"] is not None and _is_money(inner, match.string[match.end() : match.end() + 1]):
        return match[0]
    try:
        return _text(inner, match.string[max(match.start() - 1, 0) : match.start()])
    except ValueError:
        return f"${inner}$"


def _is_money(inner: str, after: str) -> bool:
    """Return whether two dollar signs are prices: "$5 and $6"."""
    plain = not any(mark in inner for mark in "\\^_{=<>")
    return plain and (inner != inner.strip() or (inner[:1].isdecimal() and after.isdecimal()))


def _text(inner: str, before: str) -> str:
    """Return a formula's text; `before` is the character before it. Raises ValueError where it has a structure."""
    if any(mark in _ESCAPED.sub("", inner) for mark in "&#%"):
        raise ValueError("a table or a comment")
    text = _ACCENTED.sub(lambda match: (match[2] or match[3]) + _OVER[match[1]], inner)
    text = _MARK.sub(r"\1", _COMMAND.sub(_command, text).replace("{}", ""))
    for _ in range(_DEEPEST):
        if "{" not in text and "_" not in text and "^" not in text:
            return " ".join(text.split()).translate(_LATER)
        text = _GROUP.sub(r"\1", _SCRIPT.sub(lambda match: _script(match, before), text))
    raise ValueError("braces that do not close, or nest deep")


def _command(match: re.Match[str]) -> str:
    name, after = match["name"], match.string[match.end() : match.end() + 1]
    if name is None:
        mark = match["mark"]
        if mark in "\\()[]@":
            raise ValueError("a line's end")
        return _MARKS.get(mark, mark)
    if name in LETTERS:
        return LETTERS[name]
    if name in _SIGNS:
        return _SIGNS[name].replace("{", "\x04").replace("}", "\x05") + (" " if match["blank"] else "")
    if name in _FUNCTIONS:
        return f" {name} " if after.isalnum() or after == "\\" else f" {name}"
    if name in _SPACES:
        return " "
    if name in _NO_TEXT:
        return ""
    raise ValueError(name)


def _script(match: re.Match[str], before: str) -> str:
    """Return a subscript or superscript: H2O, f_esc, 10^4, Ca2+, 13C."""
    text = (match[2] if match[2] is not None else match[3]).strip()
    before = match.string[match.start() - 1] if match.start() else before
    if match[1] == "_":
        return f"\x02{text}" if text[:1].isalpha() else text
    if text in ("∘", "o"):
        return "°"
    joined = text in _STANDS_BEHIND or text.endswith(("+", "-", "−")) or not (before.isalnum() or before in ")]}|⟩\x05")
    return text if joined or not text else f"\x03{text}"

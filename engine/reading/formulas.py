"""TeX's formulas in titles, abstracts and passages as people read them: as characters, and as MathML.

`readable` makes characters of what the Astrophysics Data System and dblp write as formulas: signs, subscripts and
superscripts, as in f_esc, 10^4 and H2O. A formula with a fraction, a root or another structure keeps its source.
`formula_pieces` sets the formulas of a text as MathML, and makes letters of the accents between them.
"""
# ruff: noqa: RUF001  the tables hold signs that look like letters

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import ParseError, fromstring

from engine.core.errors import EngineError
from engine.documents.markup import Markup, element, escaped, joined
from engine.reading.latex.commands import CAPITALS, GREEK, OF_ASTRONOMERS, SIGNS
from engine.reading.latex.tex import plain

LETTERS = {
    **CAPITALS,
    **GREEK,
    **dict(zip("varepsilon vartheta varpi varrho varphi".split(), "εϑϖϱφ", strict=True)),
    **OF_ASTRONOMERS,
    **dict(zip("ohorn Ohorn OHORN uhorn Uhorn UHORN".split(), "ơƠƠưƯƯ", strict=True)),
}
_OVER = dict(zip("hat widehat bar overline tilde widetilde dot ddot vec".split(), "̂̂̄̅̃̃̇̈⃗", strict=True))
_FUNCTIONS = frozenset(
    "log ln lg exp sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh min max inf sup lim det dim ker gcd arg "
    "Pr mod bmod hom".split()
)
_NO_TEXT = frozenset(
    "mathrm mathbf mathit mathsf mathtt mathcal mathbb mathfrak mathscr mathnormal boldsymbol bm text textrm "
    "textbf textit textsf texttt textnormal textup mbox hbox ce ch operatorname ensuremath rm bf it cal sl sf tt "
    "displaystyle textstyle scriptstyle left right big Big bigl bigr Bigl Bigr limits nolimits mathop mathord "
    "mathrel mathbin protect".split()
)
_SPACES = frozenset("quad qquad space thinspace medspace".split())
_STRETCH = re.compile(
    r"(?P<escaped>\\[$\\])|\$\$(?P<two>(?:[^$\\]|\\.)*+)\$\$|\$(?P<one>(?:[^$\\]|\\.)*+)\$"
    r"|\\\((?P<round>(?:[^\\]|\\[^()])*+)\\\)|\\\[(?P<square>(?:[^\\]|\\[^\[\]])*+)\\\]"
    r"|\\ensuremath\s*+\{(?P<ensured>[^{}]*+(?:\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\}[^{}]*+)*+)\}"
    rf"|\\(?P<sign>{'|'.join(SIGNS)})(?![A-Za-z])(?:\{{\}})?"
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
        return SIGNS[match["sign"]]
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
    if name in SIGNS:
        return SIGNS[name].replace("{", "\x04").replace("}", "\x05") + (" " if match["blank"] else "")
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


_FORMULA = re.compile(
    r"\$\$(?P<display>[^$]{1,600})\$\$|\$(?P<inline>[^$]{1,400})\$"
    r"|\\\((?P<round>.{1,400}?)\\\)|\\\[(?P<square>.{1,600}?)\\\]",
    re.DOTALL,
)
_FORMULA_SIGNS = re.compile(r"[\\^_{}=<>+]")
_WORD = re.compile(r"[A-Za-z]{3}")
_EVIDENCE = re.compile(r"\\[A-Za-z'\"`^~=.,{}%&$#_(\[]|[_^]\{|``")
_BRACED_SCRIPT = re.compile(r"(?<=[\w)\]}])(?P<kind>[_^])\{(?P<text>[^{}\\$]{1,40})\}")
_TIE = re.compile(r"(?<![.A-Za-z])~|(?<=[A-Za-z])~(?![A-Za-z\\])")
"""A ~ that says "about", or stands in an address, as far as one can tell it from a tie."""
_KEPT_TILDE = "\x06"
_POINTER = re.compile(
    r"(?:(?<!\s)\s++)?\\(?:[Cc]ite\w*|ref|eqref|autoref|label)\*?\s*(?:\[[^\]]{0,200}+\]\s*){0,2}\{[^{}]*\}"
)
_LETTER = re.compile(rf"(\\(?:{'|'.join(LETTERS)}))(?=[ \t])")

_ELEMENTS = frozenset(
    "math mi mo mn mrow msub msup msubsup mover munder munderover mtext mspace mfrac msqrt mroot mstyle mtable mtr mtd "
    "mpadded".split()
)
_ATTRIBUTES = {
    "math": ("display",),
    "mi": ("mathvariant",),
    "mo": ("stretchy", "fence", "form", "accent", "minsize", "maxsize", "movablelimits"),
    "mover": ("accent",),
    "munder": ("accentunder",),
    "mspace": ("width",),
    "mfrac": ("linethickness",),
    "mstyle": ("scriptlevel", "displaystyle"),
    "mtd": ("columnalign",),
}
_VALUE = re.compile(r"[-+.%\w]{1,12}")
_STYLES = {
    "bold": "BOLD",
    "italic": "ITALIC",
    "bold-italic": "BOLD ITALIC",
    "script": "SCRIPT",
    "fraktur": "FRAKTUR",
    "double-struck": "DOUBLE-STRUCK",
    "sans-serif": "SANS-SERIF",
    "monospace": "MONOSPACE",
}
_MOST_KEPT = 4_096
_UNREADABLE = (ParseError, RecursionError, LookupError, ValueError, TypeError, AttributeError, StopIteration)
"""What the converter raises on TeX that ends too early, besides errors of its own."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula: its TeX source, its MathML, and plain characters for where neither can stand."""

    tex: str
    mathml: Markup
    text: str


def formula_pieces(source: str) -> list[Markup | Formula]:
    """Cut a text into stretches of HTML and formulas; a formula that cannot be set stays as it is written."""
    if "$" not in source and not _EVIDENCE.search(source):
        return [escaped(source)]
    found: list[Markup | Formula] = []
    place = 0
    for match in _FORMULA.finditer(source):
        formula = _formula(match)
        if formula is not None:
            found += [_words(source[place : match.start()]), formula]
            place = match.end()
    return [one for one in [*found, _words(source[place:])] if isinstance(one, Formula) or one]


def formula_html(
    source: str,
    formula: Callable[[Markup, str], Markup] = lambda mathml, _text: mathml,
    words: Callable[[Markup], Markup] = lambda words: words,
) -> Markup:
    """Return a text as HTML, its formulas as MathML.

    `formula` may write a formula otherwise, from its MathML and its plain characters, and `words` what stands between.
    """
    pieces = formula_pieces(source)
    return joined(formula(one.mathml, one.text) if isinstance(one, Formula) else words(one) for one in pieces)


def as_text(source: str) -> str:
    """Return a text in plain characters, for labels: formulas as far as characters go, the rest as TeX."""
    return _without_commands(source) if "$" in source or _EVIDENCE.search(source) else source


def _formula(match: re.Match[str]) -> Formula | None:
    """Return a formula, or None where dollar signs are prices or its TeX cannot be set."""
    kind = match.lastgroup or ""
    tex = match[kind].strip().removeprefix("%").strip()
    if not tex or (kind == "inline" and _is_price(match)):
        return None
    mathml = _mathml(tex, "block" if kind in ("display", "square") else "inline")
    return Formula(tex, mathml, as_text(match[0])) if mathml is not None else None


def _is_price(match: re.Match[str]) -> bool:
    """Tell whether two dollar signs do not hold a formula: "$5 and $6"."""
    inner, after = match["inline"], match.string[match.end() : match.end() + 1]
    if _FORMULA_SIGNS.search(inner):
        return False
    return bool(_WORD.search(inner) and len(inner.split()) > 1) or (
        inner[:1].isdecimal() and (after.isdecimal() or inner != inner.strip())
    )


@lru_cache(_MOST_KEPT)
def _mathml(tex: str, display: str) -> Markup | None:
    """Return a formula's MathML, of plain elements and attributes alone; None where its TeX cannot be read."""
    from latex2mathml.converter import convert

    try:
        return _safe(fromstring(convert(tex, display=display)))
    except _UNREADABLE:
        return None
    except Exception as error:  # its own errors have no common base
        if type(error).__module__.startswith("latex2mathml."):
            return None
        raise


def _safe(node: Element) -> Markup:
    name = node.tag.rpartition("}")[2]
    children = [_safe(child) for child in node]
    if name not in _ELEMENTS:
        return joined(children)
    variant = node.get("mathvariant", "")
    text = _styled((node.text or "").replace("\\", ""), variant)
    attributes = [
        f' {key}="{value}"'
        for key in _ATTRIBUTES.get(name, ())
        if _VALUE.fullmatch(value := node.get(key, "")) and (key != "mathvariant" or value == "normal")
    ]
    return Markup(f"<{name}{''.join(attributes)}>{escaped(text)}{joined(children)}</{name}>")


def _styled(text: str, variant: str) -> str:
    """Write letters and digits in the alphabet of a style, as browsers know it by characters alone."""
    if variant not in _STYLES:
        return text
    return "".join(_in_style(one, _STYLES[variant]) for one in text)


@lru_cache(_MOST_KEPT)
def _in_style(one: str, style: str) -> str:
    name = unicodedata.name(one, "")
    kind, _, letter = name.replace("LATIN ", "").replace("GREEK ", "").partition(" LETTER ")
    wanted = name.replace("DIGIT", f"MATHEMATICAL {style} DIGIT")
    if letter:
        wanted = f"MATHEMATICAL {style} {kind} {letter}"
    for said in (wanted, f"{style} {kind} {letter}", f"BLACK-LETTER {kind} {letter}" if style == "FRAKTUR" else wanted):
        try:
            return unicodedata.lookup(said)
        except KeyError:
            continue
    return one


def _words(source: str) -> Markup:
    """Write what stands between formulas: TeX's accents as letters, its scripts as scripts, other commands left out."""
    if not _EVIDENCE.search(source):
        return escaped(source)
    return joined(_scripts(source))


def _scripts(source: str) -> Iterator[Markup]:
    place = 0
    for match in _BRACED_SCRIPT.finditer(source):
        yield escaped(_without_commands(source[place : match.start()]))
        yield element("sub" if match["kind"] == "_" else "sup", match["text"])
        place = match.end()
    yield escaped(_without_commands(source[place:]))


def _without_commands(source: str) -> str:
    """Return the words of TeX source, without what it cites; as it stands where its braces do not match.

    A blank behind a Greek letter stays: who writes one into a sentence does not write TeX.
    """
    opening, closing = source[: len(source) - len(source.lstrip())], source[len(source.rstrip()) :]
    text = _TIE.sub(_KEPT_TILDE, _LETTER.sub(r"\1{}", _POINTER.sub("", source.replace("-->", "→"))))
    try:
        return f"{opening}{plain(readable(text), 'text').replace(_KEPT_TILDE, '~').strip()}{closing}"
    except EngineError:
        return source

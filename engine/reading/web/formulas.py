"""Formulas of a web page as LaTeX: from the source that stands beside them, else from their MathML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from engine.documents.text import one_line

_TEX_ENCODINGS = re.compile(r"(?:application|text)/x-(?:la)?tex|(?:la)?tex", re.IGNORECASE)
_STYLE = re.compile(r"\{\s*+\\(?:display|text|script)style\s++(.*)\}", re.DOTALL)
_RENDERED = frozenset("MathJax MathJax_Display MathJax_SVG MathJax_SVG_Display MathJax_CHTML MJXc-display".split())
_PREVIEWS = frozenset("MathJax_Preview MathJax_Error MathJax_Message katex-html".split())
"""Classes of MathJax 2 and KaTeX; arXiv gives the class "mathjax" to text that MathJax may look at."""
_PICTURE = re.compile(r"(?:^|[\s_-])(?:tex|latex|math(?:tex|jax)?)(?=$|[\s_-])", re.IGNORECASE)
_GREEK = (
    "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ",
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi "
    "omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega",
)
_SIGNS = (
    "≤≥≠≈∞∈∉∑∏∫√∂∇×·±→∀∃\u222a∩⊂⊆≡\u223c∝⋅",
    "le ge ne approx infty in notin sum prod int sqrt partial nabla times cdot pm to forall exists cup cap subset "
    "subseteq equiv sim propto cdot",
)
_SYMBOLS = {one: name for signs, names in (_GREEK, _SIGNS) for one, name in zip(signs, names.split(), strict=True)}
_UNSEEN = str.maketrans("−", "-", "\u2061\u2062\u2063\u2064")
_FUNCTIONS = frozenset("sin cos tan log ln exp min max lim sup inf det arg Pr gcd dim ker".split())
_ROW_END = " \\\\ "
_COMMAND_LAST = re.compile(r"\\[A-Za-z]+$")
_ACCENTS = {
    "^": "hat",
    "\u02c6": "hat",
    "~": "tilde",
    "\u02dc": "tilde",
    "¯": "bar",
    "‾": "bar",
    "→": "vec",
    "˙": "dot",
}


def formula(element: Element) -> str | None:
    """An element's formula between dollars; empty for a second drawing of one; None for all other elements."""
    tag = element.tag
    if tag == "math":
        return _delimited(_source(element), display=_is_display(element))
    if tag == "script":
        kind = element.get("type", "").lower()
        if kind.startswith("math/tex"):
            return _delimited(element.text or "", display="display" in kind)
        return ""
    if tag == "img":
        return _of_picture(element)
    names = {*element.get("class", "").split()}
    if names & _PREVIEWS:
        return ""
    if tag == "mjx-container" or names & _RENDERED:
        found = next(element.iter("math"), None)
        return formula(found) if found is not None else ""
    return None


def _of_picture(element: Element) -> str | None:
    names = element.get("class", "")
    if not _PICTURE.search(names) or "fallback" in names:
        return None
    return _delimited(element.get("alt", ""), display="display" in names)


def _is_display(element: Element) -> bool:
    return element.get("display") == "block" or element.get("mode") == "display"


def _source(math: Element) -> str:
    """The LaTeX of a `math` element."""
    for one in math.iter("annotation"):
        if _TEX_ENCODINGS.fullmatch(one.get("encoding", "")) and one.text:
            return one.text
    return math.get("alttext", "") or _tex(math)


def _delimited(source: str, *, display: bool) -> str:
    text = one_line(source).strip("$ ")
    for opening, closing in (("\\(", "\\)"), ("\\[", "\\]")):
        if text.startswith(opening) and text.endswith(closing):
            text = text[2:-2].strip()
    styled = _STYLE.fullmatch(text)
    text = styled[1].strip() if styled is not None else text.removeprefix("\\displaystyle ")
    if not text:
        return ""
    return f"$${text}$$" if display else f"${text}$"


def _tex(element: Element) -> str:  # noqa: C901  a table of MathML's elements
    """MathML's own markup as LaTeX; what we do not know is written as its parts."""
    parts = [_tex(child) for child in element if child.tag not in ("annotation", "annotation-xml")]
    match element.tag, parts:
        case (("mi" | "mn" | "mo" | "mtext" | "ms"), _):
            return _token(element.tag, "".join(element.itertext()))
        case "mfrac", [top, bottom]:
            return f"\\frac{{{top}}}{{{bottom}}}"
        case "msqrt", _:
            return f"\\sqrt{{{_joined(parts)}}}"
        case "mroot", [body, degree]:
            return f"\\sqrt[{degree}]{{{body}}}"
        case "msup", [body, above]:
            return f"{_group(body)}^{_group(above)}"
        case "mover", [body, above]:
            return f"\\{_ACCENTS[above]}{{{body}}}" if above in _ACCENTS else f"{_group(body)}^{_group(above)}"
        case (("msub" | "munder"), [body, below]):
            return f"{_group(body)}_{_group(below)}"
        case (("msubsup" | "munderover"), [body, below, above]):
            return f"{_group(body)}_{_group(below)}^{_group(above)}"
        case "mtr", _:
            return " & ".join(parts)
        case "mtable", _:
            return f"\\begin{{matrix}} {_ROW_END.join(parts)} \\end{{matrix}}"
        case "mfenced", _:
            return f"{element.get('open', '(')}{', '.join(parts)}{element.get('close', ')')}"
    return _joined(parts) or one_line(element.text or "")


def _token(tag: str, text: str) -> str:
    text = one_line(text.translate(_UNSEEN))
    if tag == "mtext":
        return f"\\text{{{text}}}" if text else ""
    if tag == "mi" and len(text) > 1 and text.isascii() and text.isalpha():
        return f"\\{text}" if text in _FUNCTIONS else f"\\mathrm{{{text}}}"
    return "".join(f"\\{_SYMBOLS[one]}" if one in _SYMBOLS else one for one in text) if len(text) < 9 else text


def _joined(parts: Sequence[str]) -> str:
    """Parts side by side; a space where a command would run into a letter."""
    pieces: list[str] = []
    for part in filter(None, parts):
        if pieces and part[0].isalpha() and _COMMAND_LAST.search(pieces[-1][-20:]):
            pieces.append(" ")
        pieces.append(part)
    return "".join(pieces)


def _group(text: str) -> str:
    return text if len(text) == 1 or re.fullmatch(r"\\[A-Za-z]+", text) else f"{{{text}}}"

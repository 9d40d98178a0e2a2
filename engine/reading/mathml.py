"""Formulas and figures of marked-up text, in web pages and in XML, as lines of text that keep their numbers.

MathML becomes LaTeX between dollars, from the source that stands beside it, else from its markup: `$10^5$`. A formula
without scripts, fractions or other structure is plain text in XML: p<0.05. A superscript or
subscript that would change the number before it gets its mark (10^5), and a fraction of raised and lowered figures
stands apart: 5 1/2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from xml.etree.ElementTree import Element

from engine.documents.text import lowered, one_line, raised

_TEX_ENCODINGS = re.compile(r"(?:application|text)/x-(?:la)?tex|(?:la)?tex", re.IGNORECASE)
_STYLE = re.compile(r"\{\s*+\\(?:display|text|script)style\s++(.*)\}", re.DOTALL)
_DOCUMENT = re.compile(r"\\begin\s*+\{document\}(.*?)(?:\\end\s*+\{document\}|\Z)", re.DOTALL)
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
_ABOVE = {
    **dict.fromkeys("^\u02c6\u0302", "hat"),
    **dict.fromkeys("~\u02dc\u0303", "tilde"),
    **dict.fromkeys("¯‾_―\u0304\u0305\u2212-", "bar"),
    **dict.fromkeys(("→", "\\to", "⇀", "\u20d7"), "vec"),
    **dict.fromkeys("˙\u0307", "dot"),
    **dict.fromkeys("¨\u0308", "ddot"),
    **dict.fromkeys("ˇ\u030c", "check"),
    "⏞": "overbrace",
}
_BELOW = {**dict.fromkeys("¯‾_―\u0332\u2212-", "underline"), "⏟": "underbrace"}
_UNREAD = frozenset({"annotation", "annotation-xml", "mphantom", "maligngroup", "malignmark"})
_STRUCTURES = frozenset(
    "mfrac msqrt mroot msup msub msubsup mover munder munderover mtable mmultiscripts mfenced menclose".split()
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_ALTERNATIVES = frozenset({"alternatives", "inline-formula", "disp-formula"})
_SLASHES = frozenset("/\N{FRACTION SLASH}\N{DIVISION SLASH}")
_P = r"(?:\w{2,4}:)?"
_FRACTION = re.compile(
    rf"(?<=(.))?<{_P}sup>(\d+)</{_P}sup>\s?[/\N{{FRACTION SLASH}}]\s?<{_P}sub>(\d+)</{_P}sub>", re.IGNORECASE
)
_RAISED = frozenset({"sup", "superscript", "SP", "Sup"})
_LOWERED = frozenset({"sub", "inf", "subscript", "SB", "Sub"})
"""Of HTML and JATS, of Elsevier, of the USPTO in 2001 and in its SGML, of WIPO."""
_REND = re.compile(r"(?:vertical-align:\s*)?(sup|sub)(?:er|script|erscript)?", re.IGNORECASE)


def settle(root: Element) -> None:
    """Turn the formulas, superscripts and fractions of an XML tree into text that keeps its numbers, in place."""
    for parent in root.iter():
        if parent.tag == "math":
            drawn = _in_text(parent)
            del parent[:]
            parent.text = drawn
        elif parent.tag == "formula" and parent.get("notation", "").lower() in ("tex", "latex") and not len(parent):
            parent.text = delimited(parent.text or "", display=False)
        elif parent.tag == "tex-math":
            parent.text = delimited(parent.text or "", display=False)
        if len(parent):
            _settle_children(parent)


def _settle_children(parent: Element) -> None:
    sources = [one for one in parent if one.tag == "tex-math"]
    if sources and parent.tag in _ALTERNATIVES and _is_written(parent):
        for one in sources:  # what it says stands beside it
            one.text = ""
            del one[:]
    settle_fractions(parent)
    for place, one in enumerate(parent):
        if mark := script_mark(one, _before(parent, place)):
            one.text = f"{mark}{(one.text or '').lstrip()}"


def script_mark(element: Element, before: str) -> str:
    """Return what keeps a script from changing the number before it: ^ or _; empty for all other elements."""
    script = _script(element)
    text = "".join(element.itertext()) if script else ""
    written = (raised if script == "sup" else lowered)(before, text)
    return written[:1] if written != text else ""


def _is_written(formula: Element) -> bool:
    """Return whether a formula stands in it in another form than its TeX: as MathML or as text."""
    others = ("".join(one.itertext()) for one in formula if one.tag not in ("tex-math", "label"))
    return any(text.strip() for text in (formula.text or "", *others, *(one.tail or "" for one in formula)))


def settle_fractions(parent: Element) -> None:
    """Turn raised and lowered figures around a stroke into a fraction, apart from the number before it: 5 1/2."""
    for place, (top, bottom) in enumerate(pairwise(parent)):
        if (
            (top.tail or "").strip() in _SLASHES
            and (_script(top), _script(bottom)) == ("sup", "sub")
            and all("".join(one.itertext()).strip().isdecimal() for one in (top, bottom))
        ):
            top.text = f"{' ' * _before(parent, place).isdecimal()}{''.join(top.itertext()).strip()}/"
            bottom.text, top.tail = "".join(bottom.itertext()).strip(), ""
            top.tag = bottom.tag = "span"
            del top[:], bottom[:]


def with_fractions(text: str) -> str:
    """Return a text with tags in which the same is done."""
    return _FRACTION.sub(lambda match: f"{' ' * (match[1] or '').isdecimal()}{match[2]}/{match[3]}", text)


def _script(element: Element) -> str:
    """Return "sup" for what is raised, "sub" for what is lowered, also by TEI's `rend`; else an empty text."""
    if element.tag in _RAISED or element.tag in _LOWERED:
        return "sup" if element.tag in _RAISED else "sub"
    found = _REND.fullmatch(element.get("rend", "")) if element.tag == "hi" else None
    return found[1].lower() if found is not None else ""


def _before(parent: Element, place: int) -> str:
    """Return the last character before a child."""
    sibling = parent[place - 1] if place else None
    text = parent.text if sibling is None else sibling.tail or "".join(sibling.itertext())
    return (text or "")[-1:]


def _in_text(math: Element) -> str:
    """Return a `math` element in a line of XML: plain where it has no structure."""
    if any(one.tag in _STRUCTURES for one in math.iter()):
        return of_math(math)
    return _plain(math) or of_math(math)


def _plain(element: Element) -> str:
    """Return the text of MathML without structure."""
    if element.tag in _UNREAD:
        return ""
    if element.tag == "mspace":
        return " "
    if not len(element):
        text = " ".join((element.text or "").translate(_UNSEEN).replace("-", "−").split())
        return f" {text} " if element.tag == "mtext" else text
    return _apart(map(_plain, element))


def _apart(pieces: Iterable[str]) -> str:
    """Join pieces, with a space between two words."""
    text = ""
    for one in pieces:
        words = text[-2:].isalpha() and one[:1].isalpha() and len(text) > 1
        text += f"{' ' * words}{one}"
    return text


def of_math(math: Element) -> str:
    """Return the formula of a `math` element, between dollars."""
    display = math.get("display") == "block" or math.get("mode") == "display"
    return delimited(_source(math), display=display)


def _source(math: Element) -> str:
    """Return the LaTeX of a `math` element."""
    for one in math.iter("annotation"):
        if _TEX_ENCODINGS.fullmatch(one.get("encoding", "")) and one.text:
            return one.text
    return math.get("alttext", "") or _tex(math)


def delimited(source: str, *, display: bool) -> str:
    """Return LaTeX between dollars, without a document around it; empty for none."""
    document = _DOCUMENT.search(source)
    text = one_line(document[1] if document is not None else source).strip("$ ")
    for opening, closing in (("\\(", "\\)"), ("\\[", "\\]")):
        if text.startswith(opening) and text.endswith(closing):
            text = text[2:-2].strip()
    styled = _STYLE.fullmatch(text)
    text = styled[1].strip() if styled is not None else text.removeprefix("\\displaystyle ")
    if not text:
        return ""
    return f"$${text}$$" if display else f"${text}$"


def _tex(element: Element) -> str:  # noqa: C901  a table of MathML's elements
    """Write MathML's markup as LaTeX; an element that we do not know as its parts."""
    parts = [_tex(child) for child in element if child.tag not in _UNREAD]
    match element.tag, parts:
        case (("mi" | "mn" | "mo" | "mtext" | "ms"), _):
            return _token(element.tag, "".join(element.itertext()))
        case "mspace", _:
            return "\\," if re.match(r"0*+\.?+0*+[1-9]|(?!neg)\w*space", element.get("width", "")) else ""
        case "mfrac", [top, bottom]:
            bare = re.match(r"0+(?:\D|$)", element.get("linethickness", ""))
            return f"\\{'frac' if bare is None else 'binom'}{{{top}}}{{{bottom}}}"
        case "msqrt", _:
            return f"\\sqrt{{{_joined(parts)}}}"
        case "mroot", [body, degree]:
            return f"\\sqrt[{degree}]{{{body}}}"
        case "msup", [body, above]:
            return f"{_body(body)}^{_group(above)}"
        case "mover", [body, above]:
            return f"\\{_ABOVE[above]}{{{body}}}" if above in _ABOVE else f"{_body(body)}^{_group(above)}"
        case "munder", [body, below] if below in _BELOW:
            return f"\\{_BELOW[below]}{{{body}}}"
        case (("msub" | "munder"), [body, below]):
            return f"{_body(body)}_{_group(below)}"
        case (("msubsup" | "munderover"), [body, below, above]):
            return f"{_body(body)}_{_group(below)}^{_group(above)}"
        case "mmultiscripts", [body, *_]:
            return _multiscripts(element, body)
        case "maction", [shown, *_]:
            return shown
        case (("mtr" | "mlabeledtr"), _):
            return " & ".join(parts[element.tag == "mlabeledtr" :])
        case "mtable", _:
            return f"\\begin{{matrix}} {_ROW_END.join(parts)} \\end{{matrix}}"
        case "mfenced", _:
            return f"{element.get('open', '(')}{', '.join(parts)}{element.get('close', ')')}"
    return _joined(parts) or one_line(element.text or "")


def _multiscripts(element: Element, body: str) -> str:
    """Return what has scripts on both sides, such as an isotope: pairs behind it, then pairs before it."""
    sides: list[list[str]] = [[], []]
    at = 0
    for child in element[1:]:
        if child.tag == "mprescripts":
            at = 1
        else:
            sides[at].append(_tex(child))
    behind, before = (
        "".join(f"{mark}{_group(one)}" if one else "" for mark, one in zip("_^" * len(side), side, strict=False))
        for side in sides
    )
    return f"{'{}' * bool(before)}{before}{_body(body)}{behind}"


def _token(tag: str, text: str) -> str:
    text = one_line(text.translate(_UNSEEN))
    if tag == "mtext":
        return f"\\text{{{text}}}" if text else ""
    if tag == "mi" and len(text) > 1 and text.isascii() and text.isalpha():
        return f"\\{text}" if text in _FUNCTIONS else f"\\mathrm{{{text}}}"
    text = re.sub(r"(?<!\\)[%&#$]", r"\\\g<0>", text)
    return "".join(f"\\{_SYMBOLS[one]}" if one in _SYMBOLS else one for one in text) if len(text) < 9 else text


def _joined(parts: Sequence[str]) -> str:
    """Join parts, with a space where a command would run into a letter, or a number into one with a script."""
    pieces: list[str] = []
    for part in filter(None, parts):
        if pieces and part[0].isalpha() and _COMMAND_LAST.search(pieces[-1][-20:]):
            pieces.append(" ")
        elif pieces and part[0].isdecimal() and pieces[-1][-1].isdecimal() and not _NUMBER.fullmatch(part):
            pieces.append("\\,")
        pieces.append(part)
    return "".join(pieces)


def _body(text: str) -> str:
    """Return what carries a script; a number needs no braces."""
    return text if _NUMBER.fullmatch(text) else _group(text)


def _group(text: str) -> str:
    return text if len(text) == 1 or re.fullmatch(r"\\[A-Za-z]+", text) else f"{{{text}}}"

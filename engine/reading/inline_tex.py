"""TeX within a title, an abstract or a passage as people read it: formulas as MathML, accents as letters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import ParseError, fromstring

from engine.core.errors import EngineError
from engine.documents.markup import Markup, element, escaped, joined
from engine.reading.latex.tex import plain
from engine.reading.references.formulas import LETTERS, readable

_FORMULA = re.compile(
    r"\$\$(?P<display>[^$]{1,600})\$\$|\$(?P<inline>[^$]{1,400})\$"
    r"|\\\((?P<round>.{1,400}?)\\\)|\\\[(?P<square>.{1,600}?)\\\]",
    re.DOTALL,
)
_SIGNS = re.compile(r"[\\^_{}=<>+]")
_WORD = re.compile(r"[A-Za-z]{3}")
_EVIDENCE = re.compile(r"\\[A-Za-z'\"`^~=.,{}%&$#_(\[]|[_^]\{|``")
_SCRIPT = re.compile(r"(?<=[\w)\]}])(?P<kind>[_^])\{(?P<text>[^{}\\$]{1,40})\}")
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


def formula_html(source: str) -> Markup:
    """Return a text as HTML, its formulas as MathML."""
    return joined(one.mathml if isinstance(one, Formula) else one for one in formula_pieces(source))


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
    if _SIGNS.search(inner):
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
    for match in _SCRIPT.finditer(source):
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

"""DOCX into a document: headings by their styles' outline levels, paragraphs, lists, and the cells of tables.

The title is the paragraph in the style "Title", else the file's property, else a first heading that
stands alone at the top. Where no paragraph has a heading's style the text is read as plain text is.
Text that is deleted, hidden, in footnotes, comments, drawings or tables of contents is left out.

python-docx (MIT) could read this as well. But it opens every member of the archive and needs lxml, a second parser
outside our rules (no DOCTYPE, no entity, bounded depth and number of elements). We need only four elements of the
format and the list of styles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree.ElementTree import Element

from engine.errors import EmptyInputError
from engine.readers.base import Reading
from engine.readers.bylines import left_out
from engine.readers.docx.package import PROPERTIES, DocxFile
from engine.readers.limits import LIMITS, Limits
from engine.readers.text import headings
from engine.readers.text.outline import Stretch, build, choose_abstract
from engine.readers.text.plain import read_plain
from engine.readers.xml.tree import children, find_line
from engine.text import one_line

Part = Literal["text", "title", "subtitle", "heading", "abstract", "keywords", "references", "skip"]

_HEADING = re.compile(
    r"(?:.*[ _\d.])?(?:heading|head|überschrift|berschrift|titre|título|ttulo|titulo|titolo|kop|rubrik|otsikko|"
    r"nagłówek|nagwek|overskrift|nadpis|заголовок|標題|标题|見出し|제목) ?_?([1-9])(?:[ _].*)?",
    re.IGNORECASE,
)
_BY_NAME: tuple[tuple[Part, re.Pattern[str]], ...] = (
    (
        "skip",
        re.compile(
            r"toc ?\d|toc heading|header|footer|date|"
            r"(?:.*[ _\d])?(?:auth(?:or)?s?(?:names?|notes?)?|affiliations?|correspondence)(?:[ _].*)?",
            re.IGNORECASE,
        ),
    ),
    ("title", re.compile(r"(?:(?:paper|article|document|book|mdpi)[ _.\d]*)?title(?:_document)?", re.IGNORECASE)),
    ("subtitle", re.compile(r"sub-?title(?:_document)?", re.IGNORECASE)),
    ("abstract", re.compile(r"(?:.*[ _\d])?abstract(?: text)?", re.IGNORECASE)),
    ("keywords", re.compile(r"(?:.*[ _\d])?key ?words?", re.IGNORECASE)),
    (
        "references",
        re.compile(r"(?:.*[ _\d])?(?:references?|bibliography|bib_entry|reference ?list|reference ?item)", re.I),
    ),
)
_JUNK = re.compile(
    r"(?:microsoft )?word(?: -.*)?|(?:untitled|document|dokument|unbenannt|title|paper|manuscript|template)[ _-]?\d*|"
    r".*\.(?:docx?|dotx?|rtf|odt|pdf|tex)|(?:\S+ ){0,3}template|[\w.-]*\d[\w.-]*",
    re.IGNORECASE,
)
_LEFT_OUT = frozenset(
    {"del", "moveFrom", "drawing", "pict", "object", "Fallback", "rt", "pPr", "instrText", "txbxContent"}
)
_BLANKS = {"tab": " ", "br": " ", "cr": " ", "ptab": " ", "noBreakHyphen": "-"}
_BASES = 20
_BODY_LEVEL = 9
_TITLE_WORDS = 30


@dataclass(frozen=True, slots=True)
class _Style:
    name: str
    base: str
    level: int | None


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """One paragraph: its text, its role by style, and its mark as an item of a list or a row.

    `depth` counts the lists around its list.
    """

    text: str
    part: Part = "text"
    level: int = 0
    mark: str | None = None
    depth: int = 0


def read_docx(data: bytes, name: str, identifier: str, limits: Limits = LIMITS) -> Reading:
    """One document from a DOCX; raises what `DocxFile` and `xmltree.parse` raise, or EmptyInputError."""
    file = DocxFile(data, name, limits)
    root = file.part(file.document)
    body = root.find("body") if root is not None else None
    paragraphs = list(_paragraphs(body, _styles(file.part(file.styles)))) if body is not None else []
    if not paragraphs:
        raise EmptyInputError(
            f"Expected text in {name}, found none in its pages. Choose another file, or paste the text."
        )
    title = _styled_title(paragraphs) or _property_title(file.part(PROPERTIES))
    if not any(one.part == "heading" for one in paragraphs):
        return _as_plain(paragraphs, title, identifier)
    title, stretches = _outline(paragraphs, title)
    about = choose_abstract(stretches)
    document = build(identifier, title, stretches)
    found = document.abstract or "".join(document.claims)
    return Reading(document, "docx", tuple(_warnings(document.title, found, about)))


def _warnings(title: str, abstract: str, about: Sequence[str] = ()) -> Iterator[str]:
    if not title:
        yield "No title was found: neither a style nor the file's properties give one."
    if about:
        yield left_out(about)
    if not abstract:
        yield "No abstract was found."


def _as_plain(paragraphs: list[_Paragraph], title: str, identifier: str) -> Reading:
    """A file without heading styles, whose headings are found as in a plain text."""
    texts = [one.text for one in paragraphs if one.part not in ("title", "subtitle")]
    if title and not (texts and one_line(texts[0]).lower() == title.lower()):
        texts.insert(0, title)
    return read_plain("\n\n".join(texts), identifier, "docx")


def _outline(paragraphs: list[_Paragraph], title: str) -> tuple[str, list[Stretch]]:
    """The title and the stretches under each heading; the first heading is the title for lack of another."""
    marked = headings.Marked()
    styled = iter([marked.add(one.text, one.level) for one in paragraphs if one.part == "heading"])
    title = title or marked.title
    stretches = [_stretch("")]
    front = True
    for paragraph in paragraphs:
        within = stretches[-1].role
        heading = next(styled) if paragraph.part == "heading" else None
        if paragraph.part == "text":
            heading = headings.of_paragraph(paragraph.text, front=front, within=within)
        if paragraph.part in ("abstract", "keywords", "references"):
            _into(stretches, paragraph)
        elif heading is not None and title in (heading.title, heading.whole) and len(stretches) == 1:
            continue
        elif heading is not None:
            stretches.append(_stretch(heading.title, heading.role, heading.rest))
            front = front and not (heading.title and heading.role == "body")
            if heading.rest:
                stretches.append(_stretch(""))  # a line such as "Keywords: a, b" is whole in itself
        elif paragraph.part == "text" and not (one_line(paragraph.text) == title and len(stretches) == 1):
            _add(stretches[-1], paragraph)
    return title, stretches


def _stretch(title: str, role: headings.Role = "body", text: str = "") -> Stretch:
    return Stretch(title, role, [text] if text else [], wrapped=False)


def _into(stretches: list[Stretch], paragraph: _Paragraph) -> None:
    """Put a paragraph where its style says; the section around it continues."""
    roles: dict[str, headings.Role] = {"abstract": "abstract", "keywords": "keywords", "references": "references"}
    role = roles[paragraph.part]
    found = headings.find([paragraph.text, "1. A"], 0, "body")
    text = (found.rest if found is not None and found.role == role else paragraph.text).strip()
    own = next((one for one in stretches if one.role == role), None)
    if own is None:
        own = _stretch(role.title(), role)
        stretches.insert(len(stretches) - (role != "references"), own)
    if text:
        own.lines.extend([text, ""])


def _add(stretch: Stretch, paragraph: _Paragraph) -> None:
    """Add a paragraph; items of a list get separate lines, a patent's claims are numbered."""
    if paragraph.mark and stretch.role == "claims" and paragraph.depth and stretch.lines:
        stretch.lines.append(paragraph.text)  # a step of the claim above it
    elif paragraph.mark and stretch.role == "claims":
        number = 1 + sum(1 for line in stretch.lines if re.match(r"\d+\. ", line))
        stretch.lines.append(f"{number}. {paragraph.text}")
    elif paragraph.mark is not None and stretch.role == "body":
        stretch.lines.append(f"{paragraph.mark}{paragraph.text}")
    else:
        blank = [""] if stretch.lines and stretch.lines[-1] else []
        stretch.lines.extend([*blank, paragraph.text, ""])


def _styled_title(paragraphs: list[_Paragraph]) -> str:
    """The paragraphs in the title's style, and those in the subtitle's after a colon."""
    title, subtitle = (" ".join(one.text for one in paragraphs if one.part == part) for part in ("title", "subtitle"))
    return f"{title.rstrip(': ')}: {subtitle}" if title and subtitle else title


def _property_title(properties: Element | None) -> str:
    """The title in the file's properties, unless it is the name of a program or a file."""
    title = find_line(properties, "title")
    return "" if _JUNK.fullmatch(title) or not 0 < len(title.split()) <= _TITLE_WORDS else title


def _styles(root: Element | None) -> dict[str, tuple[Part, int]]:
    """Each style's role for a paragraph and, for a heading, its level from 1."""
    styles = {}
    for style in children(root, "style"):
        level = _number(style.find("pPr/outlineLvl"))
        name, base = (
            found.get("val", "") if (found := style.find(tag)) is not None else "" for tag in ("name", "basedOn")
        )
        styles[style.get("styleId", "")] = _Style(name, base, level)
    return {key: _role(key, styles) for key in styles}


def _role(key: str, styles: dict[str, _Style]) -> tuple[Part, int]:
    """By the style's name or outline level, or by the styles that it is based on."""
    for _ in range(_BASES):
        style = styles.get(key)
        if style is None:
            break
        for part, pattern in _BY_NAME:
            if pattern.fullmatch(style.name):
                return part, 0
        named = _HEADING.fullmatch(style.name) or _HEADING.fullmatch(key)
        if style.level is not None or named is not None:
            level = style.level + 1 if style.level is not None else int(named[1]) if named is not None else 0
            return ("heading", level) if level <= _BODY_LEVEL else ("text", 0)
        key = style.base
    return "text", 0


def _number(element: Element | None) -> int | None:
    value = element.get("val", "") if element is not None else ""
    return int(value) if value.isdecimal() and len(value) < 3 else None


def _paragraphs(parent: Element, styles: dict[str, tuple[Part, int]]) -> Iterator[_Paragraph]:
    """The paragraphs in reading order; a table's row is one, unless its cells hold headings."""
    for child in parent:
        if child.tag == "p":
            paragraph = _paragraph(child, styles)
            if paragraph.text and paragraph.part != "skip":
                yield paragraph
        elif child.tag == "tbl":
            yield from _table(child, styles)
        elif child.tag not in _LEFT_OUT:
            yield from _paragraphs(child, styles)


def _table(table: Element, styles: dict[str, tuple[Part, int]]) -> Iterator[_Paragraph]:
    """Rows as lines; a table that lays out the page is read paragraph by paragraph."""
    inner = [[list(_paragraphs(cell, styles)) for cell in children(row, "tc")] for row in children(table, "tr")]
    flat = [paragraph for row in inner for cell in row for paragraph in cell]
    if any(paragraph.part != "text" for paragraph in flat):
        yield from flat
        return
    for row in inner:
        cells = [" ".join(paragraph.text for paragraph in cell) for cell in row]
        if any(cells):
            yield _Paragraph(" | ".join(cell for cell in cells if cell), mark="")


def _paragraph(element: Element, styles: dict[str, tuple[Part, int]]) -> _Paragraph:
    """One paragraph; its outline level overrides its style's."""
    properties = element.find("pPr")
    key = _value(properties, "pStyle")
    named = _HEADING.fullmatch(key)
    part, level = styles.get(key, ("heading", int(named[1])) if named is not None else ("text", 0))
    own = _number(properties.find("outlineLvl")) if properties is not None else None
    if own is not None and part in ("text", "heading"):
        part, level = ("heading", own + 1) if own < _BODY_LEVEL else ("text", 0)
    item = properties is not None and properties.find("numPr") is not None
    text = one_line("".join(_pieces(element)))
    if part == "heading" and len(text.split()) > 2 * _TITLE_WORDS:
        part = "text"  # a whole paragraph in a heading's style
    depth = _number(properties.find("numPr/ilvl")) if properties is not None else None
    return _Paragraph(text, part, level, "- " if item else None, depth or 0)


def _value(properties: Element | None, name: str) -> str:
    found = properties.find(name) if properties is not None else None
    return found.get("val", "") if found is not None else ""


def _pieces(element: Element) -> Iterator[str]:
    """The text of a paragraph's runs, in order."""
    for child in element:
        if child.tag == "t":
            yield child.text or ""
        elif child.tag in _BLANKS:
            yield _BLANKS[child.tag]
        elif child.tag not in _LEFT_OUT and not (child.tag == "r" and _is_hidden(child)):
            yield from _pieces(child)


def _is_hidden(run: Element) -> bool:
    mark = run.find("rPr/vanish")
    return mark is not None and mark.get("val", "true") not in ("0", "false", "off")

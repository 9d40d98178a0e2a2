"""DOCX into a document: headings by their styles' outline levels, paragraphs, lists, and the cells of tables.

The title is the paragraph in the style "Title", else the file's property if the text prints it, else the largest
letters above the first heading, else a first heading that stands alone at the top. Where no paragraph has a heading's
style the text is read as plain text is. Boxes of text follow the paragraph where they are anchored. Footnotes and
endnotes are a section at the end, which is a reference list if most of them cite. Text that is deleted, hidden, in
comments, drawings or tables of contents is left out.

python-docx (MIT) could read this as well. But it opens every member of the archive and needs lxml, a second parser
outside our rules (no DOCTYPE, no entity, bounded depth and number of elements). We need only four elements of the
format and the list of styles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from xml.etree.ElementTree import Element

from engine.core.errors import EmptyInputError
from engine.documents.people import is_about_authors, names_in
from engine.documents.text import lowered, one_line, raised
from engine.reading.base import ReadFile, left_out_about_authors, left_out_of_text, with_notes
from engine.reading.docx.equations import equation, of_field, symbol
from engine.reading.docx.package import PROPERTIES, DocxFile
from engine.reading.docx.styles import Number, Numbering, ParagraphPart, Style, Styles, number, value
from engine.reading.limits import LIMITS, Budget, Limits
from engine.reading.text import headings
from engine.reading.text.outline import Stretch, build, choose_abstract, looks_like_title
from engine.reading.text.plain import read_plain
from engine.reading.xml.tree import children, find_line

_JUNK = re.compile(
    r"(?:microsoft )?word(?: -.*)?|(?:untitled|document|dokument|unbenannt|title|paper|manuscript|template)[ _-]?\d*|"
    r".*\.(?:docx?|dotx?|rtf|odt|pdf|tex)|(?:\S+ ){0,3}template|(?=[\w.-]*\d)[\w.-]++",
    re.IGNORECASE,
)
_LEFT_OUT = frozenset(
    {"del", "moveFrom", "drawing", "pict", "object", "Fallback", "rt", "pPr", "rPr", "delInstrText", "txbxContent"}
)
_BLANKS = {"tab": " ", "br": " ", "cr": " ", "ptab": " ", "noBreakHyphen": "-"}
_EDGE = "\x1f"
"""Stands around an equation until it is told apart from another, or from the number before it."""
_BETWEEN = re.compile(rf"{_EDGE}{_EDGE}|(?<=\d){_EDGE}(?=\d[^{_EDGE}]*[/^_])")
_SCRIPTS = {"superscript": "\x0e", "subscript": "\x0f"}
_END = "\x10"
"""Stand around what is raised or lowered, until a paragraph is whole."""
_SCRIPTED = re.compile("([\x0e\x0f])([^\x0e-\x10]*+)\x10")
_SLASH = "\\s*+[/\N{FRACTION SLASH}\N{DIVISION SLASH}]"
_FRACTION = re.compile(
    rf"\x0e\s*+(\d++)(?:{_SLASH}\s*+\x10\x0f|\s*+\x10{_SLASH}\s*+\x0f|\s*+\x10\x0f{_SLASH})\s*+(\d++)\s*+\x10"
)
"""A typed fraction: raised figures, a stroke, and lowered ones."""
_RAISED_BY = 4
"""Half points above or below a line that make a script."""
_BODY_LEVEL = 9
_TITLE_WORDS = 30
_FRONT = 30
"""How many paragraphs at the head of a file may be its title page."""
_LARGER = 1.2
_TITLE_PARAGRAPHS = 5
_OFF = ("0", "false", "off")
_BOX_WORDS = 5
_CONTENTS = "Table of Contents"
_NOTES = ("footnote", "endnote")


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """One paragraph: its text, its role by style, and its place in a list.

    `mark` goes before an item of a list, and is empty for a table's row. `size` tells its largest letters, in half
    points.
    """

    text: str
    part: ParagraphPart = "text"
    level: int = 0
    mark: str | None = None
    number: Number | None = None
    size: int = 0
    bold: bool = False


@dataclass(slots=True)
class _Format:
    """The lists of a file that say what a paragraph is, and its budget."""

    styles: Styles
    numbering: Numbering
    budget: Budget


def read_docx(data: bytes, name: str, identifier: str, limits: Limits = LIMITS) -> ReadFile:
    """Read one document from a DOCX; raises what `DocxFile` and `xml.tree.parse` raise, or EmptyInputError."""
    file = DocxFile(data, name, limits)
    root = file.part(file.document)
    body = root.find("body") if root is not None else None
    styles, numbering = Styles(file.part(file.beside["styles"])), Numbering(file.part(file.beside["numbering"]))
    form = _Format(styles, numbering, Budget.within(limits, name))
    paragraphs = list(_paragraphs(body, form)) if body is not None else []
    if not paragraphs:
        raise EmptyInputError(
            f"Expected text in {name}, found none in its pages. Choose another file, or paste the text."
        )
    reading = _read(paragraphs, form, _property_title(file.part(PROPERTIES)), identifier)
    notes = [text for kind in _NOTES for text in _notes(body, file.part(file.beside[f"{kind}s"]), kind, form)]
    comments = sum(1 for _ in body.iter("commentReference")) if body is not None else 0
    warnings = (*reading.warnings, *left_out_of_text({"comment": comments}))
    return replace(reading, document=with_notes(reading.document, notes), warnings=warnings)


def _read(paragraphs: list[_Paragraph], form: _Format, given: str, identifier: str) -> ReadFile:
    """Return the document of a file's paragraphs; `given` is the title in its properties."""
    title = _styled_title(paragraphs)
    if not title:
        title = _agreed_title(given, paragraphs) or _title_by_look(paragraphs, form.styles.size)
        paragraphs = _with_title(paragraphs, title)
    if not any(one.part == "heading" for one in paragraphs):
        return _as_plain(paragraphs, title or given, identifier)
    title, stretches = _outline(paragraphs, title)
    about = choose_abstract(stretches)
    document = replace(build(identifier, title or given, stretches), authors=names_in(about))
    found = document.abstract or "".join(document.claims)
    return ReadFile(document, "docx", tuple(_warnings(document.title, found, about)))


def _notes(body: Element | None, part: Element | None, kind: str, form: _Format) -> Iterator[str]:
    """Yield the notes that a body refers to, in its order; those of deleted text stand in the file, too."""
    if body is None or part is None:
        return
    held = {one.get("id", ""): one for one in children(part, kind) if one.get("type", "normal") == "normal"}
    for key in dict.fromkeys(_referred(body, f"{kind}Reference")):
        if key in held and (text := "\n".join(one.text for one in _paragraphs(held[key], form))):
            yield text


def _referred(element: Element, tag: str) -> Iterator[str]:
    """Yield the numbers of the notes that are referred to, outside of deleted text."""
    for child in element:
        if child.tag == tag:
            yield child.get("id", "")
        elif child.tag not in ("del", "moveFrom", "Fallback"):
            yield from _referred(child, tag)


def _warnings(title: str, abstract: str, about: Sequence[str] = ()) -> Iterator[str]:
    if not title:
        yield "No title was found: neither a style nor the file's properties give one."
    if about:
        yield left_out_about_authors(about)
    if not abstract:
        yield "No abstract was found."


def _as_plain(paragraphs: list[_Paragraph], title: str, identifier: str) -> ReadFile:
    """Read a file without heading styles, whose headings are found as in a plain text; lists keep their numbers."""
    texts = [_labelled(one) for one in paragraphs if one.part not in ("title", "subtitle")]
    return read_plain("\n\n".join([title, *texts] if title else texts), identifier, "docx")


def _labelled(paragraph: _Paragraph) -> str:
    """Return a paragraph's text below its number, if that counts sections or claims."""
    number = paragraph.number
    if number is None or not number.label or (number.level and number.decimal) or number.label.startswith("["):
        return paragraph.text
    return f"{number.label} {paragraph.text}"


def _outline(paragraphs: list[_Paragraph], title: str) -> tuple[str, list[Stretch]]:
    """Return the title and the stretches under each heading; the first heading is the title for lack of another."""
    marked = headings.MarkedHeadings()
    styled = iter([marked.add(one.text, one.level) for one in paragraphs if one.part == "heading"])
    title = title or marked.title
    stretches = [_stretch("")]
    own: dict[headings.Role, Stretch] = {}
    claims = _ClaimList()
    front = True
    for paragraph in paragraphs:
        within = stretches[-1].role
        heading = next(styled) if paragraph.part == "heading" else None
        if paragraph.part == "text":
            heading = headings.of_paragraph(paragraph.text, front=front, within=within)
        if paragraph.part in ("abstract", "keywords", "references"):
            _into(stretches, own, paragraph)
        elif heading is not None and title in (heading.title, heading.whole) and len(stretches) == 1:
            continue
        elif heading is not None:
            stretches.append(_stretch(heading.title, heading.role, heading.rest))
            front = front and not (heading.title and heading.role == "body")
            if heading.rest:
                stretches.append(_stretch(""))  # a line such as "Keywords: a, b" is whole in itself
        elif paragraph.part == "text" and not (one_line(paragraph.text) == title and len(stretches) == 1):
            _add(stretches[-1], paragraph, claims)
    return title, stretches


def _stretch(title: str, role: headings.Role = "body", text: str = "") -> Stretch:
    return Stretch(title, role, [text] if text else [], wrapped=False)


def _into(stretches: list[Stretch], own: dict[headings.Role, Stretch], paragraph: _Paragraph) -> None:
    """Put a paragraph where its style says; the section around it continues."""
    roles: dict[str, headings.Role] = {"abstract": "abstract", "keywords": "keywords", "references": "references"}
    role = roles[paragraph.part]
    found = headings.find([paragraph.text, "1. A"], 0, "front")
    text = (found.rest if found is not None and found.role == role else paragraph.text).strip()
    if role not in own:
        own[role] = next((one for one in stretches if one.role == role), _stretch(role.title(), role))
        if not any(one is own[role] for one in stretches):
            stretches.insert(len(stretches) - (role != "references"), own[role])
    if text:
        own[role].lines.extend([text, ""])


class _ClaimList:
    """Tells which items of Word's lists are claims, and which are steps of one."""

    def __init__(self) -> None:
        """Start before the first claim."""
        self._first: Number | None = None
        self._steps: set[str] = set()
        self._count = 0

    def begins(self, number: Number, *, begun: bool) -> bool:
        """Tell whether an item begins the next claim; `begun` if text of claims stands above it."""
        first = self._first
        if first is None:
            claim = number.value is not None or not begun
        elif number.list_id == first.list_id:
            claim = number.level <= first.level
        else:
            claim = number.list_id not in self._steps and number.decimal and number.value == self._count + 1
        if not claim and (first is None or number.list_id != first.list_id):
            self._steps.add(number.list_id)
        if claim:
            self._first = first or number
            self._count += 1
        return claim

    @property
    def count(self) -> int:
        """How many claims have begun."""
        return self._count


def _add(stretch: Stretch, paragraph: _Paragraph, claims: _ClaimList) -> None:
    """Add a paragraph; items of a list get separate lines, a patent's claims are numbered."""
    if paragraph.number is not None and stretch.role == "claims":
        begins = claims.begins(paragraph.number, begun=bool(stretch.lines))
        stretch.lines.append(f"{claims.count}. {paragraph.text}" if begins else paragraph.text)
    elif paragraph.mark is not None and stretch.role == "body":
        stretch.lines.append(f"{paragraph.mark}{paragraph.text}")
    else:
        blank = [""] if stretch.lines and stretch.lines[-1] else []
        stretch.lines.extend([*blank, paragraph.text, ""])


def _styled_title(paragraphs: list[_Paragraph]) -> str:
    """Return the paragraphs in the title's style, and those in the subtitle's after a colon."""
    title, subtitle = (" ".join(one.text for one in paragraphs if one.part == part) for part in ("title", "subtitle"))
    return f"{title.rstrip(': ')}: {subtitle}" if title and subtitle else title


def _property_title(properties: Element | None) -> str:
    """Return the title in the file's properties, unless it is the name of a program or a file."""
    title = find_line(properties, "title")
    return "" if len(title) > 400 or _JUNK.fullmatch(title) or not 0 < len(title.split()) <= _TITLE_WORDS else title


def _agreed_title(given: str, paragraphs: Sequence[_Paragraph]) -> str:
    """Return the title in the properties as the head of the text prints it; a template may have left it there."""
    head = [one.text for one in paragraphs[:_FRONT]]
    printed = next((text for text in head if text.lower() == given.lower()), "")
    return printed or (given if given.lower() in " ".join(head).lower() else "")


def _title_by_look(paragraphs: Sequence[_Paragraph], size: int) -> str:
    """Return the largest letters above the first heading, or the only bold ones, if they read as a title."""
    front = list(takewhile(lambda one: one.part == "text" and not _heads(one), paragraphs[:_FRONT]))
    largest = max((one.size for one in front), default=0)
    groups = groupby(front, key=lambda one: one.size == largest if largest >= _LARGER * size else one.bold)
    chosen = [list(group) for marked, group in groups if marked]
    if not chosen or (len(chosen) > 1 and largest < _LARGER * size):
        return ""
    title = one_line(" ".join(one.text for one in chosen[0]))
    return title if looks_like_title(title) and not is_about_authors(title) else ""


def _with_title(paragraphs: list[_Paragraph], title: str) -> list[_Paragraph]:
    """Mark the paragraphs that hold the title: one with all of it, or some that make it up in a row."""
    lower = title.lower()
    if not title:
        return paragraphs
    for start in range(min(_FRONT, len(paragraphs))):
        for stop in range(start + 1, min(start + _TITLE_PARAGRAPHS, len(paragraphs)) + 1):
            if one_line(" ".join(one.text for one in paragraphs[start:stop])).lower() == lower:
                taken = [replace(one, part="title") for one in paragraphs[start:stop]]
                return [*paragraphs[:start], *taken, *paragraphs[stop:]]
    return paragraphs


def _heads(paragraph: _Paragraph) -> bool:
    return headings.of_paragraph(paragraph.text, front=True, within="front") is not None


def _paragraphs(parent: Element, form: _Format) -> Iterator[_Paragraph]:
    """Yield the paragraphs in reading order; a table's row is one, unless its cells hold headings."""
    for child in parent:
        if child.tag == "p":
            paragraph = _paragraph(child, form)
            if paragraph.text and paragraph.part != "skip":
                yield paragraph
            for box in _boxes(child):
                yield from (one for one in _paragraphs(box, form) if _is_read_in_box(one))
        elif child.tag == "tbl":
            yield from _table(child, form)
        elif child.tag not in _LEFT_OUT and not (child.tag == "sdt" and _is_made_by_word(child)):
            yield from _paragraphs(child, form)


def _boxes(element: Element) -> Iterator[Element]:
    """Yield the boxes of text that are anchored in a paragraph, each once."""
    for child in element:
        if child.tag == "txbxContent":
            yield child
        elif child.tag not in ("Fallback", "del", "moveFrom", "t"):
            yield from _boxes(child)


def _is_read_in_box(paragraph: _Paragraph) -> bool:
    """Tell whether a paragraph of a box is text, not a label of a drawing."""
    return paragraph.part != "text" or len(paragraph.text.split()) >= _BOX_WORDS


def _is_made_by_word(control: Element) -> bool:
    """Tell whether a content control holds a table of contents, or asks for text that nobody wrote."""
    gallery = control.find("sdtPr/docPartObj/docPartGallery")
    contents = gallery is not None and gallery.get("val") == _CONTENTS
    return contents or control.find("sdtPr/showingPlcHdr") is not None


def _table(table: Element, form: _Format) -> Iterator[_Paragraph]:
    """Yield rows as lines; a table that lays out the page is read paragraph by paragraph."""
    rows = [row for row in children(table, "tr") if row.find("trPr/del") is None]
    inner = [[list(_paragraphs(cell, form)) for cell in children(row, "tc")] for row in rows]
    flat = [paragraph for row in inner for cell in row for paragraph in cell]
    if any(paragraph.part != "text" or _heads(paragraph) for paragraph in flat):
        yield from flat
        return
    for row in inner:
        cells = [" ".join(paragraph.text for paragraph in cell) for cell in row]
        if any(cells):
            yield _Paragraph(" | ".join(cell for cell in cells if cell), mark="")


def _paragraph(element: Element, form: _Format) -> _Paragraph:
    """Read one paragraph; its outline level and its list override its style's."""
    form.budget.check()
    properties = element.find("pPr")
    key = value(properties, "pStyle")
    style = form.styles.of(key)
    part, level = style.part, style.level
    own = number(properties.find("outlineLvl")) if properties is not None else None
    if own is not None and part in ("text", "heading"):
        part, level = ("heading", own + 1) if own < _BODY_LEVEL else ("text", 0)
    text = one_line(_BETWEEN.sub(" ", _text(_without_fields(_pieces(element, form.styles)))))
    if part == "heading" and len(text.split()) > 2 * _TITLE_WORDS:
        part = "text"  # a whole paragraph in a heading's style
    counted = _number(properties, key, style, form.numbering) if text else None
    item = counted is not None and not counted.label.startswith("[")  # a patent numbers its paragraphs so
    runs = element.findall("r") if text and part == "text" else []
    size = max((found for run in runs if (found := number(run.find("rPr/sz")))), default=0)
    return _Paragraph(text, part, level, "- " if item else None, counted, size or style.size, _is_bold(runs))


def _number(properties: Element | None, key: str, style: Style, numbering: Numbering) -> Number | None:
    """Return the paragraph's place in its list, by its own properties or by its style's."""
    listed = properties.find("numPr") if properties is not None else None
    list_id = value(listed, "numId") or style.list_id
    if listed is None and not list_id:
        return None
    own = number(listed.find("ilvl")) if listed is not None else None
    level = own if own is not None else style.list_level
    return numbering.next(list_id, level if level is not None else numbering.level_of_style(list_id, key))


def _is_bold(runs: Sequence[Element]) -> bool:
    """Tell whether every run with text is bold by itself."""
    marks = [run.find("rPr/b") for run in runs if run.find("t") is not None]
    return bool(marks) and all(mark is not None and mark.get("val", "true") not in _OFF for mark in marks)


def _pieces(element: Element, styles: Styles, script: str = "") -> Iterator[tuple[str, str]]:
    """Yield the text of a paragraph's runs, in order, each piece with its script or its place in a field."""
    for child in element:
        if child.tag == "t":
            yield script, child.text or ""
        elif child.tag in _BLANKS:
            yield script, _BLANKS[child.tag]
        elif child.tag == "sym":
            yield script, symbol(child)
        elif child.tag == "oMath":
            yield "", f"{_EDGE}{equation(child)}{_EDGE}"
        elif child.tag in ("fldChar", "instrText"):
            yield child.get("fldCharType", "code"), child.text or ""
        elif (
            child.tag not in _LEFT_OUT
            and not (child.tag == "r" and _is_hidden(child))
            and not (child.tag == "sdt" and _is_made_by_word(child))
        ):
            apart = " " if child.tag == "oMathPara" else ""
            pieces = list(_pieces(child, styles, _script(child, styles) or script))
            if child.tag == "fldSimple" and not any(text for _, text in pieces):
                pieces = [("begin", ""), ("code", child.get("instr", "")), ("end", "")]
            yield from (("", apart), *pieces, ("", apart))


def _script(run: Element, styles: Styles) -> str:
    """Return how a run is raised or lowered, by itself, by its style or by its place above the line."""
    properties = run.find("rPr")
    if properties is None:
        return ""
    script = value(properties, "vertAlign") or styles.script(value(properties, "rStyle"))
    above = value(properties, "position")
    if not script and re.fullmatch(r"-?\d{1,3}", above) and abs(int(above)) >= _RAISED_BY:
        return "subscript" if above.startswith("-") else "superscript"
    return script


def _without_fields(pieces: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield pieces without the codes of fields; a formula or a sign without a stored result as it prints."""
    codes: list[str] = []
    for kind, text in pieces:
        if kind == "begin":
            codes.append("")
        elif kind == "code" and codes:
            codes[-1] += text
        elif kind == "separate" and codes:
            codes[-1] = ""
        elif kind == "end" and codes:
            yield "", of_field(codes.pop())
        elif kind not in ("code", "separate", "end"):
            yield kind, text


def _text(pieces: Iterable[tuple[str, str]]) -> str:
    """Return a paragraph's text, whose scripts and fractions change no number beside them."""
    marked = ""
    for script, group in groupby((one for one in pieces if one[1].strip(_EDGE)), key=lambda one: one[0]):
        text = "".join(piece for _, piece in group)
        marked += f"{_SCRIPTS[script]}{text}{_END}" if script in _SCRIPTS else text
    marked, text, done = _FRACTION.sub(_fraction, marked), "", 0
    for match in _SCRIPTED.finditer(marked):
        text += marked[done : match.start()]
        text += (raised if match[1] == _SCRIPTS["superscript"] else lowered)(text[-1:], match[2])
        done = match.end()
    return text + marked[done:]


def _fraction(match: re.Match[str]) -> str:
    before, after = match.string[: match.start()][-1:], match.string[match.end() : match.end() + 1]
    return f"{' ' * before.isdecimal()}{match[1]}/{match[2]}{' ' * after.isdecimal()}"


def _is_hidden(run: Element) -> bool:
    mark = run.find("rPr/vanish")
    return mark is not None and mark.get("val", "true") not in _OFF

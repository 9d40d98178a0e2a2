"""TEI into documents: papers as GROBID writes them, records of HAL, and editions of books.

Divisions stand flat in GROBID's files and nested in editions; either way each head begins a section. An edition gives
some words twice, as printed and as corrected: the corrected ones are read. HAL answers with a list of records
(`biblFull`) in the body of one file, and each is a document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from engine.documents import Document, Identifier, Reference, Section, Translation
from engine.documents.dates import YEAR, dates, year_in
from engine.documents.document import REFERENCES, UNTITLED
from engine.documents.identifiers import arxiv_number, arxiv_url, doi_url
from engine.reading.base import BodyPart, cut, with_notes, worded
from engine.reading.heading_names import ABSTRACT
from engine.reading.xml.tree import block, children, find_line, line

_BREAKS = frozenset({"p", "list", "item", "formula", "head", "figDesc", "lg", "l", "sp", "speaker", "stage"})
_NO_PROSE = frozenset({"table", "graphic", "note", "label", "fw", "del"})
_DIVISIONS = frozenset({"div", *(f"div{level}" for level in range(8)), "text", "group", "front", "body", "back"})
_WITHOUT_NOTES = frozenset({"figure", "listBibl", "biblStruct", "bibl", "titlePage", "byline"})
_APART = frozenset({"head", "listBibl", "titlePage", "docTitle"})
"""What a division's prose leaves out: its head makes a section, its list of works stands with the references."""
_LISTS = ("references", "bibliography")
_ONLY_LISTS = ({"listBibl"}, {"biblStruct"})
_BACK_TITLES = {"acknowledgement": "Acknowledgements", "annex": "Annex", "availability": "Availability"}
_BETTER = {"corr": "sic", "reg": "orig", "expan": "abbr"}
_DAY = re.compile(rf"(?<!\d){YEAR}(?:-\d\d){{0,2}}(?!\d)")


def read_tei(root: Element, fingerprint: str) -> Iterator[Document]:
    """Yield a file's document, or those of its records; `fingerprint` names one without DOI, arXiv or HAL number."""
    _choose(root)
    records = root.findall("text/body/listBibl/biblFull")
    for number, record in enumerate(records):
        described = _Header(record, record.find("profileDesc"), "")
        yield _document(described, None, f"{fingerprint}-{number}" if number else fingerprint)
    if not records:
        header, text = root.find("teiHeader"), root.find("text")
        file = header.find("fileDesc") if header is not None else None
        profile = header.find("profileDesc") if header is not None else None
        said = next((one.get("lang", "") for one in (text, header, root) if one is not None and one.get("lang")), "")
        yield _document(_Header(file if file is not None else Element("fileDesc"), profile, said), text, fingerprint)


def _choose(root: Element) -> None:
    """Take out the words as printed where the corrected ones stand beside them."""
    for choice in root.iter("choice"):
        worse = {_BETTER.get(one.tag) for one in choice}
        for one in [one for one in choice if one.tag in worse]:
            choice.remove(one)


@dataclass(frozen=True, slots=True)
class _Header:
    """What describes a document: of a file (`fileDesc`) or of a record (`biblFull`)."""

    file: Element
    profile: Element | None
    said: str
    """The language that the file says its text is in."""

    @property
    def source(self) -> Element | None:
        return self.file.find("sourceDesc/biblStruct")

    @property
    def language(self) -> str:
        ident = self.profile.find("langUsage/language") if self.profile is not None else None
        return (ident.get("ident", "") if ident is not None else self.said).strip().lower()


def _document(header: _Header, text: Element | None, fingerprint: str) -> Document:
    source, language = header.source, header.language
    identifier, url, identifiers = _identity(header)
    titles, abstracts = _titles(header), _abstracts(header, text)
    references = tuple(_reference(one) for listed in _lists(text) for one in listed[1])
    date = _date(header)
    document = Document(
        id=identifier or f"file:{fingerprint}",
        title=titles.get(language) or next(iter(titles.values()), ""),
        abstract=abstracts.get(language) or next(iter(abstracts.values()), ""),
        sections=(*_body(text), *_back(text)),
        references=references,
        identifiers=identifiers,
        year=year_in(date),
        dates=dates(("published", date)),
        language=language,
        translations=tuple(_translations(titles, abstracts, language)),
        categories=tuple(dict.fromkeys(_domains(header.profile))),
        keywords=tuple(dict.fromkeys(_keywords(header.profile))),
        venue=find_line(source, "monogr/title"),
        authors=tuple(dict.fromkeys(_authors(source) or _authors(header.file.find("titleStmt")))),
        url=url,
    )
    return with_notes(document, list(worded(_notes(text) if text is not None else ())))


def _notes(element: Element) -> Iterator[str]:
    """Yield a text's notes; those of a figure stand with its caption, those of a list of works with its entries."""
    for child in element:
        if child.tag == "note":
            yield line(child, apart=_BREAKS)
        elif child.tag not in _WITHOUT_NOTES:
            yield from _notes(child)


def _identity(header: _Header) -> tuple[str, str, tuple[Identifier, ...]]:
    """Return the id, the page and all numbers of a document."""
    found = (
        *header.file.iterfind("publicationStmt/idno"),
        *(header.source if header.source is not None else Element("none")).iter("idno"),
    )
    ids = {one.get("type", "").lower(): line(one) for one in found}
    doi, arxiv, hal = ids.get("doi", ""), arxiv_number(ids.get("arxiv", "")), ids.get("halid", "")
    numbers = tuple(Identifier(*one) for one in (("doi", doi), ("arxiv", arxiv), ("hal", hal)) if one[1])
    if doi:
        return f"doi:{doi}", doi_url(doi), numbers
    if arxiv:
        return f"arXiv:{arxiv}", arxiv_url(arxiv), numbers
    return (f"hal:{hal}", ids.get("haluri") or f"https://hal.science/{hal}", numbers) if hal else ("", "", ())


def _titles(header: _Header) -> dict[str, str]:
    """Return each language's title, with its subtitle; the first is the document's own where it says no language."""
    statement = header.file.find("titleStmt")
    found = list(children(statement, "title"))
    if not any(line(one) for one in found) and header.source is not None:
        found = [one for one in header.source.iter("title") if line(one)][:1]
    titles: dict[str, str] = {}
    for one in sorted(found, key=lambda one: one.get("type") in ("sub", "alt", "trans")):
        language, title = one.get("lang", "").lower(), line(one)
        if one.get("type") == "sub" and titles:
            key = language if language in titles else next(iter(titles))
            titles[key] = f"{titles[key].rstrip(':')}: {title}" if title else titles[key]
        elif title and one.get("type") not in ("sup", "short"):
            titles.setdefault(language, title)
    return titles


def _abstracts(header: _Header, text: Element | None) -> dict[str, str]:
    """Return the abstract in each language: of the header, else of the front matter."""
    found = list(children(header.profile, "abstract"))
    if not any(line(one) for one in found) and text is not None:
        found = [one for one in text.iterfind("front//div") if one.get("type") == "abstract"]
    abstracts: dict[str, str] = {}
    for one in found:
        if abstract := "\n\n".join(_abstract_paragraphs(one)):
            abstracts.setdefault(one.get("lang", "").lower(), abstract)
    return abstracts


def _translations(titles: dict[str, str], abstracts: dict[str, str], language: str) -> Iterator[Translation]:
    for other in dict.fromkeys((*titles, *abstracts)):
        if other not in ("", language) and language:
            yield Translation(other, titles.get(other, ""), abstracts.get(other, ""))


def _abstract_paragraphs(abstract: Element) -> Iterator[str]:
    """Yield the paragraphs; a head in a structured abstract goes before the first one under it, with a colon."""
    heading = ""
    if abstract.text and abstract.text.strip():
        yield " ".join(abstract.text.split())
    for child in abstract:
        if child.tag == "head":
            heading = line(child).rstrip(":.")
            heading = "" if ABSTRACT.fullmatch(heading) else heading
        elif child.tag in _DIVISIONS:
            yield from _abstract_paragraphs(child)
        elif child.tag not in _NO_PROSE and (text := block(child, breaks=_BREAKS, without=_NO_PROSE)):
            yield f"{heading}: {text}" if heading else text
            heading = ""


def _body(text: Element | None) -> Iterator[Section]:
    """Yield the sections of front matter and body; a division without a head goes on with the section before."""
    for part in children(text, "front", "body", "group"):
        yield from cut(_parts(part), UNTITLED)


def _back(text: Element | None) -> Iterator[Section]:
    """Yield the sections of the back matter, then the lists of works, wherever they stand."""
    for part in children(text, "back"):
        for child in part:
            if child.tag in _DIVISIONS and not _is_list(child):
                title = _BACK_TITLES.get(child.get("type", ""), UNTITLED)
                yield from (one for one in cut([("group", title), *_parts(child)], UNTITLED) if one.text)
    for title, entries in _lists(text):
        if printed := list(filter(None, map(_entry, entries))):
            yield Section(title or REFERENCES, "\n".join(printed), "references")


def _parts(division: Element) -> Iterator[BodyPart]:
    """Yield heads, paragraphs and captions in reading order."""
    if heads := [text for one in children(division, "head") if (text := line(one, without=_NO_PROSE))]:
        yield "heading", ": ".join(heads)
    for child in division:
        if child.tag in _DIVISIONS:
            if not _is_list(child) and child.get("type") != "abstract":
                yield from _parts(child)
        elif child.tag == "figure":
            captions = (line(one, without=_NO_PROSE) for one in children(child, "head", "figDesc", "p"))
            yield "text", " ".join(dict.fromkeys(filter(None, captions)))
            for text in worded(line(one, apart=_BREAKS) for one in children(child, "note")):
                yield "text", text
        elif child.tag not in _APART and child.tag not in _NO_PROSE:
            yield "text", block(child, breaks=_BREAKS, without=_NO_PROSE)


def _is_list(division: Element) -> bool:
    """Return whether a division is a list of works and nothing else."""
    return division.get("type") in _LISTS or ({one.tag for one in division} - {"head"} in _ONLY_LISTS)


def _lists(text: Element | None) -> Iterator[tuple[str, list[Element]]]:
    """Yield each list of works with its head: a division's, or the list's own."""
    for parent in text.iter() if text is not None else ():
        listed = [one for part in children(parent, "listBibl") for one in children(part, "biblStruct", "bibl")]
        listed += children(parent, "biblStruct") if parent.tag in _DIVISIONS else ()
        if listed:
            yield find_line(parent, "head") or find_line(parent, "listBibl/head"), listed


def _entry(entry: Element) -> str:
    """Return an entry: as printed where GROBID kept it, else its authors, titles and year."""
    if entry.tag == "bibl":
        return line(entry)
    for note in children(entry, "note"):
        if note.get("type") == "raw_reference":
            return line(note)
    titles = dict.fromkeys(text for one in entry.iter("title") if (text := line(one)))
    date = next((one.get("when", "") or line(one) for one in entry.iter("date")), "")
    parts = (", ".join(_authors(entry)), *titles, date)
    return ". ".join(part.rstrip(".") for part in parts if part)


def _reference(entry: Element) -> Reference:
    date = next((one.get("when", "") or line(one) for one in entry.iter("date")), "")
    titles = [text for one in entry.iter("title") if (text := line(one))]
    ids = [(one.get("type", "").lower(), line(one)) for one in entry.iter("idno")]
    return Reference(
        _entry(entry),
        title=next(iter(titles), ""),
        authors=tuple(_authors(entry)),
        year=year_in(date),
        venue=find_line(entry, "monogr/title") if entry.find("analytic") is not None else "",
        identifiers=tuple(Identifier(scheme, value) for scheme, value in ids if scheme and value),
    )


def _authors(source: Element | None) -> list[str]:
    """Return names in their usual order; an author without a name, only a place, is left out."""
    found = (_name(author) for author in (source.iter("author") if source is not None else ()))
    return [name for name in found if name]


def _name(author: Element) -> str:
    person = author.find("persName")
    if person is None:
        named = author.find("name")
        return line(named) if named is not None else "" if len(author) else line(author)
    parts = (line(one) for key in ("forename", "surname") for one in person.iter(key))
    return " ".join(filter(None, parts)) or line(person)


def _keywords(profile: Element | None) -> Iterator[str]:
    for group in profile.iterfind("textClass/keywords") if profile is not None else ():
        terms = [text for term in group.iter("term") if (text := line(term))]
        yield from terms or [word.strip() for word in line(group).split(",") if word.strip()]


def _domains(profile: Element | None) -> Iterator[str]:
    """Yield HAL's subjects."""
    for code in profile.iterfind("textClass/classCode") if profile is not None else ():
        if code.get("scheme") == "halDomain" and (text := line(code)):
            yield text


def _date(header: _Header) -> str:
    """Return the day of publication: of the source, which an edition was made from, else of the file."""
    places = ("sourceDesc/biblStruct/monogr/imprint/date", "sourceDesc//date", "publicationStmt/date")
    found = (one for place in places for one in header.file.iterfind(place))
    written = (one.get("when") or line(one) for one in found)
    return next((match[0] for one in written if (match := _DAY.search(one)) is not None), "")

"""TEI as GROBID writes it into documents: flat `div` elements with a `head`, and a bibliography."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from engine.documents import Document, Section
from engine.readers.base import REFERENCES, UNTITLED
from engine.readers.patent_fields import year
from engine.readers.references.documents import arxiv_number
from engine.readers.xml.tree import block, children, find_line, line

_BREAKS = frozenset({"p", "list", "item", "formula", "head", "figDesc", "lb"})
_NO_PROSE = frozenset({"table", "graphic", "note", "label"})
_BACK_TITLES = {"acknowledgement": "Acknowledgements", "annex": "Annex", "availability": "Availability"}


def read_tei(root: Element, fingerprint: str) -> Iterator[Document]:
    """One document; `fingerprint` names it where it carries no DOI or arXiv number."""
    header = root.find("teiHeader")
    source = header.find("fileDesc/sourceDesc/biblStruct") if header is not None else None
    identifier, url = _identity(source)
    yield Document(
        id=identifier or f"file:{fingerprint}",
        title=_title(header),
        abstract=_abstract(header),
        sections=(*_body(root.find("text/body")), *_back(root.find("text/back"))),
        year=_year(header, source),
        keywords=_keywords(header),
        venue=find_line(source, "monogr/title"),
        authors=tuple(_authors(source)),
        url=url,
    )


def _identity(source: Element | None) -> tuple[str, str]:
    ids = {one.get("type", "").lower(): line(one) for one in source.iter("idno")} if source is not None else {}
    if doi := ids.get("doi", ""):
        return f"doi:{doi}", f"https://doi.org/{doi}"
    if arxiv := arxiv_number(ids.get("arxiv", "")):
        return f"arXiv:{arxiv}", f"https://arxiv.org/abs/{arxiv}"
    return "", ""


def _title(header: Element | None) -> str:
    return find_line(header, "fileDesc/titleStmt/title") or find_line(header, ".//analytic/title")


def _abstract(header: Element | None) -> str:
    abstract = header.find("profileDesc/abstract") if header is not None else None
    return "\n\n".join(_paragraphs(abstract)) if abstract is not None else ""


def _paragraphs(element: Element) -> Iterator[str]:
    """The texts of a `div`, its head and its inner divisions left out; a bare text counts as a paragraph."""
    if element.text and element.text.strip():
        yield " ".join(element.text.split())
    for child in element:
        if child.tag == "div":
            yield from _paragraphs(child)
        elif child.tag != "head" and (text := block(child, breaks=_BREAKS, without=_NO_PROSE)):
            yield text


def _body(body: Element | None) -> Iterator[Section]:
    """Each `div` with its head; GROBID cuts a long section into several, and only the first has a head."""
    title, texts = "", list[str]()
    for child in body if body is not None else ():
        if child.tag == "div":
            head = child.find("head")
            if head is not None:
                if title or texts:
                    yield Section(title or UNTITLED, "\n\n".join(texts))
                title, texts = line(head), []
            texts.extend(_paragraphs(child))
        elif child.tag == "figure":
            texts.extend(_caption(child))
        elif child.tag == "p":
            texts.extend(text for text in (block(child, breaks=_BREAKS, without=_NO_PROSE),) if text)
    if title or texts:
        yield Section(title or UNTITLED, "\n\n".join(texts))


def _caption(figure: Element) -> Iterator[str]:
    parts = (find_line(figure, "head"), find_line(figure, "figDesc"))
    if caption := " ".join(dict.fromkeys(part for part in parts if part)):
        yield caption


def _back(back: Element | None) -> Iterator[Section]:
    for division in children(back, "div"):
        entries = [text for one in division.iter("biblStruct") if (text := _reference(one))]
        if division.get("type") == "references" or entries:
            if entries:
                yield Section(find_line(division, "head") or REFERENCES, "\n".join(entries), "references")
            continue
        texts = list(_paragraphs(division))
        if texts:
            head = next((line(one) for one in division.iter("head")), "")
            yield Section(head or _BACK_TITLES.get(division.get("type", ""), UNTITLED), "\n\n".join(texts))


def _reference(entry: Element) -> str:
    """One entry: as printed where GROBID kept it, else its authors, titles and year."""
    for note in children(entry, "note"):
        if note.get("type") == "raw_reference":
            return line(note)
    titles = dict.fromkeys(text for one in entry.iter("title") if (text := line(one)))
    date = next((one.get("when", "") or line(one) for one in entry.iter("date")), "")
    parts = (", ".join(_authors(entry)), *titles, date)
    return ". ".join(part.rstrip(".") for part in parts if part)


def _authors(source: Element | None) -> Iterator[str]:
    for author in source.iter("author") if source is not None else ():
        name = author.find("persName")
        if name is not None:
            yield " ".join(part for key in ("forename", "surname") for one in name.iter(key) if (part := line(one)))


def _keywords(header: Element | None) -> tuple[str, ...]:
    group = header.find("profileDesc/textClass/keywords") if header is not None else None
    if group is None:
        return ()
    terms = [text for term in group.iter("term") if (text := line(term))]
    return tuple(dict.fromkeys(terms or [word.strip() for word in line(group).split(",") if word.strip()]))


def _year(header: Element | None, source: Element | None) -> int | None:
    places = (
        source.find("monogr/imprint/date") if source is not None else None,
        header.find("fileDesc/publicationStmt/date") if header is not None else None,
    )
    dates = (date.get("when") or line(date) for date in places if date is not None)
    return next((found for date in dates if (found := year(date)) is not None), None)

"""JATS and NLM journal articles into documents.

Every `sec` is a section of its own, in reading order: a heading over subsections stands with the
text directly under it, which may be empty. From the back matter come appendices,
acknowledgements and notes, then the footnotes, and last the reference list. A figure's or table's caption is read
with its section; the cells of tables are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from xml.etree.ElementTree import Element

from engine.documents import Document, Identifier, Reference, Section, Translation
from engine.documents.dates import dates, year_in
from engine.documents.document import REFERENCES, UNTITLED
from engine.documents.identifiers import doi_url, pmc_number, pmc_url, pubmed_url
from engine.reading.base import with_notes, worded
from engine.reading.heading_names import ABSTRACT
from engine.reading.xml.tree import block, children, find_line, line

_FLOATS = frozenset({"fig", "fig-group", "table-wrap", "table-wrap-group"})
_MARKS = frozenset({"xref", "fn"})
_MARK = "mark"
"""Not a tag of JATS: what a pointer in a heading becomes where it is only a mark."""
_NAMED = frozenset({"table", "fig", "sec", "disp-formula", "app", "boxed-text", "supplementary-material"})
"""What a pointer in a heading names in words, as "Table 1"; other pointers are marks of notes and works."""
_NOT_NAMES = frozenset({"contrib-group", "address", "aff", "email", *_MARKS})
_BREAKS = frozenset({"p", "list", "list-item", "disp-formula", "disp-quote", "verse-line", "boxed-text"})
_NO_PROSE = frozenset({"table", "graphic", "media", "object-id", "fn", "supplementary-material", *_FLOATS})
_NOT_IN_NOTES = frozenset({"label"})
_WITHOUT_NOTES = frozenset({"front", "table-wrap", "sub-article", "response", "ref-list"})
_ANNEXED = ("fig", "table-wrap", "supplementary-material")
_DOWNLOAD = re.compile(r"(?:click here|additional data file|\(?(?:doc|pdf|zip|xls|tif))", re.IGNORECASE)
_SECTIONS = ("sec", "app-group", "app", "ack", "notes", "glossary", "bio")
_CAPTION = frozenset({"title", "p"})
_BREAK = frozenset({"break"})
_NO_TEXT = ("title", "label", "ref-list", "sec-meta", "fn-group", *_SECTIONS)
_OTHER_ABSTRACTS = frozenset({"graphical", "teaser", "toc", "key-points", "plain-language-summary", "web-summary"})
_PERSON = ("name", "string-name")
_CITED_TITLES = ("article-title", "chapter-title")
_DATES = ("epub", "ppub", "pub", "collection", "epub-ppub")
"""Publication dates, the best first: the electronic one, print, any other."""
_IDS = {"doi": "doi", "pmcid": "pmc", "pmc": "pmc", "pmid": "pmid", "arxiv": "arxiv"}


def read_article(article: Element, fingerprint: str) -> Document:
    """Read one article; `fingerprint` names it where it carries no identifier of its own."""
    meta = article.find("front/article-meta")
    ids = {one.get("pub-id-type", ""): line(one) for one in children(meta, "article-id")}
    identifier, url = _identity(ids)
    language = article.get("lang", "").lower()
    published = _date(meta)
    keywords = (keyword for group in children(meta, "kwd-group") for keyword in group.iter("kwd"))
    document = Document(
        id=identifier or f"file:{fingerprint}",
        title=_title(meta),
        abstract=_abstract(meta, language),
        sections=(*_body(article), *_floating(article), *_back(article.find("back"))),
        references=tuple(_references(article.find("back"))),
        identifiers=_identifiers(ids),
        year=year_in(published),
        dates=dates(("published", published)),
        language=language,
        translations=tuple(_translations(article, meta, language)),
        categories=_subjects(meta),
        keywords=tuple(dict.fromkeys(filter(None, map(line, keywords)))),
        venue=find_line(article.find("front"), "journal-meta//journal-title"),
        authors=tuple(_authors(meta)),
        url=url,
    )
    return with_notes(document, list(worded(text for part in (*_abstracts(meta), article) for text in _notes(part))))


def _notes(element: Element) -> Iterator[str]:
    """Yield the footnotes of a text, without those about its authors; those of a table stand with its caption."""
    for child in element:
        if child.tag == "fn":
            yield line(child, apart=_BREAKS, without=_NOT_IN_NOTES)
        elif child.tag not in _WITHOUT_NOTES:
            yield from _notes(child)


def _identity(ids: dict[str, str]) -> tuple[str, str]:
    """Return the id and the page of an article: PubMed Central's number, else its DOI, else PubMed's number."""
    pmc, doi, pmid = pmc_number(ids.get("pmcid") or ids.get("pmc", "")), ids.get("doi", ""), ids.get("pmid", "")
    name = pmc or (f"doi:{doi}" if doi else f"pmid:{pmid}" if pmid else "")
    return name, doi_url(doi) or pmc_url(pmc) or pubmed_url(pmid)


def _title(meta: Element | None) -> str:
    group = meta.find("title-group") if meta is not None else None
    title, subtitle = (_plain(group, name) for name in ("article-title", "subtitle"))
    return f"{title.rstrip(':')}: {subtitle}" if subtitle else title


def _plain(group: Element | None, name: str) -> str:
    found = group.find(name) if group is not None else None
    return line(found, apart=_BREAK, without=_MARKS)


def _abstracts(meta: Element | None) -> list[Element]:
    """Return the abstracts proper; highlights, which may stand before, come after."""
    found = [one for one in children(meta, "abstract") if one.get("abstract-type") not in _OTHER_ABSTRACTS]
    return sorted(found, key=lambda one: one.get("abstract-type") is not None)


def _abstract(meta: Element | None, language: str) -> str:
    """Return the abstract in the article's language."""
    found = sorted(_abstracts(meta), key=lambda one: one.get("lang", language).lower() != language)
    return "\n\n".join(_abstract_paragraphs(found[0])) if found else ""


def _translations(article: Element, meta: Element | None, language: str) -> Iterator[Translation]:
    """Yield titles and abstracts in other languages: beside the article's own, or in a translating sub-article."""
    titles: dict[str, str] = {}
    abstracts: dict[str, str] = {}
    group = meta.find("title-group") if meta is not None else None
    for one in (*children(group, "trans-title-group"), *children(group, "trans-title")):
        title, subtitle = (_plain(one, name) for name in ("trans-title", "trans-subtitle"))
        title = title or line(one, apart=_BREAK, without=_MARKS)
        titles.setdefault(one.get("lang", "").lower(), f"{title.rstrip(':')}: {subtitle}" if subtitle else title)
    for one in (*children(meta, "trans-abstract"), *_abstracts(meta)):
        if one.get("abstract-type") not in _OTHER_ABSTRACTS:
            abstracts.setdefault(one.get("lang", "").lower(), "\n\n".join(_abstract_paragraphs(one)))
    for one in children(article, "sub-article"):
        stub = one.find("front-stub") if one.get("article-type") == "translation" else None
        if stub is not None:
            other = one.get("lang", "").lower()
            titles.setdefault(other, _title(stub))
            abstracts.setdefault(other, _abstract(stub, other))
    for other in dict.fromkeys((*titles, *abstracts)):
        title, abstract = titles.get(other, ""), abstracts.get(other, "")
        if other not in ("", language) and (title or abstract):
            yield Translation(other, title, abstract)


def _abstract_paragraphs(abstract: Element) -> Iterator[str]:
    """Yield the paragraphs; a heading of a structured abstract goes before the first one under it, with a colon."""
    heading = ""
    for child in abstract:
        if child.tag == "sec":
            yield from _abstract_paragraphs(child)
        elif child.tag == "title":
            heading = line(child).rstrip(":.")
            heading = "" if ABSTRACT.match(heading) else heading
        elif child.tag != "label":
            for text in _texts(child):
                yield f"{heading}: {text}" if heading else text
                heading = ""


def _body(article: Element) -> Iterator[Section]:
    body = article.find("body")
    if body is not None:
        yield from _section(body, UNTITLED, always=False)


def _floating(article: Element) -> Iterator[Section]:
    """Yield the captions of figures and tables that stand apart from the text, as in authors' manuscripts."""
    floats = article.find("floats-group")
    texts = [text for child in floats if (text := "\n\n".join(_texts(child)))] if floats is not None else []
    if texts:
        yield Section("Figures and tables", "\n\n".join(texts))


def _section(element: Element, title: str, *, always: bool = True) -> Iterator[Section]:
    """Yield a section with the text directly under it, then its subsections.

    A heading with nothing under it makes no section; without `always`, neither does one whose text is empty.
    """
    texts = [text for child in element if child.tag not in _NO_TEXT for text in _texts(child)]
    inner = [section for child in children(element, *_SECTIONS) for section in _titled(child)]
    if texts or (always and inner):
        yield Section(title, "\n\n".join(texts))
    yield from inner


def _titled(section: Element) -> Iterator[Section]:
    own = _heading(section)
    return _section(section, own or UNTITLED, always=bool(own))


def _heading(section: Element) -> str:
    """Return a section's title without its number and marks of notes and works; the number where it has no title."""
    found = section.find("title")
    for pointer in found.iter("xref") if found is not None else ():
        if pointer.get("ref-type") not in _NAMED:
            pointer.tag = _MARK
    title = line(found, apart=_BREAK, without=(_MARKS - {"xref"}) | {_MARK})
    return title or ("Acknowledgements" if section.tag == "ack" else find_line(section, "label"))


def _back(back: Element | None) -> Iterator[Section]:
    if back is None:
        return
    yield from _section(back, UNTITLED, always=False)
    for found in back.iter("ref-list"):
        references = [text for reference in children(found, "ref") if (text := _reference(reference))]
        if references:
            yield Section(find_line(found, "title") or REFERENCES, "\n".join(references), "references")


def _texts(element: Element) -> Iterator[str]:
    """Yield a paragraph, list or formula, then the captions of the figures and tables that stand in it."""
    if element.tag == "def-list":
        items = ((line(item.find("term")), line(item.find("def"))) for item in element.iter("def-item"))
        yield "\n".join(f"{term}: {meaning}" for term, meaning in items)
        return
    if element.tag not in _NO_PROSE and (text := block(element, breaks=_BREAKS, without=_NO_PROSE)):
        yield text
    for found in element.iter():
        if found.tag in _ANNEXED:
            label, caption = find_line(found, "label"), line(found.find("caption"), apart=_CAPTION)
            if found.tag == "supplementary-material" and (not caption or _DOWNLOAD.match(caption)):
                continue
            if text := f"{label} {caption}".strip():
                yield text
            for foot in children(found, "table-wrap-foot"):
                yield from worded(line(one, apart=_BREAKS) for one in foot)


def _reference(reference: Element) -> str:
    """Return an entry: as printed where the file says so, else its authors, title, source and year."""
    mixed = next(reference.iter("mixed-citation"), None)
    if mixed is not None:
        return line(mixed)
    cited = _citation(reference)
    if cited is None:
        return line(reference)
    parts = (
        ", ".join(_cited_authors(cited)),
        *(find_line(cited, part) for part in (*_CITED_TITLES, "source", "year")),
    )
    return ". ".join(part.rstrip(".") for part in parts if part)


def _references(back: Element | None) -> Iterator[Reference]:
    """Yield the entries of the reference lists, as far as their parts are marked."""
    for reference in back.iter("ref") if back is not None else ():
        cited = _citation(reference)
        if cited is None:
            continue
        ids = ((_IDS.get(one.get("pub-id-type", "")), line(one)) for one in cited.iter("pub-id"))
        yield Reference(
            _reference(reference),
            title=next((text for part in _CITED_TITLES if (text := find_line(cited, part))), ""),
            authors=tuple(_cited_authors(cited)),
            year=year_in(find_line(cited, "year")),
            venue=find_line(cited, "source"),
            identifiers=tuple(Identifier(scheme, value) for scheme, value in ids if scheme and value),
        )


def _citation(reference: Element) -> Element | None:
    return next((one for one in reference.iter() if one.tag.endswith("citation")), None)


def _cited_authors(cited: Element) -> Iterator[str]:
    return (_person(name) for name in cited.iter() if name.tag in _PERSON)


def _person(name: Element) -> str:
    """Return a name in its usual order; as it is printed where its parts are not told apart."""
    return " ".join(part for key in ("given-names", "surname") if (part := find_line(name, key))) or line(name)


def _authors(meta: Element | None) -> Iterator[str]:
    for contributor in (one for group in children(meta, "contrib-group") for one in children(group, "contrib")):
        if contributor.get("contrib-type", "author") == "author" and (name := _name(contributor)):
            yield name


def _name(contributor: Element) -> str:
    """Return the name of a person, or of a collaboration without its members."""
    for child in contributor:
        if child.tag in ("name-alternatives", "collab-alternatives"):
            name = _name(child)
        elif child.tag in _PERSON:
            name = _person(child)
        else:
            name = line(child, without=_NOT_NAMES) if child.tag == "collab" else ""
        if name:
            return name
    return ""


def _subjects(meta: Element | None) -> tuple[str, ...]:
    found = meta.iterfind("article-categories//subject") if meta is not None else iter(())
    return tuple(dict.fromkeys(subject for one in found if (subject := line(one))))


def _date(meta: Element | None) -> str:
    """Return the day of publication as exactly as it is given: "2020-11-03"; empty without a year."""
    found = [one for one in children(meta, "pub-date") if year_in(find_line(one, "year")) is not None]
    order = {kind: place for place, kind in enumerate(_DATES)}
    found.sort(key=lambda date: order.get(date.get("pub-type") or date.get("date-type") or "", len(order)))
    if not found:
        return ""
    parts = (find_line(found[0], part) for part in ("year", "month", "day"))
    return "-".join(f"{part:0>2}" for part in takewhile(str.isdecimal, parts))


def _identifiers(ids: dict[str, str]) -> tuple[Identifier, ...]:
    found = ((_IDS.get(kind), value) for kind, value in ids.items())
    return tuple(dict.fromkeys(Identifier(scheme, value) for scheme, value in found if scheme and value))

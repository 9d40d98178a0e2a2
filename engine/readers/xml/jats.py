"""JATS and NLM journal articles into documents.

Every `sec` is a section of its own, in reading order: a heading over subsections stands with the
text directly under it, which may be empty. From the back matter come appendices,
acknowledgements and notes, and last the reference list. A figure's or table's caption is read
with its section; the cells of tables are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from engine.documents import Document, Section
from engine.readers.base import REFERENCES, UNTITLED
from engine.readers.heading_names import ABSTRACT
from engine.readers.patent_fields import year
from engine.readers.xml.tree import block, children, line

_FLOATS = frozenset({"fig", "fig-group", "table-wrap", "table-wrap-group"})
_SOURCE = frozenset({"tex-math"})
"""A formula's TeX, with a preamble each; beside it stands the formula as text."""
_MARKS = frozenset({"xref", "fn", *_SOURCE})
_NAMED = frozenset({"table", "fig", "sec", "disp-formula", "app", "boxed-text", "supplementary-material"})
"""What a pointer in a heading names in words, as "Table 1"; other pointers are marks of notes and works."""
_NOT_NAMES = frozenset({"contrib-group", "address", "aff", "email", *_MARKS})
_BREAKS = frozenset({"p", "list", "list-item", "disp-formula", "disp-quote", "verse-line", "boxed-text"})
_NO_PROSE = frozenset({"table", "graphic", "media", "object-id", "fn", "supplementary-material", *_SOURCE, *_FLOATS})
_SECTIONS = ("sec", "app-group", "app", "ack", "notes", "glossary", "bio")
_CAPTION = frozenset({"title", "p"})
_BREAK = frozenset({"break"})
_NO_TEXT = ("title", "label", "ref-list", "sec-meta", "fn-group", *_SECTIONS)
_OTHER_ABSTRACTS = frozenset({"graphical", "teaser", "toc", "key-points", "plain-language-summary", "web-summary"})
_PERSON = ("name", "string-name")
_YEARS = ("epub", "ppub", "pub", "collection", "epub-ppub")


def read_article(article: Element, fingerprint: str) -> Document:
    """One article; `fingerprint` names it where it carries no identifier of its own."""
    meta = article.find("front/article-meta")
    ids = {one.get("pub-id-type", ""): line(one) for one in children(meta, "article-id")}
    identifier, url = _identity(ids)
    return Document(
        id=identifier or f"file:{fingerprint}",
        title=_title(meta),
        abstract=_abstract(meta),
        sections=(*_body(article), *_floating(article), *_back(article.find("back"))),
        year=_year(meta),
        categories=_subjects(meta),
        keywords=tuple(dict.fromkeys(word for group in children(meta, "kwd-group") for word in _keywords(group))),
        venue=_find_line(article.find("front"), "journal-meta//journal-title"),
        authors=tuple(_authors(meta)),
        url=url,
    )


def _identity(ids: dict[str, str]) -> tuple[str, str]:
    """The id and the page of an article: PubMed Central's number, else its DOI, else PubMed's number."""
    pmc, doi, pmid = ids.get("pmcid") or ids.get("pmc", ""), ids.get("doi", ""), ids.get("pmid", "")
    if pmc:
        number = f"PMC{pmc.upper().removeprefix('PMC').partition('.')[0]}"
        return number, f"https://doi.org/{doi}" if doi else f"https://pmc.ncbi.nlm.nih.gov/articles/{number}/"
    if doi:
        return f"doi:{doi}", f"https://doi.org/{doi}"
    return (f"pmid:{pmid}", f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/") if pmid else ("", "")


def _title(meta: Element | None) -> str:
    group = meta.find("title-group") if meta is not None else None
    title, subtitle = (_plain(group, name) for name in ("article-title", "subtitle"))
    return f"{title.rstrip(':')}: {subtitle}" if subtitle else title


def _plain(group: Element | None, name: str) -> str:
    found = group.find(name) if group is not None else None
    return line(found, apart=_BREAK, without=_MARKS)


def _abstract(meta: Element | None) -> str:
    abstracts = [one for one in children(meta, "abstract") if one.get("abstract-type") not in _OTHER_ABSTRACTS]
    abstracts.sort(key=lambda one: one.get("abstract-type") is not None)  # highlights may stand before the abstract
    return "\n\n".join(_abstract_paragraphs(abstracts[0])) if abstracts else ""


def _abstract_paragraphs(abstract: Element) -> Iterator[str]:
    """Paragraphs; the heading of a structured abstract goes before the first one under it, with a colon."""
    heading = ""
    for child in abstract:
        if child.tag == "sec":
            yield from _abstract_paragraphs(child)
        elif child.tag == "title":
            heading = _line(child).rstrip(":.")
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
    """The captions of figures and tables that stand apart from the text, as in authors' manuscripts."""
    floats = article.find("floats-group")
    texts = [text for child in floats if (text := "\n\n".join(_texts(child)))] if floats is not None else []
    if texts:
        yield Section("Figures and tables", "\n\n".join(texts))


def _section(element: Element, title: str, *, always: bool = True) -> Iterator[Section]:
    """A section with the text directly under it, then its subsections.

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
    """A section's title without its number and notes; the number where it has no title."""
    found = section.find("title")
    pointers = set() if found is None else {one.get("ref-type") for one in found.iter("xref")}
    title = line(found, apart=_BREAK, without=_MARKS - {"xref"} if pointers <= _NAMED else _MARKS)
    return title or ("Acknowledgements" if section.tag == "ack" else _find_line(section, "label"))


def _back(back: Element | None) -> Iterator[Section]:
    if back is None:
        return
    yield from _section(back, UNTITLED, always=False)
    for found in back.iter("ref-list"):
        references = [text for reference in children(found, "ref") if (text := _reference(reference))]
        if references:
            yield Section(_find_line(found, "title") or REFERENCES, "\n".join(references), "references")


def _texts(element: Element) -> Iterator[str]:
    """A paragraph, list or formula, then the captions of the figures and tables that stand in it."""
    if element.tag == "def-list":
        items = ((_line(item.find("term")), _line(item.find("def"))) for item in element.iter("def-item"))
        yield "\n".join(f"{term}: {meaning}" for term, meaning in items)
        return
    if element.tag not in _NO_PROSE and (text := block(element, breaks=_BREAKS, without=_NO_PROSE)):
        yield text
    for found in element.iter():
        if found.tag in ("fig", "table-wrap"):
            label, caption = _find_line(found, "label"), found.find("caption")
            if text := f"{label} {line(caption, apart=_CAPTION, without=_SOURCE)}".strip():
                yield text


def _reference(reference: Element) -> str:
    """One entry: as printed where the file says so, else its authors, title, source and year."""
    mixed = next(reference.iter("mixed-citation"), None)
    if mixed is not None:
        return _line(mixed)
    cited = next((one for one in reference if one.tag.endswith("citation")), None)
    if cited is None:
        return _line(reference)
    names = ", ".join(_person(name) for name in cited.iter() if name.tag in _PERSON)
    parts = (names, *(_find_line(cited, part) for part in ("article-title", "chapter-title", "source", "year")))
    return ". ".join(part.rstrip(".") for part in parts if part)


def _line(element: Element | None) -> str:
    return line(element, without=_SOURCE)


def _find_line(element: Element | None, path: str) -> str:
    return _line(element.find(path) if element is not None else None)


def _person(name: Element) -> str:
    """A name in its usual order; as it is printed where its parts are not told apart."""
    return " ".join(part for key in ("given-names", "surname") if (part := _find_line(name, key))) or _line(name)


def _authors(meta: Element | None) -> Iterator[str]:
    for contributor in (one for group in children(meta, "contrib-group") for one in children(group, "contrib")):
        if contributor.get("contrib-type", "author") == "author" and (name := _name(contributor)):
            yield name


def _name(contributor: Element) -> str:
    """The name of a person, or of a collaboration without its members."""
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


def _keywords(group: Element) -> Iterator[str]:
    yield from (word for keyword in group.iter("kwd") if (word := _line(keyword)))


def _subjects(meta: Element | None) -> tuple[str, ...]:
    found = meta.iterfind("article-categories//subject") if meta is not None else iter(())
    return tuple(dict.fromkeys(subject for one in found if (subject := _line(one))))


def _year(meta: Element | None) -> int | None:
    """The year of publication: the electronic date first, else print, else any."""
    dates = list(children(meta, "pub-date"))
    order = {kind: place for place, kind in enumerate(_YEARS)}
    dates.sort(key=lambda date: order.get(date.get("pub-type") or date.get("date-type") or "", len(order)))
    return next((found for date in dates if (found := year(_find_line(date, "year"))) is not None), None)

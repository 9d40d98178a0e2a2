"""What one entry of a reference file says of a work, into a document; entries without title and abstract are counted.

Titles and abstracts may carry HTML, JATS or MathML, also as services give them; they become plain text.

bibtexparser 2.1 (MIT) does not serve for BibTeX: it holds the whole file, and wants pylatexenc for accents, which deep
braces end with a RecursionError. Why rispy and nbib do not serve stands in `tagged`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from engine.core.errors import InputError, InputTooLargeError
from engine.documents import Document
from engine.documents.dates import RECENT_YEAR, SHORT_MONTH, year_in
from engine.documents.identifiers import (
    ARXIV_PAGE,
    DOI,
    DOI_PAGE,
    arxiv_number,
    arxiv_url,
    doi_number,
    doi_url,
    numbers_beside,
    patent_number,
    pubmed_identifiers,
)
from engine.documents.patents import patent_url
from engine.documents.text import how_many, lowered, one_line, raised, tidy, without_tags
from engine.documents.works import UNPRINTED, Printed
from engine.reading.base import Omissions, identified
from engine.reading.limits import LIMITS, Limits
from engine.reading.mathml import delimited, settle, with_fractions
from engine.reading.xml.tree import parse


class _HasPlace(Protocol):
    """What says where it stands in its file."""

    @property
    def place(self) -> str: ...


_Entry = TypeVar("_Entry", bound=_HasPlace)

_ARXIV_PAGE = re.compile(ARXIV_PAGE, re.IGNORECASE)
_DOI_PAGE = re.compile(rf"{DOI_PAGE}{DOI}", re.IGNORECASE)
_PMID, _NAMED = "pmid:", 3
_OWN = re.compile(r"(?:arXiv:|doi:|pmid:|OpenAlex:|PMC|text:|file:)\S+")


@dataclass(slots=True)
class EntryFields:
    """The fields of one entry, as text; `place` names it in errors.

    `printed` is its place in its journal.
    `identifiers` are whatever may hold an id: a DOI, an arXiv or patent number, or an id of ours.
    """

    place: str
    patent: bool = False
    title: str = ""
    abstract: str = ""
    authors: list[str] = field(default_factory=list)
    date: str = ""
    venue: str = ""
    keywords: list[str] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    doi: str = ""
    arxiv: str = ""
    identifiers: list[str] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)
    printed: Printed = UNPRINTED


def documents(
    entries: Iterable[_Entry],
    to_reference: Callable[[_Entry], EntryFields],
    omissions: Omissions,
    name: str,
    limits: Limits = LIMITS,
) -> Iterator[Document]:
    """Yield the documents of entries that have a title or an abstract; those without are counted, the first ones named.

    An entry that cannot be read is left out, and `omissions` say why; where none can be read the first error is raised.
    """

    def read(entry: _Entry) -> Iterator[Document]:
        yield to_document(to_reference(entry), limits)

    left_out: list[str] = []
    for entry in entries:
        for document in omissions.documents(read(entry), entry.place):
            if document.title or document.abstract:
                yield document
            else:
                left_out.append(entry.place.removesuffix(f" of {name}"))
    if left_out:
        named, more = ", ".join(left_out[:_NAMED]), len(left_out) - _NAMED
        rest, were = f" and {more:,} more" if more > 0 else "", "was" if len(left_out) == 1 else "were"
        count = f"{how_many(len(left_out), 'entry')} of {name} without title and abstract"
        omissions.tell(f"{count} {were} left out: {named}{rest}.")
    omissions.finish()


def to_document(reference: EntryFields, limits: Limits = LIMITS) -> Document:
    """Return the document of an entry; without an id its content names it."""
    title, abstract = one_line(title_without_tags(reference.title)), tidy(abstract_without_tags(reference.abstract))
    authors = _strings(reference.authors, "authors", reference.place, limits)
    doi, arxiv, own = _doi(reference), _arxiv(reference), _own_id(reference)
    venue, cited = one_line(title_without_tags(reference.venue)), None
    if not reference.patent:
        venue, cited = cited_source(venue)
    identifier = f"doi:{doi}" if doi else f"arXiv:{arxiv}" if arxiv else own
    document = Document(
        id=identifier,
        kind="patent" if reference.patent else "paper",
        title=title,
        abstract=abstract,
        identifiers=(
            *numbers_beside(identifier, doi, arxiv),
            *pubmed_identifiers(next((one for one in reference.identifiers if one.startswith(_PMID)), "")),
        ),
        year=year_in(reference.date) or cited,
        categories=_strings(reference.categories, "categories", reference.place, limits),
        keywords=_strings(reference.keywords, "keywords", reference.place, limits),
        venue=venue,
        authors=authors,
        url=_url(reference, doi, arxiv, own),
    )
    return identified(document, reference.date, reference.printed)


_VOLUME = re.compile(
    r"\b\d{1,4} ?\([^()]{1,20}\)|\d{1,4}(?:\([^()]{1,20}\))?: ?\(?[A-Za-z]{0,2}\d|\b(?:vol|iss|pp?)\b\.? ?\d|"
    r"\bpp?\d|\d-\d",
    re.IGNORECASE,
)
_BEHIND_VENUE = re.compile(
    rf"[ .,;:(]{{1,4}}(?:pp? ?)?(?:(?:{SHORT_MONTH}[a-z]{{0,6}}|spring|summer|autumn|fall|winter)[ ./-]{{0,2}}){{0,2}}"
    rf"(?:\d{{1,2}},? )?"
    rf"{RECENT_YEAR}(?!\d)|[ .,;:]{{1,4}}(?:vol(?:ume|\.)? ?)?\d{{1,4}} ?[(:,;]|\.:\d",
    re.IGNORECASE,
)
_LAST_YEAR = re.compile(rf"(?<=\w)[.,;] ({RECENT_YEAR})\.?$")
_YEAR_OF_SOURCE = re.compile(rf"(?<![\d:-])(?<!pp )(?<!\dp){RECENT_YEAR}(?![\d-])")


def cited_source(text: str) -> tuple[str, int | None]:
    """Return the journal and the year in "Lids (2021) 12:3 (1-9)" or "Lids, 2021", as databases cite; else the text."""
    year = _YEAR_OF_SOURCE.search(text)
    behind = _BEHIND_VENUE.search(text, 1)
    if year is None or behind is None or not _VOLUME.search(text, behind.start()):
        last = _LAST_YEAR.search(text)
        return (text, None) if last is None else (text[: last.start()], int(last[1]))
    return text[: behind.start()].strip(), int(year[0])


def _doi(reference: EntryFields) -> str:
    urls = (url.strip() for url in reference.urls)
    linked = next((url for url in urls if _DOI_PAGE.match(url)), "")
    return doi_number(reference.doi) or doi_number(linked)


def _arxiv(reference: EntryFields) -> str:
    """Return the number of its preprint, where a field or a link to arXiv names it."""
    linked = (url for one in reference.urls if _ARXIV_PAGE.match(url := one.strip()))
    return arxiv_number(reference.arxiv) or next(filter(None, map(arxiv_number, linked)), "")


def _own_id(reference: EntryFields) -> str:
    """Return a patent's number, or an id as our own exports write it."""
    if reference.patent:
        return next(filter(None, map(patent_number, reference.identifiers)), "")
    compact = ("".join(one.split()) for one in reference.identifiers)
    return next((one for one in compact if _OWN.fullmatch(one)), "")


def _url(reference: EntryFields, doi: str, arxiv: str, own: str) -> str:
    """Return the first link to the web; else the page of the DOI, of arXiv, or of the patent."""
    for url in (one_line(url) for url in reference.urls):
        if url.lower().startswith(("http://", "https://")):
            return url
    return doi_url(doi) or arxiv_url(arxiv) or (patent_url(own) if reference.patent else "")


def _strings(values: list[str], what: str, place: str, limits: Limits) -> tuple[str, ...]:
    if len(values) > limits.max_list_items:
        raise InputTooLargeError(
            f"Expected at most {limits.max_list_items:,} {what} in {place}, found {len(values):,}. Take the entry out."
        )
    return tuple(dict.fromkeys(text for value in values if (text := one_line(value).replace(" ,", ","))))


_NAMES = r"/?(?:[a-z]{2,4}:)?(?:i|b|u|p|em|br|sub|sup|inf|scp|span|div|strong|italic|bold|title|sec|math|m[a-z]{1,10})"
_ESCAPED = re.compile(rf"&(?:amp;)?lt;{_NAMES}(?:\s[^<>&]{{0,200}})?/?&(?:amp;)?gt;", re.IGNORECASE)
_PREFIX = r"(?:[a-z]{2,4}:)?"
_TEX = re.compile(rf"<{_PREFIX}tex-math\b[^<>]*+>([^<>]*+)</{_PREFIX}tex-math\s*+>", re.IGNORECASE)
_MATH = re.compile(rf"<{_PREFIX}math\b[^<>]*+>(?:[^<]|<(?!/?{_PREFIX}math\b))*+</{_PREFIX}math\s*+>", re.IGNORECASE)
_PREFIXES = re.compile(rf"(</?){_PREFIX}|\s(?:xmlns|[a-z]+:[\w-]+)\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+')", re.IGNORECASE)
_SCRIPT = re.compile(
    rf"<{_PREFIX}(sup|sub|inf)\b[^<>]*+>((?:[^<]|<(?!/?{_PREFIX}(?:sup|sub|inf)\b))*+)</{_PREFIX}\1\s*+>", re.IGNORECASE
)
_BEHIND = 80
"""As far back from a script as the character before it is looked for, among tags."""
_BREAK = re.compile(r"<(?:[a-z]{2,4}:)?br\s*+/?>", re.IGNORECASE)
_HEADING = re.compile(
    r"<(?P<tag>(?:[a-z]{2,4}:)?title|h[1-6])\b[^<>]*+>(?P<text>[^<>]*+)</(?P=tag)\s*+>\s*+", re.IGNORECASE
)
_BLOCK = re.compile(r"</?(?:[a-z]{2,4}:)?(?:p|sec|div|list|list-item|ul|ol|li|abstract|title)\b[^<>]*+>", re.IGNORECASE)
_OF_THE_WHOLE = frozenset("abstract summary zusammenfassung résumé resumen resumo riassunto sommario 摘要".split())
"""Headings of an abstract that say no more than that it is one."""


def title_without_tags(text: str) -> str:
    """Return a title, name or venue on one line, without tags; `H<sub>2</sub>O` is H2O."""
    return text if "<" not in text and "&" not in text else _without(_BREAK.sub(" ", _opened(text)))


def abstract_without_tags(text: str) -> str:
    """Return an abstract without tags, in paragraphs where the tags make them; the heading "Abstract" goes."""
    if "<" not in text and "&" not in text:
        return text
    text = _BREAK.sub("\n", _opened(text))
    headed = _HEADING.sub(_heading, text)
    parts = _BLOCK.split(headed)
    if len(parts) == 1 and headed == text:
        return _without(text)
    lines = (" ".join(_without(part).split()) for part in parts)
    return "\n\n".join(line for line in lines if line).replace(":\n\n", ": ")


def _heading(match: re.Match[str]) -> str:
    words = match["text"].strip().rstrip(":.")
    return "<p>" if not words or words.lower() in _OF_THE_WHOLE else f"<p>{words}: "


def _opened(text: str) -> str:
    """Return a text whose tags stand as tags, and whose formulas stand once."""
    if _ESCAPED.search(text):
        text = html.unescape(text.replace("&amp;lt;", "&lt;").replace("&amp;gt;", "&gt;"))
    if "math" not in text:
        return text
    beside = _MATH.search(text) is not None
    text = _TEX.sub(lambda match: "" if beside else html.escape(delimited(match[1], display=False), quote=False), text)
    return _MATH.sub(_formula, text)


def _formula(match: re.Match[str]) -> str:
    """Return MathML in a text as its formula; as it stands where its tags do not match."""
    try:
        math = parse(_PREFIXES.sub(lambda one: one[1] or "", match[0]).encode(), "a formula")
    except InputError:
        return match[0]
    settle(math)
    return html.escape("".join(math.itertext()), quote=False)


def _script(match: re.Match[str]) -> str:
    before = without_tags(match.string[max(match.start() - _BEHIND, 0) : match.start()], gap="")
    return (raised if match[1].lower() == "sup" else lowered)(before[-1:], without_tags(match[2], gap=""))


def _without(text: str) -> str:
    """Return a text without tags, with its named characters; some programs escape them twice."""
    text = html.unescape(without_tags(_SCRIPT.sub(_script, with_fractions(text)), gap=""))
    return html.unescape(text) if "&" in text else text

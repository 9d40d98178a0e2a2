"""What a web page says of its work in its head: meta tags (Highwire, Dublin Core, PRISM, Open Graph) and JSON-LD."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element

from engine.documents import identifiers, web_address
from engine.documents.dates import day, year_in
from engine.documents.people import natural_name, split_names
from engine.documents.text import one_line, without_tags
from engine.reading.placeholders import says_nothing
from engine.reading.references.entries import abstract_without_tags, title_without_tags

_LD_TYPES = frozenset(
    "scholarlyarticle article newsarticle blogposting techarticle medicalscholarlyarticle report webpage creativework "
    "publicationissue thesis book chapter dataset socialmediaposting posting analysisnewsarticle".split()
)
_MOST_LD_CHARACTERS = 1 << 20
_MOST_VALUES = 10_000
_SITE_AFTER = re.compile(r"(?<!\s)\s++[|–—·•»-]\s++[^|–—·•»]{2,60}$")
_ADDRESS = re.compile(r"https?://\S+")
_PMC = re.compile(rf"/articles/(PMC(?=\d{{3}}){identifiers.PUBMED})(?!\d)", re.IGNORECASE)
_PUBMED = re.compile(rf"{identifiers.PUBMED_PAGE}(?=\d{{3}})({identifiers.PUBMED})(?!\d)", re.IGNORECASE)
_ARXIV = re.compile(rf"{identifiers.ARXIV_PAGE}({identifiers.ARXIV})", re.IGNORECASE)
_DOI = re.compile(rf"{identifiers.DOI_PAGE}({identifiers.DOI}[^\s?#]+)", re.IGNORECASE)
_SAVED_FROM = re.compile(
    r"saved from url=\(\d{1,6}\)(https?://[^\s<>\"]{3,2000})|^[ \t]*url:[ \t]*(https?://[^\s<>\"]{3,2000})",
    re.MULTILINE,
)

Values = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says of its work; every field may be empty. `day` is a date in ISO 8601."""

    title: str = ""
    authors: tuple[str, ...] = ()
    day: str = ""
    year: int | None = None
    venue: str = ""
    abstract: str = ""
    keywords: tuple[str, ...] = ()
    doi: str = ""
    arxiv: str = ""
    pmcid: str = ""
    pmid: str = ""
    language: str = ""
    url: str = ""
    scholarly: bool = False
    """Whether the tags are those that publishers write for search engines of papers."""
    values: Values = field(default_factory=dict)
    """Every meta tag by its name in small letters."""

    def first(self, *names: str) -> str:
        """Return the first value of the first of these tags that has one."""
        return _first(self.values, *names)


def metadata(page: Element, source: str, url: str = "") -> Metadata:
    """Return a page's metadata; `source` is its text as it was saved, `url` where its envelope says that it was."""
    values = _meta(page)
    linked = _ld_article(page)
    address = _address(page, values, source, url)
    authors = _authors(values, linked)
    date = _first(
        values, "citation_publication_date", "citation_date", "citation_cover_date", "citation_online_date",
        "citation_year",
        "prism.publicationdate", "dc.date.issued", "dcterms.issued", "dc.date", "dcterms.date", "dc.date.created",
        "article:published_time", "eprints.date", "date", "pubdate",
    ) or _text(linked.get("datePublished")) or _text(linked.get("dateCreated"))  # fmt: skip
    numbers = "\n".join((address, _first(values, "citation_fulltext_html_url", "citation_abstract_html_url")))
    return Metadata(
        title=_title(page, values, linked),
        authors=authors,
        day=day(date),
        year=year_in(date),
        venue=_venue(values, linked),
        abstract=_abstract(values, linked),
        keywords=_keywords(values, linked),
        doi=_doi(values, linked, address),
        arxiv=identifiers.arxiv_number(_first(values, "citation_arxiv_id")) or _found(_ARXIV, numbers),
        pmcid=_found(_PMC, numbers).upper() or identifiers.pmc_number(_first(values, "citation_pmcid", "ncbi_pmcid")),
        pmid=identifiers.pubmed_number(_first(values, "citation_pmid", "ncbi_article_id")) or _found(_PUBMED, numbers),
        language=_language(page, values),
        url=address,
        scholarly=any(name.startswith("citation_") for name in values),
        values=values,
    )


def _meta(page: Element) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for count, one in enumerate(page.iter("meta")):
        if count > _MOST_VALUES:
            break
        name = (one.get("name") or one.get("property") or "").strip().lower()
        value = one_line(one.get("content", ""))
        if name and value and ("title" in name or not says_nothing(value)):
            found[name.removeprefix("bepress_").removeprefix("wkhealth_")].append(value)
    return dict(found)


def _first(values: Values, *names: str) -> str:
    return next((values[name][0] for name in names if values.get(name)), "")


def _all(values: Values, *names: str) -> Sequence[str]:
    return next((values[name] for name in names if values.get(name)), ())


def _title(page: Element, values: Values, linked: Mapping[str, Any]) -> str:
    title = _first(
        values, "citation_title", "dc.title", "dcterms.title", "prism.title", "eprints.title"
    ) or _text(linked.get("headline")) or _first(values, "og:title", "twitter:title")  # fmt: skip
    site = _first(values, "og:site_name")
    if not title:
        whole = next((one.text or "" for one in page.iter("title")), "")
        title = _SITE_AFTER.sub("", one_line(whole)) if not site else whole
    title = one_line(title_without_tags(title))
    for mark in ("|", "-", "–", "—", "·", "•"):
        if site and title.endswith(f" {mark} {site}"):
            title = title[: -len(site) - 3]
    return title.strip()


def _authors(values: Values, linked: Mapping[str, Any]) -> tuple[str, ...]:
    listed = [
        *_all(
            values,
            "citation_author",
            "dc.creator",
            "dcterms.creator",
            "eprints.creators_name",
            "dc.creator.personalname",
        )
    ]
    if not listed and (joined := _first(values, "citation_authors")):
        listed = split_names(joined)
    if not listed:
        listed = list(_people(linked.get("author")))
    if not listed:
        written = _all(values, "author", "article:author", "parsely-author", "sailthru.author", "twitter:creator")
        listed = [name for one in written for name in split_names(one)]
    names = (natural_name(without_tags(name)) for name in listed)
    return tuple(
        dict.fromkeys(name for name in names if 1 < len(name) < 100 and not _ADDRESS.match(name) and name[0] != "@")
    )


def _people(value: object) -> Iterator[str]:
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            parts = [_text(one.get(key)) for key in ("givenName", "familyName")]
            yield _text(one.get("name")) or " ".join(filter(None, parts))


def _venue(values: Values, linked: Mapping[str, Any]) -> str:
    named = _first(
        values, "citation_journal_title", "citation_conference_title", "citation_conference", "citation_inbook_title",
        "citation_book_title", "prism.publicationname", "dc.relation.ispartof", "dcterms.ispartof", "dc.source",
        "citation_dissertation_institution", "citation_technical_report_institution",
    )  # fmt: skip
    if named and not _ADDRESS.match(named):
        return one_line(without_tags(named))
    part: object = linked.get("isPartOf")
    for _ in range(4):  # an article is part of an issue, of a volume, of a journal
        part = part[0] if isinstance(part, list) and part else part
        if not isinstance(part, dict):
            return ""
        if name := _text(part.get("name")):
            return name
        part = part.get("isPartOf")
    return ""


def _abstract(values: Values, linked: Mapping[str, Any]) -> str:
    listed = _first(
        values, "citation_abstract", "dcterms.abstract", "eprints.abstract", "dc.description", "dc.description.abstract"
    )
    text = listed or _text(linked.get("abstract"))
    if not text and any(name.startswith("citation_") for name in values):
        text = _text(linked.get("description"))
    return one_line(abstract_without_tags(text))


def _keywords(values: Values, linked: Mapping[str, Any]) -> tuple[str, ...]:
    listed: Sequence[str] = _all(
        values, "citation_keywords", "citation_keyword", "dc.subject", "prism.keyword", "article:tag", "keywords"
    )
    if not listed:
        given = linked.get("keywords")
        listed = [one for one in given if isinstance(one, str)] if isinstance(given, list) else [_text(given)]
    if len(listed) == 1:
        listed = re.split(r"[;,]" if ";" not in listed[0] else ";", listed[0])
    words = (one_line(without_tags(word)).strip(" .") for word in listed)
    return tuple(dict.fromkeys(word for word in words if 0 < len(word) < 200))[:100]


def _doi(values: Values, linked: Mapping[str, Any], address: str) -> str:
    named = (
        "citation_doi", "prism.doi", "dc.identifier.doi", "doi", "publication_doi", "dc.identifier",
        "dcterms.identifier",
        "eprints.id_number",
    )  # fmt: skip
    for name in named:
        for value in values.get(name, ()):
            if doi := identifiers.doi_number(value):
                return doi
    for key in ("identifier", "sameAs", "@id", "doi", "url"):
        for value in _texts(linked.get(key)):
            if doi := identifiers.doi_number(value):
                return doi
    return _found(_DOI, address).rstrip(".,;")


def _address(page: Element, values: Values, source: str, url: str) -> str:
    links = (one.get("href", "") for one in page.iter("link") if "canonical" in one.get("rel", "").lower().split())
    saved = _SAVED_FROM.search(source[:8192])
    bases = (one.get("href", "") for one in page.iter("base"))
    found = (
        *links, _first(values, "og:url", "citation_public_url", "citation_abstract_html_url", "dc.identifier.uri"), url,
        *(saved.groups("") if saved is not None else ()), *bases,
    )  # fmt: skip
    return next((address for one in found if (address := web_address(one))), "")


def _language(page: Element, values: Values) -> str:
    root = next(page.iter("html"), page)
    found = (
        root.get("lang")
        or root.get("xml:lang")
        or _first(values, "citation_language", "dc.language", "dcterms.language")
    )
    match = re.match(r"[A-Za-z]{2,3}(?=[-_]|$)", found)
    return match[0].lower() if match is not None else ""


def _ld_article(page: Element) -> Mapping[str, Any]:
    """Return the fields of the article among a page's JSON-LD; a paper comes before other kinds."""
    found = [
        one
        for script in page.iter("script")
        if (script.get("type", "").lower() == "application/ld+json")
        for one in _ld(script)
    ]
    found.sort(key=lambda one: "scholarly" not in _kind(one))
    articles = [one for one in found if _kind(one) in _LD_TYPES]
    articles.sort(key=lambda one: _kind(one) in ("webpage", "creativework", "dataset", "publicationissue"))
    return articles[0] if articles else {}


def _kind(given: Mapping[str, Any]) -> str:
    kind = given.get("@type", "")
    return _text(kind[0] if isinstance(kind, list) and kind else kind).lower()


def _ld(script: Element) -> Iterator[dict[str, Any]]:
    text = script.text or ""
    if len(text) > _MOST_LD_CHARACTERS:
        return
    try:
        given = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return
    waiting = given if isinstance(given, list) else [given]
    for one in waiting[:100]:
        if isinstance(one, dict):
            graph = one.get("@graph")
            inner = [one, *(graph if isinstance(graph, list) else ()), one.get("mainEntity")]
            yield from (each for each in inner[:100] if isinstance(each, dict))


def _text(value: object) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = value.get("@value") or value.get("name") or value.get("value") or ""
    return (
        one_line(value)
        if isinstance(value, str)
        else str(value)
        if isinstance(value, int) and abs(value) < 10_000
        else ""
    )


def _texts(value: object) -> Iterator[str]:
    for one in value if isinstance(value, list) else [value]:
        if text := _text(one):
            yield text


def _found(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[1] if match is not None else ""

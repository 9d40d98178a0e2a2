"""A patent's page at Google Patents, as its server sends it and as a browser saves it.

The server marks every field by `itemprop`; the page that a browser saves has lost these and keeps ids and the tags of
Dublin Core in its head.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from engine.documents import DateKind, Document, DocumentDate, Identifier
from engine.documents.document import UNTITLED_DESCRIPTION
from engine.documents.patents import application_family, claims, patent_url, people, symbols
from engine.documents.text import one_line
from engine.reading.base import BodyPart, cut
from engine.reading.web.metadata import Metadata
from engine.reading.web.prose import Layout, classes, is_unread, parts, tagged, text_line

_NUMBER = re.compile(r"[A-Z]{2}[A-Z]?\d{4,13}[A-Z]?\d?")
_TITLE = re.compile(
    rf"\s*+(?:(?P<number>{_NUMBER.pattern})\s++-\s++)?(?P<title>\S*+(?:\s++\S++)*?)(?:\s*+-\s++Google Patents)?\s*+"
)
_PATENT_URL = re.compile(rf"patents\.google\.com/patent/({_NUMBER.pattern})")
_SYMBOL = re.compile(r"[A-HY]\d\d[A-Z]\s*\d{1,4}/\d{2,6}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_LINE_NUMBER = re.compile(r"^\[?\d{4}\]\s+")
_DATES: tuple[tuple[str, DateKind], ...] = (
    ("priorityDate", "priority"),
    ("filingDate", "filed"),
    ("publicationDate", "published"),
)
_SHOWN_DATES: dict[str, DateKind] = {"priority": "priority", "filed": "filed", "publication": "published"}
_ROWS = frozenset({"tr", "table"})


def is_patent_page(page: Element, meta: Metadata) -> bool:
    """Return whether a page is one patent at Google Patents."""
    if meta.first("dc.type") == "patent" or "citation_patent_number" in meta.values or _PATENT_URL.search(meta.url):
        return (
            _section(page, "description") is not None
            or _section(page, "claims") is not None
            or "dc.title" in meta.values
        )
    named = {one.get("itemprop") for one in tagged(page, "section", "dd", "article")}
    return "claims" in named and bool(named & {"publicationNumber", "description"})


def read_patent_page(page: Element, meta: Metadata, identifier: str) -> Document:
    """Return the patent; `identifier` names it where its page does not."""
    own = _Fields(page)
    number = _number(own, meta)
    dates = tuple(_dates(page, own))
    published = next((one.day for one in dates if one.kind == "published"), meta.day)
    family = application_family(number[:2] or "US", own.first("applicationNumber")) if number else ""
    inventors = own.every("inventor") or tuple(_contributors(page, "inventor"))
    assignees = own.every("assigneeOriginal") or own.every("assigneeCurrent")
    assignees = assignees or tuple(_contributors(page, "assignee"))
    return Document(
        id=number or identifier,
        kind="patent",
        title=_title(own, meta),
        abstract="\n\n".join(_abstract(_section(page, "abstract"))) or meta.first("dc.description"),
        sections=tuple(cut(_description(_section(page, "description")), UNTITLED_DESCRIPTION)),
        claims=tuple(claims(_claims(_section(page, "claims")))),
        identifiers=(Identifier("patent", number),) if number else (),
        year=int(published[:4]) if published else None,
        dates=dates,
        language=meta.language,
        categories=symbols(_codes(page)),
        **people(inventors, assignees),
        url=patent_url(number) if number else meta.url,
        family=family,
    )


class _Fields:
    """The fields that a page marks by `itemprop`, those of other patents in its tables left out."""

    def __init__(self, page: Element) -> None:
        self._found: dict[str, list[Element]] = {}
        waiting = [page]
        while waiting:
            one = waiting.pop()
            name = one.get("itemprop", "")
            if name:
                self._found.setdefault(name, []).append(one)
            if one.tag not in _ROWS and name not in _OTHERS:
                waiting.extend(reversed(one))

    def first(self, name: str) -> str:
        """Return the first value of a field; a date as its tag says it."""
        return next(
            (
                text
                for one in self._found.get(name, ())
                if (text := one.get("datetime") or one.get("content") or text_line(one))
            ),
            "",
        )

    def every(self, name: str) -> tuple[str, ...]:
        """Return all values of a field, each once."""
        return tuple(dict.fromkeys(text for one in self._found.get(name, ()) if (text := text_line(one))))


_OTHERS = frozenset(
    "directAssociations family priorityApps parentApps childApps appsClaimingPriority events similarDocuments "
    "links".split()
)
"""Fields that name other publications, with dates and numbers of their own."""


def _section(page: Element, name: str) -> Element | None:
    """Return the part of a page with the text of that name."""
    marked = next((one for one in tagged(page, "section", "div") if one.get("itemprop") == name), None)
    if marked is not None:
        return next((one for one in marked.iter() if one.get("itemprop") == "content"), marked)
    shown = (one for one in tagged(page, "section", "patent-text", "div") if name in (one.get("id"), one.get("name")))
    return next((one for one in shown if one.tag != "div" or "patent-text" in one.get("class", "")), None)


def _number(own: _Fields, meta: Metadata) -> str:
    title = _TITLE.fullmatch(meta.title)
    linked = _PATENT_URL.search(meta.url)
    found = (
        own.first("publicationNumber").replace(" ", ""),
        linked[1] if linked is not None else "",
        (title["number"] or "") if title is not None else "",
        re.sub(r"[^A-Z0-9]", "", meta.first("citation_patent_number", "citation_patent_publication_number")),
    )
    return next((one for one in found if _NUMBER.fullmatch(one)), "")


def _title(own: _Fields, meta: Metadata) -> str:
    match = _TITLE.fullmatch(meta.first("dc.title") or own.first("title") or meta.title or own.first("pageTitle"))
    return one_line(match["title"]) if match is not None else ""


def _dates(page: Element, own: _Fields) -> Iterator[DocumentDate]:
    """Yield the dates of this publication: from their fields, else from the tags in the head."""
    days: dict[DateKind, str] = {}
    for name, kind in _DATES:
        if _DAY.fullmatch(day := own.first(name)[:10]):
            days[kind] = day
    for one in tagged(page, "div", "span"):
        names = classes(one)
        if "application-timeline" in names and _DAY.fullmatch(day := text_line(one)):
            days.update((kind, day) for name, kind in _SHOWN_DATES.items() if name in names and kind not in days)
    kinds: dict[str, DateKind] = {"datesubmitted": "filed", "issue": "published"}
    for one in page.iter("meta"):
        kind_named = kinds.get(one.get("scheme", "").lower())
        day = one.get("content", "")
        if one.get("name", "").lower() == "dc.date" and _DAY.fullmatch(day):
            days.setdefault(kind_named or "published", day)
    yield from (DocumentDate(kind, days[kind]) for _, kind in _DATES if kind in days)


def _contributors(page: Element, scheme: str) -> Iterator[str]:
    for one in page.iter("meta"):
        if one.get("name", "").lower() == "dc.contributor" and one.get("scheme", "").lower() == scheme:
            yield one_line(one.get("content", ""))


def _codes(page: Element) -> Iterator[str]:
    """Yield the classification's last steps: each code that no other of its chain goes on from."""
    for chain in tagged(page, "ul", "li", "section"):
        if chain.get("itemprop") in ("classifications", "cpcs", "Cpcs"):
            codes = [text_line(one) for one in chain.iter("span") if one.get("itemprop") in ("Code", "code")]
            yield from [code for code in codes if _SYMBOL.fullmatch(code)][-1:]


def _is_foreign(element: Element) -> bool:
    """Return whether an element holds the words before their translation, a count, or a picture."""
    return (
        "google-src-text" in classes(element)
        or element.get("itemprop") == "count"
        or element.tag in ("figure", "img")
        or is_unread(element)
    )


def _abstract(section: Element | None) -> Iterator[str]:
    for part in parts(section, Layout(drop=_is_foreign)) if section is not None else ():
        if part.kind == "text":
            yield part.text


def _description(section: Element | None) -> Iterator[BodyPart]:
    """Give the headings and paragraphs of the description, in reading order."""
    if section is None:
        return
    for part in parts(section, Layout(drop=_is_foreign, heading=lambda one: one.tag == "heading")):
        if part.kind == "heading" and part.text.lower() != "description":
            yield "heading", part.text
        elif part.kind == "text":
            yield "text", _LINE_NUMBER.sub("", part.text)


def _claims(section: Element | None) -> Iterator[str]:
    """Yield the claims one by one: the innermost elements of the class, else the numbered lines."""
    if section is None:
        return
    found = [one for one in section.iter() if _is_claim(one)]
    found = found or [one for one in tagged(section, "li", "p") if "claim" in " ".join(classes(one)) or one.tag == "li"]
    if found:
        yield from (text_line(one, _is_foreign) for one in found)
        return
    for part in parts(section, Layout(drop=_is_foreign)):
        yield from (line for line in part.text.split("\n") if part.kind == "text")


def _is_claim(element: Element) -> bool:
    """Return whether an element is one claim and not the wrapper around one, which may share its class."""
    return "claim" in classes(element) and (
        element.get("num") is not None or not any("claim" in classes(one) for one in element)
    )

"""Patents of all offices in the EPO's forms of WIPO ST.36 into documents, with what they say in each language.

`patent-document` is a whole publication, as in the MAREC collection. `exchange-document` is the bibliographic record
that the EPO's services and its bulk files (DOCDB) give, and `fulltext-document` the description or the claims that its
services give with a number alone. All of them name parties several times, as the EPO and as the office spells them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar
from xml.etree.ElementTree import Element

from engine.documents import Document, Reference
from engine.reading.base import UNTITLED_DESCRIPTION, cut
from engine.reading.patent_fields import (
    application_family,
    cited_patent,
    dates,
    patent_id,
    patent_url,
    people,
    published,
    sentence_case,
    symbols,
    year,
)
from engine.reading.patents.fulltext import numbered_claims, paragraphs, parts
from engine.reading.patents.parties import companies, parties
from engine.reading.patents.wordings import Wordings, by_language
from engine.reading.xml.tree import children, find_line, line

_CODES = ("classification-ipcr", "patent-classification", "classification-cpc", "main-classification")
_FURTHER = "further-classification"
_FORMATS = ("docdb", "epo")
_OFFICE_CHARACTERS = 2

Value = TypeVar("Value")


def read_publication(root: Element) -> Document:
    """One publication, of any of the three forms."""
    front = next(children(root, "bibliographic-data"), Element("bibliographic-data"))
    country, number, kind, date = _number(front.find("publication-reference"))
    country, number, kind = root.get("country", country), root.get("doc-number", number), root.get("kind", kind)
    date = root.get("date") or root.get("date-publ") or date
    filed_at, filed_as, _, filed = _number(front.find("application-reference"))
    identifier = patent_id(country, number, kind)
    inventors, applicants = parties(front, "inventor"), parties(front, "applicant")
    assignees = parties(front, "assignee") or companies(applicants, inventors)
    texts = _texts(root, front)
    title = texts.own(texts.titles, "")
    family = root.get("family-id", "").strip()
    return Document(
        id=identifier,
        kind="patent",
        title=title,
        abstract=texts.own(texts.abstracts, ""),
        sections=tuple(cut(parts(texts.own(texts.descriptions, None), title), UNTITLED_DESCRIPTION)),
        references=tuple(_cited(front)),
        year=year(date),
        dates=dates(
            (published(country, kind), date),
            ("filed", filed),
            *(("priority", _number(one)[3]) for one in front.iter("priority-claim")),
        ),
        language=texts.language,
        translations=tuple(texts.translations()),
        categories=symbols(_codes(front)),
        **people(inventors, assignees),
        url=patent_url(identifier),
        family=family if family.isdecimal() else application_family(filed_at, filed_as),
        claims=texts.own(texts.claims, ()),
    )


def _texts(root: Element, front: Element) -> Wordings[Element]:
    """The texts of a publication, an empty description left out."""
    said = (root.get("lang", ""), *(line(one) for one in front.iterfind("publication-reference/document-id/lang")))
    return Wordings(
        said,
        _each(front.iter("invention-title"), _title),
        _each((*children(root, "abstract"), *children(front, "abstract")), paragraphs),
        _each(children(root, "claims"), numbered_claims),
        _each((one for one in children(root, "description") if len(one)), lambda one: one),
    )


def _each(found: Iterable[Element], read: Callable[[Element], Value]) -> dict[str, Value]:
    return by_language((element.get("lang", ""), read(element)) for element in found)


def _title(element: Element) -> str:
    return sentence_case(line(element), element.get("lang", "").lower())


def _number(reference: Element | None) -> tuple[str, str, str, str]:
    """Country, number, kind and date of a reference, in the EPO's spelling where it is given in several.

    The date may stand in another spelling alone, as may all the rest in one word: "EP2400812".
    """
    found = [] if reference is None else list(reference.iter("document-id"))
    found.sort(key=lambda one: (one.get("document-id-type") or one.get("format") or "") not in _FORMATS)
    date = next((text for one in found if (text := find_line(one, "date"))), "")
    if not found:
        return "", "", "", date
    country, number, kind = (find_line(found[0], tag) for tag in ("country", "doc-number", "kind"))
    if not country and number[:_OFFICE_CHARACTERS].isalpha():
        country, number = number[:_OFFICE_CHARACTERS], number[_OFFICE_CHARACTERS:]
    return country, number, kind, date


def _codes(front: Element) -> Iterator[str]:
    """Codes of the IPC and the CPC, from their parts or from one text such as `A61K   8/30        20060101C I`."""
    for code in front.iter():
        if code.tag not in (*_CODES, _FURTHER):
            continue
        scheme = code.find("classification-scheme")
        if scheme is not None and not scheme.get("scheme", "").startswith("CPC"):
            continue
        if subclass := "".join(find_line(code, tag) for tag in ("section", "class", "subclass")):
            yield f"{subclass} {find_line(code, 'main-group')}/{find_line(code, 'subgroup')}"
        elif "/" in (text := line(code)):
            group, _, rest = text.partition("/")
            yield f"{group}/{next(iter(rest.split()), '')}"


def _cited(front: Element) -> Iterator[Reference]:
    """What it or its search report cites: patents (`patcit`) and other works (`nplcit`)."""
    for cited in front.iter():
        if cited.tag == "patcit":
            country, number, kind, date = _number(cited)
            if number:
                name = next((line(one) for one in cited.iter("name")), "")
                yield cited_patent(country, number, kind, name=name, date=date)
        elif cited.tag == "nplcit" and (text := line(cited)):
            yield Reference(text)

"""Patents of all offices in the EPO's forms of WIPO ST.36 into documents, with what they say in each language.

`patent-document` is a whole publication, as in the MAREC collection. `exchange-document` is the bibliographic record
that the EPO's services and its bulk files (DOCDB) give, and `fulltext-document` the description or the claims that its
services give with a number alone. All of them name parties several times, as the EPO and as the office spells them.

`ep-patent-document` is a European patent in full. The data before its text carry the numbers that offices print (WIPO
ST.32): B110 is the patent's number, B541 and B542 are the language and the words of a title, B721 is an inventor. They
are put into the elements of ST.36, and all is read as any other publication of the EPO.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar
from xml.etree.ElementTree import Element, SubElement

from engine.documents import Document, Reference, patents
from engine.documents.dates import dates, year_in
from engine.documents.document import UNTITLED_DESCRIPTION
from engine.reading.base import cut
from engine.reading.patents import wordings
from engine.reading.xml.tree import children, find_line, line

_CODES = ("classification-ipcr", "patent-classification", "classification-cpc", "main-classification")
_FURTHER = "further-classification"
_FORMATS = ("docdb", "epo")
_OFFICE_CHARACTERS = 2

_Value = TypeVar("_Value")


def read_epo_publication(root: Element) -> Document:
    """Read one publication, of any of the three forms."""
    front = next(children(root, "bibliographic-data"), Element("bibliographic-data"))
    country, number, kind, date = _number(front.find("publication-reference"))
    country, number, kind = root.get("country", country), root.get("doc-number", number), root.get("kind", kind)
    date = root.get("date") or root.get("date-publ") or date
    filed_at, filed_as, _, filed = _number(front.find("application-reference"))
    identifier = patents.patent_id(country, number, kind)
    inventors, applicants = wordings.parties(front, "inventor"), wordings.parties(front, "applicant")
    assignees = wordings.parties(front, "assignee") or wordings.companies(applicants, inventors)
    texts = _texts(root, front)
    title = texts.own(texts.titles, "")
    family = root.get("family-id", "").strip()
    return Document(
        id=identifier,
        kind="patent",
        title=title,
        abstract=texts.own(texts.abstracts, ""),
        sections=tuple(cut(wordings.parts(texts.own(texts.descriptions, None), title), UNTITLED_DESCRIPTION)),
        references=tuple(_cited(front)),
        year=year_in(date),
        dates=dates(
            (patents.published(country, kind), date),
            ("filed", filed),
            *(("priority", _number(one)[3]) for one in front.iter("priority-claim")),
        ),
        language=texts.language,
        translations=tuple(texts.translations()),
        categories=patents.symbols(_codes(front)),
        **patents.people(inventors, assignees),
        url=patents.patent_url(identifier),
        family=family if family.isdecimal() else patents.application_family(filed_at, filed_as),
        claims=texts.own(texts.claims, ()),
    )


def _texts(root: Element, front: Element) -> wordings.Wordings[Element]:
    """Return the texts of a publication, an empty description left out."""
    said = (root.get("lang", ""), *(line(one) for one in front.iterfind("publication-reference/document-id/lang")))
    return wordings.Wordings(
        said,
        _each(front.iter("invention-title"), _title),
        _each((*children(root, "abstract"), *children(front, "abstract")), wordings.paragraphs),
        _each(children(root, "claims"), wordings.numbered_claims),
        _each((one for one in children(root, "description") if len(one)), lambda one: one),
    )


def _each(found: Iterable[Element], read: Callable[[Element], _Value]) -> dict[str, _Value]:
    return wordings.by_language((element.get("lang", ""), read(element)) for element in found)


def _title(element: Element) -> str:
    return patents.sentence_case(line(element), element.get("lang", "").lower())


def _number(reference: Element | None) -> tuple[str, str, str, str]:
    """Return a reference's country, number, kind and date, in the EPO's spelling where there are several.

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
    """Yield codes of the IPC and the CPC, from their parts or one text such as `A61K   8/30        20060101C I`."""
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
    """Yield what it or its search report cites: patents (`patcit`) and other works (`nplcit`)."""
    for cited in front.iter():
        if cited.tag == "patcit":
            country, number, kind, date = _number(cited)
            if number:
                name = next((line(one) for one in cited.iter("name")), "")
                yield patents.cited_patent(country, number, kind, name=name, date=date)
        elif cited.tag == "nplcit" and (text := line(cited)):
            yield Reference(text)


_PARTIES = (("B720/B721", "inventor"), ("B710/B711", "applicant"), ("B730/B731", "assignee"))
_IPC = re.compile(r"(?:(?<!\s)\s++)?(?:\d\s*+)?([A-H])\s*+(\d\d)\s*+([A-Z])\s*+(?=\d)")
_CITED = re.compile(r"([A-Z]{2})\s*-\s*([A-Z]\d?)\s*-\s*(\d[\d /.]*)")


def read_ep_patent(root: Element) -> Document:
    """Read one publication."""
    data = next(children(root, "SDOBI"), Element("SDOBI"))
    front = Element("bibliographic-data")
    _add_titles(data, front)
    _add_dates(data, front)
    for code in data.iter():
        if code.tag in ("classification-ipcr", "classification-cpc"):
            front.append(code)
        elif code.tag in ("B511", "B512", "B513"):
            SubElement(front, "classification-ipcr").text = _IPC.sub(r"\1\2\3 ", line(code), count=1)
    for path, role in _PARTIES:
        for party in data.iterfind(f".//{path}"):
            SubElement(SubElement(front, role), "name").text = find_line(party, "snm") or find_line(party, "onm")
    front.extend(_ep_citations(data))
    root.insert(0, front)
    return read_epo_publication(root)


def _add_titles(data: Element, front: Element) -> None:
    """Add the titles; their languages and words stand side by side."""
    language = ""
    for one in data.iterfind(".//B540/*"):
        if one.tag == "B541":
            language = line(one)
        elif one.tag == "B542":
            SubElement(front, "invention-title", lang=language).text = line(one)


def _add_dates(data: Element, front: Element) -> None:
    """Add publication, application (its number ends in a check digit after a dot) and priorities."""
    filed = find_line(data, ".//B210").partition(".")[0]
    for tag, number, date in (
        ("publication-reference", find_line(data, ".//B110"), find_line(data, ".//B140/date")),
        ("application-reference", filed, find_line(data, ".//B220/date")),
    ):
        _add_number(SubElement(front, tag), "EP", number, find_line(data, ".//B130") if number != filed else "", date)
    for priority in data.iterfind(".//B300/B320"):
        _add_number(SubElement(front, "priority-claim"), "", "", "", find_line(priority, "date"))


def _ep_citations(data: Element) -> Iterator[Element]:
    """Yield cited patents, as in "EP-A- 0 488 701", and other works."""
    for one in (*data.iterfind(".//B560/B561"), *data.iterfind(".//B560/B562")):
        text = find_line(one, "text") or line(one)
        match = _CITED.fullmatch(text) if one.tag == "B561" else None
        cited = Element("nplcit" if match is None else "patcit")
        if match is None:
            cited.text = text
        else:
            _add_number(cited, match[1], match[3].replace(" ", ""), match[2], "")
        yield cited


def _add_number(parent: Element, country: str, number: str, kind: str, date: str) -> None:
    document = SubElement(parent, "document-id")
    for tag, text in (("country", country), ("doc-number", number), ("kind", kind), ("date", date)):
        SubElement(document, tag).text = text

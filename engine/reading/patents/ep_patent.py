"""European patents as the EPO publishes them in full (`ep-patent-document`): B-numbered data, ST.36 texts.

The data before the text carry the numbers that offices print (WIPO ST.32): B110 is the patent's number, B541 and B542
are the language and the words of a title, B721 is an inventor. They are put into the elements of ST.36, and all is read
as any other publication of the EPO.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement

from engine.documents import Document
from engine.reading.patents.exchange import read_publication
from engine.reading.xml.tree import children, find_line, line

_PARTIES = (("B720/B721", "inventor"), ("B710/B711", "applicant"), ("B730/B731", "assignee"))
_IPC = re.compile(r"(?:(?<!\s)\s++)?(?:\d\s*+)?([A-H])\s*+(\d\d)\s*+([A-Z])\s*+(?=\d)")
_CITED = re.compile(r"([A-Z]{2})\s*-\s*([A-Z]\d?)\s*-\s*(\d[\d /.]*)")


def read_ep_patent(root: Element) -> Document:
    """One publication."""
    data = next(children(root, "SDOBI"), Element("SDOBI"))
    front = Element("bibliographic-data")
    _titles(data, front)
    _dates(data, front)
    for code in data.iter():
        if code.tag in ("classification-ipcr", "classification-cpc"):
            front.append(code)
        elif code.tag in ("B511", "B512", "B513"):
            SubElement(front, "classification-ipcr").text = _IPC.sub(r"\1\2\3 ", line(code), count=1)
    for path, role in _PARTIES:
        for party in data.iterfind(f".//{path}"):
            SubElement(SubElement(front, role), "name").text = find_line(party, "snm") or find_line(party, "onm")
    front.extend(_cited(data))
    root.insert(0, front)
    return read_publication(root)


def _titles(data: Element, front: Element) -> None:
    """Languages and words of titles stand side by side."""
    language = ""
    for one in data.iterfind(".//B540/*"):
        if one.tag == "B541":
            language = line(one)
        elif one.tag == "B542":
            SubElement(front, "invention-title", lang=language).text = line(one)


def _dates(data: Element, front: Element) -> None:
    """The publication, the application, whose number ends in a check digit after a dot, and the priorities."""
    filed = find_line(data, ".//B210").partition(".")[0]
    for tag, number, date in (
        ("publication-reference", find_line(data, ".//B110"), find_line(data, ".//B140/date")),
        ("application-reference", filed, find_line(data, ".//B220/date")),
    ):
        _number(SubElement(front, tag), "EP", number, find_line(data, ".//B130") if number != filed else "", date)
    for priority in data.iterfind(".//B300/B320"):
        _number(SubElement(front, "priority-claim"), "", "", "", find_line(priority, "date"))


def _cited(data: Element) -> Iterator[Element]:
    """Cited patents, as in "EP-A- 0 488 701", and other works."""
    for one in (*data.iterfind(".//B560/B561"), *data.iterfind(".//B560/B562")):
        text = find_line(one, "text") or line(one)
        match = _CITED.fullmatch(text) if one.tag == "B561" else None
        cited = Element("nplcit" if match is None else "patcit")
        if match is None:
            cited.text = text
        else:
            _number(cited, match[1], match[3].replace(" ", ""), match[2], "")
        yield cited


def _number(parent: Element, country: str, number: str, kind: str, date: str) -> None:
    document = SubElement(parent, "document-id")
    for tag, text in (("country", country), ("doc-number", number), ("kind", kind), ("date", date)):
        SubElement(document, tag).text = text

"""XML into documents, record by record, without reading a file whole.

The USPTO's weekly files hold thousands of patents, each an XML document with its own declaration and DOCTYPE. PubMed
Central and the EPO answer with one document of many members; each is cut out and wrapped in a root of its own. So
memory holds one record at a time. A record's root says which reader it goes to. A record that cannot be read is left
out with a warning, and the others come in.
"""

from __future__ import annotations

import logging
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import BinaryIO
from xml.etree.ElementTree import Element

from engine.core.errors import EmptyInputError, InputError, UnsupportedFormatError
from engine.core.files import fingerprint
from engine.documents import Document
from engine.reading.base import Omissions, left_out_of_text
from engine.reading.limits import LIMITS, Budget, Limits, record_too_large
from engine.reading.mathml import settle
from engine.reading.xml.tree import parse, root_name

_log = logging.getLogger(__name__)

ElementReader = Callable[[Element, str], Iterable[Document]]
"""Reads the documents of an element, mostly one; the text names one that carries no identifier of its own."""

_OTHER_RECORDS = frozenset({"sequence-cwu"})
"""Roots in the USPTO's weekly files other than patents: gene sequences, which belong to the patent before."""

_LEFT_OUT = {"table": "table", "sub-article": "enclosed article", "response": "enclosed article"}
"""What no reader of XML takes into the text, in words."""
_DECLARATION = re.compile(rb"^[^\S\n]*+(?=<\?xml\s)", re.MULTILINE)
_MOST_NAMES = 5


def read_xml(
    file: BinaryIO,
    name: str,
    limits: Limits = LIMITS,
    *,
    readers: Mapping[str, ElementReader],
    sets: Mapping[str, tuple[str, ...]],
    warn: Callable[[str], None] = _log.warning,
) -> Iterator[Document]:
    """Yield the documents of an XML file.

    `readers` are by the root of a record; `sets` are the roots that hold records, each with the roots of these. Raises
    what `parse` raises if no record can be read; else `warn` gets a sentence on each that cannot.
    """
    budget = Budget.within(limits, name)
    reader = _RecordReader(name, budget, readers, sets, Omissions(warn, limits))
    for record in xml_records(file, name, budget, sets, reader.omissions):
        budget.check()  # of a file whose time is over, each record would be left out for that
        yield from reader.read(record)
    reader.omissions.finish()
    reader.tell_unknown(warn)
    for told in left_out_of_text(reader.left_out, name):
        warn(told)


class _RecordReader:
    """Reads records, and keeps what could not be read."""

    def __init__(
        self,
        name: str,
        limits: Limits,
        readers: Mapping[str, ElementReader],
        sets: Mapping[str, tuple[str, ...]],
        omissions: Omissions,
    ) -> None:
        self._name, self._limits, self._readers, self._sets = name, limits, readers, sets
        self._unknown: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()
        self.omissions = omissions

    def read(self, record: XmlRecord) -> Iterator[Document]:
        """Yield the documents of a record; one cut short takes along those behind it, which are then read alone."""
        place = record.place(self._name)
        starts = [match.end() for match in _DECLARATION.finditer(record.data) if match.end() > 0]
        if starts:
            try:
                yield from self.omissions.documents(list(self._documents(record)), place)
            except InputError:
                for start, stop in pairwise((0, *starts, len(record.data))):
                    line = record.line + record.data.count(b"\n", 0, start)
                    part = XmlRecord(record.data[start:stop], record.number, line)
                    yield from self.omissions.documents(self._documents(part), part.place(self._name))
        else:
            yield from self.omissions.documents(self._documents(record), place)

    def _documents(self, record: XmlRecord) -> Iterator[Document]:
        root = parse(
            record.data,
            self._name,
            self._limits,
            first_line=record.line,
            unknown=self._unknown,
            warn=self.omissions.tell,
        )
        settle(root)
        self.left_out.update(_LEFT_OUT[one.tag] for one in root.iter() if one.tag in _LEFT_OUT)
        if root.tag in _OTHER_RECORDS:
            _log.info("%s: left out a record of %s, which is not a patent", self._name, root.tag)
        elif root.tag in self._sets:
            members = [one for one in root.iter() if one.tag in self._sets[root.tag]]
            if not members:
                raise self._empty(root)
            for number, one in enumerate(members, start=record.number):
                yield from self._readers[one.tag](one, fingerprint(record.data, str(number)))
        elif root.tag not in self._readers:
            raise UnsupportedFormatError(
                f"Expected papers or patents in {self._name}, found a record of {root.tag!r} at line {record.line:,}. "
                "Take that record out."
            )
        else:
            yield from self._readers[root.tag](root, fingerprint(record.data))

    def _empty(self, root: Element) -> EmptyInputError:
        """Return the error for a set without members, such as a family that the EPO lists by its numbers alone."""
        found = f"{root[0].tag} alone" if len(root) else "nothing"
        return EmptyInputError(
            f"Expected {' or '.join(self._sets[root.tag])} within the {root.tag} of {self._name}, found {found}. "
            "Ask its service for whole documents, such as the EPO's for a family with its bibliographic data (biblio)."
        )

    def tell_unknown(self, warn: Callable[[str], None]) -> None:
        """Warn of named characters that no table holds."""
        if self._unknown:
            names = ", ".join(f"&{one};" for one in sorted(self._unknown)[:_MOST_NAMES])
            more = " and others" if len(self._unknown) > _MOST_NAMES else ""
            warn(
                f"{self._name} names characters that neither HTML nor ISO 8879 knows: {names}{more}. They stand in the "
                f"text as they are written, in {self._unknown.total():,} places."
            )


_BLOCK_BYTES = 1 << 20
_PROLOG_BYTES, _CLOSING_BYTES, _TOKEN_BYTES = 1 << 20, 4096, 256
_XML_DECLARATION = re.compile(rb"(?:\xef\xbb\xbf)?\s*+(<\?xml\s[^>]*+>)")
_PREFIX = re.compile(rb"\sxmlns:([A-Za-z_][\w.-]*+)\s*+=")
_OPENING = re.compile(rb"<(?:[\w.-]++:)?([A-Za-z][\w.-]*+)")
_MOST_PREFIXES = 100
_QUOTED = {b"<!--": b"-->", b"<![CDATA[": b"]]>"}
"""What may hold text that looks like a tag, and how each ends."""


@dataclass(frozen=True, slots=True)
class XmlRecord:
    """One XML document, its number in its file from 1, and the line on which it begins."""

    data: bytes
    number: int
    line: int
    of_set: bool = False

    def place(self, name: str) -> str:
        """Return where it stands in a file of that name; the name alone for what is mostly the whole file."""
        return f"the record of line {self.line:,} of {name}" if self.number > 1 or self.of_set else name


class _Source:
    """The part of a file that is looked at, and how much went before."""

    def __init__(self, file: BinaryIO, name: str, limits: Limits, omissions: Omissions) -> None:
        self._file, self._name, self._budget, self._omissions = file, name, Budget.within(limits, name), omissions
        self.data = bytearray()
        self.line = 1
        self.number = 0
        self._too_large = 0

    def more(self) -> bool:
        """Read another block; false at the end of the file."""
        block = self._file.read(_BLOCK_BYTES)
        self.data += block
        return bool(block)

    def go_on(self, at: int) -> int:
        """Read another block, and the place in the data that a place now has; -1 at the end of the file.

        Of a record that has grown too large only its end is kept.
        """
        self._budget.check()
        if len(self.data) > self._budget.max_file_bytes:
            self._too_large = self._too_large or self.line + self.data.count(
                b"\n", 0, len(self.data) - len(self.data.lstrip())
            )
            passed = max(0, at - _CLOSING_BYTES)
            self.drop(passed)
            at -= passed
        return at if self.more() else -1

    def drop(self, stop: int) -> bytes:
        """Go on behind a place, and give what stood before."""
        passed = bytes(self.data[:stop])
        del self.data[:stop]
        self.line += passed.count(b"\n")
        return passed

    def record(self, stop: int, *, of_set: bool = False) -> Iterator[XmlRecord]:
        """Yield what stands before a place as a record, unless it is blank, or too large, which is told."""
        blank = stop - len(self.data[:stop].lstrip())
        self.drop(blank)
        line = self.line
        if data := self.drop(stop - blank):
            self.number += 1
            record = XmlRecord(data, self.number, self._too_large or line, of_set)
            if self._too_large or len(data) > self._budget.max_file_bytes:
                self._omissions.entry(record_too_large(record.place(self._name), self._budget.max_file_bytes))
            else:
                yield record
        self._too_large = 0


def xml_records(
    file: BinaryIO, name: str, limits: Limits, sets: Mapping[str, tuple[str, ...]], omissions: Omissions
) -> Iterator[XmlRecord]:
    """Yield the records of a file; `sets` are the roots that hold records, each with the roots of these.

    A declaration within a document, quoted in a comment or in a CDATA section, cuts nothing. `omissions` are told where
    the file stops within a set, and of records that are too large.
    """
    source = _Source(file, name, limits, omissions)
    while True:
        while len(source.data) < _PROLOG_BYTES and source.more():
            pass
        if not source.data.strip():
            return
        root = root_name(source.data[:_PROLOG_BYTES].removeprefix(BOM_UTF8).decode("latin-1"))
        if root in sets:
            yield from _members(source, root, sets[root], name, omissions.tell)
        else:
            yield from _document(source, root)


def _document(source: _Source, root: str) -> Iterator[XmlRecord]:
    """Yield one document, up to the declaration, DOCTYPE or root after its closing tag, or to the end of the file."""
    start = re.compile(rb"<\?xml\s|<!DOCTYPE\s|<(?:[\w.-]+:)?%s[\s/>]" % re.escape(root.encode()))
    at = 1
    while True:
        while match := start.search(source.data, at):
            stop = match.start()
            if root and _closes(bytes(source.data[max(0, stop - _CLOSING_BYTES) : stop]), root):
                yield from source.record(stop)
                return
            at = match.end()
        at = source.go_on(max(at, len(source.data) - _TOKEN_BYTES))
        if at < 0:
            yield from source.record(len(source.data))
            return


def _members(
    source: _Source, root: str, names: tuple[str, ...], name: str, warn: Callable[[str], None]
) -> Iterator[XmlRecord]:
    """Yield the members of a set, each in a root of its own; one that is not closed ends where the next begins.

    A set without any is given as its root with its first element, which is empty.
    """
    declaration = _XML_DECLARATION.match(source.data)
    opening = declaration[1] if declaration is not None else b""
    local = root.encode()
    first = _first_element(bytes(source.data[:_CLOSING_BYTES]), local)
    prefixes: dict[bytes, None] = {}
    ended, before = False, source.number
    for kind, stop in _tokens(source, names, root):
        if kind == "member":
            prefix = b"".join(b' xmlns:%s="%s"' % (one, one) for one in prefixes)
            for record in source.record(stop, of_set=True):
                data = b"%s<%s%s>%s</%s>" % (opening, local, prefix, record.data, local)
                yield replace(record, data=data)
        else:
            passed = source.drop(stop)
            ended = ended or kind == "end"
            if len(prefixes) < _MOST_PREFIXES:
                prefixes |= dict.fromkeys(one for one in _PREFIX.findall(passed) if one not in (b"xml", b"xmlns"))
    if source.number == before:
        yield XmlRecord(b"<%s>%s</%s>" % (local, first, local), before + 1, source.line)
    if not ended:
        warn(f"{name} stops before the end of its {root}, at line {source.line:,}; what came after is missing.")


def _first_element(head: bytes, root: bytes) -> bytes:
    """Return a root's first element, without what it holds; a service's notes on its answer do not count."""
    names = (match[1] for match in _OPENING.finditer(head))
    found = next((one for one in names if one not in (root, b"meta")), b"")
    return b"<%s/>" % found if found else b""


def _tokens(source: _Source, names: tuple[str, ...], root: str) -> Iterator[tuple[str, int]]:
    """Yield what to take off the source, and where it ends: a member, or what is between ("other"; "end" of the set).

    Ends with the file, or before the declaration of another document.
    """
    member = b"|".join(re.escape(one.encode()) for one in names)
    token = re.compile(
        rb"<!--|<!\[CDATA\[|(?P<again><\?xml\s)|(?P<open><(?:[\w.-]+:)?(?:%s)[\s/>])|(?P<close></(?:[\w.-]+:)?(?:%s)\s*+>)"
        rb"|(?P<end></(?:[\w.-]+:)?%s\s*+>)" % (member, member, re.escape(root.encode()))
    )
    declaration = _XML_DECLARATION.match(source.data)
    at, inside = declaration.end() if declaration is not None else 1, False
    while True:
        match = token.search(source.data, at)
        if match is None:
            at = max(at, len(source.data) - _TOKEN_BYTES)
            if not inside:
                yield "other", at
                at = 0
            if (at := source.go_on(at)) >= 0:
                continue
            yield "member" if inside else "other", len(source.data)
            return
        kind, at = match.lastgroup, match.end()
        if kind is None:
            at = _past(source, at, _QUOTED[match[0]])
        elif kind in ("open", "again"):
            yield "member" if inside else "other", match.start()
            if kind == "again":
                return
            at, inside = 1, True
        elif kind == "close" and inside:
            yield "member", at
            at, inside = 0, False
        elif kind == "end" and not inside:
            yield "end", at
            at = 0


def _past(source: _Source, at: int, ending: bytes) -> int:
    """Return the place behind what ends a comment or a CDATA section; the end of the file if none does."""
    while (found := source.data.find(ending, at)) < 0:
        at = source.go_on(max(at, len(source.data) - len(ending) + 1))
        if at < 0:
            return len(source.data)
    return found + len(ending)


def _closes(tail: bytes, name: str) -> bool:
    """Return whether bytes end with the closing tag of an element of that local name, or with its only tag."""
    _, opens, tag = tail.rstrip().rpartition(b"<")
    words = tag.strip(b"/>").split()
    whole = tag.endswith(b">") and (tag.startswith(b"/") or tag.endswith(b"/>"))
    return bool(opens and words) and whole and words[0].rpartition(b":")[2] == name.encode("latin-1")

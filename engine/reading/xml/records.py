"""XML into documents, record by record, without reading a file whole.

The USPTO's weekly files are XML documents one after another, each with its own declaration; PubMed Central's and the
EPO's answers are one document that holds many (`cuts` tells how both are cut). A record's root says which reader it
goes to. A record that cannot be read is left out with a warning, and the others come in.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import BinaryIO
from xml.etree.ElementTree import Element

from engine.core.errors import EmptyInputError, InputError, UnsupportedFormatError
from engine.core.files import fingerprint
from engine.documents import Document
from engine.reading.limits import LIMITS, Budget, Limits
from engine.reading.notes import left_out
from engine.reading.omissions import Omissions
from engine.reading.xml.cuts import Record, xml_records
from engine.reading.xml.tree import parse

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
    """The documents of an XML file.

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
    for told in left_out(reader.left_out, name):
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

    def read(self, record: Record) -> Iterator[Document]:
        """The documents of a record; one that is cut short takes those behind it along, which are then read alone."""
        place = record.place(self._name)
        starts = [match.end() for match in _DECLARATION.finditer(record.data) if match.end() > 0]
        if starts:
            try:
                yield from self.omissions.documents(list(self._documents(record)), place)
            except InputError:
                for start, stop in pairwise((0, *starts, len(record.data))):
                    line = record.line + record.data.count(b"\n", 0, start)
                    part = Record(record.data[start:stop], record.number, line)
                    yield from self.omissions.documents(self._documents(part), part.place(self._name))
        else:
            yield from self.omissions.documents(self._documents(record), place)

    def _documents(self, record: Record) -> Iterator[Document]:
        root = parse(
            record.data,
            self._name,
            self._limits,
            first_line=record.line,
            unknown=self._unknown,
            warn=self.omissions.tell,
        )
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
        """The error for a set without members, such as a family that the EPO lists by its numbers alone."""
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

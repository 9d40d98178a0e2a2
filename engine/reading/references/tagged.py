"""Tagged records into documents, streamed: RIS, MEDLINE, EndNote, RefWorks and Web of Science, a dialect each.

rispy 0.10 (MIT) reads RIS and Web of Science: it holds the whole file, drops a last record without `ER` and what stands
outside records in silence, makes an item of a list of each wrapped line, and names no line in an error. nbib 0.3 (MIT),
for MEDLINE, holds the whole file, too, and refuses it at the first line that it does not know.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from engine.documents import Document
from engine.documents.identifiers import DOI, pubmed_number, pubmed_url
from engine.documents.people import PersonName
from engine.documents.text import how_many
from engine.documents.works import Printed
from engine.reading.base import Omissions
from engine.reading.encoding import text_lines
from engine.reading.limits import Limits, record_too_large
from engine.reading.placeholders import first_said
from engine.reading.references.entries import EntryFields, documents

_SHOWN = 60
_END = r"(?>\r\n?|\n)"  # atomic: else each line of two signs could end in two ways
_NEVER = re.compile(r"(?!)")


@dataclass(slots=True)
class TaggedRecord:
    """One record: the lines of each value by its tag, in the order of the file, and the line where it begins."""

    line: int
    place: str
    gap: str
    fields: dict[str, list[list[str]]] = field(default_factory=dict)
    order: list[tuple[str, list[str]]] = field(default_factory=list)
    """The tag and the lines of each value."""
    size: int = 0

    def add(self, tag: str, text: str) -> list[str]:
        """Add a value, and return its lines, which may go on."""
        lines = [text.strip()]
        self.fields.setdefault(tag, []).append(lines)
        self.order.append((tag, lines))
        return lines

    def grow(self, size: int, limits: Limits) -> bool:
        """Count a line; whether the record is too large by now. Of such a one only the tags are kept."""
        self.size += size + 1
        if self.size <= limits.max_record_bytes:
            return False
        self.fields, self.order = {tag: [] for tag in self.fields}, []
        return True

    def within(self, limits: Limits, omissions: Omissions) -> Iterator[TaggedRecord]:
        """Yield the record, unless it is too large, which is told."""
        if self.size <= limits.max_record_bytes:
            yield self
        else:
            omissions.entry(record_too_large(self.place, limits.max_record_bytes))

    def all(self, *tags: str) -> list[str]:
        """Return the values of some tags that are not empty, in the order of the tags."""
        values = (self.gap.join(lines).strip() for tag in tags for lines in self.fields.get(tag, ()))
        return [value for value in values if value]

    def first(self, *tags: str) -> str:
        """Return the first value that says something, else the first that is not empty."""
        return first_said(self.all(*tags))

    def lines(self, *tags: str) -> list[str]:
        """Return the lines of the values of some tags, where each line is a value of its own."""
        return [line for tag in tags for lines in self.fields.get(tag, ()) for line in lines if line]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How one program writes records.

    `opening` matches the head of a file of it, `named` is looked for where the file's name promises the dialect.
    `tagged` matches a line that begins a value, with its tag and its text as groups. A record begins with a tag of
    `begins`; where `ends` names tags that end one, nothing outside belongs to a record, and `around` are the tags that
    may stand there; what has one of `heads` is a record, though its tag comes late or never. Without `ends` a record
    also begins after a blank line, with the tag that the one before began with; where `parted`, with any tag that this
    one has already. `gap` joins the lines of a value, and `notes` are lines of the provider within records. Where
    `paragraphs` names tags, only their values go on after a blank line. `read_record` takes the fields from a record.
    """

    opening: re.Pattern[str]
    named: re.Pattern[str] = _NEVER
    tagged: re.Pattern[str]
    begins: frozenset[str]
    ends: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    parted: bool = False
    gap: str = "\n"
    notes: re.Pattern[str] = _NEVER
    paragraphs: frozenset[str] = frozenset()
    read_record: Callable[[TaggedRecord], EntryFields]

    def lacks_its_tag(self, record: TaggedRecord) -> bool:
        """Tell whether the tag has not come that begins a record."""
        return self.begins.isdisjoint(record.fields)

    def opens(self, text: str, *, sure: bool) -> bool:
        """Return whether a text begins with a record; with `sure` the file's name says so, and less will do."""
        return self.opening.match(text) is not None or (sure and self.named.search(text) is not None)

    def read(self, file: BinaryIO, name: str, limits: Limits, warn: Callable[[str], None]) -> Iterator[Document]:
        """Read the documents of a file; `warn` is told what was left out."""
        omissions = Omissions(warn, limits)
        lines = text_lines(file, name, limits, warn=warn, omit=omissions.value)
        records = read_records(lines, self, name, limits, omissions)
        return documents(records, self.read_record, omissions, name, limits)


def read_records(
    lines: Iterable[str], dialect: Dialect, name: str, limits: Limits, omissions: Omissions
) -> Iterator[TaggedRecord]:
    """Yield the records of a file; `omissions` hear of tagged lines outside of records, and of records too large."""
    outside = _Outside(name, dialect)
    record: TaggedRecord | None = None
    last: list[str] | None = None
    blank = goes_on = True
    for number, line in enumerate(lines, start=1):
        line = line.lstrip("\ufeff").rstrip()
        match = dialect.tagged.match(line)
        tag = match[1] if match is not None else ""
        if record is not None and tag and (tag in dialect.ends or _begins_next(tag, record, dialect, blank=blank)):
            yield from outside.passed(record, limits, omissions)
            record = last = None
        if match is not None and tag not in dialect.ends:
            if record is None and (tag in dialect.begins or not dialect.ends or dialect.heads):
                record = TaggedRecord(number, f"the record of line {number} of {name}", dialect.gap)
            if record is None:
                outside.add(number, line)
            else:
                last, goes_on = record.add(tag, match[2]), not dialect.paragraphs or tag in dialect.paragraphs
        elif last is not None and line and not goes_on and blank:
            outside.add(number, line, record)
            last = None
        elif last is not None and not tag and not dialect.notes.match(line):
            last.append(line.strip())  # a value that goes on in the next line
        blank = not line.strip()
        if record is not None and record.grow(len(line), limits):
            last = None
    if record is not None:
        yield from outside.passed(record, limits, omissions)
    outside.tell(omissions)


def _begins_next(tag: str, record: TaggedRecord, dialect: Dialect, *, blank: bool) -> bool:
    """Return whether a tag begins the record after this one."""
    typed = not dialect.lacks_its_tag(record)
    if tag in dialect.begins and (dialect.ends or tag in record.fields):
        return typed or blank or dialect.heads.isdisjoint(record.fields)
    if not blank or tag not in record.fields or (dialect.ends and tag in dialect.begins):
        return False
    first = next(iter(record.fields))
    return (tag == first and (not dialect.ends or first not in dialect.begins)) or (dialect.parted and not typed)


class _Outside:
    """The tagged lines that belong to no record."""

    def __init__(self, name: str, dialect: Dialect) -> None:
        self._name, self._dialect = name, dialect
        self._count, self._first = 0, ""

    def passed(self, record: TaggedRecord, limits: Limits, omissions: Omissions) -> Iterator[TaggedRecord]:
        """Yield a record that ends here; the lines of one that never began are counted."""
        headed = not self._dialect.heads.isdisjoint(record.fields)
        if headed or not self._dialect.ends or not self._dialect.lacks_its_tag(record):
            yield from record.within(limits, omissions)
            return
        for tag, values in record.fields.items():
            for value in values:
                self.add(record.line, f"{tag}  - {value[0]}")

    def add(self, number: int, line: str, within: TaggedRecord | None = None) -> None:
        """Count a line, unless it is one that may stand there, or stands in lines outside itself."""
        if line.split(maxsplit=1)[0] in self._dialect.around or (within and self._dialect.lacks_its_tag(within)):
            return
        self._count += 1
        self._first = self._first or f"line {number}: {line[:_SHOWN]!r}"

    def tell(self, omissions: Omissions) -> None:
        if self._count:
            lines = f"{how_many(self._count, 'line')} of {self._name} outside of its records"
            omissions.tell(f"{lines} were left out, the first of them {self._first}.")


def _people(values: Iterable[str]) -> list[str]:
    """Return the names in values that are one each, or several between semicolons."""
    return [name for value in values for name in re.split("[;；]", html.unescape(value))]


def _authors(record: TaggedRecord) -> list[str]:
    """Return the authors under AU and A1: some programs write all under both, some the first alone under one."""
    found: list[tuple[str, str]] = []
    for tag, lines in record.order if record.fields.keys() & {"AU", "A1"} else ():
        known = [name for other, name in found if other != tag]
        for name in _people([record.gap.join(lines).strip()]) if tag in ("AU", "A1") else ():
            person = PersonName.read(name) if known else None
            if name and name not in known and (person is None or not any(map(person.fits, known))):
                found.append((tag, name))
    return [name for _, name in found]


def _read_ris(record: TaggedRecord) -> EntryFields:
    """Read RIS, from `TY` to `ER`, or to the next `TY` where `ER` is missing."""
    patent = record.first("TY").upper() in ("PAT", "PATENT")
    titles: tuple[str, ...] = ("TI", "T1", "CT")
    titles = titles if record.fields.keys() & set(titles) else ("BT", "T2")
    venues = ("PB", "T2") if patent else ("T2", "JO", "JF", "JA", "J2", "BT", "SO", "PB")
    return EntryFields(
        record.place,
        patent,
        title=record.first(*titles),
        abstract=record.first("AB", "N2"),
        authors=_authors(record) or (_people(record.all("A2") or record.all("ED")) if not patent else []),
        date=record.first("PY", "Y1", "YR", "DA"),
        printed=Printed(record.first("VL"), record.first("IS", "CP"), record.first("SP", "EP")),
        venue=record.first(*(tag for tag in venues if tag not in titles)),
        keywords=[word for one in record.all("KW", "KY") for word in re.split(r"[;\n]", one)],
        doi=record.first("DO", "DOI", "DI"),
        identifiers=record.all("SN", "AN", "M1", "C1"),
        urls=record.all("UR", "L2", "LK", "US"),
    )


_RIS_TAGS = (
    "TY|A[1-4BDNUV]|BT|C[1-8ANPTY]|D[ABOPI]|DOI|E[DPRT]|I[DPS]|J[12AFO]|K[WY]|L[1-4ABK]|M[1-3]|N[12OV]|OP|P[BMPTY]|"
    "R[INP]|S[ENOPT]|T[1-3AIT]|U[1-5RS]|V[LO]|XR|Y[12R]"
)
"""The tags that are known where blanks are missing, as in "AU- Lind"; others look like words with a hyphen."""
_RIS_RECORD = rf"[ \t]{{0,8}}TY[ \t]{{0,4}}-[ \t]*+[A-Z]{{3,8}}[ \t]*+{_END}\s*+[A-Z][A-Z0-9]{{1,3}}[ \t]{{0,4}}-"
RIS = Dialect(
    opening=re.compile(
        rf"\ufeff?(?:[^\r\n]*+{_END}){{0,20}}?{_RIS_RECORD}"  # below lines about its provider, or without types
        rf"|\ufeff?\s*+(?=(?:[^\r\n]*+{_END}){{0,99}}?T[I1] {{1,2}}- )(?:{_RIS_TAGS}) {{1,2}}- "
        rf"(?:[^\r\n]*+{_END}){{0,99}}?ER {{1,2}}-"
    ),
    named=re.compile(
        rf"(?:\A\ufeff?|[\r\n])[ \t]{{0,8}}TY[ \t]{{0,4}}-[^\r\n]*+{_END}\s*+[A-Z][A-Z0-9]{{1,3}}[ \t]{{0,4}}-"
    ),
    tagged=re.compile(
        rf"[ \t]{{0,8}}((?:{_RIS_TAGS})(?=[ \t]*+-(?:[ \t]|$))|[A-Z][A-Z0-9](?=  ?-(?:[ \t]|$)|  ++-))"
        r"[ \t]*+-[ \t]*+(.*)"
    ),
    begins=frozenset({"TY"}),
    ends=frozenset({"ER"}),
    heads=frozenset({"TI", "T1", "AU", "A1"}),
    paragraphs=frozenset({"AB", "N2", "N1"}),
    notes=re.compile(r"Link to the Ovid Full Text|Record #\d+ of |Provider:|Content: ?text/|<?\d+\. ?>?$"),
    read_record=_read_ris,
)


_MEDLINE_DOI = re.compile(rf"(?<!\S)({DOI}\S{{1,300}}?)\s{{0,9}}\[doi\]", re.IGNORECASE)


def _read_medline(record: TaggedRecord) -> EntryFields:
    """Read MEDLINE, as PubMed exports it (.nbib): four places of tag, a hyphen, wrapped lines indented."""
    number = pubmed_number("".join(record.first("PMID", "UI").split()[:1]))
    marked = (_MEDLINE_DOI.search(value) for value in record.all("LID", "AID", "SO", "DO"))
    doi = next((found[1] for found in marked if found is not None), "")
    return EntryFields(
        record.place,
        title=record.first("TI", "BTI", "TT"),
        abstract=record.first("AB", "OAB"),
        authors=next(filter(None, map(record.all, ("FAU", "AU", "FED", "ED"))), []) + record.all("CN"),
        date=record.first("DP", "DEP", "YR", "EDAT", "CRDT"),
        printed=Printed(record.first("VI"), record.first("IP"), record.first("PG")),
        venue=record.first("JT", "TA", "CTI", "SO", "PB"),
        keywords=[word.lstrip("*") for one in record.all("OT", "MH", "KW") for word in one.split(";")],
        doi=doi or record.first("DO"),
        identifiers=[f"pmid:{number}"] if number else [],
        urls=[pubmed_url(number)] if number and not doi else [],
    )


_MEDLINE_TAG = r"[A-Z][A-Z0-9]{1,3} {0,2}- "
MEDLINE = Dialect(
    opening=re.compile(
        rf"\ufeff?\s*+(?:{_MEDLINE_TAG}[^\r\n]*+{_END}(?:[ \t][^\r\n]*+{_END})*+){{0,30}}?"
        r"(?:PMID ?- ?\d|OWN ?- |STAT- |UI  ?- ?\d)"
    ),
    named=re.compile(rf"\A\ufeff?\s*+{_MEDLINE_TAG}"),
    tagged=re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,2}-(?: +|$)(.*)"),
    begins=frozenset({"PMID", "UI"}),
    gap=" ",
    read_record=_read_medline,
)


def _read_endnote(record: TaggedRecord) -> EntryFields:
    """Read EndNote's export (.enw), also of Google Scholar: `%`, a character of tag, a blank and a value."""
    patent = "patent" in record.first("0").lower()
    return EntryFields(
        record.place,
        patent,
        title=record.first("T", "!"),
        abstract=record.first("X"),
        authors=_people(record.all("A") or record.all("E", "Y")),
        date=record.first("D", "8", "7"),
        printed=Printed(record.first("V"), record.first("N"), record.first("P")),
        venue=record.first(*("I?B" if patent else "JBSI")),
        keywords=[word for one in record.all("K") for word in re.split(r"[;\n]", one)],
        doi=record.first("R"),
        identifiers=record.all("@", "M", "N"),
        urls=record.all("U", ">"),
    )


_REFER_VALUE = rf"%[A-Z0-9] [^\r\n]*+{_END}(?:[^%\r\n][^\r\n]*+{_END})*+"
ENDNOTE = Dialect(
    opening=re.compile(
        r"\ufeff?\s*+(?:%0 +[A-Z][\w ()/-]*+[\r\n]\s*+%\S(?: |[\r\n])"  # with its type, or as refer writes it
        rf"|(?=(?:{_REFER_VALUE}){{0,40}}?%T [^\r\n])(?=(?:{_REFER_VALUE}){{0,40}}?%[ADEJIX] [^\r\n])"
        rf"(?:{_REFER_VALUE}){{2}})"
    ),
    tagged=re.compile(r"%([A-Z0-9!@#$&()*+<>?\[\]^~=|])(?: +|$)(.*)"),
    begins=frozenset({"0"}),
    parted=True,
    read_record=_read_endnote,
)


_AFTER_COMMA = re.compile(r",(?=\S)")


def _read_refworks(record: TaggedRecord) -> EntryFields:
    """Read RefWorks' export: a tag of two characters, a blank and a value; a record begins with `RT`."""
    patent = "patent" in record.first("RT").lower()
    return EntryFields(
        record.place,
        patent,
        title=record.first("T1"),
        abstract=record.first("AB"),
        authors=[_AFTER_COMMA.sub(", ", name) for name in _people(record.all("A1") or record.all("A2"))],
        date=record.first("YR", "FD"),
        printed=Printed(record.first("VO"), record.first("IS"), record.first("SP")),
        venue=record.first("PB") if patent else record.first("JF", "JO", "T2", "PB"),
        keywords=[word for one in record.all("K1") for word in re.split(r"[;\n]", one)],
        doi=record.first("DO"),
        identifiers=record.all("PN", "ID"),
        urls=record.all("LK", "UL"),
    )


REFWORKS = Dialect(
    opening=re.compile(
        rf"\ufeff?\s*+(?:(?i:RefWorks Export)[^\r\n]*+{_END}(?:[^\r\n]*+{_END}){{0,200}}?)?"
        rf"RT (?:Journal|Book|Conference|Dissertation|Thesis|Report|Web|Generic|Patent|Magazine|Newspaper|"
        rf"Unpublished|Case|Abstract|Dataset)[^\r\n]*+{_END}(?:[A-Z][A-Z0-9] [^\r\n]*+{_END}){{1,30}}?[AT]1 "
    ),
    tagged=re.compile(r"([A-Z][A-Z0-9])(?: |$)(.*)"),
    begins=frozenset({"RT"}),
    notes=re.compile(r"ER$|<\?|END [A-Z ]{2,30}$"),
    read_record=_read_refworks,
)


_PATENT_NUMBER = re.compile(r"[A-Z]{2}\d[\dA-Z]*+(?:-[A-Z]\d?)?")


def _read_web_of_science(record: TaggedRecord) -> EntryFields:
    """Read Web of Science's plain text (.ciw, savedrecs.txt), also Derwent's: wrapped lines are indented."""
    patent = record.first("PT") == "P"
    numbers = [number.replace("-", "") for number in _PATENT_NUMBER.findall(record.first("PN"))] if patent else []
    people = next(filter(None, (record.lines(tag) for tag in ("AF", "AU", "BE", "ED"))), [])
    dates = ("PD", "PY") if patent else ("PY", "EY", "PD")
    return EntryFields(
        record.place,
        patent,
        title=record.first("TI"),
        abstract=record.first("AB"),
        authors=people + record.lines("CA", "GP") if not patent else people,
        date=record.first(*dates),
        printed=Printed(record.first("VL"), record.first("IS"), record.first("BP", "AR")),
        venue=record.first("AE") if patent else record.first("SO", "SE", "PU"),
        keywords=[word for one in record.all("DE", "ID") for word in one.split(";")],
        categories=[one for value in record.all("WC", "SC") for one in value.split(";")],
        doi=record.first("DI"),
        identifiers=numbers,
    )


WEB_OF_SCIENCE = Dialect(
    opening=re.compile(rf"\ufeff?\s*+(?:FN [^\r\n]*+{_END}VR \d|PT [ABCJPS]{_END}[A-Z][A-Z0-9] )"),
    tagged=re.compile(r"([A-Z][A-Z0-9])(?: |$)(.*)"),
    begins=frozenset({"PT"}),
    ends=frozenset({"ER"}),
    around=frozenset({"FN", "VR", "EF"}),
    gap=" ",
    read_record=_read_web_of_science,
)

"""BibTeX and BibLaTeX into documents, streamed: one entry is held at a time, with `@string` names put in.

Braces count as TeX counts them: one after a backslash is a character. BibTeX counts it as a brace, so
an entry that closes only by BibTeX's count is read by that one. `@comment`, `@preamble` and whatever stands
between entries, such as lines that begin with `%`, are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import BinaryIO, Self

from engine.core.errors import InputError, InputTooLargeError, MalformedFileError, TruncatedFileError
from engine.documents import Document
from engine.documents.dates import year_in
from engine.documents.people import HOMONYM, split_names
from engine.documents.works import Printed
from engine.reading.base import Omissions
from engine.reading.encoding import text_lines
from engine.reading.formulas import readable
from engine.reading.latex.tex import plain
from engine.reading.limits import LIMITS, Limits, record_too_large
from engine.reading.placeholders import first_said
from engine.reading.references.entries import EntryFields, documents

_LINES = r"""
aj Astronomical Journal
actaa Acta Astronomica
araa Annual Review of Astronomy and Astrophysics
apj Astrophysical Journal
apjl Astrophysical Journal Letters
apjs Astrophysical Journal Supplement
ao Applied Optics
apss Astrophysics and Space Science
aap Astronomy & Astrophysics
aapr Astronomy and Astrophysics Reviews
aaps Astronomy & Astrophysics Supplement
azh Astronomicheskii Zhurnal
baas Bulletin of the American Astronomical Society
bac Bulletin of the Astronomical Institutes of Czechoslovakia
bain Bulletin of the Astronomical Institutes of the Netherlands
caa Chinese Astronomy and Astrophysics
cjaa Chinese Journal of Astronomy and Astrophysics
fcp Fundamentals of Cosmic Physics
gca Geochimica et Cosmochimica Acta
grl Geophysical Research Letters
iaucirc IAU Circulars
icarus Icarus
jcap Journal of Cosmology and Astroparticle Physics
jcp Journal of Chemical Physics
jgr Journal of Geophysical Research
jqsrt Journal of Quantitative Spectroscopy and Radiative Transfer
jrasc Journal of the Royal Astronomical Society of Canada
maps Meteoritics and Planetary Science
memras Memoirs of the Royal Astronomical Society
memsai Memorie della Società Astronomica Italiana
mnras Monthly Notices of the Royal Astronomical Society
na New Astronomy
nar New Astronomy Reviews
nat Nature
nphysa Nuclear Physics A
pasa Publications of the Astronomical Society of Australia
pasj Publications of the Astronomical Society of Japan
pasp Publications of the Astronomical Society of the Pacific
physrep Physics Reports
physscr Physica Scripta
planss Planetary and Space Science
pra Physical Review A
prb Physical Review B
prc Physical Review C
prd Physical Review D
pre Physical Review E
prl Physical Review Letters
procspie Proceedings of SPIE
psj Planetary Science Journal
qjras Quarterly Journal of the Royal Astronomical Society
rmxaa Revista Mexicana de Astronomía y Astrofísica
skytel Sky and Telescope
solphys Solar Physics
sovast Soviet Astronomy
ssr Space Science Reviews
zap Zeitschrift für Astrophysik
"""

JOURNALS: dict[str, str] = {
    macro: name for macro, _, name in (line.partition(" ") for line in _LINES.strip().splitlines())
}
"""The name of a journal by its macro."""


_TYPES = (
    "article|book|booklet|collection|conference|comment|dataset|inbook|incollection|inproceedings|manual|"
    "mastersthesis|misc|online|patent|phdthesis|preamble|proceedings|report|software|string|techreport|thesis|"
    "unpublished"
)
_LOOKS = re.compile(
    rf"(?:Scopus\s{{1,9}}EXPORT DATE:[^\n]*\n|Record #\d{{1,9}} of \d{{1,9}}[^\S\n]*+\n)?"
    rf"(?:[ \t\r]*(?:%[^\n]*)?\n)*[ \t]*@(?:{_TYPES})\s*[{{(]",
    re.IGNORECASE,
)
_LOOKS_NAMED = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]+\s*[{(]", re.MULTILINE)
_VENUES = (
    "journal", "journaltitle", "booktitle", "school", "institution", "organization", "howpublished", "publisher",
)  # fmt: skip
_ASSIGNEES = ("holder", "assignee", "howpublished", "organization", "publisher")
_AND = re.compile(r"\\.|[{}]| and(?= )", re.IGNORECASE | re.DOTALL)
_URL = re.compile(r"https?://[^\s{}\\]+", re.IGNORECASE)
_TILDE = re.compile(r"\{?\\(?:textasciitilde|~)(?:\{\})?\}?|\$\\sim\$")
_PART = re.compile(r"(?:^|,)\s*+(family|given|prefix|suffix)\s*+=\s*+([^,]*+)", re.IGNORECASE)
_MOST_COMMAS = 2  # "von Last, Jr, First"
_ESCAPED = re.compile(r"\\([_%&#$])")
_FROM_PARENTS = {"year": "year", "date": "date", "publisher": "publisher", "booktitle": "title"}
"""What an entry takes from its parent, and from which of its fields where that has none of the same name."""


def looks_like_bibtex(text: str, *, sure: bool) -> bool:
    """Return whether a text begins with an entry, blank and `%` lines aside; with `sure` one may stand anywhere."""
    text = text.lstrip("\ufeff")
    return _LOOKS.match(text) is not None or (sure and _LOOKS_NAMED.search(text) is not None)


def read_bibtex(file: BinaryIO, name: str, limits: Limits, warn: Callable[[str], None]) -> Iterator[Document]:
    """Return the documents of a BibTeX file; `warn` is told what was left out."""
    omissions = Omissions(warn, limits)
    lines = text_lines(file, name, limits, warn=warn, omit=omissions.value)
    entries = read_entries(lines, name, omissions, limits)
    completed = _with_parents(entries, most=limits.max_list_items)
    return documents(completed, lambda entry: _reference(entry, limits), omissions, name, limits)


def _with_parents(entries: Iterable[BibtexEntry], *, most: int) -> Iterator[BibtexEntry]:
    """Yield the entries, each with what it lacks and its parent has, which it names by "crossref".

    So a paper gets its proceedings' year and title. It comes once its parent has come, or at the end. At most `most`
    entries wait and as many parents are known at a time; what is beyond stays as it is.
    """
    parents: dict[str, dict[str, str]] = {}
    waiting: dict[str, list[BibtexEntry]] = {}
    count = 0
    for entry in entries:
        parent = entry.fields.get("crossref", "").strip().lower()
        if entry.key and len(parents) < most:
            taken = {
                name: entry.fields.get(name) or entry.fields.get(other, "") for name, other in _FROM_PARENTS.items()
            }
            parents[entry.key.lower()] = {name: value for name, value in taken.items() if value}
        if not parent or (parent not in parents and count >= most):
            yield entry
        elif parent in parents:
            yield _completed(entry, parents[parent])
        else:
            waiting.setdefault(parent, []).append(entry)
            count += 1
        for child in waiting.pop(entry.key.lower(), ()) if entry.key else ():
            count -= 1
            yield _completed(child, parents.get(entry.key.lower(), {}))
    for children in waiting.values():
        yield from children


def _completed(entry: BibtexEntry, parent: dict[str, str]) -> BibtexEntry:
    """Return an entry with what it lacks; a year and a date say the same."""
    own = {name: value for name, value in entry.fields.items() if value.strip()}
    lacking = {name: value for name, value in parent.items() if name not in own}
    if own.keys() & {"year", "date"}:
        lacking = {name: value for name, value in lacking.items() if name not in ("year", "date")}
    return replace(entry, fields={**entry.fields, **lacking})


def _reference(entry: BibtexEntry, limits: Limits) -> EntryFields:
    fields = entry.fields

    def text(*names: str) -> str:
        found = first_said(value for name in names if (value := fields.get(name, "").strip()))
        return plain(readable(found), entry.place, limits)

    patent = entry.kind == "patent" or "patent" in fields.get("type", "").lower()
    title, subtitle = text("title"), text("subtitle")
    return EntryFields(
        entry.place,
        patent,
        title=f"{title.rstrip(': ')}: {subtitle}" if subtitle.strip() else title,
        abstract=text("abstract"),
        authors=[plain(readable(one), entry.place, limits) for one in _people(fields)],
        date=next((found for name in ("year", "date") if year_in(found := text(name))), text("year", "date")),
        printed=Printed(text("volume"), text("number", "issue"), text("pages", "eid")),
        venue=_venue(_journal(fields) or text(*(_ASSIGNEES if patent else _VENUES))),
        keywords=re.split(r"[,;]", text("keywords", "keyword")),
        categories=[text("primaryclass", "eprintclass")],
        doi=_address(fields.get("doi", "")),
        arxiv=_arxiv(fields),
        identifiers=[text("number"), text("note"), f"pmid:{text('pmid')}"],
        urls=_urls(fields),
    )


def _people(fields: dict[str, str]) -> list[str]:
    """Return the authors, else the editors; names in BibLaTeX's parts ("family=Lind, given=Ada") as one text each."""
    names = _names(fields.get("author") or fields.get("editor", ""))
    return [one for name in names for one in _of_parts(name)]


def _of_parts(name: str) -> list[str]:
    parts = {match[1].lower(): match[2].strip(' "') for match in _PART.finditer(name)}
    if "family" not in parts:
        name = HOMONYM.sub("", name)
        return split_names(name) if name.count(",") > _MOST_COMMAS and "{" not in name else [name]
    family = " ".join(filter(None, (parts.get("prefix", ""), parts["family"])))
    return [", ".join(filter(None, (family, parts.get("suffix", ""), parts.get("given", ""))))]


def _journal(fields: dict[str, str]) -> str:
    """Return the journal of a macro of the Astrophysics Data System's."""
    name = fields.get("journal", "").strip().strip("{}").strip()
    return JOURNALS.get(name[1:], "") if name.startswith("\\") else ""


def _names(value: str) -> list[str]:
    """Return the names between "and"s that stand outside braces; "others" is left out."""
    value = " ".join(value.split())
    names, begin, depth = [], 0, 0
    for match in _AND.finditer(value):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth <= 0 and match[0].lower() == " and":
            names.append(value[begin : match.start()])
            begin = match.end() + 1
    names.append(value[begin:])
    return [name for name in names if name.strip() not in ("", "others")]


def _venue(text: str) -> str:
    """Return how it was published, unless that is a link."""
    return "" if _URL.match(text.strip()) else text


def _arxiv(fields: dict[str, str]) -> str:
    archive = fields.get("archiveprefix") or fields.get("eprinttype", "")
    given = _address(fields.get("eprint", ""))
    return given if archive.strip().lower() == "arxiv" or given.lower().startswith("arxiv:") else ""


def _urls(fields: dict[str, str]) -> list[str]:
    """Return the links of an entry: its own, then what "howpublished" and "note" hold."""
    own = _address(fields.get("url", ""))
    found = (_URL.search(_address(fields.get(name, ""))) for name in ("howpublished", "note"))
    return [own, *(match[0].rstrip(".,;") for match in found if match is not None)]


def _address(value: str) -> str:
    r"""Return an address or identifier as it stands, but for what TeX needs: `\_` is `_`, `\url{...}` its argument."""
    value = _ESCAPED.sub(r"\1", _TILDE.sub("~", value)).replace("\\url", "")
    return value.replace("{", "").replace("}", "").strip()


_START = re.compile(r"@\s*+([A-Za-z]++)\s*+([{(])")
_SURE_START = re.compile(
    rf"[ \t]*+@\s*+(?:[A-Za-z]++\s*+[{{(]\s*+[^\s,{{}}()\"=]++\s*+,|(?i:{_TYPES})\s*+[{{(][^,{{}}\"=\n]{{0,99}}+,|"
    r"(?i:string)\s*+[{(]\s*+[\w:.-]++\s*+=)"
)
_STRAY = re.compile(r"\s*+[A-Za-z]++\s*+=\s*+[{\"]")  # what follows an entry that a brace too many has closed
_COMMENT = re.compile(r"\s*+%")
_MARK = re.compile(r"\\.|[{})\"]", re.DOTALL)
_KEY = re.compile(r"\s*+(?:[^,={}\"\n]*+,|[^\s,={}\"]*+\s*+(?:,|\Z))")  # BibTeX allows no blank in a key; people do
_FIELD = re.compile(r"[\s,]*+([^\s=,{}\"#()]++(?:[ \t]++[^\s=,{}\"#()]++)*+)\s*+=\s*+")  # Scopus: "funding_text 1"
_JOINT = re.compile(r"\s*+#\s*+")
_BARE = re.compile(r"[^\s,{}\"#]++")
_REST = re.compile(r"[\s,]*+")
_IN_VALUE = {True: re.compile(r"\\.|[{}\"]", re.DOTALL), False: re.compile(r"[{}\"]")}
_PASSED_OVER = frozenset({"comment", "preamble"})


@dataclass(frozen=True, slots=True)
class BibtexEntry:
    """One entry: its type and fields in lower case, values without their outer braces, and where it stands."""

    kind: str
    fields: dict[str, str]
    place: str
    key: str = ""


@dataclass(slots=True)
class _Open:
    """An entry whose end has not come; depths by TeX's count and by BibTeX's.

    A parenthesis in quotation marks does not end an entry in parentheses.
    """

    kind: str
    line: int
    closing: str
    most: int
    parts: list[str] = field(default_factory=list)
    size: int = 0
    depth: int = 1
    strict: int = 1
    quoted: bool = False

    def take(self, line: str, at: int) -> int:
        """Take a line in, from `at`; the place after the entry's end, or -1 where it goes on."""
        for match in _MARK.finditer(line, at):
            mark = match[0]
            if mark in ("\\{", "\\}"):
                self.strict += 1 if mark == "\\{" else -1
            elif mark == "{":
                self.depth, self.strict = self.depth + 1, self.strict + 1
            elif mark == "}" and (self.depth > 1 or self.closing == "}"):
                self.depth, self.strict = self.depth - 1, self.strict - 1
            elif mark == '"' and self.depth == 1:
                self.quoted = not self.quoted
            ends = self.depth == 0 if self.closing == "}" else self.depth == 1 and not self.quoted
            if ends and mark == self.closing:
                self._add(line[at : match.start()])
                return match.end()
        self._add(line[at:])
        return -1

    def _add(self, text: str) -> None:
        self.size += len(text)
        if self.size <= self.most:
            self.parts.append(text)
        else:
            self.parts.clear()

    def within(self, name: str, omissions: Omissions) -> Iterator[Self]:
        """Yield the entry, unless it is too large, which is told."""
        if self.size <= self.most:
            yield self
        else:
            omissions.entry(record_too_large(f"the entry of line {self.line} of {name}", self.most))

    @property
    def text(self) -> str:
        return "".join(self.parts)


def read_entries(
    lines: Iterable[str], name: str, omissions: Omissions, limits: Limits = LIMITS
) -> Iterator[BibtexEntry]:
    """Yield the entries of a file; `omissions` are told of those that cannot be read."""
    macros: dict[str, str] = {}
    told = False
    for opened, escapes in _cut(lines, name, omissions, limits):
        place = f"the entry of line {opened.line} of {name}"
        try:
            if opened.kind == "string":
                values = _Values(opened.text, place, macros, escapes, limits)
                named = _fields(values, limits.max_macro_characters)
                if len(macros.keys() | named.keys()) <= limits.max_macros:
                    macros |= named
                elif not told:
                    told = True
                    omissions.value(_too_many_macros(place, limits))
            elif opened.kind not in _PASSED_OVER:
                yield _entry(opened, _Values(opened.text, place, macros, escapes, limits))
        except InputError as error:
            omissions.entry(error)


def _entry(opened: _Open, values: _Values) -> BibtexEntry:
    key = _KEY.match(values.text)
    values.at = 0 if key is None else key.end()
    name = "" if key is None else key[0].strip(" \t\r\n,")
    return BibtexEntry(opened.kind, _fields(values, values.limits.max_record_bytes), values.place, name)


def _cut(lines: Iterable[str], name: str, omissions: Omissions, limits: Limits) -> Iterator[tuple[_Open, bool]]:
    """Yield each entry's text, and whether its braces count as TeX counts them."""
    opened: _Open | None = None
    stray = 0
    for number, line in enumerate(lines, start=1):
        if opened is not None and _SURE_START.match(line):
            error: InputError = MalformedFileError(
                f"Expected the entry of line {opened.line} of {name} to close before the next one in line {number}. "
                "Close its braces, or take the entry out."
            )
            yield from _unclosed(opened, name, omissions, error)
            opened = None
        at = 0
        commented = _COMMENT.match(line) is not None
        stray = stray or (number if opened is None and _STRAY.match(line) else 0)
        while 0 <= at < len(line):
            if opened is None:
                start = _START.search(line, at)
                if start is None or commented:
                    break
                closing = "}" if start[2] == "{" else ")"
                opened, at = _Open(start[1].lower(), number, closing, limits.max_record_bytes), start.end()
            at = opened.take(line, at)
            if at >= 0:
                yield from ((one, True) for one in opened.within(name, omissions))
                opened = None
    if stray:
        omissions.tell(f"Fields outside of entries of {name} were left out, the first of them in line {stray}.")
    if opened is not None and opened.kind not in _PASSED_OVER:
        error = TruncatedFileError(
            f"Expected the entry of line {opened.line} of {name} to close; the file stops before. "
            "Close its braces, or fetch the file again."
        )
        yield from _unclosed(opened, name, omissions, error)


def _unclosed(opened: _Open, name: str, omissions: Omissions, error: InputError) -> Iterator[tuple[_Open, bool]]:
    """Yield an entry that is still open, if it closes as BibTeX counts; else it is left out for the error."""
    if opened.strict <= 0 or opened.size > opened.most:
        yield from ((one, False) for one in opened.within(name, omissions))
    else:
        omissions.entry(error)


@dataclass(slots=True)
class _Values:
    """The fields of one entry, read from left to right."""

    text: str
    place: str
    macros: dict[str, str]
    escapes: bool
    limits: Limits
    at: int = 0

    def name(self) -> str:
        """Return the next field's name; empty at the end."""
        match = _FIELD.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
            return match[1].lower()
        rest = _REST.match(self.text, self.at)
        self.at = rest.end() if rest is not None else self.at
        if self.at < len(self.text.rstrip("}) \t\r\n")):
            raise self._unreadable(self.text[self.at : self.at + 40])
        return ""

    def value(self, longest: int) -> str:
        """Return the next value: braced, quoted, a number or a name, or several of these joined by `#`."""
        parts: list[str] = []
        size = 0
        while True:
            parts.append(self._part())
            size += len(parts[-1])
            if size > longest:
                raise InputTooLargeError(
                    f"Expected values of at most {longest:,} characters in {self.place}; one is longer. Shorten it."
                )
            joint = _JOINT.match(self.text, self.at)
            if joint is None:
                return "".join(parts)
            self.at = joint.end()

    def _part(self) -> str:
        opening = self.text[self.at : self.at + 1]
        if opening in ("{", '"') and opening:
            begin, self.at = self.at + 1, self._end(opening)
            return self.text[begin : self.at - 1]
        bare = _BARE.match(self.text, self.at)
        if bare is None:
            return ""
        self.at = bare.end()
        return self.macros.get(bare[0].lower(), bare[0])

    def _end(self, opening: str) -> int:
        """Return the place after the mark that closes the value which opens here."""
        depth = 0
        for match in _IN_VALUE[self.escapes].finditer(self.text, self.at + 1):
            if match[0] == "{":
                depth += 1
            elif match[0] == "}":
                depth -= 1
            if (depth < 0 and opening == "{") or (match[0] == '"' == opening and depth <= 0):
                return match.end()
        raise self._unreadable(self.text[self.at : self.at + 40])

    def _unreadable(self, found: str) -> MalformedFileError:
        return MalformedFileError(
            f"Expected fields like title = {{...}} in {self.place}, found {' '.join(found.split())!r}. "
            "Close its braces and quotation marks, or take the entry out."
        )


def _fields(values: _Values, longest: int) -> dict[str, str]:
    """Return the values by name; of a name that comes twice, the first, as in BibTeX."""
    found: dict[str, str] = {}
    while name := values.name():
        value = values.value(longest)
        found.setdefault(name, value)
    return found


def _too_many_macros(place: str, limits: Limits) -> InputTooLargeError:
    return InputTooLargeError(
        f"Expected at most {limits.max_macros:,} @string names before {place}; names from there on are not known. "
        "Write their values out."
    )

"""One row of a table, or one JSON object, into a document; errors name the row and the column."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from engine.core.errors import InputError, InputTooLargeError, MalformedFileError, MissingColumnError
from engine.documents import KINDS, Document, Identifier, Kind, Section, SectionRole, identifiers
from engine.documents.document import UNTITLED
from engine.documents.patents import numbered_claims, patent_url
from engine.documents.text import one_line, tidy
from engine.documents.works import Printed
from engine.reading.base import identified, require_within
from engine.reading.limits import LIMITS, Limits
from engine.reading.placeholders import said, without_placeholders
from engine.reading.references.entries import cited_source
from engine.reading.tables.columns import labels_of, names_of, plain_name, python_list, text_of, unwrapped, year_of
from engine.reading.text.headings import is_reference_list

WITH_TEXT = ("title", "abstract", "text")
"""At least one of these must be there."""

_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)
_DEEPER = {"[": 1, "{": 1, "]": -1, "}": -1}
_JSON_LIST = re.compile(r"\[\s*(?:[\"'{\]]|\Z)")
_KIND_CODE = re.compile(r"[A-Z]\d?")
_CODES = re.compile(r"(?:[a-z-]+\.[A-Za-z-]{2,}|(?:hep|nucl)-[a-z]+|quant-ph|math-ph|gr-qc)(?:\s+|\Z)")
_TWO_KEYWORDS = re.compile(r"[^\s,]+(?: [^\s,]+)?, [^\sA-Z,][^\s,]*(?: [^\s,]+)?")
"""Two short terms, the second without a capital: "Neoplasms, Experimental" is one."""
_OFFICE = re.compile(r"(?:(?<!\s)\s++)?\[[A-Z]{2}\]")
_OF_THE_USPTO = re.compile(r"(?:D|RE|PP|H|T)?\d{5,8}")
_OPENALEX = "https://openalex.org/"
_OWNERS = frozenset({"assignee", "assignees", "applicant", "applicants", "current assignee", "owners"})
_NO_TEXTS: tuple[str, ...] = ()
_NO_SECTIONS: tuple[Section, ...] = ()
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: its values by column, where it stands, for errors, and whether its table is one of patents."""

    values: Mapping[str, Any]
    place: str
    of_patents: bool = False

    def wrong(self, column: str, expected: str, given: object) -> MalformedFileError:
        """Return the error for a value that is not what its column holds."""
        shown = repr(given)
        shown = f"{shown[:60]}..." if len(shown) > 60 else shown
        return MalformedFileError(
            f"Expected {expected} in the column {column!r} of {self.place}, found {shown}. Correct it and try again."
        )


def require_columns(columns: Iterable[str], name: str) -> None:
    """Refuse a table without any column that holds text."""
    given = tuple(columns)
    if not set(WITH_TEXT) & set(given):
        shown = ", ".join(given[:12]) or "none"
        raise MissingColumnError(
            f"Expected a column title, abstract or text in {name}, found the columns {shown[:200]}. Rename one of them."
        )


def to_document(row: TableRow, limits: Limits = LIMITS, omit: Callable[[InputError], None] | None = None) -> Document:
    """Return the document of one row; without an id its content names it.

    A wrong value beside the text is left out and told to `omit`; without one it is raised. Raises MalformedFileError,
    MissingColumnError or InputTooLargeError.
    """
    require_columns(tuple(row.values), row.place)  # their values may be empty: a corpus may hold such a document

    def optional(read: Callable[[], _Value], empty: _Value) -> _Value:
        try:
            return read()
        except InputError as error:
            if omit is None:
                raise
            omit(error)
            return empty

    def strings(column: str) -> tuple[str, ...]:
        return optional(lambda: _strings(row, column, limits), _NO_TEXTS) if row.values.get(column) else _NO_TEXTS

    def text(column: str) -> str:
        return optional(lambda: said(one_line(_text(row, column))), "") if row.values.get(column) else ""

    title, abstract = one_line(_text(row, "title", gap="")), tidy(_text(row, "abstract"))
    sections = optional(lambda: _sections(row), _NO_SECTIONS) if row.values.get("sections") else _NO_SECTIONS
    body = said(tidy(_text(row, "text")))
    if body and not any(section.text for section in sections if section.role != "references"):
        sections = (Section(UNTITLED, body), *sections)
    claims = optional(lambda: _claims(row, limits), _NO_TEXTS) if row.values.get("claims") else _NO_TEXTS
    usual: Kind = "patent" if row.of_patents else "paper"
    kind = optional(lambda: _kind(row), usual)
    ids = {column: text(column) for column in ("id", "patent number", "doi", "arxiv id", "pmid")}
    identifier, page = _identity(ids, kind, own="kind" in row.values)
    document = Document(
        id=identifier,
        kind=kind,
        title=title,
        abstract=abstract,
        sections=sections,
        identifiers=_beside(identifier, ids),
        year=optional(lambda: _year(row), None),
        categories=strings("categories"),
        keywords=strings("keywords"),
        venue=optional(lambda: _venue(row, kind), ""),
        authors=optional(lambda: _authors(row, limits), _NO_TEXTS),
        url=_web(text("url")) or page,
        family=text("family"),
        claims=claims,
    )
    return document if document.id else identified(document, _date(row), _printed(row))


def read_row(values: Mapping[str, Any], place: str, name: str) -> Document:
    """Return the document of a row of a file named `name`; `place` names the row in errors.

    Raises as `to_document`, and InputTooLargeError where the document is beyond the limits of all readers.
    """
    return without_placeholders(require_within(to_document(TableRow(values, place)), name, LIMITS))


def load_json(text: str, place: str, limits: Limits = LIMITS) -> Any:  # noqa: ANN401  JSON is any value
    """Parse JSON whose nesting is bounded.

    Raises MalformedFileError, or json.JSONDecodeError for the caller to place.
    """
    if goes_deeper(text, limits):
        raise too_deep(place, limits)
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:  # Python turns no text of over 4,300 digits into a number
        raise number_too_long(place) from None


def goes_deeper(text: str, limits: Limits) -> bool:
    """Return whether JSON is nested deeper than the limit."""
    if text.count("[") + text.count("{") <= limits.max_json_depth:
        return False
    return any(depth > limits.max_json_depth for depth, _ in _depths(text, 0))


def end_of_deep(text: str, at: int, limits: Limits) -> int:
    """Return where the value ends that begins at a place, if it is nested deeper than the limit; else 0."""
    deepest = 0
    for depth, stop in _depths(text, at):
        deepest = max(deepest, depth)
        if depth <= 0:
            return stop if deepest > limits.max_json_depth else 0
    return len(text) if deepest > limits.max_json_depth else 0


def _depths(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Yield how deep a text is nested after each bracket from a place on, and the place behind the bracket."""
    depth = 0
    for match in _BRACKETS.finditer(text, at):
        depth += _DEEPER.get(match[0], 0)
        if match[0] in _DEEPER:
            yield depth, match.end()


def too_deep(place: str, limits: Limits) -> MalformedFileError:
    """Return the error for JSON that is nested deeper than the limit."""
    return MalformedFileError(
        f"Expected JSON nested at most {limits.max_json_depth} deep in {place}; it goes deeper. "
        "A document needs three levels: check how the file was made."
    )


def number_too_long(place: str) -> MalformedFileError:
    """Return the error for a number that Python does not turn into one."""
    return MalformedFileError(
        f"Expected numbers of a document's size in {place}, found one of thousands of digits. "
        "Write it as text, or take it out."
    )


def _text(row: TableRow, column: str, gap: str = "\n\n") -> str:
    value = row.values.get(column)
    text = text_of(value, gap)
    if text is None:
        raise row.wrong(column, "text", value)
    return text


def _kind(row: TableRow) -> Kind:
    """Return the kind that a row says; an office's kind code, such as B2, or a type that names patents says patent."""
    given = said(one_line(_text(row, "kind")))
    for kind in KINDS:
        if kind == given.lower():
            return kind
    if _KIND_CODE.fullmatch(given) or "patent" in f"{given} {text_of(row.values.get('document type'), ' ')}".lower():
        return "patent"
    if given:
        raise row.wrong("kind", f"one of {', '.join(KINDS)}", given)
    return "patent" if row.of_patents else "paper"


def _identity(ids: Mapping[str, str], kind: Kind, *, own: bool) -> tuple[str, str]:
    """Return a row's id and its page on the web; with `own` the table is in our columns, and an id stays as it is."""
    doi, arxiv, number = identifiers.doi_number(ids["doi"]), identifiers.arxiv_number(ids["arxiv id"]), ""
    if kind == "patent":
        number = _publication(ids["patent number"]) or ("" if own else _publication(ids["id"]))
    pmid = _pubmed_number(ids)
    linked = bool(doi) and ids["id"].startswith(_OPENALEX)
    names = (
        "" if (number and not own) or linked else ids["id"],
        number,
        f"doi:{doi}" if doi else "",
        f"arXiv:{arxiv}" if arxiv else "",
        f"pmid:{pmid}" if pmid else "",
    )
    return next(filter(None, names), ""), identifiers.doi_url(doi) or identifiers.arxiv_url(arxiv) or patent_url(number)


def _beside(identifier: str, ids: Mapping[str, str]) -> tuple[Identifier, ...]:
    """Return the numbers of a row beside what it is named by."""
    doi, arxiv = identifiers.doi_number(ids["doi"]), identifiers.arxiv_number(ids["arxiv id"])
    pubmed = identifiers.pubmed_identifiers(_pubmed_number(ids))
    return (*identifiers.numbers_beside(identifier, doi, arxiv), *pubmed)


def _pubmed_number(ids: Mapping[str, str]) -> str:
    """Return PubMed's number; spreadsheets write it as a decimal."""
    return identifiers.pubmed_number(ids["pmid"].removesuffix(".0"))


def _publication(text: str) -> str:
    """Return the number of a patent, or the first of several; a number without a country is a US patent's."""
    text = f"US{text}" if _OF_THE_USPTO.fullmatch(text) else text
    return identifiers.patent_number(text) or identifiers.patent_number(re.split(r"[\s;,]", text, maxsplit=1)[0])


def _venue(row: TableRow, kind: Kind) -> str:
    """Return where a work appeared, or who applied for the patent."""
    found = _text(row, "venue", gap="; " if kind == "patent" else "")
    if not found.strip() and kind == "patent":
        owners = (value for name, value in row.values.items() if plain_name(str(name)) in _OWNERS)
        found = next((text for value in owners if (text := text_of(value, "; "))), "")
    if kind == "patent":
        return one_line(_OFFICE.sub("", re.sub(r";;\s*", "; ", found)))
    return cited_source(one_line(found))[0]


def _year(row: TableRow) -> int | None:
    try:
        return year_of(row.values.get("year")) or cited_source(one_line(_text(row, "venue", gap="")))[1]
    except (ValueError, OverflowError):
        raise row.wrong("year", "a year as four digits", row.values["year"]) from None


PRINTED = (
    ("volume", "vol", "vl", "journal volume", "biblio volume"),
    ("issue", "issue number", "number", "no", "is", "ip", "journal issue", "biblio issue"),
    ("pages", "page", "page start", "start page", "first page", "beginning page", "bp", "page range", "art no"),
)


def _date(row: TableRow) -> str:
    """Return the date of a row as it is written, where it says more than a year."""
    date = text_of(row.values.get("year"), " ") or ""
    return "" if date.strip().removesuffix(".0").isdecimal() else date


def _printed(row: TableRow) -> Printed:
    """Return the volume, the issue and the pages of a row, by what services call these columns."""
    told = {plain_name(name): value for name, value in row.values.items()}
    found = ([text_of(told.get(name), " ") for name in names] for names in PRINTED)
    return Printed(*(said(one_line(next(filter(None, one), ""))) for one in found))


def _web(url: str) -> str:
    """Return a link to the web; anything else that a table calls a link could run when clicked, and is left out."""
    return url.split()[0] if url.lower().startswith(("http://", "https://")) else ""


def _authors(row: TableRow, limits: Limits) -> tuple[str, ...]:
    value = _parsed(row, "authors")
    names = names_of(value)
    if names is None:
        raise row.wrong("authors", "names, or objects with names,", value)
    _require_few(len(names), "authors", row, limits)
    return tuple(text for name in names if (text := one_line(name)))


def _claims(row: TableRow, limits: Limits) -> tuple[str, ...]:
    """Return the claims; a text of claims is cut at their numbers."""
    value = _parsed(row, "claims")
    if isinstance(value, str):
        value = numbered_claims(value)
    values = _labels(row, "claims", value, limits)
    values = numbered_claims(values[0]) if len(values) == 1 else values
    return tuple(one_line(claim) for claim in values if claim.strip())


def _strings(row: TableRow, column: str, limits: Limits) -> tuple[str, ...]:
    value = unwrapped(_parsed(row, column))
    values = _cut(value, column) if isinstance(value, str) else _labels(row, column, value, limits)
    _require_few(len(values), column, row, limits)
    return tuple(text for one in values if (text := one_line(one)))


def _cut(text: str, column: str) -> list[str]:
    """Return the parts of a text that is a list: between semicolons or strokes, keywords also between commas.

    arXiv parts its codes by blanks.
    """
    if re.search(r"[;|\n]", text):
        return re.split(r"[;|\n]", text)
    if column == "keywords" and (text.count(", ") > 1 or _TWO_KEYWORDS.fullmatch(text)):
        return text.split(", ")
    codes = text.split()
    return codes if len(codes) > 1 and all(map(_CODES.fullmatch, codes)) else [text]


def _labels(row: TableRow, column: str, value: object, limits: Limits) -> list[str]:
    if not isinstance(value, list):
        raise row.wrong(column, "a list", value)
    _require_few(len(value), column, row, limits)
    values = labels_of(value)
    if values is None:
        raise row.wrong(column, "a list of texts", next(one for one in value if labels_of([one]) is None))
    return values


def _require_few(count: int, column: str, row: TableRow, limits: Limits) -> None:
    if count > limits.max_list_items:
        raise InputTooLargeError(
            f"Expected at most {limits.max_list_items:,} entries in the column {column!r} of {row.place}, "
            f"found {count:,}. Split the document."
        )


def _sections(row: TableRow) -> tuple[Section, ...]:
    value = _parsed(row, "sections")
    if isinstance(value, str):
        value = [{"text": value}]
    if not isinstance(value, list):
        raise row.wrong("sections", "a list", value)
    joined: list[list[str]] = []
    for one in value:
        title, text = _section(row, one)
        paragraph = isinstance(one, dict) and "title" not in one  # each of S2ORC's names its section
        if paragraph and joined and title and joined[-1][0] == title:
            joined[-1].append(text)
        else:
            joined.append([title, text])
    roles: dict[bool, SectionRole] = {True: "references", False: "body"}
    return tuple(
        Section(title or UNTITLED, tidy("\n\n".join(filter(None, texts))), roles[is_reference_list(title)])
        for title, *texts in joined
    )


def _section(row: TableRow, value: object) -> tuple[str, str]:
    if isinstance(value, str):
        return "", value
    if not isinstance(value, dict) or not isinstance(value.get("text", ""), str | None):
        raise row.wrong("sections", 'objects like {"title": ..., "text": ...}', value)
    title = next((value[key] for key in ("title", "section", "heading") if value.get(key)), "")
    if not isinstance(title, str):
        raise row.wrong("sections", "a text as each title", title)
    return one_line(title), value.get("text") or ""


def _parsed(row: TableRow, column: str) -> Any:  # noqa: ANN401  JSON is any value
    """Return a list, also of its text in JSON or as Python prints it, without nulls; other text as it is."""
    value = row.values.get(column)
    if value is None or value != value:
        return []
    if isinstance(value, str):
        if not value.strip():
            return []
        if not value.lstrip().startswith("["):
            return value
        try:
            value = load_json(value, row.place)
        except json.JSONDecodeError as error:
            if (found := python_list(value)) is not None:
                return found
            if column == "authors" or not _JSON_LIST.match(value.lstrip()):
                return value  # "[18F]FDG; PET"
            raise row.wrong(column, f"a JSON list ({error.msg} at character {error.pos + 1})", value) from None
    return [one for one in value if one is not None] if isinstance(value, list) else value

"""One row of a table, or one JSON object, into a document; errors name the row and the column."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.documents import KINDS, Document, Kind, Section, SectionRole
from engine.errors import InputTooLargeError, MalformedFileError, MissingColumnError
from engine.files import fingerprint
from engine.readers.base import UNTITLED
from engine.readers.limits import LIMITS, Limits
from engine.readers.references.documents import doi_number
from engine.readers.text.headings import is_reference_list
from engine.text import one_line, tidy

WITH_TEXT = ("title", "abstract", "text")
"""At least one of these must be there."""

_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)
_WHOLE = re.compile(r"(\d{1,9})(?:\.0*)?")  # pandas writes a whole column as 2020.0 where one value is missing
_JSON_LIST = re.compile(r"\[\s*(?:[\"'{\]]|\Z)")
_YEARS = range(1000, 2101)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its values by column, and where it stands, for errors."""

    values: Mapping[str, Any]
    place: str

    def wrong(self, column: str, expected: str, given: object) -> MalformedFileError:
        """The error for a value that is not what its column holds."""
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


def to_document(row: Row, limits: Limits = LIMITS) -> Document:
    """The document of one row; without an id its content names it.

    Raises MalformedFileError, MissingColumnError or InputTooLargeError.
    """
    require_columns(tuple(row.values), row.place)  # their values may be empty: a corpus may hold such a document
    title, abstract = one_line(_text(row, "title")), tidy(_text(row, "abstract"))
    sections = _sections(row)
    body = tidy(_text(row, "text"))
    if body and not any(section.text for section in sections if section.role != "references"):
        sections = (Section(UNTITLED, body), *sections)
    claims = tuple(one_line(claim) for claim in _strings(row, "claims", limits))
    doi = doi_number(_text(row, "doi"))
    content = fingerprint(title, abstract, *(s.text for s in sections), *claims)
    return Document(
        id=one_line(_text(row, "id")) or (f"doi:{doi}" if doi else f"text:{content}"),
        kind=_kind(row),
        title=title,
        abstract=abstract,
        sections=sections,
        year=_year(row),
        categories=_strings(row, "categories", limits),
        keywords=_strings(row, "keywords", limits),
        venue=one_line(_text(row, "venue")),
        authors=_strings(row, "authors", limits),
        url=_url(row) or (f"https://doi.org/{doi}" if doi else ""),
        family=one_line(_text(row, "family")),
        claims=claims,
    )


def load_json(text: str, place: str, limits: Limits = LIMITS) -> Any:  # noqa: ANN401  JSON is any value
    """Parse JSON whose nesting is bounded.

    Raises MalformedFileError, or json.JSONDecodeError for the caller to place.
    """
    if text.count("[") + text.count("{") > limits.max_json_depth:
        depth = 0
        for match in _BRACKETS.finditer(text):
            depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match[0], 0)
            if depth > limits.max_json_depth:
                raise MalformedFileError(
                    f"Expected JSON nested at most {limits.max_json_depth} deep in {place}; it goes deeper. "
                    "A document needs three levels: check how the file was made."
                )
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:  # Python turns no text of over 4,300 digits into a number
        raise MalformedFileError(
            f"Expected numbers of a document's size in {place}, found one of thousands of digits. "
            "Write it as text, or take it out."
        ) from None


def _text(row: Row, column: str) -> str:
    value = row.values.get(column)
    if value is None or value != value:  # NaN is how tables write nothing
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and column == "id":
        return str(value)
    raise row.wrong(column, "text", value)


def _kind(row: Row) -> Kind:
    given = _text(row, "kind").strip() or "paper"
    for kind in KINDS:
        if kind == given:
            return kind
    raise row.wrong("kind", f"one of {', '.join(KINDS)}", given)


def _year(row: Row) -> int | None:
    value = row.values.get("year")
    if value is None or value == "" or value != value:  # NaN is how tables write nothing
        return None
    if isinstance(value, str) and (match := _WHOLE.fullmatch(value.strip())):
        value = int(match[1])
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value not in _YEARS:
        raise row.wrong("year", "a year as four digits", row.values["year"])
    return value


def _url(row: Row) -> str:
    """A link to the web; anything else that a table calls a link could run when it is clicked, and is left out."""
    url = one_line(_text(row, "url"))
    return url if url.lower().startswith(("http://", "https://")) else ""


def _strings(row: Row, column: str, limits: Limits) -> tuple[str, ...]:
    values = _list(row, column, lambda text: [part for part in text.split(";") if part.strip()])
    if len(values) > limits.max_list_items:
        raise InputTooLargeError(
            f"Expected at most {limits.max_list_items:,} entries in the column {column!r} of {row.place}, "
            f"found {len(values):,}. Split the document."
        )
    for value in values:
        if not isinstance(value, str):
            raise row.wrong(column, "a list of texts", value)
    return tuple(text for value in values if (text := one_line(value)))


def _sections(row: Row) -> tuple[Section, ...]:
    return tuple(_section(row, value) for value in _list(row, "sections", lambda text: [{"text": text}]))


def _section(row: Row, value: object) -> Section:
    if not isinstance(value, dict) or not isinstance(value.get("text", ""), str | None):
        raise row.wrong("sections", 'objects like {"title": ..., "text": ...}', value)
    title = value.get("title") or ""
    if not isinstance(title, str):
        raise row.wrong("sections", "a text as each title", title)
    role: SectionRole = "references" if is_reference_list(one_line(title)) else "body"
    return Section(one_line(title) or UNTITLED, tidy(value.get("text") or ""), role)


def _list(row: Row, column: str, of_text: Callable[[str], list[Any]]) -> list[Any]:
    """A list, or the text of one in JSON; other text is cut by `of_text`. What is null in a list is left out."""
    value = row.values.get(column)
    if value is None:
        return []
    if isinstance(value, str):
        if not value.strip():
            return []
        if not value.lstrip().startswith("["):
            return of_text(value)
        try:
            value = load_json(value, row.place)
        except json.JSONDecodeError as error:
            if not _JSON_LIST.match(value.lstrip()):
                return of_text(value)  # "[18F]FDG; PET"
            raise row.wrong(column, f"a JSON list ({error.msg} at character {error.pos + 1})", value) from None
    if not isinstance(value, list):
        raise row.wrong(column, "a list", value)
    return [one for one in value if one is not None]

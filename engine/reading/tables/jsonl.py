"""JSON and JSON Lines into documents, streamed where each line holds an object.

Services wrap their records in lists, answers of an API, or tables by column; the records are found in any of these.
Lists of files, people, journals and tags are known by their keys, and refused: many have a name or a title, and would
pass for a work by that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from engine.core.errors import (
    InputError,
    InputTooLargeError,
    MalformedFileError,
    TruncatedFileError,
    UnsupportedFormatError,
)
from engine.documents import Document
from engine.documents.text import how_many
from engine.reading.arxiv import arxiv_columns, is_arxiv_record
from engine.reading.base import Omissions
from engine.reading.encoding import text_lines
from engine.reading.limits import Limits
from engine.reading.patents.lens import is_lens_patent, read_lens_patent
from engine.reading.patents.uspto import is_wrapper, read_wrapper
from engine.reading.references.entries import abstract_without_tags, title_without_tags
from engine.reading.tables.columns import as_ours, is_of_patents, plain_name, text_of
from engine.reading.tables.datacite import datacite_columns, is_datacite_work
from engine.reading.tables.openalex import (
    INVERTED_INDEX,
    is_openalex_work,
    openalex_abstract,
    openalex_columns,
    openalex_works,
)
from engine.reading.tables.records import (
    WITH_TEXT,
    TableRow,
    end_of_deep,
    goes_deeper,
    load_json,
    number_too_long,
    to_document,
    too_deep,
)

if TYPE_CHECKING:
    from engine.reading.tables.records import TableRow

_START = re.compile(r"\s*(?:\{\s*(?:\"|\}|\Z)|\[\s*\{)")
_GAP = re.compile(r"[\s,]*+")
_LISTS = "items results papers records documents docs data works articles entries publications hits patents".split()
"""The keys under which services list works."""
_WORKS = re.compile(rf'"(?:{"|".join(_LISTS)})"\s*+:\s*+\[\s*+(?=\{{)')
_REST = re.compile(r"\s*+\Z")
_MOST_BROKEN = 1_000
_DECODER = json.JSONDecoder()
_NEXT = re.compile(r"\}[\s,]*+(?=\{)")


def looks_like_jsonl(text: str) -> bool:
    """Return whether a text begins with a JSON object, or with a list of them."""
    return _START.match(text) is not None


def read_jsonl(file: BinaryIO, name: str, limits: Limits, warn: Callable[[str], None]) -> Iterator[Document]:
    """Yield the documents of JSON Lines; also of JSON objects, or a list of them, that are laid out over many lines.

    Records of arXiv, OpenAlex, Crossref, Semantic Scholar and others are recognised by content, also within the answer
    of an API. An entry that cannot be read is left out, and `warn` is told.
    """
    omissions = Omissions(warn, limits)
    lines = (line for line in text_lines(file, name, limits, warn=warn, omit=omissions.entry) if line.strip())
    begun = list(islice(lines, 2))
    if any(_is_object(line, name, limits) for line in begun):
        values = _of_lines(chain(begun, lines), name, limits)
    else:
        values = _elements(_whole(chain(begun, lines), name, limits), name, limits)
    for number, value in enumerate(values, start=1):
        if isinstance(value, InputError):
            omissions.entry(value)
        else:
            place = f"row {number} of {name}"
            yield from omissions.documents(_documents(value, place, omissions, limits), place)
    omissions.finish()


def _documents(value: object, place: str, omissions: Omissions, limits: Limits) -> Iterator[Document]:
    """Yield the documents of a value; one that cannot be read hinders none after it."""
    without_text = 0
    for row in rows(value, place):
        if isinstance(row, InputError):
            omissions.entry(row)
        else:
            without_text += is_wrapper(row.values)
            yield from omissions.documents(_document(row, omissions, limits), row.place)
    if without_text:
        omissions.tell(
            f"The USPTO gives {how_many(without_text, 'record')} in {place} without abstract, claims and description. "
            "Download the XML that its portal names beside the record, and import that for the text."
        )


def _document(row: TableRow, omissions: Omissions, limits: Limits) -> Iterator[Document]:
    if is_wrapper(row.values):
        yield read_wrapper(row.values)
    elif is_lens_patent(row.values):
        yield read_lens_patent(row.values)
    else:
        yield to_document(row, limits, omissions.value)


def _of_lines(lines: Iterable[str], name: str, limits: Limits) -> Iterator[object]:
    """Yield the value of each line, or the error where it has none."""
    for number, line in enumerate(lines, start=1):
        place = f"row {number} of {name}"
        try:
            yield load_json(line, place, limits)
        except json.JSONDecodeError as error:
            yield _not_json(error, line, place)
        except InputError as error:
            yield error


def _is_object(line: str, name: str, limits: Limits) -> bool:
    """Return whether a line holds a whole object that can be read."""
    try:
        return isinstance(load_json(line, name, limits), dict)
    except (json.JSONDecodeError, InputError):
        return False


def _whole(lines: Iterable[str], name: str, limits: Limits) -> str:
    """Return the text of JSON that is not one object a line, within the limit of one record."""
    parts: list[str] = []
    size = 0
    for line in lines:
        parts.append(line)
        size += len(line)
        if size > limits.max_record_bytes:
            raise InputTooLargeError(
                f"Expected one JSON object a line in {name}, or at most {limits.max_record_bytes >> 20} MiB "
                "in another layout. Write it as JSON Lines."
            )
    return "".join(parts)


def _elements(text: str, name: str, limits: Limits) -> Iterator[object]:
    """Yield the values of a list, or those that follow each other; an error in place of one that cannot be read.

    Where an object cannot be read that holds a list of works, as the answer of a service does, these are its values.
    """
    deep, inside = goes_deeper(text, limits), False
    at = _after_gap(text, 0)
    at = _after_gap(text, at + text.startswith("[", at))
    number = broken = 0
    while at < len(text) and text[at] != "]":
        number += 1
        value, end = _value_at(text, at, f"row {number} of {name}", limits, deep=deep)
        if isinstance(value, InputError):
            inner = _WORKS.search(text, at) if number == 1 and not inside and text[at] == "{" else None
            if inner is not None:
                inside, number, at = True, 0, inner.end()
                continue
            broken += 1
        yield value
        at = _after_gap(text, end)
        if broken > _MOST_BROKEN:
            yield MalformedFileError(
                f"Expected JSON in {name}; more than {_MOST_BROKEN:,} of its entries are broken, and those after row "
                f"{number:,} were not looked at. Write one JSON object a line."
            )
            return


def _value_at(text: str, at: int, place: str, limits: Limits, *, deep: bool) -> tuple[object, int]:
    """Return the value that begins at a place, or the error where it has none, and where what follows it begins.

    With `deep` it may be nested too deep.
    """
    wrong: InputError
    if deep and text[at] in "[{" and (end := end_of_deep(text, at, limits)):
        return too_deep(place, limits), end
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        wrong, failed = _not_json(error, text, place), error.pos
    except ValueError:
        wrong, failed = number_too_long(place), at
    following = _NEXT.search(text, failed)
    return wrong, len(text) if following is None else following.end()


def _after_gap(text: str, at: int) -> int:
    """Return the place after white space and commas."""
    gap = _GAP.match(text, at)
    return at if gap is None else gap.end()


def _not_json(error: json.JSONDecodeError, text: str, place: str) -> TruncatedFileError | MalformedFileError:
    """Return the error: truncated where the text ends too early, else malformed."""
    if _REST.match(text, error.pos) or error.msg.startswith("Unterminated string"):
        return TruncatedFileError(f"Expected whole JSON in {place}; it stops in the middle. Fetch or write it again.")
    where = f"character {error.colno}" if error.lineno == 1 else f"line {error.lineno}, character {error.colno}"
    return MalformedFileError(f"Expected JSON in {place}: {error.msg} at {where}. Write one JSON object a line.")


_DEEPEST = 5
_MOST_KEYS = 10_000  # of one record
_LONGEST_ABSTRACT = 5_000
_TEXT = frozenset(WITH_TEXT)
_BLOCKS = re.compile(r"<(?:jats:[a-z]|p>|h\d>|sec>|div>)", re.IGNORECASE)
_CITATION = frozenset(
    {"issued", "container title", "is referenced by count", "external ids", "creators", "author string"}
)
"""Keys of services that give a work's own DOI beside a key of a user's."""

_IDENTIFIERS = ("external ids", "externalids", "identifiers", "identifier", "ids", "articleids")
_SCHEMES = {"doi": "doi", "arxiv": "arxiv id", "pubmed": "pmid", "pmid": "pmid", "pubmedid": "pmid"}


def rows(value: object, place: str, depth: int = 0) -> Iterator[TableRow | InputError]:
    """Yield the rows of a value, with our columns, and an error in place of one that cannot be read; `place` names it.

    Raises MalformedFileError for no object, UnsupportedFormatError for one that is known to be no work.
    """
    if isinstance(value, list) and depth:
        for number, one in enumerate(value, start=1):
            try:
                yield from rows(one, f"result {number} in {place}", depth + 1)
            except InputError as error:
                yield error
        return
    if not isinstance(value, dict):
        raise MalformedFileError(
            f"Expected a JSON object in {place}, found {type(value).__name__}. Write one object a line."
        )
    if (other := other_object(value)) is not None:
        raise UnsupportedFormatError(f"Expected papers or patents in {place}, found {other.name}. {other.advice}")
    works = openalex_works(value)
    inner = works if works is not None else _inner(value, depth)
    if inner is None:
        yield _row(value, place)
        return
    yield from rows(inner, place, depth + 1)


def is_of_office(value: Mapping[str, Any]) -> bool:
    """Return whether a record is a patent in a form of its own, which another reader turns into a document."""
    return is_wrapper(value) or is_lens_patent(value)


def _inner(value: dict[str, Any], depth: int) -> object:
    """Return what an object wraps: a list of records or one record; None where it is itself a record, or wraps none."""
    if depth >= _DEEPEST or is_openalex_work(value) or is_arxiv_record(value) or is_of_office(value):
        return None
    if by_column := _of_columns(value):
        return by_column
    itself = _has_text(value)
    for key, one in value.items():
        if isinstance(one, list) and _holds_records(one) and (not itself or _is_list_of_works(key, value)):
            return one
    if itself:
        return None
    children = [one for one in islice(value.values(), 2_000) if isinstance(one, dict)]
    if len(children) > 1 and len(children) == len(value) and all(map(_has_text, children)):
        return list(value.values())  # records by their ids
    child = next(filter(_has_text, children), None)
    if child is not None:
        outside = {name: one for name, one in value.items() if not isinstance(one, dict)}
        return {**outside, **_nested(value), **child}
    return next((one for one in children if _inner(one, depth + 1) is not None), None)


def _is_list_of_works(key: str, value: Mapping[str, Any]) -> bool:
    """Return whether an object with a title of its own is a collection, not a work with its references."""
    ours = set(as_ours(list(value)))
    return plain_name(key) in _LISTS and not ours & {"abstract", "authors", "sections", "doi"}


def _holds_records(values: list[Any]) -> bool:
    first = [one for one in values[:20] if one is not None]
    records = [one for one in first if isinstance(one, dict)]
    return 2 * len(records) > len(first) and any(map(_wraps_text, records))


def _wraps_text(value: dict[str, Any]) -> bool:
    return _has_text(value) or any(isinstance(one, dict) and _has_text(one) for one in value.values())


def _has_text(value: Mapping[str, Any]) -> bool:
    return bool(_TEXT & set(as_ours(list(map(str, value)))))


def _of_columns(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a table that pandas wrote by column: {"title": {"0": ..., "1": ...}, ...}."""
    columns = list(value.values())
    if not columns or not all(isinstance(one, dict) and one and next(iter(one)).isdecimal() for one in columns):
        return []
    return [{name: column.get(key) for name, column in value.items()} for key in columns[0]]


def _nested(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record's full text, or its metadata, where these stand in an object beside it: S2ORC and CORD-19."""
    parts = (
        ("pdf_parse", ("abstract", "body_text")),
        ("metadata", ("title", "authors", "year", "venue", "doi")),
        ("content", ("title", "authors", "abstract", "keywords", "venue")),  # of OpenReview
    )
    found: dict[str, Any] = {}
    for name, keys in parts:
        if isinstance(part := value.get(name), dict):
            found |= {key: part[key] for key in keys if part.get(key)}
    return found


def _require_few_keys(value: Mapping[str, Any], place: str) -> None:
    """Refuse a record of more keys than a document has."""
    if len(value) > _MOST_KEYS:
        raise InputTooLargeError(
            f"Expected at most {_MOST_KEYS:,} keys in {place}, found {len(value):,}. Keep those of the document itself."
        )


def _row(value: dict[str, Any], place: str) -> TableRow:
    """Return one record in our columns."""
    _require_few_keys(value, place)
    if is_openalex_work(value):
        return TableRow(openalex_columns(TableRow(value, place)), place)
    if is_of_office(value):
        return TableRow(value, place)
    if is_arxiv_record(value):
        return TableRow(_of_arxiv(value, place), place)
    return _of_service(datacite_columns(value) if is_datacite_work(value) else value, place)


def _of_service(value: dict[str, Any], place: str) -> TableRow:
    """Return one record in our columns, under whatever names services give them."""
    given = {**_nested(value), **{name: one for name, one in value.items() if one not in ("", None, [])}}
    ours = dict(zip(as_ours(list(given)), given.values(), strict=True))
    names = set(map(plain_name, given))
    if isinstance(ours.get("text"), dict):
        ours.pop("text")
    if "description" in names and _is_abstract(ours):
        ours["abstract"] = ours.pop("text")
    for scheme, identifier in _identifiers(given):
        ours.setdefault(scheme, identifier)
    if names & _CITATION and "kind" not in ours:
        ours.pop("id", None)
        ours["title"] = title_without_tags(text_of(ours.get("title"), "") or "")
    if not ours.get("abstract") and INVERTED_INDEX in value:
        ours["abstract"] = openalex_abstract(TableRow(value, place))
    if isinstance(abstract := ours.get("abstract"), str) and _BLOCKS.search(abstract):
        ours["abstract"] = abstract_without_tags(abstract)
    return TableRow(dict.fromkeys(set(as_ours(list(value))) & _TEXT, "") | ours, place, is_of_patents(value))


def _is_abstract(ours: Mapping[str, Any]) -> bool:
    """Return whether a record's only text is the short description that repositories give as an abstract."""
    text = ours.get("text")
    return not ours.get("abstract") and isinstance(text, str) and len(text) <= _LONGEST_ABSTRACT


def _identifiers(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield a work's ids by our columns, from {"DOI": ...}, or from a list of {"type": "doi", "id": ...}."""
    for name, found in given.items():
        if plain_name(name) not in _IDENTIFIERS:
            continue
        if isinstance(found, dict):
            pairs = list(found.items())
        elif isinstance(found, list):
            listed = (one for one in found if isinstance(one, dict))
            pairs = [(one.get("type") or one.get("idtype"), one.get("id") or one.get("value")) for one in listed]
        else:
            continue
        for scheme, identifier in pairs:
            column = _SCHEMES.get(str(scheme).lower())
            identifier = next(iter(identifier), "") if isinstance(identifier, list) else identifier
            if column and isinstance(identifier, str | int):
                yield column, str(identifier)


def _of_arxiv(value: dict[str, Any], place: str) -> dict[str, Any]:
    try:
        return arxiv_columns(value)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise MalformedFileError(
            f"Expected a whole record of arXiv's in {place}; it is not ({type(error).__name__}: {error}). Fetch it "
            "again, or name its columns otherwise."
        ) from None


class OtherObject(NamedTuple):
    """What an object is, in words, and what to do instead."""

    name: str
    advice: str


_ASK_FOR_RECORD = "Ask the portal for the application's record, or for its XML."
_ASK_FOR_ITEMS = "Ask Zotero for the items, or export them as RIS."
_ASK_FOR_WORKS = "Ask for the works instead."
_USPTO_FILES = OtherObject("the list of files in an application's wrapper at the USPTO", _ASK_FOR_RECORD)
_USPTO_PART = OtherObject("a part of an application's record at the USPTO, without its metadata", _ASK_FOR_RECORD)
_BY_KEYS: tuple[tuple[frozenset[str], OtherObject], ...] = (
    (frozenset({"documentBag"}), _USPTO_FILES),
    (frozenset({"documentCode", "documentIdentifier"}), _USPTO_FILES),
    (frozenset({"itemType", "localized"}), OtherObject("Zotero's list of kinds of items", _ASK_FOR_ITEMS)),
    (frozenset({"field", "localized"}), OtherObject("Zotero's list of fields", _ASK_FOR_ITEMS)),
    (frozenset({"tag", "links", "meta"}), OtherObject("a tag of Zotero's", _ASK_FOR_ITEMS)),
    (frozenset({"name", "parentCollection"}), OtherObject("a collection of Zotero's", _ASK_FOR_ITEMS)),
)
"""Keys that such an object has, all of them."""
_ZOTERO_CHILDREN = {"attachment": "an attachment", "note": "a note", "annotation": "an annotation"}
_OPENALEX = re.compile(r"https://openalex\.org/(?:([A-Z])\d|(\w+)/)")
_OPENALEX_KINDS = {
    **{"A": "an author", "I": "an institution", "S": "a source", "T": "a topic", "C": "a concept", "P": "a publisher"},
    **{"F": "a funder", "V": "a venue", "G": "an award"},
}
_CROSSREF_WORKS = ("work", "work-list")


def other_object(value: Mapping[str, Any]) -> OtherObject | None:
    """Return what a JSON object is, where it is known to be no work."""
    keys = value.keys()
    for names, other in _BY_KEYS:
        if names <= keys:
            return other
    if _is_part_of_wrapper(value):
        return _USPTO_PART
    if (message := value.get("message-type")) and isinstance(message, str) and message not in _CROSSREF_WORKS:
        return OtherObject(f"what Crossref calls a {message}", _ASK_FOR_WORKS)
    inner = value.get("data")
    if isinstance(inner, dict) and "version" in keys:
        return other_object(inner)
    if child := _ZOTERO_CHILDREN.get(str(value.get("itemType"))):
        return OtherObject(f"{child} of Zotero's", _ASK_FOR_ITEMS)
    return _of_openalex(value.get("id"))


def _is_part_of_wrapper(value: Mapping[str, Any]) -> bool:
    """Tell whether an object, or a bag of them, holds an application's events, people or papers and no metadata."""
    bag = value.get("patentFileWrapperDataBag")
    if isinstance(bag, list):
        return not any(isinstance(one, dict) and "applicationMetaData" in one for one in bag)
    named = "applicationNumberText" in value and "applicationMetaData" not in value
    return named and any("Bag" in key or "Data" in key for key in value)


def _of_openalex(identifier: object) -> OtherObject | None:
    """Return an author, an institution or another entity of OpenAlex; its works have numbers that begin with W."""
    match = _OPENALEX.match(identifier) if isinstance(identifier, str) else None
    if match is None or match[1] == "W":
        return None
    kind = _OPENALEX_KINDS.get(match[1] or "", "an entity")
    return OtherObject(f"OpenAlex's record of {kind}", _ASK_FOR_WORKS)

"""The records in a value of JSON, whatever services wrap around them: lists, answers of an API, tables by column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from engine.core.errors import InputError, InputTooLargeError, MalformedFileError, UnsupportedFormatError
from engine.reading import arxiv
from engine.reading.patents.file_wrapper import is_wrapper
from engine.reading.patents.lens import is_lens_patent
from engine.reading.references.inline_tags import abstract_without_tags, title_without_tags
from engine.reading.tables import openalex
from engine.reading.tables.columns import as_ours, is_of_patents, plain_name
from engine.reading.tables.other_objects import other_object
from engine.reading.tables.records import WITH_TEXT, Row
from engine.reading.tables.values import text_of

_DEEPEST = 5
_MOST_KEYS = 10_000  # of one record
_LONGEST_ABSTRACT = 5_000
_TEXT = frozenset(WITH_TEXT)
_BLOCKS = re.compile(r"<(?:jats:[a-z]|p>|h\d>|sec>|div>)", re.IGNORECASE)
_CITATION = frozenset(
    {"issued", "container title", "is referenced by count", "external ids", "creators", "author string"}
)
"""Keys of services that give a work's own DOI beside a key of a user's."""

_IDENTIFIERS = ("external ids", "externalids", "identifiers", "identifier", "ids")
_SCHEMES = {"doi": "doi", "arxiv": "arxiv id", "pubmed": "pmid", "pmid": "pmid", "pubmedid": "pmid"}
_LISTS = frozenset(
    "items results papers records documents docs data works articles entries publications hits patents".split()
)


def rows(value: object, place: str, depth: int = 0) -> Iterator[Row | InputError]:
    """The rows of a value, with our columns, and an error in place of one that cannot be read; `place` names it.

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
    works = openalex.works_of(value)
    inner = works if works is not None else _inner(value, depth)
    if inner is None:
        yield _row(value, place)
        return
    yield from rows(inner, place, depth + 1)


def is_of_office(value: Mapping[str, Any]) -> bool:
    """Whether a record is a patent in a form of its own, which another reader turns into a document."""
    return is_wrapper(value) or is_lens_patent(value)


def _inner(value: dict[str, Any], depth: int) -> object:
    """What an object wraps: a list of records or one record; None where it is itself a record, or wraps none."""
    if depth >= _DEEPEST or openalex.is_work(value) or arxiv.is_record(value) or is_of_office(value):
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
    """Whether an object with a title of its own is a collection, not a work with its references."""
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
    """The rows of a table that pandas wrote by column: {"title": {"0": ..., "1": ...}, ...}."""
    columns = list(value.values())
    if not columns or not all(isinstance(one, dict) and one and next(iter(one)).isdecimal() for one in columns):
        return []
    return [{name: column.get(key) for name, column in value.items()} for key in columns[0]]


def _nested(value: Mapping[str, Any]) -> dict[str, Any]:
    """A full text beside a record, and a record's metadata beside its full text, as S2ORC and CORD-19 have them."""
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


def _row(value: dict[str, Any], place: str) -> Row:
    """One record in our columns."""
    _require_few_keys(value, place)
    if openalex.is_work(value):
        return Row(openalex.columns(Row(value, place)), place)
    if is_of_office(value):
        return Row(value, place)
    if arxiv.is_record(value):
        return Row(_of_arxiv(value, place), place)
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
    if not ours.get("abstract") and openalex.ABSTRACT in value:
        ours["abstract"] = openalex.abstract(Row(value, place))
    if isinstance(abstract := ours.get("abstract"), str) and _BLOCKS.search(abstract):
        ours["abstract"] = abstract_without_tags(abstract)
    return Row(dict.fromkeys(set(as_ours(list(value))) & _TEXT, "") | ours, place, is_of_patents(value))


def _is_abstract(ours: Mapping[str, Any]) -> bool:
    """Whether a record's only text is the short description that repositories give as an abstract."""
    text = ours.get("text")
    return not ours.get("abstract") and isinstance(text, str) and len(text) <= _LONGEST_ABSTRACT


def _identifiers(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A work's ids by our columns, from {"DOI": ...}, or from a list of {"type": "doi", "id": ...}."""
    for name, found in given.items():
        if plain_name(name) not in _IDENTIFIERS:
            continue
        if isinstance(found, dict):
            pairs = list(found.items())
        elif isinstance(found, list):
            pairs = [(one.get("type"), one.get("id") or one.get("value")) for one in found if isinstance(one, dict)]
        else:
            continue
        for scheme, identifier in pairs:
            column = _SCHEMES.get(str(scheme).lower())
            identifier = next(iter(identifier), "") if isinstance(identifier, list) else identifier
            if column and isinstance(identifier, str | int):
                yield column, str(identifier)


def _of_arxiv(value: dict[str, Any], place: str) -> dict[str, Any]:
    try:
        return arxiv.arxiv_columns(value)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise MalformedFileError(
            f"Expected a whole record of arXiv's in {place}; it is not ({type(error).__name__}: {error}). Fetch it "
            "again, or name its columns otherwise."
        ) from None

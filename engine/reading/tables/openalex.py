"""Works of OpenAlex, from its API or its snapshot, in the columns of a document."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from engine.documents.identifiers import arxiv_number, doi_number, doi_url
from engine.documents.text import without_tags
from engine.reading.references.entries import title_without_tags

if TYPE_CHECKING:
    from engine.reading.tables.records import TableRow

_PAGE = "https://openalex.org/"
_WORK = f"{_PAGE}W"
INVERTED_INDEX = "abstract_inverted_index"
_PARTS = frozenset({INVERTED_INDEX, "display_name", "authorships", "primary_location"})


def is_openalex_work(values: Mapping[str, Any]) -> bool:
    """Return whether a JSON object is a work of OpenAlex."""
    identifier = values.get("id")
    return isinstance(identifier, str) and identifier.startswith(_WORK) and bool(_PARTS & values.keys())


def openalex_works(values: Mapping[str, Any]) -> list[Any] | None:
    """Return the works in a page of OpenAlex's API; None for any other object."""
    results = values.get("results")
    return results if isinstance(results, list) and isinstance(values.get("meta"), dict) else None


def openalex_columns(row: TableRow) -> dict[str, Any]:
    """Return what a document keeps of a work. Raises MalformedFileError where a part is not as OpenAlex writes it."""
    values = row.values
    doi = doi_number(_text(row, "doi"))
    preprint = arxiv_number(doi)
    own = f"doi:{doi}" if doi else f"OpenAlex:{values['id'].removeprefix(_PAGE)}"
    return {
        "id": f"arXiv:{preprint}" if preprint else own,
        "title": title_without_tags(_text(row, "title") or _text(row, "display_name")),
        "abstract": openalex_abstract(row),
        "year": values.get("publication_year"),
        "categories": list(dict.fromkeys(_subjects(row))),
        "keywords": [name for one in _objects(row, "keywords") for name in _name(one)],
        "venue": _venue(row),
        "authors": list(_authors(row)),
        "url": doi_url(doi) or values["id"],
    }


def openalex_abstract(row: TableRow) -> str:
    """Return the words in their order: OpenAlex gives each word with the places where it stands."""
    index = row.values.get(INVERTED_INDEX)
    if index is None:
        return _text(row, "abstract")  # some programs put the words in order themselves
    if not isinstance(index, dict):
        raise row.wrong(INVERTED_INDEX, "words with their places", index)
    places: list[tuple[int, str]] = []
    for word, found in index.items():
        if not isinstance(found, list) or not all(isinstance(place, int) for place in found):
            raise row.wrong(INVERTED_INDEX, "words with their places", {word: found})
        places += [(place, word) for place in found]
    text = " ".join(word for _, word in sorted(places))
    return " ".join(html.unescape(without_tags(text)).split())


def _subjects(row: TableRow) -> Iterator[str]:
    """Yield the subfields of a work's topics; of older records its broader concepts."""
    topics = _objects(row, "topics")
    for topic in topics:
        yield from _name(topic.get("subfield"))
    if not topics:
        for concept in _objects(row, "concepts"):
            if concept.get("level") in (0, 1):
                yield from _name(concept)


def _venue(row: TableRow) -> str:
    place = row.values.get("primary_location")
    source = place.get("source") if isinstance(place, dict) else row.values.get("host_venue")
    return next(_name(source), "")


def _authors(row: TableRow) -> Iterator[str]:
    for one in _objects(row, "authorships"):
        yield next(_name(one.get("author")), "") or str(one.get("raw_author_name") or "")


def _name(one: object) -> Iterator[str]:
    """Yield the name of an object of OpenAlex, where it is one and has one."""
    name = one.get("display_name") if isinstance(one, dict) else None
    if isinstance(name, str) and name:
        yield name


def _objects(row: TableRow, column: str) -> list[dict[str, Any]]:
    value = row.values.get(column)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise row.wrong(column, "a list of objects", value)
    return value


def _text(row: TableRow, column: str) -> str:
    value = row.values.get(column)
    if value is None or isinstance(value, str):
        return value or ""
    raise row.wrong(column, "text", value)

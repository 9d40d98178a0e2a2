"""JSON that services answer with: OpenAlex's works, and objects that describe something else.

A work of OpenAlex, from its API or its snapshot, is given in the columns of a document. Lists of files, people,
journals and tags are known by their keys: many have a name or a title, and would pass for a work by that.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.documents.identifiers import arxiv_number, doi_number, doi_url
from engine.documents.text import without_tags

if TYPE_CHECKING:
    from engine.reading.tables.records import TableRow

_PAGE = "https://openalex.org/"
_WORK = f"{_PAGE}W"
INVERTED_INDEX = "abstract_inverted_index"
_PARTS = frozenset({INVERTED_INDEX, "display_name", "authorships", "primary_location"})
_ARXIV_DOI = "10.48550/arxiv."


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
    preprint = arxiv_number(doi[len(_ARXIV_DOI) :]) if doi.lower().startswith(_ARXIV_DOI) else ""
    own = f"doi:{doi}" if doi else f"OpenAlex:{values['id'].removeprefix(_PAGE)}"
    return {
        "id": f"arXiv:{preprint}" if preprint else own,
        "title": html.unescape(without_tags(_text(row, "title") or _text(row, "display_name"), gap="")),
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


class Other(NamedTuple):
    """What an object is, in words, and what to do instead."""

    name: str
    advice: str


_RECORD = "Ask the portal for the application's record, or for its XML."
_ITEMS = "Ask Zotero for the items, or export them as RIS."
_WORKS = "Ask for the works instead."
_USPTO_FILES = Other("the list of files in an application's wrapper at the USPTO", _RECORD)
_USPTO_PART = Other("a part of an application's record at the USPTO, without its metadata", _RECORD)
_BY_KEYS: tuple[tuple[frozenset[str], Other], ...] = (
    (frozenset({"documentBag"}), _USPTO_FILES),
    (frozenset({"documentCode", "documentIdentifier"}), _USPTO_FILES),
    (frozenset({"itemType", "localized"}), Other("Zotero's list of kinds of items", _ITEMS)),
    (frozenset({"field", "localized"}), Other("Zotero's list of fields", _ITEMS)),
    (frozenset({"tag", "links", "meta"}), Other("a tag of Zotero's", _ITEMS)),
    (frozenset({"name", "parentCollection"}), Other("a collection of Zotero's", _ITEMS)),
)
"""Keys that such an object has, all of them."""
_ZOTERO_CHILDREN = {"attachment": "an attachment", "note": "a note", "annotation": "an annotation"}
_OPENALEX = re.compile(r"https://openalex\.org/(?:([A-Z])\d|(\w+)/)")
_OPENALEX_KINDS = {
    **{"A": "an author", "I": "an institution", "S": "a source", "T": "a topic", "C": "a concept", "P": "a publisher"},
    **{"F": "a funder", "V": "a venue", "G": "an award"},
}
_CROSSREF_WORKS = ("work", "work-list")


def other_object(value: Mapping[str, Any]) -> Other | None:
    """Return what a JSON object is, where it is known to be no work."""
    keys = value.keys()
    for names, other in _BY_KEYS:
        if names <= keys:
            return other
    if _is_part_of_wrapper(value):
        return _USPTO_PART
    if (message := value.get("message-type")) and isinstance(message, str) and message not in _CROSSREF_WORKS:
        return Other(f"what Crossref calls a {message}", _WORKS)
    inner = value.get("data")
    if isinstance(inner, dict) and "version" in keys:
        return other_object(inner)
    if child := _ZOTERO_CHILDREN.get(str(value.get("itemType"))):
        return Other(f"{child} of Zotero's", _ITEMS)
    return _of_openalex(value.get("id"))


def _is_part_of_wrapper(value: Mapping[str, Any]) -> bool:
    """Tell whether an object, or a bag of them, holds an application's events, people or papers and no metadata."""
    bag = value.get("patentFileWrapperDataBag")
    if isinstance(bag, list):
        return not any(isinstance(one, dict) and "applicationMetaData" in one for one in bag)
    named = "applicationNumberText" in value and "applicationMetaData" not in value
    return named and any("Bag" in key or "Data" in key for key in value)


def _of_openalex(identifier: object) -> Other | None:
    """Return an author, an institution or another entity of OpenAlex; its works have numbers that begin with W."""
    match = _OPENALEX.match(identifier) if isinstance(identifier, str) else None
    if match is None or match[1] == "W":
        return None
    kind = _OPENALEX_KINDS.get(match[1] or "", "an entity")
    return Other(f"OpenAlex's record of {kind}", _WORKS)

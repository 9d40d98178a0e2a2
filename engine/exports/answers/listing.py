"""What a library holds, and its documents as rows with what a person keeps: notes, tags, decisions, collections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NotRequired

from typing_extensions import TypedDict

from engine.core.config import filled
from engine.core.stores import stores_of
from engine.documents import Document, Kind
from engine.exports.records import OwnJson, own_fields
from engine.library import Library, Listed


class CopiesJson(TypedDict):
    """Copies of PDFs: how many, their bytes, and whether imports keep them."""

    files: int
    bytes: int
    kept_at_import: bool


class LibraryJson(TypedDict):
    """What a library in a folder holds; `folded` counts duplicates, `failures` files that could not be imported.

    `database` is the address of the server where its documents lie, and `vectors` of the one where vectors do, if any.
    """

    library: str
    documents: int
    papers: int
    patents: int
    files: int
    folded: int
    failures: int
    copies: CopiesJson
    database: str
    vectors: str


class RemovedJson(TypedDict):
    """The ids of what was removed, and how many documents are left; of how many removed ones notes wait."""

    removed: list[str]
    total: int
    notes_waiting: NotRequired[int]


class ListedJson(OwnJson):
    """A document without its text, with the files that brought it and what a person keeps of it."""

    id: str
    kind: Kind
    title: str
    year: int | None
    venue: str


class DocumentsJson(TypedDict):
    """Rows, and how many documents there are in all."""

    total: int
    documents: list[ListedJson]


class ToScreenJson(ListedJson):
    """A row with the abstract, by which one decides."""

    abstract: str


class NextJson(TypedDict):
    """The first document without a decision; null where all are decided."""

    document: ToScreenJson | None


class DocumentsChangeJson(TypedDict):
    """How many documents were named, and of how many each change was new."""

    documents: int
    tagged: NotRequired[int]
    untagged: NotRequired[int]
    noted: NotRequired[int]
    read: NotRequired[int]
    unread: NotRequired[int]
    included: NotRequired[int]
    excluded: NotRequired[int]
    undecided: NotRequired[int]


class CountedJson(TypedDict):
    """A tag or a collection, and how many documents have it or are in it."""

    name: str
    documents: int


class TagsJson(TypedDict):
    """Every tag."""

    tags: list[CountedJson]


class RenamedTagJson(TypedDict):
    """How many documents have a tag that was renamed."""

    renamed: int


class ReviewJson(TypedDict):
    """A review, and how many documents are decided in it."""

    name: str
    decided: int


class ReviewsJson(TypedDict):
    """Every review; `name` is the one that began now."""

    reviews: list[ReviewJson]
    name: NotRequired[str]


class CollectionsJson(TypedDict):
    """Every collection."""

    collections: list[CountedJson]


class CollectedJson(TypedDict):
    """A document of a collection."""

    id: str
    kind: Kind
    title: str
    year: int | None
    url: str


class CollectionJson(TypedDict):
    """The documents of a collection, the one added first first."""

    documents: list[CollectedJson]


class CollectionChangeJson(TypedDict):
    """What was done to a collection, and how many documents it holds now, or held when it was deleted.

    That is how many documents came in or went out, or 1 for one that was renamed or deleted.
    """

    added: NotRequired[int]
    removed: NotRequired[int]
    renamed: NotRequired[int]
    deleted: NotRequired[int]
    name: str
    documents: int


def library_as_json(library: Library) -> LibraryJson:
    """Return what a library holds."""
    copies = filled(CopiesJson, library.copies.total(), kept_at_import=library.copies.are_wanted)
    stores = stores_of(library.folder)
    places = {"library": str(library.folder), "database": stores.documents, "vectors": stores.vectors}
    return filled(LibraryJson, library.counts(), copies=copies, **places)


def removed_as_json(ids: Sequence[str], library: Library) -> RemovedJson:
    """Return what was removed from a library."""
    told: RemovedJson = {"removed": list(ids), "total": len(library)}
    if waiting := library.annotations.of_removed():
        told["notes_waiting"] = waiting
    return told


def documents_as_json(rows: Iterable[Listed], total: int) -> DocumentsJson:
    """Return rows of documents, which are `total` in all."""
    return {"total": total, "documents": [_listed(row) for row in rows]}


def next_as_json(found: tuple[Listed, Document] | None) -> NextJson:
    """Return the next document to screen, as its row and whole; None where all are decided."""
    return {"document": found and {**_listed(found[0]), "abstract": found[1].abstract}}


def _listed(row: Listed) -> ListedJson:
    return {
        "id": row.id,
        "kind": row.kind,
        "title": row.title,
        "year": row.year,
        "venue": row.venue,
        **own_fields(row),
    }


def tags_as_json(counts: Mapping[str, int]) -> TagsJson:
    """Return tags with their numbers of documents."""
    return {"tags": _counted(counts)}


def reviews_as_json(counts: Mapping[str, int], begun: str = "") -> ReviewsJson:
    """Return reviews with their numbers of decisions, and the name of one that began now."""
    told: ReviewsJson = {"reviews": [{"name": name, "decided": count} for name, count in counts.items()]}
    return {**told, "name": begun} if begun else told


def collections_as_json(counts: Mapping[str, int]) -> CollectionsJson:
    """Return collections with their numbers of documents."""
    return {"collections": _counted(counts)}


def _counted(counts: Mapping[str, int]) -> list[CountedJson]:
    return [{"name": name, "documents": count} for name, count in counts.items()]


def collection_as_json(documents: Sequence[Document]) -> CollectionJson:
    """Return the documents of a collection."""
    return {"documents": [filled(CollectedJson, one) for one in documents]}

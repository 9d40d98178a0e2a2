"""Named collections of documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query
from typing_extensions import Doc

from engine.exports import (
    CollectionChangeJson,
    CollectionJson,
    CollectionsJson,
    collection_as_json,
    collections_as_json,
)
from engine.server.given import NameBody, OpenWorkspace, RequestBody, Unchanged, Writer
from engine.workspace import CollectionRequest

router = APIRouter(prefix="/collections")


@dataclass(frozen=True, slots=True, kw_only=True)
class IdsBody(RequestBody):
    """Documents of the library."""

    ids: Annotated[tuple[str, ...], Doc("documents by id; to put them in, by number, title or author, too")]


@router.get("", summary="Every collection", dependencies=[Unchanged])
def list_collections(workspace: OpenWorkspace) -> CollectionsJson:
    """Return collections with their numbers of documents."""
    return collections_as_json(workspace.library.collections.counts())


@router.get("/{name:path}", summary="The documents of a collection", dependencies=[Unchanged])
def get_collection(workspace: OpenWorkspace, name: str) -> CollectionJson:
    """Return its documents, the one added first first."""
    library = workspace.library
    return collection_as_json([one.document for one in library.listing.kept(library.collections.ids(name))])


@router.post("/{name:path}/documents", summary="Put documents into a collection")
def add_documents(workspace: OpenWorkspace, _caller: Writer, name: str, body: IdsBody) -> CollectionChangeJson:
    """Put them in, and make the collection where it does not exist."""
    return CollectionRequest(name=name, ids=body.ids).add(workspace.library)


@router.delete("/{name:path}/documents", summary="Take documents out of a collection")
def remove_documents(
    workspace: OpenWorkspace,
    _caller: Writer,
    name: str,
    ids: Annotated[list[str], Query(description="documents by id")],
) -> CollectionChangeJson:
    """Take them out; they stay in the library."""
    return CollectionRequest(name=name, ids=tuple(ids)).remove(workspace.library)


@router.put("/{name:path}", summary="Rename a collection")
def rename_collection(workspace: OpenWorkspace, _caller: Writer, name: str, body: NameBody) -> CollectionChangeJson:
    """Give a collection another name."""
    return CollectionRequest(name=name).rename(workspace.library, body["name"])


@router.delete("/{name:path}", summary="Delete a collection")
def delete_collection(workspace: OpenWorkspace, _caller: Writer, name: str) -> CollectionChangeJson:
    """Forget a collection; its documents stay in the library."""
    return CollectionRequest(name=name).delete(workspace.library)

"""The map of the library: its facts and groups, where each document stands, and where another would."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query
from typing_extensions import Doc, TypedDict

from engine.core.errors import MapError
from engine.core.progress import Report
from engine.exports import MapJson, MapPlaceJson, PlacementJson, map_as_json, places
from engine.maps import LibraryMap, list_clusters
from engine.server.given import (
    GivenDocument,
    InTurn,
    OpenWorkspace,
    ReadGiven,
    RequestBody,
    Unchanged,
    Writer,
    encoder_named,
)
from engine.server.routes.jobs import JobJson, job_as_json
from engine.workspace import MapRequest, Workspace, encoding_key

router = APIRouter(prefix="/map")
EncoderName = Annotated[str, Query(description="an encoder's name")]


def _opened(workspace: Workspace, encoder: str) -> LibraryMap:
    """Return the map that is drawn. Raises MapError where none is: drawing is a job of its own."""
    if not workspace.is_mapped(encoder_named(encoder)):
        raise MapError("Expected a map of the library under this encoder; none is drawn. POST /v1/map draws it.")
    return MapRequest(encoder=encoder).run(workspace)


@router.get("", summary="The map's facts and groups", dependencies=[Unchanged, InTurn])
def get_map(
    workspace: OpenWorkspace,
    encoder: EncoderName = "default",
    clusters: Annotated[bool, Query(description="also list each group with its most central documents")] = False,
) -> MapJson:
    """Return how true the picture is, and its groups with their names."""
    began = time.perf_counter()
    library_map = _opened(workspace, encoder)
    seconds = time.perf_counter() - began
    listed = list_clusters(library_map, workspace.library.summaries()) if clusters else None
    return map_as_json(library_map, ready_seconds=seconds, clusters=listed)


@router.get("/places", summary="Where documents stand on the map", dependencies=[Unchanged, InTurn])
def get_places(
    workspace: OpenWorkspace,
    encoder: EncoderName = "default",
    ids: Annotated[list[str] | None, Query(description="only these documents, by id")] = None,
) -> list[MapPlaceJson]:
    """Return one record a document: its place, and the group that it belongs to."""
    return places(_opened(workspace, encoder), workspace.library.summaries(), within=ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementBody(RequestBody):
    """A document that is put on the map without moving anything."""

    document: Annotated[GivenDocument, Doc("the document")]
    encoder: Annotated[str, Doc("an encoder's name")] = "default"


@router.post("/placement", summary="Where a document would stand", dependencies=[InTurn])
def place_document(workspace: OpenWorkspace, read: ReadGiven, body: PlacementBody) -> PlacementJson:
    """Return its place and its true neighbours, with the share of them that are near it in the picture."""
    library_map = _opened(workspace, body.encoder)
    document = read(body.document).document
    return MapRequest(encoder=body.encoder).placement(workspace, library_map, document)


@router.post("", status_code=202, summary="Draw the map")
def draw_map(workspace: OpenWorkspace, _caller: Writer, encoder: EncoderName = "default") -> JobJson:
    """Put the drawing in line, with the reading of what is not read yet."""
    encoder_named(encoder)

    def work(report: Report) -> str:
        workspace.draw_map(encoder, report=report)
        return "The map is drawn."

    return job_as_json(workspace.jobs.start("Drawing the map", work, key=encoding_key(encoder, "map")))


class GroupBody(TypedDict):
    """A group by its present name, and its new one."""

    label: str
    name: str


@router.put("/groups", summary="Rename a group")
def rename_group(
    workspace: OpenWorkspace, _caller: Writer, body: GroupBody, encoder: EncoderName = "default"
) -> MapJson:
    """Give a group another name; an empty one brings back the generated name."""
    _opened(workspace, encoder)
    renamed = MapRequest(encoder=encoder, rename=((body["label"], body["name"]),)).run(workspace)
    return map_as_json(renamed, ready_seconds=0.0)

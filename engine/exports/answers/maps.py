"""The map of a library: how true it is, its groups with their names, and where a document would stand on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NotRequired

from typing_extensions import TypedDict

from engine.core.config import filled
from engine.exports.maps.points import ClusterJson, cluster_records
from engine.maps import Cluster, LibraryMap, Placement


class MapLabelJson(TypedDict):
    """The name of a group, the level of the group from coarse to fine, its documents, and where its name stands."""

    level: int
    cluster: int
    text: str
    size: int
    x: float
    y: float


class MapSecondsJson(TypedDict):
    """How long the map took to fit, and now to be ready."""

    fit: float
    ready: float


class NeighbourJson(TypedDict):
    """A document of the library that is among the nearest by the encoder."""

    id: str
    title: str


class PlacementJson(TypedDict):
    """Where a document stands, its true neighbours, and the share of them that are near it in the picture."""

    title: str
    x: float
    y: float
    kept: float
    seconds: float
    neighbours: list[NeighbourJson]


class MapJson(TypedDict):
    """A map's facts: `clusters` are the numbers of groups by level; `kept` is of `counted` true neighbours."""

    encoder: str
    fingerprint: str
    points: int
    placed_later: int
    trustworthiness: float
    kept: float
    counted: int
    clusters: list[int]
    labels: list[MapLabelJson]
    seconds: MapSecondsJson
    notes: list[str]
    query: NotRequired[PlacementJson]
    cluster_list: NotRequired[list[ClusterJson]]


def map_as_json(
    library_map: LibraryMap,
    *,
    ready_seconds: float,
    query: PlacementJson | None = None,
    clusters: Iterable[Cluster] | None = None,
) -> MapJson:
    """Return a map's facts, with a document's place and the list of clusters where they are given."""
    told: MapJson = {
        "encoder": library_map.encoder,
        "fingerprint": library_map.fingerprint,
        "points": len(library_map),
        "placed_later": library_map.later_count,
        "trustworthiness": round(library_map.trustworthiness, 4),
        "kept": round(library_map.kept, 4),
        "counted": library_map.counted,
        "clusters": [len(library_map.labels_at(level)) for level in range(len(library_map.levels))],
        "labels": [
            filled(MapLabelJson, one, text=one.name, x=round(one.x, 4), y=round(one.y, 4)) for one in library_map.labels
        ],
        "seconds": {"fit": library_map.seconds, "ready": round(ready_seconds, 3)},
        "notes": list(library_map.notes),
    }
    if query is not None:
        told["query"] = query
    if clusters is not None:
        told["cluster_list"] = cluster_records(clusters)
    return told


def placement_as_json(placement: Placement, title: str, titles: Mapping[str, str], seconds: float) -> PlacementJson:
    """Return where a document stands; `titles` are its neighbours', by id."""
    neighbours = [{"id": id_, "title": titles.get(id_, "")} for id_ in placement.neighbours]
    place = {name: round(getattr(placement, name), 4) for name in ("x", "y", "kept")}
    return filled(PlacementJson, title=title, **place, seconds=round(seconds, 5), neighbours=neighbours)

"""A map, and how a folder keeps it."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from engine.core import files
from engine.core.errors import MapError, StorageError
from engine.maps.labels import ClusterLabel

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

NEIGHBOURS = 15
"""True neighbours a document: UMAP pulls them together, the screen joins them by lines, `kept` counts them."""

_FORMAT = "priorscope-atlas/1"  # the mark of every map on disk
_ARRAYS = {"positions": 2, "levels": 2, "neighbours": 2, "kept_per_point": 1, "placed": 1}


@dataclass(frozen=True, eq=False)
class LibraryMap:
    """Positions, groups and labels of n documents, and how far the picture keeps what is true.

    Arrays are read-only: later documents never move old ones. `levels` holds each document's group at every zoom, from
    coarse to fine, -1 for none. `neighbours` are the positions in `ids` of its nearest by the encoder, nearest first,
    padded with -1; `kept_per_point` is the share of them among the nearest in the picture. `placed` marks documents
    that came after the fit and were put among their neighbours; `trustworthiness` and `kept` belong to the fit.
    `spacing` is the median distance from a point to its 15th nearest in the picture. `notes` say in a sentence what is
    unusual. `fitted` documents had a row at the fit; 0 if unknown. A large map is fitted on some of its documents:
    `beside` is how many others, the first of those that are `placed`, were put among them at once.
    """

    MAX_LABEL: ClassVar[int] = 60
    """Characters of a label that a person gives."""

    ids: tuple[str, ...]
    positions: NDArray[np.float32]  # (n, 2)
    levels: NDArray[np.int32]  # (3, n)
    labels: tuple[ClusterLabel, ...]
    neighbours: NDArray[np.int32]  # (n, 15)
    kept_per_point: NDArray[np.float32]  # (n,)
    placed: NDArray[np.bool_]  # (n,)
    trustworthiness: float
    kept: float
    spacing: float
    fingerprint: str
    encoder: str
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    fitted: int = 0
    beside: int = 0

    def __post_init__(self) -> None:
        """Freeze the arrays."""
        for name in _ARRAYS:
            getattr(self, name).setflags(write=False)

    def __len__(self) -> int:
        """Return how many documents are on the map."""
        return len(self.ids)

    @property
    def clusters(self) -> NDArray[np.int32]:
        """The coarsest groups (n,), -1 for none: few enough to tell apart by colour."""
        coarsest: NDArray[np.int32] = self.levels[self.coarsest]
        return coarsest

    @property
    def coarsest(self) -> int:
        """The coarsest level with a group: the first, except on a map of a few dozen documents."""
        return next((number for number, level in enumerate(self.levels) if (level >= 0).any()), 0)

    @property
    def placed_count(self) -> int:
        """How many documents were placed among those of the fit."""
        return int(self.placed.sum())

    @property
    def later_count(self) -> int:
        """How many documents came after the fit."""
        return self.placed_count - self.beside

    @cached_property
    def picture(self) -> cKDTree:
        """Finds the points that are nearest to a place."""
        from scipy.spatial import cKDTree

        return cKDTree(self.positions.astype(np.float64))

    @property
    def counted(self) -> int:
        """How many true neighbours of a document `kept` counts: a small map would always keep all 15."""
        return counted_neighbours(self.fitted_count)

    @property
    def fitted_count(self) -> int:
        """How many documents `kept` and `trustworthiness` measure; if unknown, how many are left."""
        return self.fitted or int(np.count_nonzero(self.neighbours[~self.placed, 0] >= 0))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Where in `ids` each id stands."""
        return {identity: number for number, identity in enumerate(self.ids)}

    def labels_at(self, level: int) -> tuple[ClusterLabel, ...]:
        """Return the labels of one zoom, largest group first. Raises MapError for a level that the map lacks."""
        if not 0 <= level < len(self.levels):
            raise MapError(f"Expected a zoom level from 0 to {len(self.levels) - 1}, got {level}.")
        return tuple(label for label in self.labels if label.level == level)

    def renamed(self, level: int, cluster: int, own: str) -> Self:
        """Return the same map with one group renamed; an empty name restores the map's own.

        Raises MapError for a group that is not on the map, and for a name that is too long or cannot be seen.
        """
        own = " ".join(own.split())
        if len(own) > self.MAX_LABEL or not own.isprintable():
            raise MapError(
                f"Expected a label of at most {self.MAX_LABEL} visible characters, got {len(own)}: "
                f"{own[: self.MAX_LABEL]!r}. Give another one."
            )
        if not any((label.level, label.cluster) == (level, cluster) for label in self.labels):
            raise MapError(f"Expected a group of the map, got number {cluster} of level {level}. Open the map again.")
        labels = (
            dataclasses.replace(label, own=own) if (label.level, label.cluster) == (level, cluster) else label
            for label in self.labels
        )
        return dataclasses.replace(self, labels=tuple(labels))

    def missing(self, ids: Iterable[str]) -> list[str]:
        """Return the `ids` that are not on the map, in their order."""
        return [identity for identity in ids if identity not in self.numbers]

    def without(self, gone: Collection[str]) -> Self:
        """Return the map without some documents: the others stay in place, and empty groups go.

        `trustworthiness` and `kept` still belong to the fit.
        """
        stays = np.array([identity not in gone for identity in self.ids], bool)  # (n,)
        if stays.all():
            return self
        number = np.where(stays, np.cumsum(stays) - 1, -1).astype(np.int32)  # old row to new
        near = self.neighbours[stays]
        near = np.where(near >= 0, number[near], np.int32(-1))
        near = np.take_along_axis(near, np.argsort(near < 0, axis=1, kind="stable"), axis=1)
        labels = sized(self.labels, self.levels[:, stays])
        return dataclasses.replace(
            self,
            ids=tuple(identity for identity in self.ids if identity not in gone),
            positions=self.positions[stays],
            levels=self.levels[:, stays],
            neighbours=near,
            labels=tuple(label for label in labels if label.size),
            kept_per_point=self.kept_per_point[stays],
            placed=self.placed[stays],
            beside=int(stays[np.flatnonzero(self.placed)[: self.beside]].sum()),
        )

    def save(self, folder: Path) -> None:
        """Write the map into `folder`, all or nothing."""
        from safetensors.numpy import save_file

        facts = {name: getattr(self, name) for name in _facts()}
        facts["labels"] = [dataclasses.asdict(label) for label in self.labels]
        with files.new_folder(folder) as new:
            save_file({name: np.ascontiguousarray(getattr(self, name)) for name in _ARRAYS}, new / "map.safetensors")
            files.write_json(new / "map.json", {"format": _FORMAT, **facts})

    @classmethod
    def load(cls, folder: Path, *, fingerprint: str | None = None) -> Self:
        """Read what `save` wrote.

        Raises StorageError where the folder is damaged or foreign, and MapError where the map was
        fitted on vectors of another encoder than the one whose `fingerprint` is given.
        """
        facts = _read_facts(folder)
        if fingerprint is not None and facts["fingerprint"] != fingerprint:
            raise MapError(
                f"Expected a map of vectors with the fingerprint {fingerprint}, found one of {facts['encoder']} with "
                f"{facts['fingerprint']}. Fit the map again (priorscope map --refit)."
            )
        arrays: dict[str, Any] = _read_arrays(folder, len(facts["ids"]))
        try:
            labels = tuple(ClusterLabel(**label) for label in facts.pop("labels"))
        except TypeError:
            raise _damaged(folder, "labels of another form") from None
        facts["ids"], facts["notes"] = tuple(facts["ids"]), tuple(facts["notes"])
        return cls(**facts, **arrays, labels=labels)


def sized(labels: Iterable[ClusterLabel], levels: NDArray[np.int32]) -> tuple[ClusterLabel, ...]:
    """Return labels with how many documents each group has by `levels` (3, n)."""
    sizes = [Counter(level.tolist()) for level in levels]
    return tuple(dataclasses.replace(label, size=sizes[label.level][label.cluster]) for label in labels)


def counted_neighbours(size: int) -> int:
    """Return how many true neighbours are counted on a map of `size` documents: 15, but at most half of the others."""
    return min(NEIGHBOURS, max(1, (size - 1) // 2))


def _facts() -> list[str]:
    """Return the fields that are kept as JSON."""
    return [field.name for field in dataclasses.fields(LibraryMap) if field.name not in _ARRAYS]


def _read_facts(folder: Path) -> dict[str, Any]:
    facts = files.read_json(folder / "map.json", remedy="Fit the map again.")
    if not isinstance(facts, dict) or facts.pop("format", None) != _FORMAT:
        raise _damaged(folder, f"something else than {_FORMAT}")
    for name in ("fitted", "beside"):  # older maps lack them
        facts.setdefault(name, 0)
    if sorted(facts) != sorted(_facts()):
        raise _damaged(folder, f"the facts {', '.join(sorted(facts))}")
    return facts


def _read_arrays(folder: Path, size: int) -> dict[str, NDArray[Any]]:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        arrays: dict[str, NDArray[Any]] = load_file(folder / "map.safetensors")
    except (FileNotFoundError, SafetensorError) as error:
        raise _damaged(folder, f"no readable map.safetensors ({error})") from None
    if {name: array.ndim for name, array in arrays.items()} != _ARRAYS:
        raise _damaged(folder, f"the arrays {', '.join(sorted(arrays))}")
    lengths = {array.shape[1 if name == "levels" else 0] for name, array in arrays.items()}
    if lengths != {size}:
        raise _damaged(folder, f"{size} ids and arrays of length {sorted(lengths)}")
    return arrays


def _damaged(folder: Path, found: str) -> StorageError:
    return StorageError(f"Expected a map in {folder}, found {found}. Fit the map again (priorscope map --refit).")

"""Requests for the map of a library: drawn or opened, with groups renamed, and a document placed on it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated

from typing_extensions import Doc

from engine import maps
from engine.core.errors import MapError
from engine.core.progress import Report, silent
from engine.documents import Document
from engine.exports import PlacementJson, placement_as_json
from engine.workspace.workspace import Workspace

_GROUPS_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class MapRequest:
    """The map of a library under an encoder."""

    encoder: Annotated[str, Doc("an encoder's name")] = "default"
    refit: Annotated[bool, Doc("draw the map again even if one exists")] = False
    rename: Annotated[tuple[tuple[str, str], ...], Doc("rename a group: its label, and its new name")] = ()

    def run(self, workspace: Workspace, *, report: Report = silent) -> maps.LibraryMap:
        """Return the map of everything that is read, drawn first where none is kept; keeps renames.

        Raises MapError for a group that the map does not have.
        """
        if self.refit:
            workspace.draw_map(self.encoder, report=report)
        library_map = workspace.library_map(self.encoder, report=report)
        if self.rename:
            library_map = self._renamed(library_map)
            workspace.keep_map(self.encoder, library_map)
        return library_map

    def _renamed(self, library_map: maps.LibraryMap) -> maps.LibraryMap:
        """Return the map with some groups renamed, each found by its present name."""
        for old, new in self.rename:
            found = [label for label in library_map.labels if label.name.lower() == old.lower()]
            if not found:
                regions = ", ".join(label.name for label in library_map.labels_at(0)[:_GROUPS_SHOWN])
                raise MapError(f"Expected the name of a group on the map, got {old!r}. Its regions are {regions}.")
            for label in found:
                library_map = library_map.renamed(label.level, label.cluster, new)
        return library_map

    def placement(self, workspace: Workspace, library_map: maps.LibraryMap, document: Document) -> PlacementJson:
        """Return where a document stands on the map, and its true neighbours."""
        encoder, index = workspace.encoder(self.encoder), workspace.exact_index(self.encoder)
        hits = index.search(encoder.encode_queries([document]), maps.NEIGHBOURS)[0]
        started = time.perf_counter()
        placed = maps.place(library_map, hits)
        seconds = time.perf_counter() - started
        titles = {one.id: one.title for one in workspace.library.get(list(placed.neighbours))}
        return placement_as_json(placed, document.title, titles, seconds)

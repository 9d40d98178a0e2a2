"""The map of a library: fitted once, kept on disk, and still while new documents are placed on it."""

from engine.maps.fitting import fit, kept_map, open_map
from engine.maps.labels import ClusterLabel
from engine.maps.model import LibraryMap
from engine.maps.placement import Placement, extend, place

__all__ = ["ClusterLabel", "LibraryMap", "Placement", "extend", "fit", "kept_map", "open_map", "place"]

"""The map of a library: fitted once, kept on disk, and still while new documents are placed on it."""

from engine.maps.fitting import fit, kept_atlas, open_atlas
from engine.maps.labels import ClusterLabel
from engine.maps.model import Atlas
from engine.maps.placement import Placement, extend, place

__all__ = ["Atlas", "ClusterLabel", "Placement", "extend", "fit", "kept_atlas", "open_atlas", "place"]

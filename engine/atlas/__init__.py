"""The map of a library: fitted once, kept on disk, and still while new documents are placed on it."""

from engine.atlas.fitting import fit, kept_atlas, open_atlas
from engine.atlas.model import Atlas
from engine.atlas.placement import Placement, extend, place
from engine.clusters import ClusterLabel

__all__ = ["Atlas", "ClusterLabel", "Placement", "extend", "fit", "kept_atlas", "open_atlas", "place"]

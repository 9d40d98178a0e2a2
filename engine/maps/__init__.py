"""The map of a library: fitted once, kept on disk, and still while new documents are placed on it."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.maps.clusters import Cluster, ClusterOrder, SelectionSummary, Titles, in_order, list_clusters
    from engine.maps.fitting import fit, kept_map, open_map
    from engine.maps.labels import ClusterLabel
    from engine.maps.model import NEIGHBOURS, LibraryMap
    from engine.maps.placement import Placement, place
    from engine.maps.trust import EncoderAgreement, measure_agreement

__getattr__ = door(__name__)

"""Groups of points on a map and the words that name them."""

from engine.clusters.density import LEVELS, find_levels
from engine.clusters.labels import ClusterLabel, label_levels
from engine.clusters.vocabulary import Vocabulary

__all__ = ["LEVELS", "ClusterLabel", "Vocabulary", "find_levels", "label_levels"]

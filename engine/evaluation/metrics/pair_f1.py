"""F1 of a clustering: over pairs of documents that share a class, and that share a cluster."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Labels = Sequence[int] | NDArray[np.int64]


def pair_f1(classes: Labels, clusters: Labels) -> float:
    """Harmonic mean of the share of one cluster's pairs that share a class, and of one class's that share a cluster.

    Manning, Raghavan and Schütze, Introduction to Information Retrieval, section 16.3; 0 where no pair is shared.
    """
    from sklearn.metrics.cluster import pair_confusion_matrix

    (_, wrong), (missed, right) = pair_confusion_matrix(classes, clusters)
    return float(2 * right / (2 * right + wrong + missed)) if right else 0.0

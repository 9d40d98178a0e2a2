"""ARI: pairs of documents that classes and clusters treat alike, against what chance would give."""

from __future__ import annotations

from engine.evaluation.metrics.pair_f1 import Labels


def adjusted_rand(classes: Labels, clusters: Labels) -> float:
    """The adjusted Rand index (Hubert and Arabie, 1985): 1 for the same partition, about 0 for one by chance."""
    from sklearn.metrics import adjusted_rand_score

    return float(adjusted_rand_score(classes, clusters))

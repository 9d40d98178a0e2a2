"""V-measure: whether clusters hold one class each, and classes stand in one cluster each, by entropies."""

from __future__ import annotations

from engine.evaluation.metrics.pair_f1 import Labels


def v_measure(classes: Labels, clusters: Labels) -> float:
    """Harmonic mean of homogeneity 1 - H(C|K)/H(C) and completeness 1 - H(K|C)/H(K).

    Rosenberg and Hirschberg, EMNLP 2007, section 2.
    """
    from sklearn.metrics import v_measure_score

    return float(v_measure_score(classes, clusters))

"""What the tweaked C-DSSM paper's tables 1 to 5 hold, and which row of ours stands beside each."""

from __future__ import annotations

from collections.abc import Mapping

WORDS = "words of web queries"
COLLISIONS: Mapping[int, Mapping[str, float]] = {
    40_000: {"trigrams": 10_306, "collisions": 2},
    500_000: {"trigrams": 30_621, "collisions": 22},
}
"""Table 1 by the words of the vocabulary; its "unique hashed vectors" are DSSM's trigrams."""

ROWS: Mapping[str, str] = {
    "lda": "table 2: LDA",
    "cdssm-two-towers": "table 3: unaltered C-DSSM",
    "cdssm-trigrams": "table 4: common convolutional layer",
    "cdssm-words": "table 5: common layer and pre-trained words",
}
"""Rows by our names, in the paper's order from the worst to the best."""

_RECALL_PRECISION_F1 = {
    "lda": (
        (0.045, 0.045, 0.045),
        (0.044, 0.043, 0.044),
        (0.045, 0.041, 0.043),
        (0.050, 0.038, 0.043),
        (0.062, 0.037, 0.047),
        (0.076, 0.037, 0.050),
        (0.090, 0.036, 0.052),
    ),
    "cdssm-two-towers": (
        (0.190, 0.190, 0.190),
        (0.179, 0.176, 0.177),
        (0.178, 0.163, 0.170),
        (0.195, 0.196, 0.196),
        (0.226, 0.135, 0.169),
        (0.259, 0.125, 0.169),
        (0.291, 0.119, 0.169),
    ),
    "cdssm-trigrams": (
        (0.283, 0.283, 0.283),
        (0.267, 0.262, 0.264),
        (0.265, 0.244, 0.254),
        (0.291, 0.218, 0.249),
        (0.333, 0.199, 0.249),
        (0.377, 0.183, 0.247),
        (0.418, 0.170, 0.242),
    ),
    "cdssm-words": (
        (0.411, 0.410, 0.410),
        (0.378, 0.370, 0.374),
        (0.370, 0.340, 0.354),
        (0.399, 0.299, 0.342),
        (0.445, 0.266, 0.333),
        (0.494, 0.240, 0.323),
        (0.538, 0.220, 0.311),
    ),
}
_DEPTHS = (1, 5, 10, 20, 30, 40, 50)

FIGURES: Mapping[str, Mapping[str, float]] = {
    row: {
        f"{name}@{k}-cdssm": value
        for k, values in zip(_DEPTHS, table, strict=True)
        for name, value in zip(("recall", "precision", "f1"), values, strict=True)
    }
    for row, table in _RECALL_PRECISION_F1.items()
}
"""As printed. Table 3's precision@20 of .196 stands out: .146 would lie between its neighbours .163 and .135."""

"""The figures of CTPE's tables 4 to 6, as the paper prints them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

DATASETS = {"arxiv-subject": "arXiv", "acm-citation": "DBLP", "patents-citation": "USPTO"}
"""The paper's set that each benchmark is nearest to: rebuilt, not the same documents."""

METHODS = ("avg", "CTPE_0", "CTPE")

TABLE_4: Mapping[str, Mapping[str, tuple[float, float, float]]] = {
    "word2vec(ran)": {
        "arXiv": (0.0071, 0.0034, 0.0637),
        "DBLP": (0.0469, 0.0022, 0.2277),
        "USPTO": (0.0594, 0.0549, 0.1378),
    },
    "word2vec": {
        "arXiv": (0.0841, 0.0555, 0.1098),
        "DBLP": (0.2339, 0.1390, 0.3002),
        "USPTO": (0.1796, 0.2182, 0.2381),
    },
    "word2vec(full)": {
        "arXiv": (0.1345, 0.1093, 0.1645),
        "DBLP": (0.2453, 0.1607, 0.3185),
        "USPTO": (0.1670, 0.2095, 0.2480),
    },
    "Skip-thoughts": {
        "arXiv": (0.0330, 0.0007, 0.0623),
        "DBLP": (0.0794, 0.0015, 0.1302),
        "USPTO": (0.0945, 0.0067, 0.1142),
    },
    "BERT": {
        "arXiv": (0.1139, 0.0267, 0.1280),
        "DBLP": (0.1824, 0.0095, 0.2639),
        "USPTO": (0.1628, 0.0991, 0.2130),
    },
}
"""F1@20 of avg, CTPE_0 and CTPE by embedding model and set; the rows that ours can stand beside."""


@dataclass(frozen=True)
class Row5:
    """Precision, recall and F1 at 20."""

    p: float
    r: float
    f1: float


TABLE_5: Mapping[str, Mapping[str, Row5]] = {
    "20%": {
        "arXiv": Row5(0.3265, 0.1211, 0.1767),
        "DBLP": Row5(0.2925, 0.3835, 0.3319),
        "USPTO": Row5(0.1855, 0.3545, 0.2435),
    },
    "40%": {
        "arXiv": Row5(0.3283, 0.1219, 0.1778),
        "DBLP": Row5(0.2786, 0.3651, 0.3160),
        "USPTO": Row5(0.1821, 0.3485, 0.2392),
    },
    "60%": {
        "arXiv": Row5(0.3149, 0.1155, 0.1690),
        "DBLP": Row5(0.2652, 0.3477, 0.3009),
        "USPTO": Row5(0.1628, 0.3103, 0.2136),
    },
    "80%": {
        "arXiv": Row5(0.2934, 0.1054, 0.1551),
        "DBLP": Row5(0.2319, 0.3040, 0.2631),
        "USPTO": Row5(0.1526, 0.2893, 0.1998),
    },
    "meaningful": {
        "arXiv": Row5(0.3066, 0.1124, 0.1645),
        "DBLP": Row5(0.2808, 0.3680, 0.3185),
        "USPTO": Row5(0.1889, 0.3609, 0.2480),
    },
}
"""Five positions, over word2vec(full)."""


@dataclass(frozen=True)
class Row6:
    """Precision and recall at 20, and the epochs of the result."""

    p: float
    r: float
    epochs: int


TABLE_6: Mapping[str, Mapping[str, Row6]] = {
    "CTPE_T": {"arXiv": Row6(0.2944, 0.1074, 3), "DBLP": Row6(0.2716, 0.3561, 78), "USPTO": Row6(0.1903, 0.3628, 9)},
    "CTPE": {"arXiv": Row6(0.3066, 0.1124, 48), "DBLP": Row6(0.2808, 0.3680, 206), "USPTO": Row6(0.1889, 0.3609, 133)},
}
"""Two ways to draw negatives, over word2vec(full)."""

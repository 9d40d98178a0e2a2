"""The figures of CTPE's tables 1 to 6, as the paper prints them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

STAND_IN = "acl-citation"
"""The folder of the set that stands in for DBLP (`python -m engine.research dblp_stand_in`)."""

RELEASED = {"arxiv20000": "arXiv", "dblp20000": "DBLP", "uspto20000": "USPTO"}
"""The paper's own sets, by the folders that its files become (`python -m engine.research ctpe_files`)."""

DATASETS = {
    "arxiv-subject": "arXiv",
    "acm-citation": "DBLP",
    STAND_IN: "DBLP",
    "patents-citation": "USPTO",
    **RELEASED,
}
"""The paper's set that each benchmark is nearest to: rebuilt from other documents, but for those that it released."""

METHODS = ("avg", "CTPE_0", "CTPE")
METRICS = ("P@20", "R@20", "F1@20", "MAP@20", "NDCG@20", "bpref@20-ctpe")
"""The columns of tables 2 and 3, by our names for them."""

CANDIDATE, TEST = "candidate", "test"
SIZES = (
    "documents",
    "first year",
    "last year",
    "fewest words",
    "most words",
    "fewest labels",
    "most labels",
)
"""The figures of table 1, whose ranges are two of ours; only test documents have labels."""


def _sizes(documents: int, *ranges: tuple[int, int]) -> Mapping[str, float]:
    return dict(zip(SIZES, map(float, (documents, *(end for each in ranges for end in each))), strict=False))


TABLE_1: Mapping[str, Mapping[str, Mapping[str, float]]] = {
    "arXiv": {
        CANDIDATE: _sizes(20_000, (1991, 2015), (205, 425)),
        TEST: _sizes(1_000, (2016, 2016), (205, 418), (22, 95)),
    },
    "DBLP": {
        CANDIDATE: _sizes(20_000, (1967, 2016), (155, 421)),
        TEST: _sizes(1_000, (2017, 2017), (156, 412), (15, 16)),
    },
    "USPTO": {
        CANDIDATE: _sizes(20_000, (2002, 2016), (250, 680)),
        TEST: _sizes(1_000, (2017, 2018), (255, 629), (8, 29)),
    },
}
"""The size of each set. Words are counted by white space; labels are the relevant candidates of a test document."""

CUT_PERCENT = {"arXiv": 4.7, "DBLP": 5.1, "USPTO": 40.2}
"""Where the meaningful cut is, in percent of a document's tokens, the mean of all (section 4.6)."""


def _row(*values: float) -> Mapping[str, float]:
    return dict(zip(METRICS, values, strict=True))


TABLES_2_AND_3: Mapping[str, Mapping[str, Mapping[str, float]]] = {
    "doc2vec(ran)": {
        "arXiv": _row(0.003, 0.0009, 0.0014, 0.0007, 0.0034, 0.4767),
        "DBLP": _row(0.0007, 0.0009, 0.0008, 0.0001, 0.0007, 0.4753),
        "USPTO": _row(0.0005, 0.001, 0.0006, 0.0001, 0.0004, 0.4753),
    },
    "avg-word2vec(ran)": {
        "arXiv": _row(0.0134, 0.0048, 0.0071, 0.0041, 0.0162, 0.4834),
        "DBLP": _row(0.0414, 0.0542, 0.0469, 0.0221, 0.0642, 0.5051),
        "USPTO": _row(0.0457, 0.0849, 0.0594, 0.0276, 0.0671, 0.5081),
    },
    "TF-IDF": {
        "arXiv": _row(0.1532, 0.0571, 0.0831, 0.0773, 0.1751, 0.5666),
        "DBLP": _row(0.2564, 0.336, 0.2908, 0.1692, 0.3257, 0.6475),
        "USPTO": _row(0.128, 0.2419, 0.1674, 0.0745, 0.1681, 0.5624),
    },
    "LSA": {
        "arXiv": _row(0.0289, 0.0098, 0.0146, 0.0073, 0.0312, 0.4912),
        "DBLP": _row(0.042, 0.0549, 0.0476, 0.0188, 0.0579, 0.5039),
        "USPTO": _row(0.035, 0.0653, 0.0456, 0.0189, 0.0487, 0.4994),
    },
    "LDA": {
        "arXiv": _row(0.0361, 0.0132, 0.0193, 0.0093, 0.0367, 0.4944),
        "DBLP": _row(0.022, 0.0287, 0.0249, 0.0072, 0.0267, 0.489),
        "USPTO": _row(0.0309, 0.0589, 0.0406, 0.0141, 0.0401, 0.4954),
    },
    "avg-GloVe": {
        "arXiv": _row(0.1025, 0.0369, 0.0543, 0.0425, 0.1173, 0.537),
        "DBLP": _row(0.1564, 0.205, 0.1774, 0.0917, 0.2083, 0.5819),
        "USPTO": _row(0.1061, 0.1996, 0.1385, 0.059, 0.1404, 0.548),
    },
    "avg-GloVe(full)": {
        "arXiv": _row(0.1747, 0.0634, 0.0931, 0.0875, 0.1983, 0.5786),
        "DBLP": _row(0.1821, 0.2387, 0.2066, 0.1084, 0.2368, 0.5974),
        "USPTO": _row(0.1036, 0.1959, 0.1355, 0.0596, 0.1383, 0.5464),
    },
    "avg-word2vec": {
        "arXiv": _row(0.1609, 0.057, 0.0841, 0.074, 0.1779, 0.5686),
        "DBLP": _row(0.2062, 0.2702, 0.2339, 0.128, 0.2641, 0.614),
        "USPTO": _row(0.1376, 0.2588, 0.1796, 0.0796, 0.1764, 0.5672),
    },
    "avg-word2vec(full)": {
        "arXiv": _row(0.2551, 0.0913, 0.1345, 0.1492, 0.281, 0.6241),
        "DBLP": _row(0.2163, 0.2834, 0.2453, 0.1367, 0.2786, 0.6211),
        "USPTO": _row(0.1275, 0.2419, 0.167, 0.071, 0.1629, 0.5607),
    },
    "WMD-GloVe": {
        "arXiv": _row(0.1138, 0.0413, 0.0606, 0.0527, 0.1393, 0.5466),
        "DBLP": _row(0.2081, 0.2726, 0.236, 0.1406, 0.2837, 0.6216),
        "USPTO": _row(0.1127, 0.212, 0.1471, 0.0686, 0.1527, 0.5547),
    },
    "WMD-GloVe(full)": {
        "arXiv": _row(0.1393, 0.0514, 0.0751, 0.066, 0.1659, 0.5603),
        "DBLP": _row(0.2225, 0.2915, 0.2524, 0.151, 0.2993, 0.6308),
        "USPTO": _row(0.1185, 0.2226, 0.1547, 0.0719, 0.1596, 0.5577),
    },
    "WMD-word2vec": {
        "arXiv": _row(0.1637, 0.0602, 0.088, 0.0797, 0.188, 0.5736),
        "DBLP": _row(0.2482, 0.3253, 0.2816, 0.1714, 0.328, 0.6474),
        "USPTO": _row(0.1356, 0.2563, 0.1774, 0.0826, 0.1792, 0.5693),
    },
    "WMD-word2vec(full)": {
        "arXiv": _row(0.2223, 0.0827, 0.1206, 0.1291, 0.2556, 0.6095),
        "DBLP": _row(0.2527, 0.331, 0.2866, 0.1733, 0.3311, 0.649),
        "USPTO": _row(0.1376, 0.2605, 0.1801, 0.0837, 0.1822, 0.5707),
    },
    "doc2vec": {
        "arXiv": _row(0.1272, 0.0462, 0.0677, 0.0514, 0.142, 0.5491),
        "DBLP": _row(0.1554, 0.2036, 0.1763, 0.0857, 0.2027, 0.579),
        "USPTO": _row(0.1014, 0.1914, 0.1326, 0.0566, 0.135, 0.5444),
    },
    "Doc2VecC": {
        "arXiv": _row(0.2825, 0.103, 0.151, 0.1727, 0.3056, 0.6358),
        "DBLP": _row(0.2579, 0.338, 0.2926, 0.1719, 0.3239, 0.6475),
        "USPTO": _row(0.1635, 0.3094, 0.214, 0.0964, 0.2062, 0.5841),
    },
    "avg-Skip-thoughts": {
        "arXiv": _row(0.0578, 0.0231, 0.033, 0.023, 0.0676, 0.5104),
        "DBLP": _row(0.0699, 0.0918, 0.0794, 0.0387, 0.1044, 0.5254),
        "USPTO": _row(0.0723, 0.1364, 0.0945, 0.0407, 0.1005, 0.5265),
    },
    "CTPE-word2vec(full)": {
        "arXiv": _row(0.3066, 0.1124, 0.1645, 0.1893, 0.3233, 0.6474),
        "DBLP": _row(0.2808, 0.368, 0.3185, 0.1846, 0.3476, 0.6595),
        "USPTO": _row(0.1889, 0.3609, 0.248, 0.1146, 0.2381, 0.602),
    },
}
"""Table 2 holds the first three, table 3 the others, by method and set."""

TABLE_4: Mapping[str, Mapping[str, tuple[float, float, float]]] = {
    "word2vec(ran)": {
        "arXiv": (0.0071, 0.0034, 0.0637),
        "DBLP": (0.0469, 0.0022, 0.2277),
        "USPTO": (0.0594, 0.0549, 0.1378),
    },
    "GloVe": {
        "arXiv": (0.0543, 0.0137, 0.0752),
        "DBLP": (0.1774, 0.0212, 0.2867),
        "USPTO": (0.1385, 0.1581, 0.2220),
    },
    "GloVe(full)": {
        "arXiv": (0.0931, 0.0209, 0.1230),
        "DBLP": (0.2066, 0.0442, 0.2941),
        "USPTO": (0.1355, 0.1617, 0.2215),
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
    "ELMo": {
        "arXiv": (0.0915, 0.0356, 0.1099),
        "DBLP": (0.1346, 0.0230, 0.2428),
        "USPTO": (0.1349, 0.1198, 0.1965),
    },
    "GPT": {
        "arXiv": (0.0676, 0.0080, 0.0730),
        "DBLP": (0.1910, 0.0288, 0.1962),
        "USPTO": (0.1651, 0.0987, 0.1780),
    },
    "GPT-2": {
        "arXiv": (0.0423, 0.0011, 0.0738),
        "DBLP": (0.0638, 0.0007, 0.2027),
        "USPTO": (0.0531, 0.0021, 0.1537),
    },
    "BERT": {
        "arXiv": (0.1139, 0.0267, 0.1280),
        "DBLP": (0.1824, 0.0095, 0.2639),
        "USPTO": (0.1628, 0.0991, 0.2130),
    },
    "TransXL": {
        "arXiv": (0.0190, 0.0105, 0.0717),
        "DBLP": (0.1489, 0.0137, 0.1771),
        "USPTO": (0.1626, 0.1284, 0.1641),
    },
    "XLM": {
        "arXiv": (0.1226, 0.0315, 0.1292),
        "DBLP": (0.2107, 0.0258, 0.2816),
        "USPTO": (0.1753, 0.1163, 0.2200),
    },
    "XLNet": {
        "arXiv": (0.0792, 0.0060, 0.1083),
        "DBLP": (0.2107, 0.0121, 0.2412),
        "USPTO": (0.1753, 0.0097, 0.2137),
    },
    "RoBERTa": {
        "arXiv": (0.0616, 0.0020, 0.0684),
        "DBLP": (0.1493, 0.0038, 0.2255),
        "USPTO": (0.1190, 0.0454, 0.1624),
    },
}
"""F1@20 of avg, CTPE_0 and CTPE by embedding model and set: all fourteen rows."""


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

TABLE_5_MEANS: Mapping[str, float] = {"20%": 0.2684, "40%": 0.2620, "60%": 0.2444, "80%": 0.2216, "meaningful": 0.2610}
"""The table's last column: the mean of a position's nine figures, precision, recall and F1 on the three sets."""


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

"""The figures of CoLDE's table 2 as the paper prints them, and what its text says of figures 6 to 8."""

from __future__ import annotations

from collections.abc import Mapping

DATASETS = {"acl-long": "AAN", "patents-long": "PAT", "wiki": "WIKI"}
"""The paper's set that each of ours is nearest to; pmc-long has no counterpart. WIKI was not at hand."""

COLUMNS = ("precision", "recall", "f1", "accuracy")


def _row(*values: float) -> Mapping[str, float]:
    return dict(zip(COLUMNS, values, strict=True))


TABLE_2: Mapping[str, Mapping[str, Mapping[str, float]]] = {
    "DSSM": {
        "AAN": _row(0.676, 0.716, 0.711, 0.686),
        "WIKI": _row(0.736, 0.830, 0.780, 0.788),
        "PAT": _row(0.538, 0.538, 0.538, 0.521),
    },
    "ARC-I": {
        "AAN": _row(0.647, 0.683, 0.665, 0.655),
        "WIKI": _row(0.799, 0.666, 0.727, 0.764),
        "PAT": _row(0.782, 0.695, 0.736, 0.708),
    },
    "HAN": {
        "AAN": _row(0.641, 0.743, 0.688, 0.664),
        "WIKI": _row(0.676, 0.954, 0.791, 0.748),
        "PAT": _row(0.521, 0.521, 0.521, 0.538),
    },
    "S-BERT": {
        "AAN": _row(0.665, 0.666, 0.665, 0.566),
        "WIKI": _row(0.665, 0.667, 0.666, 0.499),
        "PAT": _row(0.536, 0.495, 0.515, 0.520),
    },
    "SMITH": {
        "AAN": _row(0.732, 0.603, 0.662, 0.691),
        "WIKI": _row(0.640, 0.980, 0.774, 0.714),
        "PAT": _row(0.524, 0.485, 0.502, 0.509),
    },
    "S-LONG": {
        "AAN": _row(0.633, 0.723, 0.675, 0.699),
        "WIKI": _row(0.794, 0.733, 0.762, 0.752),
        "PAT": _row(0.848, 0.533, 0.655, 0.521),
    },
    "CoLDE": {
        "AAN": _row(0.719, 0.756, 0.734, 0.742),
        "WIKI": _row(0.860, 0.767, 0.809, 0.801),
        "PAT": _row(0.829, 0.849, 0.839, 0.833),
    },
    "CoLDE-Aug": {
        "AAN": _row(0.623, 0.629, 0.623, 0.616),
        "WIKI": _row(0.606, 0.580, 0.592, 0.606),
        "PAT": _row(0.778, 0.809, 0.790, 0.757),
    },
    "CoLDE-LSTM": {
        "AAN": _row(0.718, 0.701, 0.709, 0.706),
        "WIKI": _row(0.780, 0.754, 0.766, 0.786),
        "PAT": _row(0.795, 0.843, 0.818, 0.792),
    },
    "CoLDE-CL": {
        "AAN": _row(0.599, 0.499, 0.545, 0.595),
        "WIKI": _row(0.943, 0.510, 0.658, 0.500),
        "PAT": _row(0.614, 0.584, 0.595, 0.586),
    },
}
"""By model and set."""

LARGER_BATCHES_HELP = ("AAN", "PAT")
"""Figure 6: larger batches do better on these, for the same number of epochs (section 4.4.1)."""

BEARS_SHUFFLING = ("CoLDE", "DSSM", "ARC-I", "HAN")
SUFFERS_FROM_SHUFFLING = ("S-BERT", "S-LONG", "SMITH")
"""Figure 8: which models' accuracy stays and which drops with the sections in another order (section 4.4.3)."""

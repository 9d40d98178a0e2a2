"""Drawn weights in the shapes of Skip-thoughts' and ELMo's files, a few numbers wide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.documents import text
from engine.research.baselines.skip_thoughts import END, UNKNOWN
from tests.contracts.encoder import corpus

WORDS = [*sorted({word for document in corpus() for word in text.tokens(document.text)}), UNKNOWN, END]
"""The words of the tests' corpus, in small letters."""

Arrays = dict[str, NDArray[Any]]


def skip_thoughts(models: Sequence[str] = ("uni", "bi"), *, e: int = 5) -> Arrays:
    """Uni-skip of six numbers, bi-skip of four in each direction."""
    drawn = np.random.default_rng(3)
    arrays: Arrays = {}
    for model in models:
        h = {"uni": 6, "bi": 4}[model]
        arrays[f"{model}/table"] = drawn.normal(size=(len(WORDS), e)).astype(np.float32)
        for network in {"uni": ["encoder"], "bi": ["encoder", "encoder_r"]}[model]:
            shapes = {"W": (e, 2 * h), "Wx": (e, h), "U": (h, 2 * h), "Ux": (h, h), "b": (2 * h,), "bx": (h,)}
            for part, shape in shapes.items():
                arrays[f"{model}/{network}_{part}"] = drawn.normal(size=shape).astype(np.float32)
    return arrays


def elmo(*, letters: int = 3, d: int = 4, cells: int = 7) -> Arrays:
    """Filters over one and two characters, one highway, and two layers a direction."""
    drawn = np.random.default_rng(4)
    filters = {"0": (1, 2), "1": (2, 3)}
    wide = sum(count for _, count in filters.values())
    shapes: dict[str, tuple[int, ...]] = {"char_embed": (261, letters)}
    for name, (width, count) in filters.items():
        shapes |= {f"CNN/W_cnn_{name}": (1, width, letters, count), f"CNN/b_cnn_{name}": (count,)}
    for gate in ("carry", "transform"):
        shapes |= {f"CNN_high_0/W_{gate}": (wide, wide), f"CNN_high_0/b_{gate}": (wide,)}
    shapes |= {"CNN_proj/W_proj": (wide, d), "CNN_proj/b_proj": (d,)}
    for direction in range(2):
        for layer in range(2):
            cell = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
            shapes |= {f"{cell}/W_0": (2 * d, 4 * cells), f"{cell}/B": (4 * cells,), f"{cell}/W_P_0": (cells, d)}
    return {name: drawn.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}

"""Many whole numbers for the browser in few bytes: the numbers of a heatmap's cells, and what these cells open."""

from __future__ import annotations

from base64 import b64encode

import numpy as np
from numpy.typing import NDArray

_KINDS = ("i1", "i2", "i4")


def packed(numbers: NDArray[np.integer]) -> dict[str, str]:
    """Whole numbers (any shape, row by row) in base64, in the smallest `kind` that holds them; packed.js reads it."""
    low, high = int(numbers.min(initial=0)), int(numbers.max(initial=0))
    kind = next(one for one in _KINDS if np.iinfo(one).min <= low and high <= np.iinfo(one).max)
    return {"kind": kind, "bytes": b64encode(numbers.astype(f"<{kind}").tobytes()).decode()}

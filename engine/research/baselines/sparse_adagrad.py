"""AdaGrad for a table when a batch touches few of its rows, and the compiler for loops that fill its gradients."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Places = NDArray[np.int64]


@cache
def compiled(loop: Callable[..., None]) -> Callable[..., None]:
    """A loop over arrays as machine code; numba takes a second or two for it, once a process.

    Whole-tensor operations rewrite each vector of a batch a dozen times, which takes several times as long.
    """
    from numba import njit

    faster: Any = njit(fastmath={"reassoc", "contract"}, error_model="numpy")  # sums may be taken in vectors
    made: Callable[..., None] = faster(loop)
    return made


class SparseAdagrad:
    """The rows (V, dim), changed in place, that a batch's `gradients` (V, dim) move: Duchi et al., 2011.

    Squared slopes are summed up from `start`, and `least` is added to the root of their sum, as torch's `Adagrad` does.
    """

    def __init__(self, rows: Floats, rate: float, *, start: float = 0.0, least: float = 1e-10) -> None:
        """Take the rows and the learning rate."""
        self.rows, self.gradients = rows, np.zeros_like(rows)
        self._rate, self._least = rate, least
        self._squares = np.full_like(rows, start)
        self._moved = np.zeros(len(rows), np.bool_)

    def step(self, *touched: Places) -> None:
        """Move the rows at these places, named once or more; their gradients are zero after it."""
        for places in touched:
            tables = (self.rows, self._squares, self.gradients)
            compiled(_descend)(places.ravel(), tables, self._moved, (self._rate, self._least))
        for places in touched:
            self._moved[places] = False


def _descend(
    places: Places, tables: tuple[Floats, Floats, Floats], moved: NDArray[np.bool_], sizes: tuple[float, float]
) -> None:
    """Move each row that has not moved, and say so in `moved` (V,)."""
    rate, least = np.float32(sizes[0]), np.float32(sizes[1])
    for place in places:
        if moved[place]:
            continue
        moved[place] = True
        row, square, slope = tables[0][place], tables[1][place], tables[2][place]
        for column in range(len(row)):
            square[column] += slope[column] * slope[column]
            row[column] -= rate * slope[column] / (np.sqrt(square[column]) + least)
            slope[column] = 0

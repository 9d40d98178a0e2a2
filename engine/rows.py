"""Rows of vectors, the one type that encoders give and indexes keep."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

DenseRows: TypeAlias = NDArray[np.float32]
"""(n, dim) float32."""

SparseRows: TypeAlias = csr_array
"""(n, dim) float32 in compressed rows, for methods whose rows are mostly zeros."""

Rows: TypeAlias = DenseRows | SparseRows
"""(n, dim) float32, dense or sparse."""

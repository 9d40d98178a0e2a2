"""Packed numbers, read back as packed.js does."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import numpy as np
from numpy.typing import NDArray


def unpacked(told: dict[str, str]) -> NDArray[np.integer[Any]]:
    """The whole numbers, row by row."""
    return np.frombuffer(b64decode(told["bytes"]), np.dtype(f"<{told['kind']}"))

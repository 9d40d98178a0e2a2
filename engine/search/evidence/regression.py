"""Logistic regressions whose weights are shipped beside the module that computes their features."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Regression:
    """Weights `of` (F,) features, and an `intercept`."""

    of: NDArray[np.float64]
    intercept: float

    @classmethod
    def shipped(cls, path: Path, name: str, features: Sequence[str]) -> Self:
        """The weights of some features by a name in a file."""
        held = _content(path)[name]
        return cls(np.array([held["weights"][feature] for feature in features]), float(held["intercept"]))

    def log_odds(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """The log-odds (n,) of rows of features (n, F)."""
        return np.asarray(rows @ self.of + self.intercept)

    def p(self, rows: NDArray[np.float64]) -> NDArray[np.float32]:
        """The probability (n,) of rows of features (n, F)."""
        return np.asarray(1 / (1 + np.exp(-self.log_odds(rows))), np.float32)


@lru_cache
def _content(path: Path) -> Mapping[str, Any]:
    content: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
    return content

"""Which of eight colours a similarity gets: even steps between the lowest and the highest of a grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.compare.base import Flags, Matrix
from engine.compare.report.markup import Markup, element
from engine.compare.report.outline import number

STEPS = 8


@dataclass(frozen=True, slots=True)
class Scale:
    """The lowest and the highest similarity of what a picture shows."""

    low: float
    high: float

    @classmethod
    def of(cls, values: Matrix, rows: Flags, columns: Flags) -> Scale:
        """The scale of a grid, without what was left out."""
        kept = values[np.ix_(rows, columns)]
        return cls(float(kept.min()), float(kept.max())) if kept.size else cls(0.0, 0.0)

    def steps(self, values: Matrix) -> NDArray[np.int64]:
        """The step of each value, from 0 to 7; all in the last where the grid holds one number."""
        span = self.high - self.low
        shares = (values - self.low) / span if span > 0 else np.ones_like(values)
        return np.clip((shares * STEPS).astype(np.int64), 0, STEPS - 1)

    def legend(self, note: str = "") -> Markup:
        """The colours from low to high between their two numbers."""
        colours = [element("i", class_=f"h{step}") for step in range(STEPS)]
        bar = element("span", *colours, class_="bar", aria_hidden="true")
        ends = element("span", number(self.low), " ", bar, " ", number(self.high), class_="ends")
        return element("p", "Less alike ", ends, " more alike", f". {note}" if note else "", class_="legend")

"""Which of eight colours a similarity gets: even steps on the scale that the screen has, too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.compare.base import NEAR, Flags, Matrix
from engine.exports.comparison.outline import number
from engine.markup import Markup, element

STEPS = 8


@dataclass(frozen=True, slots=True)
class Scale:
    """The similarities that the lightest and the darkest colour stand for."""

    low: float
    high: float

    @classmethod
    def of(cls, values: Matrix, rows: Flags, columns: Flags) -> Scale:
        """From 0 to near, or to the highest of a grid where that is more, without what was left out."""
        return cls(0.0, float(values[np.ix_(rows, columns)].max(initial=NEAR)))

    def steps(self, values: Matrix) -> NDArray[np.int64]:
        """The step of each value, from 0 to 7."""
        shares = (values - self.low) / (self.high - self.low)
        return np.clip((shares * STEPS).astype(np.int64), 0, STEPS - 1)

    def legend(self, note: str = "") -> Markup:
        """The colours from low to high between their two numbers."""
        colours = [element("i", class_=f"h{step}") for step in range(STEPS)]
        bar = element("span", *colours, class_="bar", aria_hidden="true")
        ends = element("span", number(self.low), " ", bar, " ", number(self.high), class_="ends")
        return element("p", "Less alike ", ends, " more alike", f". {note}" if note else "", class_="legend")

"""What a rebuilt table is made of: lines with our figures and the paper's, its orders, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from engine.evaluation.paper.order import Order, ordered

Figures = Mapping[str, float]
Drawn = Literal["bars", "lines"]


@dataclass(frozen=True, slots=True)
class Line:
    """One row: our name, our figures by column, the paper's of them, and the paper's name where it is another.

    `facts` are what made ours: fingerprint, seconds, epochs.
    """

    name: str
    ours: Figures
    theirs: Figures = field(default_factory=dict)
    beside: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The name, with the paper's where that is another."""
        return self.name if self.beside in ("", self.name) else f"{self.name} ({self.beside})"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A row or a set that is not there, and why."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of the paper about figures that it only draws, and whether it holds here; None: cannot be told."""

    said: str
    holds: bool | None
    figures: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """A table on one set of ours, beside the paper's set that is nearest to it.

    `drawn` names the columns of its plot; of "lines" they are the places on the axis.
    """

    data: str
    beside: str
    columns: tuple[str, ...]
    lines: Sequence[Line]
    orders: Sequence[Order] = ()
    claims: Sequence[Claim] = ()
    skipped: Sequence[Skipped] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    drawn: tuple[str, ...] = ()
    kind: Drawn = "bars"

    def as_json(self) -> dict[str, Any]:
        """Everything, ready to be written."""
        return {**asdict(self), "orders": [order.as_json() for order in self.orders]}


@dataclass(frozen=True, slots=True)
class Table:
    """One of the papers' tables or figures, by the name it is asked for: its panels, and how it was made."""

    name: str
    title: str
    protocol: str
    panels: Sequence[Panel]

    def as_json(self) -> dict[str, Any]:
        """Everything, ready to be written."""
        return {"title": self.title, "protocol": self.protocol, "panels": [panel.as_json() for panel in self.panels]}


def by_column(lines: Sequence[Line], columns: Sequence[str]) -> list[Order]:
    """The order of the rows in each column that the paper has."""
    found = []
    for column in columns:
        theirs = {line.name: line.theirs[column] for line in lines if column in line.theirs}
        if theirs:
            found.append(ordered(column, {line.name: line.ours[column] for line in lines}, theirs))
    return found


def by_line(lines: Sequence[Line]) -> list[Order]:
    """The order of the columns in each row that the paper has."""
    return [ordered(line.name, line.ours, line.theirs) for line in lines if line.theirs]


def by_places(lines: Sequence[Line], columns: Sequence[str], places: Figures) -> list[Order]:
    """The order of the rows in each column where the paper's text gives one order for all, larger is better."""
    return [ordered(column, {line.name: line.ours[column] for line in lines}, places) for column in columns]

"""Rows that an earlier report has and a run lacks: one report holds all that was measured, each row with its commit.

Rows join only on the same files by the same columns. Orders and claims of a panel of several runs follow from all its
rows; two rows of different runs are not tested for chance, because a report keeps no scores by query.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.core import files
from engine.core.errors import EvaluationError
from engine.research.paper.tables import Claim, Line, Order, Panel, Rows, Skipped, Table

COMMIT = "commit"
"""The fact of a line that says at which commit an earlier run measured it."""
_FILES = "sha256"


@dataclass(frozen=True, slots=True)
class Earlier:
    """A saved report: its tables, each line with the commit that it was measured at."""

    tables: Mapping[str, Table]

    @classmethod
    def read(cls, path: Path) -> Earlier:
        """A report that `write` saved. Raises EvaluationError for another file."""
        report = files.read_json(path)
        try:
            made = {name: _table(name, told, report[COMMIT]) for name, told in report["tables"].items()}
        except (AttributeError, KeyError, TypeError) as error:
            raise EvaluationError(
                f"Expected the papers' tables in {path.name}, got another report. Name one that --save wrote."
            ) from error
        return cls(made)


def joined(made: Sequence[Table], earlier: Sequence[Earlier], told: Mapping[str, Rows]) -> dict[str, Table]:
    """The run's tables by name, with what only `earlier` reports have; the first of these that has a row counts."""
    found = {table.name: table for table in made}
    for report in earlier:
        for name, table in report.tables.items():
            found[name] = _with(found[name], table, told.get(name)) if name in found else table
    return found


def _with(table: Table, other: Table, rows: Rows | None) -> Table:
    """A table with the panels, and by `rows` the lines, that only the other has."""
    panels = {panel.data: panel for panel in table.panels}
    for panel in other.panels:
        own = panels.get(panel.data)
        if own is None or not own.lines:
            panels[panel.data] = panel
        elif rows:
            _check_alike(own, panel, table.name)
            panels[panel.data] = _together(own, panel, rows)
    return replace(table, panels=list(panels.values()))


def _check_alike(own: Panel, other: Panel, table: str) -> None:
    if own.columns != other.columns or own.facts.get(_FILES) != other.facts.get(_FILES):
        raise EvaluationError(
            f"Expected {table} on {own.data} to join of the same files and columns, got others. Leave out that report."
        )


def _together(own: Panel, other: Panel, rows: Rows) -> Panel:
    """A panel with the lines that only the other has."""
    names = {line.name for line in own.lines}
    added = [line for line in other.lines if line.name not in names]
    if not added:
        return own
    names |= {line.name for line in added}
    lines = rows.arranged((*own.lines, *added))
    skipped = {one.name: one for one in (*other.skipped, *own.skipped) if one.name not in names}
    return replace(
        own,
        lines=lines,
        orders=[_as_tested(order, _tested(own, other, {line.name for line in added})) for order in rows.orders(lines)],
        claims=list(rows.claims(lines)),
        skipped=list(skipped.values()),
        facts={name: _both(other.facts.get(name), own.facts.get(name)) for name in {**own.facts, **other.facts}},
    )


def _tested(own: Panel, other: Panel, added: set[str]) -> Iterator[tuple[str, tuple[str, str], bool]]:
    """The swapped pairs that either panel tested, of one run: the column, the pair, whether it may be chance."""
    mine = {line.name for line in own.lines}
    for panel, names in ((own, mine), (other, added)):
        for order in panel.orders:
            for pair in set(order.swapped) - set(order.untested):
                if names.issuperset(pair):
                    yield order.over, pair, pair in order.uncertain


def _as_tested(order: Order, tested: Iterator[tuple[str, tuple[str, str], bool]]) -> Order:
    """The order, with what was known of its swapped pairs."""
    known = {pair: chance for over, pair, chance in tested if over == order.over}
    return replace(
        order,
        uncertain=tuple(pair for pair in order.swapped if known.get(pair, pair in order.uncertain)),
        untested=tuple(pair for pair in order.untested if pair not in known),
    )


def _both(other: object, own: object) -> object:
    """The run's own fact; of one that names several, what only the other names, too."""
    if isinstance(own, Mapping) and isinstance(other, Mapping):
        return {**other, **own}
    return other if own is None else own


def _table(name: str, told: Mapping[str, Any], commit: str) -> Table:
    return Table(name, told["title"], told["protocol"], [_panel(panel, commit) for panel in told["panels"]])


def _panel(told: Mapping[str, Any], commit: str) -> Panel:
    lines = [Line(**{**line, "facts": {COMMIT: commit, **line["facts"]}}) for line in told["lines"]]
    return Panel(
        **{
            **told,
            "columns": tuple(told["columns"]),
            "drawn": tuple(told["drawn"]),
            "lines": lines,
            "orders": [Order.from_json(order) for order in told["orders"]],
            "claims": [Claim(**claim) for claim in told["claims"]],
            "skipped": [Skipped(**one) for one in told["skipped"]],
        }
    )

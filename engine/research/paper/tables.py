"""What a rebuilt table is made of: lines with our figures and the paper's, their order, and what was left out.

Kendall's tau says whether our figures stand in the order of the paper's, with the pairs that change places.

Rows that an earlier report has and a run lacks join on the same files by the same columns, each row with its commit.
Orders and claims of a panel of several runs follow from all its rows; two rows of different runs are not tested for
chance, because a report keeps no scores by query.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, Self

from engine.core import files
from engine.core.errors import EngineError, EvaluationError
from engine.evaluation.metrics import CDSSM_DEPTHS
from engine.evaluation.significance import randomisation_p, randomisation_p_of_f1

_NAMED = 6  # swapped pairs that a sentence names before it only counts
_PAIRS = {
    "swapped": "swapped",
    "tied": "tied",
    "uncertain": "swapped_perhaps_by_chance",
    "untested": "swapped_untested",
}


@dataclass(frozen=True, slots=True)
class Order:
    """Two orders of the same things by `over`.

    `tau` is Kendall's tau-b, None if one side tells none of them apart; `pairs` counts the pairs that the paper
    tells apart, `swapped` names those that are the other way round here (the paper's better one first), and `tied`
    those that are equal here. `uncertain` are the swapped pairs whose difference here may be chance, `untested` the
    swapped pairs without scores by query to test.
    """

    over: str
    names: tuple[str, ...]
    tau: float | None
    pairs: int
    swapped: tuple[tuple[str, str], ...]
    tied: tuple[tuple[str, str], ...]
    uncertain: tuple[tuple[str, str], ...] = ()
    untested: tuple[tuple[str, str], ...] = ()

    @property
    def holds(self) -> bool | None:
        """Whether every pair stands as in the paper; None if the paper tells no pair apart."""
        return not self.swapped and not self.tied if self.pairs else None

    def as_json(self) -> dict[str, Any]:
        """Return everything, with the pairs as lists."""
        return {
            "over": self.over,
            "names": list(self.names),
            "kendall_tau": self.tau,
            "pairs": self.pairs,
            **{key: [list(pair) for pair in getattr(self, name)] for name, key in _PAIRS.items()},
            "holds": self.holds,
        }

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Order:
        """Return what `as_json` gave."""
        pairs = {name: tuple(tuple(pair) for pair in told[key]) for name, key in _PAIRS.items()}
        return cls(told["over"], tuple(told["names"]), told["kendall_tau"], told["pairs"], **pairs)

    def in_words(self) -> str:
        """Return one sentence, as "F1@20: holds (Kendall's tau 1.00, 15 pairs of 6)"."""
        if not self.pairs:
            return f"{self.over}: cannot be told, the paper has fewer than two of these"
        tau = "undefined" if self.tau is None else f"{self.tau:.2f}"
        kept = "holds" if self.holds else "does not hold"
        said = f"{self.over}: the paper's order {kept} (Kendall's tau {tau}, {self.pairs} pairs of {len(self.names)})"
        for word, pairs in (("changed places", self.swapped), ("equal here", self.tied)):
            if pairs:
                said += f"; {len(pairs)} {word}: {_some(pairs)}"
        if self.uncertain:
            said += f"; {len(self.uncertain)} of the {len(self.swapped)} may be chance: {_some(self.uncertain)}"
        if self.untested:
            some = "" if len(self.untested) == len(self.swapped) else f"{len(self.untested)} "
            said += f"; {some}not tested for chance"
        return said


def ordered(over: str, ours: Mapping[str, float], theirs: Mapping[str, float]) -> Order:
    """Compare two orders of the things that stand on both sides, larger first."""
    names = tuple(name for name in theirs if name in ours)
    apart = [(a, b) if theirs[a] > theirs[b] else (b, a) for a, b in combinations(names, 2) if theirs[a] != theirs[b]]
    swapped = tuple((better, worse) for better, worse in apart if ours[better] < ours[worse])
    return Order(
        over,
        names,
        _tau([ours[name] for name in names], [theirs[name] for name in names]),
        len(apart),
        swapped=swapped,
        untested=swapped,
        tied=tuple((better, worse) for better, worse in apart if ours[better] == ours[worse]),
    )


def _tau(ours: list[float], theirs: list[float]) -> float | None:
    from scipy.stats import kendalltau

    if len(set(ours)) < 2 or len(set(theirs)) < 2:
        return None
    tau = float(kendalltau(ours, theirs).statistic)
    return None if math.isnan(tau) else round(tau, 4)


def _some(pairs: tuple[tuple[str, str], ...]) -> str:
    named = ", ".join(f"{better} and {worse}" for better, worse in pairs[:_NAMED])
    return named if len(pairs) <= _NAMED else f"{named} and {len(pairs) - _NAMED} more"


Figures = Mapping[str, float]
ByQuery = Mapping[str, Sequence[float]]
Drawn = Literal["bars", "lines"]
F1_OF_MEANS: Mapping[str, tuple[str, str]] = {
    "F1@20": ("P@20", "R@20"),
    **{f"f1@{k}": (f"precision@{k}", f"recall@{k}") for k in CDSSM_DEPTHS},
}
"""Columns that are F1 of the mean precision and the mean recall, with the names of these two."""
CHANCE = "p"
"""The column that says how likely a row's difference is by chance."""
_DRAWS, _CERTAIN = 2_000, 0.05


@dataclass(frozen=True, slots=True)
class Line:
    """One row: our name, our figures by column, the paper's of them, and the paper's name where it is another.

    `facts` are what made ours: fingerprint, seconds, epochs. `by_query` are scores by column, each query's (or
    pair's) in the same place for every line of a panel; they tell which differences may be chance and are not written.
    """

    name: str
    ours: Figures
    theirs: Figures = field(default_factory=dict)
    beside: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    by_query: ByQuery = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The name, with the paper's where that is another."""
        return self.name if self.beside in ("", self.name) else f"{self.name} ({self.beside})"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A missing row or set, and why it is missing."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of the paper about figures that it only draws, and whether it holds here (None: we cannot tell)."""

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

    @classmethod
    def missing(cls, data: str, beside: str, columns: tuple[str, ...], error: EngineError) -> Self:
        """Return the panel of a set that cannot be measured, and say why."""
        return cls(data, beside, columns, [], skipped=[Skipped(data, str(error))])

    def as_json(self) -> dict[str, Any]:
        """Return everything, ready to be written."""
        value = {**asdict(self), "orders": [order.as_json() for order in self.orders]}
        for line in value["lines"]:
            del line["by_query"]
        return value


@dataclass(frozen=True, slots=True)
class Table:
    """One of the papers' tables or figures, by the name it is asked for: its panels, and how it was made."""

    name: str
    title: str
    protocol: str
    panels: Sequence[Panel]

    def as_json(self) -> dict[str, Any]:
        """Return everything but the name, ready to be written."""
        return {"title": self.title, "protocol": self.protocol, "panels": [panel.as_json() for panel in self.panels]}


@dataclass(frozen=True, slots=True)
class Rows:
    """How a panel follows from its lines: the order that they stand in, and what is told of them."""

    arranged: Callable[[Sequence[Line]], list[Line]]
    orders: Callable[[Sequence[Line]], Sequence[Order]]
    claims: Callable[[Sequence[Line]], Iterable[Claim]] = lambda _lines: ()


def each_line(
    names: Iterable[str], make: Callable[[str], Line], *, without: Mapping[str, str] | None = None
) -> tuple[list[Line], list[Skipped]]:
    """Return the line of each name, and which are missing and why: those `without` one, and those that fail here."""
    lines: list[Line] = []
    skipped: list[Skipped] = []
    for name in names:
        try:
            if without and name in without:
                skipped.append(Skipped(name, without[name]))
            else:
                lines.append(make(name))
        except EngineError as error:
            skipped.append(Skipped(name, str(error)))
    return lines, skipped


def by_name(names: Sequence[str]) -> Callable[[Sequence[Line]], list[Line]]:
    """Put lines in the order of their names, those with another name at the end."""
    places = {name: place for place, name in enumerate(names)}
    return lambda lines: sorted(lines, key=lambda line: places.get(line.name, len(places)))


def by_column(lines: Sequence[Line], columns: Sequence[str]) -> list[Order]:
    """Return the order of the rows in each column that the paper has."""
    found = []
    for column in columns:
        theirs = {line.name: line.theirs[column] for line in lines if column in line.theirs}
        if theirs:
            order = ordered(column, {line.name: line.ours[column] for line in lines}, theirs)
            found.append(_tested(order, {line.name: line.by_query for line in lines}))
    return found


def _tested(order: Order, scores: Mapping[str, ByQuery]) -> Order:
    """Return the order, with the swapped pairs that a paired randomisation test over queries does not tell apart."""
    p = {pair: _p(order.over, scores[pair[0]], scores[pair[1]]) for pair in order.swapped}
    return replace(
        order,
        uncertain=tuple(pair for pair, found in p.items() if found is not None and found >= _CERTAIN),
        untested=tuple(pair for pair, found in p.items() if found is None),
    )


def _p(column: str, ours: ByQuery, theirs: ByQuery) -> float | None:
    """Return how likely a difference in a column is by chance; None without scores by query.

    A column that is F1 of means is tested by the precision and the recall of each query.
    """
    parts = of_means(column)
    if all(name in scores for scores in (ours, theirs) for name in parts):
        one, other = ((scores[parts[0]], scores[parts[1]]) for scores in (ours, theirs))
        return randomisation_p_of_f1(one, other, draws=_DRAWS)
    if column in F1_OF_MEANS or column not in ours or column not in theirs:
        return None
    return randomisation_p(ours[column], theirs[column], draws=_DRAWS)


def of_means(column: str) -> tuple[str, str]:
    """Return the names of each query's precision and recall for a column that is F1 of means."""
    return F1_OF_MEANS.get(column, (f"P of {column}", f"R of {column}"))


def by_line(lines: Sequence[Line]) -> list[Order]:
    """Return the order of the columns in each row that the paper has."""
    return [ordered(line.name, line.ours, line.theirs) for line in lines if line.theirs]


def by_places(lines: Sequence[Line], columns: Sequence[str], places: Figures) -> list[Order]:
    """Return the order of the rows in each column where the paper's text gives one order for all, larger is better."""
    return [ordered(column, {line.name: line.ours[column] for line in lines}, places) for column in columns]


COMMIT = "commit"
"""The fact of a line that says at which commit an earlier run measured it."""
_FILES = "sha256"


@dataclass(frozen=True, slots=True)
class Earlier:
    """A saved report: its tables, each line with the commit that it was measured at."""

    tables: Mapping[str, Table]

    @classmethod
    def read(cls, path: Path) -> Earlier:
        """Return a report that `write` saved. Raises EvaluationError for another file."""
        report = files.read_json(path)
        try:
            made = {name: _table(name, told, report[COMMIT]) for name, told in report["tables"].items()}
        except (AttributeError, KeyError, TypeError) as error:
            raise EvaluationError(
                f"Expected the papers' tables in {path.name}, got another report. Name one that --save wrote."
            ) from error
        return cls(made)


def joined(made: Sequence[Table], earlier: Sequence[Earlier], told: Mapping[str, Rows]) -> dict[str, Table]:
    """Return the run's tables by name, with what only `earlier` reports have; the first that has a row counts."""
    found = {table.name: table for table in made}
    for report in earlier:
        for name, table in report.tables.items():
            found[name] = _with(found[name], table, told.get(name)) if name in found else table
    return found


def _with(table: Table, other: Table, rows: Rows | None) -> Table:
    """Return a table with the panels, and by `rows` the lines, that only the other has."""
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
    """Return a panel with the lines that only the other has."""
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
        orders=[
            _as_tested(order, _tested_pairs(own, other, {line.name for line in added})) for order in rows.orders(lines)
        ],
        claims=list(rows.claims(lines)),
        skipped=list(skipped.values()),
        facts={name: _both(other.facts.get(name), own.facts.get(name)) for name in {**own.facts, **other.facts}},
    )


def _tested_pairs(own: Panel, other: Panel, added: set[str]) -> Iterator[tuple[str, tuple[str, str], bool]]:
    """Give the swapped pairs that either panel tested, of one run: the column, the pair, whether it may be chance."""
    mine = {line.name for line in own.lines}
    for panel, names in ((own, mine), (other, added)):
        for order in panel.orders:
            for pair in set(order.swapped) - set(order.untested):
                if names.issuperset(pair):
                    yield order.over, pair, pair in order.uncertain


def _as_tested(order: Order, tested: Iterator[tuple[str, tuple[str, str], bool]]) -> Order:
    """Return the order, with what was known of its swapped pairs."""
    known = {pair: chance for over, pair, chance in tested if over == order.over}
    return replace(
        order,
        uncertain=tuple(pair for pair in order.swapped if known.get(pair, pair in order.uncertain)),
        untested=tuple(pair for pair in order.untested if pair not in known),
    )


def _both(other: object, own: object) -> object:
    """Return the run's own fact; of one that names several, what only the other names, too."""
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

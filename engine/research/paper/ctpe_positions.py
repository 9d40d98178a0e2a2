"""CTPE's table 5: where a document is cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from statistics import fmean

from engine.core.errors import EngineError
from engine.research.paper.published import ctpe as published
from engine.research.paper.tables import Line, Panel, Skipped, Table, by_column
from engine.research.paper.work import Work, about

NAME = "ctpe-5"
MEANINGFUL = "meaningful"
PROTOCOL = (
    "Five positions over word2vec(full), small networks in the paper's own form. Meaningful is title | abstract for "
    "papers; these patents have no claims, so that theirs is title and abstract | opening of the description, where "
    "the paper has abstract | first claim. The paper's last column, avg, is the mean of a position's precision, recall "
    "and F1 on its three sets; ours is of the sets that stand here, where there are several."
)
MEAN = "avg"
_EVERY_SET = "all sets"
_METRICS = {"P@20": "p", "R@20": "r", "F1@20": "f1"}


def table(work: Work) -> Table:
    """A panel a set, a row a position."""
    panels = [_panel(work, data) for data in work.settings.ctpe.small_sets]
    measured = [panel for panel in panels if panel.lines]
    means = [_means(measured)] if len(measured) > 1 else []
    return Table(NAME, "CTPE, table 5: positions of the cut", PROTOCOL, [*panels, *means])


def _means(panels: Sequence[Panel]) -> Panel:
    """The paper's last column: the mean of all figures of a position."""
    of_place: dict[str, list[float]] = {place: [] for place in published.TABLE_5}
    for line in (line for panel in panels for line in panel.lines):
        of_place[line.name] += [line.ours[name] for name in _METRICS]
    lines = [
        Line(place, {MEAN: round(fmean(figures), 4)}, {MEAN: published.TABLE_5_MEANS[place]})
        for place, figures in of_place.items()
    ]
    facts = {"sets": ", ".join(panel.data for panel in panels)}
    return Panel(_EVERY_SET, "three sets", (MEAN,), lines, orders=by_column(lines, (MEAN,)), facts=facts)


def _panel(work: Work, data: str) -> Panel:
    beside, columns = published.DATASETS.get(data, ""), tuple(_METRICS)
    try:
        benchmark = work.benchmark(data)
        lines = [_line(work, data, place) for place in published.TABLE_5]
    except EngineError as error:
        return Panel(data, beside, columns, [], skipped=[Skipped(data, str(error))])
    orders = by_column(lines, columns)
    return Panel(data, beside, columns, lines, orders=orders, facts=about(benchmark), drawn=("F1@20",))


def _line(work: Work, data: str, place: str) -> Line:
    from engine.research.paper.ctpe_models import FULL, Models  # brings torch

    models = Models(work, work.benchmark(data), small=True)
    if place == MEANINGFUL:
        cell = models.ctpe(f"CTPE {FULL}")
    else:
        cell = models.ctpe(f"CTPE {place.replace('%', ' percent')}", settings=[f'pairs.position="{place}"'])
    row = published.TABLE_5[place].get(published.DATASETS.get(data, ""))
    theirs = {} if row is None else {name: asdict(row)[short] for name, short in _METRICS.items()}
    return Line(
        place, {name: cell.metrics[name] for name in _METRICS}, theirs, facts=cell.facts, by_query=cell.by_query
    )

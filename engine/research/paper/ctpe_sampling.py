"""CTPE's table 6: negatives drawn near a document (CTPE_T) against negatives drawn from all."""

from __future__ import annotations

from engine.core.errors import EngineError
from engine.research.paper.published import ctpe as published
from engine.research.paper.tables import Line, Panel, Skipped, Table, by_column
from engine.research.paper.work import Work, about

NAME = "ctpe-6"
PROTOCOL = (
    "CTPE_T draws half of its negatives from the 100 nearest documents by TF-IDF (section 4.7). The epoch is the best "
    "on the valid queries of those that were trained; the paper has no valid queries and counts the epochs of its "
    "result. Only where the training stopped by itself before its last epoch is that its convergence."
)
_COLUMNS = ("P@20", "R@20", "best epoch", "epochs trained")


def table(work: Work) -> Table:
    """A panel a set, a row a way to draw negatives."""
    panels = [_panel(work, data) for data in work.settings.ctpe.small_sets]
    return Table(NAME, "CTPE, table 6: CTPE_T against CTPE", PROTOCOL, panels)


def _panel(work: Work, data: str) -> Panel:
    beside = published.DATASETS.get(data, "")
    try:
        benchmark = work.benchmark(data)
        lines = [_line(work, data, name) for name in published.TABLE_6]
    except EngineError as error:
        return Panel(data, beside, _COLUMNS, [], skipped=[Skipped(data, str(error))])
    orders = by_column(lines, _COLUMNS)
    return Panel(data, beside, _COLUMNS, lines, orders=orders, facts=about(benchmark), drawn=("P@20", "best epoch"))


def _line(work: Work, data: str, name: str) -> Line:
    from engine.research.paper.ctpe_models import FULL, Models  # brings torch

    models = Models(work, work.benchmark(data))
    if name == "CTPE":
        cell = models.ctpe(f"CTPE {FULL}")
    else:
        cell = models.ctpe(name, settings=['objective.sampling="tfidf"'])
    row = published.TABLE_6[name].get(published.DATASETS.get(data, ""))
    theirs = {} if row is None else {"P@20": row.p, "R@20": row.r, "best epoch": float(row.epochs)}
    epochs = {"best epoch": float(cell.best_epoch or 0), "epochs trained": float(cell.epochs or 0)}
    ours = {**{metric: cell.metrics[metric] for metric in _COLUMNS[:2]}, **epochs}
    return Line(name, ours, theirs, facts=cell.facts, by_query=cell.by_query)

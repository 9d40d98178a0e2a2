"""CTPE's table 4: what each embedding model gives as a plain average, untrained (CTPE_0) and trained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import TYPE_CHECKING

from engine.core.errors import EngineError
from engine.research.paper.published import ctpe as published
from engine.research.paper.tables import Claim, Line, Panel, Skipped, Table, by_column, by_line, each_line, of_means
from engine.research.paper.work import Work, about

if TYPE_CHECKING:
    from engine.research.paper.ctpe_models import Cell

NAME = "ctpe-4"
PROTOCOL = (
    "F1@20. The networks are small and in the paper's own form, trained on the set's own corpus; the best epoch is "
    "that of the valid queries. Our sentence vectors are means of word vectors and stand beside Skip-thoughts, "
    "MiniLM's token vectors beside BERT."
)
BESIDE = {"sentence means": "Skip-thoughts", "MiniLM": "BERT"}
"""The paper's row that stands beside an embedding model of ours if the two models differ."""

_METRIC = "F1@20"
_PAIRS = (("CTPE", "avg"), ("CTPE", "CTPE_0"), ("avg", "CTPE_0"))


def table(work: Work) -> Table:
    """A panel a set, a row an embedding model."""
    panels = [_panel(work, data) for data in work.settings.ctpe.small_sets]
    return Table(NAME, "CTPE, table 4: embedding models, F1@20", PROTOCOL, panels)


def _panel(work: Work, data: str) -> Panel:
    beside = published.DATASETS.get(data, "")
    try:
        benchmark = work.benchmark(data)
    except EngineError as error:
        return Panel(data, beside, published.METHODS, [], skipped=[Skipped(data, str(error))])
    lines, skipped = each_line(work.settings.ctpe.embeddings, lambda embedding: _line(work, data, embedding))
    skipped += _missing({line.beside for line in lines} | set(work.settings.ctpe.embeddings), beside)
    return Panel(
        data,
        beside,
        published.METHODS,
        lines,
        orders=[*by_column(lines, published.METHODS), *by_line(lines)],
        claims=list(_claims(lines)),
        skipped=skipped,
        facts=about(benchmark),
        drawn=published.METHODS,
    )


def _missing(present: Set[str], beside: str) -> Iterator[Skipped]:
    """The paper's rows beside which none of ours stands, with their figures."""
    for name, sets in published.TABLE_4.items():
        if name not in present and beside in sets:
            figures = [f"{way} {value:.4f}" for way, value in zip(published.METHODS, sets[beside], strict=True)]
            yield Skipped(name, f"not among ctpe.embeddings; the paper has {', '.join(figures)}")


def _line(work: Work, data: str, embedding: str) -> Line:
    from engine.encoders.ctpe.embeddings import remembering  # brings torch
    from engine.research.paper.ctpe_models import Models

    models = Models(work, work.benchmark(data), small=True)
    with remembering():  # a transformer reads no half twice
        cells = [
            models.average(embedding),
            models.ctpe(f"CTPE_0 {embedding}", embedding=embedding, epochs=0),
            models.ctpe(f"CTPE {embedding}", embedding=embedding),
        ]
    beside = BESIDE.get(embedding, embedding)
    theirs = published.TABLE_4.get(beside, {}).get(published.DATASETS.get(data, ""), ())
    ours = [cell.metrics[_METRIC] for cell in cells]
    return Line(
        embedding,
        dict(zip(published.METHODS, ours, strict=True)),
        dict(zip(published.METHODS, theirs, strict=False)),
        beside=beside,
        facts={"fingerprint": cells[2].fingerprint, "cells": [cell.facts for cell in cells]},
        by_query=dict(part for name, cell in zip(published.METHODS, cells, strict=True) for part in _parts(name, cell)),
    )


def _parts(name: str, cell: Cell) -> Iterator[tuple[str, Sequence[float]]]:
    """Each query's precision and recall under the names by which a column's F1 is tested."""
    return zip(of_means(name), (cell.by_query["P@20"], cell.by_query["R@20"]), strict=True)


def _claims(lines: Sequence[Line]) -> Iterator[Claim]:
    """How often one way is above another, here and in the paper; a claim holds if all rows agree with the paper."""
    beside = [line for line in lines if line.theirs]
    if not beside:
        return
    for better, worse in _PAIRS:
        ours = sum(line.ours[better] > line.ours[worse] for line in lines)
        theirs = sum(line.theirs[better] > line.theirs[worse] for line in beside)
        same = all((one.ours[better] > one.ours[worse]) == (one.theirs[better] > one.theirs[worse]) for one in beside)
        figures = f"{ours} of {len(lines)} here, {theirs} of {len(beside)} in the paper"
        yield Claim(f"{better} above {worse} on the same rows as in the paper", same, figures)

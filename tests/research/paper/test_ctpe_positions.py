"""CTPE's tables 5 and 6."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.research.paper import ctpe_positions, ctpe_sampling
from engine.research.paper.published import ctpe as published
from engine.research.paper.work import Work
from engine.training.ctpe import trainer
from tests.evaluation.small import split_queries, write_benchmark
from tests.research.paper.small_ctpe import NAME, rows_of

pytestmark = pytest.mark.usefixtures("few_words")


def test_tables_5_and_6_share_what_is_trained(ctpe_work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    positions, cut = rows_of(ctpe_positions.table(ctpe_work))
    assert list(cut) == ["20%", "40%", "60%", "80%", "meaningful"]
    assert cut["meaningful"].theirs == {"P@20": 0.3066, "R@20": 0.1124, "F1@20": 0.1645}
    assert positions.orders[0].pairs == 10
    sampling, drawn_by = rows_of(ctpe_sampling.table(ctpe_work))
    assert drawn_by["CTPE_T"].theirs["best epoch"] == 3
    assert drawn_by["CTPE"].facts == cut["meaningful"].facts
    assert {order.over for order in sampling.orders} == {"P@20", "R@20", "best epoch"}
    monkeypatch.setattr(trainer, "train", None)  # what was trained is not trained again
    assert rows_of(ctpe_positions.table(ctpe_work))[1] == cut


def test_the_last_column_is_the_mean_of_all_figures_of_several_sets(ctpe_work: Work) -> None:
    split_queries(write_benchmark(ctpe_work.data / published.STAND_IN), valid=1)
    sets = (NAME, published.STAND_IN, "nowhere")
    settings = replace(ctpe_work.settings, ctpe=replace(ctpe_work.settings.ctpe, small_sets=sets))
    one, other, lost, mean = ctpe_positions.table(Work(ctpe_work.data, ctpe_work.cache, settings)).panels
    assert other.lines[0].theirs["P@20"] == 0.2925 and not lost.lines
    figures = [line.ours[name] for panel in (one, other) for line in panel.lines[:1] for name in panel.columns]
    assert mean.lines[0].ours["avg"] == pytest.approx(sum(figures) / 6, abs=1e-4)
    assert {line.name: line.theirs["avg"] for line in mean.lines} == published.TABLE_5_MEANS
    assert mean.facts["sets"] == f"{NAME}, {published.STAND_IN}"

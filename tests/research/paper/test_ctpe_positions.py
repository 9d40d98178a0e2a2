"""CTPE's tables 5 and 6."""

from __future__ import annotations

import pytest

from engine.research.paper import ctpe_positions, ctpe_sampling
from engine.research.paper.work import Work
from engine.training.ctpe import trainer
from tests.research.paper.small_ctpe import rows_of

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

"""CTPE's table 4."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.research.paper import ctpe_embeddings
from engine.research.paper.published import ctpe as published
from engine.research.paper.work import Work
from tests.research.paper.small_ctpe import rows_of, small_work

pytestmark = pytest.mark.usefixtures("few_words")


def test_table_4_has_three_ways_on_each_embedding(ctpe_work: Work) -> None:
    panel, rows = rows_of(ctpe_embeddings.table(ctpe_work))
    assert rows["word2vec(full)"].theirs == {"avg": 0.1345, "CTPE_0": 0.1093, "CTPE": 0.1645}
    assert rows["sentence means"].beside == "Skip-thoughts"
    assert [cell["epochs"] for cell in rows["word2vec(full)"].facts["cells"]] == [None, 0, 2]
    assert "2 of 2 in the paper" in panel.claims[0].figures
    assert {order.over for order in panel.orders} == {*published.METHODS, *rows}
    missing = {one.name: one.why for one in panel.skipped}
    assert set(missing) == set(published.TABLE_4) - {"word2vec(full)", "Skip-thoughts"}
    assert missing["ELMo"].endswith("the paper has avg 0.0915, CTPE_0 0.0356, CTPE 0.1099")


def test_an_embedding_that_is_not_known_is_left_out(tmp_path: Path) -> None:
    panel, rows = rows_of(ctpe_embeddings.table(small_work(tmp_path, 'ctpe.embeddings=["ELMo"]')))
    assert rows == {} and panel.claims == []
    assert "Expected embeddings among word2vec(ran)" in panel.skipped[0].why and "got ELMo" in panel.skipped[0].why
    assert [one.name for one in panel.skipped].count("ELMo") == 1

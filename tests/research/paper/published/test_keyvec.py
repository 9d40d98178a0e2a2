"""What the KeyVec paper says of its tables."""

from __future__ import annotations

from engine.research.baselines.rows import ROWS
from engine.research.paper.published import keyvec as published


def test_every_method_of_the_paper_is_a_row_with_a_place() -> None:
    assert set(published.PLACES) == set(published.ROWS)
    assert set(published.ROWS) - {"word2vec-own"} <= set(ROWS.names())  # which is trained for the tables alone


def test_keyvec_is_first_and_both_averages_share_the_last_place() -> None:
    order = sorted(published.PLACES, key=lambda row: -published.PLACES[row])
    assert order[:2] == ["keyvec", "doc2vec"]
    assert published.PLACES["word2vec-mean"] == published.PLACES["word2vec-own"] == min(published.PLACES.values())

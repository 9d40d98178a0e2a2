"""What the tables are measured on."""

from __future__ import annotations

import pytest

from engine.research.paper import keyvec
from engine.research.paper.work import Work
from tests.research.paper.small_keyvec import settings


def test_rows_are_left_out_of_one_set_or_of_all(keyvec_work: Work) -> None:
    given = 'keyvec.leave_out=["tfidf@acm-citation", "doc2vec", "word2vec-own"]'
    fewer = Work(keyvec_work.data, keyvec_work.cache, settings(given))
    arxiv, acm = keyvec.retrieval(fewer).panels
    assert [line.name for line in arxiv.lines] == ["tfidf"] and acm.lines == []
    assert {one.name: one.why for one in acm.skipped} == dict.fromkeys(
        fewer.settings.keyvec.rows, "asked to be left out"
    )
    (clusters,) = keyvec.clustering(fewer).panels
    assert [line.name for line in clusters.lines] == ["tfidf"]


def test_sizes_are_counted_from_one() -> None:
    with pytest.raises(Exception, match="draws must be at least 1, got 0"):
        settings("keyvec.draws=0")
    with pytest.raises(
        Exception, match="sbert_epochs must be at least 1, got 0; sbert_tokens must be at least 4, got 2"
    ):
        settings("colde.sbert_epochs=0", "colde.sbert_tokens=2")
    with pytest.raises(Exception, match=r"sbert_epochs_of\.pmc-long must be at least 1, got 0"):
        settings("colde.sbert_epochs_of.pmc-long=0")

"""KeyVec's table of clusters."""

from __future__ import annotations

import pytest

from engine.evaluation import Catalogue
from engine.research.paper import keyvec_clusters
from engine.research.paper.work import Work


def test_papers_are_clustered_by_venue(keyvec_work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    table = keyvec_clusters.table(keyvec_work)
    (panel,) = table.panels
    rows = {line.name: line for line in panel.lines}
    assert rows["tfidf"].ours["F1"] > 0.5
    assert set(rows) == set(keyvec_work.settings.keyvec.rows)
    assert all(set(line.ours) == {"F1", "V-measure", "ARI"} for line in panel.lines)
    assert set(rows["tfidf"].facts["stdev"]) == {"F1", "V-measure", "ARI"}
    assert (panel.facts["papers"], panel.facts["venues"], panel.facts["draws"]) == (14, 4, 2)
    monkeypatch.setattr(Catalogue, "prepare", None)
    assert keyvec_clusters.table(keyvec_work) == table

"""The file of quality that comes with the package."""

from __future__ import annotations

import json
from pathlib import Path

from engine.encoders import registry
from engine.evaluation.quality import MeasuredQuality, read_quality


def test_a_file_is_read_into_results(tmp_path: Path) -> None:
    one = {"benchmark": "npl", "part": "all", "queries": 93, "own_works_hidden": False, "fingerprint": "ab"}
    content = {"results": {"ctpe": [{**one, "figures": {"P@20": 0.2}, "bm25": None}]}}
    path = tmp_path / "quality.json"
    path.write_text(json.dumps({**content, "recipes": {"ctpe": "train"}, "documents_per_second": {"bm25": 9.5}}))
    held = read_quality(path)
    (found,) = held.results["ctpe"]
    assert (found.benchmark, found.queries, found.figures, found.bm25) == ("npl", 93, {"P@20": 0.2}, None)
    assert held.recipes == {"ctpe": "train"} and held.documents_per_second == {"bm25": 9.5}


def test_the_shipped_file_knows_the_default() -> None:
    results = read_quality().results[registry.DEFAULT]
    assert {result.fingerprint for result in results} == {registry.find(registry.DEFAULT).card.fingerprint}
    assert any(result.figures.keys() == set(MeasuredQuality.MEASURES) for result in results)

"""Figures 4 and 5 of three documents that are picked by rule, as one page with its pictures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.research.matching.pair_set import load_pair_set
from engine.research.measures import three_documents
from engine.training.long_corpus import body_of
from tests.research.paper.three_papers import papers_set, tiny_encoder


def test_the_page_shows_the_query_with_the_median_similarity(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    papers_set(tmp_path / "data" / "ours")
    encoder = tiny_encoder(tmp_path)
    encoder.save(tmp_path / "colde")
    line = ["--data", str(tmp_path / "data"), "--set", "ours", "--encoder", str(tmp_path / "colde")]
    three_documents.main([*line, "--cache", str(tmp_path / "kept"), "--save", str(tmp_path / "out" / "three.json")])
    value = json.loads((tmp_path / "out" / "three.json").read_text())
    held = {one.id: body_of(one) for one in load_pair_set(tmp_path / "data" / "ours", form=None).documents}
    levels = {name: encoder.levels(encoder.read([held[name]])[0]) for name in "abde"}
    near = {one[0]: encoder.similarity(levels[one[0]], levels[one[1]]) for one in ("ab", "de")}
    query = min(near, key=lambda name: near[name])  # the lower of two is their median
    assert [one["id"] for one in value["three"]] == [query, {"a": "b", "d": "e"}[query], "c"]
    assert value["three"][0]["title"] == f"On steam in {query}"
    assert value["picked"]["similarity of the query to its related document"] == pytest.approx(near[query], abs=2e-3)
    assert (value["picked"]["queries of test pairs"], value["picked"]["queries to pick from"]) == (3, 2)
    page = (tmp_path / "out" / "three.md").read_text()
    assert capsys.readouterr().out == page + "\n"
    for number in (4, 5):
        assert f"(three-colde-{number}.svg)" in page
        assert (tmp_path / "out" / f"three-colde-{number}.svg").read_bytes().startswith(b"<?xml")
    assert f"* D1, the query: On steam in {query} ({query})" in page
    assert "python -m engine.research three_documents --data DIR --set ours" in page


def test_other_sections_are_asked_for_by_their_titles(tmp_path: Path) -> None:
    papers_set(tmp_path / "data" / "ours")
    tiny_encoder(tmp_path).save(tmp_path / "colde")
    line = ["--data", str(tmp_path / "data"), "--set", "ours", "--encoder", str(tmp_path / "colde")]
    with pytest.raises(EvaluationError, match="sections proof, method; got none"):
        three_documents.main([*line, "--headings", "proof", "method"])
    with pytest.raises(EvaluationError, match="Expected two titles with other initials"):
        three_documents.main([*line, "--headings", "method", "materials"])
    three_documents.main([*line, "--headings", "introduction", "method", "--save", str(tmp_path / "three.json")])
    assert json.loads((tmp_path / "three.json").read_text())["sections"]["names"][:2] == ["I1", "M1"]

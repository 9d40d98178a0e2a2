"""The weights of the blend on a small benchmark: what is added, what is chosen, what is written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.documents import Document
from engine.encoders import registry
from engine.encoders.blend import BlendEncoder
from engine.evaluation.systems import Prepared
from engine.research.measures import blend_weights
from tests.encoders.test_blend import blend
from tests.evaluation.small import QUERIES, write_benchmark

CITING = [
    Document(query.id, kind="query", title="Of walks", abstract=" ".join([query.abstract] * 9) + " [3].")
    for query in QUERIES
]
LONG = [Document(query.id, kind="query", abstract=" ".join([query.abstract] * 9)) for query in QUERIES]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(blend_weights, "_FEWEST", 1)
    for name, queries in (("questions", QUERIES), ("documents", LONG), ("passages", CITING)):
        folder = write_benchmark(tmp_path / name, queries=queries)
        (folder / "query-splits.tsv").write_text("".join(f"{query.id}\tvalid\n" for query in queries))
    blend().save(tmp_path / "parts")
    return tmp_path


def test_the_best_weights_are_written_as_a_blend(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, parts = data / "report.json", data / "parts"
    for name in ("ctpe", "student"):
        (parts / name).rename(data / name)
    words = ["--data", str(data), "--sets", "questions", "documents", "passages", "--write", str(data / "blend")]
    rows = ["--coupled", f"ctpe={data / 'ctpe'}", "--general", f"student={data / 'student'}"]
    blend_weights.main([*words, *rows, "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert set(report["figures"]["questions"]["alone"]["0.0"]) == {"questions"}
    assert set(report["figures"]["documents"]["alone"]["0.5"]) == {"documents"}
    choice = report["choice"]
    made = BlendEncoder.load(data / "blend")
    assert made.settings.weight == pytest.approx(choice["documents"])
    assert made.settings.short_weight == pytest.approx(choice["questions"])
    assert made.settings.passage_weight == pytest.approx(choice["passages"])
    assert set(report["figures"]["passages"][str(registry.ENTRIES["blend"].passage_weight)]["0.5"]) == {
        "passages",
        "passages without titles",
    }
    assert {"parts", "chosen", "commit", "hardware"} == set(made.facts)
    assert "## questions: questions" in capsys.readouterr().out


def test_a_blend_of_other_parts_names_them(data: Path) -> None:
    for name, new in (("ctpe", "ctpe"), ("student", "student-large")):
        (data / "parts" / name).rename(data / new)
    words = ["--data", str(data), "--sets", "questions", "documents", "passages", "--write", str(data / "blend-large")]
    rows = ["--coupled", f"ctpe={data / 'ctpe'}", "--general", f"student-large={data / 'student-large'}"]
    blend_weights.main([*words, *rows])
    made = BlendEncoder.load(data / "blend-large")
    assert (made.settings.coupled, made.settings.general) == ("ctpe", "student-large")
    assert made.card.name == "blend-large"


def test_a_part_of_each_corpus_is_enough_where_it_is_asked_for(data: Path) -> None:
    saved = data / "report.json"
    words = ["--data", str(data), "--sets", "questions", "documents", "passages", "--documents", "1"]
    rows = ["--coupled", f"ctpe={data / 'parts' / 'ctpe'}", "--general", f"student={data / 'parts' / 'student'}"]
    blend_weights.main([*words, *rows, "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert {one["documents"] for one in report["sets"].values()} == {40}  # what is relevant
    assert report["command"].endswith("--coupled=ctpe=ctpe --general=student=student --short-below 40 --documents 1")


def test_weights_that_are_given_are_written_as_they_are(data: Path) -> None:
    for name in ("ctpe", "student"):
        (data / "parts" / name).rename(data / name)
    rows = ["--coupled", f"ctpe={data / 'ctpe'}", "--general", f"student={data / 'student'}"]
    words = ["--data", str(data / "none"), *rows, "--weights", "2", "0.125", "0.5"]
    blend_weights.main([*words, "--write", str(data / "blend")])
    made = BlendEncoder.load(data / "blend").settings
    assert (made.weight, made.short_weight, made.passage_weight) == (2, 0.125, 0.5)
    with pytest.raises(SystemExit):
        blend_weights.main(words)


def test_the_choice_is_the_best_mean_over_sets() -> None:
    figures = {
        "documents": {"alone": {1.0: {"a": 0.9}}, "0.5": {0.5: {"a": 0.3, "b": 0.3}, 1.0: {"a": 0.5, "b": 0.2}}},
        "questions": {"alone": {1.0: {"c": 0.9}}, "0.5": {0.0: {"c": 0.2}, 0.25: {"c": 0.4}}},
    }
    assert blend_weights.chosen(figures) == {"keywords": 0.5, "documents": 1.0, "questions": 0.25}  # type: ignore[arg-type]
    figures["passages"] = {
        "0.5": {0.0: {"d": 0.9}},
        str(registry.ENTRIES["blend"].passage_weight): {0.0: {"d": 0.1}, 2.0: {"d": 0.2}},
    }
    assert blend_weights.chosen(figures) == {"keywords": 0.5, "documents": 1.0, "questions": 0.25, "passages": 2.0}  # type: ignore[arg-type]


def test_rankings_follow_the_weighed_sum() -> None:
    coupled, general = np.array([[1.0, 0.0]], np.float32), np.array([[0.0, 0.6]], np.float32)
    for weight, first in ((0.5, "y"), (1.0, "x")):
        hits = blend_weights.Weighed(["x", "y"], coupled, general, weight).rank([QUERIES[0]], 2)[0]
        assert hits[0].id == first


def test_a_row_that_is_no_encoder_s_is_refused() -> None:
    with pytest.raises(TypeError, match="expected the row of an encoder, got bm25"):
        blend_weights._parts(Prepared("bm25", blend_weights.Weighed([], *(np.zeros((0, 0)),) * 2, 1.0), "", None))  # type: ignore[arg-type]

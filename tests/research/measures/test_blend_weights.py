"""The weights of the blend on a small benchmark: what is added, what is chosen, what is written."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document, Section
from engine.encoders import registry
from engine.encoders.blend import BlendEncoder
from engine.evaluation import PreparedSystem, load_benchmark
from engine.research.measures import blend_weights
from engine.research.measures.blend_weights import smaller
from tests.contracts.encoder import corpus
from tests.encoders.test_blend import blend
from tests.evaluation.small import QUERIES, write_benchmark, write_table


def test_a_smaller_corpus_keeps_what_is_relevant(tmp_path: Path) -> None:
    whole = load_benchmark(write_benchmark(tmp_path / "small"))
    first = next(iter(whole.qrels))
    whole = replace(whole, qrels={first: whole.qrels[first]})
    relevant = {name for judged in whole.qrels.values() for name, gain in judged.items() if gain > 0}
    some = smaller(whole, len(relevant) + 2)
    ids = [document.id for document in some.corpus]
    assert len(ids) == len(relevant) + 2 and relevant < set(ids)
    assert ids == [document.id for document in whole.corpus if document.id in set(ids)]
    assert ids == [document.id for document in smaller(whole, len(relevant) + 2).corpus]
    assert {document.id for document in smaller(whole, 1).corpus} == relevant
    for most in (0, len(whole.corpus)):
        assert smaller(whole, most) is whole


CITING = [
    Document(query.id, kind="query", title="Of walks", abstract=" ".join([query.abstract] * 9) + " [3].")
    for query in QUERIES
]
LONG = [Document(query.id, kind="paper", abstract=" ".join([query.abstract] * 9)) for query in QUERIES]
PATENTS = [replace(query, kind="patent") for query in LONG]
ALL = ["questions", "papers", "patents", "passages"]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(blend_weights, "_FEWEST", 1)
    for name, queries in zip(ALL, (QUERIES, LONG, PATENTS, CITING), strict=True):
        folder = write_benchmark(tmp_path / name, queries=queries)
        (folder / "query-splits.tsv").write_text("".join(f"{query.id}\tvalid\n" for query in queries))
    blend().save(tmp_path / "parts")
    return tmp_path


def test_the_best_weights_are_written_as_a_blend(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, parts = data / "report.json", data / "parts"
    for name in ("ctpe", "student"):
        (parts / name).rename(data / name)
    words = ["--data", str(data), "--sets", *ALL, "--write", str(data / "blend")]
    rows = ["--coupled", f"ctpe={data / 'ctpe'}", "--general", f"student={data / 'student'}"]
    blend_weights.main([*words, *rows, "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert set(report["figures"]["questions"]["alone"]["0.0"]) == {"questions"}
    assert set(report["figures"]["papers"]["alone"]["0.0"]) == {"papers"}
    assert set(report["figures"]["patents"]["alone"]) == {f"{weight}" for weight in blend_weights.WEIGHTS if weight}
    choice = report["choice"]
    made = BlendEncoder.load(data / "blend")
    assert made.settings.weight == pytest.approx(choice["patents"])
    assert made.settings.paper_weight == pytest.approx(choice["papers"])
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
    words = ["--data", str(data), "--sets", *ALL, "--write", str(data / "blend-large")]
    rows = ["--coupled", f"ctpe={data / 'ctpe'}", "--general", f"student-large={data / 'student-large'}"]
    blend_weights.main([*words, *rows])
    made = BlendEncoder.load(data / "blend-large")
    assert (made.settings.coupled, made.settings.general) == ("ctpe", "student-large")
    assert made.card.name == "blend-large"


def test_a_part_of_each_corpus_is_enough_where_it_is_asked_for(data: Path) -> None:
    saved = data / "report.json"
    words = ["--data", str(data), "--sets", *ALL, "--documents", "1"]
    rows = ["--coupled", f"ctpe={data / 'parts' / 'ctpe'}", "--general", f"student={data / 'parts' / 'student'}"]
    blend_weights.main([*words, *rows, "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert {one["documents"] for one in report["sets"].values()} == {40}  # what is relevant
    assert report["command"].endswith("--coupled=ctpe=ctpe --general=student=student --short-below 40 --documents 1")


def test_weights_that_are_given_are_written_as_they_are(data: Path) -> None:
    for name in ("ctpe", "student"):
        (data / "parts" / name).rename(data / name)
    rows = ["--coupled", f"ctpe={data / 'ctpe'}", "--general", f"student={data / 'student'}"]
    words = ["--data", str(data / "none"), *rows, "--weights", "2", "0.125", "0.5", "0.75"]
    blend_weights.main([*words, "--write", str(data / "blend")])
    made = BlendEncoder.load(data / "blend").settings
    assert (made.weight, made.short_weight, made.passage_weight, made.paper_weight) == (2, 0.125, 0.5, 0.75)
    with pytest.raises(SystemExit):
        blend_weights.main(words)


def test_the_choice_is_the_best_mean_over_sets() -> None:
    figures = {
        "papers": {
            "alone": {1.0: {"a": [0.9, 0]}},
            "0.5": {0.5: {"a": [0.3, 0], "b": [0.3, 0]}, 1.0: {"a": [0.5, 0], "b": [0.2, 0]}},
        },
        "questions": {"alone": {1.0: {"c": [0.9, 0]}}, "0.5": {0.0: {"c": [0.2, 0]}, 0.25: {"c": [0.4, 0]}}},
    }
    assert blend_weights.chosen(figures) == {"keywords": 0.5, "papers": 1.0, "questions": 0.25}  # type: ignore[arg-type]
    figures["passages"] = {
        "0.5": {0.0: {"d": [0.9, 0]}},
        str(registry.ENTRIES["blend"].passage_weight): {0.0: {"d": [0.1, 0]}, 2.0: {"d": [0.2, 0]}},
    }
    assert blend_weights.chosen(figures) == {"keywords": 0.5, "papers": 1.0, "questions": 0.25, "passages": 2.0}  # type: ignore[arg-type]


def test_a_set_is_told_the_weight_that_the_others_choose() -> None:
    of = {0.5: {"a": [0.3, 0.6], "b": [0.4, 0.5]}, 1.0: {"a": [0.5, 0.5], "b": [0.2, 0.7]}}
    assert blend_weights.left_out(of) == [
        ("a", "nDCG@10", 0.5, 0.3, 1.0, 0.5),
        ("a", "R@100", 1.0, 0.5, 0.5, 0.6),
        ("b", "nDCG@10", 1.0, 0.2, 0.5, 0.4),
        ("b", "R@100", 0.5, 0.5, 1.0, 0.7),
    ]
    assert blend_weights.left_out({0.5: {"a": [0.3, 0.6]}}) == []


def test_the_related_documents_of_a_set_of_pairs_ask_by_their_abstracts(tmp_path: Path) -> None:
    body = (Section("Trials", "Nobody had measured it for a whole year before."),)
    documents = [replace(one, abstract=" ".join([one.abstract] * 9), sections=body) for one in corpus()[:3]]
    write_table(tmp_path / "corpus.parquet", [*documents, Document("title", title="Valves", sections=body)])
    first, second, third = (one.id for one in documents)
    rows = [f"{first}\t{second}\t1\tvalid", f"{first}\t{third}\t1\ttest", f"title\t{second}\t1\tvalid"]
    (tmp_path / "pairs.tsv").write_text("\n".join(["id-a\tid-b\tlabel\tsplit", *rows, ""]))
    found = blend_weights._benchmark(tmp_path)
    assert found.qrels == {first: {second: 1}, second: {first: 1, "title": 1}}
    assert found.excluded[first] == {first, third}
    assert not any(one.sections for one in (*found.corpus, *found.queries))


def test_rankings_follow_the_weighed_sum() -> None:
    coupled, general = np.array([[1.0, 0.0]], np.float32), np.array([[0.0, 0.6]], np.float32)
    for weight, first in ((0.5, "y"), (1.0, "x")):
        hits = blend_weights.Weighed(["x", "y"], coupled, general, weight).rank([QUERIES[0]], 2)[0]
        assert hits[0].id == first


def test_a_row_that_is_no_encoder_s_is_refused() -> None:
    with pytest.raises(TypeError, match="expected the row of an encoder, got bm25"):
        blend_weights._parts(PreparedSystem("bm25", blend_weights.Weighed([], *(np.zeros((0, 0)),) * 2, 1.0), "", None))  # type: ignore[arg-type]


def test_the_other_sets_choose_for_one(tmp_path: Path) -> None:
    report = tmp_path / "weights.json"
    few = {0.5: {"a": [0.3, 0], "b": [0.4, 0]}, 1.0: {"a": [0.5, 0], "b": [0, 0]}}
    every = {one: {"alone": few, "0.5": few} for one in ("papers", "patents", "questions")}
    passages = {"0.5": {0.25: {"c": [0.1, 0], "c without titles": [0.1, 0]}}}
    every["passages"] = {**passages, str(registry.ENTRIES["blend"].passage_weight): passages["0.5"]}
    report.write_text(json.dumps({"figures": every}), "utf-8")
    usual = {"keywords": 0.5, "papers": 0.5, "patents": 0.5, "questions": 0.5}
    assert blend_weights.chosen_without(report, "none") == {**usual, "passages": 0.25}
    assert blend_weights.chosen_without(report, "a") == {**usual, "passages": 0.25}
    assert blend_weights.chosen_without(report, "c") == usual
    assert blend_weights.chosen_without(report, "b")["papers"] == 1
    report.write_text(json.dumps({"figures": {**every, "patents": {"0.5": {"1.0": {"a": [1, 1]}}}}}), "utf-8")
    with pytest.raises(EvaluationError, match=r"weights.json patents, questions and papers of other sets than a, got"):
        blend_weights.chosen_without(report, "a")

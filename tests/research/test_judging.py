"""The judge's texts, their pairs and its training, and what coverage says of restated texts."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.compare.covering import PassageMatch
from engine.documents import Chunk
from engine.encoders.judge import TokenVectors
from engine.evaluation import kept_rows
from engine.evaluation.benchmarks import CORPUS
from engine.research.judging import command, written
from engine.research.judging.written import NEAR, Sources, Written, read_written, written_pairs
from engine.research.measures import coverage, restated
from engine.research.measures.restated import Asked, Told, interval
from engine.search import Pair
from tests.compare.shelves import PAPERS, Reader
from tests.compare.shelves import said as said_in_papers
from tests.evaluation.small import write_table

KINDS = {"rival", "opposite", "mechanism", "feature", "detail", "topic"}


def texts(name: str, number: int = 5) -> Written:
    """Texts of a passage of one of PAPERS, each with its own word."""
    text, other = PAPERS[number].sections[0].text, said_in_papers("harpoon", number, 3)
    forms = {form: f"{form} {name} {text[200:500]}" for form in ("restated", "condensed", "abstracted")}
    near = {form: f"{form} {name} {other}" for form in ("near", "near_restated", "near_condensed")}
    return Written("acl-long", f"d{number}", 2, 200, 800, "train", "rival", **forms, **near)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in restated.SETS:
        (tmp_path / name).mkdir()
        write_table(tmp_path / name / CORPUS, PAPERS)
    return tmp_path


def test_the_texts_are_whole_of_every_kind_and_no_document_is_in_two_splits() -> None:
    splits = {split: read_written(split) for split in ("train", "valid", "test")}
    assert [len(rows) for rows in splits.values()] == [700, 169, 146]
    sources = {split: {one.source for one in rows} for split, rows in splits.items()}
    assert not sources["train"] & (sources["valid"] | sources["test"]) and not sources["valid"] & sources["test"]
    for rows in splits.values():
        assert {one.kind for one in rows} == KINDS
        assert all(len(text.split()) >= 15 for one in rows for text in (one.restated, one.condensed, one.near))


def test_each_manner_of_writing_stands_on_both_sides(data: Path) -> None:
    pairs = written_pairs([texts("kite")], Sources(data))
    told = Counter((pair.asked, pair.said) for pair in pairs)
    one = texts("kite")
    for text in (one.near_restated, one.near_condensed, one.restated, one.condensed):
        assert told[text, 1] and told[text, 0]
    passage = next(pair.there for pair in pairs if pair.form == "restated")
    assert PAPERS[5].sections[0].text[300:700] in passage
    assert next(pair for pair in pairs if pair.form == NEAR).said == 0


def test_a_passage_elsewhere_in_the_document_is_not_beside_the_one_restated(data: Path) -> None:
    pairs = written_pairs([texts("kite")], Sources(data))
    (other,) = [pair.there for pair in pairs if pair.form == "restated of the same document"]
    assert PAPERS[5].sections[0].text[300:700] not in other


def test_training_learns_to_tell_pairs_and_keeps_the_judge(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [texts(one, number) for number, one in enumerate(("kite", "sail", "mast", "keel"), start=4)]
    monkeypatch.setattr(command, "read_written", lambda _split: rows)
    command.main(["--data", str(data), "--out", str(tmp_path / "judge"), "--epochs", "12"])
    told = capsys.readouterr().out
    assert told.startswith("epoch 1: said against near ") and "epoch 2: " in told
    facts = json.loads((tmp_path / "judge" / "card.json").read_text())["facts"]
    assert facts["valid"]["said against near"] > 0.5 and facts["pairs"] == len(written_pairs(rows, Sources(data)))


def test_a_batch_holds_pairs_of_like_lengths_and_every_pair_once() -> None:
    vectors = {str(n): TokenVectors(np.arange(n + 1), np.zeros(1)) for n in range(100)}  # type: ignore[arg-type]
    pairs = [written.LabelledPair(str(n), "0", 1, 1.0, "restated") for n in range(100)]
    batches = list(command._batches(pairs, vectors, random.Random(1)))
    assert sorted(int(pair.asked) for some in batches for pair in some) == list(range(100))
    assert all(max(int(pair.asked) for pair in some) - min(int(pair.asked) for pair in some) < 32 for some in batches)


# What coverage says of them -------------------------------------------------------------------


@pytest.fixture
def read_by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restated, "PassageEncoder", Reader)
    monkeypatch.setattr(kept_rows, "_encoder", Reader)


@pytest.mark.usefixtures("read_by_words")
@pytest.mark.parametrize("together", [(), ("--together", "3"), ("--without-judge",)])
def test_rows_ask_their_whole_set_and_the_report_says_how_they_were_told(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], together: tuple[str, ...]
) -> None:
    said, far = PAPERS[5].sections[0].text[:600], "Harpoons zeppelins quarries foundries orchards vineyards " * 9
    lines = [
        {"id": "a", "set": "acl-long", "source": "d5", "form": "restated", "text": said},
        {"id": "b", "set": "acl-long", "source": "d5", "form": NEAR, "text": far},
        {"id": "c", "set": None, "source": "", "form": "far_new", "text": far},
    ]
    (tmp_path / "rows.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    arguments = ["--data", str(data), "--rows", str(tmp_path / "rows.jsonl"), "--save", str(tmp_path / "report.json")]
    coverage.main(["--restated", *arguments, *together])
    report = json.loads((tmp_path / "report.json").read_text())
    every = report["tables"]["all"]
    assert every["restated"]["said there"][0] == every["restated"]["source first three"][0] == 1
    assert every["far_new"]["count"] == 3 and every["far_new"]["said there"][0] == 0
    assert every["area"]["restated"] == 1 and report["curve"]["0.5"]["restated"] == 1
    told = capsys.readouterr().out
    assert "| restated | 1 | 1.00 (0.21 to 1.00) | 1.00" in told and str(data) not in report["command"]
    assert report["command"].endswith(" ".join(together))


@pytest.mark.usefixtures("read_by_words")
def test_without_rows_the_written_texts_ask_with_numbers_and_without(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(restated, "read_written", lambda _split: [texts("kite"), replace(texts("1904"), kind="topic")])
    restated.main(["--data", str(data), "--sets", "acl-long"])
    told = capsys.readouterr().out
    assert "## without rebuttals" in told and "## numbers masked" in told
    restated.main(["--data", str(data), "--sets", "acl-long", "--fit"])
    assert "JUDGED_WEIGHTS = (" in capsys.readouterr().out


def told(form: str, p: float, name: str = "d1") -> Told:
    match = PassageMatch(Chunk("d1", 0, "Body", 0, 1, "x"), Pair(0.6, 0.1, 0.2, 60), 2.0, p)
    return Told(Asked("acl-long", "d1", form, "word " * 60), [(name, match)])


def test_areas_intervals_and_calibration_are_those_of_the_numbers() -> None:
    some = [told("restated", 0.9), told("restated", 0.4), told(NEAR, 0.5), told(NEAR, 0.1)]
    assert restated.area(some, ["restated"]) == 0.75
    assert restated.curve(some)["0.5"] == {"restated": 0.5, NEAR: 0.5}
    assert interval(9, 10) == (0.9, 0.596, 0.982)
    sure = [told("restated", 1.0) for _ in range(5)] + [told(NEAR, 0.0) for _ in range(5)]
    assert restated.calibration(sure)[-1] == {"texts": "long", "word": "all", "count": 10, "error": 0}
    said, *_, every = restated.calibration([told("restated", 0.9), told("restated", 0.9), told(NEAR, 0.7)])
    assert said == {"texts": "long", "word": "said there", "count": 3, "p": 0.833, "said": 0.667, "error": 0.167}
    assert every["error"] == 0.167
    also_far = restated.calibration([told("restated", 0.9), told("far_new", 0.1), told("near_detail", 0.9)])
    assert [line["count"] for line in also_far] == [1, 1, 2]  # a text that changes one detail is neither said nor not
    assert not told("restated", 0.9, name="d2").finds_source and told("restated", 0.9).finds_source


def test_numbers_are_masked_in_a_text() -> None:
    assert restated.masked_numbers(Asked("s", "d", NEAR, "In 1904, 3.5 % fell")).text == "In # # % fell"


def test_weights_of_a_logistic_regression_tell_two_kinds_apart() -> None:
    features = np.array([[1.0, x] for x in (-2.0, -1.0, 1.0, 2.0)])
    weights = restated.logistic(features, np.array([0.0, 0.0, 1.0, 1.0]))
    assert weights[1] > 0 and abs(weights[0]) < 1e-6


def test_a_document_without_overlap_gives_its_whole_part(data: Path) -> None:
    one = replace(texts("kite"), part=0, start=0, stop=5)  # a title, of which no passage is cut
    assert Sources(data).passage(one) == PAPERS[5].title

"""`python -m engine.research bioasq`: questions and records in, a benchmark that is measured and trained on out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.documents import Document, Identifier
from engine.evaluation import load_benchmark
from engine.research.__main__ import main
from engine.research.bioasq.command import number_of
from engine.training import Folders
from engine.training.cdssm import trainer
from engine.training.corpora import HeldOut
from engine.training.related import pairs_in
from tests.contracts.encoder import corpus
from tests.training.cdssm.small import recipe

OURS = corpus()


def subject(document: Document) -> str:
    return document.id.rstrip("0123456789")


def number(place: int) -> str:
    return str(1_000 + place)


@pytest.fixture
def given(tmp_path: Path) -> list[str]:
    """Twenty questions of two records of one subject, one of three, and the records as MEDLINE and as JSON Lines."""
    by_subject: dict[str, list[str]] = {}
    for place, document in enumerate(OURS):
        by_subject.setdefault(subject(document), []).append(number(place))
    asked = [names[start : start + 2] for names in by_subject.values() for start in range(0, len(names), 2)]
    questions = [
        {"id": f"q{place}", "body": "?", "documents": [f"http://www.ncbi.nlm.nih.gov/pubmed/{one}" for one in names]}
        for place, names in enumerate([*asked, ["7", "8", "PMC3"]])
    ]
    (tmp_path / "questions.json").write_text(json.dumps({"questions": questions}))
    records = tmp_path / "records"
    records.mkdir()
    half = len(OURS) // 2
    medline = [
        f"PMID- {number(place)}\nOWN - NLM\nTI  - {one.title}\nAB  - {' '.join(one.text.split())}\n"
        f"LID - 10.1000/{place} [doi]\nDP  - 2015 May\n"
        for place, one in enumerate(OURS[:half])
    ]
    (records / "half.nbib").write_text("\n".join(medline))
    rows = [
        {"pmid": number(half + place), "title": one.title, "abstractText": one.text, "year": "2014", "doi": "10.1/x"}
        for place, one in enumerate(OURS[half:])
    ]
    lines = [*rows, {"pmid": "99", "title": "Asked by nobody", "abstractText": "Left out."}]
    (records / "rest.jsonl").write_text("".join(json.dumps(row) + "\n" for row in lines))
    return ["bioasq", "--questions", str(tmp_path / "questions.json"), "--corpus", str(records), "--held-out", "0.2"]


def test_the_folder_is_a_benchmark_without_a_leak(
    given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "data" / "bioasq"
    assert main([*given, "--out", str(folder)]) == 0
    printed = capsys.readouterr().out
    assert "of these not in the corpus: 2" in printed and "documents outside PubMed: 1" in printed
    parts = {part: load_benchmark(folder, part=part) for part in ("valid", "test", "all")}
    assert len(parts["all"].corpus) == len(OURS)  # what no question names is left out
    asked = {part: {one.id for one in benchmark.queries} for part, benchmark in parts.items()}
    assert asked["valid"] and asked["test"] and asked["all"] == asked["valid"] | asked["test"]
    trained = {name for pair in pairs_in(folder / "train-pairs.tsv") for name in pair}
    answers = {part: {name for grades in parts[part].qrels.values() for name in grades} for part in ("valid", "test")}
    assert not trained & (asked["all"] | answers["valid"] | answers["test"])
    assert not (asked["valid"] | answers["valid"]) & (asked["test"] | answers["test"])
    assert asked["all"] <= HeldOut.below(folder.parent).ids
    for query, grades in parts["all"].qrels.items():
        assert query not in grades and set(grades.values()) == {1}
    held = {one.id: one for one in parts["all"].corpus}
    assert held["pmid:1000"].title == OURS[0].title and held["pmid:1000"].year == 2015
    about = json.loads((folder / "about.json").read_text())
    assert set(about["sha256"]) == {"questions.json", "half.nbib", "rest.jsonl"}
    assert about["train pairs"] == len(list(pairs_in(folder / "train-pairs.tsv")))
    assert about["valid queries"] == len(asked["valid"])
    assert str(tmp_path) not in (folder / "about.json").read_text()


def test_what_it_writes_is_trained_on(given: list[str], tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert main([*given, "--out", str(data / "bioasq")]) == 0
    made = recipe(
        data, "data.subjects=[]", 'data.files=[{corpus = "bioasq"}]', "schedule.epochs=1", "network.words=trigrams"
    )
    encoder = trainer.train(made, Folders(data, tmp_path / "run", tmp_path / "cache"))
    assert encoder is not None
    about = json.loads((data / "bioasq" / "about.json").read_text())
    assert encoder.facts["related_pairs"] == about["train pairs"]


def test_what_cannot_be_built_is_told(given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "there").mkdir()
    assert main([*given, "--out", str(tmp_path / "there")]) == 2
    assert "Expected a new folder for --out, got" in capsys.readouterr().err
    (tmp_path / "questions.json").write_text('{"questions": [{"id": "a"}]}')
    assert main([*given, "--out", str(tmp_path / "new")]) == 2
    assert "Expected questions with documents of PubMed, got 1 without one" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_record_is_found_by_its_identifier_or_its_id() -> None:
    assert number_of(Document("doi:10.1/x", identifiers=(Identifier("pmid", "12"),))) == "12"
    assert number_of(Document("pmid:12")) == number_of(Document("12")) == "12"
    assert number_of(Document("doi:10.1/12")) == number_of(Document("PMC12")) == ""

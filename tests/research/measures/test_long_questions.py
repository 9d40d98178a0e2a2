"""How many terms of a long question count: who asks, what is relevant, and what the report holds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.documents import Document, Section
from engine.library import Library, postings
from engine.research.measures import long_questions
from tests.contracts.encoder import corpus
from tests.evaluation.small import QUERIES, split_queries, write_benchmark, write_table

PAIRS = ("p0\tp1\t1\ttrain", "p2\tp3\t1\tvalid", "p4\tp5\t1\ttest", "p0\tp5\t0\ttrain")


def write_papers(folder: Path, words: Sequence[str]) -> None:
    """Papers by their numbers: two that follow each other share a word, and their bodies another."""
    folder.mkdir()
    papers = [
        Document(
            f"p{n}", title=f"On {word}", abstract=f"A {word}.", sections=(Section("Body", f"The {word} {word}s."),)
        )
        for n, word in enumerate(words)
    ]
    write_table(folder / "corpus.parquet", papers)
    (folder / "pairs.tsv").write_text("\n".join(["id-a\tid-b\tlabel\tsplit", *PAIRS, ""]))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in ("arxiv-subject", "patents-citation"):
        split_queries(write_benchmark(tmp_path / name), QUERIES)
    for name in ("acl-long", "pmc-long"):
        write_papers(tmp_path / name, ["crank", "crank", "rivet", "rivet", "gauge", "gauge"])
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("a", "samples.jsonl", corpus())
    return tmp_path


def test_train_and_valid_pairs_relate_and_test_pairs_are_not_read(data: Path) -> None:
    assert long_questions.related(data / "acl-long" / "pairs.tsv") == {
        "p0": {"p1": 1},
        "p1": {"p0": 1},
        "p2": {"p3": 1},
        "p3": {"p2": 1},
    }


def test_full_papers_ask_abstracts_and_full_texts_among_the_samples(data: Path) -> None:
    asked = list(long_questions.collections(data, data / "library"))
    assert [one.name for one in asked] == [
        "arxiv-subject",
        "patents-citation",
        "acl-long, abstracts",
        "acl-long, full",
        "pmc-long, abstracts",
        "pmc-long, full",
    ]
    assert [one.index.size for one in asked] == [40, 40, 46, 46, 46, 46]
    assert {query.id for query in asked[2].queries} == {"p0", "p1", "p2", "p3"}
    assert all(query.sections for query in asked[2].queries)
    assert not asked[2].index.search("rivets", 9) and len(asked[3].index.search("rivets", 9)) == 2


def test_every_number_of_terms_is_measured_and_the_usual_one_comes_back(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    usual, saved = postings.QUESTION_TERMS, data / "report.json"
    long_questions.main(["--data", str(data), "--library", str(data / "library"), "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert list(report["mean"]) == ["32", "64", "96", "128", "all"]
    assert report["ndcg@10"]["acl-long, full"] == dict.fromkeys(report["mean"], 1.0)
    assert set(report["sha256"]) == {"arxiv-subject", "patents-citation", "acl-long", "pmc-long"}
    assert postings.QUESTION_TERMS == usual
    assert "mean" in capsys.readouterr().out

"""`python -m engine.research misspelt`, on small text of our own."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.library import Library
from engine.research.measures import misspelt
from engine.research.typesetting.misprints import noisy_document
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_benchmark


def patents() -> list[Document]:
    """The corpus as old patents with a CPC group a subject, two codes in each; every fourth one misread."""
    found = []
    for number, document in enumerate(corpus()):
        subject = document.id.rstrip("0123456789")
        codes = (f"{subject.upper()}/{number % 2}",)
        patent = replace(document, kind="patent", year=1880, categories=codes)
        found.append(noisy_document(patent, 0.5, "misread") if number % 16 < 4 else patent)
    return found


@pytest.fixture
def line(tmp_path: Path) -> list[str]:
    write_benchmark(tmp_path / "data" / "small")
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("a", "a", [*patents(), Document(id="new", kind="patent", title="New one", year=1999)])
    options = ["--data", str(tmp_path / "data"), "--save", str(tmp_path / "report.json"), "--benchmarks", "small"]
    return [*options, "--queries", "all"]


def test_every_noise_is_measured_against_clean_queries(
    line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    misspelt.main([*line, "--encoders", "tfidf,word2vec-mean", "--cache", str(tmp_path / "kept")])
    report = json.loads((tmp_path / "report.json").read_text())
    assert "scanned" not in report
    made = report["sets"]["small"]
    assert made["queries"] == 4
    for figures in made["encoders"].values():
        assert figures["clean"] > 0.9
        columns = {f"{noise} {share} %" for noise in ("dropped", "mistyped", "misread") for share in (5, 10, 20)}
        assert set(figures) == {"fingerprint", "clean"} | {column.replace(" %", "%") for column in columns}
    text = (tmp_path / "report.md").read_text()
    assert "| misread: left at 20 % |" in text
    assert text.strip() in capsys.readouterr().out


def test_scanned_patents_ask_for_others_of_their_groups(line: list[str], tmp_path: Path) -> None:
    scanned = ["--library", str(tmp_path / "library"), "--scanned-queries", "24"]
    misspelt.main([*line[:-4], "--benchmarks", "--queries", "all", "--encoders", "lsa", *scanned])
    made = json.loads((tmp_path / "report.json").read_text())["scanned"]
    assert (made["queries"], made["documents"]) == (24, 40)
    figures = made["encoders"]["lsa"]
    assert figures["fewest strange words"] > 0.7
    assert figures["all"] == pytest.approx(sum(figures[third] for third in misspelt.THIRDS[1:]) / 3, abs=2e-4)
    assert 0 <= made["strange_words"]["least"] < made["strange_words"]["most"] <= 1
    assert "## Scanned patents: nDCG@10 over 24 queries, 40 documents" in (tmp_path / "report.md").read_text()


def test_a_patent_is_related_by_its_group_and_not_to_itself(line: list[str], tmp_path: Path) -> None:
    benchmark, strange = misspelt.scanned_benchmark(tmp_path / "library", queries=100, seed=1)
    assert len(benchmark.queries) == len(strange) == 40
    for query, grades in benchmark.qrels.items():
        subject = query.rstrip("0123456789")
        assert len(grades) == 9
        assert all(name.startswith(subject) for name in grades)
        assert query not in grades
    assert misspelt.scanned_benchmark(tmp_path / "library", queries=7, seed=1)[0].queries == benchmark.queries[:7]


def test_a_word_that_stands_nowhere_else_is_strange() -> None:
    documents = [Document(id="a", title="steam boiler boiIer"), Document(id="b", title="steam boiler")]
    assert misspelt.strange_words(documents, documents) == {"a": pytest.approx(1 / 3, abs=1e-4), "b": 0}
    assert misspelt.strange_words([Document(id="c")], []) == {"c": 0}


def test_a_library_without_scanned_patents_is_told(tmp_path: Path) -> None:
    with Library.open(tmp_path / "other", create=True) as library:
        library.add_file("a", "a", corpus())
    with pytest.raises(EvaluationError, match="Expected scanned patents with 3 related ones in other, found 0"):
        misspelt.scanned_benchmark(tmp_path / "other", queries=5, seed=1)

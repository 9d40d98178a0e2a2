"""Benchmarks on disk: what is read, which part of the queries, and what is refused."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from engine.documents import Document
from engine.errors import EvaluationError
from engine.evaluation.benchmarks import load_benchmark, read_qrels
from tests.evaluation.small import QUERIES, write_benchmark


def test_corpus_queries_and_qrels_are_read(tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    assert benchmark.name == "small"
    assert len(benchmark.corpus) == 40
    assert benchmark.corpus[0].sections[0].title == "Method"
    assert [query.id for query in benchmark.queries] == [query.id for query in QUERIES]
    assert set(benchmark.qrels["q-steam"].values()) == {1}
    data = (tmp_path / "small" / "corpus.parquet").read_bytes()
    assert benchmark.sha256["corpus.parquet"] == hashlib.sha256(data).hexdigest()


def test_an_empty_document_and_a_repeated_id_are_held_once(tmp_path: Path) -> None:
    extra = [Document(id="empty"), Document(id="steam0", title="again")]
    benchmark = load_benchmark(write_benchmark(tmp_path / "small", extra=extra))
    assert [document.id for document in benchmark.corpus].count("steam0") == 1
    assert benchmark.corpus[0].title != "again"
    assert benchmark.corpus[-1].text == ""


def test_a_query_is_valid_where_its_sha1_says_so(tmp_path: Path) -> None:
    queries = [Document(id=f"q-steam{number}", kind="query", abstract="valve") for number in range(40)]
    folder = write_benchmark(tmp_path / "small", queries=queries)
    rows = [f"{query.id}\tsteam0\t1" for query in queries]
    (folder / "qrels.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *rows]))
    expected = [q.id for q in queries if int(hashlib.sha1(q.id.encode()).hexdigest(), 16) % 5 == 0]
    assert expected
    assert [query.id for query in load_benchmark(folder, part="valid").queries] == expected
    assert len(load_benchmark(folder, part="test").queries) == 40 - len(expected)


def test_a_split_file_goes_before_the_rule(tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "small")
    (folder / "query-splits.tsv").write_text("query\tsplit\nq-steam\tvalid\nq-graph\ttest\n")
    assert [query.id for query in load_benchmark(folder, part="valid").queries] == ["q-steam"]
    assert len(load_benchmark(folder, part="test").queries) == 3


def test_a_query_without_a_relevant_document_is_left_out_and_counted(tmp_path: Path) -> None:
    queries = [*QUERIES, Document(id="q-other", kind="query", abstract="valve")]
    benchmark = load_benchmark(write_benchmark(tmp_path / "small", queries=queries))
    assert len(benchmark.queries) == 4
    assert benchmark.left_out == 1


def test_missing_files_are_named(tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "small")
    (folder / "qrels.tsv").unlink()
    (folder / "queries.parquet").unlink()
    with pytest.raises(EvaluationError, match=r"missing: queries\.parquet, qrels\.tsv"):
        load_benchmark(folder)


def test_a_part_without_queries_is_told(tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "small")
    (folder / "query-splits.tsv").write_text("q-steam\ttest\n")
    with pytest.raises(EvaluationError, match="Expected judged queries in the part 'valid' of small"):
        load_benchmark(folder, part="valid")


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("strange\tsteam0\t1", "1 others, the first 'strange'"),
        ("q-steam\tlost\t1", "1 are not there, the first 'lost'"),
    ],
)
def test_qrels_of_another_set_are_refused(tmp_path: Path, row: str, text: str) -> None:
    folder = write_benchmark(tmp_path / "small")
    with (folder / "qrels.tsv").open("a") as file:
        file.write(row + "\n")
    with pytest.raises(EvaluationError, match=text):
        load_benchmark(folder)


@pytest.mark.parametrize("line", ["q1 d1 1", "q1\td1", "q1\td1\tmuch"])
def test_a_wrong_line_of_qrels_is_told(tmp_path: Path, line: str) -> None:
    path = tmp_path / "qrels.tsv"
    path.write_text(f"query-id\tcorpus-id\tscore\nq0\td0\t1\n{line}\n")
    with pytest.raises(EvaluationError, match=r"in line 3 of qrels\.tsv"):
        read_qrels(path)

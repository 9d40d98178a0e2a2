"""Benchmarks on disk: what is read, which part of the queries, and what is refused."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.evaluation.benchmarks import from_files, from_parts, load_benchmark, read_qrels
from engine.evaluation.measure import measure_systems
from tests.contracts.encoder import corpus
from tests.evaluation.small import QUERIES, split_queries, write_beir, write_benchmark


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
    with pytest.raises(
        EvaluationError,
        match="Expected judged queries in the part 'valid' of small, found none with a relevant document",
    ):
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


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("strange\tsteam0", "ids of queries and documents of small in exclude.tsv, got 'strange'"),
        ("q-steam\tlost", "ids of queries and documents of small in exclude.tsv, got 'lost'"),
        ("q-steam\tsteam0", "exclude.tsv of small to leave out no relevant document, got 'steam0' for 'q-steam'"),
        ("q-steam\tneural0\t1", r"query-id and corpus-id with a tab between them in line 2 of exclude.tsv, got 'q-s"),
        ("q-steam", "in line 2 of exclude.tsv, got 'q-steam'. Write two columns."),
    ],
)
def test_exclusions_of_another_set_are_refused(tmp_path: Path, row: str, text: str) -> None:
    folder = write_benchmark(tmp_path / "small")
    (folder / "exclude.tsv").write_text(f"query-id\tcorpus-id\n{row}\n")
    with pytest.raises(EvaluationError, match=text):
        load_benchmark(folder)


def test_exclusions_belong_to_the_queries_that_are_asked(tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "small")
    (folder / "exclude.tsv").write_text("q-steam\tneural1\nq-neural\tsteam0\n")
    split_queries(folder, valid=1)
    assert load_benchmark(folder).excluded == {"q-steam": {"neural1"}, "q-neural": {"steam0"}}
    (asked,) = load_benchmark(folder, part="valid").queries
    assert load_benchmark(folder, part="valid").excluded.keys() == {asked.id} & {"q-steam", "q-neural"}


@pytest.mark.parametrize("line", ["q1 d1 1", "q1\td1", "q1\td1\tmuch"])
def test_a_wrong_line_of_qrels_is_told(tmp_path: Path, line: str) -> None:
    path = tmp_path / "qrels.tsv"
    path.write_text(f"query-id\tcorpus-id\tscore\nq0\td0\t1\n{line}\n")
    with pytest.raises(EvaluationError, match=r"in line 3 of qrels\.tsv"):
        read_qrels(path)


def test_a_beir_folder_is_the_same_benchmark(tmp_path: Path) -> None:
    ours = load_benchmark(write_benchmark(tmp_path / "small"))
    beir = load_benchmark(write_beir(tmp_path / "beir", "test"))
    assert beir.queries == ours.queries
    assert beir.qrels == ours.qrels
    assert [document.id for document in beir.corpus] == [document.id for document in ours.corpus]
    assert set(beir.sha256) == {"corpus.jsonl", "queries.jsonl", "qrels/test.tsv"}
    data = (tmp_path / "beir" / "corpus.jsonl").read_bytes()
    assert beir.corpus_sha256 == hashlib.sha256(data).hexdigest()
    assert measure_systems(beir, "tfidf", cache=tmp_path / "kept").metrics["R@20"] > 0.9


def test_a_beir_folders_parts_are_its_files_of_judgements(tmp_path: Path) -> None:
    folder = write_beir(tmp_path / "beir", "test")
    write_beir(folder, "dev", queries=QUERIES[:1])
    whole = [*QUERIES, Document("q-none", kind="query", abstract="nothing")]
    write_beir(folder, "test", queries=QUERIES[1:], asked=whole)
    valid, test, every = (load_benchmark(folder, part=part) for part in ("valid", "test", "all"))
    assert [query.id for query in valid.queries] == [QUERIES[0].id]
    assert test.queries == every.queries == QUERIES[1:]
    assert valid.left_out == test.left_out == 0
    assert test.others == {QUERIES[0].id, "q-none"}


def test_a_beir_folder_without_the_parts_judgements_is_told(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"corpus\.jsonl, queries\.jsonl and .*; missing: qrels/dev\.tsv"):
        load_benchmark(write_beir(tmp_path / "beir", "test"), part="valid")


def test_parts_in_memory_are_a_benchmark_named_by_their_content() -> None:
    qrels = {"q-steam": {"steam0": 2, "steam1": 0}, "q-graph": {"steam1": 0}}
    benchmark = from_parts("mine", corpus(), QUERIES, qrels)
    assert (benchmark.name, benchmark.part, benchmark.left_out) == ("mine", "all", 3)
    assert [query.id for query in benchmark.queries] == ["q-steam"]
    assert benchmark.qrels == {"q-steam": {"steam0": 2, "steam1": 0}}
    assert benchmark.others == {query.id for query in QUERIES} - {"q-steam"}
    assert from_parts("other", corpus(), QUERIES, qrels).sha256 == benchmark.sha256
    fewer = from_parts("mine", corpus()[:-1], QUERIES, qrels)
    assert fewer.corpus_sha256 != benchmark.corpus_sha256
    assert fewer.sha256["qrels"] == benchmark.sha256["qrels"]


@pytest.mark.parametrize(
    ("documents", "queries", "told"),
    [
        ([*corpus(), corpus()[0]], QUERIES, "for each document of mine, got 'steam0' more than once"),
        (corpus(), [*QUERIES, QUERIES[0]], "for each query of mine, got 'q-steam' more than once"),
        (corpus(), QUERIES[1:], "judgements of the queries of mine, got 1 others, the first 'q-steam'"),
        (corpus()[1:], QUERIES, "every relevant document of mine in its corpus, 1 are not there, the first 'steam0'"),
    ],
)
def test_parts_that_do_not_belong_together_are_refused(
    documents: list[Document], queries: list[Document], told: str
) -> None:
    with pytest.raises(EvaluationError, match=told):
        from_parts("mine", documents, queries, {"q-steam": {"steam0": 1}})


def test_single_files_are_a_benchmark_with_a_corpus_at_hand_or_in_a_file(tmp_path: Path) -> None:
    folder = write_beir(tmp_path / "beir", "test")
    queries, qrels = tmp_path / "topics.tsv", tmp_path / "mine.qrels"
    queries.write_text("q-steam\tboiler valve\n")
    qrels.write_text("q-steam 0 steam0 1\n")
    at_hand = from_files("mine", corpus(), queries, qrels)
    in_a_file = from_files("mine", folder / "corpus.jsonl", queries, qrels)
    assert at_hand.queries == in_a_file.queries == [Document("q-steam", kind="query", abstract="boiler valve")]
    assert at_hand.qrels == in_a_file.qrels
    assert len(at_hand.corpus) == len(in_a_file.corpus) == 40

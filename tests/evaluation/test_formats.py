"""Files of judgements, rankings and documents: as others write them, and what is refused."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from types import SimpleNamespace

import ir_measures
import pytest

from engine.core.errors import EvaluationError, InputError
from engine.documents import Document
from engine.evaluation.formats import Bounds, read_collection, read_qrels, read_run, run_text, write_run
from engine.reading import limits
from tests.evaluation.small import QUERIES, write_table

LINES = ["query-id\tcorpus-id\tscore", "q1\td1\t2", "q1\td2\t0", "q 2\td 3\t-1"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "given.txt"


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n")
    return path


def test_qrels_between_tabs_have_a_header_or_none(path: Path) -> None:
    expected = {"q1": {"d1": 2, "d2": 0}, "q 2": {"d 3": -1}}
    assert read_qrels(write(path, *LINES)) == expected
    assert read_qrels(write(path, *LINES[1:])) == expected
    assert read_qrels(write(path, "\ufeff" + LINES[0], "", *LINES[1:])) == expected


def test_qrels_of_trec_have_four_columns_by_white_space(path: Path) -> None:
    assert read_qrels(write(path, "q1 0 d1 1", "q1\t0\td2\t0", "q2  Q0  d1  3 ")) == {
        "q1": {"d1": 1, "d2": 0},
        "q2": {"d1": 3},
    }


def test_qrels_of_trec_are_read_as_ir_measures_reads_them(path: Path) -> None:
    write(path, "q1 0 d1 1", "q1 0 d2 0", "q2 0 d1 3")
    theirs = {(one.query_id, one.doc_id): one.relevance for one in ir_measures.read_trec_qrels(str(path))}
    assert {(query, name): grade for query, held in read_qrels(path).items() for name, grade in held.items()} == theirs


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("q1 d1 1", r"Expected query-id, corpus-id and a whole number, separated by tabs, in line 2 .*got 'q1 d1 1'"),
        ("q1\td1", "in line 2"),
        ("q1\t\t1", "in line 2"),
        ("q1\td1\tmuch", "in line 2"),
        ("q1\td1\t1.5", "in line 2"),
        ("q1\td1\t\uff11", "in line 2"),
        ("q1\td1\t9999999999999999", "in line 2"),
        ("q1\td1\t9999999", r"a grade of at most 1,000,000 in line 2 of given\.txt, got 9999999"),
        ("q0\td0\t2", r"one grade of 'd0' for 'q0', line 2 of given\.txt gives 2 after 1"),
    ],
)
def test_a_wrong_line_of_qrels_is_told(path: Path, line: str, told: str) -> None:
    with pytest.raises(EvaluationError, match=told):
        read_qrels(write(path, "q0\td0\t1", line))


def test_a_wrong_line_of_trecs_qrels_is_told(path: Path) -> None:
    with pytest.raises(EvaluationError, match="Expected query, iteration, document, grade in line 2"):
        read_qrels(write(path, "q0 0 d0 1", "q0 0 d1"))


def test_a_judgement_that_is_given_twice_alike_is_held_once(path: Path) -> None:
    assert read_qrels(write(path, "q0 0 d0 1", "q0 0 d0 1")) == {"q0": {"d0": 1}}


def test_a_run_is_ordered_by_score_as_trec_eval_orders_it(path: Path) -> None:
    write(path, "q1 Q0 a 1 0.5 x", "q1 Q0 b 2 2e1 x", "q2 Q0 a 1 -1 x", "q1 Q0 d 3 0.5 x", "q1 Q0 c 9 0.5 x")
    run = read_run(path)
    assert run == {"q1": ("b", "d", "c", "a"), "q2": ("a",)}
    theirs = list(ir_measures.read_trec_run(str(path)))
    for name in "abcd":
        (found,) = ir_measures.iter_calc([ir_measures.RR], {"q1": {name: 1}}, [one for one in theirs if one[0] == "q1"])
        assert found.value == pytest.approx(1 / (run["q1"].index(name) + 1))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("q1 Q0 d1 1 1.0", "Expected query, Q0, document, rank, score, run in line 2"),
        ("q1 Q0 d1 1 best x", "the score a number; got 'q1 Q0 d1 1 best x'"),
        ("q1 Q0 d1 1 nan x", "the score a number"),
        ("q0 Q0 d0 2 0.1 x", r"line 2 of given\.txt ranks 'd0' again for 'q0'"),
    ],
)
def test_a_wrong_line_of_a_run_is_told(path: Path, line: str, told: str) -> None:
    with pytest.raises(EvaluationError, match=told):
        read_run(write(path, "q0 Q0 d0 1 1.0 x", line))


def test_an_empty_run_is_refused(path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"Expected a ranking in given\.txt, found none"):
        read_run(write(path, ""))


def test_a_run_that_is_written_is_read_again(path: Path) -> None:
    run = {"q1": ("b", "a", "c"), "q2": ("c",)}
    write_run(path, run, tag="bm25")
    assert read_run(path) == run
    assert path.read_text().splitlines()[0] == "q1 Q0 b 1 3 bm25"
    assert [(one.query_id, one.doc_id) for one in ir_measures.read_trec_run(str(path))][:2] == [
        ("q1", "b"),
        ("q1", "a"),
    ]


@pytest.mark.parametrize(
    ("run", "tag"), [({"q1": ["a b"]}, "x"), ({"q 1": ["a"]}, "x"), ({}, ""), ({"q": [" a"]}, "x")]
)
def test_ids_that_would_be_two_columns_are_refused(run: dict[str, list[str]], tag: str) -> None:
    with pytest.raises(EvaluationError, match="Expected ids without white space"):
        run_text(run, tag)


def test_beirs_documents_are_read_with_ours_beside(path: Path) -> None:
    plain = {"_id": "d1", "title": "A valve", "text": "It opens.", "metadata": {"url": "x"}}
    ours = {"_id": 7, "text": "A claim.", "kind": "patent", "year": 1999, "categories": ["F16K"]}
    write(path, json.dumps(plain), "", json.dumps(ours))
    assert read_collection(path) == [
        Document(id="d1", title="A valve", abstract="It opens."),
        Document(id="7", kind="patent", abstract="A claim.", year=1999, categories=("F16K",)),
    ]
    assert [one.kind for one in read_collection(path, kind="query")] == ["query", "patent"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", r"Expected one JSON object in line 2 of given\.txt; .* at character"),
        ('{"id": "d2", "text": "x"}', "Expected an object with '_id' in line 2"),
        ('["d2"]', "Expected an object with '_id' in line 2"),
        ('{"_id": "d1", "text": "x"}', r"an id of its own for each, line 2 of given\.txt gives 'd1' again"),
    ],
)
def test_a_wrong_line_of_beirs_is_told(path: Path, line: str, told: str) -> None:
    with pytest.raises(EvaluationError, match=told):
        read_collection(write(path, '{"_id": "d1", "text": "x"}', line))


def test_a_text_that_is_none_is_told_by_its_line(path: Path) -> None:
    with pytest.raises(InputError, match=r"Expected text in the column 'title' of line 2 of given\.txt, found True"):
        read_collection(write(path, '{"_id": "d1", "text": "x"}', '{"_id": "d2", "title": true, "text": "x"}'))


def test_tables_of_ours_are_read_too(tmp_path: Path) -> None:
    write_table(tmp_path / "queries.parquet", QUERIES)
    assert [one.id for one in read_collection(tmp_path / "queries.parquet")] == [one.id for one in QUERIES]
    lines = write(tmp_path / "ours.jsonl", '{"id": "q1", "text": "a valve", "kind": "query"}')
    assert [one.text for one in read_collection(lines)] == ["a valve"]
    write_table(tmp_path / "twice.parquet", [QUERIES[0], QUERIES[0]])
    with pytest.raises(EvaluationError, match=r"row 2 of twice\.parquet gives 'q-steam' again"):
        read_collection(tmp_path / "twice.parquet")


def test_a_line_may_be_an_id_a_tab_and_a_text(tmp_path: Path) -> None:
    path = write(tmp_path / "topics.tsv", "q1\tthe boiler of a ship", "q2\ta graph")
    assert read_collection(path, kind="query")[0] == Document("q1", kind="query", abstract="the boiler of a ship")
    assert read_collection(write(path, "id\ttitle", "q1\ta graph"))[0].title == "a graph"
    with pytest.raises(EvaluationError, match=r"Expected an id, a tab and a text in line 2 of topics\.tsv, got 'q2'"):
        read_collection(write(path, "q1\ta graph", "q2"))


@pytest.mark.parametrize("read", [read_qrels, read_run, read_collection])
def test_a_file_that_is_too_large_or_missing_is_told(read: object, path: Path) -> None:
    write(path, *(f'{{"_id": "{number}", "text": "x"}}' for number in range(100)))
    with pytest.raises(EvaluationError, match="Expected at most 0 MiB in given"):
        read(path, bounds=Bounds(max_bytes=100))  # type: ignore[operator]
    with pytest.raises(EvaluationError, match=r"Expected a file at .*none\.txt; there is none"):
        read(path.with_name("none.txt"))  # type: ignore[operator]


def test_a_long_file_is_read_for_as_long_as_it_gives_lines(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count()
    clock = SimpleNamespace(monotonic=lambda: next(ticks) / 50, process_time=lambda: next(ticks) / 50)
    monkeypatch.setattr(limits, "time", clock)
    write(path, *(f"q{number}\td1\t1" for number in range(1_000)))
    assert len(read_qrels(path)) == 1_000 and next(ticks) / 50 > 2 * limits.LIMITS.max_seconds


def test_too_many_lines_are_told(path: Path) -> None:
    write(path, "q0 0 d0 1", "q0 0 d1 1", "q0 0 d2 1")
    with pytest.raises(EvaluationError, match=r"Expected at most 2 lines in given\.txt; it has more"):
        read_qrels(path, bounds=Bounds(max_lines=2))


def test_bytes_that_are_no_text_are_refused(path: Path) -> None:
    path.write_bytes(b"q1 0 d1 1\nq\xff 0 d1 1\n")
    with pytest.raises(InputError, match="Expected UTF-8 text in given"):
        read_qrels(path)

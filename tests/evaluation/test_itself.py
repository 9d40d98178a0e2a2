"""A query's own work in the corpus under another id: found, left out of every ranking, and said so."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from engine.cli.main import main
from engine.documents import Document, Section
from engine.evaluation.benchmarks import Benchmark, load_benchmark
from engine.evaluation.itself import Itself, without_own_works
from engine.evaluation.measure import measure_run, measure_systems
from tests.evaluation.small import QUERIES, write_benchmark

TITLE = "How a boiler and a valve of steam meet"
ASKING = Document("q-steam", kind="query", title=TITLE, abstract=QUERIES[0].abstract)
OWN = Document("own", title=TITLE.upper(), abstract=" ".join([QUERIES[0].abstract] * 3))
NAMESAKE = Document("namesake", title="Steam", abstract="valve")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_benchmark(tmp_path / "small", extra=[OWN, NAMESAKE], queries=[ASKING, *QUERIES[1:]])


@pytest.fixture
def benchmark(folder: Path) -> Benchmark:
    return load_benchmark(folder)


def test_the_own_work_is_known_by_its_title(benchmark: Benchmark) -> None:
    assert without_own_works(benchmark).own_works == {"q-steam": frozenset({"own"})}


def test_the_own_work_is_known_by_its_abstract(tmp_path: Path) -> None:
    abstract = " ".join([QUERIES[0].abstract] * 5)
    twin = Document("twin", title="Another title altogether for this one", abstract=abstract)
    asking = Document("q-steam", kind="query", abstract=abstract)
    write_benchmark(tmp_path / "twins", extra=[twin], queries=[asking, *QUERIES[1:]])
    assert without_own_works(load_benchmark(tmp_path / "twins")).own_works == {"q-steam": frozenset({"twin"})}


def test_a_relevant_document_is_never_taken_for_the_query(tmp_path: Path) -> None:
    relevant = Document("steam-own", title=TITLE, abstract="A valve.")
    write_benchmark(tmp_path / "judged", extra=[relevant], queries=[ASKING, *QUERIES[1:]])
    assert without_own_works(load_benchmark(tmp_path / "judged")).own_works == {}


def test_rankings_are_read_without_it(benchmark: Benchmark, tmp_path: Path) -> None:
    known = measure_systems(benchmark, "bm25").run["q-steam"]
    hidden = measure_systems(without_own_works(benchmark), "bm25").run["q-steam"]
    assert known[0] == "own"
    assert list(hidden) == [name for name in known if name != "own"]
    run = tmp_path / "theirs.run"
    run.write_text(
        "".join(
            f"{query.id} Q0 {name} {rank} {9 - rank} theirs\n"
            for query in QUERIES
            for rank, name in enumerate(("own", "steam0"), start=1)
        )
    )
    assert measure_run(without_own_works(benchmark), "theirs", run).run["q-steam"] == ("steam0",)
    assert measure_run(benchmark, "theirs", run).run["q-steam"] == ("own", "steam0")


def test_where_queries_and_documents_are_both_numbered_a_number_names_neither(tmp_path: Path) -> None:
    steam, neural = (dataclasses.replace(query, id=f"{number}") for number, query in enumerate(QUERIES[:2], start=1))
    answer = Document("1", title="Unlike", abstract=f"{steam.abstract} of another engine")
    unlike = Document("2", abstract=steam.abstract)
    folder = write_benchmark(tmp_path / "numbers", extra=[answer, unlike], queries=[steam, neural])
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n1\t1\t1\n2\tneural1\t1\n")
    numbered = load_benchmark(folder)
    (tmp_path / "perfect.run").write_text("1 Q0 1 1 9 x\n1 Q0 2 2 8 x\n2 Q0 2 1 9 x\n2 Q0 neural1 2 8 x\n")
    run = measure_run(numbered, "perfect", tmp_path / "perfect.run").run
    assert run == {"1": ("1", "2"), "2": ("2", "neural1")}
    for row in ("bm25", "default"):
        assert {"1", "2"} <= set(measure_systems(numbered, row).run["1"])


def test_a_whole_paper_is_not_another_work_than_its_own_record_cut_to_the_abstract(tmp_path: Path) -> None:
    whole = dataclasses.replace(
        ASKING, sections=(Section("Trials", "Rods, cranks, rivets, plates, pistons and gauges wear out within years."),)
    )
    record = Document("q-steam", title=ASKING.title, abstract=ASKING.abstract)
    folder = write_benchmark(tmp_path / "cut", extra=[record], queries=[whole, *QUERIES[1:]])
    run = measure_systems(load_benchmark(folder), "bm25").run["q-steam"]
    assert run and "q-steam" not in run


def test_rankings_leave_out_what_the_benchmark_excludes(folder: Path) -> None:
    before = measure_systems(load_benchmark(folder), "bm25").run
    lines = [f"q-steam\t{name}" for name in before["q-steam"] if not name.startswith("steam")]
    (folder / "exclude.tsv").write_text("\n".join(["query-id\tcorpus-id", *lines, "q-neural\tsteam0", ""]))
    benchmark = load_benchmark(folder)
    after = measure_systems(benchmark, "bm25").run
    assert lines and after["q-steam"] == tuple(name for name in before["q-steam"] if name.startswith("steam"))
    assert {query: ids for query, ids in after.items() if query != "q-steam"} == {
        query: ids for query, ids in before.items() if query != "q-steam"
    }
    assert "exclude.tsv" in benchmark.sha256
    assert Itself(benchmark).most() >= 1 + len(lines)


def test_the_command_says_how_many_queries_hid_one(folder: Path, tmp_path: Path) -> None:
    saved = tmp_path / "report.json"
    common = ["evaluate", "--benchmark", str(folder), "--encoders", "bm25", "--save", str(saved)]
    assert main(common) == 0
    without = json.loads(saved.read_text())
    assert main([*common, "--hide-itself"]) == 0
    report = json.loads(saved.read_text())
    assert (without["queries_own_works_hidden"], report["queries_own_works_hidden"]) == (0, 1)
    assert report["command"].endswith("--queries all --hide-itself")
    assert report["encoders"]["bm25"]["nDCG@10"] >= without["encoders"]["bm25"]["nDCG@10"]

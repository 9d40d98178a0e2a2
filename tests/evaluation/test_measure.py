"""Systems ranked and scored on benchmarks of ours and of the papers, with rows that are kept between runs."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import ir_measures
import numpy as np
import pytest
from ir_measures import AP, RR, P, nDCG

from engine.cli.main import main
from engine.core.errors import EncoderError, EvaluationError, UnknownEncoderError
from engine.core.progress import silent
from engine.core.rows import DenseRows
from engine.documents import Chunk, Document, Section
from engine.encoders import SentenceMeanEncoder, TransformerMeanEncoder, Word2vecMeanEncoder, registry
from engine.encoders.sentence_transformer import SentenceTransformerEncoder
from engine.evaluation import kept_rows, measure, systems
from engine.evaluation.benchmarks import Benchmark, load_benchmark
from engine.evaluation.formats import write_run
from engine.evaluation.kept_rows import RowFolders, key_of, matcher, rows_in
from engine.evaluation.measure import METRIC_SETS, Itself, Measured, MetricSet, Validation, rank, score
from engine.evaluation.metrics import METRICS, TREC
from engine.evaluation.systems import PRODUCT, fused_encoder, row_fingerprint
from engine.library import Library, postings
from engine.search import cut_passages
from engine.workspace import Workspace
from tests.contracts.encoder import corpus
from tests.encoders.test_sentence_transformer import write
from tests.evaluation.small import DOCUMENTS, QUERIES, write_benchmark
from tests.halves import HalvesEncoder
from tests.search.hashed_words import HashedWords, paper

BENCHMARKS = Path(__file__).resolve().parents[2] / "assets" / "benchmarks"


@pytest.fixture
def benchmark_(tmp_path: Path) -> Benchmark:
    return load_benchmark(write_benchmark(tmp_path / "small"))


@pytest.mark.parametrize("name", systems.PRODUCT.names())
def test_every_system_finds_the_subject(name: str, benchmark_: Benchmark) -> None:
    measured = PRODUCT.measure(benchmark_, name)
    assert measured.name == name
    assert measured.fingerprint
    assert measured.documents_per_second > 0
    assert set(measured.metrics) == set(METRICS)
    assert measured.metrics["nDCG@10"] > 0.9
    assert measured.metrics["R@20"] > 0.9
    assert set(measured.by_query) == set(benchmark_.qrels)


def test_a_figure_is_the_mean_of_its_queries_and_f1_of_its_means(benchmark_: Benchmark) -> None:
    measured = PRODUCT.measure(benchmark_, "tfidf")
    scores = [scores["bpref"] for scores in measured.by_query.values()]
    assert measured.metrics["bpref"] == pytest.approx(sum(scores) / len(scores))
    precision, recall = measured.metrics["P@20"], measured.metrics["R@20"]
    assert measured.metrics["F1@20"] == pytest.approx(2 * precision * recall / (precision + recall))


@pytest.mark.parametrize("name", ["tfidf", "bm25", "default"])
def test_a_query_never_finds_itself_or_its_family(name: str, tmp_path: Path) -> None:
    itself = Document(id="q-steam", kind="patent", title="boiler valve", family="f1")
    family = [Document(id=f"steam-kin{n}", kind="patent", title="boiler valve", family="f1") for n in range(3)]
    other = Document(id="steam-other", kind="patent", title="boiler valve", family="f2")
    folder = write_benchmark(tmp_path / "small", extra=[itself, *family, other], queries=[itself])
    benchmark = load_benchmark(folder)
    (ranking,) = rank(benchmark, systems.PRODUCT.prepare(name, benchmark.corpus)).values()
    assert ranking[0] == "steam-other"
    assert not {"q-steam", *(document.id for document in family)} & set(ranking)


def test_the_rankings_and_the_memory_are_kept(benchmark_: Benchmark) -> None:
    measured = PRODUCT.measure(benchmark_, "bm25", scale=dataclasses.replace(METRIC_SETS["trec"], depth=5))
    whole = rank(benchmark_, systems.PRODUCT.prepare("bm25", benchmark_.corpus))
    assert measured.run == {query: tuple(ids[:5]) for query, ids in whole.items()}
    assert measured.peak_bytes > 1 << 20


def test_somebodys_run_is_scored_as_the_system_that_made_it(benchmark_: Benchmark, tmp_path: Path) -> None:
    path = tmp_path / "theirs.run"
    ours = PRODUCT.measure(benchmark_, "bm25")
    write_run(path, ours.run, tag="x")
    theirs = Measured.of_run(benchmark_, "theirs", path)
    assert theirs.metrics == ours.metrics
    assert theirs.run == ours.run
    assert (theirs.name, theirs.documents_per_second, theirs.queries_per_second) == ("theirs", None, None)
    assert theirs.peak_bytes is None
    write_run(path, {query: ids[::-1] for query, ids in ours.run.items()}, tag="x")
    assert Measured.of_run(benchmark_, "theirs", path).fingerprint != theirs.fingerprint


def test_a_run_may_rank_queries_that_are_not_asked_and_its_own_document_is_passed_over(tmp_path: Path) -> None:
    itself = Document(id="q-steam", kind="patent", title="boiler valve", family="f1")
    kin = Document(id="steam-kin", kind="patent", title="boiler valve", family="f1")
    queries = [itself, Document(id="q-none", kind="query", abstract="nothing")]
    benchmark = load_benchmark(write_benchmark(tmp_path / "small", extra=[kin], queries=queries))
    write_run(tmp_path / "a.run", {"q-steam": ["q-steam", "steam-kin", "steam0"], "q-none": ["steam0"]}, tag="x")
    assert Measured.of_run(benchmark, "a", tmp_path / "a.run").run == {"q-steam": ("steam0",)}


def test_a_run_of_other_documents_or_queries_is_refused(benchmark_: Benchmark, tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    write_run(path, {query: ["steam0", "strange"] for query in benchmark_.qrels}, tag="x")
    with pytest.raises(
        EvaluationError, match=r"a\.run to rank documents of small, 1 are not there, the first 'strange'"
    ):
        Measured.of_run(benchmark_, "a", path)
    write_run(path, {"q-steam": ["steam0"]}, tag="x")
    with pytest.raises(EvaluationError, match="each of the 4 judged queries and no other, got 1"):
        Measured.of_run(benchmark_, "a", path)
    write_run(path, {query: ["steam0"] for query in [*benchmark_.qrels, "q-more"]}, tag="x")
    for complete in (False, True):
        with pytest.raises(EvaluationError, match=r"got 5; 'q-more' is on one side only.*say so by --complete-runs"):
            Measured.of_run(benchmark_, "a", path, complete=complete)


def test_a_run_of_queries_none_of_which_is_asked_is_refused(benchmark_: Benchmark, tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    write_run(path, {"q-other": ["steam0"], "q-more": ["steam0"]}, tag="x")
    others = dataclasses.replace(benchmark_, others=frozenset({"q-other", "q-more"}))
    for benchmark in (benchmark_, others):
        with pytest.raises(EvaluationError, match="is on one side only"):
            Measured.of_run(benchmark, "a", path, complete=True)


@pytest.mark.parametrize("scale", METRIC_SETS.values(), ids=METRIC_SETS)
def test_a_run_in_which_a_query_found_nothing_is_read_back(scale: MetricSet, tmp_path: Path) -> None:
    strange = Document("q-graph", kind="query", abstract="zyzzyva")
    asked = [strange, *(query for query in QUERIES if query.id != strange.id)]
    benchmark = load_benchmark(write_benchmark(tmp_path / "small", queries=asked))
    ours = PRODUCT.measure(benchmark, "bm25", scale=scale)
    assert ours.run["q-graph"] == ()
    write_run(tmp_path / "a.run", ours.run, tag="x")
    assert "q-graph" not in (tmp_path / "a.run").read_text()
    with pytest.raises(EvaluationError, match="'q-graph' is on one side only"):
        Measured.of_run(benchmark, "a", tmp_path / "a.run", scale=scale)
    theirs = Measured.of_run(benchmark, "a", tmp_path / "a.run", scale=scale, complete=True)
    assert (theirs.run, theirs.metrics, theirs.by_query) == (ours.run, ours.metrics, ours.by_query)


def deeply_judged(folder: Path) -> Benchmark:
    """One query of 200 judged documents, 133 of them relevant, and one with a single relevant one, among 1,500."""
    queries = [Document("q-many", kind="query", abstract="boiler"), Document("q-one", kind="query", abstract="boiler")]
    more = [Document(f"more{number}", title="boiler " * (1 + number % 7)) for number in range(1_460)]
    grades = {f"more{number}": int(number % 3 > 0) for number in range(0, 1_000, 5)}
    benchmark = load_benchmark(write_benchmark(folder, extra=more))
    qrels = {"q-many": grades, "q-one": {"more1459": 1}}
    return dataclasses.replace(benchmark, queries=queries, qrels=qrels)


def test_a_query_is_read_as_deep_as_its_own_judgements_need(tmp_path: Path) -> None:
    benchmark = deeply_judged(tmp_path / "small")
    depths = {
        name: {query: len(ids) for query, ids in PRODUCT.measure(benchmark, "bm25", scale=scale).run.items()}
        for name, scale in METRIC_SETS.items()
    }
    assert sum(benchmark.qrels["q-many"].values()) == 133
    assert depths["ctpe"] == {"q-many": 266, "q-one": 100}
    assert depths["trec"] == {"q-many": 1_000, "q-one": 1_000}


@pytest.mark.parametrize("scale", METRIC_SETS.values(), ids=METRIC_SETS)
def test_a_run_is_written_as_deep_as_it_was_scored(scale: MetricSet, tmp_path: Path) -> None:
    benchmark, path = deeply_judged(tmp_path / "small"), tmp_path / "a.run"
    ours = PRODUCT.measure(benchmark, "bm25", scale=scale)
    write_run(path, ours.run, tag="x")
    again = Measured.of_run(benchmark, "again", path, scale=scale)
    assert (again.run, again.metrics, again.by_query) == (ours.run, ours.metrics, ours.by_query)


def test_somebodys_run_is_read_no_deeper_than_ours(tmp_path: Path) -> None:
    benchmark, path = deeply_judged(tmp_path / "small"), tmp_path / "a.run"
    ours = PRODUCT.measure(benchmark, "bm25", scale=METRIC_SETS["trec"])
    write_run(
        path,
        PRODUCT.measure(benchmark, "bm25", scale=dataclasses.replace(METRIC_SETS["trec"], depth=1_400)).run,
        tag="x",
    )
    theirs = Measured.of_run(benchmark, "deep", path, scale=METRIC_SETS["trec"])
    assert (theirs.run, theirs.metrics) == (ours.run, ours.metrics)


def test_bpref_is_the_same_however_much_deeper_a_query_is_read(tmp_path: Path) -> None:
    benchmark = deeply_judged(tmp_path / "small")
    ours = PRODUCT.measure(benchmark, "bm25")
    deeper = PRODUCT.measure(benchmark, "bm25", scale=dataclasses.replace(METRIC_SETS["ctpe"], depth=1_400))
    assert ours.metrics == deeper.metrics
    assert ours.metrics["bpref"] > 0


def test_a_run_that_is_written_has_the_figures_that_ir_measures_finds_in_it(tmp_path: Path) -> None:
    benchmark = load_benchmark(BENCHMARKS / "small")
    measured = PRODUCT.measure(benchmark, "ctpe", scale=METRIC_SETS["trec"])
    write_run(tmp_path / "ctpe.run", measured.run, tag="ctpe")
    theirs = list(ir_measures.read_trec_run(str(tmp_path / "ctpe.run")))
    expected = ir_measures.calc_aggregate([AP, RR, nDCG, nDCG @ 10, P @ 20], benchmark.qrels, theirs)
    names = {"map": AP, "recip_rank": RR, "ndcg": nDCG, "ndcg_cut_10": nDCG @ 10, "P_20": P @ 20}
    for name, measure_ in names.items():
        assert measured.metrics[name] == pytest.approx(expected[measure_], abs=1e-6)


def test_trec_evals_metrics_read_a_thousand_ranks(benchmark_: Benchmark) -> None:
    measured = PRODUCT.measure(benchmark_, "bm25", scale=METRIC_SETS["trec"])
    assert set(measured.metrics) == set(TREC)
    whole = rank(benchmark_, systems.PRODUCT.prepare("ctpe", benchmark_.corpus), scale=METRIC_SETS["trec"])
    assert len(whole["q-steam"]) == len(benchmark_.corpus)


def test_an_unknown_system_is_refused(benchmark_: Benchmark) -> None:
    with pytest.raises(UnknownEncoderError, match="got 'bert'"):
        PRODUCT.measure(benchmark_, "bert")


def test_rankings_of_other_queries_are_refused(benchmark_: Benchmark) -> None:
    run = {query: ["steam0"] for query in benchmark_.qrels}
    score(run, benchmark_)
    del run["q-steam"]
    with pytest.raises(EvaluationError, match="each of the 4 judged queries and no other, got 3; 'q-steam' is on one"):
        score(run, benchmark_)
    with pytest.raises(EvaluationError, match="got 5; 'more' is on one side only"):
        score({**run, "q-steam": [], "more": []}, benchmark_)


REFERENCE = {
    "tfidf": (0.349, 0.142),
    "bm25": (0.350, 0.146),
    "lsa": (0.344, 0.155),
}


"""nDCG@10 and P@20 on Cranfield, all queries, as measured elsewhere on the same files."""


@pytest.mark.parametrize("name", REFERENCE)
def test_cranfield_gives_the_reference_points(name: str, shared: Path) -> None:
    measured = PRODUCT.measure(load_benchmark(shared / "data" / "cranfield"), name)
    assert (measured.metrics["nDCG@10"], measured.metrics["P@20"]) == pytest.approx(REFERENCE[name], abs=0.005)


def test_a_ranking_is_named_by_all_that_makes_it(benchmark_: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    def named() -> list[str]:
        return [systems.PRODUCT.prepare(name, benchmark_.corpus).fingerprint for name in ("bm25", "default", "ctpe")]

    before = named()
    assert len(set(before)) == 3
    monkeypatch.setattr(postings, "K1", 9.0)
    after = named()
    assert after[0] != before[0] and after[1] != before[1] and after[2] == before[2]


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
    assert benchmark.without_own_works().own_works == {"q-steam": frozenset({"own"})}


def test_the_own_work_is_known_by_its_abstract(tmp_path: Path) -> None:
    abstract = " ".join([QUERIES[0].abstract] * 5)
    twin = Document("twin", title="Another title altogether for this one", abstract=abstract)
    asking = Document("q-steam", kind="query", abstract=abstract)
    write_benchmark(tmp_path / "twins", extra=[twin], queries=[asking, *QUERIES[1:]])
    assert load_benchmark(tmp_path / "twins").without_own_works().own_works == {"q-steam": frozenset({"twin"})}


def test_a_relevant_document_is_never_taken_for_the_query(tmp_path: Path) -> None:
    relevant = Document("steam-own", title=TITLE, abstract="A valve.")
    write_benchmark(tmp_path / "judged", extra=[relevant], queries=[ASKING, *QUERIES[1:]])
    assert load_benchmark(tmp_path / "judged").without_own_works().own_works == {}


def test_rankings_are_read_without_it(benchmark: Benchmark, tmp_path: Path) -> None:
    known = PRODUCT.measure(benchmark, "bm25").run["q-steam"]
    hidden = PRODUCT.measure(benchmark.without_own_works(), "bm25").run["q-steam"]
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
    assert Measured.of_run(benchmark.without_own_works(), "theirs", run).run["q-steam"] == ("steam0",)
    assert Measured.of_run(benchmark, "theirs", run).run["q-steam"] == ("own", "steam0")


def test_where_queries_and_documents_are_both_numbered_a_number_names_neither(tmp_path: Path) -> None:
    steam, neural = (dataclasses.replace(query, id=f"{number}") for number, query in enumerate(QUERIES[:2], start=1))
    answer = Document("1", title="Unlike", abstract=f"{steam.abstract} of another engine")
    unlike = Document("2", abstract=steam.abstract)
    folder = write_benchmark(tmp_path / "numbers", extra=[answer, unlike], queries=[steam, neural])
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n1\t1\t1\n2\tneural1\t1\n")
    numbered = load_benchmark(folder)
    (tmp_path / "perfect.run").write_text("1 Q0 1 1 9 x\n1 Q0 2 2 8 x\n2 Q0 2 1 9 x\n2 Q0 neural1 2 8 x\n")
    run = Measured.of_run(numbered, "perfect", tmp_path / "perfect.run").run
    assert run == {"1": ("1", "2"), "2": ("2", "neural1")}
    for row in ("bm25", "default"):
        assert {"1", "2"} <= set(PRODUCT.measure(numbered, row).run["1"])


def test_a_whole_paper_is_not_another_work_than_its_own_record_cut_to_the_abstract(tmp_path: Path) -> None:
    whole = dataclasses.replace(
        ASKING, sections=(Section("Trials", "Rods, cranks, rivets, plates, pistons and gauges wear out within years."),)
    )
    record = Document("q-steam", title=ASKING.title, abstract=ASKING.abstract)
    folder = write_benchmark(tmp_path / "cut", extra=[record], queries=[whole, *QUERIES[1:]])
    run = PRODUCT.measure(load_benchmark(folder), "bm25").run["q-steam"]
    assert run and "q-steam" not in run


def test_rankings_leave_out_what_the_benchmark_excludes(folder: Path) -> None:
    before = PRODUCT.measure(load_benchmark(folder), "bm25").run
    lines = [f"q-steam\t{name}" for name in before["q-steam"] if not name.startswith("steam")]
    (folder / "exclude.tsv").write_text("\n".join(["query-id\tcorpus-id", *lines, "q-neural\tsteam0", ""]))
    benchmark = load_benchmark(folder)
    after = PRODUCT.measure(benchmark, "bm25").run
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


def test_an_encoder_scores_what_the_evaluation_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_benchmark(tmp_path / "small")
    (folder / "query-splits.tsv").write_text("q-steam\tvalid\nq-graph\tvalid\n")
    monkeypatch.setattr(measure, "_DOCUMENTS_AT_ONCE", 7)
    scores = Validation.load(["small"], tmp_path, metric="nDCG@10")(registry.fit("lsa", corpus()))
    whole = PRODUCT.measure(load_benchmark(folder, part="valid"), "lsa")
    assert scores == {"small": pytest.approx(whole.metrics["nDCG@10"], abs=1e-6)}


def test_what_cannot_be_scored_is_told(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"Expected a metric among P@20, .*, got 'P@3'"):
        Validation.load([], tmp_path, metric="P@3")
    with pytest.raises(EvaluationError, match=r"missing: corpus\.parquet"):
        Validation.load(["none"], tmp_path, metric="P@20")


CORPUS = [Document(f"d{number}", title=title) for number, title in enumerate(["boiler", "valve", "boiler valve"])]


@pytest.fixture
def encoder() -> HalvesEncoder:
    return HalvesEncoder(["boiler", "valve"])


def test_without_a_folder_all_is_encoded_each_time(encoder: HalvesEncoder) -> None:
    for _ in range(2):
        index, whole = rows_in(RowFolders(), encoder, CORPUS, name="halves", report=silent)
        assert whole
        assert list(index.ids) == ["d0", "d1", "d2"]
        np.testing.assert_allclose(index.rows(["d1"]), encoder.encode_documents(CORPUS[1:2]), atol=1e-6)
    assert encoder.encoded == [3, 1, 3, 1]


def test_passages_are_asked_though_the_system_holds_on_to_their_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "The process cannot access the file")  # as Windows says of a file that is mapped

    monkeypatch.setattr(os, "unlink", refuse)
    found = kept_rows.read_by(HashedWords(), [paper("a"), paper("b")], None)
    assert set(found.view.names) == {"a", "b"}


def test_kept_rows_are_read_and_only_what_they_lack_is_encoded(tmp_path: Path, encoder: HalvesEncoder) -> None:
    places = RowFolders(own=tmp_path / "own")
    assert rows_in(places, encoder, CORPUS[:2], name="halves", report=silent)[1]
    index, whole = rows_in(places, encoder, CORPUS, name="halves", report=silent)
    assert (list(index.ids), whole) == (["d0", "d1", "d2"], False)
    assert rows_in(places, encoder, CORPUS, name="halves", report=silent)[1] is False
    assert encoder.encoded == [2, 1]
    other = HalvesEncoder(["boiler", "valve", "crank"])
    assert rows_in(places, other, CORPUS, name="halves", report=silent)[1], "another encoder has rows of its own"


def test_rows_of_a_larger_corpus_are_taken_and_kept(tmp_path: Path, encoder: HalvesEncoder) -> None:
    rows_in(RowFolders(own=tmp_path / "all"), encoder, CORPUS, name="halves", report=silent)
    more = [CORPUS[2], Document("new", title="valve valve"), CORPUS[0]]
    places = RowFolders(own=tmp_path / "own", among=tmp_path / "all")
    index, whole = rows_in(places, encoder, more, name="halves", report=silent)
    assert not whole, "only one of the three was encoded now"
    assert encoder.encoded == [3, 1]
    np.testing.assert_allclose(index.rows(["d2", "new", "d0"]), encoder.encode_documents(more), atol=1e-6)
    again, whole = rows_in(RowFolders(own=tmp_path / "own"), encoder, more, name="halves", report=silent)
    assert (set(again.ids), whole) == ({"d2", "new", "d0"}, False)


def test_a_larger_corpus_that_was_never_encoded_is_passed_over(tmp_path: Path, encoder: HalvesEncoder) -> None:
    for among in (tmp_path / "nowhere", tmp_path / "own"):
        places = RowFolders(own=tmp_path / "own", among=among)
        assert len(rows_in(places, encoder, CORPUS, name="halves", report=silent)[0]) == 3
    assert encoder.encoded == [3]
    assert not (tmp_path / "nowhere").exists()


def test_the_report_counts_what_is_left_to_encode(
    tmp_path: Path, encoder: HalvesEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_rows, "_DOCUMENTS_AT_ONCE", 1)
    places, said = RowFolders(own=tmp_path / "own"), []
    rows_in(places, encoder, CORPUS[:1], name="halves", report=silent)
    rows_in(places, encoder, CORPUS, name="halves", report=said.append)
    assert {(one.stage, one.total) for one in said} == {("encode by halves", 2)}
    assert said[-1].done == 2


def test_an_encoding_that_was_stopped_goes_on_and_other_corpora_keep_rows_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    benchmark_ = load_benchmark(write_benchmark(tmp_path / "small"))
    monkeypatch.setattr(kept_rows, "_DOCUMENTS_AT_ONCE", 10)
    monkeypatch.setattr(kept_rows, "_SECONDS_BETWEEN_WRITES", -1)
    encoded: list[int] = []
    plain = Word2vecMeanEncoder.encode_documents

    def counted(encoder: Word2vecMeanEncoder, documents: list[Document]) -> DenseRows:
        encoded.append(len(documents))
        if len(encoded) == 3:
            raise KeyboardInterrupt
        return plain(encoder, documents)

    monkeypatch.setattr(Word2vecMeanEncoder, "encode_documents", counted)
    with pytest.raises(KeyboardInterrupt):
        PRODUCT.measure(benchmark_, "word2vec-mean", cache=tmp_path / "kept")
    went_on = PRODUCT.measure(benchmark_, "word2vec-mean", cache=tmp_path / "kept")
    queries = [len(benchmark_.queries)]
    assert encoded == [10, 10, 10, 10, 10, *queries]
    assert went_on.documents_per_second is None
    assert went_on.metrics == PRODUCT.measure(benchmark_, "word2vec-mean").metrics
    more = load_benchmark(write_benchmark(tmp_path / "more", extra=[Document("more", title="boiler")]))
    assert PRODUCT.measure(more, "word2vec-mean", cache=tmp_path / "kept").documents_per_second is not None


PAPERS = [paper("a"), paper("b", body=120), paper("c", body=0)]


class Counting(HashedWords):
    def __init__(self) -> None:
        self.read: list[str] = []

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> np.ndarray:
        self.read += [document.title for document, _ in read]
        return super().encode(read)


@pytest.fixture
def passage_encoder(monkeypatch: pytest.MonkeyPatch) -> Counting:
    made = Counting()
    monkeypatch.setattr(kept_rows, "_encoder", lambda: made)
    return made


def test_passages_are_kept_for_other_corpora_and_for_questions(passage_encoder: Counting, tmp_path: Path) -> None:
    first = matcher(PAPERS, tmp_path / "one")
    assert first is not None and set(first.view.number_of) == {"a", "b", "c"}
    assert passage_encoder.read == ["On a", "On b", "On c"]
    bare = [PAPERS[0], replace(PAPERS[1], sections=())]
    second = matcher(bare, tmp_path / "other")
    assert second is not None and set(second.view.number_of) == {"a", "b"}
    assert passage_encoder.read[3:] == ["On b"]  # its text is another
    assert second.view.counts[second.view.number_of["b"]] == len(cut_passages(bare[1]))
    asked = second.ask(PAPERS[1])
    assert asked is not None and len(asked.passages) == len(cut_passages(PAPERS[1])) and len(passage_encoder.read) == 4
    np.testing.assert_allclose(asked.rows, HashedWords().encode([(PAPERS[1], asked.passages)]), atol=0.01)
    second.ask(paper("new"))
    assert passage_encoder.read[4:] == ["On new"]


def test_some_passages_take_their_rows_and_those_cut_otherwise_are_read(
    passage_encoder: Counting, tmp_path: Path
) -> None:
    found = matcher(PAPERS, tmp_path / "one")
    assert found is not None
    passages = cut_passages(PAPERS[0])
    some = passages[-1:]
    np.testing.assert_allclose(
        found.reader.encode([(PAPERS[0], some)]), HashedWords().encode([(PAPERS[0], some)]), atol=0.01
    )
    assert passage_encoder.read == ["On a", "On b", "On c"]
    other = [replace(some[0], stop=some[0].stop - 1), *passages]
    assert found.reader.encode([(PAPERS[0], other)]).shape[0] == len(other)
    assert passage_encoder.read[3:] == ["On a"]


def test_without_a_folder_passages_are_read_for_this_run(passage_encoder: Counting) -> None:
    found = matcher(PAPERS, None)
    assert found is not None
    asked = found.ask(PAPERS[0])
    assert asked is not None and max(found.scores(asked, ["a", "b", "c"]).items(), key=lambda one: one[1])[0] == "a"


def test_nothing_is_read_without_what_reads_passages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_rows.PassageEncoder, "is_installed", lambda: False)
    assert matcher(PAPERS, None) is None


def test_a_key_names_a_document_with_its_text() -> None:
    keys = {key_of(one) for one in (*PAPERS, replace(PAPERS[0], sections=()), replace(PAPERS[0], id="z"))}
    assert len(keys) == 5 and key_of(PAPERS[0]) == key_of(paper("a"))


@pytest.fixture(scope="module")
def judged_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("readings") / "model")


def test_a_folder_is_read_as_it_says_or_as_the_row_says(judged_folder: Path) -> None:
    assert isinstance(systems.load_given(str(judged_folder)), SentenceTransformerEncoder)
    assert type(systems.load_given(f"{judged_folder}:tokens")) is TransformerMeanEncoder
    assert isinstance(systems.load_given(f"{judged_folder}:sentences"), SentenceMeanEncoder)


def test_readings_are_rows_of_their_own(judged_folder: Path, tmp_path: Path) -> None:
    judged = load_benchmark(write_benchmark(tmp_path / "small"))
    rows = systems.PRODUCT.rows_of(
        f"own={judged_folder},tokens={judged_folder}:tokens,sentences={judged_folder}:sentences"
    )
    measured = [PRODUCT.measure(judged, row) for row in rows]
    assert [one.name for one in measured] == ["own", "tokens", "sentences"]
    assert len({one.fingerprint for one in measured}) == 3
    named = [systems.without_place(row) for row in rows]
    assert named == ["own=model", "tokens=model:tokens", "sentences=model:sentences"]


def test_a_folder_whose_name_ends_like_a_reading_is_a_folder(tmp_path: Path) -> None:
    place = tmp_path / "model:tokens"
    place.mkdir()
    assert systems.split_folder(str(place)) == (place, "")
    assert systems.split_folder("model:other") == (Path("model:other"), "")
    assert systems.split_folder(":tokens") == (Path(":tokens"), "")


def test_a_models_name_stands_for_what_a_download_left(judged_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"someone/model": judged_folder}
    monkeypatch.setattr(systems, "local_folder", found.get)
    (row,) = systems.PRODUCT.rows_of("theirs=someone/model:tokens")
    assert type(systems.PRODUCT.trained_encoder(row)) is TransformerMeanEncoder
    assert systems.without_place(row) == "theirs=someone/model:tokens"
    with pytest.raises(EvaluationError, match="Expected an encoder's folder, got someone/other; there is none"):
        systems.PRODUCT.rows_of("theirs=someone/other")
    with pytest.raises(EncoderError, match="Nothing is downloaded"):
        systems.load_given("someone/other:tokens")


def test_the_default_encoder_named_so_is_the_default_ranking(tmp_path: Path) -> None:
    judged = load_benchmark(write_benchmark(tmp_path / "small"))
    usual, named = PRODUCT.measure(judged, "default"), PRODUCT.measure(judged, f"default({registry.DEFAULT})")
    assert named.fingerprint == usual.fingerprint
    assert named.by_query == usual.by_query
    assert named.name == f"default({registry.DEFAULT})"


@pytest.mark.parametrize("name", ["lsa", "ctpe"])  # one learns from the corpus
def test_another_encoder_is_fused_with_the_keywords(name: str, tmp_path: Path) -> None:
    judged = load_benchmark(write_benchmark(tmp_path / "small"))
    fused, alone, usual = (PRODUCT.prepare(row, judged.corpus) for row in (f"default({name})", name, "default"))
    assert len({one.fingerprint for one in (fused, alone, usual)}) == 3
    first = [[hit.score for hit in one.system.rank(judged.queries, 9)[0]] for one in (fused, alone, usual)]
    assert first[0] != first[1] and first[0] != first[2]


def test_only_an_encoder_that_searches_is_known() -> None:
    assert (fused_encoder("default"), fused_encoder("default(lsa)")) == (registry.DEFAULT, "lsa")
    assert [fused_encoder(row) for row in ("lsa", "default(bm25)", "default(colde)", "default()")] == [None] * 4
    assert PRODUCT.rows_of("bm25, default(ctpe)") == ["bm25", "default(ctpe)"]
    with pytest.raises(EvaluationError, match=r"default\(NAME\) or NAME=FOLDER; got default\(bm25\)"):
        PRODUCT.rows_of("default(bm25)")


def test_a_row_says_beforehand_by_what_it_will_rank(library: Library) -> None:
    card = registry.find("word2vec-sif").card
    for row in ("bm25", "bm25-stems", "keywords", "default", "word2vec-sif"):
        prepared = PRODUCT.prepare_in(Workspace(library.folder), row, DOCUMENTS, encoder="word2vec-sif")
        assert row_fingerprint(row, card, passages=False) == prepared.fingerprint
    assert row_fingerprint("tfidf", registry.find("tfidf").card, passages=True) == ""

"""What comes of a measurement: a saved report, a model beside the default, a blind bake-off, the file of quality."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError, LibraryError, StorageError, UnknownEncoderError
from engine.documents import Document, Section
from engine.encoders import KeptModel, bring_model, registry
from engine.encoders.tfidf import TfidfEncoder
from engine.evaluation.bake_off import AskedBlind, BakeOff, BakeOffs, TeamPick, ranked, team_draft
from engine.evaluation.benchmarks import Benchmark, from_parts, load_benchmark
from engine.evaluation.beside_default import (
    ALONE,
    IN_SEARCH,
    BesideDefault,
    narrowed,
    questions_of,
)
from engine.evaluation.formats import read_run
from engine.evaluation.measure import METRIC_SETS
from engine.evaluation.metrics import METRICS
from engine.evaluation.quality import MeasuredQuality, read_quality
from engine.evaluation.report import EvaluationReport, KeptResults, MeasuredRow, opening
from engine.evaluation.significance import Interval
from engine.evaluation.systems import PRODUCT
from engine.library import Library
from engine.workspace import Workspace
from tests.contracts.encoder import corpus
from tests.encoders.tiny_sentences import write
from tests.evaluation.small import QUERIES, write_benchmark


@pytest.fixture
def report(tmp_path: Path) -> EvaluationReport:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    return EvaluationReport(
        benchmark, [PRODUCT.measure(benchmark, name) for name in ("tfidf", "bm25")], command="priorscope evaluate"
    )


def test_the_json_keeps_figures_and_circumstances(report: EvaluationReport, tmp_path: Path) -> None:
    report.save(tmp_path / "saved" / "small.json")
    value = json.loads((tmp_path / "saved" / "small.json").read_text())
    assert value["benchmark"] == "small"
    assert {*METRICS, "documents_per_second", "fingerprint", "seconds"} <= value["encoders"]["tfidf"].keys()
    assert {"command", "sha256", "commit", "hardware", "seed", "queries", "part"} <= value.keys()
    assert set(value["sha256"]) == {"corpus.parquet", "queries.parquet", "qrels.tsv"}
    assert "by_query" not in value["encoders"]["tfidf"]


def test_each_querys_scores_are_kept_where_asked_for(report: EvaluationReport, tmp_path: Path) -> None:
    report.save(tmp_path / "small.json", by_query=True)
    value = json.loads((tmp_path / "small.json").read_text())
    assert set(value["encoders"]["bm25"]["by_query"]["q-steam"]) == set(METRICS)


def test_the_table_has_a_row_a_system(report: EvaluationReport, tmp_path: Path) -> None:
    report.save(tmp_path / "small.json")
    table = (tmp_path / "small.md").read_text().splitlines()
    header, rows = table[2], [line for line in table if line.startswith(("| tfidf", "| bm25"))]
    assert header.count("|") == rows[0].count("|") == rows[1].count("|")
    assert any(line.startswith("* command: priorscope evaluate") for line in table)


def test_intervals_hold_their_figure_and_a_figure_of_means_has_none(report: EvaluationReport) -> None:
    value = report.as_json()["encoders"]["bm25"]
    assert set(value["intervals"]) == set(METRICS) - {"F1@20"}
    for name, (low, high) in value["intervals"].items():
        assert low <= value[name] <= high
    assert value["peak_memory_mib"] > 1
    assert "95 % intervals over queries" in report.as_markdown()


def test_contrasts_are_kept_in_every_metric_and_shown_in_the_main_ones(report: EvaluationReport) -> None:
    compared = dataclasses.replace(report, against="bm25")
    found = compared.as_json()["contrasts"]
    assert [one["metric"] for one in found][:2] == ["nDCG@10", "R@100"]
    assert {one["metric"] for one in found} == set(METRICS)
    table = compared.as_markdown()
    assert "## Against bm25" in table
    assert table.count("| tfidf | nDCG@10 |") == 1
    assert "| tfidf | bpref |" not in table
    assert "contrasts" not in report.as_json()


def test_what_was_left_out_is_told_with_why(report: EvaluationReport) -> None:
    told = dataclasses.replace(report, skipped={"lda": "it needs gensim"})
    assert told.as_json()["left_out"] == {"lda": "it needs gensim"}
    assert "* left_out: lda it needs gensim" in told.as_markdown()
    assert "left_out" not in report.as_json()


def test_queries_that_found_nothing_are_counted(report: EvaluationReport) -> None:
    first, other = report.measured
    emptied = dataclasses.replace(first, run={**first.run, "q-steam": (), "q-graph": ()})
    told = dataclasses.replace(report, measured=[emptied, other])
    assert told.as_json()["queries_that_found_nothing"] == {"tfidf": 2}
    assert "* queries_that_found_nothing: tfidf 2" in told.as_markdown()
    assert "queries_that_found_nothing" not in report.as_json()


def test_a_report_says_how_deep_bpref_was_read(report: EvaluationReport) -> None:
    assert report.as_json()["ranks_read"] == 100
    assert "ranks_read_for_bpref_at_most" not in report.as_json()
    grades = {document.id: 1 for document in report.benchmark.corpus}
    many = dataclasses.replace(report.benchmark, qrels={**report.benchmark.qrels, "q-steam": {**grades, "a": 0}})
    deeper = dataclasses.replace(report, benchmark=many, scale=dataclasses.replace(report.scale, depth=50))
    assert deeper.as_json()["ranks_read"] == 50
    assert deeper.as_json()["ranks_read_for_bpref_at_most"] == 2 * len(grades)


def test_rankings_are_written_as_trec_runs(report: EvaluationReport, tmp_path: Path) -> None:
    named = [dataclasses.replace(one, name=name) for one, name in zip(report.measured, ("bm25", "a/b c"), strict=True)]
    paths = dataclasses.replace(report, measured=named).save_runs(tmp_path / "runs")
    assert [path.name for path in paths] == ["bm25.run", "a-b-c.run"]
    assert read_run(paths[0]) == named[0].run
    assert paths[1].read_text().splitlines()[0].endswith(" a-b-c")
    alike = [dataclasses.replace(one, name=name) for one, name in zip(named, ("a/b", "a-b"), strict=True)]
    with pytest.raises(EvaluationError, match="differ in letters or digits, a file each, got a/b, a-b"):
        dataclasses.replace(report, measured=alike).save_runs(tmp_path / "runs")


def test_a_query_is_known_by_its_first_words() -> None:
    assert opening(Document("q", title="two words")) == "two words"
    assert opening(Document("q", abstract="w " * 20)) == "w " * 12 + "…"


def test_trec_evals_columns_are_shown_under_their_names(tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    scale = METRIC_SETS["trec"]
    report = EvaluationReport(benchmark, [PRODUCT.measure(benchmark, "bm25", scale=scale)], scale=scale)
    assert set(report.as_json()["encoders"]["bm25"]["intervals"]) == set(scale.metrics)
    assert "| ndcg_cut_10 |" in report.as_markdown()
    assert report.as_json()["ranks_read"] == 1_000


WHEN = "2024-02-29T12:00:00+00:00"


QUERY = Document(
    "q1",
    "patent",
    "A “valve”",
    "steam",
    (Section("Field", "Pumps of steam."),),
    year=1890,
    categories=("F16K",),
    claims=("A valve.",),
)


@pytest.fixture(scope="module")
def benchmark() -> Benchmark:
    made = from_parts("ours", corpus(), [QUERY], {"q1": {"steam0": 1, "graph1": 0}})
    own, excluded = {"q1": frozenset({"steam9"})}, {"q1": frozenset({"graph2"})}
    return replace(made, left_out=3, others=frozenset({"q2"}), own_works=own, excluded=excluded)


@pytest.fixture(scope="module")
def result(benchmark: Benchmark) -> MeasuredRow:
    return MeasuredRow(PRODUCT.measure(benchmark, "bm25"), WHEN)


def test_what_was_kept_comes_back_the_same(tmp_path: Path, benchmark: Benchmark, result: MeasuredRow) -> None:
    KeptResults(tmp_path).keep("a set", benchmark, result)
    found = KeptResults(tmp_path).read("a set")
    assert found == (benchmark.names_only(), {"bm25": result})
    assert found[0].queries == [QUERY]
    assert {document.abstract for document in found[0].corpus} == {""}


def test_results_come_together_and_a_newer_one_replaces(
    tmp_path: Path, benchmark: Benchmark, result: MeasuredRow
) -> None:
    KeptResults(tmp_path).keep("a set", benchmark, result)
    KeptResults(tmp_path).keep("a set", benchmark, MeasuredRow(replace(result.measured, name="other"), WHEN))
    KeptResults(tmp_path).keep("a set", benchmark, replace(result, when="2025-01-01T00:00:00+00:00"))
    found = KeptResults(tmp_path).read("a set")
    assert found is not None
    assert {name: one.when[:4] for name, one in found[1].items()} == {"bm25": "2025", "other": "2024"}
    assert KeptResults(tmp_path).read("another set") is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda fields: fields.update(format=99),
        lambda fields: fields["measured"].pop("run"),
        lambda fields: fields["measured"]["metrics"].pop("nDCG@10"),
        lambda fields: fields.update(measured=[]),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, benchmark: Benchmark, result: MeasuredRow, damage: object) -> None:
    KeptResults(tmp_path).keep("a set", benchmark, result)
    path = next(tmp_path.rglob("row-*.json"))
    fields = json.loads(path.read_text("utf-8"))
    damage(fields)  # type: ignore[operator]
    path.write_text(json.dumps(fields))
    with pytest.raises(StorageError, match=r"Expected what was measured in .* Measure it again"):
        KeptResults(tmp_path).read("a set")
    again = MeasuredRow(replace(result.measured, name="other"), WHEN)
    KeptResults(tmp_path).keep(
        "a set", benchmark, again
    )  # what cannot be read must not stand in the way of what comes after
    assert KeptResults(tmp_path).read("a set") == (benchmark.names_only(), {"other": again})


def test_damaged_questions_give_way_too(tmp_path: Path, benchmark: Benchmark, result: MeasuredRow) -> None:
    KeptResults(tmp_path).keep("a set", benchmark, result)
    next(tmp_path.rglob("benchmark.json")).write_text("{")
    with pytest.raises(StorageError):
        KeptResults(tmp_path).read("a set")
    KeptResults(tmp_path).keep("a set", benchmark, result)
    assert KeptResults(tmp_path).read("a set") == (benchmark.names_only(), {"bm25": result})


def test_the_oldest_sets_give_way(tmp_path: Path, benchmark: Benchmark, result: MeasuredRow) -> None:
    for number in range(9):
        KeptResults(tmp_path).keep(f"set {number}", benchmark, result)
        for folder in tmp_path.iterdir():  # make what is there older, whatever this file system's clock can tell apart
            os.utime(folder, (folder.stat().st_mtime - 10,) * 2)
    assert KeptResults(tmp_path).read("set 0") is None
    assert all(KeptResults(tmp_path).read(f"set {number}") for number in range(1, 9))


QRELS = {
    query.id: {one.id: 1 for one in corpus() if one.id.startswith(query.id.removeprefix("q-"))} for query in QUERIES
}


def test_both_sides_answer_the_same_questions_alone_and_in_a_search() -> None:
    benchmark = from_parts("small", corpus(), QUERIES, QRELS)
    default = TfidfEncoder.fit(corpus())
    same = BesideDefault.of_encoders(default, TfidfEncoder.fit(corpus()), benchmark).figures
    assert same["queries"] == len(QUERIES) and same["documents"] == len(corpus())
    assert set(same["differences"]) == {ALONE, IN_SEARCH}
    assert all(one["by"]["mean"] == 0 and one["verdict"] == "the same" for one in same["differences"].values())
    blind = TfidfEncoder.fit([Document("x", abstract="nothing in common")])
    worse = BesideDefault.of_encoders(blind, default, benchmark, of=len(corpus())).figures
    model, usual = worse["model"]["scores"], worse["default"]["scores"]
    assert worse["differences"][ALONE]["by"]["mean"] < -0.5
    difference = worse["differences"][ALONE]["by"]["mean"]
    assert model[ALONE]["mean"] == pytest.approx(usual[ALONE]["mean"] + difference, abs=2e-4)  # four decimals
    assert model[IN_SEARCH]["mean"] > model[ALONE]["mean"]  # its keywords still find them
    assert worse["model"]["documents_per_second"] > 0


def test_the_figures_are_told_in_sentences() -> None:
    benchmark = from_parts("small", corpus(), QUERIES, QRELS)
    encoder = TfidfEncoder.fit(corpus())
    told = BesideDefault.of_encoders(encoder, encoder, benchmark, of=5_000).sentences()
    assert told[0].startswith(f"nDCG@10 on {len(QUERIES)} questions over {len(corpus())} documents of your 5,000, with")
    assert told[1].startswith("Alone: tfidf 1.000 (1.000 to 1.000), the default 1.000")
    assert told[1].endswith("difference +0.000 (+0.000 to +0.000), the same.")
    assert "documents a second here" in told[3]
    assert told[4].startswith("In a search, keywords count 2 where tfidf counts 1, the usual weight")


def test_a_large_corpus_is_narrowed_to_judged_and_other_documents() -> None:
    many = [Document(f"d{number}", abstract=f"word{number}") for number in range(100)]
    qrels = {"a": {f"d{number}": 1 for number in range(5)}, "b": {"d99": 1, "d98": 0}, "c": {"d50": 0}}
    queries = [Document(name, "query", abstract="word1") for name in qrels]
    whole = from_parts("many", many, queries, qrels)
    less = narrowed(whole, 20)
    held = {one.id for one in less.corpus}
    assert len(held) == 20 and {"d0", "d4", "d98", "d99"} <= held
    assert less.qrels == {"a": qrels["a"], "b": qrels["b"]} and less.left_out == 1
    assert [one.id for one in narrowed(whole, 20).corpus] == [one.id for one in less.corpus]
    assert narrowed(whole, 100) is whole
    few = narrowed(whole, 8)
    assert len(few.corpus) == 8 and sum(map(len, few.qrels.values())) <= 4


def test_a_library_answers_by_its_judgements(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="Expected a library for the questions 'judged'"):
        questions_of("judged")
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("own", "own.jsonl", corpus())
        library.judgements.judge(QUERIES[0], corpus()[0].id, 1)
        assert [query.id for query in questions_of("judged", library).queries] == [QUERIES[0].id]
        with pytest.raises(EvaluationError, match="the same subjects"):
            questions_of("subjects", library)


def test_the_figures_are_kept_with_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIORSCOPE_MODELS", str(tmp_path / "models"))
    monkeypatch.setattr(registry, "DEFAULT", "word2vec-mean")
    name = bring_model(str(write(tmp_path / "tiny"))).name
    made = BesideDefault.measure(name, "small")
    found = made.figures
    assert KeptModel.read(name).measured == {"small": found}
    assert (found["model"]["name"], found["default"]["name"], found["model"]["dim"]) == (name, "word2vec-mean", 32)
    assert found["queries"] == 12 and found["hardware"]
    assert (found["model"]["keyword_weight"], found["default"]["keyword_weight"]) == (0.75, 2.0)
    told = "In a search, keywords count 0.75 where tiny counts 1, as beside the sentence encoders that come with"
    assert made.keywords_in_words().startswith(told) and "measure it again" not in made.keywords_in_words()
    before = {**found, "model": {key: value for key, value in found["model"].items() if key != "keyword_weight"}}
    assert (
        BesideDefault(before).keywords_in_words().endswith("When this was measured they counted 2: measure it again.")
    )
    with pytest.raises(UnknownEncoderError):
        BesideDefault.measure("another", "small")


ROWS = ("tfidf", "lsa")


ASKED = Document("q", "query", abstract=corpus()[0].text)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "library", create=True) as opened:
        opened.library.add_file("own", "own.jsonl", corpus())
        for name in ROWS:
            opened.prepare(name)
        yield opened


def judged(first: tuple[int, int], second: tuple[int, int], *, questions: int = 1) -> BakeOff:
    """A bake-off with these numbers of relevant and other documents from each ranking, question by question."""
    asked = []
    for number in range(questions):
        picks, grades = [], {}
        for team, (relevant, others) in enumerate((first, second)):
            for place in range(relevant + others):
                pick = TeamPick(f"{team} {place}", team)
                picks.append(pick)
                grades[pick.id] = int(place < relevant)
        asked.append(AskedBlind(Document(f"q{number}", "query", abstract="a"), tuple(picks), grades))
    return BakeOff(ROWS, "2026-01-01T00:00:00+00:00", tuple(asked))


def test_a_list_is_drafted_in_rounds_in_which_each_ranking_adds_its_best() -> None:
    one, other = [f"a{n}" for n in range(9)], [f"b{n}" for n in range(9)]
    picks = team_draft((one, other), 10, seed="any")
    assert len(picks) == 10
    for first in range(0, 10, 2):
        assert {pick.team for pick in picks[first : first + 2]} == {0, 1}
    for team, ranking in enumerate((one, other)):
        assert [pick.id for pick in picks if pick.team == team] == ranking[:5]


def test_the_same_seed_gives_the_same_list_and_coins_fall_both_ways() -> None:
    both = (["a", "b", "c"], ["c", "b", "a"])
    assert team_draft(both, 3, seed="x") == team_draft(both, 3, seed="x")
    first = [team_draft(both, 3, seed=str(number))[0].team for number in range(400)]
    assert 160 < sum(first) < 240


def test_a_document_of_both_stands_once_and_is_eithers_with_the_same_chance() -> None:
    same = ["a", "b", "c", "d"]
    teams = []
    for number in range(400):
        picks = team_draft((same, same), 10, seed=str(number))
        assert [pick.id for pick in picks] == same
        teams.append(picks[0].team)
    assert 160 < sum(teams) < 240


def test_a_short_ranking_leaves_its_places_to_the_other() -> None:
    picks = team_draft((["a"], ["b", "c", "d"]), 10, seed="x")
    assert sorted(pick.id for pick in picks) == ["a", "b", "c", "d"]
    assert team_draft(([], []), 10, seed="x") == ()


def test_twenty_judgements_make_a_verdict_with_wilsons_interval() -> None:
    found = judged((9, 1), (1, 9)).verdict()
    assert (found.judged, found.relevant, found.questions) == (20, (9, 1), (1, 0, 0))
    assert (found.share.mean, found.share.low, found.share.high) == pytest.approx((0.9, 0.5958, 0.9821), abs=1e-4)
    assert found.p == pytest.approx(22 / 1024) and found.better == "tfidf"
    assert judged((1, 9), (9, 1)).verdict().better == "lsa"
    assert judged((6, 4), (5, 5)).verdict().better == ""


def test_before_that_it_is_too_early() -> None:
    few = judged((9, 1), (0, 9))
    assert few.judged == BakeOff.ENOUGH - 1 and not few.is_ready
    with pytest.raises(EvaluationError, match="too early to say"):
        few.verdict()


def test_where_nothing_is_relevant_nothing_is_told_apart() -> None:
    found = judged((0, 10), (0, 10)).verdict()
    assert (found.share, found.better) == (Interval(0.5, 0.0, 1.0), "")
    assert found.sentences() == ["None of the 20 documents was relevant, so nothing tells tfidf and lsa apart."]


def test_a_verdict_is_told_in_sentences() -> None:
    head, figures, questions, few = judged((9, 1), (1, 9)).verdict().sentences(("One", "Other"))
    assert head == "One finds more of what you want."
    assert figures == (
        "Of the 10 documents that you found relevant among 20, One brought 9 and Other 1: 90% for One, "
        "95 % interval 60% to 98% (p 0.021)."
    )
    assert questions == "One brought more on 1 question, Other on 0, both as many on 0."
    assert few.startswith("So few questions")
    assert len(judged((2, 3), (3, 2), questions=6).verdict().sentences()) == 3


def test_equally_good_rankings_seldom_get_a_verdict() -> None:
    """The error is at most 5 %, whatever is relevant, because a coin says who brought a document of both."""
    same = [f"d{n}" for n in range(10)]
    wrong = 0
    for number in range(300):
        asked = []
        for query in ("a", "b"):
            picks = team_draft((same, same), 10, seed=f"{number} {query}")
            asked.append(AskedBlind(Document(query), picks, {pick.id: int(pick.id < "d7") for pick in picks}))
        wrong += bool(BakeOff(ROWS, "", tuple(asked)).verdict().better)
    assert wrong <= 15


def test_a_bake_off_outlives_a_restart_and_ends_with_its_verdict(workspace: Workspace) -> None:
    folder, library = workspace.library.folder, workspace.library
    BakeOffs(folder).start(ROWS, seed=3)
    for number in range(2):
        BakeOffs(folder).ask(workspace, replace(ASKED, id=f"q{number}"))
    running = BakeOffs(folder).current()
    assert running is not None and [len(one.picks) for one in running.asked] == [10, 10]
    for one in running.asked:
        for pick in one.picks:
            BakeOffs(folder).judge(library, one, pick.id, 1)
    assert library.judgements.grades(running.asked[0].query) == {pick.id: 1 for pick in running.asked[0].picks}
    ended = BakeOffs(folder).reveal()
    assert ended.judged == 20 and BakeOffs(folder).current() is None
    assert BakeOffs(folder).all() == (ended,)
    with pytest.raises(EvaluationError, match=r"got none\. Start one"):
        BakeOffs(folder).judge(library, ended.asked[0], ended.asked[0].picks[0].id, 0)


def test_a_question_that_was_asked_keeps_its_list_and_its_grades(workspace: Workspace) -> None:
    held = BakeOffs(workspace.library.folder)
    held.start(ROWS)
    asked = held.ask(workspace, ASKED)
    held.judge(workspace.library, asked, asked.picks[0].id, 1)
    again = held.ask(workspace, ASKED)
    assert again.picks == asked.picks and again.grades == {asked.picks[0].id: 1}
    assert held.judge(workspace.library, asked, asked.picks[0].id, None).judged == 0
    assert not workspace.library.judgements.grades(ASKED)


def test_what_was_judged_elsewhere_does_not_count(workspace: Workspace) -> None:
    held = BakeOffs(workspace.library.folder)
    held.start(ROWS)
    asked = held.ask(workspace, ASKED)
    workspace.library.judgements.judge(ASKED, asked.picks[0].id, 1)
    running = held.current()
    assert running is not None and running.judged == 0
    with pytest.raises(EvaluationError, match="Expected a document of a list that was asked for"):
        held.judge(workspace.library, asked, "another", 1)
    with pytest.raises(LibraryError, match="Expected the grade 1"):
        held.judge(workspace.library, asked, asked.picks[0].id, 2)  # type: ignore[arg-type]


def test_starting_again_drops_what_has_no_verdict(workspace: Workspace) -> None:
    held = BakeOffs(workspace.library.folder)
    held.start(ROWS)
    held.start(("keywords", "tfidf"))
    assert [one.rows for one in held.all()] == [("keywords", "tfidf")]
    held.drop()
    assert held.all() == () and held.current() is None


@pytest.mark.parametrize(
    "rows", [("tfidf", "tfidf"), ("tfidf", "nobody"), ("default(nobody)", "tfidf"), ("colde", "lsa")]
)
def test_rankings_that_cannot_be_compared_are_refused(rows: tuple[str, str], workspace: Workspace) -> None:
    with pytest.raises(EvaluationError):
        BakeOffs(workspace.library.folder).start(rows)


def test_a_question_needs_words(workspace: Workspace) -> None:
    held = BakeOffs(workspace.library.folder)
    held.start(ROWS)
    with pytest.raises(EvaluationError, match="Expected a question with words"):
        held.ask(workspace, Document("q", "query", abstract=" \n"))


def test_only_encoders_that_have_read_everything_are_asked(workspace: Workspace) -> None:
    assert BakeOffs.rows_offered(workspace) == ("default(tfidf)", "default(lsa)", "tfidf", "lsa", "keywords")
    with pytest.raises(EvaluationError, match="it has read 0 of 40"):
        ranked(workspace, "word2vec-mean", ASKED)


def test_a_querys_own_work_is_left_out(workspace: Workspace) -> None:
    own = corpus()[0]
    for row in ("default(tfidf)", "tfidf"):
        found = ranked(workspace, row, own)
        assert len(found) == 10 and own.id not in found


@pytest.mark.parametrize("content", ["[]", '{"format": 9, "bake_offs": []}', '{"format": 1, "bake_offs": [{}]}'])
def test_a_damaged_file_is_told(content: str, tmp_path: Path) -> None:
    (tmp_path / "bake-offs.json").write_text(content)
    with pytest.raises(StorageError, match="Delete the file to begin again"):
        BakeOffs(tmp_path).all()


def test_the_file_is_json_that_others_can_read(workspace: Workspace) -> None:
    held = BakeOffs(workspace.library.folder)
    held.start(ROWS)
    asked = held.ask(workspace, ASKED)
    (kept,) = json.loads((workspace.library.folder / "bake-offs.json").read_text())["bake_offs"]
    assert kept["rows"] == list(ROWS)
    assert kept["asked"][0]["picks"] == [[pick.id, pick.team] for pick in asked.picks]


def test_a_file_is_read_into_results(tmp_path: Path) -> None:
    one = {"benchmark": "npl", "part": "all", "queries": 93, "own_works_hidden": False, "fingerprint": "ab"}
    content = {"results": {"ctpe": [{**one, "figures": {"P@20": 0.2}, "bm25": None}]}}
    path = tmp_path / "quality.json"
    path.write_text(json.dumps({**content, "recipes": {"ctpe": "train"}, "documents_per_second": {"bm25": 9.5}}))
    held = read_quality(path)
    (found,) = held.results["ctpe"]
    assert (found.benchmark, found.queries, found.figures, found.bm25) == ("npl", 93, {"P@20": 0.2}, None)
    assert held.recipes == {"ctpe": "train"} and held.documents_per_second == {"bm25": 9.5}


def test_the_shipped_file_knows_the_default() -> None:
    results = read_quality().results[registry.DEFAULT]
    assert {result.fingerprint for result in results} == {registry.find(registry.DEFAULT).card.fingerprint}
    assert any(result.figures.keys() == set(MeasuredQuality.MEASURES) for result in results)

"""A library as a benchmark: who asks, what is right, and what the library's own rankings make of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.core.progress import Progress
from engine.documents import Document
from engine.encoders import registry
from engine.evaluation.judged_library import from_judgements, from_subjects, library_key
from engine.evaluation.library_systems import prepare_in, stepwise
from engine.evaluation.measure import measure_prepared
from engine.library import Library
from engine.workspace import Workspace
from tests.contracts.encoder import SUBJECTS, corpus
from tests.evaluation.judged import DOCUMENTS

DRAFT = Document("draft", "paper", "A draft", " ".join(SUBJECTS["steam"].split()[::2]))


def test_documents_with_the_same_subjects_are_right_but_not_the_one_that_asks(library: Library) -> None:
    benchmark = from_subjects(library, most=7)
    assert len(benchmark.corpus) == 40 and len(benchmark.queries) == 7
    for query in benchmark.queries:
        subject = query.categories[0]
        own = {query.id, *library.duplicates_of(query)}  # two of them bear the same title
        expected = {one.id for one in DOCUMENTS if one.categories == (subject,) and one.id not in own}
        assert benchmark.qrels[query.id] == dict.fromkeys(expected, 1)


def test_who_asks_is_the_same_each_time_and_another_with_another_seed(library: Library) -> None:
    first, again, other = (from_subjects(library, most=5, seed=seed) for seed in (0, 0, 1))
    assert [one.id for one in first.queries] == [one.id for one in again.queries]
    assert [one.id for one in first.queries] != [one.id for one in other.queries]
    assert first.sha256 == again.sha256 != other.sha256


def test_a_library_goes_by_what_was_imported(library: Library, tmp_path: Path) -> None:
    before = library_key(library)
    with Library.open(tmp_path / "copy", create=True) as copy:
        copy.add_file("own", "another name.jsonl", DOCUMENTS)
        assert library_key(copy) == before
    library.add_file("more", "more.jsonl", [Document("more", title="One more")])
    assert library_key(library) != before


def test_a_set_of_subjects_counts_as_a_whole(tmp_path: Path) -> None:
    both = Document("both", title="Pumps and graphs", categories=("graph", "steam"))
    turned = Document("turned", title="Graphs and pumps of steam", categories=("steam", "graph"))
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "k", [*DOCUMENTS[:1], both, turned, Document("none", title="No subject at all")])
        benchmark = from_subjects(library)
    assert benchmark.qrels == {"both": {"turned": 1}, "turned": {"both": 1}}


def test_a_library_in_which_no_subject_comes_up_twice_is_refused(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "k", [Document("a", title="One"), Document("b", title="Two", categories=("x",))])
        with pytest.raises(EvaluationError, match="Expected two works with the same subjects in the library"):
            from_subjects(library)


KINDS = ("one hook", "two drawbars", "three springs", "four buffers")
FAMILIES = [
    Document(f"US{number}{which}", "patent", f"Coupling with {kind}", text, categories=("B61G",), family=f"F{number}")
    for number, kind in enumerate(KINDS)
    for which, text in (("A", f"A railway coupling that has {kind}."), ("B", f"Of couplings for cars: {kind}."))
]


def test_other_versions_of_the_work_that_asks_are_not_right_so_that_a_whole_ranking_is(tmp_path: Path) -> None:
    draft = Document("draft", "paper", "The hook of a railway coupling, drawn", categories=("B61G",))
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "k", [*FAMILIES, draft, replace(draft, id="printed", abstract="Hooks.", year=1890)])
        benchmark = from_subjects(library)
        measured = measure_prepared(benchmark, prepare_in(Workspace(library.folder), "tfidf", benchmark.corpus))
    assert len(benchmark.queries) == 10
    assert benchmark.qrels["US1A"] == dict.fromkeys(
        ["US0A", "US0B", "US2A", "US2B", "US3A", "US3B", "draft", "printed"], 1
    )
    assert benchmark.qrels["draft"] == dict.fromkeys([document.id for document in FAMILIES], 1)
    assert (measured.metrics["R@100"], measured.metrics["nDCG@10"]) == (1, 1)


def test_documents_that_share_their_subjects_with_their_own_work_only_do_not_ask(tmp_path: Path) -> None:
    alone = [replace(document, categories=("A01B",)) for document in FAMILIES[:2]]
    with Library.open(tmp_path / "both", create=True) as library:
        library.add_file("k", "k", [*alone, *FAMILIES[2:]])
        asked = {query.id for query in from_subjects(library).queries}
        few = from_subjects(library, most=6)
    assert asked == {document.id for document in FAMILIES[2:]}
    assert (len(few.queries), few.left_out) == (6, 0)
    with Library.open(tmp_path / "alone", create=True) as library:
        library.add_file("k", "k", alone)
        with pytest.raises(EvaluationError, match="two works with the same subjects in the library; there are none"):
            from_subjects(library)


def test_judged_queries_ask_and_those_without_a_right_answer_are_counted(library: Library) -> None:
    judgements = library.judgements
    judgements.judge(DRAFT, "steam4", 1)
    judgements.judge(DRAFT, "graph3", 0)
    judgements.judge(DRAFT, "gone", 1)
    judgements.judge(DOCUMENTS[0], "steam8", 0)
    benchmark = from_judgements(library)
    assert benchmark.queries == [DRAFT]
    assert benchmark.qrels == {"draft": {"steam4": 1, "graph3": 0}}
    assert benchmark.left_out == 1


def test_a_query_and_its_correction_are_two(library: Library) -> None:
    library.judgements.judge(DRAFT, "steam4", 1)
    library.judgements.judge(replace(DRAFT, title="Corrected"), "steam8", 1)
    queries = from_judgements(library).queries
    assert [query.title for query in queries] == ["A draft", "Corrected"]
    assert queries[0].id == "draft" and queries[1].id.startswith("draft#")


def test_a_corrected_query_does_not_find_itself_as_it_stands_in_the_library(library: Library) -> None:
    held = DOCUMENTS[0]
    for asking in (held, replace(held, title="Steam and its valves, corrected", abstract=f"{held.abstract} indeed")):
        library.judgements.judge(asking, "steam4", 1)
    benchmark = from_judgements(library)
    measured = measure_prepared(benchmark, prepare_in(Workspace(library.folder), "bm25", benchmark.corpus))
    assert len(measured.run) == 2
    assert all("steam4" in ids and held.id not in ids for ids in measured.run.values())


def test_without_a_relevant_hit_there_is_nothing_to_measure(library: Library) -> None:
    library.judgements.judge(DRAFT, "steam4", 0)
    with pytest.raises(EvaluationError, match="Expected a query with a hit that was judged relevant; there is none"):
        from_judgements(library)


@pytest.mark.parametrize("row", ["bm25", "bm25-stems", "keywords", "default", "tfidf", "lsa"])
def test_a_row_ranks_with_what_the_library_holds(library: Library, row: str) -> None:
    benchmark = from_subjects(library, most=8)
    measured = measure_prepared(
        benchmark, prepare_in(Workspace(library.folder), row, benchmark.corpus, encoder="tfidf")
    )
    assert measured.metrics["nDCG@10"] > 0.9
    assert all(query not in ids for query, ids in measured.run.items())


def test_a_row_that_no_search_offers_encodes_the_documents_and_keeps_nothing(library: Library, tmp_path: Path) -> None:
    registry.fit("lsa", corpus()).save(tmp_path / "mine")
    benchmark = from_subjects(library, most=4)
    prepared = prepare_in(Workspace(library.folder), f"mine={tmp_path / 'mine'}", benchmark.corpus)
    assert prepared.name == "mine" and prepared.seconds is not None
    assert not library.vectors_folder("mine").exists()


def test_another_version_of_the_query_is_never_its_answer(library: Library) -> None:
    copy = replace(DOCUMENTS[0], id="draft of it")
    library.judgements.judge(copy, "steam4", 1)
    benchmark = from_judgements(library)
    measured = measure_prepared(benchmark, prepare_in(Workspace(library.folder), "bm25", benchmark.corpus))
    assert DOCUMENTS[0].id not in measured.run["draft of it"]


def test_ranking_says_how_far_it_has_come(library: Library) -> None:
    said: list[Progress] = []
    benchmark = from_subjects(library)
    measure_prepared(benchmark, stepwise(prepare_in(Workspace(library.folder), "bm25", benchmark.corpus), said.append))
    assert (said[-1].stage, said[-1].done, said[-1].total) == ("rank by bm25", 40, 40)

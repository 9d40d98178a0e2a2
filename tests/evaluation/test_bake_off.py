"""A blind bake-off: how lists are joined, what counts, when a verdict may be heard, and that it outlives a restart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError, LibraryError, StorageError
from engine.documents import Document
from engine.evaluation.bake_off import AskedBlind, BakeOff, BakeOffs, TeamPick, ranked, team_draft
from engine.evaluation.significance import Interval
from engine.workspace import Workspace
from tests.contracts.encoder import corpus

ROWS = ("tfidf", "lsa")
QUERY = Document("q", "query", abstract=corpus()[0].text)


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
        BakeOffs(folder).ask(workspace, replace(QUERY, id=f"q{number}"))
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
    asked = held.ask(workspace, QUERY)
    held.judge(workspace.library, asked, asked.picks[0].id, 1)
    again = held.ask(workspace, QUERY)
    assert again.picks == asked.picks and again.grades == {asked.picks[0].id: 1}
    assert held.judge(workspace.library, asked, asked.picks[0].id, None).judged == 0
    assert not workspace.library.judgements.grades(QUERY)


def test_what_was_judged_elsewhere_does_not_count(workspace: Workspace) -> None:
    held = BakeOffs(workspace.library.folder)
    held.start(ROWS)
    asked = held.ask(workspace, QUERY)
    workspace.library.judgements.judge(QUERY, asked.picks[0].id, 1)
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
        ranked(workspace, "word2vec-mean", QUERY)


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
    asked = held.ask(workspace, QUERY)
    (kept,) = json.loads((workspace.library.folder / "bake-offs.json").read_text())["bake_offs"]
    assert kept["rows"] == list(ROWS)
    assert kept["asked"][0]["picks"] == [[pick.id, pick.team] for pick in asked.picks]

"""A question's passages and a document's are matched both ways."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from engine.documents import Chunk, Document
from engine.search.passages import PassageMatcher, cut_passages
from engine.vectors import ReadDocument
from tests.search.passages.made import DIM, opened, paper, read

NAMES = [f"d{number}" for number in range(40)]


class Reader:
    """Gives a made paper's passages the rows that they are kept with."""

    def cut(self, document: Document) -> Sequence[Chunk]:
        return cut_passages(document)

    def encode(self, asked: Sequence[tuple[Document, Sequence[Chunk]]]) -> np.ndarray:
        return np.concatenate(
            [read(one.id, body=len(one.sections) * 30).rows[: len(passages)] for one, passages in asked]
        )


@pytest.fixture
def matcher(tmp_path: Path) -> PassageMatcher:
    store = opened(tmp_path)
    store.add([read(name, body=60 if number % 2 else 0) for number, name in enumerate(NAMES)])
    return PassageMatcher(store.view(), Reader())


def test_a_document_is_nearest_to_itself(matcher: PassageMatcher) -> None:
    for name in ("d1", "d7", "d39"):
        asked = matcher.ask(paper(name))
        assert asked is not None
        scores = matcher.scores(asked, NAMES)
        assert max(scores, key=lambda one: scores[one]) == name
        assert matcher.nearest(asked, 3)[0] == name


def test_a_score_depends_on_the_pair_and_the_library_alone(matcher: PassageMatcher) -> None:
    asked = matcher.ask(paper("d1"))
    assert asked is not None
    whole, alone = matcher.scores(asked, NAMES), matcher.scores(asked, ["d3", "unknown"])
    assert alone == pytest.approx({"d3": whole["d3"]}, abs=1e-4)
    assert matcher.scores(asked, ["unknown"]) == {}


def test_the_answer_is_limited_to_some_documents(matcher: PassageMatcher) -> None:
    asked = matcher.ask(paper("d1"))
    assert asked is not None
    assert set(matcher.nearest(asked, 50, matcher.view.among(["d2", "d3"]))) == {"d2", "d3"}


def test_matches_are_the_best_pairs_each_passage_once(matcher: PassageMatcher) -> None:
    document = paper("d1")
    asked = matcher.ask(document)
    assert asked is not None
    found = matcher.matches(asked, "d1", 3)
    for one in found:
        assert (one.query.part, one.query.start, one.query.stop) == tuple(one.document)
        assert one.score == pytest.approx(1, abs=0.02)
    assert len({one.document for one in found}) == 3
    assert len(matcher.matches(asked, "d0", 9)) == 1  # an abstract has one passage
    assert matcher.matches(asked, "unknown", 3) == []


def test_a_question_without_words_asks_nothing(matcher: PassageMatcher) -> None:
    assert matcher.ask(Document("e")) is None


def test_what_a_long_document_says_beside_the_question_counts_against_it(tmp_path: Path) -> None:
    asked = read("d1").rows
    others = np.concatenate([read(f"other{number}").rows for number in range(4)])
    held = {"half": asked[:2], "half and more": np.concatenate([asked[:2], others]), "all": asked, "none": others[:3]}
    store = opened(tmp_path)
    store.add([ReadDocument(name, [read("x").passages[0]] * len(rows), rows) for name, rows in held.items()])
    matcher = PassageMatcher(store.view(), Reader())
    question = matcher.ask(paper("d1"))
    assert question is not None
    scores = matcher.scores(question, held)
    assert sorted(scores, key=lambda name: -scores[name]) == ["all", "half", "half and more", "none"]


def test_where_all_documents_are_alike_none_is_above_another(tmp_path: Path) -> None:
    store = opened(tmp_path)
    rows = np.eye(1, DIM, dtype=np.float32)
    store.add([ReadDocument(name, [read("x").passages[0]], rows) for name in NAMES])
    asked = PassageMatcher(store.view(), Reader()).ask(paper("d1"))
    assert asked is not None
    scores = PassageMatcher(store.view(), Reader()).scores(asked, NAMES)
    assert np.ptp(list(scores.values())) == 0 and np.isfinite(list(scores.values())).all()


def test_a_document_without_words_counts_for_nothing(tmp_path: Path) -> None:
    store = opened(tmp_path)
    empty = [ReadDocument(f"empty {number}", [], np.zeros((0, DIM), np.float32)) for number in range(3)]
    store.add([empty[0], read("d1"), empty[1], read("d2"), empty[2]])
    found = PassageMatcher(store.view(), Reader())
    asked = found.ask(paper("d1"))
    assert asked is not None and "empty 0" in store
    scores = found.scores(asked, ["empty 0", "d1", "empty 1", "d2", "empty 2"])
    assert set(scores) == {"d1", "d2"} and scores["d1"] > scores["d2"]
    assert found.matches(asked, "empty 1", 3) == [] and store.view().nearest_in("empty 2", asked.rows, 2) == []

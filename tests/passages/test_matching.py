"""A question's passages and a document's are matched both ways, on one scale for short and long documents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from engine.documents import Chunk, Document
from engine.passages.matching import ByLength, PassageMatcher
from engine.passages.segments import ReadDocument
from tests.passages.made import DIM, opened, paper, read

NAMES = [f"d{number}" for number in range(40)]


class Reader:
    """Gives a made paper's passages the rows that they are kept with."""

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


def test_long_and_short_documents_are_alike_by_chance(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)

    def drawn(name: str, count: int) -> ReadDocument:
        rows = rng.normal(size=(count, DIM)).astype(np.float32)
        return ReadDocument(name, [read("x").passages[0]] * count, rows / np.linalg.norm(rows, axis=1, keepdims=True))

    store = opened(tmp_path)
    store.add([drawn(f"{kind}{n}", count) for n in range(300) for kind, count in (("short", 1), ("long", 30))])
    matcher = PassageMatcher(store.view(), Reader())
    asked = matcher.ask(paper("d1"))
    assert asked is not None
    scores = matcher.scores(asked, matcher.view.names)
    first = sorted(scores, key=lambda name: -scores[name])[:100]
    assert 25 <= sum(name.startswith("long") for name in first) <= 75


def test_documents_of_one_length_have_a_level_line() -> None:
    line = ByLength.of(np.array([1.0, 2.0, 3.0], np.float32), np.array([4, 4, 4]))
    np.testing.assert_allclose(line.above(np.array([2.0], np.float32), np.array([9])), [0], atol=1e-6)
    same = ByLength.of(np.array([1.0, 1.0], np.float32), np.array([1, 2]))
    assert np.isfinite(same.above(np.array([1.0], np.float32), np.array([1]))).all()

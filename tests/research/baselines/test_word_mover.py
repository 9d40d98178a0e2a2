"""Word mover's distance: by hand, as a linear programme, and as a ranking of another system's first hits."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from engine.documents import Document, Hit
from engine.encoders.word_vectors import WordVectors
from engine.errors import MissingExtraError
from engine.research.baselines import word_mover
from engine.research.baselines.word_mover import WordMover, exact, relaxed

WORDS = WordVectors(
    ["boiler", "kettle", "gene", "valve"],
    np.array([[0, 0], [3, 4], [30, 40], [0, 1]], np.float16),
    np.ones(4, np.int64),
    4,
)


@dataclass(frozen=True)
class First:
    """A system that always gives the same ranking."""

    ids: Sequence[str]

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        return [[Hit(name, 0.5) for name in self.ids[:k]] for _ in queries]


def ranking(texts: dict[str, str], query: str, kind: str = "wmd", k: int = 9) -> list[Hit]:
    corpus = [Document(name, title=title) for name, title in texts.items()]
    system = WordMover.over(First([document.id for document in corpus]), corpus, words=WORDS, kind=kind)
    (hits,) = system.rank([Document("q", kind="query", abstract=query)], k)
    return hits


def test_one_word_travels_to_another() -> None:
    hits = ranking({"far": "gene", "near": "the kettle", "same": "a boiler"}, "boiler")
    assert [(hit.id, hit.score) for hit in hits] == [("same", 0), ("near", -5), ("far", -50)]


def test_weight_is_split_where_two_words_share_a_text() -> None:
    (hit,) = ranking({"two": "kettle boiler boiler boiler"}, "boiler")
    assert hit.score == pytest.approx(-5 / 4)
    (bound,) = ranking({"two": "kettle boiler boiler boiler"}, "boiler", kind="rwmd")
    assert bound.score == pytest.approx(-5 / 4)  # from the document's side; from the query's it is 0


@pytest.mark.parametrize("seed", range(5))
def test_the_distance_is_the_linear_programmes_and_the_relaxed_one_is_below(seed: int) -> None:
    from scipy.optimize import linprog

    drawn = np.random.default_rng(seed)
    ours, theirs = (drawn.dirichlet(np.ones(size)) for size in (4, 6))
    costs = np.ascontiguousarray(drawn.random((4, 6)))
    leaves = np.kron(np.eye(4), np.ones(6))
    arrives = np.kron(np.ones(4), np.eye(6))
    solved = linprog(costs.ravel(), A_eq=np.vstack([leaves, arrives]), b_eq=np.concatenate([ours, theirs]))
    assert exact(ours, theirs, costs) == pytest.approx(solved.fun, abs=1e-9)
    assert exact(theirs, ours, np.ascontiguousarray(costs.T)) == pytest.approx(solved.fun, abs=1e-9)
    assert relaxed(ours, theirs, costs) <= solved.fun + 1e-12
    by_hand = sum(share * min(row) for share, row in zip(ours, costs, strict=True))
    assert relaxed(ours, theirs, costs) >= by_hand


def test_a_text_without_a_known_word_goes_behind_the_others_and_before_those_not_ranked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(word_mover, "RERANKED", 3)
    texts = {"none": "the unheard", "far": "gene", "near": "kettle", "rest": "boiler", "last": "boiler"}
    hits = ranking(texts, "boiler")
    assert [hit.id for hit in hits] == ["near", "far", "none", "rest", "last"]
    scores = [hit.score for hit in hits]
    assert np.isfinite(scores).all()
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)


def test_a_query_without_a_known_word_leaves_the_ranking_as_it_was() -> None:
    assert [hit.id for hit in ranking({"b": "boiler", "a": "kettle"}, "nothing")] == ["b", "a"]


def test_no_more_hits_than_asked_for_come_back_and_an_empty_ranking_stays_so() -> None:
    assert [hit.id for hit in ranking({"b": "gene", "a": "kettle"}, "boiler", k=1)] == ["a"]
    assert ranking({}, "boiler") == []


def test_the_most_frequent_words_are_read_and_the_first_of_equal_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_mover, "MOST_WORDS", 2)
    (hit,) = ranking({"long": "gene kettle gene boiler"}, "boiler")
    assert hit.score == pytest.approx(-(2 * 50 + 5) / 3)


def test_what_changes_a_ranking_changes_its_fingerprint() -> None:
    kinds = [word_mover.fingerprint(kind, first) for kind in ("wmd", "rwmd") for first in ("a", "b")]
    assert len(set(kinds)) == 4


def test_each_row_says_what_it_ranks_again() -> None:
    for kind in word_mover.KINDS.values():
        assert "first 200 of the plain mean of word2vec vectors" in kind.summary


def test_the_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ot", None)
    with pytest.raises(MissingExtraError, match=r"Expected POT, .* Run: pip install 'priorscope\[research\]'"):
        WordMover.over(First([]), [], words=WORDS, kind="wmd")
    assert ranking({"a": "kettle"}, "boiler", kind="rwmd")[0].score == pytest.approx(-5)

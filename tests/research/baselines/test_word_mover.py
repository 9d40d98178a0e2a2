"""Word mover's distance: by hand, as a linear programme, and as a ranking of another system's first hits."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EvaluationError, MissingExtraError
from engine.documents import Document, Hit
from engine.encoders import Word2vecMeanEncoder, WordVectors
from engine.evaluation import PreparedSystem
from engine.evaluation.systems import Encoded, by_words
from engine.library import KeywordIndex
from engine.research.baselines import word_mover
from engine.research.baselines.word_mover import MovedWords, WordMover, exact, relaxed
from engine.vectors.exact import DenseIndex

WORDS = MovedWords(
    ["boiler", "kettle", "gene", "valve"],
    np.array([[0, 0], [3, 4], [30, 40], [0, 1]], np.float32),
    np.ones(4),
)


@dataclass(frozen=True)
class First:
    """A system that always gives the same ranking."""

    ids: Sequence[str]

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        return [[Hit(name, 0.5) for name in self.ids[:k]] for _ in queries]


def ranking(texts: dict[str, str], query: str, kind: str = "wmd", k: int = 9, words: MovedWords = WORDS) -> list[Hit]:
    corpus = [Document(name, title=title) for name, title in texts.items()]
    system = WordMover.over(First([document.id for document in corpus]), corpus, words=words, kind=kind)
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
    for kind, named in word_mover.KINDS.items():
        assert word_mover.summary(kind, "glove-own").startswith(f"{named.name} over the first 200 of glove-own;")


def test_a_word_counts_by_its_weight_and_a_move_costs_a_power_of_the_distance() -> None:
    heavy = replace(WORDS, weights=np.array([1.0, 3.0, 1.0, 1.0]))
    (hit,) = ranking({"two": "kettle boiler"}, "boiler", words=heavy)
    assert hit.score == pytest.approx(-5 * 3 / 4)
    (hit,) = ranking({"two": "kettle boiler"}, "boiler", words=replace(heavy, power=2))
    assert hit.score == pytest.approx(-25 * 3 / 4)


def test_a_row_that_averages_word_vectors_is_ranked_again_by_its_own(tmp_path: Path) -> None:
    index = DenseIndex(tmp_path, fingerprint="first", dim=2)
    corpus = [Document("far", title="gene gene valve"), Document("near", title="valve kettle")]
    vectors = WordVectors(WORDS.words, WORDS.vectors.astype(np.float16), np.ones(4, np.int64), 4)
    first = PreparedSystem("mine", Encoded(Word2vecMeanEncoder(vectors), index), "first", 2.0)
    made = word_mover.again("rwmd", first, corpus)
    assert made.fingerprint == word_mover.fingerprint("rwmd", "first") and made.seconds == 2.0
    assert made.summary == word_mover.summary("rwmd", "mine")
    assert isinstance(made.system, WordMover)
    assert list(made.system.moved.words) == list(WORDS.words)
    np.testing.assert_array_equal(made.system.moved.vectors, WORDS.vectors)


def test_a_row_without_word_vectors_is_refused() -> None:
    bm25 = by_words("bm25", KeywordIndex.in_memory([]))
    with pytest.raises(EvaluationError, match="Expected a row that averages word vectors for wmd to move, got bm25"):
        word_mover.again("wmd", bm25, [])


def test_the_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ot", None)
    with pytest.raises(MissingExtraError, match=r"Expected POT, .* Run: pip install 'priorscope\[research\]'"):
        WordMover.over(First([]), [], words=WORDS, kind="wmd")
    assert ranking({"a": "kettle"}, "boiler", kind="rwmd")[0].score == pytest.approx(-5)

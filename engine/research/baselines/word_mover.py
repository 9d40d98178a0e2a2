"""Word mover's distance: how far the words of one text must travel to become those of another."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from engine.core import files
from engine.core.errors import EvaluationError, MissingExtraError
from engine.documents import Document, Hit, text
from engine.encoders import Encoder, Word2vecMeanEncoder
from engine.evaluation.measure import PreparedSystem, System
from engine.evaluation.systems import Encoded

RERANKED = 200
MOST_WORDS = 100
_METHOD = f"word-mover/1, of the first {RERANKED}, at most {MOST_WORDS} words"

Numbers = NDArray[np.float64]
Distance = Callable[[Numbers, Numbers, Numbers], float]
"""Of the weights of two texts, (s,) and (t,), each summing to one, and what a move costs (s, t)."""


def relaxed(ours: Numbers, theirs: Numbers, costs: Numbers) -> float:
    """Return a lower bound: each word moves to its nearest, the larger of both ways (Kusner et al. 2015, section 4)."""
    return float(max(ours @ costs.min(axis=1), theirs @ costs.min(axis=0)))


def exact(ours: Numbers, theirs: Numbers, costs: Numbers) -> float:
    """Return the least cost of moving all weight of one text to the other (Kusner et al., 2015, equation 1)."""
    import ot  # an evaluation dependency, slow to import

    return float(ot.emd2(ours, theirs, costs))


@dataclass(frozen=True, slots=True)
class _Kind:
    distance: Distance
    name: str


KINDS: Mapping[str, _Kind] = {
    "wmd": _Kind(exact, "Word mover's distance"),
    "rwmd": _Kind(relaxed, "Relaxed word mover's distance"),
}
"""Distances by the names of their rows."""


@dataclass(frozen=True, slots=True)
class MovedWords:
    """Words (V), their vectors (V, dim), what an occurrence of each counts (V,), and the power of what a move costs."""

    words: Sequence[str]
    vectors: NDArray[np.float32]
    weights: Numbers
    power: int = 1


class WordMoverEncoder(Encoder):
    """An encoder that says itself how its words move."""

    @property
    @abstractmethod
    def moved_words(self) -> MovedWords:
        """The words that it reads, to be moved."""


@dataclass(frozen=True, slots=True)
class _Bag:
    """The distinct words of a text: their numbers (w,), with shares that sum to one (w,)."""

    words: NDArray[np.int64]
    shares: Numbers


@dataclass(frozen=True, slots=True)
class WordMover:
    """Ranks the first 200 hits of another system again; the hits behind them keep their order.

    It reads a text as its distinct words that have a vector and are not function words. It keeps the 100 most frequent
    of them, the earlier word first where counts tie, and weights each by its share. A move costs the Euclidean
    distance between two words' vectors (Kusner et al., "From Word Embeddings To Document Distances", ICML 2015), or a
    power of it. A text without such a word goes behind the others.
    """

    first: System
    corpus: Mapping[str, Document]
    moved: MovedWords
    columns: Mapping[str, int]
    distance: Distance
    _bags: dict[str, _Bag] = field(default_factory=dict)

    @classmethod
    def over(cls, first: System, corpus: Sequence[Document], *, words: MovedWords, kind: str) -> WordMover:
        """Take the system that goes first, its corpus and words. Raises MissingExtraError without POT."""
        if kind == "wmd":
            _check_library()
        columns = {word: column for column, word in enumerate(words.words)}
        held = {document.id: document for document in corpus}
        return cls(first, held, words, columns, KINDS[kind].distance)

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """Return the k best documents of each query, best first; a hit's score is its distance, negative."""
        found = self.first.rank(queries, max(k, RERANKED))
        return [self._again(query, hits)[:k] for query, hits in zip(queries, found, strict=True)]

    def _again(self, query: Document, hits: Sequence[Hit]) -> list[Hit]:
        near = [hit.id for hit in hits[:RERANKED]]
        distances = self._distances(self._bag_of(query), [self._bag(name) for name in near])
        order = np.argsort(distances, kind="stable")
        behind = max((one for one in distances if np.isfinite(one)), default=0.0)
        ranked = [Hit(near[place], -min(distances[place], behind + 1)) for place in order]
        rest = hits[RERANKED:]
        return [*ranked, *(Hit(hit.id, -behind - 1 - place) for place, hit in enumerate(rest, start=1))]

    def _distances(self, query: _Bag, bags: Sequence[_Bag]) -> list[float]:
        """Return how far each text lies from the query; infinite where one of the two has no word."""
        if not len(query.words) or not bags:
            return [np.inf] * len(bags)
        every = np.unique(np.concatenate([bag.words for bag in bags]))  # (u,)
        vectors = self.moved.vectors
        costs = _euclidean(vectors[query.words], vectors[every]) ** self.moved.power  # (s, u)
        return [
            self.distance(query.shares, bag.shares, np.ascontiguousarray(costs[:, np.searchsorted(every, bag.words)]))
            if len(bag.words)
            else np.inf
            for bag in bags
        ]

    def _bag(self, name: str) -> _Bag:
        if name not in self._bags:
            self._bags[name] = self._bag_of(self.corpus[name])
        return self._bags[name]

    def _bag_of(self, document: Document) -> _Bag:
        counts = Counter(word for word in text.tokens(document.text) if word not in text.STOP_WORDS)
        known = Counter({word: count for word, count in counts.items() if word in self.columns})
        most = known.most_common(MOST_WORDS)
        numbers = np.array([self.columns[word] for word, _ in most], np.int64)
        weights = np.array([count for _, count in most], np.float64) * self.moved.weights[numbers]
        return _Bag(numbers, weights / weights.sum() if len(most) else weights)


def again(kind: str, first: PreparedSystem, corpus: Sequence[Document]) -> PreparedSystem:
    """Return a row whose encoder averages word vectors, with its first hits ranked again by moving these words.

    Raises EvaluationError for a row of another kind, and MissingExtraError without POT.
    """
    encoder = first.system.encoder if isinstance(first.system, Encoded) else None
    if isinstance(encoder, Word2vecMeanEncoder):
        vectors = encoder.vectors.vectors.astype(np.float32)
        words = MovedWords(encoder.vectors.words, vectors, np.ones(len(vectors)))
    elif isinstance(encoder, WordMoverEncoder):
        words = encoder.moved_words
    else:
        raise EvaluationError(
            f"Expected a row that averages word vectors for {kind} to move, got {first.name}. "
            "Name another, as word2vec-own, or a folder of word vectors."
        )
    system = WordMover.over(first.system, corpus, words=words, kind=kind)
    named = fingerprint(kind, first.fingerprint)
    return replace(first, system=system, fingerprint=named, summary=summary(kind, first.name))


def summary(kind: str, first: str) -> str:
    """Return what a row is that ranks the hits of the row `first` again."""
    return (
        f"{KINDS[kind].name} over the first {RERANKED} of {first}; it reads the {MOST_WORDS} most frequent words of "
        "each text that are not function words."
    )


def fingerprint(kind: str, first: str) -> str:
    """Return what names a ranking: the distance, how much it reads, and the fingerprint of the first system."""
    return files.fingerprint(_METHOD, kind, " ".join(sorted(text.STOP_WORDS)), first)


def _euclidean(ours: NDArray[np.float32], theirs: NDArray[np.float32]) -> Numbers:
    """Return the distances between the rows of (s, dim) and (u, dim): (s, u)."""
    one, other = ours.astype(np.float64), theirs.astype(np.float64)
    squares = (one**2).sum(axis=1)[:, None] + (other**2).sum(axis=1) - 2 * one @ other.T
    distances: Numbers = np.sqrt(np.maximum(squares, 0.0))
    return distances


def _check_library() -> None:
    try:
        import ot  # noqa: F401
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            "Expected POT, which solves word mover's distance; it is not installed. "
            "Run: pip install 'priorscope[research]'"
        ) from error

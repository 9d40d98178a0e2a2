"""Which document holds which term how often, in memory, weighted as BM25 weights it.

In a library of long and of short documents, the scores of both are put on one scale. BM25 adds up terms, and a whole
paper holds more of a long question's terms than an abstract on the same subject does: where one paper in ten is whole,
85 % of the first ten were (`python -m engine.research full_texts`). So each group's scores are read as how rare they
are within the group. The largest scores exceed a threshold u as an exponential distribution does (peaks over threshold:
Pickands 1975, "Statistical inference using extreme order statistics"):

    P(score > s) = tau * exp(-(s - u) / beta),   s > u,

with tau the share of the group above u, and beta the mean of what exceeds u; up to u, quantiles tell. Scores of the
smaller group become those that are as rare in the larger one, whose own scores stay. A score far beyond all others
stays far beyond them.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.core.rows import largest
from engine.documents import Document, text
from engine.documents.selections import places
from engine.documents.text import CHARACTERS_A_TOKEN, stretches
from engine.documents.words import UNSPACED, compounds, letters, other_spellings, terms

K1 = 1.2
B = 0.75
K3 = 8.0
"""How soon a term that the question repeats stops counting more; FTS5 lacks this."""
QUESTION_TERMS = 96
"""How many terms of a question count: those with the largest weight times idf.

Without a bound a long paper matches any long document. Chosen before the scores of long and short ones had one scale:
on it 32 find more where whole papers ask for whole papers among abstracts (engine/research/reports/long-questions.md).
"""
HEAD = 5
"""How often a term of title and abstract counts where more text follows them.

Chosen in the same measurement.
"""
_LEAST_IDF = 1e-6  # as in FTS5: a term of more than half of the documents still says a little
MOST_COUNT = np.iinfo(np.uint16).max
"""The largest count kept; BM25 has long been saturated there."""

_QUESTIONS_SCORED = 4

LONG = 1_000
"""From this many tokens on, a document is long: abstracts have at most a few hundred, whole papers several thousand."""
_MANY = 0.01
_FEWEST_OF_A_LENGTH = 20
"""A group of fewer says too little of how rare a score is."""
_TAU = 0.1
_BROADER = 5
"""In how many times as many documents a stem may stand as another spelling with this stem."""
_SAMPLED = 20_000
"""Of a larger group, scores at even steps are enough."""
_PRIOR = 10
"""As many scores as this say how steep the tail is, by the spread of all scores, beside those above u."""
_LEVELS = np.linspace(0, 1 - _TAU, 10)
_STEP = 1e-6
"""Scores that the larger group lacks differ by this share of what they were."""
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TermCounts:
    """Counts of n documents one after another: `starts` (n + 1,) cuts `numbers` and `counts` (postings,)."""

    starts: NDArray[np.int64]
    numbers: NDArray[np.uint32]
    counts: NDArray[np.uint16]


def keyword_fingerprint(*, stemmed: bool = False) -> str:
    """Name every choice behind a ranking by words, so that reports can be compared later."""
    lengths = f"long={LONG} apart={_FEWEST_OF_A_LENGTH}/{_TAU}/{_PRIOR}"
    words = " words=snowball english" if stemmed else ""
    return f"bm25 k1={K1} b={B} k3={K3} terms={QUESTION_TERMS} head={HEAD} {lengths}{words}"


class TermFrequencies(Mapping[str, int]):
    """In how many documents a token stands; a token that no document holds is not a key."""

    def __init__(self, numbers: Mapping[str, int], frequencies: NDArray[np.int64], documents: int) -> None:
        """Map `numbers` (token to row) over `frequencies` (rows,) in `documents` documents."""
        self._numbers, self._frequencies, self.documents = numbers, frequencies, documents

    def __getitem__(self, token: str) -> int:
        """Return the number of documents that hold the token."""
        return int(self._frequencies[self._numbers[token]])

    def __iter__(self) -> Iterator[str]:
        """Go through the tokens."""
        return iter(self._numbers)

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self._numbers)


class TermWeights:
    """The weight of every term in every document: BM25's inner part, so that a question is one sum of rows.

    weight = idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean length)),
    idf = ln((N - df + 0.5) / (df + 0.5)), at least 1e-6: what FTS5's bm25() computes (SQLite, "The FTS5
    extension", 5.1.1; after Robertson and Walker, TREC-3). A term that the question holds n times
    counts n * (k3 + 1) / (n + k3) times (the same authors), which FTS5 leaves out.
    """

    def __init__(self, counts: TermCounts, numbers: Sequence[int], terms: Sequence[str]) -> None:
        """Weigh the counts of tokens; `numbers` are those that `counts` uses, each of the term beside it in `terms`."""
        documents, width = len(counts.starts) - 1, max(numbers, default=-1) + 1
        self._columns: dict[str, int] = {}  # of a term: the number of its first form
        column, counted = np.zeros(width, np.int32), np.zeros(width, np.float32)
        firsts = [self._columns.setdefault(term, number) for number, term in zip(numbers, terms, strict=True)]
        column[np.array(numbers, np.int64)] = firsts
        counted[firsts] = ["-" not in term for term in terms]  # a compound's words are counted
        frequency, starts = counts.counts.astype(np.float32), counts.starts
        if len(frequency) <= np.iinfo(np.int32).max:
            starts = starts.astype(np.int32)  # scipy then keeps all its numbers in half the memory
        by_document = csr_array((frequency, column[counts.numbers], starts), shape=(documents, width))
        lengths = np.asarray(by_document @ counted, dtype=np.float32)  # (documents,)
        by_term = by_document.T.tocsr()  # (terms, documents)
        by_term.sum_duplicates()  # forms of one word in one document
        found = np.diff(by_term.indptr).astype(np.int64)
        self._idf, self._found = _idf(found, documents), found
        norm = K1 * (1 - B + B * lengths / max(float(lengths.mean()), 1.0)) if documents else lengths
        weights = by_term.data * (K1 + 1)
        by_term.data += norm[by_term.indices]
        weights /= by_term.data
        weights *= np.repeat(self._idf, found)
        by_term.data = weights
        self.matrix = by_term

    def scores(
        self, question: Mapping[str, int], alike: Mapping[str, Collection[str]] | None = None
    ) -> NDArray[np.float32] | None:
        """Return the score of every document (documents,) for a question's counts of terms; None if it knows none.

        Terms that are `alike` one of the question's count as that one does, and are as rare as all of them together.
        """
        known: list[tuple[int, float]] = []
        for term, count in question.items():
            same = [self._columns[one] for one in (term, *(alike or {}).get(term, ())) if one in self._columns]
            share = self._joint_idf(same) if len(same) > 1 else 0.0
            saturated = count * (K3 + 1) / (count + K3)
            known += [(one, saturated * share / float(self._idf[one]) if share else saturated) for one in same]
        if not known or not self.matrix.shape[1]:
            return None
        terms, counts = np.array([term for term, _ in known]), np.array([count for _, count in known], np.float32)
        if len(terms) > QUESTION_TERMS:
            telling = np.argsort(-counts * self._idf[terms], kind="stable")[:QUESTION_TERMS]
            terms, counts = terms[telling], counts[telling]
        return np.asarray(self.matrix[terms].T @ counts, np.float32)

    def _joint_idf(self, columns: Sequence[int]) -> float:
        found = np.minimum(self._found[list(columns)].sum(keepdims=True), self.matrix.shape[1])
        return float(_idf(found, self.matrix.shape[1])[0])

    def rows_of(self, term: str) -> NDArray[np.int64]:
        """Return the rows of the documents that hold a term."""
        column = self._columns.get(term)
        if column is None or not self.matrix.shape[1]:
            return np.empty(0, np.int64)
        start, stop = self.matrix.indptr[column : column + 2]
        return np.asarray(self.matrix.indices[start:stop], np.int64)


def _idf(found: NDArray[np.int64], documents: int) -> NDArray[np.float32]:
    """Return how much terms say that stand in `found` (t,) of the documents: (t,)."""
    return np.maximum(np.log((documents - found + 0.5) / (found + 0.5)), _LEAST_IDF).astype(np.float32)


class Postings:
    """How often n documents hold each token, weighed as written or with the forms of a word as one."""

    def __init__(self, ids: Sequence[str], numbers: Mapping[str, int], counts: TermCounts) -> None:
        """Take the counts of documents `ids`; `numbers` gives each token the number that `counts` uses."""
        self.ids = ids
        self._numbers, self._counts = numbers, counts
        self._rows = {id_: row for row, id_ in enumerate(ids)}
        self._others: dict[str, Sequence[str]] = {}
        self._scored: dict[Hashable, NDArray[np.float32]] = {}

    @cached_property
    def frequencies(self) -> TermFrequencies:
        """In how many documents each token stands."""
        held = np.bincount(self._counts.numbers, minlength=max(self._numbers.values(), default=-1) + 1)
        return TermFrequencies(self._numbers, held.astype(np.int64), len(self.ids))

    def search(
        self, question: Mapping[str, int], k: int, rows: NDArray[np.int64] | None, *, stemmed: bool
    ) -> list[tuple[str, float]]:
        """Return the k best documents (id, score) for a question's counts of tokens, best first; ties as imported.

        `rows` limits the answer to some documents, among which long ones and short ones are scored apart
        (`engine.library.postings`). Documents that share no term are left out.
        """
        rows = np.arange(len(self.ids)) if rows is None else rows
        scores = self._scores(question, rows, stemmed=stemmed)
        candidates = np.flatnonzero(scores > 0)
        best = candidates[largest(scores[candidates], k)]
        return [(self.ids[row], float(score)) for row, score in zip(rows[best], scores[best], strict=True)]

    def spread(self, question: Mapping[str, int], rows: NDArray[np.int64] | None, *, stemmed: bool) -> float:
        """Return the standard deviation of the scores that `search` orders by, of all documents or some; 0 for none."""
        rows = np.arange(len(self.ids)) if rows is None else rows
        return float(self._scores(question, rows, stemmed=stemmed).std()) if len(rows) else 0.0

    def _scores(self, question: Mapping[str, int], rows: NDArray[np.int64], *, stemmed: bool) -> NDArray[np.float32]:
        """Return the scores (rows,) of some documents, long and short on one scale; zeros where no term is known.

        Those of all documents, which the last few questions had, are at hand: a question is asked among several groups.
        """
        asked = stemmed, tuple(question.items())
        scores = self._scored.get(asked)
        if scores is None:
            scores = self._of_all(question, stemmed=stemmed)
            self._scored = dict([*list(self._scored.items())[1 - _QUESTIONS_SCORED :], (asked, scores)])
        return on_one_scale(scores[rows], self._long[rows]) if scores.any() else np.zeros(len(rows), np.float32)

    def _of_all(self, question: Mapping[str, int], *, stemmed: bool) -> NDArray[np.float32]:
        if stemmed:
            words = {term: count for term, count in question.items() if "-" not in term}
            scores = self._by_stem.scores(added_up(words), self._alike_stems(question, words))
        else:
            scores = self._by_token.scores(question)
        return np.zeros(len(self.ids), np.float32) if scores is None else scores

    def weigh(self, *stemmed: bool) -> None:
        """Weigh the words now, as written, by stems or both, so that the first question does not wait."""
        for by_stem in stemmed:
            _ = (self._by_stem, self.frequencies, self._parted) if by_stem else self._by_token

    def holding(self, words: Collection[str], *, above: float = 0) -> int:
        """Return how many documents hold all of some tokens; 0 unless there are more than `above`, or for no tokens.

        The rarest are asked first, so that most sentences, which few documents hold, cost next to nothing.
        """
        numbers = [self._numbers.get(word, -1) for word in words]
        if not numbers or min(numbers) < 0:
            return 0
        starts, rows = self._by_token.matrix.indptr, self._by_token.matrix.indices
        lists = sorted((int(starts[one + 1] - starts[one]), int(starts[one])) for one in numbers)
        count, start = lists[0]
        left = rows[start : start + count]
        for size, start in lists[1:]:
            if len(left) <= above:
                return 0
            held = rows[start : start + size]
            left = left[held[held.searchsorted(left).clip(max=size - 1)] == left]
        return len(left) if len(left) > above else 0

    def holders(self, word: str) -> frozenset[str]:
        """Return the documents that hold every term of a word in any of its forms and spellings, in one word or two."""
        writings = [terms(word, ends=False), *([one.solid] for one in compounds(word))]
        found = [functools.reduce(np.intersect1d, map(self._holding, said)) for said in writings if said]
        rows = functools.reduce(np.union1d, found) if found else np.empty(0, np.int64)
        return frozenset(self.ids[row] for row in rows)

    def _holding(self, term: str) -> NDArray[np.int64]:
        """Return the rows of the documents that hold a term in any of its forms and spellings, ascending."""
        spelt = text.stems([term, *self._alike(term)])
        return functools.reduce(np.union1d, map(self._by_stem.rows_of, spelt))

    def _alike_stems(self, question: Iterable[str], words: Collection[str]) -> dict[str, set[str]]:
        """Return the stems that count as one of a question's words: of other spellings, and of compounds in one word.

        Not one that mostly stands for other words: "optimizing" is one of few with the stem of "optimal". A paper that
        asks finds what it finds by its many words.
        """
        found: dict[str, set[str]] = {}
        if len(words) > QUESTION_TERMS:
            return found
        for word, stem in zip(words, text.stems(list(words)), strict=True):
            for other, theirs in zip(others := self._alike(word), text.stems(list(others)), strict=True):
                if len(self._by_stem.rows_of(theirs)) <= _BROADER * self.frequencies[other]:
                    found.setdefault(stem, set()).add(theirs)
        for compound in question:
            if "-" in compound and (solid := compound.replace("-", "")) in self._numbers:
                for stem in text.stems(compound.split("-")):
                    found.setdefault(stem, set()).update(text.stems([solid]))
        return {stem: others - {stem} for stem, others in found.items()}

    def _alike(self, term: str) -> Sequence[str]:
        """Return a term's other spellings that documents hold, and in two words; of a lone letter, what it begins."""
        if len(letters(term)) == 1 and UNSPACED.fullmatch(term):
            return [one for one in self._numbers if one.startswith(term) and one != term]
        if term not in self._others:
            spelt = [one for one in other_spellings(term) if one in self._numbers]
            self._others[term] = [*spelt, *(one for each in (term, *spelt) for one in self._parted.get(each, ()))]
        return self._others[term]

    @cached_property
    def _parted(self) -> Mapping[str, Sequence[str]]:
        """The compounds that documents hold in two words, by how they are written in one."""
        found: dict[str, list[str]] = {}
        for term in self._numbers:
            if "-" in term:
                found.setdefault(term.replace("-", ""), []).append(term)
        return found

    def rows_of(self, ids: Collection[str]) -> NDArray[np.int64]:
        """Return the rows of those ids that are held, ascending."""
        return places(ids, self._rows, self)

    @property
    def holds_long(self) -> bool:
        """Whether many documents are long (`engine.library.postings.are_many`)."""
        return are_many(int(self._long.sum()), len(self.ids))

    @property
    def long_ids(self) -> list[str]:
        """The documents that are long (`engine.library.postings.LONG`)."""
        return [self.ids[row] for row in np.flatnonzero(self._long).tolist()]

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """How many tokens each document has: (n,)."""
        parted = np.zeros(max(self._numbers.values(), default=-1) + 1, np.bool_)
        parted[[number for term, number in self._numbers.items() if "-" in term]] = True
        counts = np.where(parted[self._counts.numbers], 0, self._counts.counts)
        added = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
        return np.asarray(np.diff(added[self._counts.starts]))

    @cached_property
    def _long(self) -> NDArray[np.bool_]:
        """Which documents are long: (n,)."""
        return np.asarray(self.lengths >= LONG)

    @cached_property
    def _by_token(self) -> TermWeights:
        return TermWeights(self._counts, list(self._numbers.values()), list(self._numbers))

    @cached_property
    def _by_stem(self) -> TermWeights:
        return TermWeights(self._counts, list(self._numbers.values()), text.stems(list(self._numbers)))


def weigh_answer(
    weights: NDArray[np.float64],
    question: NDArray[np.float64],
    answer: NDArray[np.float64],
    *,
    lengths: tuple[float, float],
) -> float:
    """Return the share of a question in an answer, from 0 to 1: the answer's score divided by the question's own.

    sum over the question's terms of q * w(answer) / sum of q * w(question), at most 1,
    q = weight * n * (k3 + 1) / (n + k3), w = f * (k1 + 1) / (f + k1 * (1 - b + b * length / mean length)),

    where `weights` (t,) are the terms' idf, and the question has a term n times and the answer f times: `question` and
    `answer` (t,). `lengths` gives their lengths in mean lengths. Only the terms with the largest q count.
    """
    asked = weights * question * (K3 + 1) / (question + K3)
    telling = np.argsort(-asked, kind="stable")[:QUESTION_TERMS]
    own, found = (
        asked[telling] @ (counts * (K1 + 1) / (counts + K1 * (1 - B + B * length)))
        for counts, length in zip((question[telling], answer[telling]), lengths, strict=True)
    )
    return min(1.0, float(found / own))


def added_up(question: Mapping[str, int]) -> Counter[str]:
    """Return a question's counts by stem, those of a word's forms added up."""
    counts: Counter[str] = Counter()
    for stem, count in zip(text.stems(list(question)), question.values(), strict=True):
        counts[stem] += count
    return counts


def term_counts(document: Document) -> Counter[str]:
    """Return how often a document holds each term and compound, not counting its reference list."""
    return count_terms(document.text, terms(document.text))


def count_terms(written: str, listed: Iterable[str]) -> Counter[str]:
    """Return how often a text holds each of its listed terms, and each compound, its words joined by a hyphen."""
    counts = Counter(listed)
    counts.update([one.parted for one in compounds(written, counts)])
    return counts


def question_terms(document: Document) -> Counter[str]:
    """Return the terms of a document as a question: as indexed, with title and abstract counted `HEAD` times."""
    counts = Counter(terms(document.text, ends=False))
    if document.sections or document.claims:
        for term, count in Counter(terms(f"{document.title}\n{document.abstract}", ends=False)).items():
            counts[term] += (HEAD - 1) * count
    return counts


@dataclass(frozen=True, slots=True)
class Tail:
    """The largest scores of a group: a share `tau` of it is above `u`, by `beta` in the mean; `spread` is of all."""

    u: float
    tau: float
    beta: float
    spread: float

    @classmethod
    def of(cls, scores: Scores, larger: Tail | None = None) -> Self:
        """Fit to the scores (n,) of a group, n > 0; the `larger` group tells how steepness goes with spread."""
        count = max(1, int(_TAU * len(scores)))
        u = float(np.partition(scores, len(scores) - count)[len(scores) - count])
        above = scores[scores > u] - u
        spread = float(scores.std())
        total, weight = float(above.sum()), len(above)
        if larger is not None and larger.spread > 0:
            total, weight = total + _PRIOR * spread * larger.beta / larger.spread, weight + _PRIOR
        return cls(u, len(above) / len(scores), total / max(weight, 1), spread)


def are_many(long: int, documents: int) -> bool:
    """Return whether enough of the documents are long that passages are worth reading for all: one in a hundred."""
    return long > 0 and long >= _MANY * documents


def is_long(document: Document) -> bool:
    """Return whether a document is long, as the keyword index counts it."""
    counted = (len(terms(one)) for one in stretches(document.text, LONG * CHARACTERS_A_TOKEN))
    return any(count >= LONG for count in accumulate(counted))


def on_one_scale(scores: NDArray[np.float32], long: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return the scores (n,) of documents for one question, those of the smaller group as rare ones of the larger's.

    `long` (n,) says which documents are long. Zeros stay, and so does the order within each group. Where a group has
    fewer than 20 documents, or next to no scores, all stay as they are.
    """
    few, many = (long, ~long) if 2 * int(long.sum()) <= len(long) else (~long, long)
    count = int(few.sum())
    if count < _FEWEST_OF_A_LENGTH:
        return scores
    own = scores[few]
    some, others = _some(own), _some(scores[many])
    larger = Tail.of(others)
    smaller = Tail.of(some, larger)
    if min(larger.beta, smaller.beta, larger.tau, smaller.tau) <= 0:
        return scores
    at_u = larger.u + larger.beta * np.log(larger.tau / smaller.tau)  # as rare as the smaller group's u
    above = at_u + larger.beta * (own - smaller.u) / smaller.beta
    below = np.interp(own, np.quantile(some, _LEVELS), np.quantile(others, _LEVELS))
    found = scores.copy()
    found[few] = np.maximum(np.where(own > smaller.u, above, np.minimum(below, max(at_u, 0.0))), 0) + _STEP * own
    return found


def _some(scores: NDArray[np.float32]) -> Scores:
    """Return scores of a group at even steps, about 20,000 at most."""
    return scores[:: max(1, len(scores) // _SAMPLED)].astype(np.float64)

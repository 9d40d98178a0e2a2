"""Two or three words that name each group of documents, of those that can name a subject, and where to write them."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.documents import text
from engine.reading import FUNCTION_WORDS, small_words
from engine.search import NO_LABELS

_FEWEST_LETTERS = 3
_MOST_LETTERS = 24
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_VOWEL = re.compile(r"[aeiouyäöüáéíóúàèìòùâêîôûåæøœ]")
_UNLIKELY = re.compile(r"(.)\1\1|[bcdfghjklmnpqrstvwxz]{6,}")
_ELIDED = re.compile(r"^(?:[cdjlmnst]|qu|lorsqu|puisqu|(?:d|n|s)?all|dell|nell|sull|quest|un)['’]")
_LATIN = re.compile(r"[a-z]")


class LabelWords:
    """Numbers for words, and the documents read so far as one row of numbers each.

    A word that cannot name a subject (a function word of its language, boilerplate, a number, what looks like an
    error of character recognition) is kept as -1: it still separates its neighbours, so that two words make a phrase
    only where they stand side by side.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._numbers: dict[str, int] = {}
        self._seen = _Numbers(self._numbers)
        self._sequence = array("i")
        self._stops = array("q", [0])

    @property
    def words(self) -> list[str]:
        """Every word by its number."""
        return list(self._numbers)

    @property
    def sequence(self) -> NDArray[np.int32]:
        """The numbers (t,) of all documents' words in reading order, -1 for a word left out."""
        return np.array(self._sequence, np.int32)

    @property
    def owners(self) -> NDArray[np.int32]:
        """The document (t,) that each word of `sequence` stands in, by the order added."""
        stops = np.array(self._stops, np.int64)
        return np.repeat(np.arange(len(stops) - 1, dtype=np.int32), stops[1:] - stops[:-1])

    def add(self, *texts: str) -> None:
        """Read one document's texts."""
        read = [text.tokens(one) for one in texts]
        own = small_words(list(chain.from_iterable(read)))
        for tokens in read:
            told = tokens if own.isdisjoint(tokens) else ["" if token in own else token for token in tokens]
            self._sequence.fromlist(list(map(self._seen.__getitem__, told)))
            self._sequence.append(-1)
        self._stops.append(len(self._sequence))


class _Numbers(dict[str, int]):
    """A number for each token looked up, computed once: -1, or for a word the next one, kept in `numbers`."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self._numbers = numbers

    def __missing__(self, token: str) -> int:
        self[token] = self._numbers.setdefault(token, len(self._numbers)) if names_a_subject(token) else -1
        return self[token]


def names_a_subject(token: str) -> bool:
    """Return whether a lower-case token could stand in a label."""
    if not _FEWEST_LETTERS <= len(token) <= _MOST_LETTERS or not _WORD.fullmatch(token):
        return False
    if token in text.STOP_WORDS or token in NO_LABELS or _ELIDED.sub("", token) in FUNCTION_WORDS:
        return False
    latin = _LATIN.search(token) is not None
    return not (latin and (_VOWEL.search(token) is None or _UNLIKELY.search(token)))


@lru_cache(maxsize=1 << 16)
def singular_for_label(word: str) -> str:
    """Return the singular that an English plural most likely has, "analysis" of "analyses"; other words stay."""
    return f"{word[:-2]}is" if word.endswith("yses") else text.singular(word)


TERMS = 3
CANDIDATES = 14
_LONG_LABEL = 30
_PHRASE_SHARE = 0.35
_FEWEST_DOCUMENTS = 2
_LEAST_SHARE = 0.04


@dataclass(frozen=True, slots=True)
class ClusterLabel:
    """The name of one group: `level` 0 is the coarsest; (x, y) is one of its members' positions.

    `text` is made of its members' words; `own` is the name that a person gave it, or empty.
    """

    level: int
    cluster: int
    text: str
    x: float
    y: float
    size: int
    own: str = ""

    @property
    def name(self) -> str:
        """What to call the group."""
        return self.own or self.text


@dataclass(frozen=True, slots=True)
class _Terms:
    """Documents against terms (n, v), a plural and its singular in one column, with the texts of each column."""

    counts: Any  # scipy's csr_array is untyped
    surfaces: tuple[str, ...]
    words: tuple[str, ...]
    spelled: NDArray[np.int32]  # (t,) words in reading order, -1 between
    sequence: NDArray[np.int32]  # (t,) their columns
    owners: NDArray[np.int32]  # (t,) their documents


def label_levels(
    levels: NDArray[np.int32], positions: NDArray[np.float32], vocabulary: LabelWords
) -> tuple[ClusterLabel, ...]:
    """Name every group of every level (levels, n) by its members' words, read into `vocabulary` in order.

    A group whose members share no word that could name a subject is named "unnamed".
    """
    terms = _terms(vocabulary)
    labels: list[ClusterLabel] = []
    for level, groups in enumerate(levels):
        if groups.size and groups.max() >= 0:
            for cluster, text in enumerate(_distinct(_candidates(groups, terms))):
                members = np.flatnonzero(groups == cluster)
                if len(members):
                    labels.append(ClusterLabel(level, cluster, text, *_middle(positions[members]), len(members)))
    return tuple(labels)


def terms_apart(
    selected: NDArray[np.bool_], groups: NDArray[np.int32], vocabulary: LabelWords, *, share: float = _LEAST_SHARE
) -> tuple[str, ...]:
    """Return the terms that set some of n documents apart from the others, best first.

    They are what `label_levels` would name a group by: the selected (n,) are one class, and the others stay in their
    `groups` (n,), those of none together in a class. The vocabulary has read the n documents in their order. A term
    stands in at least a `share` of the selected, and in two.
    """
    if not selected.any():
        return ()
    classes = np.where(selected, 0, groups - groups.min() + 1).astype(np.int32)
    return tuple(next(_candidates(classes, _terms(vocabulary), share=share)))


def class_tfidf(frequencies: Any) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:  # noqa: ANN401  a csr_array
    """Yield each class's frequencies (v,) of terms and their weights (v,), from those of all classes (c, v).

    W(x, c) = tf(x, c) * log(1 + A / f(x)): tf is the term's share of the words of class c, f(x) its frequency
    over all classes, A the mean number of words a class (Grootendorst, 2022, BERTopic, section 3.3). Here a term counts
    once a document, so that a single long or garbled text cannot name a group.
    """
    lengths = frequencies.sum(axis=1)  # (c,)
    idf = np.log1p(lengths.mean() / np.maximum(frequencies.sum(axis=0), 1.0))  # (v,)
    for number, length in enumerate(lengths):  # a library's words are many: all classes at once would be large
        own = frequencies[[number]].toarray()[0]
        yield own, own / max(length, 1.0) * idf


def _terms(vocabulary: LabelWords) -> _Terms:
    """Fold plurals and count every term once a document."""
    from scipy.sparse import csr_array

    words = vocabulary.words
    numbers = {word: number for number, word in enumerate(words)}
    folded = np.array(
        [numbers.get(singular_for_label(word), number) for number, word in enumerate(words)] + [-1], np.int32
    )
    spelled, owners = vocabulary.sequence, vocabulary.owners
    sequence = folded[spelled]
    present = sequence >= 0
    width = max(1, len(words))
    pairs = _once(owners[present] * np.int64(width) + sequence[present])  # (e,), faster than unique pairs
    shape = (int(owners[-1]) + 1 if len(owners) else 0, len(words))
    counts = csr_array((np.ones(len(pairs)), np.divmod(pairs, width)), shape=shape)
    used = np.bincount(spelled[spelled >= 0], minlength=len(words))
    surface = np.arange(len(words))
    for number in np.flatnonzero(folded[:-1] != surface):  # write a term in its most frequent form
        if used[number] > used[surface[folded[number]]]:
            surface[folded[number]] = number
    return _Terms(counts, tuple(words[number] for number in surface), tuple(words), spelled, sequence, owners)


def _candidates(groups: NDArray[np.int32], terms: _Terms, *, share: float = _LEAST_SHARE) -> Iterator[list[str]]:
    """Yield each group's best terms, best first, with neighbouring words joined to phrases."""
    from scipy.sparse import csr_array

    members = np.flatnonzero(groups >= 0)
    shape = (int(groups.max()) + 1, len(groups))
    belongs = csr_array((np.ones(len(members)), (groups[members], members)), shape=shape)
    sizes = np.bincount(groups[members])
    owner_groups = groups[terms.owners]
    short = np.int16 if len(sizes) < 1 << 15 else np.int32  # short numbers are sorted by radix
    inside = np.argsort(owner_groups.astype(short), kind="stable")  # each group's words in a row, in reading order
    stops = np.cumsum(np.bincount(owner_groups + 1, minlength=len(sizes) + 1))
    for cluster, (frequencies, weights) in enumerate(class_tfidf(csr_array(belongs @ terms.counts))):
        enough = frequencies >= max(_FEWEST_DOCUMENTS, share * sizes[cluster])
        order = np.argsort(np.where(enough, -weights, 0.0), kind="stable")[:CANDIDATES]
        best = [int(column) for column in order if enough[column]]
        yield _joined(best, inside[stops[cluster] : stops[cluster + 1]], frequencies, terms)


def _joined(best: list[int], inside: NDArray[np.int64], frequencies: NDArray[np.float64], terms: _Terms) -> list[str]:
    """Return candidates as text: two that are mostly neighbours become one phrase, and each word is used once.

    `inside` (m,) are the places of the words that the group's members hold.
    """
    sequence, spelled = terms.sequence[inside].astype(np.int64), terms.spelled[inside].astype(np.int64)
    is_best = np.zeros(len(terms.words) + 1, np.bool_)
    is_best[best] = True
    wanted = is_best[sequence]  # -1, which no word has, is the last
    both = np.flatnonzero(wanted[:-1] & wanted[1:] & (sequence[:-1] != sequence[1:]))
    width = len(terms.words)
    codes = sequence[both] * width + sequence[both + 1]  # (p,)
    phrases: dict[int, str] = {}
    pairs, counts = np.unique(codes, return_counts=True)
    for place in np.argsort(-counts, kind="stable"):
        first, second = divmod(int(pairs[place]), width)
        rarer = min(frequencies[first], frequencies[second])
        if counts[place] >= _PHRASE_SHARE * rarer and first not in phrases and second not in phrases:
            here = both[codes == pairs[place]]
            ways, times = np.unique(spelled[here] * width + spelled[here + 1], return_counts=True)
            way = divmod(int(ways[np.argmax(times)]), width)  # in its most frequent form
            phrases[first] = phrases[second] = " ".join(terms.words[number] for number in way)
    return list(dict.fromkeys(phrases.get(column, terms.surfaces[column]) for column in best))


def _once(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return each of some numbers once, ascending: `np.unique` takes twenty times as long for millions of them."""
    ordered = np.sort(numbers)
    once: NDArray[np.int64] = ordered[np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]]
    return once


def _distinct(candidates: Iterator[list[str]]) -> Iterator[str]:
    """Yield one label a group, all different: of two equal ones the later takes its next term."""
    given: set[str] = set()
    for terms in candidates:
        chosen = terms[:TERMS]
        if len(", ".join(chosen)) > _LONG_LABEL:
            chosen = chosen[: TERMS - 1]
        spare = len(chosen)
        while ", ".join(chosen) in given and spare < len(terms):
            chosen = [*chosen[:-1], terms[spare]]
            spare += 1
        text = ", ".join(chosen) or "unnamed"
        given.add(text)
        yield text


def _middle(positions: NDArray[np.float32]) -> tuple[float, float]:
    """Return the member (m, 2) nearest to the members' median, so that a label stands on its group."""
    median = np.median(positions, axis=0)
    nearest = positions[np.argmin(np.square(positions - median).sum(axis=1))]
    return float(nearest[0]), float(nearest[1])

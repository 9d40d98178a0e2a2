"""Which document holds which term how often, in memory or in files; a question's terms are weighed as BM25 weighs them.

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
import threading
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, KeysView, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from engine.core.rows import Flags, largest
from engine.documents import Document, text
from engine.documents.selections import places
from engine.documents.text import CHARACTERS_A_TOKEN, stretches
from engine.documents.words import UNSPACED, compounds, letters, other_spellings, terms
from engine.library.segments import CountArray, TermCounts, TermSegment, held, with_another
from engine.library.summing import documents_of, summed
from engine.library.term_numbers import TermNumbers

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
_QUESTIONS_SCORED, _SPREADS = 4, 16
_ALONE = np.broadcast_to(np.int32(-1), 2**32)  # of no number is there another form
_MANY_COUNTS = 2**24
"""A library with more counts than 200,000 abstracts have is asked in machine code."""
_WEIGHED = 2**25
"""How many weights are kept of the terms asked for last, in eight bytes each: all of 400,000 abstracts."""

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


def keyword_fingerprint(*, stemmed: bool = False) -> str:
    """Name every choice behind a ranking by words, so that reports can be compared later."""
    lengths = f"long={LONG} apart={_FEWEST_OF_A_LENGTH}/{_TAU}/{_PRIOR}"
    words = " words=snowball english" if stemmed else ""
    return f"bm25 k1={K1} b={B} k3={K3} terms={QUESTION_TERMS} head={HEAD} {lengths}{words}"


class TermFrequencies(Mapping[str, int]):
    """In how many documents a token stands; a token that no document ever held is not a key."""

    def __init__(self, terms: TermNumbers, frequencies: NDArray[np.int64], documents: int) -> None:
        """Map terms over `frequencies` (rows,) in `documents` documents, by their numbers; larger ones came later."""
        self._terms, self._frequencies, self.documents = terms, frequencies, documents

    def __getitem__(self, token: str) -> int:
        """Return the number of documents that hold the token."""
        if not 0 <= (number := self._terms.number(token)) < len(self._frequencies):
            raise KeyError(token)
        return int(self._frequencies[number])

    def __iter__(self) -> Iterator[str]:
        """Go through the tokens."""
        return (token for token, number in self._terms if number < len(self._frequencies))

    def __len__(self) -> int:
        """Return the number of tokens."""
        return sum(1 for _ in self)


class TermWeights:
    """The weight of a term in every document: BM25's inner part, so that a question is one sum of terms.

    weight = idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean length)),
    idf = ln((N - df + 0.5) / (df + 0.5)), at least 1e-6: what FTS5's bm25() computes (SQLite, "The FTS5
    extension", 5.1.1; after Robertson and Walker, TREC-3). A term that the question holds n times
    counts n * (k3 + 1) / (n + k3) times (the same authors), which FTS5 leaves out.
    """

    def __init__(self, postings: Postings, *, stemmed: bool) -> None:
        """Weigh terms when they are asked for: tokens, or stems, each of these stands for its forms."""
        self._hold, self._segments, self._found = postings.hold, postings.segments, postings.found
        self._norm, self._idf = postings.norm, postings.idf
        self._terms, self._stemmed = postings.terms, stemmed
        self._in_machine_code = sum(len(one.rows) for one in self._segments) > _MANY_COUNTS
        self._kept: dict[str, tuple[NDArray[np.int32], NDArray[np.float32]]] = {}
        self._room, self._lock = _WEIGHED, threading.Lock()
        self._sizes: dict[str, int] = {}  # of each term that was weighed, in how many documents it stands

    def scores(
        self, question: Mapping[str, int], alike: Mapping[str, Collection[str]] | None = None
    ) -> NDArray[np.float32] | None:
        """Return the score of every document (documents,) for a question's counts of terms; None if it knows none.

        Terms that are `alike` one of the question's count as that one does, and are as rare as all of them together.
        """
        alike = alike or {}
        asked = [(one, term) for term in question for one in (term, *alike.get(term, ())) if self._last(one) >= 0]
        if not asked:
            return None
        times = np.array([question[term] for _, term in asked], np.float64)
        times = times * (K3 + 1) / (times + K3)
        for term in alike:
            if len(same := [place for place, (_, of) in enumerate(asked) if of == term]) > 1:
                found = self.sizes([asked[place][0] for place in same])
                together = float(self._idf[min(sum(found), len(self._idf) - 1)])
                times[same] = times[same] * together / self._idf[found].astype(np.float64)
        terms, counts = [one for one, _ in asked], times.astype(np.float32)
        if len(terms) > QUESTION_TERMS:
            telling = self._telling(terms, counts)
            terms, counts = [terms[place] for place in telling.tolist()], counts[telling]
        return self._added(terms, counts)

    def _added(self, terms: Sequence[str], counts: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the sums (documents,) of the terms' weights times their counts (t,)."""
        if self._in_machine_code:
            weights = counts * self._idf[self.sizes(terms)]
            return summed(self._segments, [self._forms(term) for term in terms], weights, self._norm, K1)
        weighed = [self.weigh(term) for term in terms]
        starts = np.cumsum([0, *(len(rows) for rows, _ in weighed)], dtype=np.int32)
        rows, weights = (np.concatenate([one[part] for one in weighed]) for part in (0, 1))
        by_term = csc_array((weights, rows, starts), shape=(len(self._norm), len(weighed)))
        found: NDArray[np.float32] = by_term @ counts
        return found

    def weigh(self, term: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the rows (t,) of the documents that hold a term, in no order, and its weights there (t,)."""
        with self._lock:
            if (kept := self._kept.pop(term, None)) is not None:
                self._kept[term] = kept  # the last one asked for stands last
                return kept
        rows, counts = self._held(term)
        weights = counts * np.float32(K1 + 1)
        counts += self._norm[rows]
        weights /= counts
        weights *= self._idf[len(rows)]
        with self._lock:
            if term not in self._kept:  # another thread may have been faster
                self._kept[term] = rows, weights
                self._room -= len(rows)
            while self._room < 0:
                self._room += len(self._kept.pop(next(iter(self._kept)))[0])
        return rows, weights

    def prepare(self) -> None:
        """Compile what the first question would wait for."""
        if self._in_machine_code:
            summed(self._segments, [[0]], np.ones(1, np.float32), self._norm, K1)
            documents_of(self._segments, [[0]], self._norm)

    def sizes(self, listed: Sequence[str]) -> list[int]:
        """Return in how many documents each of some terms stands in some form."""
        forms = {term: self._forms(term) for term in listed if term not in self._sizes}
        self._sizes |= {term: int(self._found[each[0]]) for term, each in forms.items() if len(each) == 1}
        unknown = [term for term in forms if term not in self._sizes]
        if self._in_machine_code:
            found = documents_of(self._segments, [forms[term] for term in unknown], self._norm).tolist()
        else:
            found = [len(self.weigh(term)[0]) for term in unknown]
        self._sizes |= dict(zip(unknown, found, strict=True))
        return [self._sizes[term] for term in listed]

    def _forms(self, term: str) -> list[int]:
        """Return the numbers of a term's forms, the last one first."""
        number, forms = self._last(term), list[int]()
        while number >= 0:
            forms.append(number)
            number = int(self._before[number])
        return forms

    def _held(self, term: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the rows that hold a term in some form, and how often they hold all forms together."""
        forms = [self._hold(form) for form in self._forms(term)]
        if len(forms) == 1:
            return forms[0][0], forms[0][1].astype(np.float32)
        together, new = np.zeros(len(self._norm), np.float32), [np.empty(0, np.int32)]
        for rows, counts in forms:
            new.append(rows[together[rows] == 0])
            together[rows] += counts
        found = np.concatenate(new)
        return found, together[found]

    def _last(self, term: str) -> int:
        """Return the number of a term's last form, -1 where it has none; what came after this state does not count."""
        number = self._terms.last_form(term) if self._stemmed else self._terms.number(term)
        while number >= len(self._found):
            number = int(self._before[number])
        return number

    @property
    def _before(self) -> NDArray[np.int32]:
        """By a form's number, that of the form before it, or -1."""
        return self._terms.before if self._stemmed else _ALONE

    def _telling(self, terms: Sequence[str], counts: NDArray[np.float32]) -> NDArray[np.int64]:
        """Return the places of the `QUESTION_TERMS` largest counts (t,) times idf.

        A stem is held by at least as many documents as each of its forms, and at most by as many as they together.
        Which documents these are is only found out for stems that may be among the largest.
        """
        least, most = np.zeros((2, len(terms)), np.int64)
        numbers = np.array([self._last(term) for term in terms])
        while len(left := np.flatnonzero(numbers >= 0)):
            found = self._found[numbers[left]]
            least[left], most[left] = np.maximum(least[left], found), most[left] + found
            numbers[left] = self._before[numbers[left]]
        counts = np.where(most, counts, 0)  # what only stood in documents that are gone says nothing
        bar = np.partition(counts * self._idf[np.minimum(most, len(self._idf) - 1)], -QUESTION_TERMS)[-QUESTION_TERMS]
        places = np.flatnonzero(counts * self._idf[least] >= bar)
        idf = self._idf[self.sizes([terms[place] for place in places.tolist()])]
        return places[np.argsort(-counts[places] * idf, kind="stable")[:QUESTION_TERMS]]


class Postings:
    """How often documents hold each token, weighed as written or with the forms of a word as one.

    A state stays as it is: `changed` returns another one, which shares with it what is the same.
    """

    def __init__(self, terms: TermNumbers) -> None:
        """Hold no document yet; `terms` serves all states."""
        self.terms, self.segments = terms, list[TermSegment]()
        self.found = np.zeros(0, np.int64)
        """In how many documents each term stands, by number: (width,)."""
        self._lengths = np.zeros(0, np.int64)  # (rows,); 0 where a document is gone
        self._gone: Flags | None = None  # (rows,), where a document is
        self._ids: list[str] = []
        self._rows: dict[str, int] = {}
        self._others: dict[str, Sequence[str]] = {}
        self._scored: dict[Hashable, NDArray[np.float32]] = {}
        self._spreads: dict[Hashable, tuple[NDArray[np.int64] | None, float]] = {}

    @classmethod
    def of_segments(
        cls,
        terms: TermNumbers,
        segments: Sequence[TermSegment],
        ids: list[str],
        lengths: NDArray[np.int64],
        gone: Sequence[int],
    ) -> Postings:
        """Return what segments hold of documents with these ids and lengths (rows,), but for some that are `gone`.

        Documents without an id are gone, too; of those that are not named, the segments hold nothing.
        """
        new = cls(terms)
        new.segments, new._ids, new._lengths = [*segments], ids, lengths
        last = max((int(one.numbers.max(initial=-1)) for one in segments), default=-1)
        new.found = np.zeros(max(terms.width, last + 1), np.int64)  # the latest terms are to be added yet
        for one in segments:
            new.found[one.numbers] += one.found
        new._rows = {id_: row for row, id_ in enumerate(ids) if id_}
        if gone:
            new._leave_out(gone)
        return new

    def stored(self, terms: TermNumbers, segments: Sequence[TermSegment]) -> Postings:
        """Return the same postings with other terms and segments, which say the same."""
        new = Postings(terms)
        new.segments, new.found, new._gone = [*segments], self.found, self._gone
        new._ids, new._rows, new._lengths = self._ids, self._rows, self._lengths
        return new

    def changed(self, added: Iterable[tuple[Sequence[str], TermCounts]], gone: Collection[str] = ()) -> Postings:
        """Return these without those that are `gone`, and with others behind them: some ids and counts at a time.

        A document that comes under an id that is held takes the other one's place.
        """
        new, width, before = Postings(self.terms), self.terms.width, len(self._ids)
        new.segments, new._ids, lengths = [*self.segments], [*self._ids], [self._lengths]
        new.found, new._gone = np.pad(self.found, (0, width - len(self.found))), self._gone
        for ids, counted in added:
            segment = TermSegment.of(counted, len(new._ids), width)
            new.segments = with_another(new.segments, segment)
            new.found[segment.numbers] += segment.found
            alone = np.where(self.terms.alone[counted.numbers], counted.counts, 0)
            lengths.append(np.diff(np.concatenate([[0], np.cumsum(alone, dtype=np.int64)])[counted.starts]))
            new._ids += ids
        new._lengths = np.concatenate(lengths)
        rows, came = self._rows.copy(), new._ids[before:]
        lost = [row for id_ in (*gone, *came) if (row := rows.pop(id_, None)) is not None]
        new._rows = rows | dict(zip(came, range(before, len(new._ids)), strict=True))
        if new._gone is not None:
            new._gone = np.pad(new._gone, (0, len(new._ids) - len(new._gone)))
        if lost:
            new._leave_out(lost)
        return new

    def _leave_out(self, rows: Sequence[int]) -> None:
        lost = np.zeros(len(self._ids), np.bool_)
        lost[rows] = True
        self._lengths[lost] = 0
        self._gone = lost if self._gone is None else self._gone | lost
        for segment in self.segments:
            numbers, times = segment.held_by(lost)
            self.found[numbers] -= times

    def hold(self, number: int) -> tuple[NDArray[np.int32], CountArray]:
        """Return the rows (t,) of the documents that hold a term, ascending, and how often they hold it (t,)."""
        return held(self.segments, number, self._gone)

    def kept_of(self, segment: TermSegment) -> TermSegment:
        """Return one of the segments without what it holds of documents that are gone."""
        return segment.without(self._gone)

    def row_of(self, id_: str) -> int:
        """Return the row of a document, -1 where it is not held."""
        return self._rows.get(id_, -1)

    def of_rows(self, first: int, last: int) -> tuple[list[str], NDArray[np.int64]]:
        """Return the ids and lengths of some neighbouring rows."""
        return self._ids[first:last], self._lengths[first:last]

    @property
    def ids(self) -> KeysView[str]:
        """The ids of all documents."""
        return self._rows.keys()

    @property
    def holes(self) -> int:
        """How many rows are of documents that are gone."""
        return len(self._ids) - len(self._rows)

    @cached_property
    def _all(self) -> slice | NDArray[np.int64]:
        """The rows of all documents."""
        return np.sort(np.fromiter(self._rows.values(), np.int64, len(self._rows))) if self.holes else slice(None)

    @cached_property
    def norm(self) -> NDArray[np.float32]:
        """How much each document's length divides its counts, k1 * (1 - b + b * length / mean length): (rows,).

        Without end where a document is gone, which then has no weight.
        """
        lengths = self._lengths.astype(np.float32)
        mean = float(lengths[self._all].mean()) if len(self._rows) else 0.0
        norm = np.asarray(K1 * (1 - B + B * lengths / max(mean, 1.0)), np.float32)
        if self._gone is not None:
            norm[self._gone] = np.inf
        return norm

    @cached_property
    def idf(self) -> NDArray[np.float32]:
        """How much a term says, by how many documents hold it: (size + 1,)."""
        found = np.arange(len(self._rows) + 1)
        return np.maximum(np.log((len(self._rows) - found + 0.5) / (found + 0.5)), _LEAST_IDF).astype(np.float32)

    @cached_property
    def frequencies(self) -> TermFrequencies:
        """In how many documents each token stands."""
        return TermFrequencies(self.terms, self.found, len(self._rows))

    def search(
        self, question: Mapping[str, int], k: int, rows: NDArray[np.int64] | None, *, stemmed: bool
    ) -> list[tuple[str, float]]:
        """Return the k best documents (id, score) for a question's counts of tokens, best first; ties as imported.

        `rows` limits the answer to some documents, among which long ones and short ones are scored apart
        (`engine.library.postings`). Documents that share no term are left out.
        """
        some = self._all if rows is None else rows
        scores = self._scores(question, stemmed=stemmed)[some]
        best, scaled = best_on_one_scale(scores, self._long[some], k)
        found = best if isinstance(some, slice) else some[best]
        return [(self._ids[row], float(score)) for row, score in zip(found, scaled, strict=True)]

    def spread(self, question: Mapping[str, int], rows: NDArray[np.int64] | None, *, stemmed: bool) -> float:
        """Return the standard deviation of the scores that `search` orders by, of all documents or some; 0 for none."""
        asked, known = (stemmed, tuple(question.items()), id(rows)), self._spreads
        if asked not in known or known[asked][0] is not rows:  # a ranking asks again once the first hits are known
            some = self._all if rows is None else rows
            scores = on_one_scale(self._scores(question, stemmed=stemmed)[some], self._long[some])
            found = float(scores.std()) if len(scores) else 0.0
            self._spreads = known = dict([*list(known.items())[1 - _SPREADS :], (asked, (rows, found))])
        return known[asked][1]

    def _scores(self, question: Mapping[str, int], *, stemmed: bool) -> NDArray[np.float32]:
        """Return the scores of all documents (rows,), each group on its own scale; zeros where no term is known.

        Those of the last few questions are at hand: a question is asked among several groups.
        """
        asked = stemmed, tuple(question.items())
        scores = self._scored.get(asked)
        if scores is None:
            scores = self._of_all(question, stemmed=stemmed)
            self._scored = dict([*list(self._scored.items())[1 - _QUESTIONS_SCORED :], (asked, scores)])
        return scores

    def _of_all(self, question: Mapping[str, int], *, stemmed: bool) -> NDArray[np.float32]:
        if stemmed:
            words = {term: count for term, count in question.items() if "-" not in term}
            scores = self._by_stem.scores(added_up(words), self._alike_stems(question, words))
        else:
            scores = self._by_token.scores(question)
        return np.zeros(len(self._ids), np.float32) if scores is None else scores

    def weigh(self, *stemmed: bool) -> None:
        """Find what all terms share, as written, by stems or both, so that the first question does not wait."""
        for by_stem in stemmed:
            (self._by_stem if by_stem else self._by_token).prepare()

    def holding(self, words: Collection[str], *, above: float = 0) -> int:
        """Return how many documents hold all of some tokens; 0 unless there are more than `above`, or for no tokens.

        The rarest are asked first, so that most sentences, which few documents hold, cost next to nothing.
        """
        width = len(self.found)
        numbers = [self.terms.number(word) for word in words]
        if not numbers or not 0 <= min(numbers) <= max(numbers) < width:
            return 0
        first, *others = sorted(numbers, key=self.found.__getitem__)
        left = self.hold(first)[0]
        for number in others:
            if len(left) <= above:
                return 0
            rows = self.hold(number)[0]
            left = left[rows[rows.searchsorted(left).clip(max=len(rows) - 1)] == left]
        return len(left) if len(left) > above else 0

    def holders(self, word: str) -> frozenset[str]:
        """Return the documents that hold every term of a word in any of its forms and spellings, in one word or two."""
        return frozenset(self._ids[row] for row in self._held_by(word))

    def holds(self, word: str) -> bool:
        """Tell whether any document holds a word as `holders` says."""
        return len(self._held_by(word)) > 0

    def _held_by(self, word: str) -> NDArray[np.integer]:
        writings = [terms(word, ends=False), *([one.solid] for one in compounds(word))]
        found = [functools.reduce(np.intersect1d, map(self._holding, said)) for said in writings if said]
        return functools.reduce(np.union1d, found) if found else np.empty(0, np.int32)

    def _holding(self, term: str) -> NDArray[np.int32]:
        """Return the rows of the documents that hold a term in any of its forms and spellings."""
        spelt = text.stems([term, *self._alike(term)])
        return functools.reduce(np.union1d, (self._by_stem.weigh(stem)[0] for stem in spelt))

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
                if self._by_stem.sizes([theirs])[0] <= _BROADER * self.frequencies[other]:
                    found.setdefault(stem, set()).add(theirs)
        for compound in question:
            if "-" in compound and (solid := compound.replace("-", "")) in self.frequencies:
                for stem in text.stems(compound.split("-")):
                    found.setdefault(stem, set()).update(text.stems([solid]))
        return {stem: others - {stem} for stem, others in found.items()}

    def _alike(self, term: str) -> Sequence[str]:
        """Return a term's other spellings that documents hold, and in two words; of a lone letter, what it begins."""
        known = self.frequencies
        if len(letters(term)) == 1 and UNSPACED.fullmatch(term):
            return [one for one in known if one.startswith(term) and one != term]
        if term not in self._others:
            spelt = [one for one in other_spellings(term) if one in known]
            parted = (one for each in (term, *spelt) for one in self.terms.parted(each) if one in known)
            self._others[term] = [*spelt, *parted]
        return self._others[term]

    def rows_of(self, ids: Collection[str]) -> NDArray[np.int64]:
        """Return the rows of those ids that are held, ascending."""
        return places(ids, self._rows, self)

    @property
    def lengths(self) -> dict[str, int]:
        """How many tokens each document has, by id."""
        return dict(zip(self._rows, self._lengths[list(self._rows.values())].tolist(), strict=True))

    @property
    def holds_long(self) -> bool:
        """Whether many documents are long (`engine.library.postings.are_many`)."""
        return are_many(int(self._long.sum()), len(self._rows))

    @property
    def long_ids(self) -> list[str]:
        """The documents that are long (`engine.library.postings.LONG`)."""
        return [self._ids[row] for row in np.flatnonzero(self._long).tolist()]

    @cached_property
    def _long(self) -> Flags:
        """Which documents are long: (rows,)."""
        return np.asarray(self._lengths >= LONG)

    @cached_property
    def _by_token(self) -> TermWeights:
        return TermWeights(self, stemmed=False)

    @cached_property
    def _by_stem(self) -> TermWeights:
        self.terms.stem()
        return TermWeights(self, stemmed=True)


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


@dataclass(frozen=True, slots=True)
class OneScale:
    """What makes scores of the `few` documents of one length (n,) those that are as rare among the many others."""

    few: Flags
    smaller: Tail
    larger: Tail
    own: Scores
    others: Scores
    """The scores of both groups by their quantiles."""

    @classmethod
    def of(cls, scores: NDArray[np.float32], long: Flags) -> Self | None:
        """Fit to the scores (n,) of documents; some are `long` (n,).

        None where a group has fewer than 20 documents, or next to no scores: all then stay as they are.
        """
        few = long if 2 * int(long.sum()) <= len(long) else ~long
        if int(few.sum()) < _FEWEST_OF_A_LENGTH:
            return None
        some, others = _some(scores[few]), _some(scores[~few])
        larger = Tail.of(others)
        smaller = Tail.of(some, larger)
        if min(larger.beta, smaller.beta, larger.tau, smaller.tau) <= 0:
            return None
        return cls(few, smaller, larger, np.quantile(some, _LEVELS), np.quantile(others, _LEVELS))

    def as_rare(self, own: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the scores that are as rare among the many as these (m,) are among the few, in the same order."""
        larger, smaller = self.larger, self.smaller
        at_u = larger.u + larger.beta * np.log(larger.tau / smaller.tau)  # as rare as the smaller group's u
        above = at_u + larger.beta * (own - smaller.u) / smaller.beta
        below = np.interp(own, self.own, self.others)
        found = np.maximum(np.where(own > smaller.u, above, np.minimum(below, max(at_u, 0.0))), 0) + _STEP * own
        return np.asarray(found, np.float32)


def on_one_scale(scores: NDArray[np.float32], long: Flags) -> NDArray[np.float32]:
    """Return the scores (n,) of documents for one question, those of the smaller group as rare ones of the larger's.

    `long` (n,) says which documents are long. The order within each group stays.
    """
    if (scale := OneScale.of(scores, long)) is None:
        return scores
    found = scores.copy()
    found[scale.few] = scale.as_rare(scores[scale.few])
    return found


def best_on_one_scale(
    scores: NDArray[np.float32], long: Flags, k: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the places (m,) and scores (m,) of the k largest scores above 0 (n,) on one scale, largest first."""
    scale = OneScale.of(scores, long)
    if scale is None:
        candidates = np.flatnonzero(scores > 0)
        best = candidates[largest(scores[candidates], k)]
        return best, scores[best]
    groups = (np.flatnonzero(group & (scores > 0)) for group in (scale.few, ~scale.few))
    best = np.sort(np.concatenate([own[largest(scores[own], k)] for own in groups]))  # no others can be among the first
    found, few = scores[best], scale.few[best]
    found[few] = scale.as_rare(found[few])
    order = largest(found, k)
    return best[order], found[order]


def _some(scores: NDArray[np.float32]) -> Scores:
    """Return scores of a group at even steps, about 20,000 at most."""
    return scores[:: max(1, len(scores) // _SAMPLED)].astype(np.float64)

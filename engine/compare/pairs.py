"""Holds the sentences of two documents against each other, some rows at a time, and finds the passages that match.

All pairs of two books are hundreds of millions: their scores are never held at once. Kept are the best pair of each
chunk cell, the best pairs of all, and a bit a pair that says whether a passage may go on with it. A passage is a run of
neighbouring sentences.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from engine.compare.model import DIGITS, Passage
from engine.core.rows import Flags, Positions, largest
from engine.documents import Chunk, Document, Section

LEAST_SCORE = 0.4
"""Of the best pair of sentences of a passage."""

NEXT_SCORE = 0.55
"""Of a neighbouring pair that a passage goes on with."""

COVERS, SAME_WORDS = 0.475, 0.8
"""From which score in its context on a pair says the same, and from which it does by itself.

What matches and what is said alone (`differences`) follow from this one rule: no sentence is both.
"""

MOST_CANDIDATES = 5_000
WHOLE_PAIRS, BLOCK_PAIRS = 16_000_000, 2_000_000
"""That many pairs are scored at once, as two books of 4,000 sentences have; of more, two million at a time.

A product of some rows differs from that of all in the last digit of a few numbers.
"""

ROWS_AT_ONCE = 512
"""Of a table that is gone through once more, without what `match` keeps of it."""

Cosines = NDArray[np.float32]


class Table(Protocol):
    """How well each of s_a sentences matches each of s_b, from 0 to 1."""

    @property
    def shape(self) -> tuple[int, int]:
        """(s_a, s_b)."""

    def rows(self, start: int, stop: int) -> Cosines:
        """Return the rows from `start` to before `stop`: (stop - start, s_b); they may be changed."""


@dataclass(frozen=True, slots=True, eq=False)
class SentenceFacts:
    """What is to be known of the s sentences of a document, in reading order.

    `kept` (s,) says which are compared, `telling` (s,) which may be shown by themselves, `counts` (s,) how many words
    they have, `follows` (s,) which go on from the one before in the same part. `chunk_of` (s,) is the chunk of each, -1
    for none; those of a chunk stand together. The document has `chunks` of them.
    """

    kept: Flags
    telling: Flags
    counts: Positions
    follows: Flags
    chunk_of: Positions
    chunks: int


@dataclass(frozen=True, slots=True, eq=False)
class Bits:
    """A flag a pair, eight to a byte: `packed` (s_a, s_b / 8, rounded up)."""

    packed: NDArray[np.uint8]
    width: int

    @classmethod
    def unset(cls, shape: tuple[int, int]) -> Self:
        """Return flags, none of them set."""
        return cls(np.zeros((shape[0], -(-shape[1] // 8)), np.uint8), shape[1])

    @property
    def shape(self) -> tuple[int, int]:
        """(s_a, s_b)."""
        return len(self.packed), self.width

    def put(self, start: int, flags: Flags) -> None:
        """Set the flags (n, s_b) of the rows from `start`."""
        self.packed[start : start + len(flags)] = np.packbits(flags, axis=1)

    def rows(self, start: int, stop: int) -> Flags:
        """Return the flags of the rows from `start` to before `stop`: (stop - start, s_b)."""
        return np.unpackbits(self.packed[start:stop], axis=1, count=self.width).view(np.bool_)

    def holds(self, row: int, column: int) -> bool:
        """Return the flag of one pair."""
        return bool(self.packed[row, column >> 3] >> (7 - (column & 7)) & 1)


@dataclass(frozen=True, slots=True, eq=False)
class CellPairs:
    """The best pair of sentences of each cell: `scores` (c_a, c_b), and `pairs` (c_a, c_b, 2), -1 without one."""

    scores: Cosines
    pairs: NDArray[np.int32]

    @classmethod
    def empty(cls, size: tuple[int, int]) -> Self:
        """Return cells without a pair."""
        return cls(np.zeros(size, np.float32), np.full((*size, 2), -1, np.int32))

    def add(self, start: int, scores: Cosines, a: SentenceFacts, b: SentenceFacts) -> None:
        """Take the pairs (n, s_b) of the rows from `start`; of equal ones, the first stays."""
        held = np.flatnonzero(b.chunk_of >= 0)  # (h,) sentences of theirs in a chunk
        if not len(held):
            return
        columns_of = b.chunk_of[held]
        first = np.flatnonzero(np.diff(columns_of, prepend=-1))  # where each chunk begins among these
        chunks = columns_of[first]
        inside = scores if len(held) == scores.shape[1] else scores[:, held]
        width = np.maximum.reduceat(inside, first, axis=1)  # (n, their chunks with a sentence)
        place_of = np.repeat(np.arange(len(first)), np.diff(first, append=len(held)))  # (h,)
        rows_of = a.chunk_of[start : start + len(scores)]
        for chunk in np.unique(rows_of[rows_of >= 0]).tolist():
            rows = np.flatnonzero(rows_of == chunk)
            best = rows[width[rows].argmax(axis=0)]  # (their chunks with a sentence,)
            found = width[best, np.arange(len(first))]
            better = found > self.scores[chunk, chunks]
            if better.any():
                same = np.flatnonzero(inside[best[place_of], np.arange(len(held))] == found[place_of])[::-1]
                column = np.zeros(len(first), np.int64)
                column[place_of[same]] = held[same]  # the first of a chunk is written last
                at = chunks[better]
                self.scores[chunk, at] = found[better]
                self.pairs[chunk, at, 0], self.pairs[chunk, at, 1] = start + best[better], column[better]


@dataclass(slots=True, eq=False)
class Candidates:
    """The best pairs that are worth a look: places (n,) in the table of s_a by s_b pairs, and their scores (n,)."""

    width: int
    places: Positions
    scores: Cosines

    @classmethod
    def none(cls, width: int) -> Self:
        """Begin for a table that is `width` wide."""
        return cls(width, np.zeros(0, np.int64), np.zeros(0, np.float32))

    def add(self, start: int, scores: Cosines) -> None:
        """Take the pairs (n, s_b) of the rows from `start`; of equal ones, the earlier are kept."""
        flat = scores.ravel()
        full = len(self.places) == MOST_CANDIDATES
        over = np.flatnonzero(flat > self.scores.min() if full else flat >= LEAST_SCORE)
        if not len(over):
            return
        places = np.concatenate([self.places, over + start * self.width])
        values = np.concatenate([self.scores, flat[over]])
        kept = np.sort(largest(values, MOST_CANDIDATES))
        self.places, self.scores = places[kept], values[kept]

    def pairs(self) -> Iterator[tuple[int, int, float]]:
        """Yield rows, columns and scores, the best first."""
        for number in largest(self.scores, len(self.scores)).tolist():
            row, column = divmod(int(self.places[number]), self.width)
            yield row, column, float(self.scores[number])


@dataclass(slots=True, eq=False)
class NearestSentences:
    """The best match of each sentence of a (s_a,) and of b (s_b,) in the other, found from rows in their order.

    `of_a` and `of_b` are its places, of equal ones the first, -1 for none, `own_a` and `own_b` its scores; `scores_a`
    and `scores_b` are the highest scores in context (`in_context`), or the own one from `SAME_WORDS` on. `follows` says
    of a (s_a,) and of b (s_b,) which sentences follow the one before in the same part. `same` (s_a, s_b), where it is
    kept, flags the pairs that say the same.
    """

    follows: tuple[Flags, Flags]
    of_a: Positions
    of_b: Positions
    scores_a: Cosines
    scores_b: Cosines
    own_a: Cosines
    own_b: Cosines
    same: Bits | None = None
    _start: int = 0
    _waiting: Cosines | None = None
    _above: Cosines | None = None

    @classmethod
    def none(cls, a: Flags, b: Flags, *, keep: bool = False) -> Self:
        """Begin with nothing matched; the flags say which sentences follow the one before. `keep` keeps `same`."""
        of_a, of_b = (np.full(len(flags), -1, np.int64) for flags in (a, b))
        scores_a, scores_b, own_a, own_b = (np.zeros(len(flags), np.float32) for flags in (a, b, a, b))
        same = Bits.unset((len(a), len(b))) if keep else None
        return cls((a, b), of_a, of_b, scores_a, scores_b, own_a, own_b, same)

    @classmethod
    def of(cls, table: Table, follows: tuple[Flags, Flags], kept: tuple[Flags, Flags]) -> Self:
        """Find those of a whole table, where only some sentences of a (s_a,) and of b (s_b,) are kept."""
        found = cls.none(*follows)
        for start, scores in kept_rows(table, *kept):
            found.add(start, scores)
        found.finish()
        return found

    def add(self, start: int, scores: Cosines) -> None:
        """Take the scores (n, s_b) of the rows from `start`, after those before; 0 means that two do not match."""
        for first in range(0, len(scores), ROWS_AT_ONCE):
            some = scores[first : first + ROWS_AT_ONCE]
            self._take(some[0])
            self._start, self._waiting = start + first, some

    def finish(self) -> None:
        """Take the last rows, when all were added."""
        self._take(None)

    def _take(self, below: Cosines | None) -> None:
        """Take the rows that waited for the one below them."""
        scores, start = self._waiting, self._start
        if scores is None:
            return
        stop = start + len(scores)
        context = in_context(scores, (self._above, below), (followers(self.follows[0], start, stop), self.follows[1]))
        np.copyto(context, scores, where=(scores >= SAME_WORDS) & (scores > context))
        if self.same is not None:
            self.same.put(start, context >= COVERS)
        rows, columns = np.arange(start, stop), np.arange(scores.shape[1])
        self.scores_a[rows] = context.max(axis=1)
        self.scores_b[:] = np.maximum(self.scores_b, context.max(axis=0))
        places = scores.argmax(axis=1)
        self.own_a[rows] = scores[rows - start, places]
        self.of_a[rows] = np.where(self.own_a[rows] > 0, places, -1)
        best = np.ascontiguousarray(scores.T).argmax(axis=1)  # faster than along the columns
        values = scores[best, columns]
        better = values > self.own_b
        self.of_b[better], self.own_b[better] = start + best[better], values[better]
        self._above, self._waiting = scores[-1], None


def kept_rows(table: Table, a: Flags, b: Flags, step: int = ROWS_AT_ONCE) -> Iterator[tuple[int, Cosines]]:
    """Yield a table some rows at a time, with the first row's number; 0 where a sentence of a or b is not kept."""
    rows, columns = table.shape
    for start in range(0, rows if columns else 0, step):
        scores = table.rows(start, min(rows, start + step))
        scores[~a[start : start + len(scores)]] = 0
        scores[:, ~b] = 0
        yield start, scores


def followers(follows: Flags, start: int, stop: int) -> Flags:
    """Return which of the sentences from `start`, and the one at `stop` if any, follow the one before: (n + 1,)."""
    return np.append(follows, np.zeros(1, np.bool_))[start : stop + 1]


def in_context(scores: Cosines, beside: tuple[Cosines | None, Cosines | None], follows: tuple[Flags, Flags]) -> Cosines:
    """Return how well some sentences of a match those of b with their neighbours: (n, s_b), from own scores (n, s_b).

    score in context = (2 own + that of the two sentences before + that of the two sentences after) / 4,

    with the own score where one of the parts ends. `beside` holds the rows (s_b,) above and below, `follows`
    for the rows and the one below (n + 1,), and for b (s_b,), which sentences follow the one before in the same part.
    """
    above, below = (np.zeros(scores.shape[1], np.float32) if row is None else row for row in beside)
    rows, columns = (np.flatnonzero(~flags) for flags in follows)  # what begins a part: few of many
    found, shifted = 2 * scores, np.empty_like(scores)
    shifted[0, 1:], shifted[1:, 1:] = above[:-1], scores[:-1, :-1]
    found += _where_it_goes_on(shifted, scores, rows, np.append(0, columns))
    shifted[-1, :-1], shifted[:-1, :-1] = below[1:], scores[1:, 1:]
    found += _where_it_goes_on(shifted, scores, rows - 1, np.append(columns, scores.shape[1]) - 1)
    found /= 4
    return found


def _where_it_goes_on(shifted: Cosines, scores: Cosines, rows: Positions, columns: Positions) -> Cosines:
    """Write into `shifted` the own score where no neighbour is, in some rows and columns, and return it."""
    rows, columns = rows[(rows >= 0) & (rows < len(scores))], columns[columns >= 0]
    shifted[rows], shifted[:, columns] = scores[rows], scores[:, columns]
    return shifted


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """What is kept of the pairs of two documents.

    `follows` says with which pairs a passage may go on; `short` counts the sentences of a and of b that match only in
    passages of too few words.
    """

    cells: CellPairs
    candidates: Candidates
    follows: Bits
    short: tuple[int, int]


def match(
    table: Table,
    a: SentenceFacts,
    b: SentenceFacts,
    min_words: int,
    done: Callable[[int], None],
    nearest: NearestSentences | None = None,
) -> Matches:
    """Go through all pairs; those of fewer than `min_words` on a side count only in a passage that has as many.

    `done` hears of the rows that are done: each once, and twice where passages are measured first. `nearest` takes the
    best match of each sentence, of whatever length.
    """
    shape = table.shape
    follows, enough = Bits.unset(shape), None
    if min_words > 0:
        for start, scores in _blocks(table, a, b, done):
            follows.put(start, scores >= NEXT_SCORE)
        enough = long_enough(follows, a, b, min_words)
    cells, candidates, left = CellPairs.empty((a.chunks, b.chunks)), Candidates.none(shape[1]), _Left.of(shape)
    for start, scores in _blocks(table, a, b, done):
        stop = start + len(scores)
        if enough is None:
            follows.put(start, scores >= NEXT_SCORE)
        if nearest is not None:
            nearest.add(start, scores)
        telling = scores * a.telling[start:stop, None] * b.telling
        if enough is not None:
            found = telling >= LEAST_SCORE
            telling *= enough.rows(start, stop)
            left.add(start, found, telling >= LEAST_SCORE)
        cells.add(start, telling, a, b)
        candidates.add(start, telling)
    if nearest is not None:
        nearest.finish()
    return Matches(cells, candidates, follows, left.out())


def long_enough(follows: Bits, a: SentenceFacts, b: SentenceFacts, least: int) -> Bits:
    """Return which pairs have at least `least` words in both documents, or stand in a passage that has.

    Passages run along diagonals, so their words are summed row by row on the way down; on the way up, what a passage's
    last pair says goes to all of it.
    """
    enough = Bits.unset(follows.shape)
    ours, theirs = (np.zeros(follows.width, np.int64) for _ in range(2))  # words of the passage up to each pair
    for row, joined in enumerate(_joined(follows, a, b, range(follows.shape[0]))):
        ours[1:], theirs[1:] = ours[:-1] * joined[1:], theirs[:-1] * joined[1:]
        ours[:1] = theirs[:1] = 0
        ours += a.counts[row]
        theirs += b.counts
        enough.put(row, (np.minimum(ours, theirs) >= least)[None])
    for row, joined in zip(
        range(follows.shape[0] - 2, -1, -1), _joined(follows, a, b, range(follows.shape[0] - 1, 0, -1)), strict=True
    ):
        if joined.any():
            own, after = enough.rows(row, row + 2)
            own[:-1] = np.where(joined[1:], after[1:], own[:-1])
            enough.put(row, own[None])
    return enough


def _joined(follows: Bits, a: SentenceFacts, b: SentenceFacts, rows: range) -> Iterator[Flags]:
    """Yield for each of some rows which of its pairs go on from the pair before them on the diagonal: (s_b,)."""
    for row in rows:
        joined = np.zeros(follows.width, np.bool_)
        if row and a.follows[row]:
            before, own = follows.rows(row - 1, row + 1)
            joined[1:] = own[1:] & before[:-1] & b.follows[1:]
        yield joined


def _blocks(
    table: Table, a: SentenceFacts, b: SentenceFacts, done: Callable[[int], None]
) -> Iterator[tuple[int, Cosines]]:
    """Yield the kept rows of a table as many at a time as fit, and tell of those that are done."""
    rows, columns = table.shape
    step = max(1, rows if rows * columns <= WHOLE_PAIRS else BLOCK_PAIRS // columns)
    for start, scores in kept_rows(table, a.kept, b.kept, step):
        yield start, scores
        done(len(scores))


@dataclass(frozen=True, slots=True, eq=False)
class _Left:
    """Which sentences of a (s_a,) and of b (s_b,) match, and which still do without passages of too few words."""

    found: tuple[Flags, Flags]
    left: tuple[Flags, Flags]

    @classmethod
    def of(cls, shape: tuple[int, int]) -> Self:
        found, left = (tuple(np.zeros(size, np.bool_) for size in shape) for _ in range(2))
        return cls((found[0], found[1]), (left[0], left[1]))

    def add(self, start: int, found: Flags, left: Flags) -> None:
        for (ours, theirs), pairs in ((self.found, found), (self.left, left)):
            ours[start : start + len(pairs)] = pairs.any(axis=1)
            np.logical_or(theirs, pairs.any(axis=0), out=theirs)

    def out(self) -> tuple[int, int]:
        """Return how many sentences match, but never in a passage that is long enough."""
        ours, theirs = (int((found & ~left).sum()) for found, left in zip(self.found, self.left, strict=True))
        return ours, theirs


MOST_PASSAGES = 50
_TWICE = 2  # passages that one sentence may stand in


def passages(
    matches: Matches,
    a: tuple[Document, Sequence[Chunk]],
    b: tuple[Document, Sequence[Chunk]],
    same: Bits | None = None,
) -> tuple[Passage, ...]:
    """Return the passages that match best, from the sentences of two documents, best first, of equal ones the longer.

    Each begins with one of the candidates and goes on, forward and back, while neighbouring ones match as well. No pair
    stands in two passages, no sentence in more than two. Its best pair gives the score. With `same`, every pair of a
    passage says the same (`NearestSentences.same`).
    """
    found: list[tuple[float, Passage]] = []
    taken: set[tuple[int, int]] = set()
    follows = matches.follows if same is None else Bits(matches.follows.packed & same.packed, same.width)
    uses = tuple(np.zeros(size, np.int64) for size in follows.shape)
    parts = a[0].parts, b[0].parts
    for row, column, score in matches.candidates.pairs():
        if (row, column) in taken or uses[0][row] >= _TWICE or uses[1][column] >= _TWICE:
            continue
        if same is not None and not same.holds(row, column):
            continue
        run = _run(follows, (row, column), (a[1], b[1]), taken=taken)
        taken.update(run)
        for ours, theirs in run:
            uses[0][ours] += 1
            uses[1][theirs] += 1
        rows, columns = zip(*run, strict=True)
        both = join_sentences(parts[0], a[1], rows), join_sentences(parts[1], b[1], columns)
        passage = Passage(round(score, DIGITS), *both)
        found.append((-passage.score, passage))
        if len(found) == MOST_PASSAGES:
            break
    return tuple(one for _, one in sorted(found, key=lambda pair: (pair[0], -len(pair[1].a.text))))


def _run(
    follows: Bits,
    seed: tuple[int, int],
    sentences: tuple[Sequence[Chunk], Sequence[Chunk]],
    *,
    taken: Collection[tuple[int, int]],
) -> list[tuple[int, int]]:
    """Return the pairs of a passage in order, from one of them; pairs that another passage has `taken` end it."""
    row, column = seed
    run = deque([seed])
    for step in (-1, 1):
        ours, theirs = row + step, column + step
        while (
            0 <= ours < follows.shape[0]
            and 0 <= theirs < follows.shape[1]
            and follows.holds(ours, theirs)
            and (ours, theirs) not in taken
            and sentences[0][ours].part == sentences[0][row].part
            and sentences[1][theirs].part == sentences[1][column].part
        ):
            run.appendleft((ours, theirs)) if step < 0 else run.append((ours, theirs))
            ours, theirs = ours + step, theirs + step
    return list(run)


def join_sentences(parts: Sequence[Section], sentences: Sequence[Chunk], places: Sequence[int]) -> Chunk:
    """Return neighbouring sentences of one of a document's parts as one stretch."""
    first, last = sentences[places[0]], sentences[places[-1]]
    return parts[first.part].chunk(first.document_id, first.part, first.start, last.stop)

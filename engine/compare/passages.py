"""Finds the sentences behind each chunk cell, and the matching passages: runs of neighbouring sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.compare.base import DIGITS, Matrix, Numbers, Passage
from engine.documents import Chunk, Document
from engine.rows import largest

MOST_PASSAGES = 50
LEAST_SCORE = 0.4
"""Of the best pair of sentences of a passage."""

_NEXT_SCORE = 0.55  # of a neighbouring pair that a passage goes on with
_CANDIDATES = 5_000
_TWICE = 2  # passages that one sentence may stand in

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The best pair of sentences of each cell: `scores` (c_a, c_b), and `pairs` (c_a, c_b, 2), -1 without one."""

    scores: Scores
    pairs: Numbers


def cells(scores: Scores, chunk_of_a: Numbers, chunk_of_b: Numbers, size: tuple[int, int]) -> Cells:
    """The best pair of each chunk cell, from all pairs of sentences (s_a, s_b) and their chunks.

    Sentences are in reading order, so that those of a chunk stand together; those of no chunk (-1) are passed over.
    """
    ours, theirs = (_stretches(*one) for one in ((chunk_of_a, size[0]), (chunk_of_b, size[1])))
    width = np.zeros((scores.shape[0], size[1]), np.float32)  # (s_a, c_b)
    columns = np.full(width.shape, -1, np.int64)
    for chunk, (start, stop) in theirs.items():
        columns[:, chunk] = start + scores[:, start:stop].argmax(axis=1)
    held = list(theirs)
    width[:, held] = np.take_along_axis(scores, columns[:, held], axis=1)
    best = Cells(np.zeros(size, np.float32), np.full((*size, 2), -1, np.int64))
    for chunk, (start, stop) in ours.items():
        rows = start + width[start:stop].argmax(axis=0)  # (c_b,)
        best.scores[chunk] = width[rows, np.arange(size[1])]
        best.pairs[chunk, :, 0], best.pairs[chunk, :, 1] = rows, columns[rows, np.arange(size[1])]
    best.pairs[best.scores <= 0] = -1
    return best


def long_enough(
    scores: Scores, counts: tuple[Numbers, Numbers], neighbours: tuple[NDArray[np.bool_], NDArray[np.bool_]], least: int
) -> Scores:
    """Which pairs (s_a, s_b) have at least `least` words on both sides, or stand in a passage that has: 1, else 0.

    `counts` (s_a,), (s_b,) are the sentences' words; `neighbours` say which of them follow the one before.
    """
    follows = scores >= _NEXT_SCORE
    joined = follows[1:, 1:] & follows[:-1, :-1] & neighbours[0][1:, None] & neighbours[1][1:]  # with the pair before
    rows, columns = np.nonzero(joined)
    order = np.lexsort((rows, columns - rows))  # passages run along diagonals, one pair after the other
    rows, columns = rows[order], columns[order]
    begins = np.ones(len(rows), np.bool_)
    begins[1:] = (np.diff(rows) != 1) | (np.diff(columns) != 1)
    enough: Scores = np.minimum((counts[0] >= least)[:, None], counts[1] >= least).astype(np.float32)  # by themselves
    if len(rows):
        first = np.flatnonzero(begins)
        ours, theirs = (
            np.add.reduceat(words[places + 1], first) + words[places[first]]
            for words, places in zip(counts, (rows, columns), strict=True)
        )
        long = np.minimum(ours, theirs) >= least  # (passages,)
        enough[rows[first], columns[first]] = long
        enough[rows + 1, columns + 1] = long[np.cumsum(begins) - 1]
    return enough


def too_short(matching: Scores, enough: Scores) -> tuple[int, int]:
    """How many sentences of either side match one of the other, but never in a passage that is long enough.

    `matching` (s_a, s_b) are the pairs that could be shown, `enough` those of them that are left.
    """
    found = (matching >= LEAST_SCORE), (enough >= LEAST_SCORE)
    ours, theirs = ((found[0].any(axis) & ~found[1].any(axis)).sum() for axis in (1, 0))
    return int(ours), int(theirs)


def passages(
    scores: Scores, telling: Scores, a: tuple[Document, Sequence[Chunk]], b: tuple[Document, Sequence[Chunk]]
) -> tuple[Passage, ...]:
    """The passages that match best, from all pairs of sentences (s_a, s_b), best first, of equal ones the longer.

    Each begins with a pair of `telling` sentences and goes on, forward and back, while neighbouring ones match as
    well. No pair stands in two passages, no sentence in more than two. The score is that of the best pair.
    """
    found: list[tuple[float, Passage]] = []
    taken: set[tuple[int, int]] = set()
    uses = np.zeros(scores.shape[0], np.int64), np.zeros(scores.shape[1], np.int64)
    for row, column in _candidates(telling):
        if (row, column) in taken or uses[0][row] >= _TWICE or uses[1][column] >= _TWICE:
            continue
        run = _run(scores, (row, column), (a[1], b[1]), taken=taken)
        taken.update(run)
        for ours, theirs in run:
            uses[0][ours] += 1
            uses[1][theirs] += 1
        joined = (_joined(a[0], a[1], [one for one, _ in run]), _joined(b[0], b[1], [one for _, one in run]))
        passage = Passage(round(float(scores[row, column]), DIGITS), *joined)
        found.append((-passage.score, passage))
        if len(found) == MOST_PASSAGES:
            break
    return tuple(one for _, one in sorted(found, key=lambda pair: (pair[0], -len(pair[1].a.text))))


def best_of_row(scores: NDArray[np.float32], most: int) -> list[int]:
    """The places (at most `most`) of the largest of some scores (n,), best first, without those of 0."""
    return [int(place) for place in largest(scores, most) if scores[place] > 0]


def as_matrix(scores: NDArray[np.float32] | Matrix) -> Matrix:
    """Numbers as a comparison shows them."""
    return np.asarray(scores, np.float64).round(DIGITS) + 0.0  # no negative zero


def _candidates(scores: Scores) -> Iterator[tuple[int, int]]:
    """Pairs worth a look, best first."""
    flat = scores.ravel()
    over = np.flatnonzero(flat >= LEAST_SCORE)
    for place in over[largest(flat[over], _CANDIDATES)]:
        yield divmod(int(place), scores.shape[1])


def _run(
    scores: Scores,
    seed: tuple[int, int],
    sentences: tuple[Sequence[Chunk], Sequence[Chunk]],
    *,
    taken: Collection[tuple[int, int]],
) -> list[tuple[int, int]]:
    """The pairs of a passage in order, from one of them; pairs that another passage has `taken` end it."""
    row, column = seed
    run = [seed]
    for step in (-1, 1):
        ours, theirs = row + step, column + step
        while (
            0 <= ours < scores.shape[0]
            and 0 <= theirs < scores.shape[1]
            and scores[ours, theirs] >= _NEXT_SCORE
            and (ours, theirs) not in taken
            and sentences[0][ours].part == sentences[0][row].part
            and sentences[1][theirs].part == sentences[1][column].part
        ):
            run.insert(0, (ours, theirs)) if step < 0 else run.append((ours, theirs))
            ours, theirs = ours + step, theirs + step
    return run


def _joined(document: Document, sentences: Sequence[Chunk], places: Sequence[int]) -> Chunk:
    """Neighbouring sentences as one stretch."""
    first, last = sentences[places[0]], sentences[places[-1]]
    return document.parts[first.part].chunk(document.id, first.part, first.start, last.stop)


def _stretches(chunk_of: Numbers, size: int) -> dict[int, tuple[int, int]]:
    """Where the sentences of each chunk begin and end; chunks without one are not named."""
    inside = np.flatnonzero(chunk_of >= 0)
    found = {}
    for chunk in range(size):
        places = inside[chunk_of[inside] == chunk]
        if len(places):
            found[chunk] = (int(places[0]), int(places[-1]) + 1)
    return found

"""Finds the matching passages of two documents: runs of neighbouring sentences."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

import numpy as np

from engine.compare.base import DIGITS, Passage
from engine.compare.pairs import Bits, Matches
from engine.documents import Chunk, Document

MOST_PASSAGES = 50
_TWICE = 2  # passages that one sentence may stand in


def passages(
    matches: Matches, a: tuple[Document, Sequence[Chunk]], b: tuple[Document, Sequence[Chunk]]
) -> tuple[Passage, ...]:
    """The passages that match best, from the sentences of two documents, best first, of equal ones the longer.

    Each begins with one of the candidates and goes on, forward and back, while neighbouring ones match as well. No pair
    stands in two passages, no sentence in more than two. The score is that of the best pair.
    """
    found: list[tuple[float, Passage]] = []
    taken: set[tuple[int, int]] = set()
    uses = tuple(np.zeros(size, np.int64) for size in matches.follows.shape)
    for row, column, score in matches.candidates.pairs():
        if (row, column) in taken or uses[0][row] >= _TWICE or uses[1][column] >= _TWICE:
            continue
        run = _run(matches.follows, (row, column), (a[1], b[1]), taken=taken)
        taken.update(run)
        for ours, theirs in run:
            uses[0][ours] += 1
            uses[1][theirs] += 1
        joined = (_joined(a[0], a[1], [one for one, _ in run]), _joined(b[0], b[1], [one for _, one in run]))
        passage = Passage(round(score, DIGITS), *joined)
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
    """The pairs of a passage in order, from one of them; pairs that another passage has `taken` end it."""
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


def _joined(document: Document, sentences: Sequence[Chunk], places: Sequence[int]) -> Chunk:
    """Neighbouring sentences as one stretch."""
    first, last = sentences[places[0]], sentences[places[-1]]
    return document.parts[first.part].chunk(document.id, first.part, first.start, last.stop)

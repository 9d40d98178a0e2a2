"""Adds up the weights of a question's terms in machine code, where it has millions of them.

numba compiles the loops, which takes a second once a process. They go segment by segment, whose scores stay near the
processor, and read each count once or twice; whole-array operations go over the same numbers a dozen times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.core.rows import compiled
from engine.library.segments import CountArray, TermSegment

Weights = NDArray[np.float32]
Places = NDArray[np.int64]
Forms = Sequence[Sequence[int]]
"""The numbers of the forms of each term: as written it has one, of a stem there are several."""
_DENSE = 8
"""Where more than one document in eight holds a term, all of a segment are gone through, several at once."""


class _Held(NamedTuple):
    """What a segment holds of a question's terms: the counts of form f lie from `begins[f]` to `ends[f]`.

    The forms of term t are `bounds[t]` to `bounds[t + 1]`. `norm` (documents,) is of the segment's documents, which
    begin at the row `first`.
    """

    first: int
    norm: Weights
    rows: NDArray[np.int32]
    counts: CountArray
    begins: NDArray[np.int32]
    ends: NDArray[np.int32]
    bounds: Places


def summed(segments: Sequence[TermSegment], forms: Forms, weights: Weights, norm: Weights, k1: float) -> Weights:
    """Return the scores (rows,) of documents: the sums of `weights` (t,) times tf * (k1 + 1) / (tf + norm).

    tf is how often a document holds all forms of a term together. One whose `norm` (rows,) is infinite scores nothing.
    """
    scores, add = np.zeros(len(norm), np.float32), compiled(_add)
    for held in _held(segments, forms, norm):
        size = len(held.norm)
        add(scores[held.first : held.first + size], np.zeros(size, np.float32), held, np.float32(k1 + 1), weights)
    return scores


def documents_of(segments: Sequence[TermSegment], forms: Forms, norm: Weights) -> Places:
    """Return in how many documents each term stands in some form, less those whose `norm` is infinite: (t,)."""
    found, count = np.zeros(len(forms), np.int64), compiled(_count)
    for held in _held(segments, forms, norm):
        count(found, np.full(len(held.norm), -1, np.int32), held)
    return found


def _held(segments: Sequence[TermSegment], forms: Forms, norm: Weights) -> Iterator[_Held]:
    numbers = np.array([form for each in forms for form in each], np.int32)
    owners = np.repeat(np.arange(len(forms)), [len(each) for each in forms])
    for one in segments:
        if not len(one.numbers):
            continue
        places = one.numbers.searchsorted(numbers)
        some = np.flatnonzero(one.numbers[places.clip(max=len(one.numbers) - 1)] == numbers)
        begins, ends = one.starts[places[some]], one.starts[places[some] + 1]
        bounds = owners[some].searchsorted(np.arange(len(forms) + 1))
        own = norm[one.first : one.first + one.documents]
        yield _Held(one.first, own, one.rows, one.counts, begins, ends, bounds)


def _add(scores: Weights, together: Weights, held: _Held, k: np.float32, weights: Weights) -> None:
    """Add the weights of terms (t,) to the scores (n,) of a segment; `together` (n,) is zeros before and after."""
    norm = held.norm
    for term in range(len(weights)):
        begin, end, size = held.bounds[term], held.bounds[term + 1], 0
        for form in range(begin, end):
            size += held.ends[form] - held.begins[form]
            for place in range(held.begins[form], held.ends[form]):
                together[held.rows[place] - held.first] += np.float32(held.counts[place])
        if size * _DENSE > len(scores):
            for row in range(len(scores)):
                scores[row] += together[row] * k / (together[row] + norm[row]) * weights[term]
                together[row] = 0
            continue
        for form in range(begin, end):
            for place in range(held.begins[form], held.ends[form]):
                row = held.rows[place] - held.first
                count = together[row]
                if count > 0:
                    scores[row] += count * k / (count + norm[row]) * weights[term]
                    together[row] = 0


def _count(found: Places, last: NDArray[np.int32], held: _Held) -> None:
    """Add to `found` (t,) how many documents (n,) of a segment hold each term; `last` (n,) is -1 before."""
    for term in range(len(found)):
        for form in range(held.bounds[term], held.bounds[term + 1]):
            for place in range(held.begins[form], held.ends[form]):
                row = held.rows[place] - held.first
                if last[row] != term and held.norm[row] != np.inf:
                    found[term] += 1
                last[row] = term

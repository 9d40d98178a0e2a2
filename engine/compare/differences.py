"""What one document says that nothing in another covers, and whether two documents are versions of one text.

A sentence is covered where some sentence of the other document matches it well enough (`stretches.Similarities`), their
neighbours counting, too (`pairs.in_context`), or in the same words: it says the same. Matches are made of such pairs
alone (`pairs.passages`). Neighbouring sentences of one part that nothing covers are one passage. `python -m
engine.research differences --choose` tries thresholds on valid documents; its report is of test documents
(engine/research/reports/differences.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import groupby

import numpy as np

from engine.compare.model import DIGITS, Differences, Uncovered, UncoveredPassage
from engine.compare.pairs import COVERS, SAME_WORDS, Cosines, NearestSentences, join_sentences
from engine.compare.stretches import Stretches
from engine.core.errors import ConfigError
from engine.core.rows import Flags, Positions
from engine.documents import Chunk, Document, Section

SAME = 0.9
"""Sentences that match as well as this say the same in the same words, but for a word or two."""

_MOST_WORDS = 120  # of a passage; a longer run of sentences is several


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From which match on a sentence is covered, and two sentences of two versions are one; each from 0 to 1.

    A sentence is covered where one of the other document matches it in its context as well as `covers`. In one place of
    two versions, sentences that match in their context as well as `in_place` are one that was rewritten. In different
    places those that match as well as `same_words` are one that was moved, and those that match as well as `elsewhere`
    one that was moved and rewritten.
    """

    covers: float = COVERS
    in_place: float = 0.35
    elsewhere: float = 0.6
    same_words: float = SAME_WORDS

    def __post_init__(self) -> None:
        """Refuse what no match can be."""
        for one in fields(self):
            value = getattr(self, one.name)
            if not 0 < value <= 1:
                raise ConfigError(f"{one.name} must be above 0 and at most 1, got {value}.")


@dataclass(frozen=True, eq=False)
class Text:
    """The s sentences of a document; `kept` (s,) are compared, `telling` (s,) long enough to be judged alone."""

    document: Document
    sentences: Stretches
    kept: Flags
    telling: Flags

    @cached_property
    def parts(self) -> tuple[Section, ...]:
        """The parts of the document, by the numbers that the sentences hold."""
        return tuple(self.document.parts)

    @cached_property
    def words(self) -> int:
        """How many words are compared."""
        return int(self.sentences.counts[self.kept].sum())

    @cached_property
    def follows(self) -> Flags:
        """Which sentences follow the one before in the same part: (s,)."""
        parts = np.asarray([-1, *(chunk.part for chunk in self.sentences.chunks)])
        return np.asarray(parts[1:] == parts[:-1], np.bool_)

    def joined(self, numbers: Sequence[int]) -> Chunk:
        """Return neighbouring sentences of one part as one stretch."""
        return join_sentences(self.parts, self.sentences.chunks, numbers)


def differences(a: Text, b: Text, nearest: NearestSentences, thresholds: Thresholds | None = None) -> Differences:
    """Return what nothing in the other document covers, from the best match of each sentence."""
    covers = (thresholds or Thresholds()).covers
    shorter, scores = (a, nearest.own_a) if a.words <= b.words else (b, nearest.own_b)
    again = int(shorter.sentences.counts[shorter.kept & (scores >= SAME)].sum())
    return Differences(
        _uncovered(a, uncovered(a, nearest.scores_a, covers), (nearest.of_a, nearest.own_a), b),
        _uncovered(b, uncovered(b, nearest.scores_b, covers), (nearest.of_b, nearest.own_b), a),
        round(again / shorter.words, DIGITS) if shorter.words else 0.0,
    )


def uncovered(text: Text, scores: Cosines, covers: float) -> Flags:
    """Return which sentences nothing covers: (s,).

    A sentence too short to be judged alone goes with the telling ones around it in its part; it counts as covered
    unless both have nothing that covers them. One of numbers and function words alone says nothing to miss.
    """
    says = np.array([len(keys) > 0 for keys in text.sentences.keys], np.bool_)
    found: Flags = text.kept & text.telling & says & (scores < covers)
    parts = [chunk.part for chunk in text.sentences.chunks]
    for _, run in groupby(range(len(parts)), key=lambda number: (parts[number], bool(text.kept[number]))):
        held = list(run)
        judged = [number for number in held if text.telling[number]]
        for number in held:
            if text.kept[number] and not text.telling[number]:
                before = next((bool(found[one]) for one in reversed(judged) if one < number), None)
                after = next((bool(found[one]) for one in judged if one > number), None)
                around = [one for one in (before, after) if one is not None]
                found[number] = bool(around) and all(around)
    return found


def _uncovered(text: Text, flags: Flags, nearest: tuple[Positions, Cosines], other: Text) -> Uncovered:
    passages = [
        uncovered_passage(text, numbers, nearest, other)
        for is_uncovered, run in runs(text, flags.tolist())
        for numbers in (passages_of(text, run) if is_uncovered else ())
    ]
    return Uncovered(tuple(passages), text.words)


def uncovered_passage(
    text: Text, numbers: Sequence[int], nearest: tuple[Positions, Cosines], other: Text
) -> UncoveredPassage:
    """Return neighbouring sentences as a passage, with the sentence of the other text that comes nearest to one."""
    places, scores = nearest
    best = max(numbers, key=lambda number: float(scores[number]))
    miss = other.sentences.chunks[int(places[best])] if places[best] >= 0 else None
    words = int(text.sentences.counts[list(numbers)].sum())
    score = round(float(scores[best]), DIGITS)
    return UncoveredPassage(text.joined(numbers), words, miss, score, text.sentences.chunks[best])


def runs(text: Text, states: Sequence[object]) -> list[tuple[object, list[int]]]:
    """Return runs of neighbouring sentences of one part and one of the states (s,), each with its state."""
    chunks = text.sentences.chunks
    grouped = groupby(range(len(chunks)), key=lambda number: (chunks[number].part, states[number]))
    return [(state, list(numbers)) for (_, state), numbers in grouped]


def passages_of(text: Text, run: Sequence[int]) -> list[list[int]]:
    """Cut a run of neighbouring sentences into passages: at blank lines, and before one would have too many words."""
    found: list[list[int]] = []
    chunks, counts, length = text.sentences.chunks, text.sentences.counts, 0
    for number in run:
        if found:
            last = chunks[found[-1][-1]]
            between = text.parts[last.part].text[last.stop : chunks[number].start]
        if not found or between.count("\n") > 1 or length + counts[number] > _MOST_WORDS:
            found.append([])
            length = 0
        found[-1].append(number)
        length += int(counts[number])
    return found

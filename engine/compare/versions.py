"""What a second version of a text changes of the first: what is new, rewritten, moved and dropped.

Sentences of both versions are aligned in order: the alignment is the chain of pairs, ascending in both texts, whose
matches weigh most (a longest common subsequence with weights; Needleman and Wunsch 1970, with gaps for free). A pair
of the chain with the same letters and digits is unchanged, any other is rewritten in its place. Of the sentences that
the chain leaves, those that match in other places are moved, or, where they match less well, rewritten elsewhere. What
is left is new in the second version and dropped of the first.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from engine.compare.differences import Text, Thresholds, passages_of, uncovered_passage
from engine.compare.model import DIGITS
from engine.compare.pairs import Bits, Cosines, NearestSentences, Table, followers, in_context, kept_rows
from engine.core.rows import Positions
from engine.documents import Chunk

ChangeKind = Literal["new", "rewritten", "moved", "dropped"]
CHANGE_KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)
UNCHANGED = "unchanged"

_WORD = re.compile(r"\s*\S+\s*$|\s*\S+")
_PLACE = 60
"""Sentences between two anchors, at most, that are one place; a rewritten section has some twenty."""
_SPELT_ALIKE = 1.5  # times the weight of others that match as well

PairWeights = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Change:
    """A passage that a version changes: `old` is None for a new one, `new` for one that is dropped.

    Of a new or dropped passage, `nearest` is the sentence of the other version that comes nearest, None where none
    shares anything with it. `score` is how well the two match.
    """

    kind: ChangeKind
    old: Chunk | None
    new: Chunk | None
    words: int
    score: float
    nearest: Chunk | None = None


@dataclass(frozen=True, slots=True)
class Versions:
    """What the second version changes, in its reading order, and what it drops where that stood.

    `old_words` and `new_words` count the words compared of each version.
    """

    changes: tuple[Change, ...]
    old_words: int
    new_words: int

    def of_kind(self, kind: ChangeKind) -> tuple[Change, ...]:
        """Return the changes of one kind."""
        return tuple(change for change in self.changes if change.kind == kind)

    def longest_by_kind(self) -> dict[ChangeKind, list[Change]]:
        """Return the changes of each kind that occurs, the longest first."""
        ordered = sorted(self.changes, key=lambda change: -change.words)
        found = {kind: [change for change in ordered if change.kind == kind] for kind in CHANGE_KINDS}
        return {kind: changes for kind, changes in found.items() if changes}

    def share(self, kind: ChangeKind) -> float:
        """Return a kind's share of words: of the first version for what is dropped, else of the second; from 0 to 1."""
        whole = self.old_words if kind == "dropped" else self.new_words
        return round(sum(change.words for change in self.of_kind(kind)) / whole, DIGITS) if whole else 0.0


@dataclass(slots=True, eq=False)
class Alignment:
    """Which old sentences each new one comes from, and what became of the sentences of both versions.

    `kinds` holds "unchanged", "rewritten" or "moved" for each new sentence with a place in `links`; `scores` how well
    it matches.
    """

    links: dict[int, list[int]] = field(default_factory=dict)
    kinds: dict[int, str] = field(default_factory=dict)
    scores: dict[int, float] = field(default_factory=dict)

    def link(self, new: int, old: int, kind: str, score: float) -> None:
        """Join a new sentence with an old one."""
        self.links[new] = sorted({*self.links.get(new, ()), old})
        self.kinds[new] = kind
        self.scores[new] = max(score, self.scores.get(new, 0.0))

    def used(self) -> dict[int, int]:
        """Return the last new sentence that each old one is joined with."""
        return {old: new for new, linked in self.links.items() for old in linked}

    def states(self, old: Text, new: Text) -> tuple[list[str], list[str]]:
        """Return what became of each old and each new sentence; empty for one that is left out."""
        used = self.used()
        return (
            [
                (self.kinds[used[number]] if number in used else "dropped") if kept else ""
                for number, kept in enumerate(old.kept.tolist())
            ],
            [self.kinds.get(number, "new") if kept else "" for number, kept in enumerate(new.kept.tolist())],
        )


class Spelt:
    """A table in which two sentences of the same letters and digits match fully, also where neither has a word."""

    def __init__(self, table: Table, old: Text, new: Text) -> None:
        """Take how well the sentences of two versions match: (s_old, s_new)."""
        self._table = table
        self.letters = tuple([_letters(chunk.text) for chunk in text.sentences.chunks] for text in (old, new))
        self._places: dict[str, list[int]] = {}
        for number, spelt in enumerate(self.letters[1]):
            self._places.setdefault(spelt, []).append(number)

    @property
    def shape(self) -> tuple[int, int]:
        """(s_old, s_new)."""
        return self._table.shape

    def rows(self, start: int, stop: int) -> Cosines:
        """Return the rows from `start` to before `stop`: (stop - start, s_new)."""
        found = self._table.rows(start, stop)
        for row in range(start, stop):
            found[row - start, self.places(row)] = 1
        return found

    def places(self, row: int) -> list[int]:
        """Return the new sentences with the same letters and digits as an old one."""
        return self._places.get(self.letters[0][row], [])


def versions(old: Text, new: Text, table: Table, thresholds: Thresholds | None = None) -> Versions:
    """Return what `new` changes of `old`; `table` (s_old, s_new) holds how well their sentences match."""
    spelt = Spelt(table, old, new)
    nearest = NearestSentences.of(spelt, (old.follows, new.follows), (old.kept, new.kept))
    alignment = align(old, new, spelt, nearest, thresholds or Thresholds())
    return Versions(tuple(_changes(old, new, alignment, nearest)), old.words, new.words)


def align(old: Text, new: Text, table: Spelt, nearest: NearestSentences, thresholds: Thresholds) -> Alignment:
    """Join the sentences of two versions."""
    found, letters = Alignment(), table.letters
    for before, after in _chain(table.shape, _same(old, new, table, thresholds.same_words)):
        kind = UNCHANGED if letters[0][before] == letters[1][after] else "rewritten"
        found.link(after, before, kind, _score(table, before, after))
    anchors = {links[0]: after for after, links in found.links.items()}
    _tell_other_sections(old, new, found)
    for before, after, score in _elsewhere(old, new, table, found, thresholds.same_words):
        found.link(after, before, "moved", score)
    _go_on(old, new, letters, found)
    for before, after in _chain(table.shape, _near(old, new, table, (found, anchors), thresholds)):
        found.link(after, before, "rewritten", _score(table, before, after))
    for before, after, score in _elsewhere(old, new, table, found, thresholds.elsewhere):
        found.link(after, before, "rewritten", score)
    _join_parts(old, new, nearest, found, thresholds.covers)
    return found


def changed_words(text: str, other: str) -> Iterator[tuple[str, bool]]:
    """Yield a text in pieces, each with whether its words are not in the other text in this order."""
    ours, theirs = (_WORD.findall(one) for one in (text, other))
    a, b = ([_letters(word) or word for word in words] for words in (ours, theirs))
    for tag, start, stop, *_ in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if stop > start:
            yield "".join(ours[start:stop]), tag != "equal"


def _letters(text: str) -> str:
    """Return what a change must change: letters and digits, without case, spaces, hyphens and marks."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", text).casefold() if letter.isalnum())


def _chain(shape: tuple[int, int], weights: Iterable[PairWeights]) -> list[tuple[int, int]]:
    """Return the heaviest chain of pairs that ascends in both texts, from the weights (s_new,) of each old sentence.

    A pair of weight 0 is in no chain.
    """
    best = np.zeros(shape[1] + 1)  # of the chains in the rows so far and the columns before each
    took, came = Bits.unset(shape), Bits.unset(shape)  # the pair itself, or the column before
    for row, weighed in enumerate(weights):
        with_pair = best[:-1] + weighed
        reached = np.maximum(best[1:], with_pair)
        after = np.maximum.accumulate(reached)
        took.put(row, ((weighed > 0) & (with_pair > best[1:]) & (reached == after))[None])
        came.put(row, (after > reached)[None])
        best[1:] = after
    row, column, chain = shape[0] - 1, shape[1] - 1, []
    while row >= 0 and column >= 0:
        if came.holds(row, column):
            column -= 1
        else:
            if took.holds(row, column):
                chain.append((row, column))
                column -= 1
            row -= 1
    return chain[::-1]


def _same(old: Text, new: Text, table: Spelt, least: float) -> Iterator[PairWeights]:
    """Yield for each old sentence what a pair with each new one weighs that says the same in the same words.

    One with the same letters and digits weighs more: sentences that differ in a number alone match fully, too.
    """
    words = new.sentences.counts + 1
    for row, scores in enumerate(_rows(old, new, table)):
        weights = np.where(scores >= least, scores.astype(np.float64) ** 2 * (words + old.sentences.counts[row]), 0)
        weights[table.places(row)] *= _SPELT_ALIKE
        yield weights


def _near(
    old: Text, new: Text, table: Table, made: tuple[Alignment, Mapping[int, int]], thresholds: Thresholds
) -> Iterator[PairWeights]:
    """Yield for each old sentence that is left what a pair with each new one weighs between the same two `anchors`.

    How well a pair matches counts half, how well its neighbours match the other half: a sentence between two that were
    rewritten was rewritten, too. A match of less than `least` weighs nothing.
    """
    found, anchors = made
    used, free = found.used(), np.array([number not in found.links for number in range(len(new.sentences))], np.bool_)
    ends = [(-1, -1), *sorted(anchors.items()), (len(old.sentences), len(new.sentences))]
    gap = 0
    follows = old.follows, new.follows
    words = new.sentences.counts + 1
    for row, (before, scores, after) in enumerate(_triples(_rows(old, new, table))):
        while ends[gap + 1][0] <= row:
            gap += 1
        weights = np.zeros(len(words))
        inside = slice(ends[gap][1] + 1, ends[gap + 1][1])
        if row not in used and old.kept[row] and inside.start < inside.stop:
            is_place = max(inside.stop - inside.start, ends[gap + 1][0] - ends[gap][0] - 1) <= _PLACE
            least = thresholds.in_place if is_place else thresholds.covers
            own = followers(follows[0], row, row + 1)
            context = in_context(scores[None], (before, after), (own, follows[1]))[0].astype(np.float64)
            held = (context >= least) & free & (scores > 0)
            weighed = np.where(held, context**2 * (words + old.sentences.counts[row]), 0)
            weights[inside] = weighed[inside]
        yield weights


def _triples(rows: Iterable[Cosines]) -> Iterator[tuple[Cosines | None, Cosines, Cosines | None]]:
    """Yield each row with the one before and the one after it."""
    before: Cosines | None = None
    row: Cosines | None = None
    for after in rows:
        if row is not None:
            yield before, row, after
        before, row = row, after
    if row is not None:
        yield before, row, None


def _score(table: Table, row: int, column: int) -> float:
    return float(table.rows(row, row + 1)[0, column])


def _rows(old: Text, new: Text, table: Table) -> Iterator[Cosines]:
    """Yield the rows of the table; 0 where a sentence is left out."""
    for _, block in kept_rows(table, old.kept, new.kept):
        yield from block


def _tell_other_sections(old: Text, new: Text, found: Alignment) -> None:
    """Mark as moved what stands in order but in another section.

    A sentence stays in its section where most of either section is in the other: sections may be parted or joined.
    """
    ours, theirs = (np.array([chunk.part for chunk in text.sentences.chunks], np.int64) for text in (old, new))
    words: Counter[tuple[int, int]] = Counter()
    for after, (before, *_) in found.links.items():
        words[int(ours[before]), int(theirs[after])] += int(new.sentences.counts[after]) + 1
    goes: dict[int, int] = {}
    comes: dict[int, int] = {}
    for (before, after), _ in words.most_common():
        goes.setdefault(before, after)
        comes.setdefault(after, before)
    for after, (before, *_) in found.links.items():
        part, now = int(ours[before]), int(theirs[after])
        if goes[part] != now and comes[now] != part:
            found.kinds[after] = "moved"


def _elsewhere(old: Text, new: Text, table: Table, found: Alignment, least: float) -> list[tuple[int, int, float]]:
    """Return the pairs of the sentences left that match best, each sentence in one, as (old, new, score)."""
    used = found.used()
    columns = np.array(
        [one for one in np.flatnonzero(new.kept & new.telling).tolist() if one not in found.links], np.int64
    )
    pairs = []
    for row in np.flatnonzero(old.kept & old.telling).tolist():
        if row not in used and len(columns):
            scores = table.rows(row, row + 1)[0, columns]
            pairs += [(float(scores[one]), row, int(columns[one])) for one in np.flatnonzero(scores >= least)]
    chosen: list[tuple[int, int, float]] = []
    rows_taken, columns_taken = set(), set()
    for score, row, column in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if row not in rows_taken and column not in columns_taken:
            chosen.append((row, column, score))
            rows_taken.add(row)
            columns_taken.add(column)
    return chosen


def _go_on(old: Text, new: Text, letters: Sequence[Sequence[str]], found: Alignment) -> None:
    """Move a sentence too short to be judged alone with its neighbour where it has the same letters."""
    used = found.used()
    for step, places in ((1, range(len(new.sentences))), (-1, range(len(new.sentences) - 1, -1, -1))):
        for place_ in places:
            before = place_ - step
            if place_ in found.links or found.kinds.get(before) != "moved" or not new.kept[place_]:
                continue
            theirs = found.links[before][0] + step
            if 0 <= theirs < len(old.sentences) and theirs not in used and letters[0][theirs] == letters[1][place_]:
                found.link(place_, theirs, "moved", 1.0)
                used[theirs] = place_


def _join_parts(old: Text, new: Text, nearest: NearestSentences, found: Alignment, least: float) -> None:
    """Join sentences that were divided or run together: one left that matches what its neighbour was rewritten from."""
    for number in np.flatnonzero(new.kept & (nearest.own_b >= least)).tolist():
        theirs = int(nearest.of_b[number])
        beside = [one for one in (number - 1, number + 1) if theirs in found.links.get(one, ())]
        if number not in found.links and any(found.kinds[one] == "rewritten" for one in beside):
            found.link(number, theirs, "rewritten", float(nearest.own_b[number]))
    used = found.used()
    for number in np.flatnonzero(old.kept & (nearest.own_a >= least)).tolist():
        ours = int(nearest.of_a[number])
        is_beside = any(one in found.links.get(ours, ()) for one in (number - 1, number + 1))
        if number not in used and is_beside and found.kinds[ours] == "rewritten":
            found.link(ours, number, "rewritten", float(nearest.own_a[number]))


def _changes(old: Text, new: Text, found: Alignment, nearest: NearestSentences) -> Iterator[Change]:
    """Yield the changes in the order of the new version, and what is dropped after what stood before it."""
    states_old, states_new = found.states(old, new)
    told: list[tuple[float, Change]] = []
    for kind, numbers in _runs(new, states_new, found, old):
        linked = sorted({one for number in numbers for one in found.links.get(number, ())})
        if linked:
            words = int(new.sentences.counts[numbers].sum())
            score = min(found.scores[number] for number in numbers)
            change = Change(kind, old.joined(linked), new.joined(numbers), words, round(score, DIGITS))
        else:
            change = _alone(kind, new, numbers, (nearest.of_b, nearest.own_b), old)
        told.append((numbers[0], change))
    used = {old_: new_ for old_, new_ in found.used().items() if found.kinds[new_] != "moved"}
    after, seen = -0.5, 0
    for kind, numbers in _runs(old, states_old, None, old):
        while seen < numbers[0]:
            after = max(after, used.get(seen, -1) + 0.5)
            seen += 1
        told.append((after, _alone(kind, old, numbers, (nearest.of_a, nearest.own_a), new)))
    yield from (change for _, change in sorted(told, key=lambda one: one[0]))


def _alone(
    kind: ChangeKind, text: Text, numbers: Sequence[int], nearest: tuple[Positions, Cosines], other: Text
) -> Change:
    """Return a passage that the other version does not have, as a change."""
    one = uncovered_passage(text, numbers, nearest, other)
    old, new = (one.passage, None) if kind == "dropped" else (None, one.passage)
    return Change(kind, old, new, one.words, one.score, one.nearest)


def _runs(
    text: Text, states: Sequence[str], found: Alignment | None, old: Text
) -> Iterator[tuple[ChangeKind, list[int]]]:
    """Yield neighbouring sentences of one part and kind, from neighbouring sentences of one part, cut into passages.

    Without an alignment, of what is dropped alone.
    """
    wanted = CHANGE_KINDS[:-1] if found is not None else CHANGE_KINDS[-1:]
    run: list[int] = []
    for number in range(len(states) + 1):
        if run and not (number < len(states) and _goes_on(text, states, number) and _is_beside(found, number, old)):
            kind = next(kind for kind in wanted if kind == states[run[0]])
            yield from ((kind, numbers) for numbers in passages_of(text, run))
            run = []
        if number < len(states) and states[number] in wanted:
            run.append(number)


def _goes_on(text: Text, states: Sequence[str], number: int) -> bool:
    """Tell whether a sentence has the state of the one before it, in the same part."""
    chunks = text.sentences.chunks
    return states[number] == states[number - 1] and chunks[number].part == chunks[number - 1].part


def _is_beside(found: Alignment | None, number: int, old: Text) -> bool:
    """Tell whether a new sentence comes from the same place as the one before it, if from any."""
    if found is None or number not in found.links:
        return True
    before, after, chunks = found.links[number - 1][-1], found.links[number][0], old.sentences.chunks
    return after - before in (0, 1) and chunks[before].part == chunks[after].part

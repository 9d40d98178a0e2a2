"""The parts of a comparison of two documents: grids, passages, claim elements, differences, and its score.

Matches may follow one another in both texts (`chains`), or be given as another's words (`acknowledged`). It is long,
because screens, reports and JSON take all of their parts from one place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine import search
from engine.core.rows import Flags, Positions
from engine.documents import Chunk, Document, Reference
from engine.documents.questions import has_citation
from engine.documents.text import how_many, in_percent
from engine.search import shared_references

Acknowledged = Literal["", "quoted", "cited"]
"""Between quotation marks, or with a citation."""

_QUOTED = re.compile(
    r"“[^“”]{20,3000}”|«[^«»]{20,3000}»|„[^„“”]{20,3000}[“”]|\"[^\"\n]{20,3000}\"|``(?:(?!``|'').){20,3000}''",
    re.DOTALL,
)
_MOSTLY = 0.5
Extent = tuple[int, int]
"""Where a stretch begins and ends in its document, in characters."""

MOST_BETWEEN = 3_000
"""No chain spans a gap of more characters in either document: a page of text."""


Matrix: TypeAlias = NDArray[np.floating[Any]]
Letter = Literal["a", "b"]
"""Which of the two documents."""

REFERENCES, RECURRING, SHORT = "references", "recurring", "short"
"""Why a sentence is left out, in the order of the checks."""

_NEAR = 0.75

LETTERS = "ABC"
"""What documents go by, in the order in which they were given."""

DIGITS = 4
"""Every number of a comparison is rounded to this many decimals, so that screen, JSON and report agree."""

_ONE = 10**DIGITS
_NUMBERS = np.array([number / _ONE for number in range(-_ONE, _ONE + 1)], np.object_)
"""Every number that a matrix can hold: two books have millions of cells, and these few numbers in them."""

_ROWS_AT_ONCE = 256

MOST_LISTED = 60
"""Passages that nothing covers, or that a version changes, of a kind."""

MOSTLY = 0.5
"""Two documents are versions where more than this share of the shorter one's words is in both."""


@dataclass(frozen=True, slots=True)
class Exclusions:
    """What is left out of a comparison.

    `references`: reference lists, and entries that slipped from them into the body. `recurring`: boilerplate, and
    sentences whose words occur together in several other documents of the library. `min_words`: matching passages
    shorter than this in either document. A chunk is left out if most of its words are.
    """

    references: bool = True
    recurring: bool = True
    min_words: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Similarities of the n_a and n_b parts (sections or chunks) of two documents.

    `a` and `b` name the parts in reading order. `across` (n_a, n_b); `within_a` (n_a, n_a) and `within_b` (n_b, n_b)
    compare a document with itself. Parts that are left out have zeros.
    """

    a: tuple[str, ...]
    b: tuple[str, ...]
    across: Matrix
    within_a: Matrix
    within_b: Matrix

    def transposed(self) -> Grid:
        """Return the same grid with the documents swapped."""
        return Grid(self.b, self.a, self.across.T, self.within_b, self.within_a)


@dataclass(frozen=True, slots=True)
class Passage:
    """Runs of neighbouring sentences that match, one in each document; score in [0, 1].

    `a` and `b` are stretches of one part each: `document.parts[a.part].text[a.start:a.stop] == a.text`. `reading` is
    the word for the two; None where it was not asked for, or no encoder of passages is installed.
    """

    score: float
    a: Chunk
    b: Chunk
    reading: search.Reading | None = field(default=None, compare=False)

    @property
    def nearness(self) -> tuple[int, float]:
        """What orders pairs: the word, then the score; larger is nearer."""
        return (-self.reading.rank if self.reading else 0, self.score)

    def transposed(self) -> Passage:
        """Return the same match with the documents swapped."""
        return Passage(self.score, self.b, self.a, self.reading)


@dataclass(frozen=True, slots=True)
class ClaimElement:
    """One element of a patent's claim and the nearest passages of the other document, best first.

    `side` is the document with the claim; `claim` is the claim's number, from 1. In each of the passages this
    document's own text is `element`.
    """

    side: Letter
    claim: int
    element: Chunk
    passages: tuple[Passage, ...]

    @property
    def nearness(self) -> tuple[int, float]:
        """What orders elements: that of the nearest passage, below all where none comes near."""
        return self.passages[0].nearness if self.passages else (-len(search.Reading.meanings), 0.0)

    def transposed(self) -> ClaimElement:
        """Return the same element with the documents swapped."""
        passages = tuple(passage.transposed() for passage in self.passages)
        return ClaimElement("b" if self.side == "a" else "a", self.claim, self.element, passages)


@dataclass(frozen=True, slots=True)
class UncoveredPassage:
    """A passage of one document that nothing in the other covers, its words, and the nearest miss with its score.

    `nearest` is the other document's sentence that comes nearest to one of the passage's, `sentence`; None where none
    shares anything with it. `reading` is the word for these two, None of the shortest where there are hundreds.
    """

    passage: Chunk
    words: int
    nearest: Chunk | None
    score: float
    sentence: Chunk | None = None
    reading: search.Reading | None = field(default=None, compare=False)

    @property
    def is_close(self) -> bool:
        """Whether the two sentences that are nearest say the same or are closely related."""
        return self.reading is not None and self.reading.is_near

    @property
    def pair(self) -> tuple[str, str] | None:
        """The two sentences that are nearest, as a reading reads them; None where nothing is near."""
        return (self.sentence.text, self.nearest.text) if self.sentence and self.nearest else None


@dataclass(frozen=True, slots=True)
class Uncovered:
    """What of one document nothing in the other covers, in reading order; `of_words` counts all words compared."""

    passages: tuple[UncoveredPassage, ...]
    of_words: int

    @property
    def words(self) -> int:
        """How many words nothing covers."""
        return sum(one.words for one in self.passages)

    @property
    def close(self) -> Uncovered:
        """Those passages that hold a sentence which reads as close to one of the other: a person should read both."""
        return replace(self, passages=tuple(one for one in self.passages if one.is_close))

    @property
    def alone(self) -> Uncovered:
        """Those passages to which nothing in the other document comes close."""
        return replace(self, passages=tuple(one for one in self.passages if not one.is_close))

    @property
    def longest(self) -> list[UncoveredPassage]:
        """The passages that are listed, the longest first."""
        return sorted(self.passages, key=lambda one: -one.words)[:MOST_LISTED]

    @property
    def share(self) -> float:
        """The share of the words that nothing covers, from 0 to 1; 0 where nothing is compared."""
        return round(self.words / self.of_words, DIGITS) if self.of_words else 0.0

    @property
    def covered(self) -> str:
        """The share of the words that the other document says, too, as people write it: "37 %"."""
        return in_percent(1 - self.share if self.of_words else 0.0)


@dataclass(frozen=True, slots=True)
class Differences:
    """What of a nothing in b covers, and the other way round.

    `same` is the share of the shorter document's words in sentences that the other has, too, but for a word or two.
    """

    a: Uncovered
    b: Uncovered
    same: float

    @property
    def are_versions(self) -> bool:
        """Whether the two documents are versions of one text: most passages say the same in the same words."""
        return self.same > MOSTLY

    def transposed(self) -> Differences:
        """Return the same with the documents swapped."""
        return Differences(self.b, self.a, self.same)


@dataclass(frozen=True, slots=True)
class Percentile:
    """How a document score compares with unrelated pairs: a share in percent, None if unknown.

    `sentence` says it in words in either case, for the reader.
    """

    percentile: float | None
    sentence: str


@dataclass(frozen=True, slots=True)
class MixedPart:
    """One number in a mixed document score, its name, and its share of the score."""

    name: str
    value: float
    share: float


@dataclass(frozen=True, slots=True)
class Mixed:
    """The parts of a document score: score = the sum of share * value over its parts.

    The first part is the encoder's similarity, under the encoder's name.
    """

    score: float
    parts: tuple[MixedPart, ...]

    @classmethod
    def of(cls, parts: Sequence[MixedPart]) -> Self:
        """Mix parts; shares are scaled to sum to 1, and values are rounded as a comparison shows them."""
        total = sum(part.share for part in parts)
        shown = tuple(MixedPart(one.name, round(one.value, DIGITS), one.share / total) for one in parts)
        return cls(round(sum(part.share * part.value for part in shown), DIGITS), shown)

    def sentence(self, called: Callable[[str], str] = str) -> str:
        """Return the parts in words for the reader; `called` gives a part's name there."""
        told = [f"{called(part.name)} {part.value:.2f} ({in_percent(part.share)})" for part in self.parts]
        return f"Mixed of {', '.join(told)}."


@dataclass(frozen=True, slots=True, eq=False)
class Carriers:
    """The sentences of both documents, and which pair of them carries each chunk cell.

    `pairs` (c_a, c_b, 2) holds a cell's sentence numbers in `a` and `b`, or -1 twice; `scores` (c_a, c_b) is how well
    that pair matches.
    """

    digits: ClassVar[int] = DIGITS
    """How many decimals a score has."""

    a: tuple[Chunk, ...]
    b: tuple[Chunk, ...]
    pairs: NDArray[np.integer[Any]]
    scores: Matrix

    def transposed(self) -> Carriers:
        """Return the same with the documents swapped."""
        return Carriers(self.b, self.a, self.pairs.transpose(1, 0, 2)[..., ::-1], self.scores.T)

    def passage(self, row: int, column: int) -> Passage | None:
        """Return the pair of sentences behind a cell; None without a match."""
        ours, theirs = (int(number) for number in self.pairs[row, column])
        if ours < 0:
            return None
        return Passage(round(float(self.scores[row, column]), DIGITS), self.a[ours], self.b[theirs])

    def of_sections(self, rows: Positions, columns: Positions, shape: tuple[int, int]) -> Carriers:
        """Return the same for cells of sections (s_a, s_b): the best chunk cell of each carries it.

        `rows` (c_a,) and `columns` (c_b,) are the sections of the chunks, `shape` says how many sections there are.
        """
        pairs, scores = np.full((shape[0] * shape[1], 2), -1), np.zeros(shape[0] * shape[1], self.scores.dtype)
        cells = (rows[:, None] * shape[1] + columns).ravel()
        best = np.full(len(scores), -np.inf)
        np.maximum.at(best, cells, self.scores.ravel())
        found = np.flatnonzero(self.scores.ravel() == best[cells])[::-1]  # of equal ones, the first is written last
        pairs[cells[found]], scores[cells[found]] = self.pairs.reshape(-1, 2)[found], self.scores.ravel()[found]
        return Carriers(self.a, self.b, pairs.reshape(*shape, 2), scores.reshape(shape))


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Everything that a comparison of two documents shows; screen, JSON and report read their numbers here.

    `nearness` is the word that every page has for these two documents, read from their beginnings; or, where one of
    them is much shorter and something of it stands in the other, of it with `near_part`, about as many words of the
    longer one. `score` is how near the whole texts are: the encoder's similarity, or the mix of `mixed`. `chunks_a`
    (c_a of them) and `chunks_b` are the stretches in the chunk grid, `section_of_a` and `section_of_b` the places of
    their sections in that grid, and `kept_a` and `kept_b` say which were kept. `attention` (c_a, c_b) is how much each
    chunk of a attends to the chunks of b, `attention_back` (c_b, c_a) the other way; rows sum to 1, or to 0 for a chunk
    left out.
    `passages` are the matches, best first. `left_out` counts the sentences left out of a and b by reason. `differences`
    is what nothing in the other document covers. `words` says where word weights come from. `is_within` says that it is
    of a document within itself (`engine.compare.comparing`); two that hold the same text are two all the same.
    """

    a: Document
    b: Document
    score: float
    reading: Percentile
    nearness: search.Reading
    sections: Grid
    chunks: Grid
    chunks_a: tuple[Chunk, ...]
    chunks_b: tuple[Chunk, ...]
    section_of_a: Positions
    section_of_b: Positions
    kept_a: Flags
    kept_b: Flags
    attention: Matrix
    attention_back: Matrix
    carriers: Carriers
    passages: tuple[Passage, ...]
    claims: tuple[ClaimElement, ...]
    left_out: Mapping[str, tuple[int, int]]
    differences: Differences
    exclusions: Exclusions = Exclusions()
    words: str = ""
    mixed: Mixed | None = None
    is_within: bool = False
    near_part: Chunk | None = None

    @property
    def percentile(self) -> float | None:
        """How many of 100 unrelated pairs are further apart; None if unknown."""
        return self.reading.percentile

    def read_part(self, *names: str) -> str:
        """Say which part of the two documents, called by their names, `nearness` reads."""
        if self.near_part is None:
            return search.read_part(self.a, self.b, (names[0], names[1]))
        short, long = names if search.is_much_shorter(self.a, self.b) else reversed(names)
        words = how_many(len(self.near_part.text.split()), "word")
        place = f" ({self.near_part.place})" if self.near_part.place else ""
        return f"by all of {short} and the part of {long} that is nearest to it, {words}{place}"

    def said_in_both(self, *names: str) -> str:
        """Say of the whole texts which share of either one's words stands in a sentence that the other says, too."""
        found = self.differences
        if all(one.words == one.of_words and not one.close.words for one in (found.a, found.b)):
            return "Sentence by sentence, neither says what the other says, or comes close to it."
        told = f"{found.a.covered} of {names[0]} (by words) is also in {names[1]}, "
        told += f"and {found.b.covered} of {names[1]} in {names[0]}, in the same words or others"
        near = f"{in_percent(found.a.close.share)} and {in_percent(found.b.close.share)} more come close"
        return f"Sentence by sentence, {told}; {near}."

    @property
    def shared_references(self) -> tuple[Reference, ...]:
        """The entries of a's reference list whose works b cites, too."""
        return shared_references(self.a, self.b)

    @property
    def chains(self) -> tuple[tuple[int, ...], ...]:
        """The places of matches that follow one another in both texts, in reading order, the heaviest chain first."""
        starts = [[0, *accumulate(len(part.text) + 1 for part in document.parts)] for document in (self.a, self.b)]
        places = [(_span(starts[0], one.a), _span(starts[1], one.b)) for one in self.passages]
        return chains(places, [one.score for one in self.passages])

    @property
    def acknowledged(self) -> tuple[Acknowledged, ...]:
        """How each match is given as another's in either document: quoted, cited, or not at all."""
        found = ((acknowledged(self.a, one.a), acknowledged(self.b, one.b)) for one in self.passages)
        return tuple("quoted" if "quoted" in both else max(both) for both in found)

    def carried(self, level: str) -> Carriers:
        """Return which pair of sentences carries each cell of a level, "section" or "chunk"."""
        if level == "chunk":
            return self.carriers
        shape = len(self.sections.a), len(self.sections.b)
        return self.carriers.of_sections(self.section_of_a, self.section_of_b, shape)

    def transposed(self) -> Comparison:
        """Return the comparison of b with a: every number is the same."""
        return replace(
            self,
            a=self.b,
            b=self.a,
            sections=self.sections.transposed(),
            chunks=self.chunks.transposed(),
            chunks_a=self.chunks_b,
            chunks_b=self.chunks_a,
            section_of_a=self.section_of_b,
            section_of_b=self.section_of_a,
            kept_a=self.kept_b,
            kept_b=self.kept_a,
            attention=self.attention_back,
            attention_back=self.attention,
            carriers=self.carriers.transposed(),
            passages=tuple(passage.transposed() for passage in self.passages),
            claims=tuple(element.transposed() for element in self.claims),
            left_out={reason: (theirs, ours) for reason, (ours, theirs) in self.left_out.items()},
            differences=self.differences.transposed(),
        )


def _span(starts: Sequence[int], stretch: Chunk) -> tuple[int, int]:
    """Return where a stretch begins and ends in its document, whose parts begin at `starts`."""
    return starts[stretch.part] + stretch.start, starts[stretch.part] + stretch.stop


def rounded(shape: tuple[int, int], rows: Callable[[slice], Matrix]) -> Matrix:
    """Return a matrix as a comparison keeps it, from what `rows` gives of it, some rows at a time."""
    found = np.zeros(shape, np.float32)
    for start in range(0, shape[0] if shape[1] else 0, _ROWS_AT_ONCE):
        some = slice(start, start + _ROWS_AT_ONCE)
        found[some] = np.asarray(rows(some), np.float64).round(DIGITS) + 0.0  # no negative zero
    return found


def darkest(values: Matrix) -> float:
    """Return the similarity that a heatmap draws darkest: .75, or the highest value if more; so dark is always near."""
    return float(values.max(initial=_NEAR))


def numbers(matrix: Matrix) -> list[list[float]]:
    """Return the rows of a matrix as lists of the numbers that it shows."""
    found: list[list[float]] = []
    for row in matrix:
        found.append(_NUMBERS[np.rint(row.astype(np.float64) * _ONE).astype(np.int64) + _ONE].tolist())
    return found


# Matches --------------------------------------------------------------------------------------


def chains(places: Sequence[tuple[Extent, Extent]], scores: Sequence[float]) -> tuple[tuple[int, ...], ...]:
    """Return chains of two matches or more, each in reading order, the heaviest first; a match is in one at most.

    `places` (n,) are the stretches of each match in the two documents, `scores` (n,) how well each matches. In a chain
    every match begins after the one before it ends, in both documents, at most `MOST_BETWEEN` characters later. The
    heaviest chain by the sum of scores is taken out, then the heaviest of what is left (collinear chaining, without
    costs of gaps: Abouelhoda and Ohlebusch 2005, Chaining algorithms for multiple genome comparison).
    """
    left = sorted(range(len(places)), key=lambda number: (places[number], number))
    found: list[tuple[int, ...]] = []
    while len(chain := _heaviest(left, places, scores)) > 1:
        found.append(chain)
        left = [number for number in left if number not in chain]
    return tuple(found)


def _heaviest(
    numbers: Sequence[int], places: Sequence[tuple[Extent, Extent]], scores: Sequence[float]
) -> tuple[int, ...]:
    """Return the chain of the largest sum of scores among some matches, which are in the first document's order.

    A single match is one, too, where no two can be chained.
    """
    best: dict[int, tuple[float, tuple[int, ...]]] = {}
    for number in numbers:
        weight, chain = max(
            ((best[other][0], best[other][1]) for other in best if _follows(places[other], places[number])),
            key=lambda pair: (pair[0], -pair[1][0]),
            default=(0.0, ()),
        )
        best[number] = weight + scores[number], (*chain, number)
    several = [one for one in best.values() if len(one[1]) > 1]
    return max(several, key=lambda pair: (pair[0], -pair[1][0]), default=(0.0, ()))[1]


def _follows(before: tuple[Extent, Extent], after: tuple[Extent, Extent]) -> bool:
    """Tell whether a match begins soon after another ends, in both documents."""
    return all(0 <= later[0] - earlier[1] <= MOST_BETWEEN for earlier, later in zip(before, after, strict=True))


def acknowledged(document: Document, stretch: Chunk) -> Acknowledged:
    """Tell how a document gives a stretch of its text as another's: quoted where most of it is, else cited.

    A citation is a mark such as [12] or (Smith, 2010) within the stretch. What stands in none of both may still be
    acknowledged elsewhere.
    """
    text = document.parts[stretch.part].text
    inside = sum(
        max(0, min(stretch.stop, span.end()) - max(stretch.start, span.start())) for span in _QUOTED.finditer(text)
    )
    if inside > _MOSTLY * (stretch.stop - stretch.start):
        return "quoted"
    return "cited" if has_citation(stretch.text) else ""

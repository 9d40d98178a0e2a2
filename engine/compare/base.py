"""What a comparison of two documents is made of: grids, passages, claim elements, and how to read its score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.documents import Chunk, Document

Matrix: TypeAlias = NDArray[np.float64]
Numbers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Letter = Literal["a", "b"]
"""Which of the two documents."""

REFERENCES, RECURRING, SHORT = "references", "recurring", "short"
REASONS = (REFERENCES, RECURRING, SHORT)
"""Why a sentence is left out, in the order in which it is asked."""

NEAR = 0.75
"""The similarity that heatmaps draw darkest, unless a comparison has a higher one: dark means near everywhere."""

DIGITS = 4
"""Every number of a comparison is rounded to this many decimals when it is made, so that all who show it agree."""


@dataclass(frozen=True, slots=True)
class Exclusions:
    """What is left out of a comparison.

    `references`: reference lists, and what slipped from them into the body. `recurring`: boilerplate, and sentences
    whose words stand together in several other documents of the library. `min_words`: matching passages that have
    fewer words than this on either side. A chunk whose words are mostly left out is left out whole.
    """

    references: bool = True
    recurring: bool = True
    min_words: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Similarities of the parts of two documents, n_a and n_b of them: sections, or chunks.

    `a` and `b` name the parts in reading order. `across` (n_a, n_b); `within_a` (n_a, n_a) and `within_b` (n_b, n_b)
    compare a document with itself. A part that is left out has zeros.
    """

    a: tuple[str, ...]
    b: tuple[str, ...]
    across: Matrix
    within_a: Matrix
    within_b: Matrix

    def transposed(self) -> Grid:
        """The same grid with the documents changed about."""
        return Grid(self.b, self.a, self.across.T, self.within_b, self.within_a)

    def as_json(self) -> dict[str, object]:
        """Names and matrices as lists."""
        matrices = {"across": self.across, "within_a": self.within_a, "within_b": self.within_b}
        return {"a": list(self.a), "b": list(self.b), **{name: rows.tolist() for name, rows in matrices.items()}}


@dataclass(frozen=True, slots=True)
class Passage:
    """Neighbouring sentences of either document that match, one after the other; score in [0, 1].

    `a` and `b` are stretches of one part each: `document.parts[a.part].text[a.start:a.stop] == a.text`.
    """

    score: float
    a: Chunk
    b: Chunk

    def transposed(self) -> Passage:
        """The same match with the documents changed about."""
        return Passage(self.score, self.b, self.a)

    def as_json(self) -> dict[str, object]:
        """The score and both places."""
        return {"score": self.score, "a": place(self.a), "b": place(self.b)}


@dataclass(frozen=True, slots=True)
class ClaimElement:
    """One element of a patent's claim and the passages of the other document that come nearest to it, best first.

    `side` is the document that claims; `claim` is the claim's number, from 1. In each of the passages this document's
    own chunk is `element`.
    """

    side: Letter
    claim: int
    element: Chunk
    passages: tuple[Passage, ...]

    def transposed(self) -> ClaimElement:
        """The same element with the documents changed about."""
        passages = tuple(passage.transposed() for passage in self.passages)
        return ClaimElement("b" if self.side == "a" else "a", self.claim, self.element, passages)

    def as_json(self) -> dict[str, object]:
        """The element's place, and the other document's places with their scores."""
        others = [(one.score, one.b if self.side == "a" else one.a) for one in self.passages]
        return {
            "side": self.side,
            "claim": self.claim,
            "element": place(self.element),
            "passages": [{"score": score, **place(chunk)} for score, chunk in others],
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """How a document score compares with unrelated pairs: a share in percent, None where none are known.

    `sentence` says it in words either way, for the person who reads the score.
    """

    percentile: float | None
    sentence: str


@dataclass(frozen=True, slots=True)
class Part:
    """One number that a document score is mixed of, what it is called, and how much of the score it is."""

    name: str
    value: float
    share: float

    def as_json(self) -> dict[str, str | float]:
        """The part by its fields' names."""
        return {"name": self.name, "value": self.value, "share": round(self.share, DIGITS)}


@dataclass(frozen=True, slots=True)
class Mixed:
    """What a document score is mixed of: score = the sum of share * value over its parts.

    The first part is the encoder's similarity, under the encoder's name.
    """

    score: float
    parts: tuple[Part, ...]

    @classmethod
    def of(cls, parts: Sequence[Part]) -> Self:
        """Mix parts, whose shares are brought to sum to 1; values are rounded as a comparison shows them."""
        total = sum(part.share for part in parts)
        shown = tuple(Part(one.name, round(one.value, DIGITS), one.share / total) for one in parts)
        return cls(round(sum(part.share * part.value for part in shown), DIGITS), shown)

    def sentence(self, called: Callable[[str], str] = str) -> str:
        """The parts for the person who reads the score; `called` says what a part's name is there."""
        told = [f"{called(part.name)} {part.value:.2f} ({part.share * 100:.0f} %)" for part in self.parts]
        return f"Mixed of {', '.join(told)}."

    def as_json(self) -> list[dict[str, str | float]]:
        """The parts, the encoder's similarity first."""
        return [part.as_json() for part in self.parts]


@dataclass(frozen=True, slots=True, eq=False)
class Carriers:
    """The sentences of both documents, and which pair of them carries each chunk cell.

    `pairs` (c_a, c_b, 2) holds a number of `a` and one of `b` a cell, -1 twice where no pair does; `scores` (c_a, c_b)
    is how well that pair matches.
    """

    a: tuple[Chunk, ...]
    b: tuple[Chunk, ...]
    pairs: Numbers
    scores: Matrix

    def transposed(self) -> Carriers:
        """The same with the documents changed about."""
        return Carriers(self.b, self.a, self.pairs.transpose(1, 0, 2)[..., ::-1], self.scores.T)


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Everything that two documents' comparison shows; screen, JSON and report read their numbers here.

    `score` is how near the two documents are: the encoder's similarity, or the mix of `mixed`. `chunks_a` (c_a of
    them) and `chunks_b` are the stretches that the chunk grid compares, `section_of_a` and `section_of_b` the places of
    their sections in that grid, and `kept_a` and `kept_b` say which were not left out. `attention` (c_a, c_b) is how
    much each chunk of a attends to those of b, `attention_back` (c_b, c_a) the other way; their rows sum to 1, or to 0
    for a chunk left out. `passages` are the matches, best first. `left_out` counts the sentences left out of a and of
    b by reason. `words` says where it is known from how much each word weighs.
    """

    a: Document
    b: Document
    score: float
    reading: Reading
    sections: Grid
    chunks: Grid
    chunks_a: tuple[Chunk, ...]
    chunks_b: tuple[Chunk, ...]
    section_of_a: Numbers
    section_of_b: Numbers
    kept_a: Flags
    kept_b: Flags
    attention: Matrix
    attention_back: Matrix
    carriers: Carriers
    passages: tuple[Passage, ...]
    claims: tuple[ClaimElement, ...]
    left_out: Mapping[str, tuple[int, int]]
    exclusions: Exclusions = Exclusions()
    words: str = ""
    mixed: Mixed | None = None

    @property
    def percentile(self) -> float | None:
        """How many of 100 unrelated pairs are further apart; None where none are known."""
        return self.reading.percentile

    def chunk_evidence(self, row: int, column: int) -> Passage | None:
        """The pair of sentences that carries a cell of the chunk grid; None where no pair matches at all."""
        ours, theirs = (int(number) for number in self.carriers.pairs[row, column])
        if ours < 0:
            return None
        return Passage(float(self.carriers.scores[row, column]), self.carriers.a[ours], self.carriers.b[theirs])

    def section_evidence(self, row: int, column: int) -> Passage | None:
        """The best pair of sentences of a cell of the section grid; None where no pair matches at all."""
        rows, columns = np.flatnonzero(self.section_of_a == row), np.flatnonzero(self.section_of_b == column)
        if not len(rows) or not len(columns):
            return None
        best = int(self.carriers.scores[np.ix_(rows, columns)].argmax())
        return self.chunk_evidence(int(rows[best // len(columns)]), int(columns[best % len(columns)]))

    def transposed(self) -> Comparison:
        """The comparison of b with a: every number is the same."""
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
        )

    def as_json(self) -> dict[str, object]:
        """The comparison as one JSON value."""
        return {
            "document": self._document(),
            "sections": self.sections.as_json(),
            "chunks": self.chunks.as_json(),
            "passages": [passage.as_json() for passage in self.passages],
            "claims": [element.as_json() for element in self.claims],
        }

    def _document(self) -> dict[str, object]:
        """The score, its reading, and its parts where it has any."""
        parts = {"parts": self.mixed.as_json()} if self.mixed is not None else {}
        return {"score": self.score, "percentile": self.percentile, **parts}


def place(chunk: Chunk) -> dict[str, object]:
    """Where a chunk stands, and its text; the page where it is known."""
    page = {"page": chunk.page} if chunk.page else {}
    return {"section": chunk.section, "start": chunk.start, "stop": chunk.stop, "text": chunk.text, **page}

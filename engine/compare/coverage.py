"""One document against many: which of its parts others say already, which they come close to, and which neither.

`engine.compare.covering` computes it. Each passage has one of three words in each document, by the reading of its best
match (`engine.search.readings`). A row of several passages is said there where most of its words are, and nothing is
like it only where that holds for each of its passages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import SearchError
from engine.core.rows import Flags
from engine.documents import Chunk, Document
from engine.documents.text import how_many, sentences
from engine.search import cut_paragraphs, cut_passages, cut_text

if TYPE_CHECKING:
    from engine.search import Reading

RowKind = Literal["contributions", "sections", "claims", "paragraphs", "passages"]
"""What the rows of a coverage are; contributions are the sentences in which a document says what it adds."""

RowOrder = Literal["text", "coverage"]
"""Rows as they stand in the text, or those that are said least first."""

ColumnOrder = Literal["coverage", "year"]
"""Columns by how many words they say, the most first, or by year, the earliest first."""

WORDS = {
    "said there": "says the same, perhaps in other words",
    "close: read it": "on this very subject, but something differs or is left out",
    "nothing like it here": "no passage that is closely related",
}
"""The three words of a passage and what they mean, the nearest first: a reading that says the same, one that is closely
related, and all others."""

SAID, CLOSE, NOTHING = range(3)

MOST_OF_ROW = 0.5
"""A row is said there where at least this share of its words is."""

MOST_IN_SET = 5

_PERCENT = re.compile(r"(\d)%")
_ADDS = re.compile(
    r"\b(?:we|(?:this|the present|the) (?:paper|article|study|thesis|work|invention|disclosure|application)|"
    r"(?:our|these|the) (?:results?|findings?|experiments?|analys[ie]s|method|approach|model|system|contributions?))\b"
    r"(?:\s+\S+){0,4}?\s+(?:show|propos|present|introduc|demonstrat|prov|find|found|report|develop|describ|establish|"
    r"deriv|reveal|suggest|confirm|indicat|contribut|achiev|outperform|improv|relates? to|are?\b the first)\w*",
    re.IGNORECASE,
)
"""How a sentence begins that says what its document adds; others' work is told of by names, not by "we"."""
_PARENT = re.compile(r"\bclaims?\s+(\d{1,4})\b", re.IGNORECASE)
_NUMBER = re.compile(r"\bclaim (\d+)", re.IGNORECASE)
_FIRST_WORDS, OPENING = 60, 250
"""The characters that name a sentence, and those of a claim in which it names the one that it builds on."""


@dataclass(frozen=True, slots=True)
class Row:
    """A part of the question: its title, where it stands, and which of the question's passages are in it."""

    title: str
    chunk: Chunk
    passages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CoverageCell:
    """The best match of a row and a document: two passages, how near they are, and how probably the second says it.

    `differs` are the sentences of the first that the second does not say, of the nearest cell of a row.
    """

    query: Chunk
    document: Chunk
    reading: Reading
    p: float
    differs: tuple[Chunk, ...] = ()

    @property
    def rank(self) -> int:
        """SAID, CLOSE or NOTHING."""
        return rank_of(self.reading)

    @property
    def word(self) -> str:
        """One of the three words."""
        return word_of(self.rank)

    @property
    def is_said(self) -> bool:
        """Whether the document says the passage."""
        return self.rank == SAID

    @property
    def is_close(self) -> bool:
        """Whether it comes close, and differs."""
        return self.rank == CLOSE

    @property
    def in_words(self) -> str:
        """The word and how likely the document says the passage: "close: read it (34 % likely said)"."""
        return _spaced(f"{self.word} ({self.p:.0%} likely said)")

    @property
    def difference(self) -> str:
        """What is not said there, in a line; empty where that is not known."""
        quoted = " … ".join(" ".join(one.text.split()) for one in self.differs)
        return f"Not said there: “{quoted}”" if quoted else ""


def rank_of(reading: Reading) -> int:
    """Return which of the three words a reading stands for: SAID, CLOSE or NOTHING."""
    return min(reading.rank, NOTHING)


def word_of(rank: int) -> str:
    """Return the word of SAID, CLOSE or NOTHING."""
    return tuple(WORDS)[rank]


class Member(NamedTuple):
    """A document of the set that says most: its column, its share of the words, and what it alone says of them."""

    column: int
    share: float
    alone: float


@dataclass(frozen=True, eq=False)
class Coverage:
    """The n rows of a question against m documents: `cells` are n rows of m.

    `words` (q,) are the words of the question's passages, `p` (q, m) says how probably each document says them, and
    `ranks` (q, m) holds SAID, CLOSE or NOTHING. `copies` are the ids of documents that are the question itself, and
    were left out. While `unread` documents of the library are not read yet, a row has nothing like it only "so far".
    """

    said_from: ClassVar[float] = 0.5
    """From this probability on, a passage is said."""

    question: Document
    kind: RowKind
    rows: tuple[Row, ...]
    columns: tuple[Document, ...]
    cells: tuple[tuple[CoverageCell, ...], ...]
    words: NDArray[np.int64]
    p: NDArray[np.float64]
    ranks: NDArray[np.int64]
    copies: tuple[str, ...] = ()
    unread: int = 0

    @property
    def said(self) -> Flags:
        """Which passages (q, m) each document says."""
        found: Flags = self.ranks == SAID
        return found

    @property
    def share(self) -> float:
        """The share of the question's words that any of the documents says."""
        return _share(self.words, self.said.any(axis=1))

    def row_share(self, row: int) -> float:
        """Return the share of a row's words that any of the documents says."""
        own = list(self.rows[row].passages)
        return _share(self.words[own], self.said[own].any(axis=1))

    def row_best(self, row: int) -> CoverageCell | None:
        """Return the cell of a row with the nearest match of all; None without columns."""
        return min(self.cells[row], key=lambda cell: (cell.rank, -cell.p), default=None)

    def row_p(self, row: int) -> float:
        """Return how probably a row is said by the document that does most probably, its passages by their words."""
        own = list(self.rows[row].passages)
        return float(np.average(self.p[own].max(axis=1, initial=0), weights=np.maximum(self.words[own], 1)))

    def row_rank(self, row: int) -> int:
        """Return SAID where most of a row's words are, NOTHING where that holds for all of its passages, else CLOSE."""
        best = self.ranks[list(self.rows[row].passages)].min(axis=1, initial=NOTHING)
        if self.row_share(row) >= MOST_OF_ROW:
            return SAID
        return NOTHING if (best == NOTHING).all() else CLOSE

    def row_word(self, row: int) -> str:
        """Return one of the three words; where not all is read yet, nothing is like it "so far"."""
        return self._so_far(word_of(self.row_rank(row)))

    def _so_far(self, sentence: str) -> str:
        return re.sub(r"\bhere\b", "so far", sentence) if self.unread else sentence

    def is_said(self, row: int) -> bool:
        """Tell whether most of a row's words are said by any of the documents."""
        return self.row_rank(row) == SAID

    def of_rank(self, rank: int) -> list[int]:
        """Return the rows with this word, as they stand."""
        return [row for row in range(len(self.rows)) if self.row_rank(row) == rank]

    def not_said(self) -> dict[str, list[int]]:
        """Return the rows that nothing is like, and those that something is close to, by their word."""
        return {self._so_far(word_of(rank)): self.of_rank(rank) for rank in (NOTHING, CLOSE)}

    def column_share(self, column: int) -> float:
        """Return the share of the question's words that one document says."""
        return _share(self.words, self.said[:, column])

    def chosen(self) -> tuple[Member, ...]:
        """Return at most five documents that together say most, the one that adds the most words first."""
        said, found = self.said, list[int]()
        left = np.ones(len(self.words), bool)
        while len(found) < MOST_IN_SET and len(self.columns):
            gains = (said & left[:, None]).T @ self.words  # (m,)
            best = int(gains.argmax())
            if not gains[best]:
                break
            found.append(best)
            left &= ~said[:, best]
        times = said[:, found].sum(axis=1)
        return tuple(
            Member(one, self.column_share(one), _share(self.words, said[:, one] & (times == 1))) for one in found
        )

    def chosen_share(self) -> float:
        """Return the share of the question's words that the chosen documents say together."""
        return _share(self.words, self.said[:, [one.column for one in self.chosen()]].any(axis=1))

    def summary(self) -> str:
        """Say how many rows have each word, and how much of the text the documents say, in a sentence or two."""
        rows, documents = len(self.rows), how_many(len(self.columns), "document")
        said, close, nothing = (len(self.of_rank(rank)) for rank in (SAID, CLOSE, NOTHING))
        which = self.kind if rows != 1 else self.kind[:-1]
        unread = f"{how_many(self.unread, 'document')} of the library {'is' if self.unread == 1 else 'are'}"
        left = f" {unread} not read yet." if self.unread else ""
        if nothing == rows:
            part = f"any of its {rows:,} {which}" if rows > 1 else "it"
            return self._so_far(f"Nothing here is like it: none of {documents} says {part}, or comes close.") + left
        of_rows = f"{rows:,} {which}"
        parts = [
            f"{said:,} {'is' if said == 1 else 'are'} said there" if said else "",
            f"{close:,} {'have' if close > 1 else 'has'} something close that you should read" if close else "",
            f"{nothing:,} {'have' if nothing > 1 else 'has'} nothing like {'them' if nothing > 1 else 'it'} here"
            if nothing
            else "",
        ]
        told = _listed([part for part in parts if part])
        several = "Both documents" if len(self.columns) == 2 else f"All {documents}"
        say = "1 document says" if len(self.columns) == 1 else f"{several} together say"
        share = f" {say} {self.share:.0%} of the words." if self.said.any() else ""
        return self._so_far(_spaced(f"Of {of_rows}, {told}.{share}")) + left

    def chosen_sentence(self) -> str:
        """Return the documents that together say most, in a sentence; empty where none says anything."""
        chosen = self.chosen()
        if not chosen:
            return ""
        names = [self.columns[one.column].name for one in chosen]
        if len(chosen) == 1:
            return _spaced(f"One document says {self.chosen_share():.0%} of the words: {names[0]}.")
        shares = [(f"{one.share:.0%}", f"{one.alone:.0%}") for one in chosen]
        each = ", ".join(
            f"{name} ({share})" if alone == share else f"{name} ({share}; {alone} in none of the others)"
            for name, (share, alone) in zip(names, shares, strict=True)
        )
        return _spaced(f"{len(chosen)} documents together say {self.chosen_share():.0%} of the words: {each}.")

    def arranged(self, rows: RowOrder = "text", columns: ColumnOrder = "coverage") -> Coverage:
        """Return the same with its rows and columns in another order; equal ones stay as they are."""
        down, across = range(len(self.rows)), range(len(self.columns))
        starts = [(one.chunk.part, one.chunk.start) for one in self.rows]
        least = [(-self.row_rank(row), self.row_share(row), self.row_p(row)) for row in down]
        order = sorted(down, key=lambda row: starts[row] if rows == "text" else least[row])
        years = [one.year for one in self.columns]
        means = self.p.mean(axis=0) if len(self.p) else np.zeros(len(self.columns))
        by_words = sorted(across, key=lambda column: (-self.column_share(column), -means[column]))
        if columns == "year":
            by_words.sort(key=lambda column: (years[column] is None, years[column] or 0))
        return self._of(order, by_words)

    def covering(self) -> Coverage:
        """Return the same without the documents that say nothing of it and come close to nothing, unless all are so."""
        across = range(len(self.columns))
        some = [column for column in across if any(cells[column].rank != NOTHING for cells in self.cells)]
        return self._of(range(len(self.rows)), some or across)

    def _of(self, rows: Sequence[int], columns: Sequence[int]) -> Coverage:
        return replace(
            self,
            rows=tuple(self.rows[row] for row in rows),
            columns=tuple(self.columns[column] for column in columns),
            cells=tuple(tuple(self.cells[row][column] for column in columns) for row in rows),
            p=self.p[:, list(columns)],
            ranks=self.ranks[:, list(columns)],
        )


def cut_rows(document: Document, kind: RowKind) -> tuple[list[Row], list[Chunk]]:
    """Return the rows of a question and all of its passages, in reading order.

    Raises SearchError where the document has no such rows.
    """
    if kind in ("sections", "passages"):
        passages = cut_passages(document, apart=True)
        rows = _by_part(document, passages) if kind == "sections" else _each(passages)
    else:
        rows, passages = [], []
        cut = {"claims": _claims, "contributions": contributions, "paragraphs": cut_paragraphs}[kind]
        for title, chunk in cut(document):
            part, start = document.parts[chunk.part], chunk.start
            own = [
                part.chunk(document.id, chunk.part, start + one.start, start + one.stop) for one in cut_text(chunk.text)
            ]
            rows.append(Row(title, chunk, tuple(range(len(passages), len(passages) + len(own)))))
            passages += own
    if not rows:
        raise SearchError(
            f"Expected a document with {kind}; got {document.name!r}, which has none. Choose other rows: "
            f"{', '.join(other for other in get_args(RowKind) if other != kind)}."
        )
    return rows, passages


def _by_part(document: Document, passages: Sequence[Chunk]) -> list[Row]:
    parts, held = document.parts, dict[int, list[int]]()
    for number, one in enumerate(passages):
        held.setdefault(one.part, []).append(number)
    return [
        Row(parts[part].title or "Untitled", parts[part].chunk(document.id, part, 0, len(parts[part].text)), tuple(own))
        for part, own in held.items()
    ]


def _each(passages: Sequence[Chunk]) -> list[Row]:
    """Return a row for each passage, numbered within its section."""
    rows: list[Row] = []
    places: Counter[int] = Counter()
    for number, one in enumerate(passages):
        places[one.part] += 1
        rows.append(Row(f"{one.section or 'Untitled'}, passage {places[one.part]}", one, (number,)))
    return rows


def _claims(document: Document) -> Iterator[tuple[str, Chunk]]:
    for number, part in enumerate(document.parts):
        if part.role == "claim" and part.text.strip():
            yield part.title, part.chunk(document.id, number, 0, len(part.text))


def contributions(document: Document) -> list[tuple[str, Chunk]]:
    """Return the sentences in which a document says what it adds, each by its first words, and a patent's first claims.

    "We show that ...", "The invention provides ...": those of the abstract, the body and the claims that stand alone.
    """
    found = [(title, chunk) for title, chunk in _claims(document) if parent_of(chunk.text) is None]
    for number, part in enumerate(document.parts):
        if part.role in {"abstract", "body"}:
            adding = [one for one in sentences(part.text) if _ADDS.search(part.text, one.start, one.stop)]
            chunks = [part.chunk(document.id, number, one.start, one.stop) for one in adding]
            found += [(shorten(chunk.text, _FIRST_WORDS, placeholder=" ..."), chunk) for chunk in chunks]
    return found


def adds_something(document: Document) -> bool:
    """Tell whether a document says what it adds."""
    return bool(contributions(document))


def parent_of(claim: str) -> int | None:
    """Return the number, from 1, of the claim that a dependent claim builds on; None for one that stands alone."""
    found = _PARENT.search(claim, 0, OPENING)
    return int(found[1]) if found else None


def parents(rows: Sequence[Row]) -> dict[int, int]:
    """Return for each row of a dependent claim the row of the claim that it builds on, which stands before it."""
    numbers = {found[1]: place for place, row in enumerate(rows) if (found := _NUMBER.search(row.title))}
    named = {place: parent_of(row.chunk.text) for place, row in enumerate(rows)}
    return {
        place: numbers[str(parent)]
        for place, parent in named.items()
        if parent is not None and numbers.get(str(parent), place) < place
    }


def _listed(parts: Sequence[str]) -> str:
    """Join parts of a sentence: "a, b, and c"."""
    if len(parts) < 3:
        return " and ".join(parts)
    return f"{', '.join(parts[:-1])}, and {parts[-1]}"


def _share(words: NDArray[np.int64], which: Any) -> float:  # noqa: ANN401  flags (q,), which numpy types as one flag, too
    total = int(words.sum())
    return int(words[which].sum()) / total if total else 0.0


def _spaced(text: str) -> str:
    """Return a text with a space before the sign of each percentage."""
    return _PERCENT.sub(r"\1 %", text)

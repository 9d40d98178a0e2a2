"""Long documents: cut into sections, and into chunks of a transformer's tokens; as read; and at three levels."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import EncoderError
from engine.core.rows import DenseRows, both_ways
from engine.documents import Chunk, Document, Section
from engine.documents.text import sentences

CLAIMS = "Claims"
_MIN_SHARE = 0.5  # of a chunk is filled before it ends with a sentence
_WORD = re.compile(r"\w")
_NO_CHARACTER = re.compile("[\ud800-\udfff]")  # half a character, which damaged JSON can hold and tokenizers reject


@dataclass(frozen=True, slots=True)
class CutDocument:
    """A document's chunks in reading order.

    `sections` are the titles of the sections with text; `section_of` gives the section of each of the c chunks, and
    `tokens` their token ids, including the transformer's start and end tokens.
    """

    sections: tuple[str, ...]
    chunks: tuple[Chunk, ...]
    section_of: tuple[int, ...]
    tokens: tuple[tuple[int, ...], ...]


class Cutter:
    """Cuts documents for one tokenizer: chunks of at most `max_tokens` tokens that do not overlap."""

    def __init__(self, tokenizer: Any, max_tokens: int, *, whole_sentences: bool = True) -> None:  # noqa: ANN401  a `tokenizers` class without types
        """Take a `tokenizers` tokenizer. Raises EncoderError where a chunk has no room for text.

        With `whole_sentences` a chunk ends with the last sentence that fits, if that fills half of it, else with the
        last word; the paper (CoLDE, section 3.1) cuts after every `max_tokens` tokens.
        """
        self._tokenizer = tokenizer
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        framed = self._tokenizer.encode("a").ids
        place = framed.index(self._tokenizer.encode("a", add_special_tokens=False).ids[0])
        self._first, self._last = tuple(framed[:place]), tuple(framed[place + 1 :])
        self._room = max_tokens - len(self._first) - len(self._last)
        self._whole_sentences = whole_sentences
        if self._room < 1:
            raise EncoderError(
                f"Expected chunks of more than {max_tokens - self._room} tokens, which frame a text; got {max_tokens}."
            )

    def cut(self, document: Document) -> CutDocument:
        """Cut one document; one without text gives neither sections nor chunks."""
        chunks: list[Chunk] = []
        tokens: list[tuple[int, ...]] = []
        for number, section in _read_parts(document):
            for start, stop, ids in self._pieces(section.text):
                chunks.append(section.chunk(document.id, number, start, stop))
                tokens.append((*self._first, *ids, *self._last))
        titles, section_of = sections_of(document, chunks)
        return CutDocument(titles, tuple(chunks), section_of, tuple(tokens))

    def _pieces(self, text: str) -> Iterator[tuple[int, int, Sequence[int]]]:
        """Yield stretches of a text (character offsets) with their token ids."""
        encoding = self._tokenizer.encode(_NO_CHARACTER.sub("\ufffd", text), add_special_tokens=False)
        ids, offsets, words = encoding.ids, encoding.offsets, encoding.word_ids
        whole = self._whole_sentences and len(ids) > self._room
        starts = [span.start for span in sentences(text)] if whole else []
        first = 0
        while first < len(ids):
            stop = min(first + self._room, len(ids))
            if stop < len(ids):
                stop = _last(first, stop, lambda place: offsets[place - 1][1] <= offsets[place][0])
            if whole and stop < len(ids):
                stop = _last(first, stop, lambda place: words[place - 1] != words[place])
                stop = self._sentence_end(offsets, starts, first, stop)
            yield offsets[first][0], offsets[stop - 1][1], ids[first:stop]
            first = stop

    def _sentence_end(self, offsets: Sequence[tuple[int, int]], starts: Sequence[int], first: int, stop: int) -> int:
        """Return the last token in [first, stop] that begins a sentence, if enough is left; else `stop`."""
        begins = starts[bisect_right(starts, offsets[stop][0]) - 1]
        place = bisect_right(offsets, (begins, -1), lo=first, hi=stop)
        return place if place - first >= _MIN_SHARE * self._room else stop


def sections_of(document: Document, chunks: Sequence[Chunk]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the titles of the sections that c chunks in reading order lie in, and the section of each: (c,)."""
    parts = document.parts
    titles: list[str] = []
    section_of: list[int] = []
    claims = (-1, CLAIMS)  # all claims are one section
    named = (claims if parts[one.part].role == "claim" else (one.part, parts[one.part].title) for one in chunks)
    for title, held in groupby(named):
        section_of += [len(titles) for _ in held]
        titles.append(title[1])
    return tuple(titles), tuple(section_of)


def _last(first: int, stop: int, may_end: Callable[[int], bool]) -> int:
    """Return the last place in (first, stop] where a chunk may end, else `stop`."""
    return next((place for place in range(stop, first, -1) if may_end(place)), stop)


def _read_parts(document: Document) -> list[tuple[int, Section]]:
    """Return the parts to read with their places in `document.parts`; the title only as a last resort."""
    parts = [
        (n, part) for n, part in enumerate(document.parts) if part.role != "references" and _WORD.search(part.text)
    ]
    return [pair for pair in parts if pair[1].role != "title"] or parts


@dataclass(frozen=True, slots=True, eq=False)
class LongRows:
    """One document as it was read: enough for every comparison without the transformer.

    `sections` are the titles of the s sections with text; `section_of` (c,) gives the section of each of the c
    `chunks`, and `rows` (c, d) are the chunks' vectors from the transformer.
    """

    sections: tuple[str, ...]
    chunks: tuple[Chunk, ...]
    section_of: NDArray[np.int64]
    rows: DenseRows

    @classmethod
    def of(cls, document: Document, chunks: Sequence[Chunk], rows: DenseRows) -> Self:
        """Take a document's chunks in reading order and their rows (c, d); the chunks' parts give its sections."""
        sections, section_of = sections_of(document, chunks)
        return cls(sections, tuple(chunks), np.array(section_of, np.int64), rows)


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """One document at three levels, every vector at unit length, zeros where no chunk was kept."""

    document: DenseRows
    """(dim,); zeros where an encoder's `late_share` is 1, so that it does not count."""

    sections: DenseRows
    """(s, dim)"""

    chunks: DenseRows
    """(c, d)"""

    def similarity(self, other: Levels, *, late_share: float, late_best: float = 1.0) -> float:
        """Return the cosine of two documents' vectors, mixed with a share `late_share` of `late`."""
        cosine = float(self.document @ other.document)
        return cosine if not late_share else (1 - late_share) * cosine + late_share * self.late(other, best=late_best)

    def late(self, other: Levels, *, best: float = 1.0) -> float:
        """Return the mean over chunks of the best cosine in the other document, both ways; 0 without chunks.

        Of each document only the share `best` of its chunks counts, rounded up: those that match best.
        """
        return both_ways(*(side.chunks[side.chunks.any(axis=1)] for side in (self, other)), best=best)

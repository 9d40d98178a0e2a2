"""Documents held against each other at CoLDE's three levels (section 4.3), and the words that their chunks speak of."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compare import Comparison, Grid, LevelGrid, ReadDocument, Words, compare
from engine.compare.read_document import LongEncoder
from engine.compare.together import Compared, blocks, chunks_of, scores_of, sections_of
from engine.documents import Document
from engine.documents.text import tokens
from engine.search import Vocabulary
from engine.search.evidence.sentences import prepare
from engine.search.evidence.terms import shared_terms

KEY_WORDS = 5
_KNOWN_SHARE = 1e-4


@dataclass(frozen=True, slots=True)
class Cell:
    """Two chunks of two documents by their places in the grid, how near they are, and the words that both use."""

    row: int
    column: int
    similarity: float
    shared: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LevelGrids:
    """Documents at three levels, the key words of each chunk, and every cell of two chunks of two documents.

    `documents` holds the encoder's similarities, `shown` the scores that a comparison shows for them, which may count
    shared words, too.
    """

    documents: LevelGrid
    shown: LevelGrid
    sections: LevelGrid
    chunks: LevelGrid
    key_words: tuple[tuple[str, ...], ...]
    cells: tuple[Cell, ...]

    def as_json(self) -> dict[str, Any]:
        """All of it, chunks by their names."""
        names = self.chunks.names
        return {
            "documents": self.documents.as_json(),
            "documents as compared": self.shown.as_json(),
            "sections": self.sections.as_json(),
            "chunks": self.chunks.as_json(),
            "key words": dict(zip(names, map(list, self.key_words), strict=True)),
            "cells": [
                {"a": names[one.row], "b": names[one.column], "similarity": one.similarity, "shared": list(one.shared)}
                for one in self.cells
            ],
        }


def level_grids(
    documents: Sequence[Document], encoder: LongEncoder, words: Words, *, parts: Sequence[Mapping[str, int]]
) -> LevelGrids:
    """Compare every two documents as the app does, and show some `parts` of each: places in its parts, by their names.

    A document's similarity counts its whole text. Sections have the name of their part with the document's number,
    chunks a further number: "RW2.1" is the first chunk of the second document's part "RW".
    """
    read = [ReadDocument.read(document, encoder, words) for document in documents]
    compared = {(a, b): compare(read[a], read[b]) for a, b in combinations(range(len(read)), 2)}
    chunks = [_chunks(one, shown, number) for number, (one, shown) in enumerate(zip(read, parts, strict=True), 1)]
    sections = [
        {name.partition(".")[0]: int(one.long.section_of[place]) for name, place in held.items()}
        for one, held in zip(read, chunks, strict=True)
    ]
    texts = [one.long.chunks[place].text for one, held in zip(read, chunks, strict=True) for place in held.values()]
    of_chunks = _grid(compared, chunks, chunks_of)
    return LevelGrids(
        documents=_documents(scores_of(compared, _similarity)),
        shown=_documents(scores_of(compared, lambda comparison: comparison.score)),
        sections=_grid(compared, sections, sections_of),
        chunks=of_chunks,
        key_words=tuple(key_words_of(text, words.vocabulary) for text in texts),
        cells=tuple(_cells(of_chunks, texts, words.vocabulary)),
    )


def key_words_of(text: str, vocabulary: Vocabulary, most: int = KEY_WORDS) -> tuple[str, ...]:
    """The words that a text speaks of: those with the largest (1 + ln tf) idf, in their most frequent form.

    Words of fewer than one in 10,000 of the vocabulary's documents do not count: they are mostly names of cited people,
    and halves of words that a line's end cut.
    """
    documents = vocabulary.documents
    rarest = math.log(1 + (documents + 0.5) / (_KNOWN_SHARE * documents + 0.5))  # about the idf of such a word
    counts: Counter[str] = Counter()
    forms: dict[str, Counter[str]] = {}
    for token in tokens(text):
        key = vocabulary.keys[token]
        if key and vocabulary.idf(key) <= rarest:
            counts[key] += 1
            forms.setdefault(key, Counter())[token] += 1
    weights = {key: (1 + math.log(count)) * vocabulary.idf(key) for key, count in counts.items()}
    order = sorted(weights, key=lambda key: (-weights[key], key))[:most]
    return tuple(forms[key].most_common(1)[0][0] for key in order)


def _chunks(read: ReadDocument, shown: Mapping[str, int], number: int) -> dict[str, int]:
    """The places of the chunks of some parts, by their names in the figures."""
    found: dict[str, int] = {}
    for name, part in shown.items():
        places = [place for place, chunk in enumerate(read.long.chunks) if chunk.part == part]
        found |= {f"{name}{number}.{order}": place for order, place in enumerate(places, 1)}
    return found


def _documents(values: NDArray[np.float64]) -> LevelGrid:
    count = len(values)
    return LevelGrid(tuple(f"D{number}" for number in range(1, count + 1)), tuple(range(count)), values)


def _similarity(comparison: Comparison) -> float:
    """The encoder's similarity, without what a comparison mixes it with."""
    return comparison.score if comparison.mixed is None else comparison.mixed.parts[0].value


def _grid(compared: Compared, shown: Sequence[Mapping[str, int]], level: Callable[[Comparison], Grid]) -> LevelGrid:
    """One matrix over the parts shown of all documents."""
    places = [np.array(list(held.values()), np.int64) for held in shown]
    owners = np.repeat(np.arange(len(shown)), [len(held) for held in shown])
    names = tuple(name for held in shown for name in held)
    return LevelGrid(names, tuple(owners.tolist()), blocks(compared, places, level))


def _cells(grid: LevelGrid, texts: Sequence[str], vocabulary: Vocabulary) -> list[Cell]:
    """Every two chunks of two documents, with the words that both use, strongest first."""
    prepared = [prepare(Document(str(place), abstract=text), vocabulary) for place, text in enumerate(texts)]
    return [
        Cell(row, column, float(grid.values[row, column]), tuple(one.term for one in terms))
        for row, column in combinations(range(len(texts)), 2)
        if grid.owners[row] != grid.owners[column]
        for terms in [shared_terms(prepared[row], prepared[column], vocabulary)[:KEY_WORDS]]
    ]

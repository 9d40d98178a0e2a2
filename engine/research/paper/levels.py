"""Three documents of a set held against each other at CoLDE's three levels (section 4.3): its figures 4 and 5.

A query, one that belongs to it and one that does not; the words that their chunks speak of; and both drawn as SVG.
"""

from __future__ import annotations

import io
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from textwrap import shorten
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compare import Comparison, Grid, LevelGrid, ReadDocument, Words, compare
from engine.compare.json_form import level_as_json
from engine.compare.read_document import LongEncoder
from engine.compare.together import Compared, join_blocks, scores_of
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.documents.text import tokens
from engine.research.matching.pair_set import PairSet
from engine.research.paper.plots import FIXED
from engine.search import Vocabulary
from engine.search.evidence.explain import shared_terms
from engine.search.evidence.sentences import prepare

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEADINGS = ("introduction", "related work")
"""The sections that the paper shows (section 4.3)."""

_NUMBERING = re.compile(r"[^a-z]+")
_NUMERAL = re.compile(r"(?:[ivx]+ )?(.*)")


class Triple(NamedTuple):
    """Places in a set's documents: the paper's D1, D2 and D3."""

    query: int
    related: int
    unrelated: int


@dataclass(frozen=True, slots=True)
class Candidates:
    """The triples to pick from, one a query, in the order of the queries' ids; `asked` queries have test pairs."""

    triples: tuple[Triple, ...]
    asked: int


def candidates(pairs: PairSet, headings: Sequence[str] = HEADINGS) -> Candidates:
    """Return a query's first related and its first unrelated document among the test pairs, in the order of their ids.

    All three have a section for each of `headings`, and no pair of any split relates the other two. Raises
    EvaluationError if no query has such documents.
    """
    documents = pairs.documents
    fits = [all(section_of(one, heading) is not None for heading in headings) for one in documents]
    joined = {(int(a), int(b)) for a, b in pairs.places[pairs.related]}
    met: tuple[defaultdict[int, set[int]], ...] = (defaultdict(set), defaultdict(set))  # unrelated, related
    for (a, b), related in zip(pairs.places[pairs.of("test")], pairs.related[pairs.of("test")], strict=True):
        met[int(related)][int(a)].add(int(b))
        met[int(related)][int(b)].add(int(a))
    asked = sorted(met[0].keys() & met[1].keys())
    found = [_first(query, met[1][query], met[0][query], joined=joined, fits=fits) for query in asked]
    triples = tuple(one for one in found if one is not None)
    if not triples:
        raise EvaluationError(
            f"Expected a query of {pairs.name} with a related and an unrelated test document where all three have the "
            f"sections {', '.join(headings)}; got none of {len(asked)}. Name other sections."
        )
    return Candidates(triples, len(asked))


def section_of(document: Document, heading: str) -> int | None:
    """Return the place, in its parts, of a document's first section whose title begins with a heading; None without.

    The number before a title does not count, nor does a section without text.
    """
    for place, part in enumerate(document.parts):
        if part.role == "body" and part.text.strip() and _plain(part.title).startswith(_plain(heading)):
            return place
    return None


def middle(similarities: Sequence[float]) -> int:
    """Return the place of the median, the lower one of an even count; the first of those that are equal."""
    order = np.argsort(np.asarray(similarities), kind="stable")
    return int(order[(len(order) - 1) // 2])


def _first(
    query: int, related: set[int], unrelated: set[int], *, joined: set[tuple[int, int]], fits: Sequence[bool]
) -> Triple | None:
    if not fits[query]:
        return None
    for near in sorted(related):
        for far in sorted(unrelated):
            if fits[near] and fits[far] and (near, far) not in joined and (far, near) not in joined:
                return Triple(query, near, far)
    return None


def _plain(title: str) -> str:
    """Return a title's letters in lower case, without the number before them."""
    words = _NUMBERING.sub(" ", title.lower()).strip()
    found = _NUMERAL.fullmatch(words)
    return found[1] if found else words


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
        """Return all of it, chunks by their names."""
        names = self.chunks.names
        return {
            "documents": level_as_json(self.documents),
            "documents as compared": level_as_json(self.shown),
            "sections": level_as_json(self.sections),
            "chunks": level_as_json(self.chunks),
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
    of_chunks = _grid(compared, chunks, lambda one: one.chunks)
    return LevelGrids(
        documents=_documents(scores_of(compared, _similarity)),
        shown=_documents(scores_of(compared, lambda comparison: comparison.score)),
        sections=_grid(compared, sections, lambda one: one.sections),
        chunks=of_chunks,
        key_words=tuple(key_words_of(text, words.vocabulary) for text in texts),
        cells=tuple(_cells(of_chunks, texts, words.vocabulary)),
    )


def key_words_of(text: str, vocabulary: Vocabulary, most: int = KEY_WORDS) -> tuple[str, ...]:
    """Return the words that a text speaks of: those with the largest (1 + ln tf) idf, in their most frequent form.

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
    """Return the places of the chunks of some parts, by their names in the figures."""
    found: dict[str, int] = {}
    for name, part in shown.items():
        places = [place for place, chunk in enumerate(read.long.chunks) if chunk.part == part]
        found |= {f"{name}{number}.{order}": place for order, place in enumerate(places, 1)}
    return found


def _documents(values: NDArray[np.float64]) -> LevelGrid:
    count = len(values)
    return LevelGrid(tuple(f"D{number}" for number in range(1, count + 1)), tuple(range(count)), values)


def _similarity(comparison: Comparison) -> float:
    """Return the encoder's similarity, without what a comparison mixes it with."""
    return comparison.score if comparison.mixed is None else comparison.mixed.parts[0].value


def _grid(compared: Compared, shown: Sequence[Mapping[str, int]], level: Callable[[Comparison], Grid]) -> LevelGrid:
    """Return one matrix over the parts shown of all documents."""
    places = [np.array(list(held.values()), np.int64) for held in shown]
    owners = np.repeat(np.arange(len(shown)), [len(held) for held in shown])
    names = tuple(name for held in shown for name in held)
    return LevelGrid(names, tuple(owners.tolist()), join_blocks(compared, places, level))


def _cells(grid: LevelGrid, texts: Sequence[str], vocabulary: Vocabulary) -> list[Cell]:
    """Return every two chunks of two documents, with the words that both use, strongest first."""
    prepared = [prepare(Document(str(place), abstract=text), vocabulary) for place, text in enumerate(texts)]
    return [
        Cell(row, column, float(grid.values[row, column]), tuple(one.term for one in terms))
        for row, column in combinations(range(len(texts)), 2)
        if grid.owners[row] != grid.owners[column]
        for terms in [shared_terms(prepared[row], prepared[column], vocabulary)[:KEY_WORDS]]
    ]


_COLOURS = "Blues"
_WIDE_INCHES, _GRID_INCHES, _ROW_INCHES = 11.0, 4.4, 0.34
_MOST_NUMBERED = 20
"""Parts of a grid whose cells have room for their numbers."""
_DARK = 0.55
"""The similarity from which a number is white on its colour."""
_LEFT, _RIGHT, _SPACE = 0.38, 0.62, 0.006
_MOST_LETTERS = 52
_BEST = 2
"""How many lines a chunk of the first document has to each of the others."""


def draw_levels(grids: LevelGrids, legend: Sequence[str]) -> bytes:
    """Draw figure 4: documents, sections and chunks, dark where near, all by one scale from 0 to 1."""
    figure = _figure(_GRID_INCHES + 0.22 * len(legend))
    axes = figure.subplots(1, 3, width_ratios=(1, 1.35, 1.8))
    titles = ("Level 1: documents", "Level 2: sections", "Level 3: chunks")
    drawn: Any = None
    for axis, grid, title in zip(axes, (grids.documents, grids.sections, grids.chunks), titles, strict=True):
        drawn = _drawn_grid(axis, grid)
        axis.set_title(title)
    figure.colorbar(drawn, ax=list(axes), label="similarity", shrink=0.7, pad=0.01)
    figure.supxlabel("\n".join(legend), fontsize=9, x=0.01, ha="left")
    return _svg(figure)


def draw_words(grids: LevelGrids, legend: Sequence[str]) -> bytes:
    """Draw figure 5: the first document's chunks to the left, the others' to the right, each with its key words.

    Lines join a chunk with the nearest ones of each other document; the darker, the nearer.
    """
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    owners = grids.chunks.owners
    first = owners.count(0)
    columns = [_rows(owners[:first]), _rows(owners[first:])]
    most = max(len(rows) for rows in columns)
    figure = _figure(_ROW_INCHES * most + 0.6 + 0.2 * len(legend))
    axis = figure.subplots()
    heights: dict[int, float] = {}
    for rows, start, edge, align in zip(columns, (0, first), (_LEFT, _RIGHT), ("right", "left"), strict=True):
        heights |= _column(axis, grids, rows=rows, start=start, at=(edge, (most - len(rows)) / 2), align=align)
    colours = ScalarMappable(Normalize(0, 1), _COLOURS)
    for cell in sorted(nearest_cells(grids), key=lambda cell: cell.similarity):
        ends, colour = (heights[cell.row], heights[cell.column]), colours.to_rgba(np.array([cell.similarity]))
        axis.plot((_LEFT, _RIGHT), ends, color=colour, linewidth=1 + 4 * cell.similarity)
    axis.set_xlim(0, 1)
    axis.set_ylim(most - 0.5, -0.5)
    axis.set_axis_off()
    figure.colorbar(colours, ax=axis, label="similarity", shrink=0.6, pad=0.01)
    figure.supxlabel("\n".join(legend), fontsize=9, x=0.01, ha="left")
    return _svg(figure)


def _rows(owners: Sequence[int]) -> list[int | None]:
    """Return a column's rows from above: each document's number for its heading, and None for each of its chunks."""
    found: list[int | None] = []
    for place, owner in enumerate(owners):
        found += [owner, None] if place == 0 or owners[place - 1] != owner else [None]
    return found


def _column(
    axis: Axes, grids: LevelGrids, *, rows: Sequence[int | None], start: int, at: tuple[float, float], align: str
) -> dict[int, float]:
    """Write a column of chunks from the place `start` on; gives the height of each by its place."""
    (edge, height), heights = at, dict[int, float]()
    text = edge - _SPACE if align == "right" else edge + _SPACE
    for owner in rows:
        if owner is not None:
            axis.text(text, height, grids.documents.names[owner], ha=align, va="center", weight="bold")
        else:
            place = start + len(heights)
            words = shorten(", ".join(grids.key_words[place]), _MOST_LETTERS, placeholder=" …")
            said = f"{grids.chunks.names[place]}: {words}"
            axis.text(text, height, said, ha=align, va="center", fontsize=8.5)
            heights[place] = height
        height += 1
    return heights


def nearest_cells(grids: LevelGrids) -> list[Cell]:
    """Return the cells of each chunk of the first document with the nearest of every other, the nearest first."""
    owners = grids.chunks.owners
    found: list[Cell] = []
    for row in range(owners.count(0)):
        for other in sorted(set(owners) - {0}):
            cells = [one for one in grids.cells if one.row == row and owners[one.column] == other]
            found += sorted(cells, key=lambda one: -one.similarity)[:_BEST]
    return found


def _figure(high: float) -> Figure:
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with rc_context(FIXED):
        figure = Figure(figsize=(_WIDE_INCHES, high), layout="constrained")
        FigureCanvasSVG(figure)
    return figure


def _svg(figure: Figure) -> bytes:
    from matplotlib import rc_context

    data = io.BytesIO()
    with rc_context(FIXED):
        figure.savefig(data, format="svg", metadata={"Date": None})
    return data.getvalue()


def _drawn_grid(axis: Axes, grid: LevelGrid) -> Any:  # noqa: ANN401  an image of matplotlib
    """Draw one matrix with its names, the numbers where they have room, and lines between documents."""
    count = len(grid.names)
    image = axis.imshow(grid.values, cmap=_COLOURS, vmin=0, vmax=1)
    size = min(9.0, 62 / max(1, count) + 3)
    axis.set_xticks(range(count), grid.names, rotation=90 if count > 6 else 0, fontsize=size)
    axis.set_yticks(range(count), grid.names, fontsize=size)
    axis.tick_params(length=0)
    if count <= _MOST_NUMBERED:
        for (row, column), value in np.ndenumerate(grid.values):
            said = f"{value:.2f}" if count <= 8 else f"{value:.2f}".lstrip("0") if value < 1 else "1"
            colour = "white" if value > _DARK else "black"
            axis.text(column, row, said, ha="center", va="center", fontsize=size - 1.5, color=colour)
    for place in np.flatnonzero(np.diff(grid.owners)):
        axis.axhline(place + 0.5, color="white", linewidth=2)
        axis.axvline(place + 0.5, color="white", linewidth=2)
    return image

"""A comparison made by hand, whose numbers no encoder gave."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.compare.model import (
    DIGITS,
    RECURRING,
    REFERENCES,
    SHORT,
    Carriers,
    ClaimElement,
    Comparison,
    Differences,
    Grid,
    Matrix,
    Passage,
    Percentile,
    Uncovered,
    UncoveredPassage,
)
from engine.core.rows import Positions
from engine.documents import Chunk, Document, Section
from engine.search import Reading
from tests.made_readings import READ

NEAR, FAR = Reading("closely related", 0.71, 0.6, "passage"), Reading("same field", 0.64, 0.3, "passage")
SENTENCE = "The {letter} valve of part {part} closes when sentence {number} is read."
SENTENCES = 3
"""In each chunk."""


def document(letter: str, parts: int, chunks: int, *, titles: str = "Part", text: str = SENTENCE) -> Document:
    """A patent of some parts, each so long that it is cut into some chunks."""
    sections = tuple(
        Section(
            f"{titles} {part + 1}",
            " ".join(text.format(letter=letter, part=part, number=number) for number in range(chunks * SENTENCES)),
        )
        for part in range(parts)
    )
    return Document(
        f"US{letter}",
        "patent",
        f"Valve {letter}",
        "",
        sections,
        year=1990,
        categories=("F16K",),
        keywords=(),
        venue="Office",
        authors=("Ada Lind",),
    )


def comparison(a: Document, b: Document, *, passages: int = 4, seed: int = 0) -> Comparison:
    """Two documents of `document` with random numbers; the passages are sentences of random chunks."""
    random = np.random.default_rng(seed)
    (chunks_a, ours, of_a), (chunks_b, theirs, of_b) = _cut(a), _cut(b)
    size = len(chunks_a), len(chunks_b)
    pairs = np.stack(np.meshgrid(*(np.arange(count) * SENTENCES for count in size), indexing="ij"), axis=-1)
    found = [
        Passage(round(0.9 - number / 100, DIGITS), ours[number * 2 % len(ours)], theirs[number * 5 % len(theirs)], NEAR)
        for number in range(passages)
    ]
    return Comparison(
        a=a,
        b=b,
        score=0.6251,
        reading=Percentile(97.2, "Closer than 97 % of 1,000 unrelated pairs of patents."),
        nearness=READ,
        sections=_grid([one.title for one in a.sections], [one.title for one in b.sections], random),
        chunks=_grid([f"Chunk {n}" for n in range(size[0])], [f"Chunk {n}" for n in range(size[1])], random),
        chunks_a=chunks_a,
        chunks_b=chunks_b,
        section_of_a=of_a,
        section_of_b=of_b,
        kept_a=np.ones(size[0], np.bool_),
        kept_b=np.ones(size[1], np.bool_),
        attention=_matrix(random, size),
        attention_back=_matrix(random, size[::-1]),
        carriers=Carriers(ours, theirs, pairs.astype(np.int64), _matrix(random, size)),
        passages=tuple(found),
        claims=_claims(ours, theirs),
        left_out={REFERENCES: (3, 1), RECURRING: (0, 2), SHORT: (0, 0)},
        differences=_differences(ours, theirs),
    )


def without_chunk(one: Comparison, number: int) -> Comparison:
    """The comparison as if a chunk of A had been left out."""
    kept = one.kept_a.copy()
    kept[number] = False
    return replace(one, kept_a=kept)


def _differences(ours: tuple[Chunk, ...], theirs: tuple[Chunk, ...]) -> Differences:
    """The first sentence of A, to which one of B comes near, and the last of B, to which nothing does."""
    a = (UncoveredPassage(ours[0], 11, theirs[0], 0.3142, ours[0], FAR),) if ours and theirs else ()
    b = (UncoveredPassage(theirs[-1], 11, None, 0.0),) if theirs else ()
    return Differences(Uncovered(a, 110), Uncovered(b, 44), 0.125)


def _claims(ours: tuple[Chunk, ...], theirs: tuple[Chunk, ...]) -> tuple[ClaimElement, ...]:
    """One claim of two elements, of which nothing comes near the second."""
    if not ours or not theirs:
        return ()
    return ClaimElement("a", 1, ours[0], (Passage(0.7123, ours[0], theirs[0], NEAR),)), ClaimElement(
        "a", 1, ours[1], ()
    )


def _cut(one: Document) -> tuple[tuple[Chunk, ...], tuple[Chunk, ...], Positions]:
    """Chunks of three sentences, the sentences, and the section of each chunk."""
    chunks: list[Chunk] = []
    sentences: list[Chunk] = []
    section_of: list[int] = []
    for section, part in enumerate(one.sections):
        stops = [place + 1 for place, letter in enumerate(part.text) if letter == "."]
        starts = [0, *(stop + 1 for stop in stops[:-1])]
        number = section + (1 if one.title else 0)
        cut = [
            Chunk(one.id, number, part.title, start, stop, part.text[start:stop])
            for start, stop in zip(starts, stops, strict=True)
        ]
        sentences += cut
        for first in range(0, len(cut), SENTENCES):
            start, stop = cut[first].start, cut[first + SENTENCES - 1].stop
            chunks.append(Chunk(one.id, number, part.title, start, stop, part.text[start:stop]))
            section_of.append(section)
    return tuple(chunks), tuple(sentences), np.asarray(section_of, np.int64)


def _grid(a: list[str], b: list[str], random: np.random.Generator) -> Grid:
    sizes = (len(a), len(b)), (len(a), len(a)), (len(b), len(b))
    return Grid(tuple(a), tuple(b), *(_matrix(random, size) for size in sizes))


def _matrix(random: np.random.Generator, size: tuple[int, int]) -> Matrix:
    return np.asarray(random.random(size).round(DIGITS), np.float64)

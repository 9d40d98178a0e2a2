"""A comparison made by hand of two texts of our own: words that chunks share, and nothing that needs an encoder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.compare import Carriers, ClaimElement, Comparison, Exclusions, Grid, Passage, Uncovered, UncoveredPassage
from engine.compare.model import Differences, Percentile
from engine.documents import Chunk, Document, Section
from engine.documents.text import content_tokens
from tests.made_readings import READ

HOSTILE = "<img src=x onerror=alert(1)>"

PAPER = Document(
    "a",
    "paper",
    "Tidal rotors",
    "A rotor turns in the tide. Its blades follow the current.",
    (
        Section("Method", "We turn each blade with the speed of the current."),
        Section(f"Results {HOSTILE}", f"The generator turns evenly. {HOSTILE}"),
        Section("References", "A. Author. Blades. 1999.", "references"),
    ),
)
PATENT = Document(
    "b",
    "patent",
    "Water wheel",
    "A wheel with a blade that follows the current.",
    (Section("Description", "The generator turns evenly while the tide changes."),),
    claims=("A wheel comprising a blade; and a generator.", "The wheel of claim 1 with a seal."),
)


def made_comparison(
    a: Document = PAPER, b: Document = PATENT, *, exclusions: Exclusions | None = None, gone: Sequence[int] = ()
) -> Comparison:
    """Compare two documents by shared words; the chunks of a at the places `gone` are left out."""
    ours, theirs = _chunks(a), _chunks(b)
    sections = [_sections(chunks) for chunks in (ours, theirs)]
    kept = np.asarray([place not in gone for place in range(len(ours))])
    across = _shared(ours, theirs) * kept[:, None]
    pairs = np.stack(np.meshgrid(np.arange(len(ours)), np.arange(len(theirs)), indexing="ij"), axis=-1)
    pairs[across == 0] = -1
    order = np.argsort(-across, axis=None, kind="stable")[:4]
    places = [(int(n) // len(theirs), int(n) % len(theirs)) for n in order]
    best = [Passage(float(across[i, j]), ours[i], theirs[j]) for i, j in places if across[i, j] > 0]
    chunks = Grid(_names(ours), _names(theirs), across, _shared(ours, ours), _shared(theirs, theirs))
    return Comparison(
        a=a,
        b=b,
        score=round(float(across.mean()), 4),
        reading=Percentile(97.0, "Closer than 97 % of 100 unrelated pairs of a paper and a patent."),
        nearness=READ,
        sections=_by_section(chunks, sections),
        chunks=chunks,
        chunks_a=ours,
        chunks_b=theirs,
        section_of_a=sections[0][0],
        section_of_b=sections[1][0],
        kept_a=kept,
        kept_b=np.ones(len(theirs), bool),
        attention=across / np.maximum(across.sum(1, keepdims=True), 1e-9),
        attention_back=across.T / np.maximum(across.T.sum(1, keepdims=True), 1e-9),
        carriers=Carriers(ours, theirs, pairs, across),
        passages=tuple(best),
        claims=tuple(_claim(chunk, ours) for chunk in theirs if "Claim" in chunk.section),
        left_out={"references": (1, 0), "recurring": (0, 0), "short": (0, 2)},
        differences=Differences(
            Uncovered((UncoveredPassage(ours[0], 11, theirs[0], 0.3142),), 40),
            Uncovered((UncoveredPassage(theirs[-1], 8, None, 0.0),), 32),
            0.0,
        ),
        exclusions=exclusions or Exclusions(),
    )


def _chunks(document: Document) -> tuple[Chunk, ...]:
    return tuple(
        Chunk(document.id, number, part.title, 0, len(part.text), part.text)
        for number, part in enumerate(document.parts)
        if part.role not in ("title", "references")
    )


def _sections(chunks: Sequence[Chunk]) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    names = ["Claims" if chunk.section.startswith("Claim") else chunk.section for chunk in chunks]
    titles = tuple(dict.fromkeys(names))
    return np.asarray([titles.index(name) for name in names]), titles


def _names(chunks: Sequence[Chunk]) -> tuple[str, ...]:
    return tuple(chunk.section for chunk in chunks)


def _shared(ours: Sequence[Chunk], theirs: Sequence[Chunk]) -> NDArray[np.float64]:
    words = [[set(content_tokens(chunk.text)) for chunk in chunks] for chunks in (ours, theirs)]
    return np.asarray([[round(len(x & y) / max(1, len(x | y)), 4) for y in words[1]] for x in words[0]])


def _by_section(chunks: Grid, sections: Sequence[tuple[NDArray[np.int64], tuple[str, ...]]]) -> Grid:
    (ours, titles), (theirs, others) = sections

    def best(values: NDArray[np.float64], rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.float64]:
        found = np.zeros((rows.max() + 1, columns.max() + 1))
        np.maximum.at(found, (rows[:, None], columns[None, :]), values)
        return found

    within = best(chunks.within_a, ours, ours), best(chunks.within_b, theirs, theirs)
    return Grid(titles, others, best(chunks.across, ours, theirs), *within)


def _claim(chunk: Chunk, others: Sequence[Chunk]) -> ClaimElement:
    return ClaimElement(
        "b", int(chunk.section.split()[1]), chunk, tuple(Passage(0.5, other, chunk) for other in others[:2])
    )

"""Writes two or three documents at CoLDE's three levels as one HTML file, on one scale of colours."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from itertools import groupby
from pathlib import Path

import numpy as np

from engine.compare import LevelGrid, Matrix, Passage, Together
from engine.core.rows import Flags
from engine.documents import KIND_NAMES
from engine.encoders import EncoderCard
from engine.exports.comparison.heatmaps import Band, HeatCell, HeatGrid
from engine.exports.comparison.report import HELPERS
from engine.exports.page import day, render

_SHEET = Path(__file__).with_name("report.css")
_OF_SECTIONS, _OF_CHUNKS = 6, 4
"""Cells of a level and of two documents, or of one within itself, that open their sentences: those that match best."""

_NOTE = (
    "Numbers of sections are cosines of the encoder's vectors: 1 is the most alike. The number of two chunks joins "
    "such a cosine with how well their best two sentences match."
)


@dataclass(frozen=True, slots=True)
class LevelHeat(HeatGrid):
    """A level of several documents, whose rows and columns are the same parts; `owners` (n,) are their documents."""

    owners: tuple[int, ...] = ()

    def letters(self, cell: HeatCell) -> str:
        """Return the letters of the two documents of a cell."""
        return "".join(Together.letters[self.owners[place]] for place in cell)


def together_html(found: Together, *, encoder: EncoderCard | None = None, made_on: date | None = None) -> str:
    """Return one file for people: nothing in it is fetched or runs, and no text of a document becomes markup.

    Every number is the comparison's own, to two decimals. `encoder` and `made_on` are named at the end where given.
    """
    opened = _opened(found)
    sections = _heat(found, "section", found.sections, found.kept_sections, opened)
    chunks = _heat(found, "chunk", found.chunks, found.kept_chunks, opened)
    heats = {"section": sections, "chunk": chunks}
    return render(
        "comparison/together.html",
        title=f"{found.documents[0].name} with {' and '.join(one.name for one in found.documents[1:])}",
        heading="Three documents compared" if len(found.documents) > 2 else "Two documents compared",
        sheet=_SHEET.read_text("utf-8"),
        making={
            "Encoder": f"{encoder.name}: {encoder.summary}" if encoder else "",
            "Fingerprint": encoder.fingerprint if encoder else "",
            "Made on": day(made_on) if made_on else "",
            "Words": found.alone[0].words,
        },
        note=_NOTE,
        cards=[
            (letter, (KIND_NAMES[one.kind], str(one.year or ""), ", ".join(one.authors), one.venue, one.id), one.name)
            for letter, one in zip(Together.letters, found.documents, strict=False)
        ],
        documents=_documents(found),
        readings=[
            (f"{ours} and {theirs}:", one.nearness.with_p, one.read_part(ours, theirs))
            for ours, theirs, one in found.pairs
        ],
        nearer=found.nearer,
        sections=sections,
        chunks=chunks,
        attention=_attention(found, chunks),
        passages=[
            (_called(owners), [(heats[level], cell, passage) for _, level, cell, passage in some])
            for owners, some in groupby(opened, key=lambda one: one[0])
        ],
        **HELPERS,
    )


def _called(owners: tuple[int, int]) -> str:
    a, b = (Together.letters[owner] for owner in owners)
    return f"Within {a}" if a == b else f"{a} and {b}"


def _opened(found: Together) -> list[tuple[tuple[int, int], str, HeatCell, Passage]]:
    """Return, by documents, the level and cell of the best matches, and their sentences."""
    opened = []
    count, carriers = len(found.documents), {level: found.carried(level) for level in ("section", "chunk")}
    for owners in [(a, b) for a in range(count) for b in range(a, count)]:
        for level, grid, most in (
            ("section", found.sections, _OF_SECTIONS),
            ("chunk", found.chunks, _OF_CHUNKS),
        ):
            held: list[tuple[float, HeatCell, Passage]] = []
            rows, columns = (np.flatnonzero(np.asarray(grid.owners) == owner).tolist() for owner in owners)
            for row in rows:
                for column in columns:
                    if owners[0] == owners[1] and column <= row:
                        continue
                    passage = carriers[level].passage(row, column)
                    if passage is not None:
                        held.append((passage.score, (row, column), passage))
            held.sort(key=lambda one: (-one[0], one[1]))
            opened += [(owners, level, cell, passage) for _, cell, passage in held[:most]]
    return opened


def _heat(
    found: Together,
    level: str,
    grid: LevelGrid,
    kept: Flags,
    opened: list[tuple[tuple[int, int], str, HeatCell, Passage]],
) -> LevelHeat:
    cells = frozenset(cell for _, of, cell, _ in opened if of == level)
    return LevelHeat(
        unit=level[0],
        label=f"The {level}s of all documents against each other",
        values=grid.values,
        names=(grid.names, grid.names),
        kept=(kept, kept),
        bands=(_bands(found, level), _bands(found, level)),
        linked=cells,
        marked=cells,
        corner="",
        darkest=found.highest,
        owners=grid.owners,
    )


def _documents(found: Together) -> HeatGrid:
    names = tuple(f"{letter} {one.name}" for letter, one in zip(Together.letters, found.documents, strict=False))
    kept, at = np.ones(len(names), np.bool_), found.highest
    return HeatGrid("d", "Documents", found.scores, (names, names), (kept, kept), ([], []), corner="", darkest=at)


def _attention(found: Together, chunks: LevelHeat) -> HeatGrid:
    values: Matrix = found.attention
    highest = float(values.max(initial=0.0)) or 1.0
    label, both = "Attention of all chunks to each other", (chunks.names, chunks.kept, chunks.bands)
    return HeatGrid("", label, values, *both, corner="", darkest=highest)


def _bands(found: Together, level: str) -> list[Band]:
    """Return the documents' names over sections, the sections' over chunks."""
    if level == "section":
        return [(name, place, place + 1) for place, name in enumerate(found.sections.names)]
    bands: list[Band] = []
    for letter, alone in zip(Together.letters, found.alone, strict=False):
        for section, rows in groupby(alone.section_of_a.tolist()):
            start = bands[-1][2] if bands else 0
            bands.append((f"{letter} {alone.sections.a[section]}", start, start + len(list(rows))))
    return bands

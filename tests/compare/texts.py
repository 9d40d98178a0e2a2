"""Documents of our own to compare: two papers about kites, a patent, and an encoder that stands in for CoLDE."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compare import as_json
from engine.compare.model import Comparison, Exclusions
from engine.core.progress import Report, silent
from engine.core.rows import DenseRows, unit_length
from engine.documents import Chunk, Document, Section
from engine.documents.text import sentences, tokens
from engine.encoders import EncoderCard
from engine.encoders.colde import Levels, LongRows

_DIM, _MOST_WORDS = 64, 40

KITES = Document(
    "kites",
    title="Kites that harvest wind",
    abstract="Tethered kites harvest the energy of high winds. We measure how a wing of silk pulls its tether.",
    sections=(
        Section(
            "Introduction",
            "Winds at high altitude carry more energy than those near the ground. A tethered kite reaches them with "
            "little material. Turbines on towers stay far below, where friction slows the air and hills stir it.",
        ),
        Section(
            "Method",
            "We flew a wing of silk above a lake and recorded the pull of its tether every second. A winch on the "
            "shore reeled the tether out under load and back in without it. The generator of the winch fed a battery. "
            "Figure 2 shows the winch.",
        ),
        Section(
            "Results",
            "The wing pulled with four hundred newtons on average and lifted more in gusts. Reeling in cost a tenth "
            "of the energy that reeling out had given. Nights gave steadier winds than days did over the lake.",
        ),
        Section(
            "References",
            "J. Smith and A. Doe. 2003. Tethered wings. In Proceedings of the Conference on Wind and Kites, pages 3-9.",
            "references",
        ),
    ),
)

GLIDERS = Document(
    "gliders",
    title="Gliders on a winch",
    abstract="Gliders are launched by a winch. We ask how much of its energy is lost in the cable.",
    sections=(
        Section(
            "Introduction",
            "A winch launches a glider with little energy. Cables of steel are heavy and wear out within a season. "
            "Ropes of polymer weigh less and are kinder to the pilot who lands among them.",
        ),
        Section(
            "Measurements",
            "Our winch carried a rope of polymer for two hundred launches. A winch on the shore reeled the tether out "
            "under load and back in without it. We weighed the rope each week and found no loss of fibres.",
        ),
        Section("Results", "The rope of polymer saved a quarter of the energy of each launch. Pilots liked it better."),
    ),
)

PATENT = Document(
    "US1",
    "patent",
    title="Winch for a kite",
    abstract="A winch reels the tether of a kite and drives a generator.",
    sections=(
        Section(
            "Description",
            "The drum of the winch carries the tether and is joined to a generator by a clutch. A controller opens the "
            "clutch while the tether is reeled in. The wing is trimmed by two lines of equal length.",
        ),
    ),
    claims=(
        "A winch for a tethered kite, comprising: a drum that carries a tether of the kite; a generator joined to the "
        "drum by a clutch; and a controller that opens the clutch while the tether is reeled in.",
        "The winch of claim 1, wherein the generator feeds a battery on the shore.",
    ),
)


class StandIn:
    """Promises what CoLDE does, with the counts of hashed words: quick, and the same everywhere."""

    def __init__(self, fingerprint: str = "0123456789abcdef", facts: dict[str, Any] | None = None) -> None:
        self.card = EncoderCard("stand-in", "Counts words.", _DIM, fingerprint)
        self.facts = facts or {}
        self.documents_read = 0

    def read(self, documents: Sequence[Document], *, report: Report = silent) -> list[LongRows]:
        del report
        self.documents_read += len(documents)
        return [self._read(document) for document in documents]

    def levels(self, long: LongRows, *, keep: NDArray[np.bool_] | None = None) -> Levels:
        kept = np.ones(len(long.chunks), np.bool_) if keep is None else keep
        rows = long.rows * kept[:, None]
        sections = np.zeros((len(long.sections), _DIM), np.float32)
        np.add.at(sections, long.section_of, rows)
        return Levels(unit_length(rows.sum(axis=0, keepdims=True))[0], unit_length(sections), unit_length(rows))

    def similarity(self, a: Levels, b: Levels) -> float:
        return a.similarity(b, late_share=0)

    def attends(self, a: LongRows, b: LongRows) -> DenseRows:
        weights = np.exp(unit_length(a.rows) @ unit_length(b.rows).T)
        return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)

    def in_precision(self, precision: str) -> StandIn:
        del precision
        return self

    def _read(self, document: Document) -> LongRows:
        chunks: list[Chunk] = []
        section_of: list[int] = []
        titles: list[str] = []
        for number, part in enumerate(document.parts):
            before = len(chunks)
            if part.role in ("title", "references"):
                continue
            for start, stop in _cut(part.text):
                chunks.append(Chunk(document.id, number, part.title, start, stop, part.text[start:stop]))
            if len(chunks) > before:
                section_of += [len(titles)] * (len(chunks) - before)
                titles.append(part.title)
        rows = np.zeros((len(chunks), _DIM), np.float32)
        for row, chunk in zip(rows, chunks, strict=True):
            for token in tokens(chunk.text):
                row[sum(map(ord, token)) % _DIM] += 1
        return LongRows(tuple(titles), tuple(chunks), np.asarray(section_of, np.int64), rows)


def _cut(text: str) -> list[tuple[int, int]]:
    """Whole sentences of some forty words together."""
    found: list[tuple[int, int]] = []
    for span in sentences(text):
        if found and len(text[found[-1][0] : span.stop].split()) <= _MOST_WORDS:
            found[-1] = (found[-1][0], span.stop)
        else:
            found.append((span.start, span.stop))
    return found


EVERYTHING = Exclusions(references=False, recurring=False)


def as_text(comparison: Comparison) -> str:
    return json.dumps(as_json(comparison), allow_nan=False)


def document_of(text: str, name: str = "odd") -> Document:
    return Document(name, sections=(Section("Text", text),))

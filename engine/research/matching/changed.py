"""CoLDE's similarity of pairs of changed documents, without reading again the parts that did not change."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.core.progress import Meter, Report, silent
from engine.research.matching.encoding import long_vectors
from engine.research.matching.form import Form
from engine.research.matching.pair_set import PairSet
from engine.research.matching.scores import PairScores

if TYPE_CHECKING:
    from engine.encoders.colde import ColdeEncoder
    from engine.training.colde.chunks import RememberedChunks


def of_form(pairs: PairSet, form: Form) -> PairSet:
    """A set of whole documents with each in a form."""
    return dataclasses.replace(pairs, corpus=[form.of(document) for document in pairs.corpus], form=form)


def remembered(
    encoder: ColdeEncoder, pairs: PairSet, *, cache: Path | None = None, report: Report = silent
) -> RememberedChunks:
    """The chunks of a set's documents as they are; `pairs` holds whole documents."""
    from engine.training.colde.chunks import RememberedChunks  # brings torch

    chunks, bodies = RememberedChunks(encoder), of_form(pairs, Form())
    chunks.remember(bodies.documents, long_vectors(encoder, bodies.documents, cache=cache, report=report))
    return chunks


def changed_scores(
    encoder: ColdeEncoder,
    pairs: PairSet,
    chunks: RememberedChunks,
    *,
    sections: int | None = None,
    report: Report = silent,
) -> PairScores:
    """The encoder's similarity of each pair of documents that are in their form already: (p,).

    `sections` numbers their chunks as that many stretches, instead of by the encoder's own choice.
    """
    documents = pairs.documents
    meter = Meter(f"{pairs.name}, chunks", len(documents), report)
    rows = chunks.rows(documents, sections=sections or encoder.settings.sections, done=meter.add)
    levels = [encoder.levels_of(one) for one in rows]
    meter.finish()
    return np.array([encoder.similarity(levels[a], levels[b]) for a, b in pairs.places], np.float64)

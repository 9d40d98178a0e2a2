"""Scores pairs as a comparison shows them: without excluded text, and mixed as the encoder's card says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.compare import Exclusions, ReadDocument, Words
from engine.compare.document_score import KeptDocument, document_score
from engine.compare.mix import FACT
from engine.compare.shared_words import Said
from engine.core import files
from engine.core.progress import Meter, Report, silent
from engine.documents import Document
from engine.encoders.colde import LongRows
from engine.research.matching.encoding import long_vectors
from engine.research.matching.scores import PairScores

if TYPE_CHECKING:
    from engine.encoders.colde import ColdeEncoder


def compared_scores(
    encoder: ColdeEncoder,
    documents: Sequence[Document],
    places: NDArray[np.int64],
    *,
    cache: Path | None = None,
    report: Report = silent,
) -> PairScores:
    """The document score of each of p pairs of places (p, 2) in `documents`: (p,).

    As `priorscope compare` gives it without a library and without options, from chunk vectors in half precision.
    `cache` keeps these (`encoding.long_vectors`).
    """
    kept = kept_documents(encoder, documents, np.unique(places), cache=cache, report=report)
    meter = Meter("compare pairs", len(places), report)
    scores = np.zeros(len(places))
    for number, (a, b) in enumerate(places.tolist()):
        scores[number] = document_score(encoder, kept[a], kept[b]).score
        meter.add()
    meter.finish()
    return scores


def compared_fingerprint(encoder: ColdeEncoder) -> str:
    """Names the encoder with its mix."""
    return files.fingerprint(encoder.card.fingerprint, json.dumps(encoder.facts.get(FACT), sort_keys=True))


def kept_documents(
    encoder: ColdeEncoder,
    documents: Sequence[Document],
    places: NDArray[np.int64],
    *,
    cache: Path | None = None,
    report: Report = silent,
) -> dict[int, KeptDocument]:
    """The compared parts of the documents at some places, by place; reads all documents, so that `cache` fits all."""
    vectors = long_vectors(encoder, documents, cache=cache, report=report)
    words = Words.shipped()
    meter = Meter("read documents to compare", len(places), report)
    kept: dict[int, KeptDocument] = {}
    for place in places.tolist():
        cut = encoder.cut(documents[place])
        section_of = np.asarray(cut.section_of, np.int64)
        long = LongRows(cut.sections, cut.chunks, section_of, vectors.of(place))
        kept[place] = _kept_document(encoder, documents[place], words, long)
        meter.add()
    meter.finish()
    return kept


def _kept_document(encoder: ColdeEncoder, document: Document, words: Words, long: LongRows) -> KeptDocument:
    """What is left of a document under the usual exclusions; a document without text has nothing."""
    if not len(long.chunks):
        return KeptDocument(encoder.levels(long), Said({}, np.zeros(0)), document)
    read = ReadDocument.read(document, encoder, words, long=long)
    return KeptDocument.of(read, read.kept(Exclusions()))

"""Scores the pairs of a set by every row that was asked for: by words, by an encoder, or as a comparison does.

The rows that an encoder gives to documents are kept for later runs where asked for. A comparison leaves out excluded
text, and mixes as the encoder's card says.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeGuard

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from engine import encoders
from engine.compare import Exclusions, ReadDocument, Words
from engine.compare.document_score import MIX_FACT, KeptDocument, document_score
from engine.compare.stretches import DocumentTerms
from engine.core import files
from engine.core.errors import EvaluationError
from engine.core.progress import Meter, Report, silent
from engine.core.rows import DenseRows, Rows, both_ways
from engine.documents import Document
from engine.encoders import Encoder, minilm
from engine.encoders.colde import LongRows
from engine.encoders.transformer_mean import TransformerChunksEncoder
from engine.evaluation.kept_rows import read_by
from engine.research.baselines.rows import ROWS
from engine.research.matching.judging import PairScores, Scored, check, inner_products, mix
from engine.research.matching.pair_set import Form, PairSet, of_form
from engine.research.matching.rows import (
    BM25,
    COMPARE,
    COMPARES,
    LSA,
    MINILM_CHUNKS,
    PASSAGES,
    TFIDF,
    Row,
    bm25_scores,
    fingerprint_of,
    lsa_scores,
    tfidf_scores,
)
from engine.search import PassageEncoder
from engine.training.long_corpus import Split

if TYPE_CHECKING:
    from engine.encoders.colde import ColdeEncoder
    from engine.training.colde.chunks import ChunkVectors, RememberedChunks


_DOCUMENTS_AT_ONCE = 32  # how many documents an interrupted run reads again at most
_ROWS, _ABOUT = "rows.safetensors", "about.json"


def encoder_of(row: Row) -> Encoder:
    """Return the encoder of a row that has one.

    Raises StorageError if its folder holds no encoder, or MissingExtraError if a library that it needs is missing.
    """
    if row.folder is not None:
        return encoders.load_folder(row.folder, ROWS.loaders)
    if row.name == MINILM_CHUNKS:
        return TransformerChunksEncoder.open(minilm.minilm_folder())
    if row.name == COMPARE:
        return encoders.load(COMPARES)
    return minilm.load() if row.name == minilm.MINILM else encoders.load(row.name)


def reads_sections(encoder: Encoder) -> TypeGuard[ColdeEncoder]:
    """Tell whether an encoder numbers the sections of a document: CoLDE's do."""
    from engine.encoders.colde import ColdeEncoder  # brings torch

    return isinstance(encoder, ColdeEncoder)


def encoder_scores(
    encoder: Encoder, pairs: PairSet, *, cache: Path | None = None, name: str = "", report: Report = silent
) -> PairScores:
    """Return the method's similarity of each pair (p,): query row of the first, document row of the other; CoLDE's own.

    Every document is encoded once. `cache` is a folder for rows by encoder and texts, so that an interrupted run goes
    on where it stopped.
    """
    if reads_sections(encoder):
        return long_scores(encoder, pairs.documents, pairs.places, cache=cache, report=report)
    rows = encode(encoder, pairs.documents, cache=cache, name=name, report=report)
    return inner_products(encoder.as_queries(rows), rows, pairs.places)


def long_scores(
    encoder: ColdeEncoder,
    documents: Sequence[Document],
    places: NDArray[np.int64],
    *,
    cache: Path | None = None,
    report: Report = silent,
) -> PairScores:
    """Return CoLDE's similarity of each of p pairs of places (p, 2) in `documents`: (p,)."""
    kept = long_vectors(encoder, documents, cache=cache, report=report)
    levels = [encoder.levels_of(kept.of(place)) for place in range(len(documents))]
    return np.array([encoder.similarity(levels[a], levels[b]) for a, b in places], np.float64)


def passage_scores(pairs: PairSet, *, cache: Path | None = None, report: Report = silent) -> tuple[PairScores, str]:
    """Return how well the passages of each pair match both ways, (p,), and the fingerprint of what read them.

    `cache` keeps their rows, a byte a number, as a library does. Raises StorageError where what reads passages is
    missing.
    """
    encoder = PassageEncoder()
    keep = None if cache is None else cache / encoder.fingerprint
    view = read_by(encoder, pairs.documents, keep, report).view
    rows = [view.rows(view.of_documents(np.array([view.number_of[one.id]]))[0]) for one in pairs.documents]
    return np.array([both_ways(rows[a], rows[b]) for a, b in pairs.places], np.float64), encoder.fingerprint


def long_vectors(
    encoder: ColdeEncoder, documents: Sequence[Document], *, cache: Path | None = None, report: Report = silent
) -> ChunkVectors:
    """Return the chunk vectors of documents in their order.

    `cache` keeps them by what reads them, so that encoders over one transformer share them, and share those that
    training kept.
    """
    from engine.training.colde.chunks import read_chunk_vectors  # brings torch

    with nullcontext(cache) if cache else TemporaryDirectory() as folder:
        return read_chunk_vectors(
            documents,
            encoder.reader,
            sections=encoder.settings.sections,
            cache=Path(folder) / encoder.reading_fingerprint,
            report=report,
        )


def encode(
    encoder: Encoder,
    documents: Sequence[Document],
    *,
    cache: Path | None = None,
    name: str = "",
    report: Report = silent,
) -> Rows:
    """Encode documents (n, dim), some at a time, from `cache` where they were before."""
    meter = Meter(f"encode by {name or encoder.card.name}", len(documents), report)
    found: list[Rows] = []
    for block in _blocks(documents):
        found.append(_encode(encoder, block, cache))
        meter.add(len(block))
    meter.finish()
    if not found:
        return encoder.encode_documents([])
    return csr_array(vstack(found)) if encoder.card.sparse else np.concatenate(found)


def _encode(encoder: Encoder, block: Sequence[Document], cache: Path | None) -> Rows:
    """Encode some documents, or read their rows; sparse ones are as quick to make as to read."""
    if cache is None or encoder.card.sparse:
        return encoder.encode_documents(block)
    texts = [part for document in block for part in (document.id, *_texts(document))]
    folder = cache / encoder.card.fingerprint / files.fingerprint(*texts)
    if not folder.exists():
        _write(folder, np.asarray(encoder.encode_documents(block)))
    return _read(folder)


def _texts(document: Document) -> Iterator[str]:
    for part in document.parts:
        yield from (part.role, part.title, part.text)


def _write(folder: Path, rows: DenseRows) -> None:
    with files.new_folder(folder) as new:
        files.write_json(new / _ABOUT, {"sha256": files.write_arrays(new / _ROWS, {"rows": rows})})


def _read(folder: Path) -> DenseRows:
    rows: DenseRows = files.read_arrays(folder / _ROWS, files.read_json(folder / _ABOUT)["sha256"])["rows"]
    return rows


def _blocks(documents: Sequence[Document]) -> Iterator[Sequence[Document]]:
    for first in range(0, len(documents), _DOCUMENTS_AT_ONCE):
        yield documents[first : first + _DOCUMENTS_AT_ONCE]


def compared_scores(
    encoder: ColdeEncoder,
    documents: Sequence[Document],
    places: NDArray[np.int64],
    *,
    cache: Path | None = None,
    report: Report = silent,
) -> PairScores:
    """Return the document score of each of p pairs of places (p, 2) in `documents`: (p,).

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
    """Return name the encoder with its mix."""
    return files.fingerprint(encoder.card.fingerprint, json.dumps(encoder.facts.get(MIX_FACT), sort_keys=True))


def kept_documents(
    encoder: ColdeEncoder,
    documents: Sequence[Document],
    places: NDArray[np.int64],
    *,
    cache: Path | None = None,
    report: Report = silent,
) -> dict[int, KeptDocument]:
    """Return the compared parts of the documents at some places, by place; reads all, so that `cache` fits all."""
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
    """Return what is left of a document under the usual exclusions; a document without text has nothing."""
    if not len(long.chunks):
        return KeptDocument(encoder.levels(long), DocumentTerms({}, np.zeros(0)), document)
    read = ReadDocument.read(document, encoder, words, long=long)
    return KeptDocument.of(read, read.kept(Exclusions()))


_BY_WORDS: Mapping[str, Callable[..., PairScores]] = {
    TFIDF: tfidf_scores,
    LSA: lsa_scores,
    BM25: bm25_scores,
}


_SECTIONS = "sections"


@dataclass(frozen=True, slots=True)
class Plan:
    """How rows are scored: `kept` holds those at hand by name, `cache` keeps encoders' rows of texts.

    `mix_split` is the split that mixes are fitted on, and `sections` in how many stretches
    CoLDE numbers a document's chunks, where that is not the encoder's own choice.
    """

    kept: Mapping[str, Scored] = field(default_factory=dict)
    cache: Path | None = None
    mix_split: Split = "train"
    sections: int | None = None


def score(rows: Sequence[Row], pairs: PairSet, plan: Plan | None = None, *, report: Report = silent) -> list[Scored]:
    """Score each row, and the parts of each mix once, in the order asked for.

    Raises EvaluationError if a row gives no finite score or none numbers sections as asked, and EngineError if an
    encoder cannot be loaded.
    """
    plan = plan or Plan()
    asked = {row.name: row for row in rows}
    needed = dict.fromkeys(name for row in rows for name in (row.parts or (row.name,)))
    held = {name: _score(asked.get(name, Row(name)), pairs, plan, report) for name in needed}
    if plan.sections is not None and all(one.facts.get(_SECTIONS) != plan.sections for one in held.values()):
        raise EvaluationError(
            f"Expected a row that CoLDE reads, to number its sections; got {', '.join(held)}. "
            "Name its folder, or leave --sections out."
        )
    for row in rows:
        if row.parts:
            held[row.name] = mix(row.name, [held[part] for part in row.parts], pairs, split=plan.mix_split)
    return [held[row.name] for row in rows]


def _score(row: Row, pairs: PairSet, plan: Plan, report: Report) -> Scored:
    if row.name in plan.kept and row.folder is None:
        return plan.kept[row.name]
    started = time.perf_counter()
    facts: dict[str, int] = {}
    if row.folder is None and row.name in _BY_WORDS:
        scores, fingerprint = _BY_WORDS[row.name](pairs, report=report), fingerprint_of(row.name)
    elif row.folder is None and row.name == PASSAGES:
        scores, fingerprint = passage_scores(pairs, cache=plan.cache, report=report)
    else:
        encoder = encoder_of(row)
        if plan.sections is not None and reads_sections(encoder):
            encoder, facts = encoder.with_sections(plan.sections), {_SECTIONS: plan.sections}
        scores, fingerprint = _by_encoder(row, encoder, pairs=pairs, plan=plan, report=report)
    check(row.name, scores, pairs)
    return Scored(row.name, fingerprint, scores, time.perf_counter() - started, facts)


def _by_encoder(row: Row, encoder: Encoder, *, pairs: PairSet, plan: Plan, report: Report) -> tuple[PairScores, str]:
    """Return an encoder's scores (p,) with a name for what gave them; for the row `compare` those of a comparison."""
    if row.name != COMPARE:
        scores = encoder_scores(encoder, pairs, cache=plan.cache, name=row.name, report=report)
        return scores, encoder.card.fingerprint
    if not reads_sections(encoder):
        raise EvaluationError(
            f"Expected an encoder that compares long documents for the row {COMPARE}, got {encoder.card.name}. "
            "Give its folder another name."
        )
    scores = compared_scores(encoder, pairs.documents, pairs.places, cache=plan.cache, report=report)
    return scores, compared_fingerprint(encoder)


def remembered(
    encoder: ColdeEncoder, pairs: PairSet, *, cache: Path | None = None, report: Report = silent
) -> RememberedChunks:
    """Return the chunks of a set's documents as they are; `pairs` holds whole documents."""
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
    """Return the encoder's similarity of each pair of documents that are in their form already: (p,).

    `sections` numbers their chunks as that many stretches, instead of by the encoder's own choice.
    """
    documents = pairs.documents
    meter = Meter(f"{pairs.name}, chunks", len(documents), report)
    rows = chunks.rows(documents, sections=sections or encoder.settings.sections, done=meter.add)
    levels = [encoder.levels_of(one) for one in rows]
    meter.finish()
    return np.array([encoder.similarity(levels[a], levels[b]) for a, b in pairs.places], np.float64)

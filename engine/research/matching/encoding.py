"""The rows that an encoder gives to the documents of pairs, kept for later runs where asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeGuard

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from engine import encoders
from engine.core import files
from engine.core.progress import Meter, Report, silent
from engine.core.rows import DenseRows, Rows, both_ways
from engine.documents import Document
from engine.encoders import Encoder, minilm
from engine.encoders.transformer_mean import TransformerChunksEncoder
from engine.evaluation.kept_rows import read_by
from engine.research.baselines.rows import ROWS
from engine.research.matching.pair_set import PairSet
from engine.research.matching.rows import COMPARE, COMPARES, MINILM_CHUNKS, Row
from engine.research.matching.scores import PairScores, inner_products
from engine.search import PassageEncoder

if TYPE_CHECKING:
    from engine.encoders.colde import ColdeEncoder
    from engine.training.colde.chunks import ChunkVectors


_DOCUMENTS_AT_ONCE = 32  # how many documents an interrupted run reads again at most
_ROWS, _ABOUT = "rows.safetensors", "about.json"


def encoder_of(row: Row) -> Encoder:
    """The encoder of a row that has one.

    Raises StorageError if its folder holds no encoder, or MissingExtraError if a library that it needs is missing.
    """
    if row.folder is not None:
        return encoders.load_folder(row.folder, ROWS.loaders)
    if row.name == MINILM_CHUNKS:
        return TransformerChunksEncoder.open(encoders.minilm_folder())
    if row.name == COMPARE:
        return encoders.load(COMPARES)
    return minilm.load() if row.name == encoders.MINILM else encoders.load(row.name)


def reads_sections(encoder: Encoder) -> TypeGuard[ColdeEncoder]:
    """Whether an encoder numbers the sections of a document: CoLDE's do."""
    from engine.encoders.colde import ColdeEncoder  # brings torch

    return isinstance(encoder, ColdeEncoder)


def encoder_scores(
    encoder: Encoder, pairs: PairSet, *, cache: Path | None = None, name: str = "", report: Report = silent
) -> PairScores:
    """The method's similarity of each pair (p,): query row of the first, document row of the second; CoLDE's own.

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
    """CoLDE's similarity of each of p pairs of places (p, 2) in `documents`: (p,)."""
    kept = long_vectors(encoder, documents, cache=cache, report=report)
    levels = [encoder.levels_of(kept.of(place)) for place in range(len(documents))]
    return np.array([encoder.similarity(levels[a], levels[b]) for a, b in places], np.float64)


def passage_scores(pairs: PairSet, *, cache: Path | None = None, report: Report = silent) -> tuple[PairScores, str]:
    """How well the passages of each pair match both ways, (p,), and the fingerprint of what read them.

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
    """The chunk vectors of documents in their order.

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

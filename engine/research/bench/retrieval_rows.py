"""Rows for measuring indexes: of all real documents at hand, then of made ones between them."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import EvaluationError
from engine.core.progress import Meter, Report, silent
from engine.core.rows import DenseRows
from engine.documents import Document
from engine.encoders import Encoder
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.vectors import VectorIndex, open_index

_DOCUMENTS_AT_ONCE = 2_048
_ROWS_AT_ONCE = 8_192
_SECONDS_BETWEEN_WRITES = 120
_PARTNERS = 10
_PARTNER_SAMPLE = 20_000
_NEAREST_END = 0.25  # a made row lies at least this share of the way from each of its two parents

MADE = (
    f"a point between a real row and one of its {_PARTNERS} nearest among {_PARTNER_SAMPLE:,} real ones, "
    f"{_NEAREST_END:.0%} to {1 - _NEAREST_END:.0%} of the way, of the length between theirs"
)


def read_sets(data: Path, names: Sequence[str]) -> list[Document]:
    """The documents of several sets, the first of those that share an id. Raises EvaluationError."""
    held: dict[str, Document] = {}
    for name in names:
        corpus = data / name / CORPUS
        if not corpus.is_file():
            raise EvaluationError(f"Expected {CORPUS} in {data / name}; it is missing. Name sets that have one.")
        for document in read_documents(corpus):
            held.setdefault(document.id, document)
    return list(held.values())


def encode_kept(
    encoder: Encoder, documents: Sequence[Document], folder: Path, *, report: Report = silent
) -> VectorIndex:
    """The documents' rows in an index that is kept in `folder` and goes on where an earlier call stopped.

    Raises EvaluationError for an encoder of sparse rows.
    """
    card = encoder.card
    if card.sparse:
        raise EvaluationError(f"Expected an encoder of dense rows, got {card.name} of sparse ones. Name another.")
    index = open_index(
        folder / card.fingerprint, fingerprint=card.fingerprint, dim=card.dim, kind="embedded", precision=card.stored
    )
    held = set(index.ids)
    left = [document for document in documents if document.id not in held]
    meter, written = Meter(f"encode by {card.name}", len(left), report), time.monotonic()
    for first in range(0, len(left), _DOCUMENTS_AT_ONCE):
        batch = left[first : first + _DOCUMENTS_AT_ONCE]
        index.add([document.id for document in batch], encoder.encode_documents(batch))
        meter.add(len(batch))
        if time.monotonic() - written > _SECONDS_BETWEEN_WRITES:
            index.flush()
            written = time.monotonic()
    meter.finish()
    if left:
        index.flush()
    return index


@dataclass(frozen=True, slots=True)
class Source:
    """Real rows by their ids in the order of use, and any number of rows made from them."""

    real: VectorIndex
    ids: Sequence[str]
    seed: int = 0

    def batches(self, first: int, last: int, *, report: Report = silent) -> Iterator[tuple[list[str], DenseRows]]:
        """Ids and rows from number `first` to before `last`: real ones first, made ones once they run out."""
        for start in range(first, min(last, len(self.ids)), _ROWS_AT_ONCE):
            names = list(self.ids[start : min(start + _ROWS_AT_ONCE, last)])
            yield names, np.asarray(self.real.rows(names))
        start = max(first, len(self.ids))
        if start < last:
            partners = self._partners(report)
            for begin in range(start, last, _ROWS_AT_ONCE):
                numbers = np.arange(begin, min(begin + _ROWS_AT_ONCE, last))
                yield [f"made:{number}" for number in numbers], self._made(numbers, partners)

    def _partners(self, report: Report) -> NDArray[np.int32]:
        """Numbers (n, 10) of the nearest real rows of each, itself left out, among a sample."""
        sample = self.ids[:_PARTNER_SAMPLE]
        number_of = {name: number for number, name in enumerate(sample)}
        count = min(_PARTNERS, len(sample) - 1)
        if count < 1:
            raise EvaluationError(
                f"Expected at least 2 real documents to make others of, got {len(sample)}. Name more."
            )
        found = np.empty((len(self.ids), count), np.int32)
        meter = Meter("find real neighbours", len(self.ids), report)
        with tempfile.TemporaryDirectory() as folder:
            index = open_index(
                Path(folder) / "sample", fingerprint=self.real.fingerprint, dim=self.real.dim, kind="embedded"
            )
            index.add(sample, self.real.rows(sample))
            for first in range(0, len(self.ids), _ROWS_AT_ONCE):
                names = self.ids[first : first + _ROWS_AT_ONCE]
                for own, hits in enumerate(index.search(self.real.rows(names), count + 1)):
                    others = [number_of[hit.id] for hit in hits if hit.id != names[own]]
                    found[first + own] = others[:count]
                meter.add(len(names))
        meter.finish()
        return found

    def _made(self, numbers: NDArray[np.int64], partners: NDArray[np.int32]) -> DenseRows:
        """Rows (m, dim) that depend on their numbers, the real rows and the seed alone."""
        chance = np.random.default_rng([self.seed, int(numbers[0])])
        parents = numbers % len(self.ids)
        others = partners[parents, chance.integers(partners.shape[1], size=len(numbers))]
        share = chance.uniform(_NEAREST_END, 1 - _NEAREST_END, size=(len(numbers), 1)).astype(np.float32)
        one = np.asarray(self.real.rows([self.ids[number] for number in parents]))
        other = np.asarray(self.real.rows([self.ids[number] for number in others]))
        rows = (1 - share) * one + share * other  # (m, dim)
        lengths = [np.linalg.norm(row, axis=1, keepdims=True) for row in (one, other, rows)]
        wanted = (1 - share) * lengths[0] + share * lengths[1]
        made: DenseRows = rows * (wanted / np.maximum(lengths[2], np.finfo(np.float32).tiny))
        return made

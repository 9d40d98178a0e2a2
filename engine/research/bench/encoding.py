"""Measures how many documents a second encoders read, beside a peer and beside what the processor could do."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from engine.core import provenance
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.encoders import Encoder, processor
from engine.encoders.processor import ComputePrecision, dtype_of
from engine.research.bench.searching import threads
from engine.search import cut_passages, passage_text

_PRODUCTS = 5
_WARM_UP = 32


@runtime_checkable
class CountsOperations(Protocol):
    """An encoder that knows how much arithmetic a document costs it."""

    def operations(self, documents: Sequence[Document]) -> int:
        """Return floating point operations that encoding these documents takes."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure over all rounds."""

    median: float
    min: float
    max: float


@dataclass(frozen=True, slots=True)
class EncoderSpeed:
    """One encoder's speed; a figure is None if the encoder does not count it, or is the peer itself.

    `share_of_limit` is the achieved share of the processor's matrix limit in the number format that networks run in.
    """

    fingerprint: str
    documents_per_second: Spread
    times_the_peer: Spread | None
    gigaflop_a_document: float | None
    gigaflops: float | None
    share_of_limit: float | None


@dataclass(frozen=True, slots=True)
class EncodeSpeed:
    """What was measured, on what; `matrix_limit` is in GFLOP/s by number format, `precision` the one networks use."""

    hardware: str
    threads: int
    commit: str
    source: str
    documents: int
    median_words: int
    rounds: int
    seed: int
    peer: str
    precision: str
    matrix_limit: Mapping[str, float]
    encoders: Mapping[str, EncoderSpeed]

    def as_json(self) -> dict[str, object]:
        """Return the report as a JSON value."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Plan:
    """How often each encoder reads how many documents, and the size of the matrices that show the limit."""

    documents: int = 1_000
    rounds: int = 5
    seed: int = 0
    matrix_size: int = 4_096

    def __post_init__(self) -> None:
        """Refuse to measure nothing."""
        if self.documents < 1 or self.rounds < 1:
            raise EvaluationError(
                f"Expected at least 1 document and 1 round to measure; got {self.documents} and {self.rounds}."
            )


def measure_encoding(
    corpus: Sequence[Document], encoders: Mapping[str, Encoder], plan: Plan, *, peer: str, source: str
) -> EncodeSpeed:
    """Let every encoder read the same drawn documents, in turn, in each round; `encoders` holds the peer by its name.

    Raises EvaluationError if `corpus` is empty.
    """
    drawn = _draw(corpus, plan)
    for encoder in encoders.values():
        encoder.encode_documents(drawn[:_WARM_UP])
    seconds: dict[str, list[float]] = {name: [] for name in encoders}
    for _ in range(plan.rounds):
        for name, encoder in encoders.items():
            started = time.perf_counter()
            encoder.encode_documents(drawn)
            seconds[name].append(time.perf_counter() - started)
    precision = processor.fastest_precision()
    formats = [name for name in processor.PRECISIONS if name in ("float32", precision)]  # another takes many minutes
    limit: dict[str, float] = {name: round(matrix_limit(name, size=plan.matrix_size), 4) for name in formats}
    return EncodeSpeed(
        hardware=provenance.hardware(),
        threads=threads(),
        commit=provenance.commit(),
        source=source,
        documents=len(drawn),
        median_words=int(np.median([len(document.text.split()) for document in drawn])),
        rounds=plan.rounds,
        seed=plan.seed,
        peer=peer,
        precision=precision,
        matrix_limit=limit,
        encoders={
            name: _speed(encoder, drawn, seconds[name], None if name == peer else seconds[peer], limit[precision])
            for name, encoder in encoders.items()
        },
    )


def passages_of(documents: Sequence[Document]) -> list[Document]:
    """Return the passages of documents as documents of their own, with the text that an import reads of each."""
    return [
        Document(f"{document.id} {number}", abstract=passage_text(document, passage))
        for document in documents
        for number, passage in enumerate(cut_passages(document))
    ]


def _draw(corpus: Sequence[Document], plan: Plan) -> list[Document]:
    if not corpus:
        raise EvaluationError("Expected documents to encode; there are none. Import some, or name a benchmark.")
    return random.Random(plan.seed).sample(list(corpus), min(plan.documents, len(corpus)))


def _speed(
    encoder: Encoder, drawn: Sequence[Document], seconds: Sequence[float], peer: Sequence[float] | None, limit: float
) -> EncoderSpeed:
    a_second = [len(drawn) / one for one in seconds]
    operations = encoder.operations(drawn) / 1e9 if isinstance(encoder, CountsOperations) else None
    achieved = None if operations is None else operations / float(np.median(seconds))
    return EncoderSpeed(
        fingerprint=encoder.card.fingerprint,
        documents_per_second=_spread(a_second, 1),
        times_the_peer=None
        if peer is None
        else _spread([slow / own for slow, own in zip(peer, seconds, strict=True)], 2),
        gigaflop_a_document=None if operations is None else round(operations / len(drawn), 4),
        gigaflops=None if achieved is None else round(achieved, 1),
        share_of_limit=None if achieved is None else round(achieved / limit, 3),
    )


def _spread(values: Sequence[float], digits: int) -> Spread:
    return Spread(*(round(float(one), digits) for one in (np.median(values), min(values), max(values))))


def matrix_limit(precision: ComputePrecision, *, size: int) -> float:
    """Return the GFLOP/s of the fastest of several products of two square matrices: the bound for an encoder."""
    import torch

    drawn = (torch.randn(size, size, generator=torch.Generator().manual_seed(n)) for n in range(2))
    one, other = (numbers.to(dtype_of(precision)) for numbers in drawn)
    seconds = []
    with torch.inference_mode():
        for _ in range(_PRODUCTS):
            started = time.perf_counter()
            one @ other
            seconds.append(time.perf_counter() - started)
    return 2 * size**3 / min(seconds) / 1e9

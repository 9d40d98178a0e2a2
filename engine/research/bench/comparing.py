"""Measures how long two long documents take to be compared, cold and from what is kept, beside a plain reading."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Protocol, Self

import numpy as np

from engine.compare import Exclusions, ReadDocument, Words, compare
from engine.compare.read_document import LongEncoder
from engine.core import provenance
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.encoders import processor
from engine.encoders.colde import LongRows
from engine.research.bench.searching import Times


class ChangesPrecision(LongEncoder, Protocol):
    """An encoder that can also read without the short numbers that a processor may have."""

    def in_precision(self, precision: processor.ComputePrecision) -> Self:
        """The same encoder, its transformer running in one precision."""


@dataclass(frozen=True, slots=True)
class CompareSpeed:
    """What was measured, on what.

    `cold`: both documents are read and compared, the encoder in memory. `kept_vectors`: the chunk vectors are at hand,
    as a library's are. `kept_sides`: both were compared before and only the exclusions change, all three of them: each
    choice of sentences comes first as a new one, then again with another least number of words. `plain` is the time to
    read the chunks of both in float32, one at a time; `times_plain` is how many times as fast reading them is here. The
    peak of memory is the whole process's, before the plain reading.
    """

    hardware: str
    threads: int
    commit: str
    encoder: str
    fingerprint: str
    source: str
    documents: Sequence[str]
    words: Sequence[int]
    chunks: Sequence[int]
    rounds: int
    milliseconds: Mapping[str, Times]
    times_plain: float
    peak_memory_mib: int

    def as_json(self) -> dict[str, object]:
        """The report as a JSON value."""
        return asdict(self)


def measure_comparing(
    documents: Sequence[Document],
    encoder: ChangesPrecision,
    *,
    words: Words,
    length: int = 8_000,
    rounds: int = 5,
    source: str = "",
) -> CompareSpeed:
    """Compare the two of some documents whose length is nearest to `length` words, several times each way.

    Raises EvaluationError if there are not two, or nothing would be measured.
    """
    if rounds < 1 or len(documents) < 2:
        raise EvaluationError(
            f"Expected two documents to compare, and at least 1 round; got {len(documents)} and {rounds}."
        )
    sizes = [len(document.text.split()) for document in documents]
    chosen = np.argsort(np.abs(np.asarray(sizes) - length), kind="stable")[:2].tolist()
    a, b = (documents[place] for place in chosen)
    times, sides, peak = _times(a, b, encoder, words=words, rounds=rounds)
    return CompareSpeed(
        hardware=provenance.hardware(),
        threads=processor.threads(),
        commit=provenance.commit(),
        encoder=encoder.card.name,
        fingerprint=encoder.card.fingerprint,
        source=source,
        documents=[a.id, b.id],
        words=[sizes[place] for place in chosen],
        chunks=[len(side.long.chunks) for side in sides],
        rounds=rounds,
        milliseconds=times,
        times_plain=round(times["plain"].p50 / times["read"].p50, 2),
        peak_memory_mib=peak,
    )


def _times(
    a: Document, b: Document, encoder: ChangesPrecision, *, words: Words, rounds: int
) -> tuple[dict[str, Times], list[ReadDocument], int]:
    """The times of each way, the sides that were read, and the peak of memory in MiB."""
    _cold(a, b, encoder, words)  # what is loaded on first use is not timed
    times = {"cold": _timed(lambda: _cold(a, b, encoder, words), rounds)}
    kept = encoder.read([a, b])
    times["kept_vectors"] = _timed(lambda: _compared(a, b, encoder, words, kept), rounds)
    sides = [ReadDocument.read(one, encoder, words, long=long) for one, long in zip((a, b), kept, strict=True)]
    compare(*sides)
    choices = [Exclusions(n % 2 == 0, n % 4 < 2, min_words=n) for n in range(rounds, 0, -1)]
    times["kept_sides"] = _timed(lambda: compare(*sides, exclusions=choices.pop()), rounds)
    peak = _peak_mib()
    times["read"] = _timed(lambda: encoder.read([a, b]), rounds)
    plain = encoder.in_precision("float32")
    chunks = [chunk.text for side in sides for chunk in side.long.chunks]
    alone = [Document(id=f"{number}", abstract=text) for number, text in enumerate(chunks)]
    times["plain"] = _timed(lambda: [plain.read([one]) for one in alone], rounds)
    return times, sides, peak


def _cold(a: Document, b: Document, encoder: LongEncoder, words: Words) -> None:
    _compared(a, b, encoder, words, encoder.read([a, b]))


def _compared(a: Document, b: Document, encoder: LongEncoder, words: Words, read: Sequence[LongRows]) -> None:
    compare(*(ReadDocument.read(one, encoder, words, long=long) for one, long in zip((a, b), read, strict=True)))


def _timed(call: Callable[[], object], rounds: int) -> Times:
    milliseconds = []
    for _ in range(rounds):
        started = time.perf_counter()
        call()
        milliseconds.append((time.perf_counter() - started) * 1000)
    p50, p95 = np.percentile(milliseconds, [50, 95])
    return Times(round(float(p50), 1), round(float(p95), 1), round(max(milliseconds), 1))


def _peak_mib() -> int:
    """The most memory that this process has held so far, in MiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10))

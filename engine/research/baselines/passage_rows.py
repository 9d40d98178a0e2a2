"""Documents ranked by their best passage: what passages alone are worth, by several readers."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engine import encoders
from engine.compare import chunks_fingerprint
from engine.core import files
from engine.core.progress import Report
from engine.core.rows import DenseRows
from engine.documents import Chunk, Document, Hit
from engine.encoders import Encoder, minilm
from engine.encoders.colde import ColdeEncoder
from engine.evaluation.kept_rows import read_by
from engine.evaluation.measure import PreparedSystem, System
from engine.evaluation.systems import BaselineRow
from engine.library import KeywordIndex, keyword_fingerprint, question_terms
from engine.search import PassageEncoder, PassageMatcher, PassageReader, cut_passages, passage_text
from engine.search.passages import cutting_fingerprint

PASSAGES, MINILM_PASSAGES, BM25_PASSAGES = "passages", "minilm-passages", "bm25-passages"
COLDE_PASSAGES = f"{PASSAGES}(colde)"
_SHORTEST = 1e-9


class EncoderReader:
    """An encoder of documents reads passages as the shipped one is given them."""

    def __init__(self, load: Callable[[], Encoder]) -> None:
        """Load the encoder."""
        self._encoder = load()
        self.dim = self._encoder.card.dim
        self.fingerprint = files.fingerprint(self._encoder.card.fingerprint, cutting_fingerprint())

    def cut(self, document: Document) -> Sequence[Chunk]:
        """Return the passages of a document in reading order."""
        return cut_passages(document)

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> DenseRows:
        """Return the rows (n, dim) of the passages of several documents, end to end."""
        texts = [passage_text(document, one) for document, passages in read for one in passages]
        rows = self._encoder.encode_documents([Document(str(n), abstract=text) for n, text in enumerate(texts)])
        return cast(DenseRows, rows)


class ColdeReader:
    """CoLDE's chunks, each by the row of its transformer at unit length: its similarity before any head."""

    def __init__(self) -> None:
        """Load the shipped weights."""
        self._encoder = cast(ColdeEncoder, encoders.load(ColdeEncoder.name))
        self.dim = self._encoder.reader[0].dim
        self.fingerprint = files.fingerprint(chunks_fingerprint(self._encoder.card), "unit length")

    def cut(self, document: Document) -> Sequence[Chunk]:
        """Return the chunks of a document in reading order."""
        return self._encoder.cut(document).chunks

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> DenseRows:
        """Return the rows (n, dim) of the chunks of several documents, end to end."""
        rows = np.concatenate([one.rows for one in self._encoder.read([document for document, _ in read])])
        return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), _SHORTEST), np.float32)


class _Held(NamedTuple):
    """All passages' rows (n, dim), documents' ids, and where each one's passages begin: (m,)."""

    rows: DenseRows
    ids: Sequence[str]
    starts: NDArray[np.int64]


@dataclass(frozen=True)
class NearestPassage:
    """Ranks documents by how near the best of their passages is, a mean over the question's passages."""

    matcher: PassageMatcher

    @cached_property
    def _held(self) -> _Held:
        view = self.matcher.view
        numbers = np.flatnonzero(view.held & (view.counts > 0))
        passages, starts = view.of_documents(numbers)
        return _Held(view.rows(passages), [view.names[number] for number in numbers], starts)

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """Return the k best documents of each query, best first."""
        return [self._nearest(query, k) for query in queries]

    def _nearest(self, query: Document, k: int) -> list[Hit]:
        asked = self.matcher.ask(query)
        if asked is None:
            return []
        held = self._held
        scores = np.maximum.reduceat(asked.rows @ held.rows.T, held.starts, axis=1).mean(axis=0)
        return [Hit(held.ids[place], float(scores[place])) for place in np.argsort(-scores, kind="stable")[:k]]


@dataclass(frozen=True)
class PassageWords:
    """Ranks documents by the BM25 of the best of their passages; `owner` names the document of each."""

    keywords: KeywordIndex
    owner: Mapping[str, str]

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """Return the k best documents of each query, best first."""
        return [self._nearest(query, k) for query in queries]

    def _nearest(self, query: Document, k: int) -> list[Hit]:
        best: dict[str, float] = {}
        for hit in self.keywords.search(question_terms(query), len(self.owner)):
            best.setdefault(self.owner[hit.id], hit.score)
        return [Hit(name, score) for name, score in best.items()][:k]


def _by_rows(
    name: str, reader: Callable[[], PassageReader], corpus: Sequence[Document], keep: Path | None, report: Report
) -> PreparedSystem:
    started, read = time.perf_counter(), reader()
    system = NearestPassage(read_by(read, corpus, keep, report))
    seconds = time.perf_counter() - started if keep is None else None  # else some may have been kept
    return PreparedSystem(name, system, read.fingerprint, seconds)


def _by_words(corpus: Sequence[Document], _: Path | None, __: Report) -> PreparedSystem:
    started = time.perf_counter()
    owner: dict[str, str] = {}
    passages: list[Document] = []
    for document in corpus:
        for passage in cut_passages(document):
            name = f"passage {len(passages)}"
            owner[name] = document.id
            passages.append(Document(name, abstract=passage_text(document, passage)))
    system: System = PassageWords(KeywordIndex.in_memory(passages), owner)
    fingerprint = files.fingerprint(keyword_fingerprint(stemmed=False), cutting_fingerprint())
    return PreparedSystem(BM25_PASSAGES, system, fingerprint, time.perf_counter() - started)


PASSAGE_BASELINES: Mapping[str, BaselineRow] = {
    PASSAGES: BaselineRow(
        "A document's passage nearest to the question, by the encoder of passages.",
        prepare=partial(_by_rows, PASSAGES, PassageEncoder),
    ),
    MINILM_PASSAGES: BaselineRow(
        "The same passages read by all-MiniLM-L6-v2.",
        prepare=partial(_by_rows, MINILM_PASSAGES, lambda: EncoderReader(minilm.load)),
    ),
    **{
        f"{PASSAGES}({name})": BaselineRow(
            f"The same passages read by {name}.",
            prepare=partial(_by_rows, f"{PASSAGES}({name})", partial(EncoderReader, partial(encoders.load, name))),
        )
        for name in ("student", "student-large")
    },
    COLDE_PASSAGES: BaselineRow(
        "CoLDE's chunks by its transformer's rows.", prepare=partial(_by_rows, COLDE_PASSAGES, ColdeReader)
    ),
    BM25_PASSAGES: BaselineRow("The best of the same passages by BM25.", prepare=_by_words),
}
"""Rows of a table that rank by passages alone."""

"""The rows of a benchmark's table: anything that ranks a corpus's documents for a query."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from engine.documents import Document, Hit
from engine.encoders import registry
from engine.encoders.base import Encoder
from engine.encoders.word2vec_mean import Word2vecMeanEncoder
from engine.encoders.word_vectors import WordVectors
from engine.index import IndexKind, VectorIndex, open_index
from engine.library import KeywordIndex, question_terms
from engine.progress import Meter, Report, silent
from engine.search import rank_all
from engine.training.word2vec import Word2vecRecipe, train

BM25 = "bm25"
DEFAULT = "default"
OWN_WORDS = "word2vec-own"
OWN_RECIPE = Word2vecRecipe(corpora=("the benchmark's corpus",), workers=1)
"""The recipe of the shipped vectors, with one worker so that two runs agree.

A word must come up five times in a small corpus too: nDCG@10 of the valid queries with 1, 2, 5 times is
.208, .214, .218 on cranfield, .218, .233, .239 on npl, and .097, .089, .078 on cacm (9 queries).
"""

_DOCUMENTS_AT_ONCE = 2_000


class System(Protocol):
    """Ranks the documents of one corpus."""

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """The k best documents of each query, best first."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A system that is ready to rank; `seconds` took it from the documents' text to there, fitting included."""

    name: str
    system: System
    fingerprint: str
    seconds: float


@dataclass(frozen=True, slots=True)
class _Keywords:
    keywords: KeywordIndex

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        return [self.keywords.search(question_terms(query), k) for query in queries]


@dataclass(frozen=True, slots=True)
class _Encoded:
    encoder: Encoder
    index: VectorIndex

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        return self.index.search(self.encoder.encode_queries(queries), k)


@dataclass(frozen=True, slots=True)
class _Default:
    encoded: _Encoded
    keywords: KeywordIndex

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        return rank_all(queries, k, encoder=self.encoded.encoder, index=self.encoded.index, keywords=self.keywords)


def names() -> tuple[str, ...]:
    """Every row that can be asked for.

    These are the encoders; the plain mean of word vectors trained on the benchmark's own corpus ("avg-word2vec"
    of CTPE, section 4.2), which no search offers; BM25; and the default ranking that a search uses.
    """
    return (*registry.names(), OWN_WORDS, BM25, DEFAULT)


def prepare(name: str, corpus: Sequence[Document], *, report: Report = silent) -> Prepared:
    """Make a corpus ready for ranking by one system.

    Raises UnknownEncoderError, NotFittedError where an encoder finds no word to learn from, or
    MissingExtraError where word vectors are to be trained without the library that does it.
    """
    started = time.perf_counter()
    system: System
    if name == BM25:
        keywords = _keywords(corpus)
        system, fingerprint = _Keywords(keywords), "bm25-k1.2-b.75"
    elif name == DEFAULT:
        encoded, keywords = _encoded(registry.DEFAULT, corpus, report), _keywords(corpus)
        system, fingerprint = _Default(encoded, keywords), encoded.encoder.card.fingerprint
    else:
        encoded = _encoded(name, corpus, report)
        system, fingerprint = encoded, encoded.encoder.card.fingerprint
    return Prepared(name, system, fingerprint, time.perf_counter() - started)


def _keywords(corpus: Sequence[Document]) -> KeywordIndex:
    keywords = KeywordIndex.in_memory(corpus)
    keywords.search("", 1)  # what is prepared at the first question belongs to the time measured
    return keywords


def _encoded(name: str, corpus: Sequence[Document], report: Report) -> _Encoded:
    """Train, fit or load the encoder and index the corpus; the index is never written."""
    encoder = _encoder(name, corpus, report)
    kind: IndexKind = "sparse" if encoder.card.sparse else "embedded"
    with tempfile.TemporaryDirectory() as folder:
        index = open_index(
            Path(folder) / "index", fingerprint=encoder.card.fingerprint, dim=encoder.card.dim, kind=kind
        )
    meter = Meter(f"encode by {name}", len(corpus), report)
    for first in range(0, len(corpus), _DOCUMENTS_AT_ONCE):
        batch = corpus[first : first + _DOCUMENTS_AT_ONCE]
        index.add([document.id for document in batch], encoder.encode_documents(batch))
        meter.add(len(batch))
    meter.finish()
    return _Encoded(encoder, index)


def _encoder(name: str, corpus: Sequence[Document], report: Report) -> Encoder:
    if name == OWN_WORDS:
        trained = train((document.text for document in corpus), OWN_RECIPE, report=report)
        return Word2vecMeanEncoder(
            WordVectors(trained.words, trained.vectors.astype(np.float16), trained.counts, trained.tokens)
        )
    return registry.fit(name, corpus) if registry.is_fitted_kind(name) else registry.load(name)

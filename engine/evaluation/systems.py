"""The rows of a benchmark's table: anything that ranks a corpus's documents for a query."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from engine.documents import Document, Hit
from engine.encoders import registry
from engine.encoders.base import Encoder
from engine.encoders.word2vec_mean import Word2vecMeanEncoder
from engine.encoders.word_vectors import WordVectors
from engine.errors import EvaluationError
from engine.evaluation import encoder_folders
from engine.evaluation.kept_rows import Places, rows_in
from engine.index import VectorIndex
from engine.library import KeywordIndex, keyword_fingerprint, question_terms
from engine.progress import Report, silent
from engine.research.baselines import word_mover
from engine.research.baselines.rows import BASELINES
from engine.search import Corpus, by_kind, rank_all, rank_by_keywords, ranking_fingerprint, words_fingerprint

BM25, BM25_STEMS, KEYWORDS = "bm25", "bm25-stems", "keywords"  # by tokens, by stems, as a search asks
_BY_WORDS = (BM25, BM25_STEMS, KEYWORDS)
DEFAULT = "default"
_WITH_ANOTHER = re.compile(rf"{DEFAULT}\((.+)\)")  # default(ctpe): the ranking of a search by another encoder


class System(Protocol):
    """Ranks the documents of one corpus."""

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """The k best documents of each query, best first."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A system that is ready to rank.

    `seconds` took it from the documents' text to there, fitting included; None where rows kept earlier were used.
    """

    name: str
    system: System
    fingerprint: str
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Keywords:
    """The words of a corpus, as they are written or by their stems."""

    keywords: KeywordIndex
    stemmed: bool

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """The k best documents of each query by BM25, best first."""
        return [self.keywords.search(question_terms(query), k, stemmed=self.stemmed) for query in queries]


@dataclass(frozen=True, slots=True)
class _Searched:
    keywords: KeywordIndex

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        return rank_by_keywords(queries, k, keywords=self.keywords)


@dataclass(frozen=True, slots=True)
class Encoded:
    """An encoder with the rows of a corpus."""

    encoder: Encoder
    index: VectorIndex

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """The k best documents of each query, best first."""
        return self.index.search(self.encoder.encode_queries(queries), k)


@dataclass(frozen=True, slots=True)
class _Default:
    corpus: Corpus

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        return rank_all(queries, k, self.corpus)


def names() -> tuple[str, ...]:
    """Every row that can be asked for by name: encoders, baselines, BM25, and the default ranking of a search."""
    return (*registry.names(), *BASELINES, *word_mover.KINDS, *_BY_WORDS, DEFAULT)


def summaries(rows: Iterable[str]) -> dict[str, str]:
    """What baselines among these rows are, by name: what a table does not say of them, as what WMD ranks again."""
    said = {name: baseline.summary for name, baseline in BASELINES.items()}
    said |= {name: kind.summary for name, kind in word_mover.KINDS.items()}
    return {row: said[row] for row in rows if row in said}


def name_of(row: str) -> str:
    """What a row is called: its name, or the part before "=" where it names an encoder's folder."""
    return row.partition("=")[0]


def fused_encoder(row: str) -> str | None:
    """The encoder whose ranking a row fuses with the keywords, as a search does; None for a row that is no such."""
    found = _WITH_ANOTHER.fullmatch(row)
    return registry.DEFAULT if row == DEFAULT else found[1] if found and found[1] in registry.search_names() else None


def folder_of(row: str) -> Path | None:
    """What a row "NAME=FOLDER" names: a folder, or a model on this machine; ":READING" may stand behind it."""
    _, given, folder = row.partition("=")
    return encoder_folders.split(folder)[0] if given else None


def without_place(row: str) -> str:
    """The row as a report names it: its folder by its own name, without the machine's path to it."""
    name, given, folder = row.partition("=")
    return f"{name}={encoder_folders.without_place(folder)}" if given else row


def rows_of(given: str) -> list[str]:
    """The rows that a text names, separated by commas, once each.

    Raises EvaluationError for one that is not known, without its folder, or with the name of another.
    """
    rows = list(dict.fromkeys(row.strip() for row in given.split(",") if row.strip()))
    unknown = [row for row in rows if row not in names() and folder_of(row) is None and not fused_encoder(row)]
    if unknown or not rows:
        raise EvaluationError(
            f"Expected encoders among {', '.join(names())}, {DEFAULT}(NAME) or NAME=FOLDER; "
            f"got {', '.join(unknown) or 'none'}. Separate the names by commas."
        )
    given_names = [name_of(row) for row in rows]
    twice = sorted({name for name in given_names if given_names.count(name) > 1 or not name})
    if twice:
        raise EvaluationError(f"Expected a name of its own for each row, got {twice[0]!r} more than once or empty.")
    missing = [
        str(folder) for row in rows if (folder := folder_of(row)) is not None and not encoder_folders.is_there(folder)
    ]
    if missing:
        raise EvaluationError(f"Expected an encoder's folder, got {', '.join(missing)}; there is none. Name another.")
    return rows


def prepare(
    row: str,
    corpus: Sequence[Document],
    *,
    keep: Path | None = None,
    among: Path | None = None,
    report: Report = silent,
) -> Prepared:
    """Make a corpus ready for ranking by one system.

    `keep` is a folder for the rows of this corpus, which later runs use again; encoders that learn from the corpus
    are quick and keep none. `among` is one that held rows of a larger corpus, with this one's documents under the same
    ids: what stands there already is not encoded.

    Raises UnknownEncoderError, NotFittedError where an encoder finds no word to learn from, StorageError where a
    folder holds no encoder, or MissingExtraError where a library that the row needs is not installed.
    """
    started = time.perf_counter()
    if row in _BY_WORDS:
        found = by_words(row, KeywordIndex.in_memory(corpus))
        return replace(found, seconds=time.perf_counter() - started)
    if row in word_mover.KINDS:
        return _word_mover(row, corpus, keep, report)
    fused = fused_encoder(row)
    by = fused or row
    encoder = _encoder(by, corpus, report)
    places = Places() if _learns(by) else Places(keep, among)
    index, whole = rows_in(places, encoder, corpus, name=name_of(by), report=report)
    system: System = Encoded(encoder, index)
    fingerprint = encoder.card.fingerprint
    if fused:
        kinds = by_kind(corpus)
        system = _Default(Corpus(encoder, index, _keywords(corpus), kinds))
        fingerprint = ranking_fingerprint(encoder.card, mixed=len(kinds) > 1)
    seconds = time.perf_counter() - started
    return Prepared(name_of(row), system, fingerprint, seconds if whole else None)


def _word_mover(row: str, corpus: Sequence[Document], keep: Path | None, report: Report) -> Prepared:
    """Word mover's distance over the first hits of the shipped vectors' plain mean."""
    first = prepare(Word2vecMeanEncoder.name, corpus, keep=keep, report=report)
    words = WordVectors.load(registry.PRETRAINED / "word2vec")
    system = word_mover.WordMover.over(first.system, corpus, words=words, kind=row)
    return Prepared(row, system, word_mover.fingerprint(row, first.fingerprint), first.seconds)


def is_by_words(row: str) -> bool:
    """Whether a row is a ranking by words alone, which learns nothing."""
    return row in _BY_WORDS


def by_words(row: str, keywords: KeywordIndex) -> Prepared:
    """A ranking by the words of a corpus, ready for its first question."""
    if row == KEYWORDS:
        keywords.weigh(False, True)
        return Prepared(row, _Searched(keywords), words_fingerprint_of(row), None)
    stemmed = row == BM25_STEMS
    keywords.weigh(stemmed)
    return Prepared(row, Keywords(keywords, stemmed), words_fingerprint_of(row), None)


def words_fingerprint_of(row: str) -> str:
    """What names a ranking by words."""
    return words_fingerprint() if row == KEYWORDS else keyword_fingerprint(stemmed=row == BM25_STEMS)


def _keywords(corpus: Sequence[Document]) -> KeywordIndex:
    """The words of a corpus, ready for the first question of either kind."""
    keywords = KeywordIndex.in_memory(corpus)
    keywords.weigh(False, True)
    return keywords


def trained_encoder(row: str) -> Encoder:
    """The encoder of a row that learns nothing from the corpus.

    Raises UnknownEncoderError, StorageError where a folder holds no encoder, NotFittedError for a row that learns, or
    MissingExtraError where a library that the row needs is not installed.
    """
    _, given, folder = row.partition("=")
    if given:
        return encoder_folders.load(folder)
    load = BASELINES[row].load if row in BASELINES else None
    return registry.load(row) if load is None else load()


def _encoder(row: str, corpus: Sequence[Document], report: Report) -> Encoder:
    """Train, fit or load the encoder of a row."""
    learn = BASELINES[row].learn if row in BASELINES else None
    if learn is not None:
        return learn(corpus, report)
    return registry.fit(row, corpus) if _learns(row) else trained_encoder(row)


def _learns(row: str) -> bool:
    """Whether a row's encoder learns from the benchmark's corpus."""
    if row in BASELINES:
        return BASELINES[row].learn is not None
    return row in registry.names() and registry.is_fitted_kind(row)

"""The rows of a benchmark's table: anything that ranks a corpus for a query."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from engine import encoders
from engine.core.errors import EvaluationError
from engine.core.progress import Report, silent
from engine.documents import Document, Hit
from engine.documents.questions import Ranking
from engine.encoders import Encoder
from engine.evaluation import encoder_folders, kept_passages
from engine.evaluation.kept_rows import Places, rows_in
from engine.library import KeywordIndex, keyword_fingerprint, question_terms
from engine.search import (
    Corpus,
    by_kind,
    meaning_fingerprint,
    passages_fingerprint,
    rank_all,
    rank_by_keywords,
    ranking_fingerprint,
    words_fingerprint,
)
from engine.vectors import VectorIndex

BM25, BM25_STEMS, KEYWORDS = "bm25", "bm25-stems", "keywords"  # by tokens, by stems, as a search asks
_BY_WORDS = (BM25, BM25_STEMS, KEYWORDS)
DEFAULT, MEANING = "default", "meaning"  # a search's ranking, and by meaning alone: vectors and matched passages
_WITH_ANOTHER = re.compile(rf"{DEFAULT}\((.+)\)")  # default(ctpe): a search's ranking with another encoder
_OVER_ANOTHER = re.compile(r"([\w-]+)\(([^()]+)\)(=.+)?")  # wmd(glove-own), wmd(glove-full)=FOLDER


class System(Protocol):
    """Ranks the documents of one corpus."""

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """The k best documents of each query, best first."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A system ready to rank.

    `seconds` is the time from the documents' text to there, including fitting; None where kept rows were used.
    `summary` says of a baseline what it is, as what word mover's distance ranks again.
    """

    name: str
    system: System
    fingerprint: str
    seconds: float | None
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Keywords:
    """The words of a corpus, as written or by their stems."""

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
class AsSearched:
    """A corpus ranked as a search ranks it."""

    corpus: Corpus
    ranking: Ranking

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """The k best documents of each query, best first."""
        return rank_all(queries, k, self.corpus, ranking=self.ranking)


def name_of(row: str) -> str:
    """A row's name, or the part before "=" where it names an encoder's folder."""
    return row.partition("=")[0]


def fused_encoder(row: str) -> str | None:
    """The encoder whose ranking a row fuses with the keywords, as a search does; None for any other row."""
    found = _WITH_ANOTHER.fullmatch(row)
    return encoders.DEFAULT if row == DEFAULT else found[1] if found and found[1] in encoders.search_names() else None


def folder_of(row: str) -> Path | None:
    """The folder, or model on this machine, in a row "NAME=FOLDER"; ":READING" may follow."""
    _, given, folder = row.partition("=")
    return encoder_folders.split(folder)[0] if given else None


def without_place(row: str) -> str:
    """The row in a report: its folder by name, without the machine's path."""
    name, given, folder = row.partition("=")
    return f"{name}={encoder_folders.without_place(folder)}" if given else row


def is_by_words(row: str) -> bool:
    """Whether a row ranks by words alone, without learning."""
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
    """The fingerprint of a ranking by words."""
    return words_fingerprint() if row == KEYWORDS else keyword_fingerprint(stemmed=row == BM25_STEMS)


def _keywords(corpus: Sequence[Document]) -> KeywordIndex:
    """The words of a corpus, ready for the first question of either kind."""
    keywords = KeywordIndex.in_memory(corpus)
    keywords.weigh(False, True)
    return keywords


@dataclass(frozen=True, slots=True)
class Baseline:
    """A row that no search offers: what it is, in a sentence, and one of three that makes it.

    `learn` learns an encoder from the corpus that it will rank, and nothing of it is kept; `load` loads one that learns
    nothing there; `prepare` makes a ranking without an encoder, from a corpus, a folder for rows and a report.
    """

    summary: str
    learn: Callable[[Sequence[Document], Report], Encoder] | None = None
    load: Callable[[], Encoder] | None = None
    prepare: Callable[[Sequence[Document], Path | None, Report], Prepared] | None = None


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The rows that can be asked for by name: encoders, rankings by words, the default, and `baselines`.

    `loaders` name the classes that read encoders' folders which the registry cannot, by the method in their card;
    `over` has what ranks the hits of another row again, from that row and the corpus, for rows such as "wmd(glove-own)"
    and "wmd(NAME)=FOLDER"; `more` says where else to ask for a row that is not known.
    """

    baselines: Mapping[str, Baseline] = field(default_factory=dict)
    loaders: Mapping[str, str] = field(default_factory=dict)
    over: Mapping[str, Callable[[Prepared, Sequence[Document]], Prepared]] = field(default_factory=dict)
    more: str = ""

    def names(self) -> tuple[str, ...]:
        """Every row that can be asked for by name."""
        return (*encoders.encoder_names(), *self.baselines, *_BY_WORDS, DEFAULT, MEANING)

    def rows_of(self, given: str) -> list[str]:
        """The rows in a text, separated by commas, each once.

        Raises EvaluationError for an unknown row, a missing folder, or a name used twice.
        """
        rows = list(dict.fromkeys(row.strip() for row in given.split(",") if row.strip()))
        known = self.names()
        made = [*known, *(row for row in rows if folder_of(row) is not None or fused_encoder(row) or self.again(row))]
        unknown = [row for row in rows if row not in made]
        if unknown or not rows:
            forms = ", ".join(f"{name}(NAME)" for name in (DEFAULT, *self.over))
            raise EvaluationError(
                f"Expected encoders among {', '.join(known)}, {forms} or NAME=FOLDER; "
                f"got {', '.join(unknown) or 'none'}. Separate the names by commas.{self.more}"
            )
        given_names = [name_of(row) for row in rows]
        twice = sorted({name for name in given_names if given_names.count(name) > 1 or not name})
        if twice:
            raise EvaluationError(f"Expected a name of its own for each row, got {twice[0]!r} more than once or empty.")
        folders = [folder for row in rows if (folder := folder_of(row)) is not None]
        missing = [str(folder) for folder in folders if not encoder_folders.is_there(folder)]
        if missing:
            raise EvaluationError(
                f"Expected an encoder's folder, got {', '.join(missing)}; there is none. Name another."
            )
        return rows

    def again(self, row: str) -> tuple[str, str] | None:
        """The name in `over` and the other row of "wmd(glove-own)" or "wmd(NAME)=FOLDER"; None for any other row."""
        found = _OVER_ANOTHER.fullmatch(row)
        if found is None or found[1] not in self.over or not (found[3] or found[2] in self.names()):
            return None
        return found[1], f"{found[2]}{found[3] or ''}"

    def prepare(
        self,
        row: str,
        corpus: Sequence[Document],
        *,
        keep: Path | None = None,
        among: Path | None = None,
        report: Report = silent,
    ) -> Prepared:
        """Make a corpus ready for ranking by one system.

        `keep` is a folder for the rows of this corpus, which later runs use again; encoders that learn from the corpus
        are quick and keep none. `among` has rows of a larger corpus with this one's documents under the same ids; those
        are not encoded again.

        Raises UnknownEncoderError, NotFittedError where an encoder finds no word to learn from, StorageError where a
        folder does not hold an encoder, MissingExtraError where a library that the row needs is not installed, or
        EvaluationError where the other row of `again` has nothing to rank by.
        """
        started = time.perf_counter()
        if again := self.again(row):
            first = self.prepare(again[1], corpus, keep=keep, among=among, report=report)
            return replace(self.over[again[0]](first, corpus), name=name_of(row))
        baseline = self.baselines.get(row)
        summary = baseline.summary if baseline else ""
        if baseline and baseline.prepare:
            return replace(baseline.prepare(corpus, keep, report), summary=summary)
        if row in _BY_WORDS:
            found = by_words(row, KeywordIndex.in_memory(corpus))
            return replace(found, seconds=time.perf_counter() - started)
        fused = fused_encoder(row)
        by = fused or (encoders.DEFAULT if row == MEANING else row)
        encoder = self._encoder(by, corpus, report)
        places = Places() if self._learns(by) else Places(keep, among)
        index, whole = rows_in(places, encoder, corpus, name=name_of(by), report=report)
        system: System = Encoded(encoder, index)
        fingerprint = encoder.card.fingerprint
        if fused or row == MEANING:
            kinds, keywords = by_kind(corpus), _keywords(corpus)
            passages = kept_passages.matcher(corpus, keep, report) if keywords.holds_long else None
            system = AsSearched(Corpus(encoder, index, keywords, kinds, passages), "default" if fused else "encoder")
            read_by = "" if passages is None else passages_fingerprint()
            if fused:
                fingerprint = ranking_fingerprint(encoder.card, mixed=len(kinds) > 1, passages=read_by)
            else:
                fingerprint = meaning_fingerprint(encoder.card, passages=read_by)
        seconds = time.perf_counter() - started
        return Prepared(name_of(row), system, fingerprint, seconds if whole else None, summary)

    def trained_encoder(self, row: str) -> Encoder:
        """The encoder of a row that does not learn from the corpus.

        Raises UnknownEncoderError, StorageError where a folder holds no encoder, NotFittedError for a row that learns,
        or MissingExtraError where a library that the row needs is not installed.
        """
        _, given, folder = row.partition("=")
        if given:
            return encoder_folders.load(folder, self.loaders)
        load = self.baselines[row].load if row in self.baselines else None
        return encoders.load(row) if load is None else load()

    def _encoder(self, row: str, corpus: Sequence[Document], report: Report) -> Encoder:
        """Train, fit or load the encoder of a row."""
        learn = self.baselines[row].learn if row in self.baselines else None
        if learn is not None:
            return learn(corpus, report)
        return encoders.fit(row, corpus) if self._learns(row) else self.trained_encoder(row)

    def _learns(self, row: str) -> bool:
        """Whether a row's encoder learns from the benchmark's corpus."""
        if row in self.baselines:
            return self.baselines[row].learn is not None
        return row in encoders.encoder_names() and encoders.is_fitted_kind(row)


PRODUCT = Catalogue(more=" `python -m engine.research evaluate` knows more rows.")
"""The rows of the Evaluate page and of `priorscope evaluate`."""

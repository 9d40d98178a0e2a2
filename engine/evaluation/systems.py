"""The systems that an evaluation compares: anything that ranks a corpus, or a library, for a query.

A row of a table names one. The part after "=" is an encoder's folder, or a model on this machine, and how it is read.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from engine import encoders
from engine.core.errors import EvaluationError
from engine.core.progress import Report, silent
from engine.documents import Document, Hit
from engine.documents.questions import Ranking
from engine.documents.selections import ids_by_kind
from engine.encoders import Encoder, EncoderCard, SentenceMeanEncoder, TransformerMeanEncoder, local_folder
from engine.evaluation import kept_rows
from engine.evaluation.benchmarks import Benchmark
from engine.evaluation.kept_rows import RowFolders, rows_in
from engine.evaluation.measure import METRIC_SETS, Measured, MetricSet, PreparedSystem, System
from engine.library import KeywordIndex, Library, keyword_fingerprint, question_terms
from engine.search import Corpus, PassageEncoder, Searcher, rank_by_keywords, ranking_fingerprint
from engine.vectors import VectorIndex
from engine.workspace import Workspace

BM25, BM25_STEMS, KEYWORDS_ROW = "bm25", "bm25-stems", "keywords"  # by tokens, by stems, as a search asks
_BY_WORDS = (BM25, BM25_STEMS, KEYWORDS_ROW)
DEFAULT_ROW, MEANING = "default", "meaning"  # a search's ranking, and by meaning alone: vectors and matched passages
_WITH_ANOTHER = re.compile(rf"{DEFAULT_ROW}\((.+)\)")  # default(ctpe): a search's ranking with another encoder
_OVER_ANOTHER = re.compile(r"([\w-]+)\(([^()]+)\)(=.+)?")  # wmd(glove-own), wmd(glove-full)=FOLDER


Loaders = Mapping[str, str]
"""The classes that read folders which the registry cannot, as dotted paths by the method in their card."""


@dataclass(frozen=True, slots=True)
class Keywords:
    """The words of a corpus, as written or by their stems."""

    keywords: KeywordIndex
    stemmed: bool

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """Return the k best documents of each query by BM25, best first."""
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
        """Return the k best documents of each query, best first."""
        return self.index.search(self.encoder.encode_queries(queries), k)


@dataclass(frozen=True, slots=True)
class AsSearched:
    """A corpus ranked as a search ranks it."""

    corpus: Corpus
    ranking: Ranking

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """Return the k best documents of each query, best first."""
        return self.corpus.rank(queries, k, ranking=self.ranking)


def name_of(row: str) -> str:
    """Return a row's name, or the part before "=" where it names an encoder's folder."""
    return row.partition("=")[0]


def fused_encoder(row: str) -> str | None:
    """Return the encoder whose ranking a row fuses with the keywords, as a search does; None for any other row."""
    found = _WITH_ANOTHER.fullmatch(row)
    return (
        encoders.DEFAULT if row == DEFAULT_ROW else found[1] if found and found[1] in encoders.search_names() else None
    )


def folder_of(row: str) -> Path | None:
    """Return the folder, or model on this machine, in a row "NAME=FOLDER"; ":READING" may follow."""
    _, given, folder = row.partition("=")
    return split_folder(folder)[0] if given else None


def without_place(row: str) -> str:
    """Return the row in a report: its folder by name, without the machine's path."""
    name, given, folder = row.partition("=")
    return f"{name}={folder_name(folder)}" if given else row


def is_by_words(row: str) -> bool:
    """Return whether a row ranks by words alone, without learning."""
    return row in _BY_WORDS


def by_words(row: str, keywords: KeywordIndex) -> PreparedSystem:
    """Return a ranking by the words of a corpus, ready for its first question."""
    if row == KEYWORDS_ROW:
        keywords.weigh(False, True)
        return PreparedSystem(row, _Searched(keywords), words_fingerprint_of(row), None)
    stemmed = row == BM25_STEMS
    keywords.weigh(stemmed)
    return PreparedSystem(row, Keywords(keywords, stemmed), words_fingerprint_of(row), None)


def words_fingerprint_of(row: str) -> str:
    """Return the fingerprint of a ranking by words."""
    return ranking_fingerprint(None) if row == KEYWORDS_ROW else keyword_fingerprint(stemmed=row == BM25_STEMS)


def _keywords(corpus: Sequence[Document]) -> KeywordIndex:
    """Return the words of a corpus, ready for the first question of either kind."""
    keywords = KeywordIndex.in_memory(corpus)
    keywords.weigh(False, True)
    return keywords


@dataclass(frozen=True, slots=True)
class BaselineRow:
    """A row that no search offers: what it is, in a sentence, and one of three that makes it.

    `learn` learns an encoder from the corpus that it will rank, and nothing of it is kept; `load` loads one that learns
    nothing there; `prepare` makes a ranking without an encoder, from a corpus, a folder for rows and a report.
    """

    summary: str
    learn: Callable[[Sequence[Document], Report], Encoder] | None = None
    load: Callable[[], Encoder] | None = None
    prepare: Callable[[Sequence[Document], Path | None, Report], PreparedSystem] | None = None


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The rows that can be asked for by name: encoders, rankings by words, the default, and `baselines`.

    `loaders` name the classes that read encoders' folders which the registry cannot, by the method in their card;
    `over` has what ranks the hits of another row again, from that row and the corpus, for rows such as "wmd(glove-own)"
    and "wmd(NAME)=FOLDER".
    """

    baselines: Mapping[str, BaselineRow] = field(default_factory=dict)
    loaders: Mapping[str, str] = field(default_factory=dict)
    over: Mapping[str, Callable[[PreparedSystem, Sequence[Document]], PreparedSystem]] = field(default_factory=dict)

    def names(self) -> tuple[str, ...]:
        """Return every row that can be asked for by name."""
        return (*encoders.encoder_names(), *self.baselines, *_BY_WORDS, DEFAULT_ROW, MEANING)

    def rows_of(self, given: str) -> list[str]:
        """Return the rows in a text, separated by commas, each once.

        Raises EvaluationError for an unknown row, a missing folder, or a name used twice.
        """
        rows = list(dict.fromkeys(row.strip() for row in given.split(",") if row.strip()))
        known = self.names()
        made = [*known, *(row for row in rows if folder_of(row) is not None or fused_encoder(row) or self.again(row))]
        unknown = [row for row in rows if row not in made]
        if unknown or not rows:
            forms = ", ".join(f"{name}(NAME)" for name in (DEFAULT_ROW, *self.over))
            raise EvaluationError(
                f"Expected encoders among {', '.join(known)}, {forms} or NAME=FOLDER; "
                f"got {', '.join(unknown) or 'none'}. Separate the names by commas."
            )
        given_names = [name_of(row) for row in rows]
        twice = sorted({name for name in given_names if given_names.count(name) > 1 or not name})
        if twice:
            raise EvaluationError(f"Expected a name of its own for each row, got {twice[0]!r} more than once or empty.")
        folders = [folder for row in rows if (folder := folder_of(row)) is not None]
        missing = [str(folder) for folder in folders if not is_there(folder)]
        if missing:
            raise EvaluationError(
                f"Expected an encoder's folder, got {', '.join(missing)}; there is none. Name another."
            )
        return rows

    def again(self, row: str) -> tuple[str, str] | None:
        """Return the name in `over` and the other row of "wmd(glove-own)" or "wmd(NAME)=FOLDER"; else None."""
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
    ) -> PreparedSystem:
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
        places = RowFolders() if self._learns(by) else RowFolders(keep, among)
        index, whole = rows_in(places, encoder, corpus, name=name_of(by), report=report)
        system: System = Encoded(encoder, index)
        fingerprint = encoder.card.fingerprint
        if fused or row == MEANING:
            kinds, keywords = ids_by_kind(corpus), _keywords(corpus)
            passages = kept_rows.matcher(corpus, keep, report) if keywords.holds_long else None
            ranking: Ranking = "default" if fused else "encoder"
            system = AsSearched(Corpus(encoder, index, keywords, kinds, passages), ranking)
            read_by = "" if passages is None else PassageEncoder.shipped_fingerprint()
            fingerprint = ranking_fingerprint(encoder.card, ranking=ranking, mixed=len(kinds) > 1, passages=read_by)
        seconds = time.perf_counter() - started
        return PreparedSystem(name_of(row), system, fingerprint, seconds if whole else None, summary)

    def measure(
        self,
        benchmark: Benchmark,
        row: str,
        *,
        cache: Path | None = None,
        scale: MetricSet = METRIC_SETS["ctpe"],
        report: Report = silent,
    ) -> Measured:
        """Rank every query by one system and score it; `cache` keeps the rows of each encoder and corpus.

        Raises EngineError as `prepare` and `engine.evaluation.measure.score` do.
        """
        started = time.perf_counter()
        keep = None if cache is None else cache / benchmark.corpus_sha256
        prepared = self.prepare(row, benchmark.corpus, keep=keep, report=report)
        return prepared.measure(benchmark, started=started, scale=scale)

    def measure_for(
        self, workspace: Workspace, benchmark: Benchmark, row: str, *, in_library: bool, report: Report = silent
    ) -> Measured:
        """Rank every query by one system and score it, with progress by queries; `in_library`, among its documents.

        Raises EngineError as `prepare_in` and `prepare` do.
        """
        if in_library:
            prepared = self.prepare_in(workspace, row, benchmark.corpus, report=report)
        else:
            prepared = self.prepare(row, benchmark.corpus, report=report)
        return replace(prepared, name=row).stepwise(report).measure(benchmark)

    def prepare_in(
        self,
        workspace: Workspace,
        row: str,
        corpus: Sequence[Document],
        *,
        encoder: str = encoders.DEFAULT,
        report: Report = silent,
    ) -> PreparedSystem:
        """Make a library ready for ranking by one system.

        Rankings by words, the default ranking and the encoders that a search offers use the library's vectors, and add
        those they had to encode; `encoder` is the default ranking's. Every other row learns or encodes from `corpus`,
        the library's documents, and keeps nothing. As in a search, rows never answer a query with another version of
        the same work. Raises EngineError as `prepare` and `index_library` do.
        """
        if is_by_words(row):
            prepared = by_words(row, workspace.library.keywords)
        elif row in (DEFAULT_ROW, MEANING) or row in encoders.search_names():
            prepared = _held(workspace, row, encoder if row in (DEFAULT_ROW, MEANING) else row, report)
        else:
            prepared = self.prepare(row, corpus, report=report)
        return replace(prepared, system=_WithoutItself(workspace.library, prepared.system))

    def trained_encoder(self, row: str) -> Encoder:
        """Return the encoder of a row that does not learn from the corpus.

        Raises UnknownEncoderError, StorageError where a folder holds no encoder, NotFittedError for a row that learns,
        or MissingExtraError where a library that the row needs is not installed.
        """
        _, given, folder = row.partition("=")
        if given:
            return load_given(folder, self.loaders)
        load = self.baselines[row].load if row in self.baselines else None
        return encoders.load(row) if load is None else load()

    def _encoder(self, row: str, corpus: Sequence[Document], report: Report) -> Encoder:
        """Train, fit or load the encoder of a row."""
        learn = self.baselines[row].learn if row in self.baselines else None
        if learn is not None:
            return learn(corpus, report)
        return encoders.fit(row, corpus) if self._learns(row) else self.trained_encoder(row)

    def _learns(self, row: str) -> bool:
        """Return whether a row's encoder learns from the benchmark's corpus."""
        if row in self.baselines:
            return self.baselines[row].learn is not None
        return row in encoders.encoder_names() and encoders.find(row).learns


PRODUCT = Catalogue()
"""The rows of the Evaluate page and of `priorscope evaluate`."""


# Encoders in folders ----------------------------------------------------------------------------


def _sentences(folder: Path, loaders: Loaders) -> Encoder:
    return SentenceMeanEncoder(encoders.load_folder(folder, loaders))


def _tokens(folder: Path, _: Loaders) -> Encoder:
    return TransformerMeanEncoder.open(folder)


READINGS: Mapping[str, Callable[[Path, Loaders], Encoder]] = {
    "": encoders.load_folder,
    "sentences": _sentences,
    "tokens": _tokens,
}
"""As the folder says; the mean of its rows over sentences; the mean of a transformer's token vectors."""


def split_folder(given: str) -> tuple[Path, str]:
    """Return the folder or the model's name of "FOLDER" or "FOLDER:READING", and the reading."""
    folder, _, reading = given.rpartition(":")
    if folder and reading in READINGS and not Path(given).is_dir():
        return Path(folder), reading
    return Path(given), ""


def is_there(place: Path) -> bool:
    """Return whether this is a folder, or the name of a model that an earlier download left on this machine."""
    return place.is_dir() or local_folder(place.as_posix()) is not None


def folder_name(given: str) -> str:
    """Return the same without the machine's path: a folder by its name, a model by its full name."""
    place, reading = split_folder(given)
    name = place.name if place.is_dir() or place.is_absolute() else place.as_posix()
    return f"{name}:{reading}" if reading else name


def load_given(given: str, loaders: Loaders = MappingProxyType({})) -> Encoder:
    """Return the encoder; `loaders` as of `registry.load_folder`.

    Raises EngineError as the reading of its folder does.
    """
    place, reading = split_folder(given)
    return READINGS[reading](place if place.is_dir() else local_folder(place.as_posix()) or place, loaders)


# A library's own rows ---------------------------------------------------------------------------


def row_fingerprint(row: str, card: EncoderCard, *, passages: bool, mixed: bool = True) -> str:
    """Return the `PreparedSystem.fingerprint` that a row that searches offer would have, from its encoder's card.

    `passages` says whether the default ranking matches them. `mixed` as `prepare_in` ranks a library; a set of files is
    mixed where it holds several kinds of documents. Empty for an encoder that has yet to learn from the library.
    """
    if is_by_words(row):
        return words_fingerprint_of(row)
    if row not in (DEFAULT_ROW, MEANING) or not card.fingerprint:
        return card.fingerprint
    read_by = PassageEncoder.shipped_fingerprint() if passages else ""
    ranking: Ranking = "encoder" if row == MEANING else "default"
    return ranking_fingerprint(card, ranking=ranking, mixed=mixed, passages=read_by)


def _held(workspace: Workspace, row: str, name: str, report: Report) -> PreparedSystem:
    encoder, index = workspace.whole(name, report=report)
    fingerprint = encoder.card.fingerprint
    system: System = Encoded(encoder, index)
    if row in (DEFAULT_ROW, MEANING):
        system = _AsSearched(workspace.searcher_of(encoder, index), "default" if row == DEFAULT_ROW else "encoder")
        fingerprint = row_fingerprint(row, encoder.card, passages=workspace.passages() is not None)
        workspace.library.keywords.weigh(False, True)
    return PreparedSystem(row, system, fingerprint, None)


@dataclass(frozen=True, slots=True)
class _AsSearched:
    searcher: Searcher
    ranking: Ranking

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        return self.searcher.rank(queries, k, self.ranking)


@dataclass(frozen=True, slots=True)
class _WithoutItself:
    """Leaves out what a search leaves out: the query itself and other versions of the same work."""

    library: Library
    system: System

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        same = [self.library.duplicates_of(query) for query in queries]
        found = self.system.rank(queries, k + max(map(len, same), default=0))
        return [[hit for hit in hits if hit.id not in hidden][:k] for hits, hidden in zip(found, same, strict=True)]

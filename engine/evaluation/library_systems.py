"""The rows of a table over a library: each ranks with the words and vectors that the library already holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine import encoders
from engine.core.progress import Meter, Report, silent
from engine.documents import Document, Hit
from engine.documents.questions import Ranking
from engine.encoders import EncoderCard
from engine.evaluation import systems
from engine.evaluation.systems import DEFAULT, MEANING, Encoded, Prepared, System
from engine.library import Library
from engine.search import Searcher, meaning_fingerprint, passages_fingerprint, ranking_fingerprint
from engine.workspace import Workspace

_QUERIES_AT_ONCE = 20


def prepare_in(
    workspace: Workspace,
    row: str,
    corpus: Sequence[Document],
    *,
    encoder: str = encoders.DEFAULT,
    report: Report = silent,
) -> Prepared:
    """Make a library ready for ranking by one system.

    Rankings by words, the default ranking and the encoders that a search offers use the library's vectors, and add
    those they had to encode; `encoder` is the default ranking's. Every other row learns or encodes from `corpus`, the
    library's documents, and keeps nothing. As in a search, rows never answer a query with another version of the same
    work. Raises EngineError as `Catalogue.prepare` and `index_library` do.
    """
    if systems.is_by_words(row):
        prepared = systems.by_words(row, workspace.library.keywords)
    elif row in (DEFAULT, MEANING) or row in encoders.search_names():
        prepared = _held(workspace, row, encoder if row in (DEFAULT, MEANING) else row, report)
    else:
        prepared = systems.PRODUCT.prepare(row, corpus, report=report)
    return replace(prepared, system=_WithoutItself(workspace.library, prepared.system))


def row_fingerprint(row: str, card: EncoderCard, *, passages: bool, mixed: bool = True) -> str:
    """The `Prepared.fingerprint` that a row that searches offer would have, from its encoder's card.

    `passages` says whether the default ranking matches them. `mixed` as `prepare_in` ranks a library; a set of files is
    mixed where it holds several kinds of documents. Empty for an encoder that has yet to learn from the library.
    """
    if systems.is_by_words(row):
        return systems.words_fingerprint_of(row)
    if row not in (DEFAULT, MEANING) or not card.fingerprint:
        return card.fingerprint
    read_by = passages_fingerprint() if passages else ""
    if row == MEANING:
        return meaning_fingerprint(card, passages=read_by)
    return ranking_fingerprint(card, mixed=mixed, passages=read_by)


def stepwise(prepared: Prepared, report: Report) -> Prepared:
    """The same system, reporting progress while it ranks many queries."""
    return replace(prepared, system=_Stepwise(prepared.name, prepared.system, report))


def _held(workspace: Workspace, row: str, name: str, report: Report) -> Prepared:
    encoder, index = workspace.whole(name, report=report)
    fingerprint = encoder.card.fingerprint
    system: System = Encoded(encoder, index)
    if row in (DEFAULT, MEANING):
        library, passages = workspace.library, workspace.passages()
        searcher = Searcher(library, encoder, index, passages=passages)
        system = _AsSearched(searcher, "default" if row == DEFAULT else "encoder")
        fingerprint = row_fingerprint(row, encoder.card, passages=passages is not None)
        library.keywords.weigh(False, True)
    return Prepared(row, system, fingerprint, None)


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


@dataclass(frozen=True, slots=True)
class _Stepwise:
    name: str
    system: System
    report: Report

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        meter = Meter(f"rank by {self.name}", len(queries), self.report)
        found: list[list[Hit]] = []
        for first in range(0, len(queries), _QUERIES_AT_ONCE):
            batch = queries[first : first + _QUERIES_AT_ONCE]
            found += self.system.rank(batch, k)
            meter.add(len(batch))
        meter.finish()
        return found

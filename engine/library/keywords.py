"""The keyword index: BM25 over a library's documents, with a whole document as the question.

The tokens of a library's document are counted in the transaction that adds it. The first question reads the counts into
memory (`Postings`), a second for 26,000 papers and patents. FTS5's own bm25() needs 0.5 s for 160 terms over 20,000
patents and does not count a question's repeated terms; the postings need 2 ms. An FTS5 table beside them finds titles.
Terms are chosen for quality, not for speed (`postings.QUESTION_TERMS`).
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np

from engine.documents import Document, Hit, text
from engine.library.postings import MOST_COUNT, Postings, TermCounts, TermFrequencies, term_counts


class KeywordSource(Protocol):
    """Where an index reads its postings."""

    def version(self) -> int:
        """A number that changes whenever documents are added, changed or removed."""

    def load(self) -> Postings:
        """Read all postings."""


class KeywordIndex:
    """BM25 with k1 1.2 and b 0.75 over CTPE tokens of title, abstract, body and claims. Thread-safe."""

    def __init__(self, source: KeywordSource) -> None:
        """Read from `source` at the first question."""
        self._source = source
        self._lock = threading.Lock()
        self._held: tuple[int, Postings] | None = None

    @classmethod
    def in_memory(cls, documents: Iterable[Document]) -> KeywordIndex:
        """An index of documents that stand in no library, for benchmarks."""
        return cls(_Fixed(_count_all(documents)))

    def search(
        self,
        question: str | Mapping[str, int],
        k: int,
        *,
        within: Collection[str] | None = None,
        stemmed: bool = False,
    ) -> list[Hit]:
        """The k documents that share the most telling terms with a question, best first.

        A question is a text of any length, or its terms with their counts (`question_terms` of a document).
        `within` limits the answer to these ids. Documents that share no term are left out. A term is a token as written
        or, where `stemmed`, a stem, which stands for all forms of a word.
        """
        counts = Counter(text.tokens(question) if isinstance(question, str) else question)
        postings = self._postings()
        rows = None if within is None else postings.rows_of(within)
        return [Hit(id_, score) for id_, score in postings.search(counts, k, rows, stemmed=stemmed)]

    def spread(
        self, question: Mapping[str, int], *, within: Collection[str] | None = None, stemmed: bool = False
    ) -> float:
        """The standard deviation of all documents' scores for a question: how much a difference of scores says."""
        postings = self._postings()
        rows = None if within is None else postings.rows_of(within)
        return postings.spread(question, rows, stemmed=stemmed)

    def weigh(self, *stemmed: bool) -> None:
        """Read and weigh the words now, as written, by stems or both, so that the first question does not wait."""
        self._postings().weigh(*stemmed)

    def holding(self, questions: Iterable[Collection[str]], *, above: float = 0) -> list[int]:
        """How many documents hold all terms of each question; 0 for no terms, and unless more than `above` do."""
        postings = self._postings()
        return [postings.holding(terms, above=above) for terms in questions]

    def holders(self, words: Sequence[str]) -> list[frozenset[str]]:
        """The documents that hold each word in any form; of several tokens in one word, all."""
        postings = self._postings()
        return [postings.holders(word) for word in words]

    def frequencies(self) -> TermFrequencies:
        """In how many documents each token stands."""
        return self._postings().frequencies

    @property
    def size(self) -> int:
        """How many documents are indexed."""
        return len(self._postings().ids)

    @property
    def holds_long(self) -> bool:
        """Whether many documents are long (`engine.library.lengths`): their beginnings do not stand for them."""
        return self._postings().holds_long

    @property
    def long_ids(self) -> list[str]:
        """The documents that are long, as whole papers are."""
        return self._postings().long_ids

    def lengths(self) -> dict[str, int]:
        """How many tokens each document has, by id, not counting its reference list."""
        postings = self._postings()
        return dict(zip(postings.ids, postings.lengths.tolist(), strict=True))

    def _postings(self) -> Postings:
        """The postings of the library as it is now; an import makes them be read again."""
        with self._lock:
            version = self._source.version()
            if self._held is None or self._held[0] != version:
                self._held = (version, self._source.load())
            return self._held[1]


class _Fixed:
    """Postings that never change."""

    def __init__(self, postings: Postings) -> None:
        self._postings = postings

    def version(self) -> int:
        return 0

    def load(self) -> Postings:
        return self._postings


def _count_all(documents: Iterable[Document]) -> Postings:
    numbers: dict[str, int] = {}
    ids: list[str] = []
    columns: list[int] = []
    found: list[int] = []
    starts = [0]
    for document in documents:
        counts = term_counts(document)
        ids.append(document.id)
        columns += [numbers.setdefault(term, len(numbers)) for term in counts]
        found += [min(count, MOST_COUNT) for count in counts.values()]
        starts.append(len(columns))
    arrays = TermCounts(np.array(starts), np.array(columns, np.uint32), np.array(found, np.uint16))
    return Postings(ids, numbers, arrays)

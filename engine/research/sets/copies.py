"""Copies of queries in a corpus: what has a query's title, or nearly its text. They are left out of what is trained on.

This is wider than the rules of `engine.documents.works`, which hide a document from a person: here a wrong yes costs
one document of a corpus, and a wrong no lets a model learn from a question.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from engine.documents import Document
from engine.documents.text import normalised_title, tokens

ALIKE = 0.5
"""The share of the shorter text's runs of words that both texts must have."""

_RUN = 5
"""The words of a run: long enough that two texts on one subject have few in common."""

Run = tuple[str, ...]


class Copies:
    """Finds the copies of some queries, one document at a time."""

    def __init__(self, queries: Sequence[Document]) -> None:
        """Take the queries; their texts are kept as runs of five words."""
        self._titles: defaultdict[str, set[str]] = defaultdict(set)
        self._queries: defaultdict[Run, set[str]] = defaultdict(set)
        self._sizes: dict[str, int] = {}
        for query in queries:
            self._titles[normalised_title(query.title)].add(query.id)
            found = _runs(query)
            self._sizes[query.id] = len(found)
            for run in found:
                self._queries[run].add(query.id)
        self._titles.pop("", None)

    def of(self, document: Document) -> set[str]:
        """The ids of the queries that a document copies: by their title, or by half of the shorter text's runs."""
        found = _runs(document)
        shared = Counter(query for run in found for query in self._queries.get(run, ()))
        alike = {
            query for query, count in shared.items() if count >= ALIKE * max(1, min(len(found), self._sizes[query]))
        }
        return alike | self._titles.get(normalised_title(document.title), set())

    def without(self, documents: Iterable[Document]) -> Iterator[Document]:
        """The documents that copy no query."""
        return (document for document in documents if not self.of(document))


def first_of_copies(documents: Sequence[Document]) -> list[Document]:
    """The documents without those that copy an earlier one."""
    place = {document.id: at for at, document in enumerate(documents)}
    copies = Copies(documents)
    return [one for one in documents if all(place[other] >= place[one.id] for other in copies.of(one))]


def _runs(document: Document) -> frozenset[Run]:
    """Every run of five tokens of a document's title and abstract; of fewer tokens, all of them as one."""
    words = tokens(f"{document.title} {document.abstract}")
    if not words:
        return frozenset()
    return frozenset(tuple(words[at : at + _RUN]) for at in range(max(1, len(words) - _RUN + 1)))

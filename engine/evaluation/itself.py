"""What rankings are scored without: the query itself, versions of its work, its family, what a collection excludes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from engine.documents import Document
from engine.documents.works import lacks_most_words, names, same_family, same_work
from engine.evaluation.benchmarks import Benchmark


def without_own_works(benchmark: Benchmark) -> Benchmark:
    """The benchmark with each query's own works marked, as `engine.search` would recognise them.

    In acm-citation the corpus has the citing paper's record for nearly every query, and it is relevant to none: any
    good ranking puts it first. A document that is relevant to the query is never taken for it.
    """
    named: defaultdict[str, list[Document]] = defaultdict(list)
    for document in benchmark.corpus:
        for name in names(document):
            named[name].append(document)
    own = {
        query.id: frozenset(
            found.id
            for name in names(query)
            for found in named.get(name, ())
            if found.id not in benchmark.qrels[query.id] and same_work(query, found)
        )
        for query in benchmark.queries
    }
    return replace(benchmark, own_works={query: works for query, works in own.items() if works})


class Itself:
    """What rankings of a query leave out: itself, its own works, a patent's family, and what the benchmark excludes.

    A document with the query's id is the query, unless it is relevant to it, or lacks more than half of its words and
    cannot be a version of it, as a paper's record is: some collections number queries and documents from 1, both.
    """

    def __init__(self, benchmark: Benchmark) -> None:
        """Take a benchmark's queries, judgements and corpus."""
        self.family_of = {document.id: document.family for document in benchmark.corpus}
        self._benchmark = benchmark
        asked = {query.id for query in benchmark.queries}
        alike = {document.id: document for document in benchmark.corpus if document.id in asked}
        self._namesakes = frozenset(
            query.id for query in benchmark.queries if query.id in alike and self._is_other(query, alike[query.id])
        )

    def asking(self) -> list[Document]:
        """The queries given to systems; one that has a document's id by chance gets another id."""
        return [
            replace(query, id=self._free(query.id)) if query.id in self._namesakes else query
            for query in self._benchmark.queries
        ]

    def most(self) -> int:
        """The largest number of documents left out of one ranking."""
        families = Counter(family for family in self.family_of.values() if family)
        named = (self._benchmark.own_works, self._benchmark.excluded)
        return 1 + max(families.values(), default=0) + sum(max(map(len, ids.values()), default=0) for ids in named)

    def left_out(self, ids: Sequence[str], query: Document) -> list[str]:
        """The ids without them."""
        own = {*self._benchmark.own_works.get(query.id, ()), *self._benchmark.excluded.get(query.id, ())}
        if query.id not in self._namesakes:
            own.add(query.id)
        return [name for name in ids if name not in own and not same_family(query.family, self.family_of.get(name, ""))]

    def _is_other(self, query: Document, document: Document) -> bool:
        """Whether a document has a query's id by chance."""
        if _is_relevant(query.id, self._benchmark):
            return True
        return lacks_most_words(query, document) and not same_work(query, document)

    def _free(self, name: str) -> str:
        while name in self.family_of:
            name = f"query {name}"
        return name


def _is_relevant(name: str, benchmark: Benchmark) -> bool:
    """Whether the document of a query's id is relevant to it."""
    return benchmark.qrels.get(name, {}).get(name, 0) > 0

"""Finds the documents of a benchmark's corpus that are a query's own work, as a search hides them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from engine.documents import Document
from engine.evaluation.benchmarks import Benchmark
from engine.search.folding import same_work
from engine.text import normalised_title


def without_own_works(benchmark: Benchmark) -> Benchmark:
    """The benchmark with each query's own works marked: what `engine.search` would take for the query itself.

    In acm-citation the citing paper's own record stands in the corpus for nearly every query, relevant to none: it
    comes first for whatever finds well. A document that is relevant to the query is never taken for it.
    """
    named: defaultdict[str, list[Document]] = defaultdict(list)
    for document in benchmark.corpus:
        for name in _names(document):
            named[name].append(document)
    own = {
        query.id: frozenset(
            found.id
            for name in _names(query)
            for found in named.get(name, ())
            if found.id not in benchmark.qrels[query.id] and same_work(query, found)
        )
        for query in benchmark.queries
    }
    return replace(benchmark, own_works={query: works for query, works in own.items() if works})


def _names(document: Document) -> list[str]:
    """What two versions of a work have in common: the title or the abstract, word by word."""
    title, abstract = normalised_title(document.title), " ".join(document.abstract.split())
    return [name for name in (title and f"title {title}", abstract and f"abstract {abstract}") if name]

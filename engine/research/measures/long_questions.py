"""How many terms of a long question should count: `python -m engine.research long_questions --data DIR --library DIR`.

DIR of --data holds the sets of papers and patents, --library the sample library. Full papers of acl-long
and pmc-long ask for the papers they are related to (train and valid pairs), once among titles and abstracts and
once among full texts, with the sample library mixed in; the valid queries of arxiv-subject and patents-citation ask
as they do in `priorscope evaluate`. The figure is BM25's mean nDCG@10.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.core import files
from engine.documents import Document
from engine.evaluation import load_benchmark
from engine.evaluation.metrics import Judged, ndcg
from engine.library import KeywordIndex, Library, postings, question_terms
from engine.reading import iter_documents
from engine.research import measurement
from engine.training.long_corpus import read_labelled_pairs

TERMS = (32, 64, 96, 128, 10**6)
QUERIES, SEED, K = 200, 2, 10


@dataclass(frozen=True)
class Asked:
    """One collection, who asks it, and the grades of each query's documents."""

    name: str
    index: KeywordIndex
    queries: Sequence[Document]
    grades: Mapping[str, Mapping[str, int]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every collection with every number of terms; print the report and save it."""
    parser = measurement.make_parser("long_questions", __doc__)
    parser.add_argument("--library", type=Path, required=True, help="the sample library")
    given = measurement.read_options(parser, arguments)
    figures: dict[str, dict[str, float]] = {}
    for asked in collections(given.data, given.library):
        figures[asked.name] = {"all" if terms == TERMS[-1] else str(terms): score(asked, terms) for terms in TERMS}
        print(asked.name, figures[asked.name], flush=True)
    mean = {
        terms: round(sum(row[terms] for row in figures.values()) / len(figures), 4) for terms in figures[asked.name]
    }
    print("mean", mean)
    data = {path.parent.name: files.sha256_file(path) for path in sorted(given.data.glob("*/corpus.parquet"))}
    facts = {
        **measurement.circumstances("long_questions", ["--data", "DIR", "--library", "DIR"]),
        "sha256": data,
        "head": postings.HEAD,
        "k3": postings.K3,
        "queries": QUERIES,
        "seed": SEED,
    }
    rows = [[name, *(f"{figure:.4f}" for figure in row.values())] for name, row in {**figures, "mean": mean}.items()]
    lines = ["# How many terms of a long question count: nDCG@10", "", *measurement.table(["set", *mean], rows)]
    text = "\n".join([*lines, *measurement.as_list(facts), ""])
    measurement.save(given.save, {**facts, "ndcg@10": figures, "mean": mean}, text)


def collections(data: Path, library: Path) -> Iterator[Asked]:
    """Give the two sets with judged queries, then the two of full papers, each in two forms."""
    for name in ("arxiv-subject", "patents-citation"):
        benchmark = load_benchmark(data / name, part="valid")
        yield Asked(name, KeywordIndex.in_memory(benchmark.corpus), benchmark.queries, benchmark.qrels)
    with Library.open(library) as opened:
        samples = list(opened.iter_documents())
    for name in ("acl-long", "pmc-long"):
        papers = {paper.id: paper for paper in iter_documents(data / name / "corpus.parquet")}
        grades = related(data / name / "pairs.tsv")
        asking = sorted(grades)
        random.Random(SEED).shuffle(asking)
        queries = [papers[query] for query in asking[:QUERIES]]
        for form, texts in (
            ("abstracts", (replace(one, sections=()) for one in papers.values())),
            ("full", papers.values()),
        ):
            yield Asked(f"{name}, {form}", KeywordIndex.in_memory(together(samples, texts)), queries, grades)


def together(samples: Sequence[Document], papers: Iterable[Document]) -> Iterator[Document]:
    """Give the sample library, then the papers."""
    yield from samples
    yield from papers


def related(pairs: Path) -> dict[str, dict[str, int]]:
    """Return which papers are related by a train or valid pair, both ways; test pairs are not read."""
    grades: dict[str, dict[str, int]] = {}
    for pair in read_labelled_pairs(pairs):
        if pair.related and pair.split in ("train", "valid"):
            grades.setdefault(pair.a, {})[pair.b] = 1
            grades.setdefault(pair.b, {})[pair.a] = 1
    return grades


def score(asked: Asked, terms: int) -> float:
    """Return mean nDCG@10 if at most `terms` terms of a question count; a query does not count as its own answer."""
    kept, postings.QUESTION_TERMS = postings.QUESTION_TERMS, terms
    try:
        total = 0.0
        for query in asked.queries:
            hits = asked.index.search(question_terms(query), K + 1)
            ids = [hit.id for hit in hits if hit.id != query.id][:K]
            total += ndcg(Judged.of(ids, asked.grades[query.id]), K)
    finally:
        postings.QUESTION_TERMS = kept
    return round(total / len(asked.queries), 4)

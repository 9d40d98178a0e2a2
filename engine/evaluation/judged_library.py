"""Benchmarks made from a library: from its owner's judgements, or from its documents' subject labels."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Sequence

from engine.core import files
from engine.core.errors import EvaluationError
from engine.core.progress import Meter, Report, silent
from engine.documents import Document
from engine.documents.works import same_family
from engine.evaluation.benchmarks import Benchmark, from_parts
from engine.library import JudgedQuery, Library

JUDGED, SUBJECTS = "your-judgements", "your-subjects"
MOST_QUERIES = 200
"""How many documents are queries where labels are the judgements: enough for intervals of some hundredths, in
seconds."""


def from_judgements(library: Library, *, report: Report = silent) -> Benchmark:
    """The library as corpus, and the queries whose hits were judged.

    Unjudged documents count as not relevant, so rankings that put other documents first than those a person saw are
    scored too low. Queries without a relevant document are left out and counted. Raises EvaluationError where no query
    has one.
    """
    held = set(library.ids())
    asked, own = _named_apart(library)
    graded = [(one, {name: grade for name, grade in one.grades.items() if name in held}) for one in asked]
    judged = [(one, grades) for one, grades in graded if any(grade > 0 for grade in grades.values())]
    if not judged:
        raise EvaluationError(
            "Expected a query with a hit that was judged relevant; there is none yet. Search for a document, judge "
            "some of its hits, and come back."
        )
    queries = [one.query for one, _ in judged]
    qrels = {one.query.id: grades for one, grades in judged}
    made = from_parts(JUDGED, _read(library, report), queries, qrels)
    own_works = {
        query: frozenset({own[query]})
        for query, grades in qrels.items()
        if own.get(query) in held and not grades.get(own[query], 0) > 0
    }
    return dataclasses.replace(made, left_out=len(graded) - len(judged), own_works=own_works)


def from_subjects(library: Library, *, most: int = MOST_QUERIES, seed: int = 0, report: Report = silent) -> Benchmark:
    """Documents of the library are queries, and those with the same set of categories are relevant to them.

    CTPE judges arXiv papers this way (section 4.2). It needs no judgements, and measures whether a ranking brings
    together what publishers filed together, which is less than relevance. Other versions of a query's work are not
    among its answers, because rankings leave them out. Of the documents that share their set with another work, `most`
    are drawn at random; the same library and seed give the same ones. Raises EvaluationError where no two works share
    one.
    """
    corpus = _read(library, report)
    members: defaultdict[tuple[str, ...], list[Document]] = defaultdict(list)
    for document in corpus:
        if document.categories:
            members[_label(document)].append(document)
    able = [document for together in members.values() if len(together) > 1 for document in together]
    queries: list[Document] = []
    qrels: dict[str, dict[str, int]] = {}
    for query in sorted(able, key=lambda document: files.fingerprint(str(seed), document.id)):
        if len(queries) == most:
            break
        if others := _other_works(library, query, members[_label(query)]):
            queries.append(query)
            qrels[query.id] = dict.fromkeys(others, 1)
    if not queries:
        raise EvaluationError(
            "Expected two works with the same subjects in the library; there are none. Import documents that have "
            "categories, or judge hits on the Search page."
        )
    return from_parts(SUBJECTS, corpus, queries, qrels)


def library_key(library: Library) -> str:
    """Identifies a library's content by its imported files, in order, without reading documents."""
    held = (f"{file.key} {file.documents} {file.folded}" for file in library.files())
    return files.fingerprint(str(len(library)), *held)


def _named_apart(library: Library) -> tuple[list[JudgedQuery], dict[str, str]]:
    """The judged queries; a corrected one keeps its id, so the later of two gets another name.

    Also returns the former id for each new name, under which the query itself may be in the library.
    """
    found, seen, own = [], set(), {}
    for one in reversed(library.judgements.queries()):
        query = one.query
        if query.id in seen:
            query = dataclasses.replace(query, id=f"{query.id}#{one.key[:8]}")
            own[query.id] = one.query.id
        seen.add(query.id)
        found.append(dataclasses.replace(one, query=query))
    return found, own


def _other_works(library: Library, query: Document, together: Sequence[Document]) -> list[str]:
    """The ids of documents other than the query's own work, which rankings leave out."""
    own, family = {query.id, *library.duplicates_of(query)}, query.family
    return [one.id for one in together if one.id not in own and not same_family(one.family, family)]


def _label(document: Document) -> tuple[str, ...]:
    return tuple(sorted(set(document.categories)))


def _read(library: Library, report: Report) -> list[Document]:
    meter = Meter("read the library", len(library), report)
    corpus = []
    for document in library.iter_documents():
        corpus.append(document)
        meter.add()
    meter.finish()
    return corpus

"""KeyVec's table of retrieval: papers found by the description of a field.

There is one query a subject, made of documents that are not searched.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from engine import evaluation
from engine.core import files
from engine.core.errors import EngineError, EvaluationError
from engine.documents import Document
from engine.documents.text import sentences
from engine.evaluation.benchmarks import CORPUS, QUERIES, read_documents
from engine.evaluation.measure import System
from engine.evaluation.metrics import KEYVEC, Judged
from engine.research.baselines.rows import ROWS
from engine.research.paper.published import keyvec as published
from engine.research.paper.settings import KeyvecTables, left_out
from engine.research.paper.tables import Line, Panel, Rows, Skipped, Table, by_name, by_places, each_line
from engine.research.paper.training import keyvec_row
from engine.research.paper.work import Work, made_by, rounded, there

Subjects = Callable[[Document], Sequence[str]]
"""The subjects that a document carries: its categories, or its author's key words."""


@dataclass(frozen=True, slots=True)
class FieldSettings:
    """Which subjects are asked for, and how many held-out documents describe one.

    KeyVec has 70 queries ("Document Retrieval"), so of more subjects the 70 with most held-out documents are taken.
    """

    described_by: int = 10
    fewest_held_out: int = 5
    fewest_relevant: int = 20
    most_fields: int = 70
    seed: int = 1


@dataclass(frozen=True, slots=True)
class FieldTask:
    """A pool of documents, a description of each field as a query whose id is the field's, and what is relevant.

    `described_by` names the held-out documents that a description is made of.
    """

    pool: Sequence[Document]
    queries: Sequence[Document]
    relevant: Mapping[str, frozenset[str]]
    described_by: Mapping[str, tuple[str, ...]]


def field_task(
    pool: Sequence[Document], held_out: Sequence[Document], subjects: Subjects, settings: FieldSettings
) -> FieldTask:
    """Describe the fields that enough documents carry on both sides; a document is relevant that carries the field.

    Leaves out a subject that exactly the documents of another carry ("math.IT" beside "cs.IT"). Raises EvaluationError
    if a document stands on both sides, or no field has enough documents.
    """
    both = {document.id for document in pool} & {document.id for document in held_out}
    if both:
        raise EvaluationError(
            f"Expected held-out documents that are not in the pool, got {len(both)} that are, the first {min(both)!r}. "
            "Take them out of one side."
        )
    carried, describing = _carrying(pool, subjects), _carrying(held_out, subjects)
    enough = [
        field
        for field, documents in describing.items()
        if len(documents) >= settings.fewest_held_out and len(carried.get(field, ())) >= settings.fewest_relevant
    ]
    relevant: dict[str, frozenset[str]] = {}
    for field in sorted(enough, key=lambda field: (-len(describing[field]), field)):
        ids = frozenset(document.id for document in carried[field])
        if ids not in relevant.values() and len(relevant) < settings.most_fields:
            relevant[field] = ids
    if not relevant:
        raise EvaluationError(
            f"Expected a subject that {settings.fewest_held_out} held-out documents and {settings.fewest_relevant} of "
            f"the pool carry, found none among {len(describing)}. Give more documents."
        )
    chosen = {field: _chosen(describing[field], subjects, field, settings) for field in relevant}
    queries = [description(field, documents) for field, documents in chosen.items()]
    described = {field: tuple(document.id for document in documents) for field, documents in chosen.items()}
    return FieldTask(pool, queries, relevant, described)


def description(field: str, documents: Sequence[Document]) -> Document:
    """A text about a field: its documents' titles, then the first sentence of each abstract; the field is not named."""
    titles = ". ".join(document.title.rstrip(".") for document in documents if document.title)
    return Document(id=field, kind="query", title=titles, abstract=" ".join(map(_first_sentence, documents)).strip())


def score_fields(task: FieldTask, system: System) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """P@10, MAP and MRR over all fields, and by field, from rankings of the whole pool."""
    found = system.rank(task.queries, len(task.pool))
    judged = {
        query.id: Judged.of([hit.id for hit in hits], dict.fromkeys(task.relevant[query.id], 1))
        for query, hits in zip(task.queries, found, strict=True)
    }
    over_all = {name: metric.over(list(judged.values())) for name, metric in KEYVEC.items()}
    return over_all, {
        field: {name: metric.score(one) for name, metric in KEYVEC.items()} for field, one in judged.items()
    }


def _carrying(documents: Sequence[Document], subjects: Subjects) -> dict[str, list[Document]]:
    found: dict[str, list[Document]] = defaultdict(list)
    for document in documents:
        for subject in dict.fromkeys(subjects(document)):
            found[subject].append(document)
    return found


def _chosen(documents: Sequence[Document], subjects: Subjects, field: str, settings: FieldSettings) -> list[Document]:
    """The documents that describe a field, those with the fewest other fields first; chance orders equal ones."""
    shuffled = sorted(documents, key=lambda document: document.id)
    random.Random(f"{settings.seed} {field}").shuffle(shuffled)
    return sorted(shuffled, key=lambda document: len(set(subjects(document))))[: settings.described_by]


def _first_sentence(document: Document) -> str:
    spans = sentences(document.abstract)
    return document.abstract[spans[0].start : spans[0].stop] if spans else ""


NAME = "keyvec-1"
ARXIV, ACM = "arxiv-subject", "acm-citation"
PROTOCOL = (
    "The paper asks with 70 pages of an encyclopaedia, one a field of study, among 669 papers. Here a field is an "
    "arXiv category or an ACM author's key word, and up to ten held-out documents that carry it describe it: their "
    "titles, then the first sentence of each abstract; those that carry fewest other fields first, of equals by chance "
    "with a fixed seed. A field needs five held-out documents and twenty of the pool; the 70 with most held-out "
    "documents are asked for. A document of the pool is relevant that carries the field. Of arxiv-subject the pool is "
    "the whole corpus and held out are its queries. Of acm-citation the pool is drawn among the documents with key "
    "words, and held out is every tenth of these by its id's sha1; authors give few key words, so that its figures are "
    "lower bounds. Encoders that learn from a corpus learn from the pool alone. The paper's figures are not in the "
    "text at hand; its sentences give the order."
)
_HELD_OUT_ONE_IN = 10
_COLUMNS = tuple(KEYVEC)
ROWS_TOLD = Rows(by_name(KeyvecTables().rows), lambda lines: by_places(lines, _COLUMNS, published.PLACES))
"""What follows from the lines of a panel."""


def table(work: Work) -> Table:
    """A panel a set, a row an encoder."""
    tasks: Mapping[str, Callable[[Work], FieldTask]] = {ARXIV: arxiv_fields, ACM: acm_fields}
    panels = [_panel(work, data, task) for data, task in tasks.items()]
    return Table(NAME, "KeyVec, retrieval by a field's description", PROTOCOL, panels)


def arxiv_fields(work: Work) -> FieldTask:
    """The categories of arxiv-subject, described by its queries. Raises EngineError if the set is not there."""
    pool, held_out = (read_documents(there(work.data / ARXIV / name)) for name in (CORPUS, QUERIES))
    return field_task(pool, held_out, lambda document: document.categories, _settings(work))


def acm_fields(work: Work) -> FieldTask:
    """The authors' key words of acm-citation, described by every tenth document, sought in a pool of the others."""
    worded = [document for document in read_documents(there(work.data / ACM / CORPUS)) if document.keywords]
    held_out = [document for document in worded if files.spread(document.id, _HELD_OUT_ONE_IN) == 0]
    others = [document for document in worded if files.spread(document.id, _HELD_OUT_ONE_IN) != 0]
    pool = random.Random(work.settings.seed).sample(others, min(work.settings.keyvec.pool, len(others)))
    return field_task(pool, held_out, lambda document: [word.lower() for word in document.keywords], _settings(work))


def _panel(work: Work, data: str, make: Callable[[Work], FieldTask]) -> Panel:
    try:
        task = make(work)
    except EngineError as error:
        return Panel(data, "", _COLUMNS, [], skipped=[Skipped(data, str(error))])
    sha256 = files.sha256_file(work.data / data / CORPUS)
    line = partial(_line, work, task=task, corpus=work.cache / sha256, whole=data == ARXIV)
    own = work.settings.keyvec
    lines, skipped = each_line(own.rows, line, without=left_out(own.leave_out, data))
    facts = {"fields": len(task.relevant), "documents": len(task.pool), "sha256": {CORPUS: sha256}}
    orders = ROWS_TOLD.orders(lines)
    return Panel(data, "", _COLUMNS, lines, orders=orders, skipped=skipped, facts=facts, drawn=_COLUMNS)


def _line(work: Work, row: str, *, task: FieldTask, corpus: Path, whole: bool) -> Line:
    """P@10, MAP and MRR of one row; `corpus` is where rows of all documents are kept, `whole` that the pool is all."""
    row = keyvec_row(work, row)
    texts = [part for one in (*task.pool, *task.queries) for part in (one.id, one.text)]
    named = {"row": evaluation.name_of(row), "made_by": made_by(row), "texts": files.fingerprint(*texts)}
    relevant = [part for field, ids in task.relevant.items() for part in (field, *sorted(ids))]
    key = {**named, "relevant": files.fingerprint(*relevant)}
    keep = corpus if whole else work.cache / named["texts"]
    measure = partial(_measure, work, row, task, keep=keep, among=corpus)
    cell = work.cells.find(f"{NAME}-{evaluation.name_of(row)}", key, measure)
    return Line(
        evaluation.name_of(row),
        cell["figures"],
        beside=published.ROWS.get(evaluation.name_of(row), ""),
        facts={"fingerprint": cell["fingerprint"]},
    )


def _measure(work: Work, row: str, task: FieldTask, *, keep: Path, among: Path) -> dict[str, Any]:
    prepared = ROWS.prepare(row, task.pool, keep=keep, among=among, report=work.report)
    over_all, _ = score_fields(task, prepared.system)
    return {"figures": rounded(over_all), "fingerprint": prepared.fingerprint}


def _settings(work: Work) -> FieldSettings:
    own = work.settings.keyvec
    return FieldSettings(
        fewest_held_out=own.fewest_held_out, fewest_relevant=own.fewest_relevant, seed=work.settings.seed
    )

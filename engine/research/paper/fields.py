"""Retrieval by a field's description: one query a subject, made of documents that are not searched."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.documents.text import sentences
from engine.evaluation.metrics import KEYVEC, Judged
from engine.evaluation.systems import System

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

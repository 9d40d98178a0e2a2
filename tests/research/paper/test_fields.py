"""Fields that are described by held-out documents, on small text of our own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.evaluation import PRODUCT
from engine.research.paper.fields import FieldSettings, FieldTask, description, field_task, score_fields
from tests.contracts.encoder import corpus

SETTINGS = FieldSettings(described_by=2, fewest_held_out=3, fewest_relevant=5)


def labelled() -> list[Document]:
    """The corpus of four subjects, each document with its subject; some of two subjects are "old" too."""
    documents = []
    for document in corpus():
        subject = document.id.rstrip("0123456789")
        more = ("old",) if subject in ("steam", "graph") and document.id[-1] in "04" else ()
        documents.append(replace(document, categories=(subject, *more)))
    return documents


def task(settings: FieldSettings = SETTINGS) -> FieldTask:
    documents = labelled()
    return field_task(documents[16:], documents[:16], lambda document: document.categories, settings)


def test_a_document_is_relevant_that_carries_the_field() -> None:
    made = task()
    assert set(made.relevant) == {"steam", "neural", "protein", "graph"}
    pool = {document.id: document for document in made.pool}
    for field, ids in made.relevant.items():
        assert ids == {name for name, document in pool.items() if field in document.categories}


def test_a_description_is_of_held_out_documents_and_does_not_name_the_field() -> None:
    made = task()
    held_out = {document.id for document in labelled()[:16]}
    assert [query.id for query in made.queries] == list(made.relevant)
    for query in made.queries:
        assert set(made.described_by[query.id]) <= held_out
        assert len(made.described_by[query.id]) == 2
        assert query.kind == "query"
        assert not query.categories
    assert task() == made
    assert task(replace(SETTINGS, seed=2)).described_by != made.described_by


def test_documents_of_fewer_fields_describe_first() -> None:
    fields = {"one": ("a",), "two": ("a", "b"), "three": ("a", "b", "c")}
    documents = [Document(id=name, title=name, categories=of) for name, of in fields.items()]
    pool = [Document(id="p", title="p", categories=("a",))]
    settings = FieldSettings(described_by=2, fewest_held_out=1, fewest_relevant=1)
    made = field_task(pool, documents[::-1], lambda document: document.categories, settings)
    assert made.described_by == {"a": ("one", "two")}


def test_a_text_about_a_field_is_titles_then_first_sentences() -> None:
    documents = [
        Document(id="1", title="On boilers.", abstract="Boilers hold steam. They burst."),
        Document(id="2", title="Valves", abstract=""),
    ]
    made = description("steam", documents)
    assert (made.title, made.abstract) == ("On boilers. Valves", "Boilers hold steam.")


def test_a_subject_that_the_same_documents_carry_is_asked_once() -> None:
    twice = [
        replace(document, categories=(*document.categories, f"{document.categories[0]}-again"))
        for document in labelled()
    ]
    made = field_task(twice[16:], twice[:16], lambda document: document.categories, SETTINGS)
    assert set(made.relevant) == {"steam", "neural", "protein", "graph"}
    assert len(task(replace(SETTINGS, most_fields=3)).relevant) == 3


def test_the_fields_documents_are_found() -> None:
    made = task()
    over_all, by_field = score_fields(made, PRODUCT.prepare("tfidf", made.pool).system)
    assert set(over_all) == {"P@10", "MAP", "MRR"}
    assert over_all["MRR"] == 1
    assert over_all["MAP"] > 0.9
    assert over_all["P@10"] == pytest.approx(sum(one["P@10"] for one in by_field.values()) / 4)
    assert by_field["steam"]["P@10"] <= 6 / 10


def test_a_document_on_both_sides_is_refused() -> None:
    documents = labelled()
    with pytest.raises(EvaluationError, match=r"not in the pool, got 4 that are, the first 'graph15'"):
        field_task(documents[12:], documents[:16], lambda document: document.categories, SETTINGS)


def test_too_few_documents_are_told() -> None:
    with pytest.raises(EvaluationError, match="Expected a subject that 9 held-out documents and 5 of the pool carry"):
        task(replace(SETTINGS, fewest_held_out=9))

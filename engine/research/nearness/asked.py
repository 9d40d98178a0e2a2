"""Questions of several fields asked of each field's collection: the hits that are shown, and what they are known to be.

A question is a document, its title, or itself in other words; or one that people asked. Its first ten hits by keywords
and meaning are pairs, and so are a few documents drawn at random. A document never answers itself.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from engine.core.progress import Report
from engine.core.rows import DenseRows
from engine.documents import Document, Hit
from engine.documents.text import sentences
from engine.encoders import Encoder
from engine.evaluation.kept_rows import Places, rows_in
from engine.library import KeywordIndex
from engine.research.nearness.fields import APART, SAME_WORK, SEED, Field, Known, distance, drawn
from engine.research.nearness.other_words import Synonyms, changed, dropped
from engine.search import SENTENCES, Pair, TellingWords, Vocabulary, fitted_on, keyword_weight, pair_of
from engine.search.evidence.unknown import unknown_terms
from engine.search.ranking import fused
from engine.search.words import asked_terms, asks_by_stems

HITS, RANDOM = 10, 3
_DEPTH = 200
_OWN, _OTHERS = 120, 24
"""How many of a field's documents ask their own collection and each other one; a third as many in other words."""


@dataclass(frozen=True)
class Question:
    """What is asked: a text, the document that it comes from or speaks like, and in which form."""

    text: Document
    origin: Document
    form: str
    field: str

    @property
    def hides_itself(self) -> bool:
        """Whether its own document is left out of the hits: a document is known to be itself."""
        return self.form in ("document", "hidden title", "asked")


@dataclass(frozen=True)
class Shown:
    """One hit of a question: its pair, what it is known to be, and whether it was drawn at random."""

    question: int
    pair: Pair
    known: Known
    at_random: bool


@dataclass(frozen=True)
class Answered:
    """One question asked of one collection: the ten nearest, and the share of its telling words that are unknown."""

    question: int
    asks: str
    field: str
    form: str
    nearest: tuple[Pair, ...]
    documents: int
    unknown: float


class Collection:
    """A field's documents with their rows, their words and their telling words."""

    def __init__(self, field: Field, encoder: Encoder, *, keep: Path | None, report: Report) -> None:
        """Encode the documents, or read their rows where they were kept."""
        self.field = field
        rows = field.rows
        if rows is None:
            places = Places(None if keep is None else keep / field.name)
            index, _ = rows_in(places, encoder, field.documents, name=SENTENCES, report=report)
            rows = encoder.sentence_rows(index.rows([one.id for one in field.documents]), fitted_on("document"))
        self.rows = cast(DenseRows, rows)  # (n, dim)
        self.keywords = KeywordIndex.in_memory(field.documents)
        self._vocabulary = Vocabulary(self.keywords.frequencies(), self.keywords.size)
        self.places = {one.id: place for place, one in enumerate(field.documents)}

    @cached_property
    def words(self) -> list[TellingWords]:
        """The telling words of each document."""
        return [TellingWords.of(one.text) for one in self.field.documents]

    def order(self, question: Document, row: DenseRows) -> tuple[list[str], NDArray[np.float32]]:
        """The ids of the documents by keywords and meaning together, best first, and all cosines (n,)."""
        cosines = self.rows @ row
        best = np.argsort(-cosines, kind="stable")[:_DEPTH]
        near = [Hit(self.field.documents[place].id, float(cosines[place])) for place in best]
        terms = self.keywords.search(asked_terms(question), _DEPTH, stemmed=asks_by_stems(question))
        weight = keyword_weight(SENTENCES, question)
        return [hit.id for hit in fused(near, terms, weight, depth=_DEPTH)], cosines

    def unknown(self, question: Document) -> float:
        """The share of a question's telling words that no document holds."""
        unknown, telling = unknown_terms(question.text, self._vocabulary)
        return len(unknown) / telling if telling else 0.0


def questions_of(field: Field, synonyms: Synonyms | None, *, own: bool) -> list[Question]:
    """What a field's documents and people ask its own collection, or others'."""
    count = _OWN if own else _OTHERS
    found = [Question(one, one, "document", field.name) for one in drawn(field.documents, count, key="whole")]
    third = count // 3
    for form in ("title", "hidden title", "dropped", "changed", "half"):
        for one in drawn((one for one in field.documents if one.title and one.abstract), third, key=form):
            if (text := _said(one, form, synonyms)) is not None:
                found.append(Question(text, one, form, field.name))
    asked = drawn(field.questions, count, key="asked")
    return found + [Question(one, one, "asked", field.name) for one in asked]


def _said(one: Document, form: str, synonyms: Synonyms | None) -> Document | None:
    """A document in other words: its title, two thirds of its words, synonyms, or half of its sentences."""
    draw = random.Random(f"{SEED} {form} {one.id}")
    if form.endswith("title"):
        return Document(f"{one.id} {form}", "query", abstract=one.title)
    if form == "changed" and synonyms is None:
        return None
    if form == "half":
        held = [one.abstract[span.start : span.stop] for span in sentences(one.abstract)]
        if len(held) < 4:
            return None
        kept = sorted(draw.sample(range(len(held)), len(held) // 2))
        return Document(f"{one.id} half", "query", abstract=" ".join(held[place] for place in kept))
    text = f"{one.title}. {one.abstract}"
    other = dropped(text, draw) if form == "dropped" else changed(text, draw, synonyms) if synonyms else text
    return Document(f"{one.id} {form}", "query", abstract=other)


def ask_all(
    collections: Mapping[str, Collection], encoder: Encoder, synonyms: Synonyms | None
) -> tuple[list[Shown], list[Answered], list[Question]]:
    """Every question asked of its own collection, and some of each other one."""
    shown: list[Shown] = []
    answered: list[Answered] = []
    asked: list[Question] = []
    for own in (True, False):
        for one in collections.values():
            questions = questions_of(one.field, synonyms, own=own)
            rows = np.asarray(encoder.encode_queries([question.text for question in questions]), np.float32)
            first = len(asked)
            asked += questions
            for other in [one] if own else [other for other in collections.values() if other is not one]:
                for number, (question, row) in enumerate(zip(questions, rows, strict=True), start=first):
                    pairs, answer = _ask(question, number, row, one, other)
                    shown += pairs
                    answered.append(answer)
    return shown, answered, asked


def _ask(
    question: Question, number: int, row: DenseRows, home: Collection, other: Collection
) -> tuple[list[Shown], Answered]:
    """One question's hits in a collection, and its ten nearest."""
    order, cosines = other.order(question.text, row)
    hidden = question.origin.id if question.hides_itself else ""
    order = [name for name in order if name != hidden]
    words = TellingWords.of(question.text.text)
    draw = random.Random(f"{SEED} {number} {other.field.name}")
    at_random = draw.sample(range(len(other.rows)), RANDOM)

    def made(place: int) -> Pair:
        return pair_of(words, other.words[place], float(cosines[place]))

    shown = []
    places = [(other.places[name], False) for name in order[:HITS]] + [(place, True) for place in at_random]
    for place, by_chance in places:
        document = other.field.documents[place]
        if document.id != hidden and (known := _known(question, document, home, other)) is not None:
            shown.append(Shown(number, made(place), known, by_chance))
    nearest = sorted((other.places[name] for name in order[:_DEPTH]), key=lambda place: -cosines[place])[:HITS]
    answer = Answered(
        number,
        question.field,
        other.field.name,
        question.form,
        tuple(map(made, nearest)),
        len(other.rows),
        other.unknown(question.text),
    )
    return shown, answer


def _known(question: Question, document: Document, home: Collection, other: Collection) -> Known | None:
    """What a hit is known to be; None where nothing is."""
    if home is not other:
        return APART if distance(home.field, other.field) == "far" else None
    if document.id == question.origin.id:
        return SAME_WORK
    known = home.field.known(question.origin, document)
    return known if len(known) < 3 else None

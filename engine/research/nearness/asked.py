"""Questions of several fields asked of each field's collection: the hits that are shown, and what they are known to be.

A question is a document, its title, or itself in other words; or one that people asked. Its first ten hits by keywords
and meaning are pairs, and so are a few documents drawn at random. A document never answers itself. Passages, as a
library keeps and shows them, are pairs, too.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
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
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.evaluation.kept_rows import RowFolders, rows_in
from engine.library import KeywordIndex
from engine.research.nearness.fields import APART, RELATED, SAME_WORK, SEED, Field, Known, distance, drawn, known_pairs
from engine.research.nearness.revisions import Synonyms, changed, dropped
from engine.search import Pair, PassageReader, TellingWords, Vocabulary, fitted_on
from engine.search.queries import asked_terms, asks_by_stems
from engine.search.ranking import fuse_relative, keyword_weight
from engine.search.readings import SENTENCES
from engine.search.verdicts import unknown_terms

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
            places = RowFolders(None if keep is None else keep / field.name)
            index, _ = rows_in(places, encoder, field.documents, name=SENTENCES, report=report)
            rows = encoder.sentence_rows(index.rows([one.id for one in field.documents]), fitted_on("document"))
        self.rows = cast(DenseRows, rows)  # (n, dim)
        self.keywords = KeywordIndex.in_memory(field.documents)
        self._vocabulary = Vocabulary.of(self.keywords)
        self.places = {one.id: place for place, one in enumerate(field.documents)}

    @cached_property
    def words(self) -> list[TellingWords]:
        """The telling words of each document."""
        return [TellingWords.of(one.text) for one in self.field.documents]

    def order(self, question: Document, row: DenseRows) -> tuple[list[str], NDArray[np.float32]]:
        """Return the ids of the documents by keywords and meaning together, best first, and all cosines (n,)."""
        cosines = self.rows @ row
        best = np.argsort(-cosines, kind="stable")[:_DEPTH]
        near = [Hit(self.field.documents[place].id, float(cosines[place])) for place in best]
        terms = self.keywords.search(asked_terms(question), _DEPTH, stemmed=asks_by_stems(question))
        weight = keyword_weight(SENTENCES, question)
        return [hit.id for hit in fuse_relative(near, terms, weight, depth=_DEPTH)], cosines

    def unknown(self, question: Document) -> float:
        """Return the share of a question's telling words that no document holds."""
        unknown, telling = unknown_terms(question.text, self._vocabulary)
        return len(unknown) / telling if telling else 0.0


def questions_of(field: Field, synonyms: Synonyms | None, *, own: bool) -> list[Question]:
    """Return what a field's documents and people ask its own collection, or others'."""
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
    """Return a document in other words: its title, two thirds of its words, synonyms, or half of its sentences."""
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
    """Return every question asked of its own collection, and some of each other one."""
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
    """Return one question's hits in a collection, and its ten nearest."""
    order, cosines = other.order(question.text, row)
    hidden = question.origin.id if question.hides_itself else ""
    order = [name for name in order if name != hidden]
    words = TellingWords.of(question.text.text)
    draw = random.Random(f"{SEED} {number} {other.field.name}")
    at_random = draw.sample(range(len(other.rows)), RANDOM)

    def made(place: int) -> Pair:
        return words.pair(other.words[place], float(cosines[place]))

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
    """Return what a hit is known to be; None where nothing is."""
    if home is not other:
        return APART if distance(home.field, other.field) == "far" else None
    if document.id == question.origin.id:
        return SAME_WORK
    known = home.field.known(question.origin, document)
    return known if len(known) < 3 else None


SETS = {"acl-long": "acl", "pmc-long": "pmc", "patents-long": "patents"}
_DOCUMENTS, _FEWEST_WORDS = 90, 800
_OF_EACH_KIND = 4  # of documents that are related, of the same set, and of each other one
_ONE_FIELD, _FIELD_OR_FURTHER = frozenset({2}), frozenset({2, 3})


class _Read:
    """The passages of a document: their texts, their rows (n, dim) and their telling words."""

    def __init__(self, texts: Sequence[str], rows: DenseRows) -> None:
        self.texts, self.rows = texts, rows
        self.words = [TellingWords.of(text) for text in texts]

    def best(self, asking: _Read) -> Pair:
        """Return the pair of one of the asking passages and one of these whose rows are nearest, as a hit shows it."""
        cosines = asking.rows @ self.rows.T
        ours, theirs = np.unravel_index(int(cosines.argmax()), cosines.shape)
        return asking.words[int(ours)].pair(self.words[int(theirs)], float(cosines[ours, theirs]))


def passage_pairs(data: Path, reader: PassageReader, synonyms: Synonyms | None) -> tuple[list[Shown], list[str]]:
    """Return the best pairs of passages that a hit would show: of a passage or a whole document with other documents.

    A quote from a passage, and a passage in other words, ask their own document, too. The second list names each pair's
    set; a question is a number of a document that asks.
    """
    related = {name: known_pairs(data / folder / "pairs.tsv") for folder, name in SETS.items()}
    held = {
        name: {one.id: _read(reader, one) for one in _drawn(read_documents(data / folder / CORPUS), related[name])}
        for folder, name in SETS.items()
    }
    shown: list[Shown] = []
    sets: list[str] = []
    for name, documents in held.items():
        for id_, whole in documents.items():
            number, draw = len(shown), random.Random(f"{SEED} {id_}")
            one = draw.randrange(len(whole.texts))
            single = _Read([whole.texts[one]], whole.rows[[one]])
            forms = [quote(single.texts[0], draw), dropped(single.texts[0], draw)]
            forms += [changed(single.texts[0], draw, synonyms)] if synonyms else []
            known = [(single, whole, SAME_WORK) for single in _each(reader, forms)]
            for other, of_pair in _others(name, id_, held, related, draw):
                known += [(asking, other, of_pair) for asking in (single, whole)]
            shown += [Shown(number, there.best(asking), of_pair, False) for asking, there, of_pair in known]
            sets += [name] * len(known)
    return shown, sets


def quote(text: str, draw: random.Random) -> str:
    """Half of the sentences of a passage, one after another."""
    spans = sentences(text)
    count = max(1, len(spans) // 2)
    first = draw.randrange(len(spans) - count + 1)
    return text[spans[first].start : spans[first + count - 1].stop]


def _drawn(corpus: Sequence[Document], related: frozenset[frozenset[str]]) -> list[Document]:
    """Return documents of many passages, in pairs of related ones, drawn by the seed."""
    held = {one.id: one for one in corpus if len(one.text.split()) > _FEWEST_WORDS}
    order = sorted(sorted(tuple(sorted(each)) for each in related if len(each) == 2))
    random.Random(SEED).shuffle(order)
    found = dict.fromkeys(id_ for each in order if all(one in held for one in each) for id_ in each)
    return [held[id_] for id_ in list(found)[:_DOCUMENTS]]


def _others(
    name: str,
    id_: str,
    held: Mapping[str, Mapping[str, _Read]],
    related: Mapping[str, frozenset[frozenset[str]]],
    draw: random.Random,
) -> list[tuple[_Read, Known]]:
    """Return documents that are asked: the related ones, some of the same set, and some of each other one."""
    same = [one for one in held[name] if one != id_]
    close = [one for one in same if frozenset({one, id_}) in related[name]]
    rest = _strangers(held[name], id_, [one for one in same if one not in close], draw)
    found = [(held[name][one], RELATED) for one in close[:_OF_EACH_KIND]]
    found += [(held[name][one], _ONE_FIELD if name == "acl" else _FIELD_OR_FURTHER) for one in rest]
    for other in held:
        if other != name and {name, other} != {"acl", "patents"}:  # both of these are of computing
            found += [(held[other][one], APART) for one in draw.sample(sorted(held[other]), _OF_EACH_KIND)]
    return found


def _strangers(held: Mapping[str, _Read], id_: str, others: Sequence[str], draw: random.Random) -> list[str]:
    """Return documents that are not related: half of them the nearest, as a search shows, half drawn."""
    nearest = sorted(others, key=lambda one: -held[one].best(held[id_]).cosine)[: _OF_EACH_KIND // 2]
    return nearest + draw.sample([one for one in others if one not in nearest], _OF_EACH_KIND - len(nearest))


def _read(reader: PassageReader, document: Document) -> _Read:
    passages = reader.cut(document)
    return _Read([one.text for one in passages], reader.encode([(document, passages)]))


def _each(reader: PassageReader, texts: Sequence[str]) -> list[_Read]:
    """Return each text as a question of one passage."""
    found = []
    for number, text in enumerate(texts):
        document = Document(f"passage {number}", "query", abstract=text)
        passages = reader.cut(document)[:1]
        found.append(_Read([text], reader.encode([(document, passages)])))
    return found

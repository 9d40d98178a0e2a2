"""Questions asked of collections of several fields, and what their hits are known to be."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from engine.core.progress import silent
from engine.documents import Document, Section
from engine.encoders import registry
from engine.research.nearness.asked import SETS, Collection, ask_all, passage_pairs, questions_of, quote
from engine.research.nearness.fields import OF_ONE_FIELD, Field
from engine.research.nearness.revisions import Synonyms
from engine.search.readings import CLOSE, OTHER, SAME, SAME_FIELD
from tests.evaluation.small import write_table
from tests.search.hashed_words import HashedWords

TEXT = "The {} turns in the wind. It lifts a load of {} stones. A crew steers it by ropes. It lands after an hour."
STORY = "Patients took {} daily. Bleeding was rare with {} in the trial. Mortality fell. No stroke was seen."


def field(name: str, area: str, text: str, subjects: str) -> Field:
    documents = [
        Document(f"{name}-{one}", title=f"On the {one} of {name}", abstract=text.format(one, one))
        for one in subjects.split()
    ]
    return Field(name, area, documents, lambda *_: OF_ONE_FIELD)


KITES = field("kites", "flight", TEXT, "kite glider balloon sail rotor wing")
DRUGS = field("drugs", "medicine", STORY, "aspirin heparin warfarin statin insulin codeine")


def test_documents_ask_whole_by_title_and_in_other_words() -> None:
    found = questions_of(KITES, None, own=True)
    assert {one.form for one in found} == {
        "document",
        "title",
        "hidden title",
        "dropped",
        "half",
    }  # no synonyms without WordNet
    title = next(one for one in found if one.form == "title")
    assert title.text.kind == "query" and title.text.abstract == title.origin.title and not title.hides_itself
    assert next(one for one in found if one.form == "document").hides_itself


def test_hits_are_labelled_and_no_document_answers_itself() -> None:
    encoder = registry.load("student")
    collections = {one.name: Collection(one, encoder, keep=None, report=silent) for one in (KITES, DRUGS)}
    shown, answered, asked = ask_all(collections, encoder, None)
    own = [one for one in shown if asked[one.question].form == "document" and not one.at_random]
    assert all(one.known <= {2, OTHER} for one in own)
    titles = [one for one in shown if asked[one.question].form == "title" and SAME in one.known]
    assert titles and np.mean([one.pair.cosine for one in titles]) > 0.5
    assert {one.asks for one in answered if one.field == "kites"} == {"kites", "drugs"}
    far = [one for one in answered if one.asks != one.field]
    near = [one for one in answered if one.asks == one.field]
    cosines = [np.mean([one.nearest[0].cosine for one in each]) for each in (near, far)]
    assert cosines[0] > cosines[1] + 0.3 and all(one.documents == 6 for one in answered)


WORDS = {"acl-long": "parser", "pmc-long": "enzyme", "patents-long": "processor"}


def write_set(folder: Path, word: str, *, documents: int = 8) -> None:
    """Documents of which neighbours are related and say much the same; the last is a title."""
    folder.mkdir()
    held = [
        Document(f"{word}{n}", "paper", f"On {word}", sections=(Section("Body", _body(word, n // 2)),))
        for n in range(documents)
    ]
    write_table(folder / "corpus.parquet", [*held, Document(f"{word} title", "paper", "Alone")])
    pairs = [f"{word}{n}\t{word}{n + 1}\t1\ttrain" for n in range(0, documents, 2)]
    lines = ["id-a\tid-b\tlabel\tsplit", f"{word} title\t{word}0\t1\ttrain", *pairs]
    (folder / "pairs.tsv").write_text("\n".join(lines))


def _body(word: str, subject: int) -> str:
    return " ".join(f"The {word} meets {word}{subject} as number {n} of a {word} trial." for n in range(130))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in SETS:
        write_set(tmp_path / name, WORDS[name])
    return tmp_path


def test_pairs_are_the_best_of_two_documents_and_nearer_where_they_are_related(data: Path) -> None:
    shown, sets = passage_pairs(data, HashedWords(), None)
    assert set(sets) == {"acl", "pmc", "patents"} and len(sets) == len(shown)
    means = {}
    for kind in (SAME, CLOSE, SAME_FIELD, OTHER):
        cosines = [one.pair.cosine for one, name in zip(shown, sets, strict=True) if one.known == {kind}]
        means[kind] = sum(cosines) / len(cosines)
    assert means[CLOSE] > means[SAME_FIELD] > means[OTHER] and means[SAME] > means[SAME_FIELD]
    assert all(0 < one.pair.words <= 400 and one.pair.cosine <= 1.0001 for one in shown)


def test_synonyms_are_a_second_form_of_the_same_passage(data: Path, tmp_path: Path) -> None:
    for part in ("noun", "verb", "adj", "adv"):
        (tmp_path / f"index.{part}").write_text("", "utf-8")
        (tmp_path / f"data.{part}").write_text("", "utf-8")
    (plain, _), (more, _) = (passage_pairs(data, HashedWords(), one) for one in (None, Synonyms(tmp_path)))
    of_itself = [sum(one.known == {SAME} for one in shown) for shown in (plain, more)]
    assert of_itself == [2 * 8 * 3, 3 * 8 * 3]


def test_a_quote_is_half_of_the_sentences_in_a_row() -> None:
    text = "One kite flies. Two kites fly. Three kites fly. Four kites fly."
    quotes = {quote(text, random.Random(seed)) for seed in range(20)}
    assert "One kite flies. Two kites fly." in quotes and all(one in text for one in quotes)
    assert quote("Alone.", random.Random(0)) == "Alone."

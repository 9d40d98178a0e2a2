"""Questions asked of collections of several fields, and what their hits are known to be."""

from __future__ import annotations

import numpy as np

from engine.core.progress import silent
from engine.documents import Document
from engine.encoders import registry
from engine.research.nearness.asked import Collection, ask_all, questions_of
from engine.research.nearness.fields import OF_ONE_FIELD, Field
from engine.search import OTHER
from engine.search.readings import SAME

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

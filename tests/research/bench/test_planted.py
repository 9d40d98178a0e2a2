"""Paragraphs planted in other documents, and how many are found."""

from __future__ import annotations

import json
import random

import pytest

from engine.compare import ReadDocument, Words
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.encoders.colde import LongRows
from engine.research.bench.planted import DROPPED, EXACT, Plan, measure_planted, measure_roles, planted, role_of
from tests.compare.texts import StandIn
from tests.research.bench.written import DOCUMENTS, PAIRS


def test_a_paragraph_is_put_whole_between_two_sentences(words: Words) -> None:
    a, b = DOCUMENTS["steam0"], DOCUMENTS["neural1"]
    plant = planted(ReadDocument.read(a, StandIn(), words), b, random.Random(1), words=80)
    assert plant is not None
    number, start, stop = plant.taken
    paragraph = a.parts[number].text[start:stop]
    assert a.parts[number].role == "body" and 80 <= len(paragraph.split()) < 92
    place, first, last = plant.put
    changed = plant.document.parts[place].text
    assert changed[first:last] == paragraph
    assert changed[:first] + changed[last + 1 :] == b.parts[place].text
    assert changed[:first].endswith(". ") and changed[last] == " "
    assert [part for n, part in enumerate(plant.document.parts) if n != place] == [
        part for n, part in enumerate(b.parts) if n != place
    ]
    assert plant.document.id != b.id


def test_a_third_of_the_words_is_dropped_in_their_order(words: Words) -> None:
    side, b = ReadDocument.read(DOCUMENTS["steam0"], StandIn(), words), DOCUMENTS["neural1"]
    whole, less = (planted(side, b, random.Random(1), words=80, dropped=share) for share in (0.0, 1 / 3))
    assert whole is not None and less is not None and whole.taken == less.taken and whole.put[:2] == less.put[:2]
    texts = [one.document.parts[one.put[0]].text[one.put[1] : one.put[2]].split() for one in (whole, less)]
    assert len(texts[1]) == len(texts[0]) - round(len(texts[0]) / 3)
    left = iter(texts[0])
    assert all(word in left for word in texts[1])


def test_nothing_is_planted_where_there_is_no_paragraph_or_no_place(words: Words) -> None:
    side = ReadDocument.read(DOCUMENTS["steam0"], StandIn(), words)
    assert planted(side, DOCUMENTS["neural1"], random.Random(1), words=1_000) is None
    assert planted(side, Document("b", abstract="Only this."), random.Random(1), words=80) is None


def test_planted_paragraphs_are_counted_where_they_are_found(words: Words) -> None:
    seen = []
    plan = Plan(pairs=5, words=40, source="ours")
    report = measure_planted(DOCUMENTS, PAIRS, StandIn(), words=words, plan=plan, report=seen.append)
    assert (report.pairs, report.left_out, report.source, report.words) == (3, 0, "ours", 40)
    assert report.found[EXACT].cell == report.found[EXACT].passage == 1.0
    assert report.found[DROPPED].passage >= 0.3
    assert seen[-1].done == 3
    assert json.loads(json.dumps(report.as_json()))["found"][EXACT]["cell"] == 1.0
    again = measure_planted(DOCUMENTS, PAIRS, StandIn(), words=words, plan=plan)
    assert again.found == report.found
    with pytest.raises(
        EvaluationError, match=r"Expected unrelated pairs with a paragraph of 900 words; found none of 3\."
    ):
        measure_planted(DOCUMENTS, PAIRS, StandIn(), words=words, plan=Plan(words=900))


def test_an_encoder_that_tells_nothing_still_finds_by_sentences_but_not_by_chunks(words: Words) -> None:
    class Blind(StandIn):
        def _read(self, document: Document) -> LongRows:
            long = super()._read(document)
            long.rows[:] = 1
            return long

    found = measure_planted(DOCUMENTS, PAIRS, Blind(), words=words, plan=Plan(words=40)).found[EXACT]
    assert found.passage == 1.0 and found.cell_by_chunks < found.cell


@pytest.mark.parametrize(
    ("title", "role"),
    [
        ("1 Introduction", "introduction"),
        ("2. Related Work", "related work"),
        ("Experimental Results", "experiments"),
        ("Materials and Methods", "method"),
        ("Our Approach", "method"),
        ("CONCLUSIONS AND FUTURE WORK", "conclusion"),
        ("Claims", "claims"),
        ("Detailed Description", "description"),
        ("4.", ""),
        ("Acknowledgements", ""),
    ],
)
def test_titles_tell_roles(title: str, role: str) -> None:
    assert role_of(title) == role


def test_roles_agree_where_the_largest_section_cell_joins_them() -> None:
    class ByTitle(StandIn):
        shift = 0

        def _read(self, document: Document) -> LongRows:
            long = super()._read(document)
            shift = self.shift if document.id.endswith("1") else 0
            long.rows[:] = 0
            for row, section in zip(long.rows, long.section_of.tolist(), strict=True):
                row[(section + shift) % len(long.sections)] = 1
            return long

    agreeing, moved = ByTitle(), ByTitle()
    moved.shift = 1
    report = measure_roles(DOCUMENTS, PAIRS, agreeing, source="ours")
    assert (report.pairs, report.left_out, report.agree, report.by_chance) == (4, 0, 1.0, 0.2)
    assert measure_roles(DOCUMENTS, PAIRS, moved).agree == 0.0
    assert measure_roles(DOCUMENTS, PAIRS, agreeing, most=2).pairs == 2
    bare = {name: Document(name, abstract="Text.") for name in DOCUMENTS}
    with pytest.raises(
        EvaluationError, match=r"Expected related pairs whose sections have roles in common; found none of 4"
    ):
        measure_roles(bare, PAIRS, agreeing)

"""A hit as it is drawn and as it is spoken."""

from __future__ import annotations

from dataclasses import replace

from engine.documents import Document, Section
from engine.evidence import Evidence, PassagePair, Term
from engine.evidence.nearness import Quoted
from engine.search import Result
from explorer.search.hits import near_lines, spoken_names, why
from explorer.shared.counts import table
from explorer.shared.document import full_text, head, source_link
from tests.explorer.shared.chunks import chunk
from tests.made_readings import READ
from tests.test_markup import HOSTILE


def test_cards_and_thumbs_are_named_by_their_result() -> None:
    found = [
        Result(rank, Document(f"d{rank}", "paper", f"Title {rank}"), READ, {}, Evidence((), None)) for rank in (1, 2)
    ]
    assert spoken_names(found, "d2") == {
        "hit-1": "Result 1: Title 1",
        "hit-2-selected": "Result 2: Title 2",
        "thumbs-1": "Is result 1 relevant?",
        "thumbs-2": "Is result 2 relevant?",
    }


def test_hostile_text_stays_text_in_every_widget() -> None:
    evidence = Evidence((Term(HOSTILE, 1.0),), PassagePair(chunk(HOSTILE), chunk(HOSTILE), 0.5))
    document = Document(
        HOSTILE,
        "patent",
        HOSTILE,
        HOSTILE,
        (Section(HOSTILE, HOSTILE),),
        categories=(HOSTILE,),
        venue=HOSTILE,
        authors=(HOSTILE,),
        url="javascript:alert(1)",
        claims=(HOSTILE,),
    )
    result = Result(1, document, READ, {"encoder": 0.5}, evidence, (HOSTILE,))
    html = (
        head(document)
        + full_text(document)
        + why(result)
        + source_link(document)
        + table(("a",), [(HOSTILE,)], label=HOSTILE)
    )
    assert "<script" not in html
    assert "<img" not in html
    assert "href" not in html
    assert html.count("&lt;script&gt;") >= 10


def test_a_passage_that_says_most_of_the_question_is_told_below_the_word() -> None:
    found = Result(1, Document("d"), READ, {}, Evidence(quoted=Quoted(12, 13)))
    said = "A passage of it says most of your text: 12 of its 13 telling words."
    assert near_lines(found).endswith(f'<p class="ps-score">{said}</p>')
    assert "telling" not in near_lines(replace(found, evidence=Evidence()))

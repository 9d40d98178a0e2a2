"""Sentences that may be evidence: which are read, where they are cut, and the pair in which two texts are nearest."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.documents import Chunk, Document, Section
from engine.library import KeywordIndex
from engine.search.evidence.sentences import best_pairs, extend, prepare
from engine.search.vocabulary import Vocabulary
from tests.halves import HalvesEncoder
from tests.search.evidence.explained import INVENTORY, PAPER, PATENT, explain, explainer, holds
from tests.search.library import DOCUMENTS, QUERY


def test_references_are_no_evidence() -> None:
    cited = Section(
        "References", "Rask. Message passing between atoms of a crystal predicts energies. 2021.", "references"
    )
    document = Document("d", abstract="A slide valve admits steam to the cylinder of an engine.", sections=(cited,))
    evidence = explain(QUERY, document)
    assert evidence.terms == ()
    assert evidence.passage is not None and evidence.passage.document.section == "Abstract"


def test_a_title_alone_is_used_where_there_is_nothing_else() -> None:
    passage = explain(Document("q", title="Slide valves for engines"), PATENT).passage
    assert passage is not None
    assert passage.query.section == "Title"
    assert "valve" in passage.document.text


@pytest.mark.parametrize(
    "stock",
    [
        "Be it known that I, John Smith, of Valve Seat, in the county of Steam, have invented a slide valve.",
        "This application claims priority to a provisional application on a slide valve for a steam engine.",
        "FIG. 2 is a side view of the slide valve of the steam engine.",
        "SLIDE VALVE FOR THE CYLINDER OF A STEAM ENGINE WITH A PORT",
        "Each block of the flowchart closes the port of the cylinder of the steam engine early.",
        "Primary Examiner John Smith read of the slide valve of a steam engine, its port and its cylinder.",
        "R> close(slide_valve, steam, engine, port, cylinder, early)",
        "The authors of the slide valve declare no conflict of interest in the port of the cylinder.",
    ],
)
def test_stock_phrases_and_headings_are_no_passages(stock: str) -> None:
    plain = "A plate slides along the seat and shuts off the steam early in each stroke."
    query = Document("q", abstract="The slide valve of a steam engine closes the port of the cylinder early.")
    passage = explain(query, Document("d", kind="patent", sections=(Section("Text", f"{stock}\n\n{plain}"),))).passage
    assert passage is not None
    assert passage.document.text == plain


def test_a_long_claim_is_cut_into_readable_pieces() -> None:
    claim = "A pump comprising: " + " ; ".join(f"part number {n} with a rotor and a stator of steel" for n in range(30))
    document = Document("d", kind="patent", claims=(claim,))
    passage = explain(
        Document("q", abstract="A rotor and a stator of steel make up the pump of ours."), document
    ).passage
    assert passage is not None
    assert holds(document, passage.document)
    assert len(passage.document.text.split()) <= 60


def test_claims_are_reached_beyond_a_very_long_description() -> None:
    filler = " ".join(f"Sentence number {n} speaks of grain, of flour, and of mills." for n in range(2000))
    claims = ("A rotor of steel with eight blades that turn in a stator.",)
    document = Document("d", kind="patent", sections=(Section("Description", filler),), claims=claims)
    passage = explain(Document("q", abstract="Eight blades of steel turn in a stator as one rotor."), document).passage
    assert passage is not None
    assert passage.document.section == "Claim 1"


VALVE = "The slide valve of a steam engine closes the port of the cylinder early."
FAR = f"{'The mill grinds the grain of the field into flour. ' * 300}{VALVE} {'A cart brings the sacks to town. ' * 40}"


def stretches(document: Document, *bounds: tuple[int, int]) -> list[Chunk]:
    last = len(document.parts) - 1
    return [document.parts[last].chunk(document.id, last, start, stop) for start, stop in bounds]


def test_a_passage_is_looked_through_wherever_it_stands() -> None:
    document = Document("d", abstract="Mills of our time.", sections=(Section("Trade", FAR),))
    query = Document("q", abstract="Early in each stroke a slide valve shuts the port of the cylinder.")
    at = FAR.index(VALVE)
    missed, (found,) = (
        explain(query, document),
        explainer().explain(query, [document], stretches(document, (at - 250, at + 200))),
    )
    assert missed.passage is None or missed.passage.document.text != VALVE
    assert found.passage is not None and found.passage.document.text == VALVE
    assert holds(document, found.passage.document)
    assert {"valve", "cylinder"} <= {word for term in found.terms for word in term.term.split()}
    assert not missed.terms


def test_a_long_question_is_looked_through_where_its_passages_matched() -> None:
    query = Document("q", abstract="Mills of our time.", sections=(Section("Trade", FAR),))
    document = Document("d", abstract="Early in each stroke a slide valve shuts the port of the cylinder.")
    at = FAR.index(VALVE)
    (found,) = explainer().explain(query, [document], stretches(query, (at - 250, at + 200)))
    assert found.passage is not None and found.passage.query.text == VALVE


def test_what_was_read_is_not_read_twice() -> None:
    vocabulary = Vocabulary({"valve": 1, "port": 1, "cylinder": 1, "steam": 1}, 10)
    document = Document("d", sections=(Section("Valves", " ".join(f"{VALVE[:-1]} {n}." for n in range(300))),))
    text = document.sections[0].text
    first, later, last, end = (text.index(f"{VALVE[:-1]} {n}.") for n in (20, 199, 220, 226))
    prepared = prepare(document, vocabulary)
    read = prepared.read[0]
    assert later > read > first
    assert extend(prepared, stretches(document, (first, first + 500)), vocabulary) == prepared
    bounds = [(last, end), (first, later), (last, end)]
    found = extend(prepared, stretches(document, *bounds), vocabulary)
    starts = [one.start for one in found.sentences]
    assert len(starts) == len(set(starts)) and first in starts and last in starts
    assert found.counts["valve"] == sum(one.text.count("valve") for one in found.sentences)
    assert found.counts["valve"] > prepared.counts["valve"]
    assert found.phrases["slide", "valve"] == found.counts["valve"]


def test_a_short_sentence_of_a_passage_is_shown_where_the_question_has_no_other() -> None:
    said = "And that is what the valve is for."
    document = Document(
        "d", sections=(Section("Valves", f"{VALVE} {said} {'A mill grinds the grain of a field. ' * 9}"),)
    )
    query = Document("q", abstract=said)
    (found,) = explainer().explain(query, [document], stretches(document, (0, 200)))
    assert found.passage is not None and found.passage.document.text == said
    without = explain(query, document).passage
    assert without is not None and without.document.text != said
    vocabulary = Vocabulary({"valve": 1, "mill": 1}, 10)
    prepared = prepare(document, vocabulary)
    assert extend(prepared, stretches(document, (0, 200)), vocabulary).counts == prepared.counts


@pytest.mark.parametrize("name", ["tfidf", "lsa"])
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.id)
def test_offsets_give_the_passages_back(name: str, document: Document) -> None:
    passage = explainer(name).explain(QUERY, [document])[0].passage
    assert passage is not None
    assert passage.query.document_id == QUERY.id and passage.document.document_id == document.id
    assert holds(QUERY, passage.query) and holds(document, passage.document)
    assert 0 <= passage.score <= 1


def test_the_best_pair_says_the_same_in_other_words() -> None:
    passage = explain(QUERY, PAPER).passage
    assert passage is not None
    assert passage.query.text.startswith("Rounds of message passing")
    assert passage.document.text.startswith("Message passing between atoms")


def test_a_claim_can_be_the_passage() -> None:
    query = Document("q", abstract="An eccentric rod on the crank shaft drives the valve gear of claim one.")
    passage = explain(query, replace(PATENT, sections=())).passage
    assert passage is not None
    assert passage.document.section == "Claim 2"


def test_no_shared_word_still_gives_a_passage_but_no_terms() -> None:
    evidence = explain(Document("q", abstract="Violins sing sweetly when good varnish hardens well."), PATENT)
    assert evidence.terms == ()
    assert evidence.passage is not None


def test_a_computer_that_is_the_topic_stays() -> None:
    text = "A memory controller reads cached pages of a flash memory ahead, and evicts the pages that age."
    passage = explain(Document("q", abstract=text), Document("d", abstract=text)).passage
    assert passage is not None and passage.score > 0.9
    assert explain(Document("q", abstract=INVENTORY), Document("d", abstract=INVENTORY)).passage is None


@pytest.mark.parametrize(("size", "pairs"), [(10, 16), (40, 5), (100, 3)])
def test_an_answer_costs_two_calls_and_a_bounded_number_of_sentences(size: int, pairs: int) -> None:
    """Patents of a hundred sentences, each like each of the query's: without the bound all would be read."""
    encoder = HalvesEncoder.fit(DOCUMENTS)
    keywords = KeywordIndex.in_memory(DOCUMENTS)
    text = " ".join(f"A valve gear of number {n} shuts the steam port of the engine." for n in range(100))
    hits = [Document(f"d{n}", kind="patent", sections=(Section("Text", text),)) for n in range(size)]
    vocabulary = Vocabulary(keywords.frequencies(), keywords.size)
    asked, *read = (prepare(one, vocabulary) for one in (Document("q", abstract=text), *hits))
    assert all(best.pair for best in best_pairs([asked], read, encoder=encoder, vocabulary=vocabulary))
    ours, theirs = encoder.encoded
    assert 0 < theirs <= size * pairs
    assert 0 < ours <= 100
    assert encoder.tokens <= (theirs + ours) * 60

"""The pair of passages in which two texts are nearest."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.documents import Document, Section
from engine.library import KeywordIndex
from engine.search.evidence.sentences import best_pairs, prepare
from engine.search.evidence.vocabulary import Vocabulary
from tests.halves import HalvesEncoder
from tests.search.evidence.explained import INVENTORY, PAPER, PATENT, explain, explainer, holds
from tests.search.library import DOCUMENTS, QUERY


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

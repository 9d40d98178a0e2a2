"""Shared terms and passages of real-looking texts that we wrote: the strongest first."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from engine.documents import Document
from engine.encoders import registry
from engine.library import KeywordIndex
from engine.search.evidence.explain import Evidence, Explainer
from engine.search.vocabulary import BY_WORDS, Vocabulary
from engine.vectors import VectorIndex
from engine.vectors.exact import DenseIndex
from tests.halves import HalvesEncoder
from tests.search.evidence.explained import INVENTORY, PAPER, explain, explainer
from tests.search.library import DOCUMENTS, QUERY


def test_terms_are_shared_content_words_strongest_first() -> None:
    terms = explain(QUERY, PAPER).terms
    ours, theirs = QUERY.text.lower(), PAPER.text.lower()
    assert 0 < len(terms) <= 8
    assert terms[0].weight == 1
    assert [term.weight for term in terms] == sorted((term.weight for term in terms), reverse=True)
    for term in terms:
        assert re.search(rf"\b{term.term}\b", ours), "stands so in the query"
        assert term.term.split()[0].rstrip("s")[:-1] in theirs
    assert not {"the", "of", "between"} & {term.term for term in terms}


def test_singular_and_plural_are_one_term_as_the_query_writes_it() -> None:
    query = Document("q", abstract="Our crystals are grown slowly from a melt in a vessel.")
    terms = [term.term for term in explain(query, PAPER).terms]
    assert terms == ["crystals"]


def test_of_a_words_forms_the_strongest_alone_is_named() -> None:
    words = "A lathe turns brass. Etching and etched brass; etching again, as the etched lathe needs etching."
    one, two = Document("q", kind="patent", abstract=words), Document("d", abstract=words)
    assert {term.term for term in explain(one, two).terms} == {"etching", "lathe", "brass"}


def test_a_frequent_phrase_is_one_term() -> None:
    one = Document(
        "q", abstract="Valve gear moves ports. The Valve gear wears. A worn valve gear leaks; ports stay open."
    )
    two = Document(
        "d", abstract="We make valve gears. Such valve gear is cheap. The valve gear has few parts and ports."
    )
    terms = [term.term for term in explain(one, two).terms]
    assert terms[0] == "valve gear"
    assert "valve" not in terms and "gear" not in terms
    assert "ports" in terms


def test_a_phrase_across_a_comma_is_none() -> None:
    one = Document("q", abstract="Copper, zinc melt here in pots. Copper, zinc melt there in pans.")
    two = Document("d", abstract="Copper, zinc and tin. Copper, zinc and lead are common metals.")
    assert {term.term for term in explain(one, two).terms} == {"copper", "zinc"}


def test_a_questions_word_is_shared_in_other_forms() -> None:
    """It was found by them: "classify land use" for "classified"."""
    asked = Document("q", "query", abstract="Classified valves of images.")
    terms = {term.term for term in explain(asked, DOCUMENTS[3]).terms}
    assert terms == {"classified", "images"}
    as_paper = {term.term for term in explain(replace(asked, kind="paper"), DOCUMENTS[3]).terms}
    assert as_paper == {"images"}


@pytest.mark.parametrize(
    ("query", "document"), [(Document("q"), PAPER), (QUERY, Document("d")), (Document("q"), Document("d"))]
)
def test_a_side_without_words_gives_empty_evidence(query: Document, document: Document) -> None:
    assert explain(query, document) == Evidence((), None)


def test_an_inventory_of_a_computer_is_no_evidence() -> None:
    ours = Document("q", kind="patent", abstract=f"{INVENTORY} The valve shuts off the steam early in each stroke.")
    theirs = Document("d", kind="patent", abstract=f"{INVENTORY} A plate slides and shuts off steam in each stroke.")
    evidence = explain(ours, theirs)
    assert evidence.passage is not None
    assert evidence.passage.query.text.startswith("The valve")
    assert evidence.passage.document.text.startswith("A plate")
    assert not {"processor", "memory", "keyboard", "display", "bus"} & {term.term for term in evidence.terms}


def test_one_call_explains_many_in_order() -> None:
    together = explainer().explain(QUERY, DOCUMENTS)
    assert together == [explain(QUERY, document) for document in DOCUMENTS]
    assert explainer().explain(QUERY, []) == []


def test_a_document_that_changed_is_read_again() -> None:
    reader = explainer()
    reader.explain(QUERY, [PAPER])
    changed = replace(PAPER, abstract="A crystal of quartz rings in the watch and counts its seconds.")
    passage = reader.explain(QUERY, [changed])[0].passage
    assert passage is not None
    assert passage.document.text == changed.abstract


def test_a_small_cache_and_many_threads_change_nothing() -> None:
    reader = explainer(max_cached=2)
    expected = reader.explain(QUERY, DOCUMENTS)
    with ThreadPoolExecutor(4) as pool:
        assert all(found == expected for found in pool.map(lambda _: reader.explain(QUERY, DOCUMENTS), range(8)))


class TestAnEncoderOfHalves:
    @pytest.fixture
    def encoder(self) -> HalvesEncoder:
        return HalvesEncoder.fit(DOCUMENTS)

    @pytest.fixture
    def index(self, encoder: HalvesEncoder, tmp_path: Path) -> VectorIndex:
        made = DenseIndex(tmp_path, fingerprint=encoder.card.fingerprint, dim=encoder.card.dim)
        made.add([document.id for document in DOCUMENTS], encoder.encode_documents(DOCUMENTS))
        encoder.encoded.clear()
        return made

    def explainer(self, encoder: HalvesEncoder, index: VectorIndex | None = None) -> Explainer:
        keywords = KeywordIndex.in_memory(DOCUMENTS)
        return Explainer(encoder, Vocabulary.of(keywords), index)

    def test_all_hits_share_one_call_for_their_couplings(self, encoder: HalvesEncoder, index: VectorIndex) -> None:
        found = self.explainer(encoder, index).explain(QUERY, DOCUMENTS)
        names = [document.id for document in DOCUMENTS]
        assert encoder.coupled == [(QUERY.id, names)] and encoder.encoded == []
        assert [one.couplings for one in found] == encoder.couplings(QUERY, DOCUMENTS, index.rows(names))

    def test_a_document_without_a_row_has_no_couplings(self, encoder: HalvesEncoder, index: VectorIndex) -> None:
        index.remove([DOCUMENTS[1].id])
        found = self.explainer(encoder, index).explain(QUERY, DOCUMENTS)
        assert [bool(one.couplings) for one in found] == [document is not DOCUMENTS[1] for document in DOCUMENTS]
        assert not any(one.couplings for one in self.explainer(encoder).explain(QUERY, DOCUMENTS))

    def test_documents_of_the_library_that_ask_have_no_couplings(
        self, encoder: HalvesEncoder, index: VectorIndex
    ) -> None:
        found = self.explainer(encoder, index).explain_by_nearest([DOCUMENTS[0], DOCUMENTS[4]], DOCUMENTS)
        assert not encoder.coupled and not any(one.couplings for one in found)
        asked = {one.passage.query.document_id for one in found if one.passage}
        assert asked == {DOCUMENTS[0].id, DOCUMENTS[4].id}

    @pytest.mark.parametrize("reads", [True, False])
    def test_word_vectors_compare_sentences_whatever_encoder_ranks(
        self, encoder: HalvesEncoder, reads: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(HalvesEncoder, "reads_sentences", reads)
        self.explainer(encoder).explain(QUERY, DOCUMENTS)
        assert encoder.encoded == []

    def test_word_vectors_compare_its_sentences(self, encoder: HalvesEncoder) -> None:
        found = self.explainer(encoder).explain(QUERY, DOCUMENTS)
        assert encoder.encoded == []
        keywords = KeywordIndex.in_memory(DOCUMENTS)
        by_words = Explainer(registry.load(BY_WORDS), Vocabulary.of(keywords))
        assert [one.passage for one in found] == [one.passage for one in by_words.explain(QUERY, DOCUMENTS)]

"""Shared terms and passages of real-looking texts that we wrote."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from engine.documents import Chunk, Document, Section
from engine.encoders import registry
from engine.evidence import Evidence, Explainer, Vocabulary, owned
from engine.evidence.boilerplate import is_boilerplate
from engine.evidence.explain import BY_WORDS
from engine.library import KeywordIndex
from tests.halves import HalvesEncoder
from tests.search.library import DOCUMENTS, QUERY

PAPER, PATENT = DOCUMENTS[1], DOCUMENTS[4]


def explainer(name: str = "tfidf", *, max_cached: int = 256) -> Explainer:
    keywords = KeywordIndex.in_memory(DOCUMENTS)
    vocabulary = Vocabulary(keywords.frequencies(), keywords.size)
    return Explainer(registry.fit(name, DOCUMENTS), vocabulary, max_cached=max_cached)


def explain(query: Document, document: Document) -> Evidence:
    return explainer().explain(query, [document])[0]


def holds(document: Document, chunk: Chunk) -> bool:
    part = document.parts[chunk.part]
    return part.text[chunk.start : chunk.stop] == chunk.text and part.title == chunk.section


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
    ("query", "document"), [(Document("q"), PAPER), (QUERY, Document("d")), (Document("q"), Document("d"))]
)
def test_a_side_without_words_gives_empty_evidence(query: Document, document: Document) -> None:
    assert explain(query, document) == Evidence((), None)


def test_no_shared_word_still_gives_a_passage_but_no_terms() -> None:
    evidence = explain(Document("q", abstract="Violins sing sweetly when good varnish hardens well."), PATENT)
    assert evidence.terms == ()
    assert evidence.passage is not None


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


@pytest.mark.parametrize("run", ["-", ".", "--x", " .", ". x "])
def test_a_figures_label_of_many_marks_is_read_in_time_of_its_length(run: str) -> None:
    text = f"Fig{run * 5_000} and so the valve of the engine closes"
    assert not is_boilerplate(text, {"fig", "valve"}, {"valve"})


INVENTORY = "The processor, the memory, the keyboard and the display of the controller are coupled by a bus."


def test_an_inventory_of_a_computer_is_no_evidence() -> None:
    ours = Document("q", kind="patent", abstract=f"{INVENTORY} The valve shuts off the steam early in each stroke.")
    theirs = Document("d", kind="patent", abstract=f"{INVENTORY} A plate slides and shuts off steam in each stroke.")
    evidence = explain(ours, theirs)
    assert evidence.passage is not None
    assert evidence.passage.query.text.startswith("The valve")
    assert evidence.passage.document.text.startswith("A plate")
    assert not {"processor", "memory", "keyboard", "display", "bus"} & {term.term for term in evidence.terms}


def test_a_computer_that_is_the_topic_stays() -> None:
    text = "A memory controller reads cached pages of a flash memory ahead, and evicts the pages that age."
    passage = explain(Document("q", abstract=text), Document("d", abstract=text)).passage
    assert passage is not None and passage.score > 0.9
    assert explain(Document("q", abstract=INVENTORY), Document("d", abstract=INVENTORY)).passage is None


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


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("title", "your title"),
        ("whole text", "your whole text"),
        ("opening of the description", "the opening of your description"),
        ("first 30 %", "the first 30 % of your text"),
        ("rest", "the rest of your text"),
    ],
)
def test_a_part_is_named_with_its_owner(part: str, words: str) -> None:
    assert owned(part, "your") == words


class TestAnEncoderOfHalves:
    @pytest.fixture
    def encoder(self) -> HalvesEncoder:
        return HalvesEncoder.fit(DOCUMENTS)

    def explainer(self, encoder: HalvesEncoder) -> Explainer:
        keywords = KeywordIndex.in_memory(DOCUMENTS)
        return Explainer(encoder, Vocabulary(keywords.frequencies(), keywords.size))

    def test_all_hits_share_one_call_for_their_couplings(self, encoder: HalvesEncoder) -> None:
        found = self.explainer(encoder).explain(QUERY, DOCUMENTS)
        assert encoder.coupled == [(QUERY.id, [document.id for document in DOCUMENTS])]
        assert [one.couplings for one in found] == encoder.couplings(QUERY, DOCUMENTS)

    def test_couplings_are_those_with_the_query_of_the_passage(self, encoder: HalvesEncoder) -> None:
        seeds = [DOCUMENTS[0], DOCUMENTS[4]]
        found = self.explainer(encoder).explain_by_nearest(seeds, DOCUMENTS)
        asked = dict(encoder.coupled)
        assert sorted(name for names in asked.values() for name in names) == sorted(one.id for one in DOCUMENTS)
        for evidence, document in zip(found, DOCUMENTS, strict=True):
            assert evidence.passage is not None
            assert document.id in asked[evidence.passage.query.document_id]
            seed = next(seed for seed in seeds if seed.id == evidence.passage.query.document_id)
            assert evidence.couplings == encoder.couplings(seed, [document])[0]
        assert set(asked) == {"p-molecules", "US1"}

    def test_word_vectors_compare_its_sentences(self, encoder: HalvesEncoder) -> None:
        found = self.explainer(encoder).explain(QUERY, DOCUMENTS)
        assert encoder.encoded == []
        keywords = KeywordIndex.in_memory(DOCUMENTS)
        by_words = Explainer(registry.load(BY_WORDS), Vocabulary(keywords.frequencies(), keywords.size))
        assert [one.passage for one in found] == [one.passage for one in by_words.explain(QUERY, DOCUMENTS)]


@pytest.mark.parametrize(("size", "pairs"), [(10, 16), (40, 5), (100, 3)])
def test_an_answer_costs_two_calls_and_a_bounded_number_of_sentences(
    size: int, pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Patents of a hundred sentences, each like each of the query's: without the bound all would be read."""
    monkeypatch.setattr(HalvesEncoder, "reads_sentences", True)
    encoder = HalvesEncoder.fit(DOCUMENTS)
    keywords = KeywordIndex.in_memory(DOCUMENTS)
    text = " ".join(f"A valve gear of number {n} shuts the steam port of the engine." for n in range(100))
    hits = [Document(f"d{n}", kind="patent", sections=(Section("Text", text),)) for n in range(size)]
    Explainer(encoder, Vocabulary(keywords.frequencies(), keywords.size)).explain(Document("q", abstract=text), hits)
    ours, theirs = encoder.encoded
    assert 0 < theirs <= size * pairs
    assert 0 < ours <= 100
    assert encoder.tokens <= (theirs + ours) * 60


def test_a_questions_word_is_shared_in_other_forms() -> None:
    """It was found by them: "classify land use" for "classified"."""
    asked = Document("q", "query", abstract="Classified valves of images.")
    terms = {term.term for term in explain(asked, DOCUMENTS[3]).terms}
    assert terms == {"classified", "images"}
    as_paper = {term.term for term in explain(replace(asked, kind="paper"), DOCUMENTS[3]).terms}
    assert as_paper == {"images"}

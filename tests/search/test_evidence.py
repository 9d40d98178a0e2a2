"""Evidence: the shared terms and passages that explain a hit, the sentences and words that may be evidence."""

from __future__ import annotations

import math
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from engine.documents import Chunk, Document, Section, text
from engine.encoders import registry
from engine.library import KeywordIndex
from engine.search import boilerplate
from engine.search import vocabulary as tables
from engine.search.boilerplate import is_boilerplate, is_stock
from engine.search.evidence.explain import Evidence, Explainer
from engine.search.evidence.sentences import best_pairs, extend, prepare
from engine.search.vocabulary import (
    BY_WORDS,
    GENERAL_WORDS,
    GENRE_WORDS,
    HALVES,
    NO_LABELS,
    Vocabulary,
    in_pieces,
    partners,
    shared_words,
)
from engine.vectors import VectorIndex
from engine.vectors.exact import DenseIndex
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


INVENTORY = "The processor, the memory, the keyboard and the display of the controller are coupled by a bus."


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


FREQUENCIES = {
    **{"the": 1000, "and": 990, "less": 500, "loss": 120, "tlie": 60, "aud": 50, "networks": 90, "network": 40},
    **{"shown": 900, "sbown": 9, "machine": 600, "machiue": 4, "energy": 10, "energies": 30, "svm": 12, "xqzt": 1},
    **{"steam": 150, "system": 600, "co2": 8, "12": 300, "oftlie": 3, "ofthe": 20, "band": 40},
}


@pytest.fixture
def vocabulary() -> Vocabulary:
    return Vocabulary(FREQUENCIES, 1000)


@pytest.mark.parametrize("token", ["network", "networks", "energies", "svm", "co2", "steam", "loss", "band", "unseen"])
def test_topic_words_are_evidence(vocabulary: Vocabulary, token: str) -> None:
    assert vocabulary.keys[token]


@pytest.mark.parametrize(
    "token",
    ["the", "and", "12", "a1", "1998", "fig", "claim", "proposed", "said", "tion", "ab", "system"],
)
def test_function_words_genre_words_and_numbers_are_not(vocabulary: Vocabulary, token: str) -> None:
    assert vocabulary.keys[token] == ""


@pytest.mark.parametrize("token", ["tlie", "aud", "ofthe", "machiue", "xqzt"])
def test_scanning_errors_are_not(vocabulary: Vocabulary, token: str) -> None:
    assert vocabulary.keys[token] == ""


def test_words_of_a_third_of_a_library_are_not_but_a_small_library_has_no_such_limit() -> None:
    assert Vocabulary({"valve": 400}, 1000).keys["valve"] == ""
    assert Vocabulary({"valve": 4}, 10).keys["valve"] == "valve"


def test_singular_and_plural_meet_and_weigh_the_same(vocabulary: Vocabulary) -> None:
    assert vocabulary.keys["network"] == vocabulary.keys["networks"]
    assert vocabulary.keys["energy"] == vocabulary.keys["energies"] == "energy"
    assert vocabulary.idf("energy") == pytest.approx(math.log(1 + (1000 - 30 + 0.5) / 30.5))


LISTS = ("_NOWHERE", "_NO_EVIDENCE", "_NO_LABEL", "_IN_NAMES", "_NO_NAMES", "_HALVES", "_NO_LABEL_HALVES")


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_in_order_without_doubles_and_in_the_form_of_tokens(name: str) -> None:
    words = getattr(tables, name).split()
    assert words == sorted(set(words))
    assert [word for word in words if text.tokens(word) != [word]] == [], "such a word would never be met"


def test_a_word_stands_in_one_list_of_the_genres() -> None:
    nowhere, no_evidence, no_label = (set(getattr(tables, name).split()) for name in LISTS[:3])
    assert not (nowhere & no_evidence or nowhere & no_label or no_evidence & no_label)


@pytest.mark.parametrize(
    ("word", "evidence", "label"),
    [
        ("invention", False, False),
        ("method", False, False),
        ("surface", False, True),  # "surface tension"
        ("model", False, False),
        ("computer", True, False),
        ("mathbf", True, False),
        ("graph", True, True),
        ("boiler", True, True),
        ("valve", True, True),
        ("tension", True, True),
        ("network", True, True),
    ],
)
def test_a_word_may_be_evidence_or_part_of_a_label(word: str, evidence: bool, label: bool) -> None:
    assert (word not in GENRE_WORDS, word not in NO_LABELS) == (evidence, label)


def test_halves_of_words_are_left_out_and_whole_words_kept() -> None:
    broken = {"tion", "ment", "ity", "ness"}
    assert broken <= HALVES and broken <= NO_LABELS
    sometimes_whole = {"ant", "ants", "ion", "ions"}
    assert sometimes_whole.isdisjoint(HALVES) and sometimes_whole <= NO_LABELS
    for whole in ("law", "gas", "ore", "tin", "car", "pump"):
        assert whole not in HALVES | NO_LABELS


def test_a_half_is_no_word_of_the_genre() -> None:
    assert HALVES.isdisjoint(GENERAL_WORDS)


FURTHER = (
    "3 is a schematic representation of the kite in accordance with the invention.",
    "To all whom it may concern:",
    "This application is a continuation of an earlier one on kites.",
    "The rest of this paper is on kites.",
    "The paper on kites is organized as follows.",
    "We thank three readers for their remarks on kites.",
    "This study was supported by a society of kites.",
    "It may be shared under a Creative Commons licence.",
)


def found(sentence: str) -> bool:
    return is_boilerplate(sentence, frozenset(text.tokens(sentence)), frozenset(text.content_tokens(sentence)))


@pytest.mark.parametrize(
    "sentence",
    [
        "The device will be better understood from what follows, taken with the appended drawings.",
        "Aspects of it may thus be an entirely software embodiment, referred to here as a module.",
        "Changes may be made by those of ordinary skill without departing from the invention.",
        "Figure 2 is a side view of the same.",
        "In testimony whereof I affix my name.",
        "It has a processor, a memory, a keyboard and a display.",
        "SUMMARY OF THE INVENTION",
        "R> library(kites)",
    ],
)
def test_stock_is_told(sentence: str) -> None:
    assert found(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The hook is attached to the drawing frame, in which a spring turns it.",
        "Skill in flying kites departs from what the wind allows.",
        "We read the figure of merit from the attached sensor.",
        "Hardware and wind limit the speed of a kite.",
        "The view from a kite is a diagram of the wind.",
        "Wings are organized in rows, and the rest of the kite is supported by a frame.",
        "The claim that kites fly was supported by workshops, and the wings were supported by four columns.",
    ],
)
def test_what_is_about_the_topic_stays(sentence: str) -> None:
    assert not found(sentence) and not is_stock(sentence, set(text.tokens(sentence)))


@pytest.mark.parametrize("sentence", FURTHER)
def test_what_opens_and_closes_a_paper_is_not_read_first_but_kept(sentence: str) -> None:
    assert is_stock(sentence, set(text.tokens(sentence))) and not is_boilerplate(
        sentence, set(text.tokens(sentence)), frozenset()
    )


def test_every_stock_phrase_has_a_word_that_leads_to_it() -> None:
    known = boilerplate._STOCK_WORDS | boilerplate._FURTHER_WORDS
    for phrase in (*boilerplate._STOCK_PHRASES, *boilerplate._FURTHER_PHRASES):
        words = {
            *text.tokens(phrase),
            *text.tokens(f"{phrase}s"),
            *text.tokens(f"{phrase}ing"),
            *text.tokens(f"{phrase}zed"),
        }
        assert known & words, phrase


@pytest.mark.parametrize("run", ["-", ".", "--x", " .", ". x "])
def test_a_figures_label_of_many_marks_is_read_in_time_of_its_length(run: str) -> None:
    text = f"Fig{run * 5_000} and so the valve of the engine closes"
    assert not is_boilerplate(text, {"fig", "valve"}, {"valve"})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("filter", "filtering"), ("generate", "generator"), ("retrieve", "retrieval"), ("logic", "logical")),
        *(("galvanizing", "galvanized"), ("batteries", "battery"), ("mapping", "maps"), ("relational", "relation")),
        *(("colour", "colors"), ("fibre", "fibers"), ("aluminium", "aluminum"), ("organised", "organizing")),
        *(("analyse", "analyzed"), ("catalogue", "catalogs"), ("modelling", "modeling"), ("sulphur", "sulfur")),
    ],
)
def test_forms_and_spellings_of_a_word_are_shared(one: str, other: str) -> None:
    assert partners([one], [other]) == {one: {other}}
    assert partners([other], [one]) == {other: {one}}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(
            ("galvanizing", "galvanic"),
            ("galvanized", "galvanic"),
            ("university", "universe"),
            ("universal", "universe"),
        ),
        *(
            ("organization", "organ"),
            ("organic", "organ"),
            ("police", "policy"),
            ("arm", "army"),
            ("general", "generator"),
        ),
        *(
            ("engine", "engineering"),
            ("community", "communication"),
            ("relativity", "relative"),
            ("internal", "external"),
        ),
    ],
)
def test_words_of_one_stem_that_mean_other_things_are_not_shared(one: str, other: str) -> None:
    assert partners([one], [other]) == partners([other], [one]) == {}


@pytest.mark.parametrize(
    ("one", "other", "marked"),
    [
        ("schrodinger operators", "The Schrödinger equation", ["Schrödinger"]),
        ("CO₂ storage", "Capture of CO2", ["CO2"]),
        ("nonlinear waves", "A non-linear and a non linear response", ["non-linear", "non linear"]),
        ("non-linear waves", "Nonlinear response", ["Nonlinear"]),
        ("non-linear waves", "A non-linear response", ["non-linear"]),
        ("e-mail", "An email, an e-mail", ["email", "e-mail"]),
        ("email", "An email, an e-mail", ["email", "e-mail"]),
        ("机器学习的方法", "深度机器学习与图像", ["机器学习"]),
        ("機械学習", "本研究では機械学習を用いる", ["機械学習"]),
        ("colour vision", "The color of light", ["color"]),
    ],
)
def test_marks_are_on_a_word_however_each_text_writes_it(one: str, other: str, marked: list[str]) -> None:
    pieces = list(in_pieces(other, shared_words(one, other)))
    assert "".join(piece for piece, _ in pieces) == other
    assert [piece for piece, is_shared in pieces if is_shared] == marked

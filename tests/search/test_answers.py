"""Answers: what a question may ask, the words for how near two texts are, and the verdict on a whole list."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement, product
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import SearchError
from engine.documents import Chunk, Document, Kind, Reference, Section
from engine.documents.questions import RANKINGS, is_bare_topic, kind_asked
from engine.encoders import registry
from engine.library import Filters, KeywordIndex, Library
from engine.search import vocabulary
from engine.search.answers import Answer, AuthorWorks, Question, Result
from engine.search.citations.cited import Citations
from engine.search.evidence.explain import Evidence
from engine.search.evidence.sentences import PassagePair
from engine.search.passages import PassageEncoder
from engine.search.readings import (
    OFF_TOPIC,
    ON_TOPIC,
    OTHER_LANGUAGE,
    WORDS,
    Pair,
    PairReader,
    Quoted,
    Reading,
    ReadingScale,
    TellingWords,
    find_quoted,
    fitted_on,
    read_two,
    scales,
)
from engine.search.verdicts import (
    _SAID,
    Among,
    Headline,
    HitReader,
    ListScale,
    ReadHit,
    Verdict,
    common_field,
    count_hits,
    headline,
    is_gibberish,
    list_features,
    list_scale,
    missing_words,
    spell_count,
    telling_words,
    unknown_terms,
    verdict,
)
from engine.search.vocabulary import Vocabulary, sentence_words
from engine.vectors import open_index
from tests.made_readings import NEAR
from tests.search.library import DOCUMENTS, QUERY, fill

ASKED = Question(QUERY, liked=("US1", "US2"), disliked=("US3",), stressed=("Kite reel",), muted=("drum",))


@pytest.mark.parametrize("ranking", RANKINGS)
def test_a_question_that_can_be_answered_passes(ranking: str) -> None:
    replace(ASKED, ranking=ranking, k=1).check()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"k": 0}, r"at least 1 result; got k = 0\. Ask for more"),
        ({"k": -3}, "at least 1 result; got k = -3"),
        ({"ranking": "best"}, "a ranking of default, encoder, keywords; got 'best'"),
        ({"ranking": ""}, "a ranking of default, encoder, keywords; got ''"),
        ({"disliked": ("US2", "US1")}, "liked or disliked, not both; US1 is both"),
        ({"muted": ("kite",)}, "stressed or left out, not both; 'kite' is both"),
        ({"muted": ("a REEL-drum",)}, "stressed or left out, not both; 'reel' is both"),
    ],
)
def test_a_question_that_no_library_answers_is_named(changed: dict[str, object], message: str) -> None:
    with pytest.raises(SearchError, match=message):
        replace(ASKED, **changed).check()  # type: ignore[arg-type]


def test_an_empty_answer_blames_the_filters_only_where_some_are_set() -> None:
    assert Question(QUERY).unanswered == "Nothing was found."
    assert Question(QUERY, muted=("kite",)).unanswered == "Nothing was found."
    for filters in (Filters(year_from=2150), Filters(kinds=frozenset({"patent"}))):
        assert Question(QUERY, filters=filters).unanswered == "Nothing was found that passes the filters."
    assert Question(QUERY, cited=True).unanswered == "Nothing that you cite was found."


def test_a_hit_has_a_word_by_passage_where_that_stands_in_its_body() -> None:
    document = Document("d", "paper", "Kites", "They fly.", (Section("Trials", "A kite flew."),))
    reading, chunk = Reading("closely related", 0.8, 0.6), Chunk("q", 0, "", 0, 4, "Kite")
    places = {"title": 0, "abstract": 1, "body": 2}
    assert [part.role for part in document.parts] == list(places)

    def by_passage(place: int, found: Reading | None) -> Reading | None:
        pair = PassagePair(chunk, document.parts[place].chunk("d", place, 0, 4), 0.6, found)
        return Result(1, document, reading, {}, Evidence(passages=(pair,))).by_passage

    assert by_passage(2, reading) is reading
    assert by_passage(1, reading) is by_passage(0, reading) is by_passage(2, None) is None
    assert Result(1, document, reading, {}, Evidence()).by_passage is None


def hit(rank: int, word: str, *, cited: bool | None) -> Result:
    read = Reading(word, 0.4, 0.5)
    return Result(rank, Document(f"d{rank}"), read, {}, Evidence(), cited=cited)


def test_what_is_near_and_not_cited_is_numbered_again() -> None:
    held = {"d1": Reference("one"), "far": Reference("two")}
    results = (
        hit(1, "says the same", cited=True),
        hit(2, "closely related", cited=False),
        hit(3, "same field", cited=False),
        hit(4, "says the same", cited=False),
    )
    references = tuple(held.values())
    answer = Answer(results, "blend", {}, NEAR, citations=Citations(references, held))
    assert [(one.rank, one.document.id) for one in answer.near_and_not_cited().results] == [(1, "d2"), (2, "d4")]
    assert answer.cited_elsewhere == 1
    assert answer.cites == "You cite 2 works. The library holds 2 of them, 1 not among these results."


FAR = Verdict(False, 0.1)
NOTHING = "Nothing in this library is near: the nearest documents are on other subjects."


def by_a_passage(rank: int) -> Result:
    body = Document(f"d{rank}", title="T", sections=(Section("Body", "text"),))
    ours, theirs = Chunk("q", 3, "Methods", 0, 4, "mine", 7), Chunk(body.id, 1, "Body", 0, 4, "text")
    pair = PassagePair(ours, theirs, 0.9, Reading("closely related", 0.8, 0.8))
    return Result(rank, body, Reading("unrelated", 0.9, 0.1), {}, Evidence(passages=(pair,)), cited=False)


def test_a_list_of_what_is_near_never_says_that_nothing_is() -> None:
    assert Answer((hit(1, "unrelated", cited=False),), "blend", {}, FAR).sentence == NOTHING
    answer = Answer((hit(1, "unrelated", cited=False), hit(2, "closely related", cited=False)), "blend", {}, FAR)
    for shown in (answer, answer.near_and_not_cited()):
        assert "closely related" in shown.sentence and "Nothing" not in shown.sentence
        assert shown.verdict_as_json()["near"] is True
    one = Answer((hit(1, "unrelated", cited=True), by_a_passage(2)), "blend", {}, FAR)
    passage = "As a whole, the nearest are on other subjects. One holds a passage that is closely related to yours."
    assert one.sentence == one.near_and_not_cited().sentence == passage
    two = Answer((by_a_passage(1), by_a_passage(2)), "blend", {}, replace(FAR, lacks="No document holds: zyx."))
    assert "Two hold a passage" in two.sentence and two.sentence.endswith("No document holds: zyx.")
    field = Answer((hit(1, "same field", cited=True), by_a_passage(2)), "blend", {}, FAR)
    assert field.sentence.startswith("One query") or field.sentence.startswith("One paper is in the same field")
    assert field.is_near and field.sentence.endswith(" One holds a passage that is closely related to yours.")


def test_a_near_passage_makes_a_hit_near_and_says_to_what() -> None:
    body = Document("d", title="T", sections=(Section("Body", "text"),))
    ours, theirs = Chunk("q", 3, "Methods", 0, 4, "mine", 7), Chunk("d", 1, "Body", 0, 4, "text")
    pair = PassagePair(ours, theirs, 0.9, Reading("closely related", 0.8, 0.8))
    far = Reading("same field", 0.9, 0.3)
    result = Result(1, body, far, {}, Evidence(passages=(pair,)), cited=False)
    assert result.is_closely_related and result.near_to == ours and ours.place == "Methods, p. 7"
    assert not replace(result, evidence=Evidence()).is_closely_related
    assert replace(result, evidence=Evidence()).near_to is None


def listed(*ids: str, word: str = "same field") -> Answer:
    results = (
        Result(n, Document(id_, "paper"), Reading(word, 0.6, 0.5), {}, Evidence()) for n, id_ in enumerate(ids, 1)
    )
    return Answer(tuple(results), "student", {}, NEAR)


def test_results_say_how_far_they_moved_and_what_is_gone_does_not_count() -> None:
    before, now = listed("a", "b", "c", "d"), listed("c", "a", "e", "d")
    assert now.moves_since(before, gone={"b"}) == {"c": 1, "a": -1, "e": None, "d": -1}
    assert before.moves_since(before) == dict.fromkeys("abcd", 0)


def test_the_sentence_counts_the_results_and_tells_what_the_library_lacks() -> None:
    found = replace(listed("a", "b"), verdict=replace(NEAR, lacks="No document holds: kite."))
    assert found.headline.sentence == "Two papers are in the same field."
    assert found.sentence == "Two papers are in the same field. No document holds: kite."
    assert found.verdict_as_json() == {"near": True, "sentence": found.sentence, "unknown_terms": []}


SAME, CLOSE, FIELD, SHARES, UNRELATED = range(5)


def _hits(*read: tuple[Kind, int]) -> list[ReadHit]:
    return [ReadHit(kind, Reading(WORDS[rank], 0.7, 0.5)) for kind, rank in read]


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (
            [("paper", SAME)] * 2 + [("paper", FIELD)] * 8,
            "Two papers say much the same; eight are in the same field.",
        ),
        ([("patent", CLOSE)], "One patent is closely related."),
        (
            [("paper", CLOSE), ("patent", SAME), ("paper", SAME), ("patent", UNRELATED)],
            "One paper and one patent say much the same; one paper is closely related; one patent is unrelated.",
        ),
        (
            [("paper", FIELD), ("paper", SHARES), ("paper", SHARES)],
            "One paper is in the same field; two only share vocabulary.",
        ),
        ([("paper", CLOSE)] * 13, "13 papers are closely related."),
        ([("paper", SHARES), ("paper", UNRELATED)], ""),
        ([], ""),
    ],
)
def test_hits_are_counted_by_their_words_and_kinds(read: list[tuple[Kind, int]], said: str) -> None:
    assert count_hits(_hits(*read)) == said


MADE = {
    "five words": [Reading(word, 0.7, 0.5) for word in (*WORDS, OTHER_LANGUAGE)],
    "a topic": [Reading(ON_TOPIC, 0.55, 0.4), Reading(ON_TOPIC, 0.95, 0.6), Reading(OFF_TOPIC, 0.9, 0.1)],
}


def _lists(readings: Sequence[Reading]) -> Iterator[list[ReadHit]]:
    """Every list of at most three rows of these readings, with and without a passage that is near or quoted."""
    rows = [
        ReadHit("paper", one, *flags) for one in readings for flags in ((False, False), (True, False), (False, True))
    ]
    for size in (1, 2, 3):
        yield from map(list, combinations_with_replacement(rows, size))


@pytest.mark.parametrize("words", MADE)
@pytest.mark.parametrize("scope", ["", "the documents that pass the filters"])
def test_no_headline_contradicts_a_row_or_the_rows_a_headline(words: str, scope: str) -> None:
    every = [Verdict(near, 0.5, scope=scope, holds_near=holds) for near, holds in product((False, True), repeat=2)]
    for rows, found in product(_lists(MADE[words]), every):
        said = headline(found, rows)
        told, best = said.sentence.lower(), min(row.reading.rank for row in rows)
        by_passage = any(row.has_near_passage or row.is_quoted for row in rows)
        first, where = told.split(". ")[0], f"{told}: {rows}, {found}"
        if "other subject" in told or "on others" in told or " is near:" in told or "is clearly near" in told:
            assert best >= SHARES, where
        if "is closely related:" in told:
            assert best == FIELD and not by_passage and not said.near, where
        if "clearly on this topic" in told:
            assert not said.near and best == CLOSE and all(row.reading.p < 0.8 for row in rows if row.reading.is_near)
        if said.near and not by_passage:
            assert best <= FIELD or (found.holds_near and "holds nearer ones" in told), where
        if not said.near:
            assert not by_passage and (best >= FIELD or "may be" in told), where
        for word, forms in _SAID.items():
            count = sum(row.reading.word == word for row in rows)
            if said.near and best <= FIELD:
                assert any(form in first for form in forms) == bool(count) or word == OFF_TOPIC, where


@pytest.mark.parametrize(
    ("read", "found", "said"),
    [
        ([FIELD, SHARES], FAR, "Nothing in this library is closely related: one paper is in the same field; one only"),
        ([SHARES], NEAR, "Nothing in this library is clearly near: each of the nearest documents is more likely"),
        (
            [SHARES],
            replace(FAR, field="venue X"),
            "Nothing in this library is near: the nearest documents, of venue X,",
        ),
        ([SHARES], replace(FAR, holds_near=True), "None of these documents is near, but the library holds nearer ones"),
        ([CLOSE], FAR, "One paper is closely related."),
        ([FIELD], NEAR, "One paper is in the same field."),
    ],
)
def test_rows_and_numbers_decide_together(read: list[int], found: Verdict, said: str) -> None:
    assert headline(found, _hits(*(("paper", rank) for rank in read))).sentence.startswith(said)


def test_a_bare_topic_is_told_by_one_word() -> None:
    on, off, maybe = Reading(ON_TOPIC, 0.9, 0.6), Reading(OFF_TOPIC, 0.9, 0.1), Reading(ON_TOPIC, 0.6, 0.4)
    rows = [ReadHit("paper", one) for one in (on, on, off)]
    assert headline(FAR, rows).sentence == "Two papers are on this topic; one is not."
    assert headline(NEAR, rows[2:]) == headline(FAR, rows[2:])
    assert headline(FAR, rows[2:]).sentence == (
        "Nothing in this library is on this topic: the nearest documents are on others."
    )
    assert headline(FAR, [ReadHit("paper", maybe)]) == Headline(
        False, "Nothing in this library is clearly on this topic, but one paper may be."
    )
    assert headline(NEAR, [ReadHit("paper", maybe)]).sentence == "One paper is on this topic."
    hardly = replace(FAR, p=0.01)
    assert [headline(one, rows[:1]).near for one in (FAR, hardly)] == [True, False]
    assert headline(hardly, [ReadHit("paper", replace(on, p=0.98))]).sentence == "One paper is on this topic."
    assert [one.rank for one in (on, off)] == [CLOSE, SHARES] and on.is_near and not off.is_near
    assert on.meaning == "about what the question names" and on.in_words == "on this topic (90\xa0%), nearness 0.60"


def test_a_passage_that_says_the_question_is_told_of() -> None:
    quoted = ReadHit("paper", Reading("same field", 0.7, 0.5), is_quoted=True)
    assert headline(FAR, [quoted]).sentence.endswith("field. A passage of one says most of your text.")


def test_numbers_are_words_up_to_twelve() -> None:
    assert [spell_count(count) for count in (0, 1, 12, 13, 1200)] == ["no", "one", "twelve", "13", "1,200"]


def test_the_sentence_speaks_of_what_passes_where_filters_are_on() -> None:
    scope = Question(Document("q"), filters=Filters(year_from=2010)).scope
    found = replace(listed("a", "b"), verdict=replace(NEAR, scope=scope, lacks="No document holds: kite."))
    assert found.sentence == (
        "Among the documents that pass the filters, two papers are in the same field. No document holds: kite."
    )
    passage = Answer((hit(1, "unrelated", cited=True), by_a_passage(2)), "blend", {}, replace(FAR, scope=scope))
    assert passage.sentence.startswith(
        "Among the documents that pass the filters, as a whole, the nearest are on other"
    )


@pytest.mark.parametrize(
    ("cited", "filters", "scope"),
    [
        (None, Filters(), ""),
        (True, Filters(), "the documents that you cite"),
        (False, Filters(lines=("pump",)), "the documents that you do not cite and that pass the filters"),
    ],
)
def test_a_question_says_which_documents_may_answer(cited: bool | None, filters: Filters, scope: str) -> None:
    assert Question(Document("q"), cited=cited, filters=filters).scope == scope


# Before any encoder is loaded -------------------------------------------------------------------

HELD = (
    Document("thumbs", title="Thumbs up", authors=("Bo Pang", "Lillian Lee"), year=2002),
    Document("stars", title="Seeing stars", authors=("Lee, L.", "Pang, B."), year=2005),
    Document("fields", title="Brown fields", abstract="Brown soil and brown water.", authors=("Ada Brown",)),
    Document("soil", title="Brown soil"),
)


@pytest.fixture
def held(tmp_path: Path) -> Library:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "people", HELD)
    return Library.open(tmp_path)


def question(text: str) -> Document:
    return Document("q", "query", abstract=text)


def test_a_name_finds_its_documents_and_says_so(held: Library) -> None:
    with held:
        works = AuthorWorks.find(question("Pang, B."), held)
        assert works is not None
        assert works.ids == ("stars", "thumbs")
        assert works.sentence == "Two documents of your library are by “Pang, B.”."
        assert works.byline(HELD[0]) == ("Bo Pang", "Lillian Lee")
        assert works.byline(HELD[1]) == ("Pang, B.", "Lee, L.")
        assert works.byline(HELD[3]) == ("Pang, B.", "")
        one = AuthorWorks.find(question("Pang, B."), held, Filters(year_to=2003))
        assert one is not None
        assert one.sentence == "One document of your library that passes the filters is by “Pang, B.”."


def test_a_surname_alone_is_a_name_unless_it_is_a_common_word(held: Library) -> None:
    with held:
        assert AuthorWorks.find(question("Pang"), held) is not None
        assert AuthorWorks.find(question("pang"), held) is None
        assert (
            AuthorWorks.find(question("Brown"), held) is None
        )  # two texts hold it, and one person of that name wrote one
        assert AuthorWorks.find(question("Ada Brown"), held) is not None


def test_other_questions_are_none(held: Library) -> None:
    with held:
        assert AuthorWorks.find(question("How do stars shine?"), held) is None
        assert AuthorWorks.find(question("Grace Hopper"), held) is None
        assert AuthorWorks.find(Document("p", title="Bo Pang"), held) is None


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    library, _, _ = fill(tmp_path_factory.mktemp("library"))
    with library:
        yield library


def _ids(library: Library, question: Question) -> list[str]:
    return [hit.document.id for hit in question.find_word_hits(library)]


def test_documents_that_share_words_come_in_the_order_of_keywords(library: Library) -> None:
    hits = Question(QUERY, k=3).find_word_hits(library)
    assert {hit.document.id for hit in hits[:2]} == {"p-crystals", "p-molecules"}
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    for hit in hits:
        assert hit.terms and all(term in QUERY.text.lower() for term in hit.terms)


def test_filters_muted_words_and_k_hold(library: Library) -> None:
    (first, *_) = everything = _ids(library, Question(QUERY, k=50))
    assert _ids(library, Question(QUERY, k=1)) == [first]
    patents = _ids(library, Question(QUERY, k=50, filters=Filters(kinds=frozenset({"patent"}))))
    assert patents == [id_ for id_ in everything if library.get([id_])[0].kind == "patent"]
    terms = Question(QUERY, k=50).find_word_hits(library)[0].terms
    muted = Question(QUERY, k=50, muted=terms).find_word_hits(library)
    assert muted[0].document.id != first
    assert not {term for hit in muted for term in hit.terms} & set(terms)


def test_the_question_itself_is_left_out(library: Library) -> None:
    itself = DOCUMENTS[0]
    assert itself.id not in _ids(library, Question(replace(itself, id="mine"), k=50))


def test_nothing_is_found_without_words_or_documents(library: Library, tmp_path: Path) -> None:
    assert Question(Document("q", "query")).find_word_hits(library) == ()
    assert Question(Document("q", "query", abstract="zzzz")).find_word_hits(library) == ()
    with Library.open(tmp_path / "empty", create=True) as empty:
        assert Question(QUERY).find_word_hits(empty) == ()


COPY = Pair(0.97, 0.95, 1.0, 150)


FAR_PAIR = Pair(0.05, 0.0, 0.0, 150)


ONE_FIELD = Pair(0.5, 0.06, 0.1, 150)


CITED = Pair(0.68, 0.3, 0.35, 150)


LIBRARY = Vocabulary({"kite": 4, "winds": 2, "the": 9}, 9)


def test_one_document_that_is_likely_related_makes_a_list_near() -> None:
    assert [Reading(word, 0.5, 0.5).is_near for word in WORDS] == [True, True, False, False, False]
    assert CITED.read().is_near
    alone = verdict([CITED, *[FAR_PAIR] * 9], Among(100), unknown=["x"] * 9, telling=9)
    assert alone.holds_near and not alone.near and alone.p < list_scale().threshold
    assert headline(alone, _hits(("paper", CLOSE), ("paper", UNRELATED))).near


def test_the_nearest_ten_count_and_more_documents_are_nearer_by_chance() -> None:
    some = [ONE_FIELD] * 10
    assert list_features([*some, FAR_PAIR], documents=9, unknown=0.0) == list_features(some, documents=9, unknown=0.0)
    assert list_features([], documents=0, unknown=0.0)[1] == 0
    lists = list_scale()
    few, many = (lists.probability(some, documents=n, unknown=0.1) for n in (1_000, 100_000))
    assert few > many
    assert lists.probability(some, documents=1_000, unknown=0.9) < few
    assert ListScale((0.0,) * 8, 0.5).probability([], documents=1, unknown=0.0) == 0.5


def test_a_verdict_says_what_is_near_and_what_no_document_holds() -> None:
    far = verdict([FAR_PAIR] * 10, Among(9_000, "category cs.CL"), unknown=["crispr", "cas"], telling=4)
    assert not far.near and not far.holds_near
    assert (far.field, far.lacks) == ("category cs.CL", "No document holds: crispr, cas.")
    near = verdict([CITED] * 10, Among(9_000, scope="the documents that you cite"), unknown=[], telling=4)
    assert near.near and near.holds_near and near.scope == "the documents that you cite" and not near.lacks


def test_one_document_that_says_the_same_is_near_among_many_far_ones() -> None:
    assert verdict([COPY, *[FAR_PAIR] * 9], Among(9_000), unknown=[], telling=9).holds_near


def test_a_long_list_of_unknown_words_is_cut() -> None:
    words = [f"w{n}" for n in range(30)]
    found = verdict([FAR_PAIR], Among(9), unknown=words, telling=30)
    assert found.lacks == "No document holds: w0, w1, w2, w3, w4 and 25 more." and len(found.unknown_terms) == 20


def test_telling_words_are_neither_grammar_nor_genre() -> None:
    assert telling_words("The kite's method, and results of GPT-4 kites") == {"kite": 1, "gpt": 1, "kites": 1}


def test_unknown_terms_are_those_that_no_document_holds_in_any_number() -> None:
    lacking, telling = unknown_terms("Kites in wind: zeppelin, crispr, zeppelin", LIBRARY)
    assert lacking == ["zeppelin", "crispr"] and telling == 4


SPELT = Vocabulary(
    dict.fromkeys(
        "authorized color center fiber modeling catalog anemia analyze analyzed labeled traveler fulfill skillful "
        "defense sulfur aluminum esophagus artifact aging centered deflection haemoglobin organisation behaviour metre "
        "programme nonlinear waveguide semi supervised kite".split(),
        3,
    ),
    99,
)


def test_a_word_is_held_in_british_and_in_american_spelling() -> None:
    british = (
        "authorised colours centre fibres modelling catalogues anaemia analyse analysed labelled travellers fulfil "
        "skilful defence sulphur aluminium oesophagus artefacts ageing centred deflexion"
    )
    american = "hemoglobin organization organizations behavior meters program programs color"
    assert [word for word in f"{british} {american}".split() if not SPELT.holds(word)] == []
    assert [word for word in "tiling carpet planet authors fillet center's".split() if SPELT.holds(word)] == []


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("As Kowalczyk et al. (2015) and Papadopoulos and Zhang (2016) say of zeppelins", ["zeppelins"]),
        ("the zeppelins of Surdeanu fly; J. R. Featherstone and Dr. Oswatitsch, said", ["zeppelins", "fly"]),
        ("Zeppelins by Müller, 2010, and by Garcia-Lopez (2011).", ["zeppelins"]),
        ("The gene TaCNR2 and the pump XJ-9000, ABC-12 and FrameNet", ["gene", "pump"]),
        ("A non-linear wave-guide, semisupervised and semi-supervised", []),
        (
            "Hopf algebras, Banach spaces and CRISPR in a zeppelin",
            ["hopf", "algebras", "banach", "spaces", "crispr", "zeppelin"],
        ),
    ],
)
def test_names_and_codes_and_hyphens_are_no_missing_words(text: str, missing: list[str]) -> None:
    unknown, _ = unknown_terms(text, SPELT)
    assert [word for word in missing_words(text, unknown, SPELT) if word not in ("as", "said", "say")] == missing


def test_only_a_text_of_no_words_is_gibberish() -> None:
    assert is_gibberish("asdfgh qwerty", LIBRARY)
    assert not is_gibberish("asdfgh kite", LIBRARY)  # the library holds one
    assert not is_gibberish("automobile", LIBRARY)  # a word, though this library lacks it
    assert not is_gibberish("of the", LIBRARY) and not is_gibberish("", LIBRARY)


def test_most_documents_share_a_category_or_a_venue_or_nothing() -> None:
    documents = [Document(f"d{n}", categories=("cs.CL",) if n < 6 else ("cs.DS",)) for n in range(10)]
    assert common_field(documents) == "category cs.CL"
    assert common_field(documents[5:]) == "category cs.DS" and common_field(documents[4:8]) == ""
    assert common_field([Document("a", venue="Kites"), Document("b", venue="Kites")]) == "venue Kites"
    assert common_field([]) == ""


def test_hits_are_read_against_the_question_or_the_nearest_liked_document(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path / "library")
    with library:
        reader = HitReader(library, PairReader(encoder, index), Vocabulary.of(library.keywords))
        crystals, valve = DOCUMENTS[1], DOCUMENTS[5]
        asking = reader.asking(QUERY, [], None)
        near, far = reader.read(asking, [crystals, valve])
        assert near.rank < far.rank and asking.is_question
        liked = reader.asking(None, [crystals, valve], None)
        assert not liked.is_question
        assert [one.word for one in reader.read(liked, [valve, crystals])] == ["says the same"] * 2
        found = reader.verdict(liked, [one.id for one in DOCUMENTS], [valve])
        assert found.near and found.unknown_terms == ()
        assert reader.gibberish(QUERY) is None
        none = reader.gibberish(Document("q", abstract="asdfgh qwerty"))
        assert none is not None and none.is_gibberish and not none.near
        assert none.refusal == "No document holds any of these words: asdfgh, qwerty."


ONE = Document("a", title="Crystal energies", abstract="Graph networks read a crystal as a graph of atoms.")


ALIKE = Document("b", title="Molecular energies", abstract="Graph networks read a molecule as a graph of atoms.")


ELSEWHERE = Document("c", title="Aspirin after stroke", abstract="Patients took aspirin daily; bleeding was rare.")


def test_five_words_go_from_near_to_far() -> None:
    assert tuple(Reading.meanings) == WORDS
    found = [pair.read().word for pair in (COPY, CITED, ONE_FIELD, FAR_PAIR)]
    assert found == ["says the same", "closely related", "same field", "unrelated"]
    assert [pair.read().rank for pair in (COPY, FAR_PAIR)] == [0, 4]
    assert Pair(0.12, 0.15, 0.1, 150).read().word == "shares vocabulary only"
    assert COPY.read("passage").word == "says the same" and FAR_PAIR.read("passage").word == "unrelated"


def test_a_title_says_the_same_as_its_paper() -> None:
    assert Pair(0.8, 0.5, 1.0, 9).read().word == "says the same"


def test_probabilities_add_up_to_one_and_the_word_has_half() -> None:
    for scale in scales().values():
        for pair in (COPY, FAR_PAIR, ONE_FIELD):
            p = scale.probabilities(pair)
            read = scale.read(pair)
            kind = min(read.rank, 3)
            assert sum(p) == pytest.approx(1) and read.p >= 0.5
            assert read.p == pytest.approx(sum(p[: kind + 1]) if kind < 3 else p[3])
        rise = [scale.probabilities(Pair(cosine, 0.1, 0.1, 150))[3] for cosine in (0.1, 0.3, 0.5, 0.7)]
        assert rise == sorted(rise, reverse=True)  # a nearer pair is less often of another field


@pytest.mark.parametrize(
    ("shares", "word", "p"),
    [
        ((0.4, 0.3, 0.2, 0.1), "closely related", 0.7),
        ((0.4, 0.05, 0.25, 0.3), "same field", 0.7),
        ((0.3, 0.1, 0.05, 0.55), "unrelated", 0.55),
        ((0.5, 0.2, 0.2, 0.1), "says the same", 0.5),
        ((0.3, 0.0, 0.3, 0.4), "same field", 0.6),
    ],
)
def test_below_one_half_the_milder_word_is_said(shares: tuple[float, ...], word: str, p: float) -> None:
    weights = [(math.log(max(share, 1e-12)), *(0.0,) * 5) for share in shares]
    read = ReadingScale(weights, 0.1, {}, "f").read(Pair(0.2, 0.0, 0.0, 100))
    assert read.word == word and read.p == pytest.approx(p)


def test_a_few_words_and_a_short_question_name_a_topic() -> None:
    few, claim = "neutron star cooling", "A kettle comprising a lid, a spout, a handle of wood and a whistle of brass."
    asked = {text: is_bare_topic(question(text)) for text in (few, "Which kettles whistle when they boil?", claim)}
    assert list(asked.values()) == [True, True, False]
    assert not is_bare_topic(Document("p", "paper", title=few))
    assert is_bare_topic(question(" ".join(["kite"] * 11))) and not is_bare_topic(question(" ".join(["kite"] * 12)))
    assert not is_bare_topic(question(" ".join(["kite"] * 40) + "?"))


def test_a_bare_topic_says_nothing_the_same() -> None:
    near, far = replace(COPY, is_topic=True, words=2), replace(FAR_PAIR, is_topic=True, words=2)
    assert near.read().word == ON_TOPIC and far.read().word == OFF_TOPIC
    assert near.read().p > 0.5 and far.read().p > 0.5
    assert replace(far, named=0.6).read() == Reading(ON_TOPIC, 0.6, 0.05) and replace(far, named=0.4).read().p > 0.5
    asked = question("Is there a proof that P equals NP?")
    proofs = ("Machines of which P is not equal to NP", "Proof that P is a proper subset of NP")
    named = [read_two(Document("p", title=title, abstract="A kettle whistles."), asked) for title in proofs]
    assert [one.word for one in named] == [ON_TOPIC] * 2
    once = Document("p", title="A proof of kettles", abstract="A kettle whistles.")
    assert read_two(once, asked).word == OFF_TOPIC
    topic = question("graphs of crystal energies")
    words = {read_two(*pair).word for pair in ((topic, ONE), (ONE, topic))}
    assert words == {ON_TOPIC} and read_two(topic, ELSEWHERE).word == OFF_TOPIC


def test_names_of_two_capitals_are_telling() -> None:
    held = {text: "np" in TellingWords.of(text).weights for text in ("Does P equal NP?", "np", "P = NP", "In MMC IV")}
    assert list(held.values()) == [True, False, True, False]
    assert "iv" not in TellingWords.of("Part IV of it").weights


def test_a_word_stands_with_its_probability_and_its_number() -> None:
    reading = Reading("closely related", 0.834, 0.571)
    assert reading.in_words == "closely related (83\xa0%), nearness 0.57"
    assert reading.as_json() == {"word": "closely related", "p": 0.83}


def test_the_vocabulary_s_share_parts_the_last_two_words() -> None:
    scale = ReadingScale(((0.0,) * 6, (0.0,) * 6, (0.0,) * 6, (2.0, *(0.0,) * 5)), 0.1, {}, "f")
    assert scale.read(Pair(0.2, 0.1, 0, 100)).word == "shares vocabulary only"
    assert scale.read(Pair(0.2, 0.09, 0, 100)).word == "unrelated"


def test_the_ruler_rises_from_unrelated_to_duplicate() -> None:
    levels = scales()
    assert list(levels["document"].ruler) == ["unrelated", "same field", "cited", "duplicate"]
    assert list(levels["passage"].ruler) == ["unrelated", "cited", "duplicate"]  # a field is told from neither
    for scale in levels.values():
        assert list(scale.ruler.values()) == sorted(scale.ruler.values())


def test_the_fitted_numbers_are_for_the_shipped_encoder() -> None:
    levels = scales()
    assert levels["document"].fingerprint == registry.find("student").card.fingerprint
    assert levels["passage"].fingerprint == PassageEncoder.shipped_fingerprint()


def test_the_same_text_shares_all_and_another_subject_nothing() -> None:
    words, far = TellingWords.of(ONE.text), TellingWords.of(ELSEWHERE.text)
    same = words.pair(words, 1.0)
    assert same.keywords == pytest.approx(1) and same.contained == pytest.approx(1) and same.words == 12
    other = words.pair(far, 0.1)
    assert (other.keywords, other.contained) == (0, 0)
    empty = words.pair(TellingWords.of(""), 0.0)
    assert (empty.keywords, empty.contained, empty.words) == (0, 0, 0)


def test_a_pair_is_the_same_either_way_round() -> None:
    one, other = TellingWords.of(ONE.text), TellingWords.of(ALIKE.text)
    assert one.pair(other, 0.5) == other.pair(one, 0.5)
    assert read_two(ONE, ALIKE) == read_two(ALIKE, ONE)


def test_a_short_text_is_contained_in_a_long_one() -> None:
    title = TellingWords.of("graph networks of a crystal")
    assert title.pair(TellingWords.of(ONE.text), 0.5).contained == pytest.approx(1)


def test_only_the_beginning_of_a_long_text_counts() -> None:
    long = TellingWords.of(ONE.text + " kite" * 4_000)
    assert long.tokens == 400


def test_rows_are_read_from_an_index_of_student_and_made_for_other_encoders(tmp_path: Path) -> None:
    student, documents = registry.load("student"), [ALIKE, ELSEWHERE]
    card = student.card
    index = open_index(tmp_path / "v", fingerprint=card.fingerprint, dim=card.dim, kind="embedded", precision="int8")
    index.add([one.id for one in documents], student.encode_documents(documents))
    kept = PairReader(student, index)
    made = PairReader(registry.fit("tfidf", documents))
    found = []
    for reader in (kept, made):
        pairs = reader.pairs(ONE, reader.question_row(ONE), documents)
        assert pairs[0].cosine > pairs[1].cosine + 0.3
        found.append([one.cosine for one in pairs])
    assert np.allclose(found[0], found[1], atol=0.02)
    assert made.kept_rows(["b"]) is None and kept.kept_rows([]) is None
    assert kept.pairs(ONE, kept.question_row(ONE), []) == []


def test_student_large_is_another_scale() -> None:
    rows = np.ones((1, registry.find("student-large").card.dim), np.float32)
    assert registry.load("student-large").sentence_rows(rows, fitted_on("document")) is None
    assert registry.fit("tfidf", [ONE, ELSEWHERE]).sentence_rows(rows, fitted_on("document")) is None


def test_the_default_holds_the_rows_of_student() -> None:
    blend, student = registry.load("blend"), registry.load("student")
    rows = student.encode_documents([ONE, ELSEWHERE])
    inside = blend.sentence_rows(blend.encode_documents([ONE, ELSEWHERE]), fitted_on("document"))
    assert inside is not None and np.allclose((inside * rows).sum(axis=1), 1, atol=1e-2)
    asked = blend.sentence_rows(blend.encode_queries([ONE]), fitted_on("document"))
    assert asked is not None and np.allclose(asked @ student.encode_queries([ONE]).T, 1, atol=1e-2)


def test_a_text_is_quoted_by_a_passage_that_holds_three_quarters_of_its_telling_words() -> None:
    asked = TellingWords.of("Basalt columns cool from margins and crack into hexagons; divers drew joints.")
    words = list(asked.weights)
    most, fewer = " ".join(words[: -(-3 * len(words) // 4)]), " ".join(words[: -(-3 * len(words) // 4) - 1])
    found = find_quoted(asked, [fewer, f"In between {most} and more.", ""])
    assert found == Quoted(-(-3 * len(words) // 4), len(words)) and str(found.held) in found.sentence
    assert find_quoted(asked, [fewer]) is None and find_quoted(asked, []) is None
    assert find_quoted(asked, [" ".join(words[:4]), " ".join(words[4:])]) is None  # neither half holds enough
    assert find_quoted(TellingWords.of("Basalt columns crack."), ["Basalt columns crack."]) is None


def test_the_shipped_words_are_read_once_for_sentences_and_for_rarity(monkeypatch: pytest.MonkeyPatch) -> None:
    words = sentence_words()
    monkeypatch.setattr(registry, "load", lambda _: pytest.fail("they are loaded"))
    vocabulary._shipped.cache_clear()
    assert Vocabulary.shipped().documents == words.vectors.facts["documents"]
    assert sentence_words() is words


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        (Document("q", abstract="We hold the blades of a turbine."), "query"),
        (Document("q", title="Blades", abstract="We hold the blades of a turbine."), "paper"),
        (Document("q", "patent", claims=("A turbine with blades.",)), "patent"),
        (Document("q", "query", "How are blades held?"), "query"),
    ],
)
def test_a_paragraph_alone_has_the_wording_of_no_kind(document: Document, kind: str) -> None:
    assert kind_asked(document) == kind


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("机器学习", []),
        ("量子退火的机器学习", ["量子退火"]),
        ("基于量子计算的图像", ["量子计算"]),
        ("学习图像分割", []),  # no document holds 习图, which is not a word
        ("nonlinear pumps, non-linear pumps, colour", []),
        ("schrodinger, naive, CO2 and CO₂", []),
        ("zeppelin 量子", ["zeppelin", "量子"]),
    ],
)
def test_words_of_every_script_are_missed_only_where_no_document_holds_them(text: str, unknown: list[str]) -> None:
    titles = ("基于机器学习的图像分割", "Non-linear pumps", "Schrödinger was naïve", "CO<sub>2</sub> and color")
    with_them = KeywordIndex.in_memory([Document(f"d{n}", title=title) for n, title in enumerate(titles)])
    library = Vocabulary.of(with_them)
    lacking, telling = unknown_terms(text, library)
    assert [word for word in missing_words(text, lacking, library) if not with_them.holders([word])[0]] == unknown
    assert telling >= len(lacking)

"""A verdict on a whole list, a word for each hit, and what no document holds."""

from __future__ import annotations

from pathlib import Path

from engine.documents import Document
from engine.search.readings import WORDS, Pair, PairReader, Reading
from engine.search.verdicts import (
    Among,
    HitReader,
    ListScale,
    common_field,
    is_gibberish,
    list_features,
    list_scale,
    telling_words,
    unknown_terms,
    verdict,
)
from engine.search.vocabulary import Vocabulary
from tests.search.library import DOCUMENTS, QUERY, fill

COPY = Pair(0.97, 0.95, 1.0, 150)
FAR = Pair(0.05, 0.0, 0.0, 150)
ONE_FIELD = Pair(0.5, 0.06, 0.1, 150)
CITED = Pair(0.68, 0.3, 0.35, 150)
LIBRARY = Vocabulary({"kite": 4, "winds": 2, "the": 9}, 9)


def test_one_document_that_is_likely_related_makes_a_list_near() -> None:
    made = [Reading(word, p, 0.5) for word, p in (("says the same", 0.4), ("closely related", 0.5))]
    assert all(one.is_near for one in made) and [one.is_likely for one in made] == [False, True]
    assert not any(Reading(word, 0.49 if word == "closely related" else 0.9, 0.5).is_near for word in WORDS[1:])
    assert CITED.read().is_near
    alone = verdict([CITED, *[FAR] * 9], Among(100), unknown=["x"] * 9, telling=9)
    assert alone.near and alone.p < list_scale().threshold


def test_the_nearest_ten_count_and_more_documents_are_nearer_by_chance() -> None:
    some = [ONE_FIELD] * 10
    assert list_features([*some, FAR], documents=9, unknown=0.0) == list_features(some, documents=9, unknown=0.0)
    assert list_features([], documents=0, unknown=0.0)[1] == 0
    lists = list_scale()
    few, many = (lists.probability(some, documents=n, unknown=0.1) for n in (1_000, 100_000))
    assert few > many
    assert lists.probability(some, documents=1_000, unknown=0.9) < few
    assert ListScale((0.0,) * 8, 0.5).probability([], documents=1, unknown=0.0) == 0.5


def test_a_verdict_says_what_is_near_and_what_no_document_holds() -> None:
    far = verdict([FAR] * 10, Among(9_000, "category cs.CL"), unknown=["crispr", "cas"], telling=4)
    assert not far.near
    assert far.sentence == (
        "Nothing in this library is near: the nearest documents, of category cs.CL, are on other subjects. "
        "No document holds: crispr, cas."
    )
    assert far.as_json() == {"near": False, "sentence": far.sentence, "unknown_terms": ["crispr", "cas"]}
    near = verdict([CITED] * 10, Among(9_000), unknown=[], telling=4)
    assert near.near and near.sentence == "The nearest documents are on the question's subject."


def test_a_verdict_within_filters_speaks_of_what_passes_them() -> None:
    among = Among(12, "category cs.CL", "the documents that pass the filters")
    far = verdict([FAR] * 10, among, unknown=[], telling=4)
    assert far.scope == among.scope and far.sentence == (
        "None of the documents that pass the filters is near: the nearest documents, of category cs.CL, are on other "
        "subjects."
    )
    near = verdict([CITED] * 10, among, unknown=[], telling=4)
    assert near.sentence == (
        "Among the documents that pass the filters, the nearest documents, of category cs.CL, are on the question's "
        "subject."
    )
    quoted = verdict([FAR] * 10, among, unknown=["mole"], telling=4, quoted=True)
    assert quoted.sentence.startswith("Among the documents that pass the filters, a passage of a document says most")


def test_one_document_that_says_the_same_is_near_among_many_far_ones() -> None:
    assert verdict([COPY, *[FAR] * 9], Among(9_000), unknown=[], telling=9).near


def test_a_quote_is_near_though_no_document_is() -> None:
    field = "category cs.CL"
    found = verdict([FAR] * 10, Among(9_000, field), unknown=["mole"], telling=4, quoted=True)
    assert found.near and found.sentence == (
        "A passage of a document says most of the question; as a whole, the nearest, of category cs.CL, are on "
        "other subjects. No document holds: mole."
    )
    whole = verdict([CITED] * 10, Among(9_000), unknown=[], telling=4, quoted=True)
    assert whole.sentence == "The nearest documents are on the question's subject."


def test_a_long_list_of_unknown_words_is_cut() -> None:
    words = [f"w{n}" for n in range(30)]
    found = verdict([FAR], Among(9), unknown=words, telling=30)
    assert (
        found.sentence.endswith("No document holds: w0, w1, w2, w3, w4 and 25 more.") and len(found.unknown_terms) == 20
    )


def test_telling_words_are_neither_grammar_nor_genre() -> None:
    assert telling_words("The kite's method, and results of GPT-4 kites") == {"kite": 1, "gpt": 1, "kites": 1}


def test_unknown_terms_are_those_that_no_document_holds_in_any_number() -> None:
    lacking, telling = unknown_terms("Kites in wind: zeppelin, crispr, zeppelin", LIBRARY)
    assert lacking == ["zeppelin", "crispr"] and telling == 4


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
        assert none.sentence == "No document holds any of these words: asdfgh, qwerty."

"""What nearness means in words."""

from __future__ import annotations

import pytest

from engine.search.passages import passages_fingerprint
from engine.search.readings import (
    FILE,
    MEANINGS,
    WORDS,
    Among,
    ListScale,
    Pair,
    Reading,
    Scale,
    gibberish,
    list_features,
    read_pair,
    said,
    scales,
    verdict,
)

COPY = Pair(0.97, 0.95, 1.0, 150)
FAR = Pair(0.05, 0.0, 0.0, 150)
ONE_FIELD = Pair(0.5, 0.06, 0.1, 150)
CITED = Pair(0.68, 0.3, 0.35, 150)


def test_five_words_go_from_near_to_far() -> None:
    assert tuple(MEANINGS) == WORDS
    found = [read_pair(pair).word for pair in (COPY, CITED, ONE_FIELD, FAR)]
    assert found == ["says the same", "closely related", "same field", "unrelated"]
    assert [read_pair(pair).rank for pair in (COPY, FAR)] == [0, 4]
    assert read_pair(Pair(0.12, 0.15, 0.1, 150)).word == "shares vocabulary only"
    assert read_pair(COPY, "passage").word == "says the same" and read_pair(FAR, "passage").word == "unrelated"


def test_a_title_says_the_same_as_its_paper() -> None:
    assert read_pair(Pair(0.8, 0.5, 1.0, 9)).word == "says the same"


def test_probabilities_add_up_to_one_and_the_word_has_the_largest() -> None:
    for scale in scales().levels.values():
        for pair in (COPY, FAR, ONE_FIELD):
            p = scale.probabilities(pair)
            assert sum(p) == pytest.approx(1) and scale.read(pair).p == max(p)
        rise = [scale.probabilities(Pair(cosine, 0.1, 0.1, 150))[3] for cosine in (0.1, 0.3, 0.5, 0.7)]
        assert rise == sorted(rise, reverse=True)  # a nearer pair is less often of another field


def test_a_word_stands_with_its_probability_and_its_number() -> None:
    reading = Reading("closely related", 0.834, 0.571)
    assert said(reading) == "closely related (83 %), nearness 0.57"
    assert reading.as_json() == {"word": "closely related", "p": 0.83}


def test_one_document_that_is_likely_related_makes_a_list_near() -> None:
    made = [Reading(word, p, 0.5) for word, p in (("says the same", 0.4), ("closely related", 0.5))]
    assert all(one.is_near for one in made) and [one.is_likely for one in made] == [False, True]
    assert not any(Reading(word, 0.49 if word == "closely related" else 0.9, 0.5).is_near for word in WORDS[1:])
    assert read_pair(CITED).is_near
    alone = verdict([CITED, *[FAR] * 9], Among(100), unknown=["x"] * 9, telling=9)
    assert alone.near and alone.p < scales().lists.threshold


def test_the_vocabulary_s_share_parts_the_last_two_words() -> None:
    scale = Scale(((0.0,) * 6, (0.0,) * 6, (0.0,) * 6, (1.0, *(0.0,) * 5)), 0.1, {}, "f")
    assert scale.read(Pair(0.2, 0.1, 0, 100)).word == "shares vocabulary only"
    assert scale.read(Pair(0.2, 0.09, 0, 100)).word == "unrelated"


def test_the_ruler_rises_from_unrelated_to_duplicate() -> None:
    levels = scales().levels
    assert list(levels["document"].ruler) == ["unrelated", "same field", "cited", "duplicate"]
    assert list(levels["passage"].ruler) == ["unrelated", "cited", "duplicate"]  # a field is told from neither
    for scale in levels.values():
        assert list(scale.ruler.values()) == sorted(scale.ruler.values())


def test_the_nearest_ten_count_and_more_documents_are_nearer_by_chance() -> None:
    some = [ONE_FIELD] * 10
    assert list_features([*some, FAR], documents=9, unknown=0.0) == list_features(some, documents=9, unknown=0.0)
    assert list_features([], documents=0, unknown=0.0)[1] == 0
    lists = scales().lists
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
    assert gibberish(words[:2]).sentence == "No document holds any of these words: w0, w1."


def test_the_fitted_numbers_are_for_the_shipped_encoder() -> None:
    from engine.encoders import registry

    levels = scales(FILE).levels
    assert levels["document"].fingerprint == registry.find("student").card.fingerprint
    assert levels["passage"].fingerprint == passages_fingerprint()

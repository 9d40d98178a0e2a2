"""The key words of a document: which phrases are in what form, and what does not name itself twice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from engine.core.rows import DenseRows
from engine.documents import Document, Section
from engine.encoders.keyvec import Salience
from engine.search.evidence.key_words import (
    FEATURES,
    KeyWordReader,
    Weighed,
    choose_phrases,
    length_of,
    phrase_weights,
)
from engine.search.evidence.phrases import PhraseReader
from engine.search.evidence.salience import Regression
from engine.search.vocabulary import Vocabulary

NOTHING = Salience((), np.empty(0, np.float32), ())
WORDS = Vocabulary({"kite": 20, "wing": 30, "result": 900, "valve": 5, "string": 400}, 1_000)


class Places:
    """An encoder that puts every text with a word into one place, and all others into another."""

    def __init__(self, word: str) -> None:
        self._word = word

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        return np.array([[1, 0] if self._word in one.text.lower() else [0, 1] for one in documents], np.float32)

    encode_queries = encode_documents


def words_of(
    document: Document, *, said: Salience = NOTHING, encoder: Places | None = None, most: int = 10
) -> list[str]:
    (found,) = KeyWordReader(WORDS, encoder).read([document], [said], most)
    assert [p for _, p in found] == sorted((p for _, p in found), reverse=True)
    assert all(0 < p < 1 for _, p in found)
    return [word for word, _ in found]


def paper(text: str, title: str = "") -> Document:
    return Document("x", title=title, abstract=text)


def test_an_abstract_names_its_phrases_and_not_the_words_of_the_genre() -> None:
    text = (
        "We propose an approach to box kites. A box kite has a bridle line. Results show that the bridle line of a box "
        "kite is important. This application claims the benefit of a provisional filing."
    )
    found = words_of(paper(text, "The bridle line of box kites"))
    assert {"box kites", "bridle line"} == set(found[:2])
    assert not {"approach", "results", "application", "benefit", "provisional filing"} & set(found)


def test_an_abbreviation_is_shown_with_its_long_form_once() -> None:
    found = words_of(paper("Kites use restricted maximum likelihood (REML). We fit by REML, and REML is quick."))
    assert "restricted maximum likelihood (REML)" in found
    assert not any(word in ("REML", "restricted maximum likelihood") for word in found)


def test_a_long_document_is_read_whole() -> None:
    body = " ".join(f"The box kite has a bridle line of {n} feet and a tail of silk." for n in range(120))
    late = "The tail ring of silk was lost. " * 30
    document = Document("x", title="Kites", sections=(Section("One", body), Section("Two", late)))
    assert length_of(PhraseReader().read(document)) == "long"
    assert {"box kite", "bridle line", "tail ring"} <= set(words_of(document))


def test_nearness_in_meaning_decides_among_equals() -> None:
    document = paper("An alpha kite and a gamma kite.")
    for near, far in (("alpha", "gamma"), ("gamma", "alpha")):
        found = words_of(document, encoder=Places(near))
        assert found.index(f"{near} kite") < found.index(f"{far} kite")


def test_what_keyvec_predicts_counts() -> None:
    document = paper("An alpha kite and a gamma kite.")
    reader = KeyWordReader(WORDS, None)
    said = Salience((), np.empty(0, np.float32), (("gamma", 0.5), ("steam", 0.01)))
    (plain,), (told,) = reader.weigh([document], [NOTHING]), reader.weigh([document], [said])
    place = FEATURES.index("predicted by KeyVec")
    assert not plain.rows[:, place].any()
    by_form = {phrase.form: row for phrase, row in zip(told.phrases, told.rows[:, place], strict=True)}
    assert by_form["gamma kite"] > 0 == by_form["alpha kite"]


def test_rare_words_of_a_library_are_rarer() -> None:
    (weighed,) = KeyWordReader(WORDS, None).weigh([paper("A valve, a wing and a zeppelin.")], [NOTHING])
    place = FEATURES.index("mean rareness")
    rare = {phrase.form: row for phrase, row in zip(weighed.phrases, weighed.rows[:, place], strict=True)}
    assert 0 < rare["wing"] < rare["valve"] < rare["zeppelin"] <= 1


def chosen_of(text: str, order: Sequence[str], most: int = 9) -> list[str]:
    phrases = tuple(PhraseReader().read(Document("x", sections=(Section("", text),))).found.values())
    weighed = Weighed(phrases, np.zeros((len(phrases), len(FEATURES))), Regression(np.zeros(len(FEATURES)), 0.0))
    scores = np.array([len(order) - order.index(one.form) if one.form in order else -9.0 for one in phrases])
    return [phrase.form for phrase, score in choose_phrases(weighed, scores, most) if score > 0]


def test_a_word_that_stands_only_in_longer_phrases_is_no_key_word_beside_one() -> None:
    text = "An electronic kite is here. An electronic tail is here. The electronic line is here. Electronic is odd."
    assert chosen_of(text, ("electronic kite", "electronic")) == ["electronic kite"]
    assert chosen_of(f"{text} It is electronic. It is electronic.", ("electronic kite", "electronic"))[1:] == [
        "electronic"
    ]


NESTED = ("silk kite tail", "silk kite")


def test_a_part_that_seldom_stands_elsewhere_is_left_out_and_one_that_does_is_kept() -> None:
    owned = "A silk kite tail is long. The silk kite tail is short. "
    assert chosen_of(owned, NESTED) == ["silk kite tail"]
    own = "The silk kite flies. This silk kite fell. A silk kite rose. "
    assert chosen_of(owned + own, NESTED) == list(NESTED)
    assert chosen_of(owned + own, NESTED, most=1) == ["silk kite tail"]


def test_a_longer_phrase_around_a_chosen_one_stays_only_if_it_is_frequent() -> None:
    rare = "A silk kite tail is long. " + "The silk kite flies. " * 9
    assert chosen_of(rare, NESTED[::-1]) == ["silk kite"]
    assert chosen_of(rare + "A silk kite tail is long. " * 9, NESTED[::-1]) == ["silk kite", "silk kite tail"]


def test_a_phrase_is_named_with_its_abbreviation() -> None:
    (phrase,) = [one for one in PhraseReader().read(paper("A box kite (BK).")).found.values() if one.also]
    assert phrase.name == "box kite (BK)"


@pytest.mark.parametrize("text", ["", "42", "the of and"])
def test_a_text_without_phrases_has_no_key_words(text: str) -> None:
    assert words_of(paper(text), encoder=Places("kite")) == []


def test_the_shipped_weights_name_every_feature() -> None:
    for length in ("short", "long"):
        assert phrase_weights(length).of.shape == (len(FEATURES),)

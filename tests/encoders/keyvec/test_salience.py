"""Salient sentences and key words."""

from __future__ import annotations

import numpy as np

from engine.encoders.keyvec.encoder import KeyvecEncoder
from tests.encoders.keyvec import tiny


def test_salient_sentences_stand_where_their_offsets_say(keyvec: KeyvecEncoder) -> None:
    document = tiny.paper()
    (found,) = keyvec.salience([document])
    assert [one.section for one in found.sentences] == ["Method"] * 4 + ["Results"] * 4
    assert all(document.parts[one.part].text[one.start : one.stop] == one.text for one in found.sentences)
    assert found.p.shape == (8,) and found.p.dtype == np.float32
    assert ((found.p > 0) & (found.p < 1)).all()


def test_the_strongest_sentences_come_in_reading_order(keyvec: KeyvecEncoder) -> None:
    (found,) = keyvec.salience([tiny.paper()])
    strongest = sorted(np.argsort(-found.p, kind="stable")[:3])
    assert found.first(3) == tuple((found.sentences[place], float(found.p[place])) for place in strongest)
    assert len(found.first(99)) == 8 and found.first(0) == ()


def test_the_words_of_citations_are_no_key_words() -> None:
    made = KeyvecEncoder.of(tiny.words(), tiny.network(), ("et", "al", *tiny.KEYWORDS[2:]))
    everything = made.salience([tiny.paper()], keywords=len(tiny.KEYWORDS))[0].keywords
    assert {word for word, _ in everything} == set(tiny.KEYWORDS[2:])
    assert [made.salience([tiny.paper()], keywords=count)[0].keywords for count in (0, 3)] == [(), everything[:3]]

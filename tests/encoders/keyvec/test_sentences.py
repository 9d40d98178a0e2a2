"""Which sentences of a document KeyVec reads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.documents import Chunk, Document
from engine.encoders.keyvec.encoder import KeyvecEncoder
from engine.encoders.keyvec.salience import Salience
from tests.contracts.encoder import EMPTY
from tests.encoders.keyvec import tiny


def test_sentences_are_the_abstracts_where_the_body_is_short(keyvec: KeyvecEncoder) -> None:
    short = tiny.paper(sentences=4)
    alone = replace(short, abstract="")
    title = Document("title", title="Steam in the boiler", claims=("A valve and a piston.",))
    found = keyvec.salience([short, alone, title, EMPTY])
    assert [[one.section for one in salience.sentences] for salience in found] == [
        ["Abstract"] * 2,
        ["Method", "Method", "Results", "Results"],
        [],
        [],
    ]
    assert found[2].keywords and not found[3].keywords
    assert len(found[3].p) == 0


def test_headings_and_lines_of_code_are_not_read_first() -> None:
    texts = ("Field of the invention.", "The valve opens as the steam rises.", "The piston moves down the bore.")
    chunks = tuple(Chunk("own", 1, "Method", 0, len(text), text) for text in texts)
    found = Salience(chunks, np.array([0.9, 0.1, 0.4], np.float32), ())
    assert [one.text for one, _ in found.first(1)] == [texts[2]]
    assert [one.text for one, _ in found.first(3)] == list(texts)


def test_a_sentence_is_read_in_its_first_words(keyvec: KeyvecEncoder) -> None:
    opening = "steam valve piston crank " * 25
    one, other = (Document("a", abstract=opening + tail) for tail in ("", "gene protein cell " * 50))
    np.testing.assert_array_equal(keyvec.encode_documents([one]), keyvec.encode_documents([other]))


def test_three_thousand_sentences_are_read_and_no_more() -> None:
    keyvec = tiny.tiny_keyvec(channels=2, hidden=3, dim=4)
    many = [tiny.paper(sentences=count) for count in (2_996, 3_010)]
    rows, found = keyvec.encode_documents(many), keyvec.salience(many)
    assert np.isfinite(rows).all()
    assert [len(one.sentences) for one in found] == [2_996, 2_997]  # title and abstract take three
    few = tiny.tiny_keyvec(max_sentences=4)
    assert [len(one.sentences) for one in few.salience([tiny.paper(sentences=20)])] == [2]  # the abstract's

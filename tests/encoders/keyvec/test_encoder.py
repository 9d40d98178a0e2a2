"""KeyVec's encoder: the contract, the sentences that it reads, what it says of documents, storage."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.core import files
from engine.core.errors import EncoderError, StorageError
from engine.core.progress import Progress
from engine.documents import Chunk, Document, Section
from engine.encoders import registry
from engine.encoders.base import Encoder, groups
from engine.encoders.ctpe.embeddings import WordEmbeddings
from engine.encoders.keyvec import encoder as module
from engine.encoders.keyvec.encoder import KeyvecEncoder, KeyvecShape
from engine.encoders.keyvec.settings import METHOD, Salience
from tests.contracts.encoder import EMPTY, FOREIGN, EncoderContract, corpus
from tests.encoders.keyvec import tiny
from tests.encoders.keyvec.tiny import tiny_keyvec


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


def test_parts_that_do_not_fit_are_refused() -> None:
    with pytest.raises(EncoderError, match="Expected a network for words of 3 numbers, got one for 12"):
        KeyvecEncoder.of(WordEmbeddings(["a"], np.ones((1, 3), np.float32)), tiny.network(), tiny.KEYWORDS)
    with pytest.raises(EncoderError, match="Expected 20 different key words, one a row of U, got 2 with 1"):
        KeyvecEncoder.of(tiny.words(), tiny.network(), ("a", "a"))
    rows = np.full((1, 12), np.nan, np.float32)
    with pytest.raises(EncoderError, match="Expected word vectors of finite numbers"):
        KeyvecEncoder.of(WordEmbeddings(["a"], rows), tiny.network(), tiny.KEYWORDS)
    broken = tiny.network()
    with torch.no_grad():
        broken.out.bias[0] = torch.nan
    with pytest.raises(EncoderError, match=r"found others in out\.bias"):
        KeyvecEncoder.of(tiny.words(), broken, tiny.KEYWORDS)


def test_a_folder_of_other_shapes_is_refused(keyvec: KeyvecEncoder, tmp_path: Path) -> None:
    def changed(**settings: object) -> None:
        keyvec.save(tmp_path / "saved")
        card = files.read_json(tmp_path / "saved" / "card.json")
        card["facts"]["settings"] |= settings
        files.write_json(tmp_path / "saved" / "card.json", card)

    changed(keywords=0)
    with pytest.raises(StorageError, match="word_dim and keywords must be at least 1, got 12 and 0"):
        KeyvecEncoder.load(tmp_path / "saved")
    changed(unknown=1)
    with pytest.raises(StorageError, match="unknown"):
        KeyvecEncoder.load(tmp_path / "saved")
    changed(word_dim=13)
    with pytest.raises(StorageError, match="found other weights"):
        KeyvecEncoder.load(tmp_path / "saved")


def test_arrays_that_the_settings_do_not_fit_are_refused(keyvec: KeyvecEncoder) -> None:
    stored, shape = keyvec._weights, KeyvecShape(keyvec.settings, word_dim=12, keywords=21)
    with pytest.raises(EncoderError, match=r"Expected 21 key words and words of 12 numbers .* got 20 key words"):
        KeyvecEncoder(shape, stored.arrays, stored.words)


def test_facts_come_back_and_words_are_kept_as_bytes(tmp_path: Path) -> None:
    made = KeyvecEncoder.of(tiny.words(), tiny.network(), ("novel", *tiny.KEYWORDS[1:]), facts={"seed": 1})
    made.save(tmp_path / "saved")
    again = KeyvecEncoder.load(tmp_path / "saved")
    assert again.facts == {"seed": 1}
    assert again.settings == made.settings
    assert "novel" in dict(again.salience([tiny.paper()], keywords=20)[0].keywords)
    assert (tmp_path / "saved" / "vocabulary.txt").read_text().splitlines()[-1] == "novel"


def test_key_words_are_the_softmax_of_the_vector(keyvec: KeyvecEncoder) -> None:
    document = tiny.paper()
    (found,) = keyvec.salience([document], keywords=len(tiny.KEYWORDS))
    network = tiny.network().eval()
    words = tiny.words()
    ids = [words.ids(text, 100) for text in _sentences(document)]
    with torch.no_grad():
        rows = module.sentence_vectors(network, words.table, ids)
        vectors, _ = module.read_documents(network, rows, [len(ids)])
        logits = (network.keywords.weight @ vectors[0]).tolist()
    shares = np.exp(logits) / np.exp(logits).sum()
    assert dict(found.keywords) == pytest.approx(dict(zip(tiny.KEYWORDS, shares, strict=True)), abs=1e-3)
    assert [p for _, p in found.keywords] == sorted((p for _, p in found.keywords), reverse=True)
    assert len(keyvec.salience([document], keywords=3)[0].keywords) == 3


def _sentences(document: Document) -> list[str]:
    parts = [part for part in document.parts if part.role != "references"]
    return [f"{one}." for part in parts for one in part.text.split(".") if one.strip()]


def test_other_documents_change_no_probability(keyvec: KeyvecEncoder) -> None:
    documents = [tiny.paper(sentences=count) for count in (8, 40, 6)] + corpus()[:4]
    together = keyvec.salience(documents)
    for document, found in zip(documents, together, strict=True):
        (alone,) = keyvec.salience([document])
        assert alone.sentences == found.sentences
        np.testing.assert_allclose(alone.p, found.p, atol=1e-5)
        assert dict(alone.keywords) == pytest.approx(dict(found.keywords), abs=1e-5)


def test_documents_are_read_in_groups_that_are_bounded(keyvec: KeyvecEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [tiny.paper(sentences=count) for count in (8, 40, 6, 12)]
    rows, found = keyvec.encode_documents(documents), keyvec.salience(documents)
    monkeypatch.setattr(module, "_CHARACTERS_AT_ONCE", 900)
    monkeypatch.setattr(module, "_DOCUMENTS_AT_ONCE", 2)
    assert groups(documents, 900, 2) == [slice(0, 1), slice(1, 2), slice(2, 4)]
    np.testing.assert_allclose(keyvec.encode_documents(documents), rows, atol=1e-6)
    for one, other in zip(keyvec.salience(documents), found, strict=True):
        np.testing.assert_allclose(one.p, other.p, atol=1e-5)


@pytest.mark.parametrize(
    "document",
    [
        EMPTY,
        FOREIGN,
        Document("word", title="steam"),
        Document("numbers", title="12 34", abstract="3.14 2.72! 100 % of 7.", sections=(Section("1", "1 2 3. 4 5."),)),
        Document("script", abstract="蒸汽机的锅炉。 Паровая машина. المحرك البخاري؟ \ud83d"),
        Document("cited", sections=(Section("References", "Steam and boiler.", "references"),)),
        Document("long", abstract="boiler " * 5_000),
        Document("spaces", title=" \n\t", abstract="\x00\x0b", sections=(Section("", ""),)),
    ],
    ids=lambda document: document.id,
)
def test_a_poor_document_gives_a_result_without_nan(keyvec: KeyvecEncoder, document: Document) -> None:
    rows = keyvec.encode_documents([document])
    assert np.isfinite(rows).all()
    (found,) = keyvec.salience([document])
    assert np.isfinite(found.p).all()
    assert all(np.isfinite(p) for _, p in found.keywords)
    has_words = document.id in {"word", "long"}
    assert rows.any() == has_words and bool(found.keywords) == has_words


def test_the_registry_reads_its_folder_by_the_method(keyvec: KeyvecEncoder, tmp_path: Path) -> None:
    keyvec.save(tmp_path / "saved")
    assert registry.load_folder(tmp_path / "saved").card == keyvec.card
    assert files.read_json(tmp_path / "saved" / "card.json")["method"] == METHOD


def test_many_sentences_are_weighed_in_steps_that_are_told(
    keyvec: KeyvecEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Progress] = []
    (at_once,) = keyvec.salience([tiny.paper(sentences=40)])
    monkeypatch.setattr(module, "_SENTENCES_AT_ONCE", 7)
    (in_steps,) = keyvec.salience([tiny.paper(sentences=40)], report=told.append)
    np.testing.assert_allclose(in_steps.p, at_once.p, atol=1e-5)
    assert (told[-1].stage, told[-1].done, told[-1].total) == ("weigh sentences", 43, 43)


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return tiny_keyvec()

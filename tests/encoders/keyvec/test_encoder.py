"""What a KeyVec encoder says of documents, and what it makes of bad ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from engine.core import files
from engine.core.progress import Progress
from engine.documents import Document, Section
from engine.encoders import registry
from engine.encoders.keyvec import encoder as module
from engine.encoders.keyvec.encoder import KeyvecEncoder
from engine.encoders.keyvec.settings import METHOD
from tests.contracts.encoder import EMPTY, FOREIGN, corpus
from tests.encoders.keyvec import tiny


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
    assert [(part.start, part.stop) for part in module._groups(documents)] == [(0, 1), (1, 2), (2, 4)]
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

"""What to read first of a document: read once, kept for a while, refused of other encoders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.core.errors import StorageError
from engine.core.progress import Report
from engine.documents import Document
from engine.encoders import registry
from engine.encoders.keyvec import KeyvecEncoder, Salience
from engine.library import Library
from engine.workspace import salience
from engine.workspace.salience import SalienceReader
from tests.encoders.keyvec.tiny import paper, tiny_keyvec


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("weights")
    tiny_keyvec().save(folder / "keyvec")
    return folder


@pytest.fixture
def reader(weights: Path, monkeypatch: pytest.MonkeyPatch) -> SalienceReader:
    monkeypatch.setattr(registry, "PRETRAINED", weights)
    return SalienceReader()


def test_a_document_is_read_once(reader: SalienceReader, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    plain = KeyvecEncoder.salience

    def counted(self: KeyvecEncoder, documents: Sequence[Document], *, keywords: int, report: Report) -> list[Salience]:
        read.extend(document.id for document in documents)
        return plain(self, documents, keywords=keywords, report=report)

    monkeypatch.setattr(KeyvecEncoder, "salience", counted)
    one, two = paper("one"), paper("two", sentences=6)
    assert reader.known(one) is None
    first = reader.read([one, two, one])
    assert [len(found.sentences) for found in first] == [8, 6, 8]
    assert "boiler" in {word for word, _ in first[0].keywords}
    again = reader.read([two, one])
    assert [again[1], again[0]] == first[:2]
    assert read == ["one", "two"]
    assert reader.known(one) is first[0]


def test_what_was_said_of_many_documents_is_forgotten_in_turn(
    reader: SalienceReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(salience, "_KEPT", 2)
    documents = [paper(name) for name in "abc"]
    assert len(reader.read(documents)) == 3
    assert [reader.known(document) is not None for document in documents] == [False, True, True]


def test_the_encoder_is_loaded_ahead(reader: SalienceReader, monkeypatch: pytest.MonkeyPatch) -> None:
    reader.warm()
    monkeypatch.setattr(registry, "load", None)  # it is not asked for
    assert reader.encoder().card.name == "keyvec"


def test_an_encoder_that_is_missing_or_damaged_stops_no_warming(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    missing = SalienceReader()
    assert not missing.is_there() and missing.known(paper("one")) is None
    missing.warm()
    tiny_keyvec().save(tmp_path / "keyvec")
    (tmp_path / "keyvec" / "weights.safetensors").write_bytes(b"no weights")
    with caplog.at_level("INFO"):
        SalienceReader().warm()
    assert "it is damaged" in caplog.text
    with pytest.raises(StorageError, match="it is damaged"):
        SalienceReader().read([paper("one")])


def test_a_library_that_has_changed_has_its_documents_read_again(
    weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "PRETRAINED", weights)
    monkeypatch.setattr(salience, "_TELLING_DOCUMENTS", 2)
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("own", "own.jsonl", [paper("a"), paper("b")])
        reader = SalienceReader(library=lambda: library)
        reader.read([paper("one")])
        assert reader.known(paper("one")) is not None
        library.add_file("more", "more.jsonl", [paper("c", sentences=6)])
        assert reader.known(paper("one")) is None

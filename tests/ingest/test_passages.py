"""The passages of a library's documents: all of them, none twice, and as the texts are now."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from engine import ingest
from engine.documents import Chunk, Document
from engine.ingest import passages as module
from engine.ingest.passages import has_passages_left, index_passages, open_passages
from engine.library import Library
from engine.passages import PassageStore, cut, filling
from engine.progress import Progress
from tests.ingest.letters import completing, reference
from tests.passages.made import paper


class LetterPassages:
    """Reads a passage by how often it holds each letter; counts what it reads, and may stop."""

    fingerprint, dim = "letters", 26

    def __init__(self, stop_after: int | None = None) -> None:
        self.read: list[str] = []
        self._stop_after = stop_after

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> np.ndarray:
        rows = []
        for document, chunks in read:
            if self._stop_after is not None and len(self.read) >= self._stop_after:
                raise KeyboardInterrupt
            self.read.append(document.id)
            rows += [[one.text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for one in chunks]
        return np.array(rows, np.float32).reshape(-1, 26)


def counts(store: PassageStore) -> dict[str, int]:
    view = store.view()
    return {name: int(view.counts[number]) for name, number in view.number_of.items()}


def wanted(library: Library) -> dict[str, int]:
    return {document.id: len(cut(document)) for document in library.iter_documents()}


@pytest.fixture
def filled(library: Library, monkeypatch: pytest.MonkeyPatch) -> Library:
    monkeypatch.setattr(filling, "_PASSAGES_AT_ONCE", 5)
    monkeypatch.setattr(filling, "_SECONDS_KEPT", 0)
    library.add_file("k", "papers", [paper(f"d{n}", body=20 * (n % 4)) for n in range(12)])
    return library


def test_every_document_is_read_once(filled: Library) -> None:
    encoder, told = LetterPassages(), list[Progress]()
    store = index_passages(filled, encoder, report=told.append)
    assert counts(store) == wanted(filled) == counts(open_passages(filled, encoder))
    assert sorted(encoder.read) == sorted(filled.ids())
    assert (told[-1].stage, told[-1].done, told[-1].total) == ("read passages", 12, 12)
    index_passages(filled, encoder)
    assert len(encoder.read) == 12


def test_reading_goes_on_where_it_was_stopped(filled: Library) -> None:
    with pytest.raises(KeyboardInterrupt):
        index_passages(filled, LetterPassages(stop_after=7))
    encoder = LetterPassages()
    held = len(open_passages(filled, encoder))
    assert 0 < held <= 7
    store = index_passages(filled, encoder)
    assert len(encoder.read) == 12 - held and counts(store) == wanted(filled)


def test_a_text_that_changed_is_read_again(library: Library) -> None:
    library.add_file("k", "papers", [reference(1), paper("other")])
    encoder = LetterPassages()
    index_passages(library, encoder)
    library.add_file("k2", "full text", [completing(1)])
    assert len(open_passages(library, encoder)) == 1
    encoder.read.clear()
    after = counts(index_passages(library, encoder))
    assert encoder.read == [reference(1).id] and after == wanted(library)
    encoder.read.clear()
    index_passages(library, encoder)
    assert not encoder.read


def test_a_removed_document_has_no_passages(filled: Library) -> None:
    encoder = LetterPassages()
    index_passages(filled, encoder)
    ingest.remove_documents(filled, ["d1", "d5"])
    kept = PassageStore.kept(filled.passages_folder / "letters")
    assert set(kept.ids) == set(filled.ids())


def test_damaged_passages_are_read_again(filled: Library) -> None:
    encoder = LetterPassages()
    index_passages(filled, encoder)
    (filled.passages_folder / "letters" / "passages.json").write_text("{", "utf-8")
    assert counts(index_passages(filled, encoder)) == wanted(filled)


def test_passages_that_were_read_in_another_way_go(filled: Library) -> None:
    other = LetterPassages()
    other.fingerprint = "other"
    index_passages(filled, other)
    index_passages(filled, LetterPassages())
    assert [folder.name for folder in filled.passages_folder.iterdir()] == ["letters"]


def test_what_cannot_be_read_is_left_when_documents_are_removed(
    filled: Library, caplog: pytest.LogCaptureFixture
) -> None:
    index_passages(filled, LetterPassages())
    (filled.passages_folder / "letters" / "passages.json").write_text("{}", "utf-8")
    ingest.remove_documents(filled, ["d1"])
    assert "are left as they are" in caplog.text


def test_a_stopped_reading_is_known_without_what_reads(filled: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "passages_fingerprint", lambda: "letters")
    assert not has_passages_left(filled)  # not begun
    with pytest.raises(KeyboardInterrupt):
        index_passages(filled, LetterPassages(stop_after=7))
    assert has_passages_left(filled)
    index_passages(filled, LetterPassages())
    assert not has_passages_left(filled)
    (filled.passages_folder / "letters" / "passages.json").write_text("{", "utf-8")
    assert has_passages_left(filled)


def test_passages_that_another_encoder_read_are_left_to_read(filled: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    index_passages(filled, LetterPassages())
    monkeypatch.setattr(module, "passages_fingerprint", lambda: "words")
    assert has_passages_left(filled)

"""Documents out of a library and out of its vectors."""

from __future__ import annotations

import logging

import pytest

from engine.core.errors import LibraryError, UnknownDocumentError
from engine.documents import Document
from engine.encoders import registry
from engine.library import Library
from engine.workspace import removing
from engine.workspace.indexing import encoder_for, index_library, open_index, whole_index
from engine.workspace.removing import remove_documents, remove_file
from tests.workspace.letters import Letters, completing, reference

KITES = [Document(f"d{n}", title=f"Kites of kind {n} in the wind") for n in range(3)]


def encoded(library: Library) -> None:
    """Two files of kites, read by an encoder that learns from the library."""
    library.add_file("k1", "one.jsonl", KITES[:2])
    library.add_file("k2", "two.jsonl", KITES[2:])
    index_library(library, encoder_for(library, "tfidf"))


def kept(library: Library) -> list[str]:
    """The documents that have a vector."""
    return sorted(open_index(library, encoder_for(library, "tfidf")).ids)


def test_a_document_goes_with_its_vector(library: Library) -> None:
    encoded(library)
    assert remove_documents(library, ["d0"]) == ["d0"]
    assert library.ids() == kept(library) == ["d1", "d2"]


def test_a_file_goes_with_the_vectors_of_its_documents(library: Library) -> None:
    encoded(library)
    assert remove_file(library, "k1") == ["d0", "d1"]
    assert library.ids() == kept(library) == ["d2"]


def test_what_is_not_held_is_told_and_nothing_goes(library: Library) -> None:
    encoded(library)
    with pytest.raises(UnknownDocumentError, match="stranger"):
        remove_documents(library, ["d0", "stranger"])
    with pytest.raises(LibraryError, match="Expected"):
        remove_file(library, "k3")
    assert library.ids() == kept(library) == ["d0", "d1", "d2"]


def test_an_empty_library_keeps_no_vectors(library: Library) -> None:
    encoded(library)
    remove_documents(library, ["d0", "d1", "d2"])
    assert not library.vectors_folder("tfidf").exists()


def test_damaged_vectors_are_left_as_they_are_with_a_warning(
    library: Library, caplog: pytest.LogCaptureFixture
) -> None:
    encoded(library)
    (damaged,) = library.vectors_folder("tfidf").glob("*/rows.safetensors")
    damaged.write_bytes(b"no rows")
    with caplog.at_level(logging.WARNING, logger=removing.__name__):
        assert remove_documents(library, ["d0"]) == ["d0"]
    assert library.ids() == ["d1", "d2"]
    assert "the vectors of tfidf are left as they are" in caplog.text
    assert damaged.read_bytes() == b"no rows"


def test_encoders_that_have_read_nothing_are_not_loaded(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    library.add_file("k1", "one.jsonl", KITES)
    monkeypatch.setattr(registry, "load", pytest.fail)
    assert remove_documents(library, ["d1"]) == ["d1"]


def test_a_revision_s_number_is_never_given_again(library: Library) -> None:
    library.add_file("k1", "refs.bib", [reference(1), reference(2)])
    library.add_file("k2", "one.pdf", [completing(1)])
    index_library(library, Letters())
    remove_documents(library, ["r1"])
    assert library.revision() == 1 and library.revised_since(0) == []
    library.add_file("k3", "two.pdf", [completing(2)])
    assert library.revised_since(1) == ["r2"]
    encoder = Letters()
    kept = whole_index(library, encoder).rows(["r2"])
    assert encoder.read == 1
    assert kept.tolist() == encoder.encode_documents(library.get(["r2"])).tolist()

"""What is said of an encoder without loading it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.documents import Document
from engine.encoders import registry
from engine.workspace.opened_library import load_named
from engine.workspace.workspace import Workspace
from tests.explorer.conftest import OWN
from tests.few_codes import codes_for_few

NAME = "word2vec-sif"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "library", create=True) as opened:
        opened.library.add_file("own", "own.jsonl", OWN)
        yield opened


def test_a_library_holds_a_document_word_for_word(workspace: Workspace) -> None:
    assert workspace.holds_document(OWN[0])
    assert not workspace.holds_document(Document("p1", "paper", "Another text"))
    assert not workspace.holds_document(Document("other", title="Kites"))


def test_an_encoder_that_learns_has_a_card_and_files_of_its_own_once_it_has(workspace: Workspace) -> None:
    library = workspace.library
    assert workspace.encoder_card("tfidf").dim == 0 and workspace.encoder_files("tfidf") is None
    assert workspace.encoder_bytes("tfidf") == 0
    encoder = workspace.encoder("tfidf")
    card = workspace.encoder_card("tfidf")
    assert (card.dim, card.fingerprint) == (encoder.card.dim, encoder.card.fingerprint)
    assert card.trained_on == ("your library",)
    assert workspace.encoder_files("tfidf") == library.encoder_folder("tfidf")
    assert workspace.encoder_bytes("tfidf") > 0
    (library.encoder_folder("tfidf") / "card.json").write_text("{}")
    assert workspace.encoder_card("tfidf").dim == 0  # it has yet to learn again


def test_a_joined_encoder_takes_the_room_of_its_parts_too(workspace: Workspace) -> None:
    sizes = {name: workspace.encoder_bytes(name) for name in ("blend", *registry.find("blend").joins)}
    whole = sizes.pop("blend")
    assert len(sizes) == 2 and whole > sum(sizes.values()) > 0


def test_vectors_are_there_once_the_library_is_read(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not workspace.has_vectors(NAME) and workspace.vector_bytes(NAME) == 0
    workspace.prepare(NAME)
    assert workspace.has_vectors(NAME) and workspace.vector_bytes(NAME) >= 100
    assert not workspace.uses_codes(NAME)
    codes_for_few(monkeypatch, above=5)
    assert not workspace.uses_codes(NAME)  # they are due, and not made yet
    workspace.forget()
    assert not workspace.searcher(NAME)._index.is_exact and workspace.uses_codes(NAME)


def test_an_encoder_goes_by_its_name_or_its_folder(workspace: Workspace, tmp_path: Path) -> None:
    workspace.encoder("tfidf").save(tmp_path / "mine")
    assert load_named(str(tmp_path / "mine")).card.name == "tfidf"
    assert load_named(NAME).card.name == NAME

"""Collections: kept in the library, changed at once, and a limit on what is searched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import LibraryError, UnknownDocumentError
from engine.documents import Document
from engine.library.collections import Collections
from engine.library.filters import Filters
from engine.library.store import Library

DOCUMENTS = [
    Document(f"p{number}", "paper", f"Stable flight of {shape} kites in gusty coastal wind", "They flew.", year=2015)
    for number, shape in enumerate(("box", "delta", "diamond", "sled", "rotor"))
]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library", create=True) as opened:
        opened.add_file("k1", "five.jsonl", DOCUMENTS)
        yield opened


def test_a_library_without_collections_has_none(library: Library) -> None:
    kept = library.collections
    assert (kept.counts(), kept.holding(["p1"]), kept.version()) == ({}, {}, "0")
    assert library.ids(Filters(collections=frozenset({"Kites"}))) == []
    with pytest.raises(LibraryError, match="Expected the name of a collection, got 'Kites'; the library has none yet"):
        kept.ids("Kites")


def test_documents_are_there_after_reopening_in_the_order_they_came(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "five.jsonl", DOCUMENTS)
        assert library.collections.add("To read", ["p3"]) == 1
        assert library.collections.add("to  read ", ["p1", "p3"]) == 1
        library.collections.add("Claims", [])
    with Library.open(tmp_path) as library:
        assert library.collections.counts() == {"Claims": 0, "To read": 2}
        assert library.collections.ids("TO READ") == ["p3", "p1"]
        assert library.collections.holding(["p1", "p2", "p3"]) == {"To read": 2}


def test_a_document_taken_out_leaves_and_the_collection_stays(library: Library) -> None:
    library.collections.add("Kites", ["p1", "p2"])
    before = library.collections.version()
    assert library.collections.take_out("Kites", ["p2", "p4"]) == 1
    assert library.collections.take_out("kites", ["p1"]) == 1
    assert library.collections.counts() == {"Kites": 0}
    assert library.collections.version() != before
    assert library.get(["p1"]) == [DOCUMENTS[1]]


def test_a_folded_duplicate_stands_for_what_it_is_folded_into(library: Library) -> None:
    copy = replace(DOCUMENTS[2], id="copy-of-p2")
    assert library.add_file("k2", "copy.jsonl", [copy]).folded == 1
    library.collections.add("Kites", ["copy-of-p2"])
    assert library.collections.ids("Kites") == ["p2"]
    assert library.collections.add("Kites", ["p2"]) == 0
    assert library.collections.holding(["copy-of-p2"]) == {"Kites": 1}
    assert library.collections.take_out("Kites", ["copy-of-p2"]) == 1


def test_what_is_not_held_cannot_be_kept_and_nothing_else_is(library: Library) -> None:
    with pytest.raises(UnknownDocumentError, match="holds none with the id 'p9'"):
        library.collections.add("Kites", ["p1", "p9"])
    assert library.collections.counts() == {}


def test_a_collection_is_renamed_and_only_to_a_free_name(library: Library) -> None:
    library.collections.add("Kites", ["p1"])
    library.collections.add("Reels", ["p2"])
    with pytest.raises(LibraryError, match="a name that no collection has, got 'reels'; there is one called 'Reels'"):
        library.collections.rename("Kites", "reels")
    version = library.collections.version()
    library.collections.rename("Kites", "KITES")
    assert library.collections.counts() == {"KITES": 1, "Reels": 1}
    library.collections.rename("kites", "Box kites")
    assert library.collections.ids("Box kites") == ["p1"]
    assert library.collections.version() != version


def test_a_collection_is_deleted_and_its_documents_stay(library: Library) -> None:
    library.collections.add("Kites", ["p1"])
    library.collections.add("Reels", ["p1"])
    library.collections.delete("Kites")
    assert library.collections.counts() == {"Reels": 1}
    assert len(library) == len(DOCUMENTS)
    with pytest.raises(LibraryError, match="got 'Kites'; the library has Reels"):
        library.collections.delete("Kites")


@pytest.mark.parametrize("name", ["", "  \n", "x" * (Collections.MAX_NAME + 1), "a\x00b", "turned \u202e round"])
def test_a_name_must_be_seen_and_short(library: Library, name: str) -> None:
    with pytest.raises(
        LibraryError, match=f"a collection's name of 1 to {Collections.MAX_NAME} characters that can be seen"
    ):
        library.collections.add(name, ["p1"])
    library.collections.add("Kites", [])
    with pytest.raises(LibraryError, match="characters that can be seen"):
        library.collections.rename("Kites", name)


def test_collections_limit_what_is_asked_for(library: Library) -> None:
    library.collections.add("Kites", ["p3", "p1"])
    library.collections.add("Reels", ["p2"])
    asked = [frozenset({"kites"}), frozenset({"Kites", "Reels"}), frozenset({"Kites", "none"}), frozenset({"none"})]
    found = [library.ids(Filters(collections=names)) for names in asked]
    assert found == [["p1", "p3"], ["p1", "p2", "p3"], ["p1", "p3"], []]
    assert library.ids(Filters(kinds=frozenset({"patent"}), collections=frozenset({"Kites"}))) == []

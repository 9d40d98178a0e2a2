"""A file of a library goes with the documents that it alone brought."""

from __future__ import annotations

import sqlite3

import pytest

from engine.core.errors import LibraryError
from engine.library.store import Library
from tests.library.taken_out import KITES, REELS


def test_a_file_goes_with_what_it_alone_brought(imported: Library) -> None:
    assert imported.documents_of_file("k1") == ["US1"]  # the paper came with the second file, too
    assert imported.remove_file("k1") == ["US1"]
    assert imported.ids() == ["p1", "p2"]
    assert [file.name for file in imported.files()] == ["pools.jsonl"]
    assert imported.remove_file("k2") == ["p1", "p2"]
    assert (len(imported), imported.files()) == (0, [])


def test_a_file_that_is_gone_can_come_again(imported: Library) -> None:
    imported.remove_file("k1")
    assert not imported.has_file("k1")
    assert imported.add_file("k1", "kites.jsonl", [KITES, REELS]).added == 1
    assert sorted(imported.ids()) == ["US1", "p1", "p2"]


def test_a_file_that_nothing_is_left_of_is_forgotten(imported: Library) -> None:
    imported.remove(["US1"])
    assert imported.has_file("k1")
    imported.remove(["p1"])
    assert not imported.has_file("k1") and imported.has_file("k2")


def test_a_file_of_before_is_named(imported: Library) -> None:
    with sqlite3.connect(imported.folder / "library.sqlite3") as connection:
        connection.execute("DELETE FROM origins")  # as a library of version 1 comes in
    with pytest.raises(LibraryError, match=r"kites\.jsonl was imported before this was kept"):
        imported.remove_file("k1")
    assert imported.remove(["p1"]) == ["p1"]
    with pytest.raises(LibraryError, match="Expected a file of the library, got the key 'k9'"):
        imported.documents_of_file("k9")

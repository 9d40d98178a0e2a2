"""What is removed is gone from every table, and nothing else is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine import text
from engine.documents import Document, Section
from engine.errors import LibraryError, UnknownDocumentError
from engine.library import Library

KITES = Document(
    "p1",
    "paper",
    "Stable flight of tethered kites in gusts",
    "We fly kites.",
    (Section("Method", "A kite on a line."),),
    year=2015,
    categories=("cs.RO",),
)
REELS = Document("US1", "patent", "Kite reel", "A reel for a line.", claims=("A reel with a drum.",), family="f")
POOLS = Document("p2", "paper", "Tide pools at night", "Pools cool before dawn.", year=2020, venue="Shores")
TABLES = ("documents", "contents", "postings", "categories", "identities", "aliases")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library", create=True) as opened:
        opened.add_file("k1", "kites.jsonl", [KITES, REELS])
        opened.add_file("k2", "pools.jsonl", [POOLS, replace(KITES, id="copy of p1")])
        yield opened


def rows(library: Library, table: str) -> int:
    with sqlite3.connect(library.folder / "library.sqlite3") as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def test_a_document_is_gone_from_every_table(library: Library) -> None:
    library.collections.add("Wind", ["p1", "p2"])
    library.judgements.judge(POOLS, "p1", 1)
    library.judgements.judge(REELS, "p2", 1)
    before = {table: rows(library, table) for table in TABLES}
    assert library.remove(["p1"]) == ["p1"]
    assert library.ids() == ["US1", "p2"] and len(library) == 2
    with pytest.raises(UnknownDocumentError):
        library.get(["p1"])
    assert {table for table in TABLES if rows(library, table) < before[table]} == set(TABLES)
    assert library.collections.ids("Wind") == ["p2"]
    assert [one.query.id for one in library.judgements.queries()] == ["US1"]
    assert library.category_counts() == {}


def test_what_is_left_is_found_as_if_the_other_had_never_been(library: Library, tmp_path: Path) -> None:
    library.remove(["p1"])
    with Library.open(tmp_path / "other", create=True) as other:
        other.add_file("k", "rest.jsonl", [REELS, POOLS])
        for question in ("kite", "reel line", "pools dawn", "kites " * 20):
            assert library.keywords.search(question, 9) == other.keywords.search(question, 9)
        assert library.title_matches("ki") == other.title_matches("ki") == ["US1"]
        assert library.duplicates_of(KITES) == set()


def test_the_postings_in_memory_are_read_again(library: Library) -> None:
    question = "kites in gusts on a line of a kite before the dawn at the tide pools"  # too long for FTS5
    assert "p2" in [hit.id for hit in library.keywords.search(question, 9)]
    library.remove(["p2"])  # the last: its position is the highest
    assert "p2" not in [hit.id for hit in library.keywords.search(question, 9)]


def test_the_place_of_what_went_is_not_given_to_what_comes(library: Library) -> None:
    versions = [library.version()]
    library.remove(["p2"])
    versions.append(library.version())
    library.add_file("k3", "new.jsonl", [Document("p3", "paper", "Harbour seals")])
    versions.append(library.version())
    assert versions == sorted(set(versions))
    assert library.title_matches("tide") == library.title_matches("pools") == []
    assert library.title_matches("seals") == ["p3"]


def test_words_that_were_indexed_otherwise_stay_unreachable(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = text.tokens
    monkeypatch.setattr(text, "tokens", lambda given: [f"new{token}" for token in tokens(given)])
    library.remove(["p2"])
    monkeypatch.undo()
    assert library.title_matches("tide") == [] and library.keywords.search("pools", 9) == []


def test_all_or_none(library: Library) -> None:
    with pytest.raises(UnknownDocumentError, match="it holds none with the id 'nowhere'"):
        library.remove(["p1", "nowhere"])
    assert len(library) == 3
    assert library.remove([]) == []
    assert library.remove(["p1", "p1"]) == ["p1"]


def test_a_file_goes_with_what_it_alone_brought(library: Library) -> None:
    assert library.documents_of_file("k1") == ["US1"]  # the paper came with the second file, too
    assert library.remove_file("k1") == ["US1"]
    assert library.ids() == ["p1", "p2"]
    assert [file.name for file in library.files()] == ["pools.jsonl"]
    assert library.remove_file("k2") == ["p1", "p2"]
    assert (len(library), library.files()) == (0, [])


def test_a_file_that_is_gone_can_come_again(library: Library) -> None:
    library.remove_file("k1")
    assert not library.has_file("k1")
    assert library.add_file("k1", "kites.jsonl", [KITES, REELS]).added == 1
    assert sorted(library.ids()) == ["US1", "p1", "p2"]


def test_a_file_that_nothing_is_left_of_is_forgotten(library: Library) -> None:
    library.remove(["US1"])
    assert library.has_file("k1")
    library.remove(["p1"])
    assert not library.has_file("k1") and library.has_file("k2")


def test_a_file_of_before_is_named(library: Library) -> None:
    with sqlite3.connect(library.folder / "library.sqlite3") as connection:
        connection.execute("DELETE FROM origins")  # as a library of version 1 comes in
    with pytest.raises(LibraryError, match=r"kites\.jsonl was imported before this was kept"):
        library.remove_file("k1")
    assert library.remove(["p1"]) == ["p1"]
    with pytest.raises(LibraryError, match="Expected a file of the library, got the key 'k9'"):
        library.documents_of_file("k9")

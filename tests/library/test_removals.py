"""Documents taken out of a library, with all that was kept of them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from engine.core.errors import UnknownDocumentError
from engine.documents import Document, text
from engine.library.store import Library
from tests.library.taken_out import KITES, POOLS, REELS

TABLES = ("documents", "contents", "postings", "categories", "identities", "aliases")


def rows(imported: Library, table: str) -> int:
    with sqlite3.connect(imported.folder / "library.sqlite3") as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def test_a_document_is_gone_from_every_table(imported: Library) -> None:
    imported.collections.add("Wind", ["p1", "p2"])
    imported.judgements.judge(POOLS, "p1", 1)
    imported.judgements.judge(REELS, "p2", 1)
    before = {table: rows(imported, table) for table in TABLES}
    assert imported.remove(["p1"]) == ["p1"]
    assert imported.ids() == ["US1", "p2"] and len(imported) == 2
    with pytest.raises(UnknownDocumentError):
        imported.get(["p1"])
    assert {table for table in TABLES if rows(imported, table) < before[table]} == set(TABLES)
    assert imported.collections.ids("Wind") == ["p2"]
    assert [one.query.id for one in imported.judgements.queries()] == ["US1"]
    assert imported.category_counts() == {}


def test_what_is_left_is_found_as_if_the_other_had_never_been(imported: Library, tmp_path: Path) -> None:
    imported.remove(["p1"])
    with Library.open(tmp_path / "other", create=True) as other:
        other.add_file("k", "rest.jsonl", [REELS, POOLS])
        for question in ("kite", "reel line", "pools dawn", "kites " * 20):
            assert imported.keywords.search(question, 9) == other.keywords.search(question, 9)
        assert imported.title_matches("ki") == other.title_matches("ki") == ["US1"]
        assert imported.duplicates_of(KITES) == set()


def test_the_postings_in_memory_are_read_again(imported: Library) -> None:
    question = "kites in gusts on a line of a kite before the dawn at the tide pools"  # too long for FTS5
    assert "p2" in [hit.id for hit in imported.keywords.search(question, 9)]
    imported.remove(["p2"])  # the last: its position is the highest
    assert "p2" not in [hit.id for hit in imported.keywords.search(question, 9)]


def test_the_place_of_what_went_is_not_given_to_what_comes(imported: Library) -> None:
    versions = [imported.version()]
    imported.remove(["p2"])
    versions.append(imported.version())
    imported.add_file("k3", "new.jsonl", [Document("p3", "paper", "Harbour seals")])
    versions.append(imported.version())
    assert versions == sorted(set(versions))
    assert imported.title_matches("tide") == imported.title_matches("pools") == []
    assert imported.title_matches("seals") == ["p3"]


def test_words_that_were_indexed_otherwise_stay_unreachable(imported: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = text.tokens
    monkeypatch.setattr(text, "tokens", lambda given: [f"new{token}" for token in tokens(given)])
    imported.remove(["p2"])
    monkeypatch.undo()
    assert imported.title_matches("tide") == [] and imported.keywords.search("pools", 9) == []


def test_all_or_none(imported: Library) -> None:
    with pytest.raises(UnknownDocumentError, match="it holds none with the id 'nowhere'"):
        imported.remove(["p1", "nowhere"])
    assert len(imported) == 3
    assert imported.remove([]) == []
    assert imported.remove(["p1", "p1"]) == ["p1"]

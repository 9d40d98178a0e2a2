"""Files written into a library whole or not at all, and documents and files removed with all that was kept of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import InputError, LibraryError, UnknownDocumentError
from engine.documents import Document, text
from engine.library.records import Added
from engine.library.store import Library
from tests.library.records import ARTICLE, KITES, PAPER, PATENT, POOLS, REELS, REFERENCE, WHOLE


def test_a_file_that_fails_midway_leaves_nothing(library: Library) -> None:
    def documents() -> Iterator[Document]:
        yield PAPER
        raise InputError("line 2 is broken")

    with pytest.raises(InputError, match="line 2"):
        library.add_file("k1", "broken.jsonl", documents())
    assert len(library) == 0 and not library.has_file("k1")
    assert library.keywords.search("kites", 3) == []
    assert library.add_file("k1", "mended.jsonl", [PAPER, PATENT]) == Added(2, 0)
    assert [hit.id for hit in library.keywords.search("reel", 3)] == [PATENT.id]


def test_the_same_file_adds_nothing_twice(library: Library) -> None:
    library.add_file("k1", "two.jsonl", [PAPER, PATENT])
    assert library.add_file("k1", "copy.jsonl", [PAPER, PATENT]) == Added(0, 0)
    assert [file.name for file in library.files()] == ["two.jsonl"]


def test_a_failure_is_kept_until_the_file_succeeds(library: Library) -> None:
    library.record_failure("bad.pdf", "Expected text; found pictures.")
    assert [(failure.name, failure.reason) for failure in library.failures()] == [
        ("bad.pdf", "Expected text; found pictures.")
    ]
    library.add_file("k1", "bad.pdf", [PAPER])
    assert library.failures() == []


def test_half_characters_are_replaced(library: Library) -> None:
    library.add_file("k1", "odd.jsonl", [Document("a\ud800", title="Kites \udfff fly", venue="\ud800")])
    (document,) = library.iter_documents()
    assert document.title == "Kites ? fly" and library.ids() == ["a?"]


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


def test_a_changed_text_is_told_of_once(library: Library) -> None:
    library.add_file("k1", "refs.bib", [REFERENCE, replace(ARTICLE, id="other", title="Box kites and their many uses")])
    assert (library.revision(), library.revised_since(0)) == (0, [])
    library.add_file("k2", "paper.pdf", [WHOLE])
    assert (library.revision(), library.revised_since(0)) == (1, ["gale2015"])
    assert library.revised_since(1) == []
    library.add_file("k3", "again.pdf", [replace(WHOLE, id="file:2", abstract="We fly kites again.")])
    assert library.revision() == 1

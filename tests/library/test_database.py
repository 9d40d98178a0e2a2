"""The file of a library: opened, migrated, shared by processes, and written whole or not at all, even when killed."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from engine.core.errors import InputError, LibraryError, StorageError, UnknownDocumentError
from engine.core.progress import Progress
from engine.documents import Document, text
from engine.library.database import LIBRARY_VARIABLE, default_library, inspect_database
from engine.library.filters import Filters
from engine.library.listing import Order
from engine.library.records import Added, pack
from engine.library.store import Library
from engine.library.writer import FileWriter
from tests.conftest import PROJECT
from tests.library.records import ARTICLE, KITES, PAPER, PATENT, POOLS, REELS, REFERENCE, WHOLE
from tests.library.told import FILES, PER_FILE, documents


def test_no_library_in_the_folder(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="there is none"):
        Library.open(tmp_path / "absent")
    assert not (tmp_path / "absent").exists()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LibraryError, match="Expected to make a library in"):
        Library.open(tmp_path / "file" / "library", create=True)


def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "library.sqlite3").write_bytes(b"this is not a database: " * 100)
    with pytest.raises(StorageError, match="Expected a library's database at"):
        Library.open(tmp_path)


def test_a_refused_database_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def remember(path: Path, **_: object) -> sqlite3.Connection:
        opened.append(connect(path))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", remember)
    (tmp_path / "library.sqlite3").write_bytes(b"this is not a database: " * 100)
    with pytest.raises(StorageError):
        Library.open(tmp_path)
    with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
        opened[0].execute("SELECT 1")


def test_damage_that_shows_while_reading_is_said(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "many.jsonl", [Document(f"d{n}", title=f"Kite {n} " * 200) for n in range(60)])
    path = tmp_path / "library.sqlite3"
    with sqlite3.connect(path) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'contents'"
        first = (connection.execute(query).fetchone()[0] - 1) * 4096
        assert connection.execute("PRAGMA page_size").fetchone() == (4096,)
    connection.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:first] + b"damaged!" * 512 + whole[first + 4096 :])
    with Library.open(tmp_path) as library, pytest.raises(StorageError, match=r"SQLite says: .*malformed"):
        library.get(["d1"])


def test_nothing_is_written_into_a_library_that_was_deleted(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    with Library.open(folder, create=True) as library:
        assert library.is_in_place()
        folder.rename(tmp_path / "elsewhere")
        assert not library.is_in_place()
        with pytest.raises(StorageError, match="it was deleted, moved or replaced meanwhile"):
            library.add_file("k1", "one.jsonl", [PAPER])
        assert len(library) == 0


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "library.sqlite3") as connection:
        connection.execute("CREATE TABLE notes (text)")
    connection.close()
    with pytest.raises(StorageError, match="found a database of another program"):
        Library.open(tmp_path)


def test_a_library_of_another_version_is_refused(tmp_path: Path) -> None:
    Library.open(tmp_path, create=True).close()
    with sqlite3.connect(tmp_path / "library.sqlite3") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(
        StorageError, match=r"of schema 1 to 9 at .* found schema 99, which a later .* update Priorscope"
    ):
        Library.open(tmp_path)


def test_a_whole_database_is_found_whole(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "one.jsonl", [PAPER, PATENT])
        library.annotations.tag([PAPER.id, PATENT.id], "To read")  # SQLite before 3.42 takes this table for damaged
        assert inspect_database(tmp_path / "library.sqlite3") == (9, 2, "")
    with sqlite3.connect(tmp_path / "library.sqlite3") as connection:
        connection.execute("CREATE TABLE more (value TEXT)")
        connection.execute("INSERT INTO more VALUES (NULL)")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_master SET sql = 'CREATE TABLE more (value TEXT NOT NULL)' WHERE name = 'more'"
        )
    connection.close()
    assert inspect_database(tmp_path / "library.sqlite3").damage == "NULL value in more.value"


def test_what_is_only_looked_at_stays_of_its_schema(tmp_path: Path) -> None:
    Library.open(tmp_path, create=True).close()
    as_version_5(tmp_path)
    for _ in range(2):
        state = inspect_database(tmp_path / "library.sqlite3")
        assert (state.schema, state.is_earlier, list(tmp_path.iterdir())) == (5, True, [tmp_path / "library.sqlite3"])


def test_a_copy_is_of_one_moment_and_told_where_it_cannot_be_written(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("k0", "first", documents(0))

        def add(progress: Progress) -> None:
            if not library.has_file("k1"):
                library.add_file("k1", "second", documents(1))

        library.copy_database(tmp_path / "copy", add)
        assert inspect_database(tmp_path / "copy") == (9, PER_FILE, "") and len(library) == 2 * PER_FILE
        assert library.database_bytes() >= (tmp_path / "copy").stat().st_size
        (tmp_path / "other").write_bytes(b"this is not a database: " * 100)
        with pytest.raises(StorageError, match=r"Expected to write .*other; SQLite says"):
            library.copy_database(tmp_path / "other")


LATER_TABLES = ("origins", "revisions", "removals", "collections", "collected", "judged_queries", "judgements")


TABLES_OF_VERSION_4 = ("notes", "tags", "read_marks", "screened", "remembered", "remembered_keys", "annotating")


BACK_TO_VERSION_4 = """
ALTER TABLE origins RENAME TO numbered;
CREATE TABLE origins (document TEXT NOT NULL, file TEXT NOT NULL, records INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (document, file)) WITHOUT ROWID;
INSERT INTO origins SELECT id, key, records FROM numbered JOIN documents USING (added) JOIN files ON number = file;
DROP TABLE numbered;
CREATE INDEX origins_of_file ON origins (file, document, records);
DROP INDEX files_by_number;
ALTER TABLE files DROP COLUMN number;
ALTER TABLE files DROP COLUMN notes;
DROP TABLE to_screen;
DROP TABLE indexing;
ALTER TABLE screened RENAME TO of_reviews;
CREATE TABLE screened (
    document TEXT PRIMARY KEY, decision TEXT NOT NULL, reason TEXT NOT NULL, decided_at TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO screened SELECT document, decision, reason, decided_at FROM of_reviews WHERE review = 1;
DROP TABLE of_reviews;
CREATE INDEX screened_by_reason ON screened (decision, reason);
DROP TABLE reviews;
PRAGMA user_version = 4;
"""


BACK_TO_VERSION_8 = ("DROP TABLE indexing", "PRAGMA user_version = 8")
BACK_TO_VERSION_7 = (
    *BACK_TO_VERSION_8,
    "DROP TABLE to_screen",
    "ALTER TABLE reviews DROP COLUMN limited",
    "PRAGMA user_version = 7",
)


def as_version_5(folder: Path) -> None:
    """Make a library what version 5 wrote."""
    with sqlite3.connect(folder / "library.sqlite3") as connection:
        for statement in (*BACK_TO_VERSION_7, "ALTER TABLE files DROP COLUMN notes", "PRAGMA user_version = 5"):
            connection.execute(statement)
    connection.close()


def as_version_4(folder: Path) -> None:
    """Make a library what version 4 wrote."""
    with sqlite3.connect(folder / "library.sqlite3") as connection:
        connection.executescript(BACK_TO_VERSION_4)
    connection.close()


def as_version_3(folder: Path) -> None:
    """Make a library what the third version wrote."""
    as_version_4(folder)
    with sqlite3.connect(folder / "library.sqlite3") as connection:
        for index in (
            "documents_by_title",
            "documents_by_year",
            "documents_by_addition",
            "origins_of_file",
        ):  # the others go with their tables
            connection.execute(f"DROP INDEX {index}")
        for table in TABLES_OF_VERSION_4:
            connection.execute(f"DROP TABLE {table}")
        for table, column in (("documents", "added"), ("documents", "sort_title"), ("origins", "records")):
            connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        connection.execute("PRAGMA user_version = 3")
    connection.close()


def as_version_1(folder: Path, *, without: Sequence[str]) -> None:
    """Make a library what the first version wrote, which lacks the tables that nothing had asked for."""
    as_version_3(folder)
    with sqlite3.connect(folder / "library.sqlite3") as connection:
        for table in ("people", *without):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("PRAGMA user_version = 1")
    connection.close()


@pytest.mark.parametrize("without", [LATER_TABLES, ("judgements", "judged_queries"), ()])
def test_a_library_of_version_1_is_brought_up_to_date_once(tmp_path: Path, without: Sequence[str]) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "one.jsonl", [PAPER, PATENT])
        library.remove([PATENT.id])
    as_version_1(tmp_path, without=without)
    with Library.open(tmp_path) as library:
        assert library.get([PAPER.id]) == [PAPER]
        assert library.by_person(PAPER.authors[0]) == [PAPER.id]
        assert library.collections.add("kept", [PAPER.id]) == 1
        library.judgements.judge(PATENT, PAPER.id, 1)
        assert library.revision() == 0
        assert library.remove([PAPER.id]) == [PAPER.id]
        assert library.collections.ids("kept") == []
    with sqlite3.connect(tmp_path / "library.sqlite3") as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (9,)
        assert connection.execute("SELECT count(*) FROM removals").fetchone() == (1,)
    connection.close()


def test_a_library_of_version_3_gets_its_order_titles_and_repeated_records(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "one.jsonl", [PATENT, PAPER, replace(PAPER, id="again"), replace(PAPER, id="more")])
        library.add_file("k2", "two.jsonl", [replace(PAPER, id="another"), Document("bare")])
        pages = [library.listing.page(order=order) for order in get_args(Order)]
        flows = [library.screening.flow(Filters(files=frozenset(files))) for files in ((), ("one.jsonl",))]
        assert [flow.duplicates for flow in flows] == [3, 2]
    as_version_3(tmp_path)
    with Library.open(tmp_path) as library:
        assert [library.listing.page(order=order) for order in get_args(Order)] == pages
        assert [library.screening.flow(Filters(files=frozenset(files))) for files in ((), ("one.jsonl",))] == flows
        library.annotations.tag([PAPER.id], "wind")
        assert library.ids(Filters(lines=("tag:wind",))) == [PAPER.id]


def test_a_library_of_version_4_keeps_its_review_and_what_its_files_brought(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "one.jsonl", [PATENT, PAPER, replace(PAPER, id="again"), Document("gone")])
        library.add_file("k2", "two.jsonl", [replace(PAPER, id="another"), Document("bare")])
        library.screening.decide([PAPER.id, "gone"], "excluded", "Wrong subject")
        library.screening.decide(["bare"], "included")
        library.remove(["gone"])
    as_version_4(tmp_path)
    with Library.open(tmp_path) as library:
        assert library.reviews.counts() == {"Review 1": 2}
        flow = library.screening.flow(Filters(files=frozenset({"one.jsonl"})))
        assert (flow.identified, flow.duplicates, flow.reasons, flow.included) == (3, 1, {"Wrong subject": 1}, 0)
        assert library.files_of(PAPER.id) == ["k1", "k2"]
        assert library.documents_with("k2") == sorted(["bare", PAPER.id])
        library.add_file("k3", "three.jsonl", [Document("gone"), replace(PAPER, id="third")])
        (back,) = library.screening.of(["gone"])
        assert back is not None and back.reason == "Wrong subject"
        assert library.files_of(PAPER.id) == ["k1", "k2", "k3"]
        assert library.remove_file("k1") == [PATENT.id]


@pytest.mark.parametrize("decided", [[], [PAPER.id]])
def test_the_review_that_nobody_began_is_gone(tmp_path: Path, decided: Sequence[str]) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "one.jsonl", [PAPER])
        library.reviews.make("Review 1")
        library.reviews.make("Winds")
        library.screening.decide(decided, "included")
    with sqlite3.connect(tmp_path / "library.sqlite3") as connection:
        for statement in BACK_TO_VERSION_7:
            connection.execute(statement)
    connection.close()
    with Library.open(tmp_path) as library:
        assert library.reviews.counts() == ({"Review 1": 1} if decided else {}) | {"Winds": 0}
        assert library.screening.flow().included == len(decided)


def keep_with_tex(folder: Path, document: Document, venue: str) -> None:
    """Keep a document's venue as it was kept before venues were cleaned as they came."""
    kept = replace(document)
    object.__setattr__(kept, "venue", venue)
    with sqlite3.connect(folder / "library.sqlite3") as connection:
        ((position,),) = connection.execute("SELECT position FROM documents WHERE id = ?", (document.id,))
        connection.execute("UPDATE documents SET venue = ? WHERE position = ?", (venue, position))
        connection.execute("UPDATE contents SET body = ? WHERE position = ?", (pack(kept), position))
    connection.close()


@pytest.mark.parametrize("as_earlier", [as_version_5, as_version_4, as_version_3])
def test_tex_in_the_venues_of_an_earlier_library_is_made_plain_once(
    tmp_path: Path, as_earlier: Callable[[Path], None]
) -> None:
    raw, plain = r"Int.\ J.\ {Phys.}", "Int. J. Phys."
    held = [
        Document("old", title="On kites", venue=raw),
        Document("new", title="On reels", venue=plain),
        Document("other", title="On wind", venue="Winds"),
        Document("bare", title="On lulls"),
    ]
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "one.jsonl", held)
    keep_with_tex(tmp_path, held[0], raw)
    as_earlier(tmp_path)
    with Library.open(tmp_path) as library:
        assert library.get([one.id for one in held]) == held
        assert library.venue_counts() == library.facets().venues == {plain: 2, "Winds": 1}
        assert library.ids(Filters(venues=frozenset({plain}))) == ["old", "new"]
        assert library.ids(Filters(lines=(f'venue:"{plain}"',))) == ["old", "new"]
        venues = [plain, plain, "Winds", ""]
        assert [row.venue for row in library.listing.page()] == library.summaries().venues == venues
    keep_with_tex(tmp_path, held[0], raw)  # as none of this version is, which is therefore not looked for again
    with Library.open(tmp_path) as library:
        assert library.venue_counts() == {raw: 1, plain: 1, "Winds": 1}


def test_a_library_of_version_1_keeps_the_places_that_it_gave(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "one.jsonl", [PAPER, PATENT])
        library.remove([PATENT.id])
        version = library.version()
    as_version_1(tmp_path, without=("collections", "collected"))
    with Library.open(tmp_path) as library:
        assert library.version() == version


def test_a_library_opens_and_answers_while_another_process_imports(tmp_path: Path) -> None:
    seen: list[int] = []

    def documents() -> Iterator[Document]:
        yield PAPER
        with Library.open(tmp_path) as other:
            seen.append(len(other))

    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "slow.jsonl", documents())
        assert (seen, len(library)) == ([0], 1)


def test_a_write_that_cannot_be_done_is_said(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(FileWriter, "finish", fail)
    with pytest.raises(StorageError, match="SQLite says: database or disk is full"):
        library.add_file("k1", "two.jsonl", [PAPER])
    monkeypatch.undo()
    assert library.add_file("k1", "two.jsonl", [PAPER]) == Added(1, 0)


def test_who_writes_has_room_for_pages_and_gives_it_back(library: Library) -> None:
    database = library._database
    with database.write() as connection:
        assert connection.execute("PRAGMA cache_size").fetchone()[0] < -100_000
    with database.read() as connection:
        assert connection.execute("PRAGMA cache_size").fetchone()[0] > -4_096


@pytest.mark.parametrize("in_use", [False, True])
def test_a_library_in_a_folder_that_cannot_be_written_to_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_use: bool
) -> None:
    folder = tmp_path / "a library? #1"
    with Library.open(folder, create=True) as library:
        library.add_file("k", "kites.jsonl", [KITES])
        if not in_use:
            library.close()
        monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK)
        before = sorted(path.name for path in folder.iterdir())
        with Library.open(folder) as shared:
            assert shared.get([KITES.id]) == [KITES] and shared.title_matches("stable") == [KITES.id]
            with pytest.raises(StorageError, match=r"readonly database.*see to the right to write there"):
                shared.add_file("k2", "pools.jsonl", [POOLS])
        assert sorted(path.name for path in folder.iterdir()) == before


def test_a_library_lies_in_the_persons_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(LIBRARY_VARIABLE, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_library() == tmp_path / ".priorscope" / "library"


@pytest.mark.parametrize(("named", "expected"), [("~/patents", "patents"), ("", ".priorscope/library")])
def test_the_environment_names_another_folder(
    named: str, expected: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv(LIBRARY_VARIABLE, named)
    assert default_library() == tmp_path / expected


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


CHILD = """
import sys
from pathlib import Path
from engine.library import Library
from tests.library.told import documents, FILES
with Library.open(Path(sys.argv[1]), create=True) as library:
    for number in range(FILES):
        library.add_file(f"key-{number}", f"file-{number}", documents(number, sys.stdout))
    print("done", flush=True)
"""


def run_and_kill(folder: Path, after_documents: int) -> None:
    """Start an import in a process of its own, and kill it after a number of documents."""
    command = [sys.executable, "-c", CHILD, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=PROJECT, text=True) as child:
        assert child.stdout is not None
        for _ in range(after_documents):
            if child.stdout.readline() in ("done\n", ""):
                break
        child.kill()


def check_whole(library: Library) -> int:
    """Assert that every table tells of whole files only; returns how many."""
    held = [int(file.key.removeprefix("key-")) for file in library.files()]
    expected = [document for number in sorted(held) for document in documents(number)]
    assert held == list(range(len(held)))
    assert list(library.iter_documents()) == expected
    assert library.ids(Filters(categories=frozenset({"x"}))) == [document.id for document in expected]
    assert library.keywords.size == len(expected) == len(library.summaries().ids)
    assert all(library.keywords.search(document.text, 1)[0].id == document.id for document in expected[::40])
    return len(held)


@pytest.mark.parametrize("seed", range(4))
def test_killed_at_random_points(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    whole = 0
    for _ in range(2):
        run_and_kill(tmp_path / "library", draw.randrange(1, FILES * PER_FILE // 2))
        with Library.open(tmp_path / "library", create=True) as library:
            found = check_whole(library)
            assert found >= whole
            whole = found
    with Library.open(tmp_path / "library") as library:
        added = sum(library.add_file(f"key-{n}", f"file-{n}", documents(n)).added for n in range(FILES))
        assert added == (FILES - whole) * PER_FILE
        assert check_whole(library) == FILES


def test_killed_while_it_opens(tmp_path: Path) -> None:
    run_and_kill(tmp_path / "library", 0)
    with Library.open(tmp_path / "library", create=True) as library:
        assert library.add_file("key-0", "file-0", documents(0)).added == PER_FILE


def test_threads_read_while_one_writes(tmp_path: Path) -> None:
    problems: list[BaseException] = []
    with Library.open(tmp_path, create=True) as library:
        written = threading.Event()

        def read() -> None:
            try:
                while not written.is_set():
                    assert len(library.ids()) % PER_FILE == 0
                    assert len(list(library.iter_documents())) % PER_FILE == 0
                    library.keywords.search("word1 word2", 3)
            except BaseException as error:  # noqa: BLE001  handed to the test's own thread
                problems.append(error)

        readers = [threading.Thread(target=read) for _ in range(4)]
        for reader in readers:
            reader.start()
        for number in range(FILES):
            library.add_file(f"key-{number}", f"file-{number}", documents(number))
        written.set()
        for reader in readers:
            reader.join()
        assert not problems
        assert check_whole(library) == FILES


def test_two_processes_add_at_once(tmp_path: Path) -> None:
    commands = [[sys.executable, "-c", CHILD, str(tmp_path)] for _ in range(2)]
    children = [subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=PROJECT) for command in commands]
    assert json.dumps([child.wait(120) for child in children]) == "[0, 0]"
    with Library.open(tmp_path) as library:
        assert check_whole(library) == FILES

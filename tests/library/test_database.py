"""The file of a library: where it lies, opened, migrated, refused where it is damaged, shared by processes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from engine.core.errors import LibraryError, StorageError
from engine.documents import Document
from engine.library.database import LIBRARY_VARIABLE, default_library
from engine.library.filters import Filters
from engine.library.listing import Order
from engine.library.records import Added, pack
from engine.library.store import Library
from engine.library.writer import FileWriter
from tests.library.records import PAPER, PATENT


def test_no_library_in_the_folder(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="there is none"):
        Library.open(tmp_path / "absent")
    assert not (tmp_path / "absent").exists()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LibraryError, match="Expected to make a library in"):
        Library.open(tmp_path / "file" / "library", create=True)


def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "library.sqlite3").write_bytes(b"this is no database at all" * 100)
    with pytest.raises(StorageError, match="Expected a library's database at"):
        Library.open(tmp_path)


def test_a_refused_database_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def remember(path: Path, **_: object) -> sqlite3.Connection:
        opened.append(connect(path))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", remember)
    (tmp_path / "library.sqlite3").write_bytes(b"this is no database at all" * 100)
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
    with pytest.raises(StorageError, match=r"Expected a library of version 6 at .* found version 99"):
        Library.open(tmp_path)


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


def as_version_5(folder: Path) -> None:
    """Make a library what the version before this one wrote."""
    with sqlite3.connect(folder / "library.sqlite3") as connection:
        connection.execute("PRAGMA user_version = 5")
    connection.close()


def as_version_4(folder: Path) -> None:
    """Make a library what the version before that one wrote."""
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
        assert connection.execute("PRAGMA user_version").fetchone() == (6,)
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

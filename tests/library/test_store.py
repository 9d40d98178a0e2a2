"""The library: what goes in comes out, a whole file at a time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import LibraryError
from engine.documents import Document
from engine.library.records import Counts
from engine.library.store import Library
from tests.library.records import KITES, PAPER, PATENT, POOLS
from tests.modes import modes, usual_umask

__all__ = ["usual_umask"]  # a fixture
PRIVATE = {"library": "0o700", "library/library.sqlite3": "0o600"}
LOGS = {f"library/library.sqlite3-{name}": "0o600" for name in ("wal", "shm")}


def test_it_is_there_after_reopening(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "one.jsonl", [PAPER])
    with Library.open(tmp_path) as library:
        assert library.ids() == [PAPER.id]
        assert [hit.id for hit in library.keywords.search("kites", 3)] == [PAPER.id]


def test_counts_and_columns(library: Library) -> None:
    library.add_file("k1", "two.jsonl", [PAPER, PATENT])
    counts = library.counts()
    assert (counts.documents, counts.papers, counts.patents, counts.files) == (2, 1, 1, 1)
    assert (counts.year_min, counts.year_max) == (2011, 2015)
    assert library.category_counts() == {"A63H": 1, "B65H": 1, "cs.RO": 1, "physics.flu-dyn": 1}
    assert library.venue_counts() == {"Journal of Wind": 1}
    summaries = library.summaries()
    assert summaries.ids == [PAPER.id, PATENT.id]
    assert summaries.categories == ["cs.RO", "A63H"]
    assert summaries.years == [2015, 2011]


def test_an_empty_library_answers(library: Library) -> None:
    counts = library.counts()
    assert (counts.documents, counts.papers, counts.year_min) == (0, 0, None)
    assert library.summaries().ids == [] and library.ids() == [] and len(library) == 0
    assert library.keywords.search("kite", 5) == []
    assert library.keywords.size == 0


def test_titles_are_found_by_their_words(library: Library) -> None:
    library.add_file("k1", "two.jsonl", [PAPER, PATENT])
    assert library.title_matches("tethered ki") == [PAPER.id]
    assert library.title_matches("reel") == [PATENT.id]
    assert library.title_matches("drum") == []
    assert library.title_matches(" ") == []


def test_folders_lie_beside_the_database(library: Library) -> None:
    assert library.vectors_folder("lsa") == library.folder / "vectors" / "lsa"
    assert library.encoder_folder("lsa") == library.folder / "encoders" / "lsa"
    assert library.map_folder("lsa") == library.folder / "maps" / "lsa"


@pytest.mark.usefixtures("usual_umask")
def test_a_new_library_is_for_its_owner_alone(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("k1", "one.jsonl", [PAPER])
        assert modes(tmp_path).items() >= (PRIVATE | LOGS).items()


@pytest.mark.usefixtures("usual_umask")
def test_an_older_library_is_closed_to_others_when_it_is_opened(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    with Library.open(folder, create=True) as library:
        library.add_file("k1", "one.jsonl", [PAPER])
        for name in ("vectors", "maps", "chunks"):
            (folder / name).mkdir()
        for path in (folder, *folder.iterdir()):
            path.chmod(0o755 if path.is_dir() else 0o644)
        with Library.open(folder):
            made = {f"library/{name}": "0o700" for name in ("vectors", "maps", "chunks")}
            assert modes(tmp_path).items() >= (PRIVATE | LOGS | made).items()


@pytest.mark.usefixtures("usual_umask")
def test_what_else_lies_in_a_librarys_folder_stays_open(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "notes.txt").touch()
    with Library.open(tmp_path / "library", create=True):
        found = modes(tmp_path)
    assert found["library"] == "0o755" and found["library/notes.txt"] == "0o644"
    assert found.items() >= (LOGS | {"library/library.sqlite3": "0o600"}).items()


@pytest.mark.usefixtures("usual_umask")
def test_a_library_behind_a_link_is_for_its_owner_alone(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "library")
    with Library.open(tmp_path / "link", create=True):
        assert modes(tmp_path).items() >= (PRIVATE | LOGS).items()


def test_imports_are_counted_by_name_and_found_by_the_end_of_their_path(imported: Library) -> None:
    imported.add_file("k3", "more/pools.jsonl", [replace(POOLS, id="p3", title="Rock pools by day")])
    assert imported.import_counts() == {"more/pools.jsonl": 1, "pools.jsonl": 2, "kites.jsonl": 2}
    assert [file.key for file in imported.files_named("pools.jsonl")] == ["k2"]
    assert [file.key for file in imported.files_named("more/pools.jsonl")] == ["k3"]
    with pytest.raises(LibraryError, match=r"got 'x.csv'; the library has kites.jsonl, pools.jsonl, more/pools.jsonl"):
        imported.files_named("x.csv")


def test_counts_follow_every_change(imported: Library) -> None:
    def counted() -> tuple[Counts, dict[str, int]]:
        assert imported.counts() == imported.counts()
        return imported.counts(), imported.import_counts()

    assert counted() == (Counts(3, 2, 1, 2, 1, 0, 2015, 2020), {"pools.jsonl": 2, "kites.jsonl": 2})
    imported.record_failure("scan.pdf", "It has no text.")
    imported.add_file("k3", "again.jsonl", [KITES])
    found, brought = counted()
    assert (found.documents, found.files, found.folded, found.failures) == (3, 3, 2, 1)
    assert brought["again.jsonl"] == 1
    imported.remove([POOLS.id])
    found, brought = counted()
    assert (found.documents, found.papers, found.year_max) == (2, 1, 2015) and brought["pools.jsonl"] == 1


def test_some_documents_come_in_the_order_asked_for(library: Library) -> None:
    library.add_file("k", "many", [Document(f"d{n}", title=f"Kite number {n}") for n in range(7)])
    asked = ["d5", "gone", "d0", "d3"]
    for batch in (1, 2, 500):
        assert [one.id for one in library.iter_documents(asked, batch=batch)] == ["d5", "d0", "d3"]
    assert list(library.iter_documents([])) == []

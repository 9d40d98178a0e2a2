"""A library is copied whole from one store to another; one that was stopped goes on, and counts once it is whole."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.core.errors import LibraryError, StorageError
from engine.core.progress import Progress
from engine.library import Filters, Library, move_library, moving
from engine.library.database import Database, latest_schema
from engine.library.moving import TABLES
from tests.workspace.test_backup import fill


class Stopped(Exception):
    pass


class MovingContract:
    """What a copy promises, from a folder to any store and back."""

    @pytest.fixture
    def target(self, tmp_path: Path) -> Path:
        return tmp_path / "target"

    @pytest.fixture
    def source(self, tmp_path: Path) -> Path:
        with fill(tmp_path / "source") as library:
            ids = library.ids()
            library.collections.add("Pots", ids[:2])
            library.collections.add("pans", ids[1:3])
            library.annotations.note(ids[:1], "A note\0 with a sign")
            library.annotations.tag([ids[1]], "Kept")
            library.screening.decide(ids[:1], "excluded", "too old")
        (tmp_path / "source" / "copies").mkdir(exist_ok=True)
        (tmp_path / "source" / "copies" / f"{'a' * 64}.pdf").write_bytes(b"%PDF")
        (tmp_path / "source" / "mine.txt").write_text("not the library's")
        return tmp_path / "source"

    def told(self, folder: Path) -> tuple[object, ...]:
        with Library.open(folder) as library:
            ids = library.ids()
            return (
                ids,
                library.get(ids),
                library.keywords.search("rattling lids of pots", 10),
                library.ids(Filters(lines=("title:the OR the",))),
                library.title_matches("the", 10),
                library.counts(),
                library.collections.counts(),
                library.screening.flow(),
                library.version(),
            )

    def test_all_of_a_library_is_there_and_comes_back(self, source: Path, target: Path, tmp_path: Path) -> None:
        moved = move_library(source, target)
        assert moved.documents == 6 and moved.rows > 50 and moved.files >= 1
        assert self.told(target) == self.told(source)
        assert (target / "copies" / f"{'a' * 64}.pdf").read_bytes() == b"%PDF"
        assert not (target / "mine.txt").exists()
        again = move_library(target, tmp_path / "back")
        assert (again.documents, again.rows) == (moved.documents, moved.rows)
        assert self.told(tmp_path / "back") == self.told(source)

    def test_a_place_with_a_library_is_refused(self, source: Path, target: Path) -> None:
        move_library(source, target)
        with pytest.raises(LibraryError, match=r"Expected a place without a library, got .*, which holds one"):
            move_library(source, target)
        with pytest.raises(LibraryError, match=r"Expected two places, got .* twice"):
            move_library(target, target)

    @pytest.mark.parametrize("after", [1, 4, 9, 15, 30, 45])
    def test_a_stopped_copy_is_no_library_and_goes_on(
        self, source: Path, target: Path, monkeypatch: pytest.MonkeyPatch, after: int
    ) -> None:
        monkeypatch.setattr(moving, "_PAGE", 2)
        monkeypatch.setattr(moving, "Meter", _stopping(after))
        with pytest.raises(Stopped):
            move_library(source, target)
        with pytest.raises(LibraryError, match=r"there is none|found an empty database or none"):
            Library.open(target)
        monkeypatch.setattr(moving, "Meter", _stopping(10_000))
        move_library(source, target)
        assert self.told(target) == self.told(source)

    def test_what_changed_since_a_copy_was_begun_begins_it_again(
        self, source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(moving, "Meter", _stopping(12))
        with pytest.raises(Stopped):
            move_library(source, target)
        monkeypatch.undo()
        with Library.open(source) as library:
            library.remove(library.ids()[:1])
        move_library(source, target)
        assert self.told(target) == self.told(source)

    def test_a_library_that_is_changed_all_the_time_is_told(
        self, source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(moving, "_compare", lambda *_: None)
        with pytest.raises(StorageError, match=r"to rest; it is changed all the time\. Nothing was moved"):
            move_library(source, target)
        with pytest.raises(LibraryError, match=r"there is none|found an empty database or none"):
            Library.open(target)


def _stopping(after: int) -> Callable[..., object]:
    """A meter that stops what it counts after some steps."""
    left = [after]

    class Stopping:
        def __init__(self, *_: object) -> None:
            pass

        def add(self, number: int = 1) -> None:
            left[0] -= 1
            if left[0] < 0:
                raise Stopped

        def finish(self) -> None:
            pass

    return Stopping


class TestFolders(MovingContract):
    """From a folder to a folder."""


def test_every_table_is_copied() -> None:
    made = {re.match(r"CREATE TABLE (\w+)", one)[1] for one in latest_schema() if one.startswith("CREATE TABLE")}  # type: ignore[index]
    assert made == set(TABLES)


def test_a_row_that_differs_is_seen(tmp_path: Path) -> None:
    fill(tmp_path / "one").close()
    move_library(tmp_path / "one", tmp_path / "two")
    one, two = (Database(tmp_path / name / "library.sqlite3") for name in ("one", "two"))
    assert moving._compare(one, two, lambda _: None) is not None
    with two.write() as connection:
        connection.execute("UPDATE documents SET year = 1900 WHERE position = 2")
    assert moving._compare(one, two, lambda _: None) is None
    one.close()
    two.close()


def test_progress_is_told(tmp_path: Path) -> None:
    fill(tmp_path / "one").close()
    told: list[Progress] = []
    move_library(tmp_path / "one", tmp_path / "two", told.append)
    assert {one.stage for one in told} >= {"copy rows", "compare rows", "copy files"}

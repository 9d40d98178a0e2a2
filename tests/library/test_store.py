"""The library: what goes in comes out, its records, copies of PDFs, and works that are in it twice."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from engine.core import files
from engine.core.errors import StorageError
from engine.documents import Document
from engine.library.copies import Copies, CopiesTotal
from engine.library.records import sort_title, unpack
from engine.library.store import Library
from tests.contracts.library_holding import CONTENT, KEY, HoldingContract
from tests.library.records import PAPER
from tests.modes import modes, usual_umask

__all__ = ["usual_umask"]  # a fixture


PRIVATE = {"library": "0o700", "library/library.sqlite3": "0o600"}


LOGS = {f"library/library.sqlite3-{name}": "0o600" for name in ("wal", "shm")}


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


def test_a_damaged_document_is_said() -> None:
    with pytest.raises(StorageError, match="Expected a document in the library, found damaged bytes"):
        unpack(b"not compressed")


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("«Zephyr»", "zephyr»"),
        ("Éolian Harps", "eolian harps"),
        ("$k$-means", "k$-means"),
        ("3D kites", "3d kites"),
        ("", None),
        ("—", None),
        ("x" * 300, "x" * 200),
    ],
)
def test_titles_are_put_in_order_by_their_first_letters(title: str, key: str | None) -> None:
    assert sort_title(title) == key


def test_an_id_of_a_copy_that_an_earlier_version_kept_hides_no_other_work(library: Library) -> None:
    library.add_file("k1", "first.csv", [Document("1", title="Kites"), Document("2", title="Strings")])
    with sqlite3.connect(library.folder / "library.sqlite3") as connection:
        connection.execute("INSERT INTO aliases SELECT '1', position FROM documents WHERE id = '2'")
    assert library.duplicates_of(Document("1", title="Kites")) == {"1"}


class TestHolding(HoldingContract):
    @pytest.fixture
    def copies(self, tmp_path: Path) -> Copies:
        return Copies(tmp_path / "library" / "copies", tmp_path / "library" / "copies.json")

    @pytest.mark.usefixtures("usual_umask")
    def test_a_copy_is_named_by_its_content_and_closed_to_others(self, copies: Copies, paper: Path) -> None:
        assert copies.keep(KEY, paper) and copies.keep(KEY, paper)
        assert modes(copies.folder) == {".": "0o700", f"{KEY}.pdf": "0o600"}
        assert (copies.read(KEY), copies.total(), copies.keys()) == (CONTENT, CopiesTotal(1, len(CONTENT)), [KEY])

    def test_a_file_that_has_changed_is_not_kept(self, copies: Copies, paper: Path) -> None:
        paper.write_bytes(b"%PDF-1.4 another")
        assert not copies.keep(KEY, paper)
        assert copies.total() == CopiesTotal(0, 0)

    def test_none_is_kept_where_they_are_not_wanted(self, copies: Copies, paper: Path) -> None:
        assert copies.are_wanted
        copies.want(False)
        assert not copies.are_wanted and not copies.keep(KEY, paper)
        copies.want(True)
        assert copies.keep(KEY, paper)
        copies.drop(copies.keys())
        copies.pause()
        assert copies.are_wanted and not copies.keep(KEY, paper)

    @pytest.mark.parametrize("setting", [b"", b"[]", b'{"keep": ', b"\xff"])
    def test_a_damaged_setting_counts_as_none(self, copies: Copies, setting: bytes) -> None:
        files.write_bytes(copies.folder.parent / "copies.json", setting)
        assert copies.are_wanted

    @pytest.mark.parametrize("key", ["../library", "", "ab", f"../copies/{KEY}", KEY.upper(), f"{KEY}\n"])
    def test_only_a_sha256_names_a_copy(self, copies: Copies, paper: Path, key: str) -> None:
        copies.keep(KEY, paper)
        assert not copies.holds(key)
        with pytest.raises(StorageError, match="missing or damaged"):
            copies.read(key)
        copies.drop([key])
        assert copies.holds(KEY)

    def test_a_damaged_copy_is_told(self, copies: Copies, paper: Path) -> None:
        copies.keep(KEY, paper)
        (copies.folder / f"{KEY}.pdf").write_bytes(b"%PDF-1.4 something else")
        with pytest.raises(
            StorageError, match=rf"Expected a copy of the PDF {KEY[:12]}… in .+; it is missing or damaged"
        ):
            copies.read(KEY)

    def test_what_else_lies_in_the_folder_is_neither_counted_nor_removed(self, copies: Copies, paper: Path) -> None:
        copies.keep(KEY, paper)
        (copies.folder / "notes.pdf").write_text("mine")
        assert copies.total().files == 1
        copies.drop([*copies.keys(), "notes"])
        assert [path.name for path in copies.folder.iterdir()] == ["notes.pdf"]

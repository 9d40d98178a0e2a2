"""Copies of PDFs: under their sha256, for their owner alone, gone with their documents, and only if they are wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core import files
from engine.core.errors import StorageError
from engine.documents import Document
from engine.library.copies import Copies, CopiesTotal
from engine.library.store import Library
from tests.modes import modes, usual_umask

__all__ = ["usual_umask"]  # a fixture
CONTENT = b"%PDF-1.4 a paper"
KEY = files.sha256_bytes(CONTENT)


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    path = tmp_path / "..strange name\n.pdf"
    path.write_bytes(CONTENT)
    return path


@pytest.fixture
def copies(tmp_path: Path) -> Copies:
    return Copies(tmp_path / "library" / "copies", tmp_path / "library" / "copies.json")


@pytest.mark.usefixtures("usual_umask")
def test_a_copy_is_named_by_its_content_and_closed_to_others(copies: Copies, paper: Path) -> None:
    assert copies.keep(KEY, paper) and copies.keep(KEY, paper)
    assert modes(copies.folder) == {".": "0o700", f"{KEY}.pdf": "0o600"}
    assert (copies.read(KEY), copies.total(), copies.keys()) == (CONTENT, CopiesTotal(1, len(CONTENT)), [KEY])


def test_a_file_that_has_changed_is_not_kept(copies: Copies, paper: Path) -> None:
    paper.write_bytes(b"%PDF-1.4 another")
    assert not copies.keep(KEY, paper)
    assert copies.total() == CopiesTotal(0, 0)


def test_none_is_kept_where_they_are_not_wanted(copies: Copies, paper: Path) -> None:
    assert copies.are_wanted
    copies.want(False)
    assert not copies.are_wanted and not copies.keep(KEY, paper)
    copies.want(True)
    assert copies.keep(KEY, paper)
    copies.drop(copies.keys())
    copies.pause()
    assert copies.are_wanted and not copies.keep(KEY, paper)


@pytest.mark.parametrize("setting", [b"", b"[]", b'{"keep": ', b"\xff"])
def test_a_damaged_setting_counts_as_none(copies: Copies, setting: bytes) -> None:
    files.write_bytes(copies.folder.parent / "copies.json", setting)
    assert copies.are_wanted


@pytest.mark.parametrize("key", ["../library", "", "ab", f"../copies/{KEY}", KEY.upper(), f"{KEY}\n"])
def test_only_a_sha256_names_a_copy(copies: Copies, paper: Path, key: str) -> None:
    copies.keep(KEY, paper)
    assert not copies.holds(key)
    with pytest.raises(StorageError, match="missing or damaged"):
        copies.read(key)
    copies.drop([key])
    assert copies.holds(KEY)


def test_a_damaged_copy_is_told(copies: Copies, paper: Path) -> None:
    copies.keep(KEY, paper)
    (copies.folder / f"{KEY}.pdf").write_bytes(b"%PDF-1.4 something else")
    with pytest.raises(StorageError, match=rf"Expected a copy of the PDF {KEY[:12]}… in .+; it is missing or damaged"):
        copies.read(KEY)


def test_what_else_lies_in_the_folder_is_neither_counted_nor_removed(copies: Copies, paper: Path) -> None:
    copies.keep(KEY, paper)
    (copies.folder / "notes.pdf").write_text("mine")
    assert copies.total().files == 1
    copies.drop([*copies.keys(), "notes"])
    assert [path.name for path in copies.folder.iterdir()] == ["notes.pdf"]


def test_a_copy_goes_with_the_last_document_of_its_file(library: Library, paper: Path) -> None:
    one, other = (Document(f"d{n}", title=f"A paper on the gears of tidal turbine {n}", file=KEY) for n in (1, 2))
    library.add_file(KEY, "x.pdf", [one, other])
    library.copies.keep(KEY, paper)
    library.remove(["d1"])
    assert library.copies.holds(KEY)
    library.remove(["d2"])
    assert not library.copies.holds(KEY)


def test_a_copy_goes_with_its_file_though_its_document_came_with_another_too(library: Library, paper: Path) -> None:
    document = Document("d1", title="A paper on the gears of tidal turbines", file=KEY)
    library.add_file(KEY, "x.pdf", [document])
    library.add_file("0" * 64, "x.bib", [document])
    library.copies.keep(KEY, paper)
    assert library.remove_file("0" * 64) == [] and library.copies.holds(KEY)
    library.add_file("0" * 64, "x.bib", [document])
    assert library.remove_file(KEY) == [] and not library.copies.holds(KEY)

"""Which files of a folder are read."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.reading.found import find_files, is_folder, shown, unreachable


def found_in(*paths: Path) -> tuple[list[Path], dict[str, str]]:
    """What is found, and why the rest is left out, by name."""
    refused: dict[str, str] = {}

    def refuse(path: Path, reason: str) -> None:
        refused[path.name] = reason

    return list(find_files(paths, refuse)), refused


def test_files_are_found_in_order_without_hidden_ones_and_links_out(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    (folder / "deep").mkdir(parents=True)
    for name in ("papers.jsonl", "deep/same.md", "deep/note.md", "empty.txt", ".hidden.txt", "../outside.txt"):
        (folder / name).write_text("Kites.")
    (folder / "link.txt").symlink_to(tmp_path / "outside.txt")
    (folder / "deep" / "loop").symlink_to(folder, target_is_directory=True)
    found, refused = found_in(folder)
    assert [path.relative_to(folder).as_posix() for path in found] == [
        "deep/note.md",
        "deep/same.md",
        "empty.txt",
        "papers.jsonl",
    ]
    assert refused == {}
    assert found_in(folder / "link.txt") == ([folder / "link.txt"], {})  # named by the person


def test_what_cannot_be_had_is_left_out_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "paper.txt").write_text("Kites.")
    (tmp_path / "loop.txt").symlink_to(tmp_path / "loop.txt")
    (tmp_path / "gone.txt").symlink_to(tmp_path / "none.txt")
    os.mkfifo(tmp_path / "pipe.txt")
    found, refused = found_in(tmp_path)
    assert found == [tmp_path / "paper.txt"]
    assert sorted(refused) == ["gone.txt", "loop.txt", "pipe.txt"]
    assert refused["gone.txt"].startswith("Expected a file or a folder; there is none. Mend the link or the path")
    assert "symbolic links. Mend the link" in refused["loop.txt"]
    assert refused["pipe.txt"].startswith("Expected a file or a folder, found a pipe, a socket or a device. Write")
    assert found_in(tmp_path / "pipe.txt") == ([], {"pipe.txt": refused["pipe.txt"]})
    assert found_in(tmp_path / "loop.txt") == ([], {"loop.txt": refused["loop.txt"]})


def test_a_folder_that_is_closed_is_left_out_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = Path.iterdir

    def iterdir(folder: Path) -> Iterator[Path]:
        if folder.name == "closed":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return listed(folder)

    (tmp_path / "closed").mkdir()
    (tmp_path / "paper.txt").write_text("Kites.")
    monkeypatch.setattr(Path, "iterdir", iterdir)
    found, refused = found_in(tmp_path)
    assert found == [tmp_path / "paper.txt"]
    assert refused == {"closed": "Expected a folder that can be read: Permission denied. Ask for the right to read it."}


def test_why_a_path_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "paper.txt").write_text("Kites.")
    assert unreachable(tmp_path) == unreachable(tmp_path / "paper.txt") == ""
    assert unreachable(tmp_path / "none") == unreachable(tmp_path / "paper.txt" / "x") == "there is none"
    assert unreachable(tmp_path / "a\0b") == "there is none"
    assert unreachable(tmp_path / ("why " * 100)) == "File name too long"
    assert is_folder(tmp_path)
    assert not any(is_folder(tmp_path / name) for name in ("paper.txt", "none", "a\0b", "why " * 100))


def test_a_long_path_is_shown_by_its_beginning() -> None:
    assert shown(Path("a") / "b.txt") == "a/b.txt"
    assert shown("why " * 100) == "why " * 40 + "..."

"""Which files of a folder are read."""

from __future__ import annotations

from pathlib import Path

from engine.readers.found import find_files


def test_files_are_found_in_order_without_hidden_ones_and_links_out(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    (folder / "deep").mkdir(parents=True)
    for name in ("papers.jsonl", "deep/same.md", "deep/note.md", "empty.txt", ".hidden.txt", "../outside.txt"):
        (folder / name).write_text("Kites.")
    (folder / "link.txt").symlink_to(tmp_path / "outside.txt")
    (folder / "deep" / "loop").symlink_to(folder, target_is_directory=True)
    found = [path.relative_to(folder).as_posix() for path in find_files([folder])]
    assert found == ["deep/note.md", "deep/same.md", "empty.txt", "papers.jsonl"]
    assert list(find_files([folder / "link.txt"])) == [folder / "link.txt"]  # named by the person

"""Atomic writes, checksums, which files of a folder are read, and what a figure keeps with it."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import psutil
import pytest
import torch

from engine.core import files, provenance
from engine.core.errors import StorageError
from engine.core.files import find_files, is_folder, shown, unreachable
from tests.modes import modes, usual_umask

__all__ = ["usual_umask"]  # a fixture


@pytest.mark.usefixtures("usual_umask")
def test_what_is_written_is_for_its_owner_alone(tmp_path: Path) -> None:
    files.write_json(tmp_path / "kept" / "deep" / "card.json", {})
    with files.new_folder(tmp_path / "kept" / "index") as folder:
        files.write_bytes(folder / "rows", b"")
    files.make_private_file(tmp_path / "kept" / "database")
    assert modes(tmp_path / "kept") == {
        ".": "0o700",
        "deep": "0o700",
        "deep/card.json": "0o600",
        "index": "0o700",
        "index/rows": "0o600",
        "database": "0o600",
    }


@pytest.mark.usefixtures("usual_umask")
def test_what_others_could_read_is_closed_to_them_but_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "text").touch()
    (tmp_path / "open" / "program").touch(mode=0o755)
    (tmp_path / "outside").touch()
    (tmp_path / "open" / "link").symlink_to(tmp_path / "outside")
    for path in (*(tmp_path / "open").iterdir(), tmp_path / "open", tmp_path / "missing"):
        files.keep_private(path)
    assert modes(tmp_path) | {".": ""} == {
        ".": "",
        "open": "0o700",
        "open/text": "0o600",
        "open/program": "0o700",
        "open/link": "0o644",
        "outside": "0o644",
    }


def test_a_file_and_its_bytes_have_one_checksum(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(b"abc")
    assert files.sha256_file(path) == files.sha256_bytes(b"abc")
    assert files.sha256_bytes(b"abc").startswith("ba7816bf")


def test_a_file_is_copied_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"kite" * 1_000_000)
    digest = files.sha256_file(tmp_path / "a")
    files.copy_file(tmp_path / "a", tmp_path / "new" / "b", digest)
    assert (tmp_path / "new" / "b").read_bytes() == b"kite" * 1_000_000
    with pytest.raises(StorageError, match="it is damaged"):
        files.copy_file(tmp_path / "a", tmp_path / "new" / "b", "0" * 64)
    with pytest.raises(FileNotFoundError):
        files.copy_file(tmp_path / "c", tmp_path / "new" / "b", digest)
    with pytest.raises(StorageError, match="Expected to write"):
        files.copy_file(tmp_path / "a", tmp_path / "a" / "b", digest)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["b"]


def test_a_file_is_kept_once_under_its_digest_and_a_damaged_copy_replaced(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"kite")
    digest = files.keep_by_digest(tmp_path / "a", tmp_path / "kept")
    kept = tmp_path / "kept" / digest
    assert digest == files.sha256_bytes(b"kite") and kept.read_bytes() == b"kite"
    state = kept.stat().st_ino
    assert files.keep_by_digest(tmp_path / "a", tmp_path / "kept") == digest and kept.stat().st_ino == state
    kept.write_bytes(b"rust")
    assert files.keep_by_digest(tmp_path / "a", tmp_path / "kept") == digest and kept.read_bytes() == b"kite"
    (tmp_path / "a").rename(tmp_path / "kept" / "b")
    assert files.name_by_digest(tmp_path / "kept" / "b") == digest
    assert [path.name for path in (tmp_path / "kept").iterdir()] == [digest]
    with pytest.raises(StorageError, match="Expected to write"):
        files.name_by_digest(tmp_path / "gone")


def test_a_copy_that_cannot_be_read_back_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"kite")
    monkeypatch.setattr(os, "fsync", lambda handle: os.truncate(handle, 2))
    with pytest.raises(StorageError, match="it is damaged"):
        files.keep_by_digest(tmp_path / "a", tmp_path / "kept")
    assert not any((tmp_path / "kept").iterdir())


def test_a_file_that_the_disk_does_not_give_is_named(tmp_path: Path) -> None:
    class Broken:
        def read(self, _: int) -> bytes:
            raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(StorageError, match=r"Expected to read .*a; Input/output error. Another copy may be whole"):
        files._block(Broken(), tmp_path / "a")


def test_fingerprints_keep_parts_apart() -> None:
    assert files.fingerprint("ab", "c") != files.fingerprint("a", "bc")
    assert files.fingerprint("ab", b"c") == files.fingerprint(b"ab", "c")


def test_json_comes_back_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    files.write_json(tmp_path / "deep" / "card.json", {"ä": [1, None]})
    assert files.read_json(tmp_path / "deep" / "card.json") == {"ä": [1, None]}
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["card.json"]


def test_a_place_that_cannot_be_written_is_told_beforehand(tmp_path: Path) -> None:
    files.check_writable(tmp_path / "deep" / "report.json")
    assert list((tmp_path / "deep").iterdir()) == []
    (tmp_path / "file").touch()
    for place in (tmp_path / "file" / "report.json", tmp_path):
        with pytest.raises(StorageError, match=r"Expected to write .*; .* Make room or name another place"):
            files.check_writable(place)


def test_a_missing_json_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"Expected the file card\.json in .*; it is missing"):
        files.read_json(tmp_path / "card.json")


def test_a_damaged_json_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "card.json").write_text("{")
    with pytest.raises(StorageError, match=r"Expected JSON in .*card\.json"):
        files.read_json(tmp_path / "card.json")


def test_a_folder_appears_whole_and_replaces_the_old_one(tmp_path: Path) -> None:
    target = tmp_path / "index"
    for content in ("old", "new"):
        with files.new_folder(target) as folder:
            (folder / "rows").write_text(content)
            assert not target.exists() or (target / "rows").read_text() == "old"
        assert (target / "rows").read_text() == content
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


@pytest.mark.parametrize("at_once", [True, False])
def test_a_folder_is_replaced_with_and_without_the_systems_help(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, at_once: bool
) -> None:
    if not at_once:
        monkeypatch.setattr(files, "_exchanged", lambda *_: False)
    for content in ("old", "new", "newer"):
        with files.new_folder(tmp_path / "index") as folder:
            (folder / "rows").write_text(content)
    assert (tmp_path / "index" / "rows").read_text() == "newer"
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


@pytest.mark.parametrize("at_once", [True, False])
def test_of_two_that_make_a_folder_at_once_the_later_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, at_once: bool
) -> None:
    if not at_once:
        monkeypatch.setattr(files, "_exchanged", lambda *_: False)
    target = tmp_path / "index"
    with files.new_folder(target) as later:
        (later / "rows").write_text("later")
        with files.new_folder(target) as earlier:
            (earlier / "rows").write_text("earlier")
        monkeypatch.setattr(Path, "exists", lambda _: False)  # as it was a moment ago
    monkeypatch.undo()
    assert (target / "rows").read_text() == "later"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux exchanges folders in one step")
def test_whoever_looks_while_a_folder_is_replaced_finds_it(tmp_path: Path) -> None:
    target, ended = tmp_path / "index", threading.Event()
    missed: list[bool] = []

    def look() -> None:
        while not ended.is_set():
            if not target.is_dir():
                missed.append(True)

    with files.new_folder(target) as folder:
        (folder / "rows").write_text("0")
    reader = threading.Thread(target=look)
    reader.start()
    for number in range(200):
        with files.new_folder(target) as folder:
            (folder / "rows").write_text(f"{number}")
    ended.set()
    reader.join(30)
    assert missed == [] and (target / "rows").read_text() == "199"


def test_a_failed_folder_changes_nothing(tmp_path: Path) -> None:
    target = tmp_path / "index"
    with files.new_folder(target) as folder:
        (folder / "rows").write_text("old")
    with pytest.raises(RuntimeError, match="broken"), files.new_folder(target) as folder:
        (folder / "rows").write_text("half")
        raise RuntimeError("broken")
    assert (target / "rows").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


def test_a_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    files.write_bytes(path, b"old")
    with pytest.raises(TypeError):
        files.write_bytes(path, "not bytes")  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_arrays_come_back_and_a_changed_byte_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    digest = files.write_arrays(path, {"a": np.arange(6, dtype=np.float32).reshape(2, 3)})
    np.testing.assert_array_equal(files.read_arrays(path, digest)["a"], [[0, 1, 2], [3, 4, 5]])
    with pytest.raises(StorageError, match="it is damaged"):
        files.read_arrays(path, "0" * 64)
    with pytest.raises(StorageError, match=r"Expected the file none\.safetensors"):
        files.read_arrays(tmp_path / "none.safetensors", digest)


@pytest.mark.parametrize("kind", ["float32", "float16", "int8", "int32", "int64", "uint64"])
def test_mapped_arrays_are_those_written_and_stay_on_the_disk(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.safetensors"
    arrays: dict[str, np.ndarray] = {"odd": np.arange(7, dtype=np.int8)}
    arrays |= {"a": np.arange(6, dtype=kind).reshape(2, 3), "none": np.zeros((0, 4), kind)}
    digest = files.write_arrays(path, arrays)
    mapped = files.map_arrays(path, digest)
    assert mapped.keys() == arrays.keys()
    for name, array in arrays.items():
        np.testing.assert_array_equal(mapped[name], array)
        assert (mapped[name].dtype, mapped[name].shape) == (array.dtype, array.shape)
    with pytest.raises(ValueError, match="read-only"):
        mapped["a"][0, 0] = 1
    with pytest.raises(StorageError, match="it is damaged"):
        files.map_arrays(path, "0" * 64)
    with pytest.raises(StorageError, match=r"Expected the file none\.safetensors"):
        files.map_arrays(tmp_path / "none.safetensors", digest)


def test_a_mapped_file_is_read_through_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, digest_of = tmp_path / "a.safetensors", files.sha256_file
    read: list[Path] = []
    digest = files.write_arrays(path, {"a": np.arange(3)})

    def count(one: Path) -> str:
        read.append(one)
        return digest_of(one)

    monkeypatch.setattr(files, "sha256_file", count)
    for _ in range(2):
        files.map_arrays(path, digest)
    assert read == [path]
    files.forget_digests()
    files.map_arrays(path, digest)
    assert len(read) == 2
    other = files.write_arrays(path, {"a": np.arange(4)})
    with pytest.raises(StorageError, match="it is damaged"):
        files.map_arrays(path, digest)
    assert files.map_arrays(path, other)["a"].tolist() == [0, 1, 2, 3]


def test_a_name_always_gets_the_same_number() -> None:
    assert [files.spread(name, 5) for name in ("npl-q:1", "npl-q:2")] == [0, 3]
    assert {files.spread(str(number), 3) for number in range(30)} == {0, 1, 2}


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    blocked = tmp_path / "file" / "below"
    with pytest.raises(StorageError, match=r"Expected to write .*below; .*Make room or name another place"):
        files.write_json(blocked, {})
    with pytest.raises(StorageError, match=r"Expected to write .*below; "), files.new_folder(blocked):
        pass


def test_what_is_written_once_stays_whoever_comes_later(tmp_path: Path) -> None:
    path, together = tmp_path / "new" / "secret", threading.Barrier(8)
    held: list[bytes] = []

    def write(number: int) -> None:
        together.wait(30)
        held.append(files.write_once(path, bytes([number]) * 1_000))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(held) == 8 and set(held) == {path.read_bytes()}
    assert [one.name for one in path.parent.iterdir()] == ["secret"]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_disk_without_links_keeps_what_came_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", refuse)
    assert files.write_once(tmp_path / "secret", b"one") == b"one"
    monkeypatch.setattr(Path, "exists", lambda _: False)  # as another process writes it just now
    monkeypatch.setattr(os, "rename", lambda *_: refuse_another())
    assert files.write_once(tmp_path / "secret", b"two") == b"one"
    assert [one.name for one in tmp_path.iterdir()] == ["secret"]


def refuse_another() -> None:
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))  # as Windows' rename says


@pytest.mark.parametrize(("system", "kept"), [("win32", b"new"), ("linux", b"old")])
def test_a_file_that_another_program_has_open_is_waited_for_on_windows(
    system: str, kept: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, replace, tries = tmp_path / "card.json", os.replace, []

    def busy(*names: str) -> None:
        tries.append(names)
        if len(tries) < 3:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        replace(*names)

    path.write_bytes(b"old")
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(os, "replace", busy)
    refused = pytest.raises(StorageError, match=r"card\.json; Permission denied\. .* close what has it open or name")
    with refused if kept == b"old" else nullcontext():
        files.write_bytes(path, b"new")
    assert path.read_bytes() == kept and [one.name for one in tmp_path.iterdir()] == ["card.json"]


def test_a_folder_in_use_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "The process cannot access the file")

    (tmp_path / "vectors").mkdir()
    files.remove_folder(tmp_path / "vectors")
    assert not (tmp_path / "vectors").exists()
    monkeypatch.setattr(shutil, "rmtree", refuse)
    with pytest.raises(StorageError, match=r"remove the folder .*vectors; The process cannot .* Close what uses it"):
        files.remove_folder(tmp_path / "vectors")


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("a draft.pdf", "a draft.pdf"),
        ("10.1000:1 <b>?.pdf", "10.1000_1 _b__.pdf"),
        ("draft. .", "draft"),
        ("aux.pdf", "_aux.pdf"),
        ("COM1", "_COM1"),
        ("Nul .tar.gz", "_Nul .tar.gz"),
        ("console.md", "console.md"),
        ("com10.md", "com10.md"),
        (".hidden", ".hidden"),
    ],
)
def test_a_name_is_one_that_every_system_takes(name: str, kept: str) -> None:
    assert files.portable_name(name) == kept == files.portable_name(kept)


def test_the_machine_is_named_on_systems_without_sysconf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sysconf")
    assert re.search(r", \d+ cores, [1-9]\d* GiB memory", provenance.hardware())
    assert provenance.memory_bytes() == psutil.virtual_memory().total


def test_a_keyed_digest_needs_the_key() -> None:
    digest = files.keyed_digest(b"one", b"walk")
    assert len(digest) == 32 and digest == files.keyed_digest(b"one", b"walk")
    assert len({digest, files.keyed_digest(b"two", b"walk"), files.keyed_digest(b"one", b"talk")}) == 3


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


@pytest.mark.usefixtures("unnamed")
def test_the_commit_is_a_hash_or_nothing() -> None:
    assert re.fullmatch(r"([0-9a-f]{40}\+?)?", provenance.commit())


@pytest.fixture
def unnamed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No commit is named from outside."""
    monkeypatch.delenv(provenance.COMMIT_VARIABLE, raising=False)


@pytest.mark.usefixtures("unnamed")
def test_a_copy_without_its_history_is_told_its_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(provenance.COMMIT_VARIABLE, "0123abc")
    assert provenance.commit() == "0123abc"


@pytest.mark.usefixtures("unnamed")
def test_outside_a_checkout_there_is_no_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(subprocess, "run", fails)
    assert provenance.commit() == ""


@pytest.mark.usefixtures("unnamed")
def test_the_machine_is_told_in_words() -> None:
    assert re.search(r", \d+ cores, \d+ GiB", provenance.hardware())


@pytest.mark.usefixtures("unnamed")
def test_a_gpu_is_named_where_torch_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda number: f"Board {number}")
    assert provenance.hardware().endswith(" GiB memory, Board 0")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert provenance.hardware().endswith(" GiB memory")


@pytest.mark.usefixtures("unnamed")
def test_torch_is_not_read_for_the_name_of_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)  # an import of it fails
    assert provenance.hardware().endswith(" GiB memory")


@pytest.mark.usefixtures("unnamed")
def test_the_peak_of_memory_is_in_bytes_and_no_less_than_is_held_now() -> None:
    now = psutil.Process().memory_info().rss
    assert now * 0.9 < provenance.peak_memory_bytes() < now * 1_000


@pytest.mark.usefixtures("unnamed")
def test_the_peak_of_memory_is_unknown_where_the_system_keeps_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    assert provenance.peak_memory_bytes() is None

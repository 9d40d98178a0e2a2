"""Backups of a library in use: whole, small where little changed, of one moment, and restored whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from engine.core.errors import LibraryError, StorageError
from engine.core.files import read_json, sha256_bytes, sha256_file, write_json
from engine.core.progress import Progress
from engine.core.stores import STORES
from engine.documents import Document
from engine.evaluation import bake_off
from engine.library import KEPT, Library
from engine.server.tokens import TOKENS
from engine.workspace import OwnDocument, Workspace, tasks
from engine.workspace import backup as module
from engine.workspace.backup import BackupFolder
from engine.workspace.indexing import index_library, open_vectors
from engine.workspace.keeping import KeptFiles, OwnDocuments
from engine.workspace.passages import index_passages, open_passages
from tests.browser.tiny_pdf import tiny_pdf
from tests.conftest import PROJECT
from tests.library.test_earlier import written
from tests.library.told import PER_FILE
from tests.modes import modes, usual_umask
from tests.search.hashed_words import paper
from tests.workspace.letters import Letters
from tests.workspace.test_passages import LetterPassages

__all__ = ["usual_umask"]  # a fixture

PDF = tiny_pdf()


def fill(folder: Path, count: int = 6) -> Library:
    """A library with what lies beside its database: rows, passages, a copy, a document of one's own."""
    library = Library.open(folder, create=True)
    library.add_file("k", "papers", [paper(f"d{n}", body=20 * (n % 3)) for n in range(count)])
    index_library(library, Letters())
    index_passages(library, LetterPassages())
    (folder.parent / "given.pdf").write_bytes(PDF)
    library.copies.keep(sha256_bytes(PDF), folder.parent / "given.pdf")
    library.collections.add("Kites", ["d1", "d2"])
    library.annotations.note(["d1"], "read this first")
    own = OwnDocuments(folder)
    key = own.keep(OwnDocument(Document("q", "query", abstract="a draft"), "draft.txt"))
    os.utime(folder / "kept" / "documents" / f"{key}.json", (1.8e9, 1.8e9))  # used last then
    return library


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with fill(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def backups(tmp_path: Path) -> BackupFolder:
    return BackupFolder(tmp_path / "backups")


def contents(folder: Path) -> dict[str, tuple[str, int]]:
    """The digest and the time of change of each file but the database and locks."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {
        name: (sha256_file(path), path.stat().st_mtime_ns)
        for name, path in found.items()
        if not name.startswith("library.sqlite3") and not name.endswith(".lock")
    }


def test_all_comes_back_as_it_was(library: Library, backups: BackupFolder, tmp_path: Path, usual_umask: None) -> None:
    told: list[Progress] = []
    made = backups.make(library, report=told.append)
    assert made.backup.documents == 6 and made.left_out == ()
    assert {"copy files", "copy the database"} <= {one.stage for one in told}
    backups.restore(backups.read(), new := tmp_path / "new" / "library")
    assert contents(new) == contents(library.folder) and len(contents(new)) == 8
    with Library.open(new) as restored:
        assert list(restored.iter_documents()) == list(library.iter_documents())
        assert restored.collections.ids("Kites") == ["d1", "d2"]
        assert restored.annotations.of(["d1"])[0].note == "read this first"
        assert set(open_vectors(restored, Letters()).ids) == set(open_passages(restored, LetterPassages()).ids)
        assert restored.copies.read(sha256_bytes(PDF)) == PDF
    for folder in (backups.folder, new.parent):
        assert {mode for name, mode in modes(folder).items()} == {"0o700", "0o600"}


def test_another_backup_copies_what_has_changed(library: Library, backups: BackupFolder) -> None:
    first = backups.make(library)
    assert first.new_files == len({one.sha256 for one in first.backup.files})
    assert (again := backups.make(library)).new_bytes == 0
    assert [one.sha256 for one in again.backup.files] == [one.sha256 for one in first.backup.files]
    library.annotations.note(["d2"], "and this")
    noted = backups.make(library)
    assert (noted.new_files, noted.new_bytes) == (1, noted.backup.database.bytes)
    assert len(noted.kept) == 3


def test_a_file_of_a_backup_that_was_damaged_is_copied_again(library: Library, backups: BackupFolder) -> None:
    first = backups.make(library).backup
    (backups.folder / "files" / first.database.sha256).write_bytes(b"rust")
    with pytest.raises(StorageError, match=r"its library.sqlite3 \(files/[0-9a-f]{64}\) has 4 bytes"):
        backups.check(first)
    backups.make(library)
    backups.check(first)


def test_the_last_backups_are_kept_and_nothing_that_none_names(
    library: Library, backups: BackupFolder, tmp_path: Path
) -> None:
    names = []
    for number in range(4):
        library.annotations.note(["d0"], f"note {number}")
        names.append(backups.make(library, keep=2).backup.name)
    assert backups.names() == names[2:]
    named = {one.sha256 for name in names[2:] for one in backups.read(name).files}
    assert {path.name for path in (backups.folder / "files").iterdir()} == named
    backups.restore(backups.read(names[2]), tmp_path / "earlier")
    with Library.open(tmp_path / "earlier") as earlier:
        assert earlier.annotations.of(["d0"])[0].note == "note 2"
    with pytest.raises(LibraryError, match="Expected to keep one backup or more, got 0"):
        backups.make(library, keep=0)


def test_what_each_room_keeps_in_a_librarys_folder_is_backed_up(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        made = [library.vectors_folder("x"), library.encoder_folder("x"), library.map_folder("x")]
        made += [library.passages_folder, library.chunks_folder, library.copies.folder, KeptFiles(tmp_path, "x").folder]
        made += [tmp_path / TOKENS, tmp_path / bake_off._FILE, library.copies._setting]
    assert {path.relative_to(tmp_path).parts[0] for path in made} | {"evaluations", tasks._INCOMING, STORES} == KEPT


def test_what_is_not_the_librarys_is_left_out_and_told(library: Library, backups: BackupFolder, tmp_path: Path) -> None:
    (library.folder / "thesis.docx").write_text("mine")
    (library.folder / "downloads").mkdir()
    (library.folder / "downloads" / "archive.tar.gz").write_text("fetched")
    (library.folder / "maps").mkdir()
    (library.folder / "maps" / "out").symlink_to(tmp_path / "given.pdf")
    (library.folder / "vectors" / ".half").write_text("of a stopped process")
    made = backups.make(library)
    assert made.left_out == ("thesis.docx", "maps/out")
    paths = {one.path.split("/")[0] for one in made.backup.files}
    assert paths == {"library.sqlite3", "copies", "kept", "passages", "vectors"}


@pytest.mark.parametrize("where", ["library", "library/backups", "library/vectors/../backups"])
def test_a_folder_in_the_library_is_refused(library: Library, tmp_path: Path, where: str) -> None:
    with pytest.raises(LibraryError, match="Expected a folder outside the library"):
        BackupFolder(tmp_path / where).make(library)


def test_a_folder_with_other_things_is_refused(library: Library, tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match=r"Expected a new or empty folder, or one with backups.*found given.pdf"):
        BackupFolder(tmp_path).make(library)
    with pytest.raises(StorageError, match="Expected to write"):
        BackupFolder(tmp_path / "given.pdf").make(library)


def test_two_libraries_share_a_folder_and_neither_takes_the_others_backups(
    library: Library, backups: BackupFolder, tmp_path: Path
) -> None:
    first = backups.make(library).backup.name
    with Library.open(tmp_path / "other", create=True) as other:
        for _ in range(2):
            second = backups.make(other, keep=1)
    assert second.kept == (second.backup.name,) and backups.names() == [first, second.backup.name]
    backups.check(backups.read(first))
    with pytest.raises(StorageError, match=rf"of 2 libraries. Name one .*{first} of .*/library; .* of .*/other\."):
        backups.read()


def test_a_full_disk_is_told_before_anything_is_copied(
    library: Library, backups: BackupFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "free")
    backups.make(library)
    size, spare = backups.read().bytes, module._SPARE_BYTES
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(spare + backups.read().database.bytes))
    backups.make(library)  # what a backup holds needs no room
    with pytest.raises(StorageError, match=r"Expected 0 MB of free room .* to restore the backup, found"):
        backups.restore(backups.read(), tmp_path / "new")
    assert size > backups.read().database.bytes and not (tmp_path / "new").exists()
    other = BackupFolder(tmp_path / "other")
    with pytest.raises(StorageError, match="to back up the library"):
        other.make(library)
    assert other.names() == [] and not any((tmp_path / "other" / "files").iterdir())


def test_two_at_once_do_not_write_one_folder(library: Library, backups: BackupFolder) -> None:
    backups.make(library)
    with FileLock(backups.folder / "backup.lock"), pytest.raises(LibraryError, match="another process writes or"):
        backups.make(library)


def test_a_damaged_library_is_not_backed_up(library: Library, backups: BackupFolder, tmp_path: Path) -> None:
    kept = backups.make(library).backup
    with library._database.write() as connection:
        connection.execute("DELETE FROM contents WHERE position = 2")
    with pytest.raises(StorageError, match=r"1 of 6 documents lack their text. No backup was made"):
        backups.make(library, keep=1)
    assert backups.names() == [kept.name]
    backups.check(kept)


def test_files_that_change_all_the_time_are_given_up(
    library: Library, backups: BackupFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, looks = module._inside, iter(range(10**9))

    def restless(library: Path, folder: Path) -> dict[Path, module._Mark]:
        return {path: mark._replace(inode=next(looks)) for path, mark in inside(library, folder).items()}

    monkeypatch.setattr(module, "_inside", restless)
    with pytest.raises(StorageError, match=r"Expected the files in .* to rest for a moment"):
        backups.make(library)


def test_what_cannot_be_read_is_named(library: Library, backups: BackupFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(module.files, "keep_by_digest", lambda path, _: refuse(path))
        with pytest.raises(StorageError, match=r"Expected to read .*library/.*; Permission denied. See to its disk"):
            backups.make(library)
    scan = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: refuse(path) if str(path).endswith("passages") else scan(path))
    with pytest.raises(StorageError, match=r"Expected to read .*passages; Permission denied. Give yourself"):
        backups.make(library)
    assert backups.names() == []


def test_a_folder_that_is_replaced_meanwhile_is_copied_whole(
    library: Library, backups: BackupFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep, rewritten = module.files.keep_by_digest, []

    def keep_then_rewrite(path: Path, folder: Path) -> str:
        digest = keep(path, folder)
        if path.name == "index.json" and not rewritten:  # before the rows that it names are copied
            rewritten.append(path)
            library.add_file("k2", "more", [paper("later")])
            index_library(library, Letters())
        return digest

    monkeypatch.setattr(module.files, "keep_by_digest", keep_then_rewrite)
    backups.restore(backups.make(library).backup, tmp_path / "new")
    with Library.open(tmp_path / "new") as restored:
        assert "later" in open_vectors(restored, Letters()).ids and len(restored) == 7


# Restoring -------------------------------------------------------------------------------------


def test_a_library_is_replaced_only_on_demand_and_at_one_stroke(
    library: Library, backups: BackupFolder, tmp_path: Path
) -> None:
    made = backups.make(library).backup
    library.add_file("k2", "more", [paper("later")])
    with pytest.raises(LibraryError, match=r"found a library there.*--replace"):
        backups.restore(made, library.folder)
    assert library.is_in_place() and len(library) == 7
    (tmp_path / ".library.new-old").mkdir()  # of a restore that was killed
    with Workspace(library.folder) as workspace:
        assert len(workspace.library) == 7
        backups.restore(made, library.folder, replace=True)
        assert len(workspace.library) == 6
    assert not library.is_in_place()
    with Library.open(library.folder) as restored:
        assert len(restored) == 6
    assert not list(tmp_path.glob(".library*"))


@pytest.mark.parametrize("name", ["thesis.docx", "library.sqlite3.bak", "my downloads", ".git", ".mapsrc", "copies2"])
def test_what_lies_there_and_is_not_a_librarys_is_not_lost(library: Library, backups: BackupFolder, name: str) -> None:
    made = backups.make(library).backup
    (library.folder / name).write_text("mine")
    assert backups.make(library).left_out == (name,)
    with pytest.raises(LibraryError, match=rf"a library alone, at .*; found {name}. Move that away first"):
        backups.restore(made, library.folder, replace=True)
    with pytest.raises(LibraryError, match=r"Expected a folder at .*, found a file"):
        backups.restore(made, library.folder / name)


@pytest.mark.parametrize("name", ["library.sqlite3-wal", "asking.lock", ".copies.json.x1", "downloads"])
def test_what_a_process_left_goes_with_the_old_library(library: Library, backups: BackupFolder, name: str) -> None:
    made = backups.make(library).backup
    library.close()
    (library.folder / name).write_text("")
    backups.restore(made, library.folder, replace=True)
    assert not (library.folder / name).exists()


@pytest.mark.parametrize("lock", ["importing.lock", "reading.lock"])
def test_a_library_that_another_process_works_on_is_not_replaced(
    library: Library, backups: BackupFolder, lock: str
) -> None:
    made = backups.make(library).backup
    with FileLock(library.folder / lock), pytest.raises(LibraryError, match="to be free; another process imports"):
        backups.restore(made, library.folder, replace=True)
    assert library.is_in_place()


def test_an_import_that_begins_meanwhile_keeps_the_library(
    library: Library, backups: BackupFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, copy, lock = backups.make(library).backup, module.files.copy_file, FileLock(library.folder / "importing.lock")

    def copy_while_importing(source: Path, target: Path, sha256: str) -> None:
        lock.acquire()
        copy(source, target, sha256)

    monkeypatch.setattr(module.files, "copy_file", copy_while_importing)
    with pytest.raises(LibraryError, match="to be free; another process imports"):
        backups.restore(made, library.folder, replace=True)
    lock.release(force=True)
    assert library.is_in_place() and not list(library.folder.parent.glob(".library*"))


def test_a_place_that_cannot_be_written_is_told(library: Library, backups: BackupFolder, tmp_path: Path) -> None:
    backups.make(library)
    with pytest.raises(StorageError, match="Expected to write"):
        backups.restore(backups.read(), tmp_path / "given.pdf" / "library")


def test_where_a_volume_begins_an_empty_one_is_filled(
    library: Library, backups: BackupFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, volume = backups.make(library).backup, tmp_path / "volume"
    monkeypatch.setattr(os.path, "ismount", lambda path: Path(path) == volume)
    asked, usage = [], shutil.disk_usage
    monkeypatch.setattr(shutil, "disk_usage", lambda path: asked.append(path) or usage(path))
    (volume / "lost+found").mkdir(parents=True)
    (volume / "vectors").mkdir()
    (volume / "vectors" / "half").write_text("of a restore that was killed")
    backups.restore(made, volume, replace=True)
    assert asked == [volume]  # which is not the disk that the folder above is on
    assert contents(volume) == contents(library.folder)
    with pytest.raises(LibraryError, match="Expected a library that can be moved"):
        backups.restore(made, volume, replace=True)
    with Library.open(volume) as restored:
        assert len(restored) == 6


def test_a_backup_on_a_disk_that_cannot_be_written_is_restored(
    library: Library, backups: BackupFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backups.make(library)
    (backups.folder / "backup.lock").unlink()

    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(FileLock, "acquire", refuse)
    backups.restore(backups.read(), tmp_path / "new")
    assert contents(tmp_path / "new") == contents(library.folder)


# Damage, tricks and other versions --------------------------------------------------------------

Damage = Callable[[Path], None]


def flip(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))


def link(path: Path) -> None:
    path.rename(path.with_name(".moved"))
    path.symlink_to(path.with_name(".moved"))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (flip, "is damaged"),
        (Path.unlink, "is missing"),
        (lambda path: os.truncate(path, 9), "has 9 bytes"),
        (link, "is missing"),
    ],
)
@pytest.mark.parametrize("name", ["library.sqlite3", "vectors/letters/letters-1/rows.safetensors"])
def test_a_damaged_file_is_named_and_nothing_changes(
    library: Library, backups: BackupFolder, tmp_path: Path, name: str, damage: Damage, said: str
) -> None:
    first = backups.make(library).backup
    library.add_file("k2", "more", [paper("later")])
    index_library(library, Letters())
    made = backups.make(library).backup
    digest = next(one.sha256 for one in made.files if one.path == name)
    damage(backups.folder / "files" / digest)
    told = rf"{made.name} in .* to be whole; its {name} \(files/{digest}\) {said}.*--backup: {first.name}"
    for target, replace in ((tmp_path / "new", False), (library.folder, True)):
        with pytest.raises(StorageError, match=told):
            backups.restore(made, target, replace=replace)
    assert not (tmp_path / "new").exists() and library.is_in_place() and len(library) == 7
    backups.restore(first, tmp_path / "new")


def change(backups: BackupFolder, name: str, make: Callable[[dict[str, Any]], None], *, sealed: bool = True) -> None:
    """Change what a backup says of itself, and seal it again, as somebody with bad intentions would."""
    path = backups.folder / f"{name}.json"
    value = read_json(path)
    make(value)
    if sealed:
        del value["sha256"]
        value["sha256"] = sha256_bytes(json.dumps(value, sort_keys=True).encode())
    write_json(path, value)


TRICKS = [
    "../escaped",
    "/tmp/escaped",
    "vectors/../../escaped",
    "vectors/./x",
    "vectors//x",
    "C:/escaped",
    "vectors\\..\\x",
]
TRICKS += ["vectors/a:stream", "reading.lock", "escaped", "", "vectors/ ", "vectors/x\nlibrary", "vectors/x\0", ".."]


@pytest.mark.parametrize("path", TRICKS)
def test_a_path_out_of_the_library_is_refused(
    library: Library, backups: BackupFolder, tmp_path: Path, path: str
) -> None:
    name = backups.make(library).backup.name
    before = sorted(tmp_path.rglob("*"))
    change(backups, name, lambda value: value["files"][0].update(path=path))
    with pytest.raises(StorageError, match="expected a path within a library"):
        backups.read()
    assert sorted(tmp_path.rglob("*")) == before


def double(value: dict[str, Any]) -> None:
    value["files"].append({**value["files"][0], "path": value["files"][0]["path"].upper()})
    value["files"][-1]["path"] = "copies" + value["files"][-1]["path"].removeprefix("COPIES")


@pytest.mark.parametrize(
    ("make", "sealed", "said"),
    [
        (lambda value: value.update(documents=5), False, "it was changed"),
        (lambda value: value.update(format="priorscope-backup/2"), True, "a later Priorscope wrote it"),
        (lambda value: value["files"][0].update(sha256="../../x"), True, "expected a sha256"),
        (lambda value: value["files"][0].update(bytes=True), True, "bytes must be int"),
        (lambda value: value["files"][0].update(bytes=-1), True, "expected a sha256 and a size"),
        (double, True, "a place of its own"),
        (lambda value: value["files"][0].update(path="library.sqlite3/x"), True, "a place of its own"),
        (lambda value: value["files"].pop(), True, "library.sqlite3 among them"),
        (lambda value: value.update(more=1), True, "unknown key more"),
    ],
)
def test_a_backup_that_was_changed_is_refused(
    library: Library, backups: BackupFolder, make: Callable[[dict[str, Any]], None], sealed: bool, said: str
) -> None:
    change(backups, backups.make(library).backup.name, make, sealed=sealed)
    with pytest.raises(StorageError, match=f"Expected a whole backup in .*{said}.* the only backup in this folder"):
        backups.read()
    count = len(list((backups.folder / "files").iterdir()))
    backups.make(library)  # what the damaged one named is not taken away
    assert len(list((backups.folder / "files").iterdir())) >= count


@pytest.mark.parametrize("text", ["", "[]", "[1]", '"x"', "{}", "\xff"])
def test_a_backup_that_is_other_json_is_refused(library: Library, backups: BackupFolder, text: str) -> None:
    name = backups.make(library).backup.name
    (backups.folder / f"{name}.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(StorageError, match=f"{name}.json"):
        backups.read()


def test_a_backup_that_says_more_than_it_holds_is_refused(
    library: Library, backups: BackupFolder, tmp_path: Path
) -> None:
    name = backups.make(library).backup.name
    change(backups, name, lambda value: value.update(documents=5))
    with pytest.raises(StorageError, match="holds another library than the backup says"):
        backups.restore(backups.read(), tmp_path / "new")


def test_no_backup_is_found(backups: BackupFolder, library: Library) -> None:
    with pytest.raises(StorageError, match=r"Expected a backup in .*; it holds none. Name a folder"):
        backups.read()
    name = backups.make(library).backup.name
    with pytest.raises(StorageError, match=f"Expected the backup ../x in .*; it holds {name}"):
        backups.read("../x")


def with_database(backups: BackupFolder, name: str, path: Path, schema: int, documents: int) -> None:
    """Put another database into a backup."""
    digest = sha256_file(path)
    shutil.copy(path, backups.folder / "files" / digest)

    def put(value: dict[str, Any]) -> None:
        value["files"][-1].update(sha256=digest, bytes=path.stat().st_size)
        value.update(schema=schema, documents=documents)

    change(backups, name, put)


def test_a_backup_of_an_earlier_schema_is_restored_and_opens(
    library: Library, backups: BackupFolder, tmp_path: Path
) -> None:
    old = written("schema-4-notes", tmp_path / "old") / "library.sqlite3"
    with_database(backups, backups.make(library).backup.name, old, 4, 3)
    backups.restore(backups.read(), tmp_path / "new")
    with Library.open(tmp_path / "new") as restored:
        assert restored.collections.counts() == {"Cooling": 2, "empty": 0}


def test_a_backup_of_a_later_schema_is_refused(library: Library, backups: BackupFolder, tmp_path: Path) -> None:
    made = backups.make(library).backup
    later = tmp_path / "later.sqlite3"
    shutil.copy(backups.folder / "files" / made.database.sha256, later)
    subprocess.run([sys.executable, "-c", _LATER, str(later)], check=True)
    with_database(backups, made.name, later, 99, 6)
    with pytest.raises(
        StorageError, match=r"found schema 99, which a later Priorscope wrote. Nothing was changed: update"
    ):
        backups.restore(backups.read(), tmp_path / "new")
    assert not (tmp_path / "new").exists()


_LATER = """
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as connection:
    connection.execute("PRAGMA user_version = 99")
connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
connection.close()
"""


# While others write ---------------------------------------------------------------------------

_WRITES = """
import itertools, sys
from pathlib import Path
from engine.evaluation import bake_off
from engine.library import KEPT, Library
from engine.server.tokens import AccessTokens
from engine.workspace.indexing import index_library
from engine.workspace.passages import index_passages
from tests.library.told import documents
from tests.workspace.letters import Letters
from tests.workspace.test_passages import LetterPassages
with Library.open(Path(sys.argv[1]), create=True) as library:
    for number in itertools.count():
        library.add_file(f"k{number}", f"file {number}", documents(number))
        library.remove([f"{number}-0"])
        index_library(library, Letters())
        index_passages(library, LetterPassages())
        print(number, flush=True)
"""


def test_a_backup_while_another_process_imports_is_of_one_moment(tmp_path: Path, backups: BackupFolder) -> None:
    folder = tmp_path / "library"
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITES, str(folder)], stdout=subprocess.PIPE, text=True, cwd=PROJECT
    )
    try:
        assert writer.stdout is not None and writer.stdout.readline() == "0\n"
        with Library.open(folder) as library:
            made = []
            for _ in range(3):
                begun = len(library)
                made.append((begun, backups.make(library).backup))
                writer.stdout.readline()
                assert writer.poll() is None
    finally:
        writer.kill()
        writer.communicate()
    for begun, backup in made:
        backups.restore(backup, new := tmp_path / backup.name)
        with Library.open(new) as restored:
            ids = restored.ids()
            assert len(ids) == backup.documents >= begun
            for file in restored.files():  # whole, but for the one that is removed after
                number = file.name.removeprefix("file ")
                assert sum(id_.startswith(f"{number}-") for id_ in ids) in (PER_FILE, PER_FILE - 1)
            vectors, passages = open_vectors(restored, Letters()), open_passages(restored, LetterPassages())
            assert set(vectors.ids) <= set(ids) and set(passages.ids) <= set(ids)
            assert len(vectors) >= PER_FILE - 1
            again = Letters()
            assert set(index_library(restored, again).ids) == set(ids)
            assert again.read == len(ids) - len(vectors)


# Killed at random points ------------------------------------------------------------------------

_KILLED = """
import json, os, random, shutil, signal, sys
from pathlib import Path
from engine.evaluation import bake_off
from engine.library import KEPT, Library
from engine.server.tokens import AccessTokens
from engine.workspace.backup import BackupFolder
from tests.search.hashed_words import paper
EVENTS = ("os.", "open", "shutil.", "sqlite3.", "tempfile.", "ctypes.call_function", "ctypes.dlsym")
def run(action, point):
    child = os.fork()
    if child:
        status = os.waitpid(child, 0)[1]
        return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    seen = 0
    def hook(event, _):
        nonlocal seen
        if event.startswith(EVENTS):
            seen += 1
            if seen == point:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)
    action()
    if point == 0:
        Path(sys.argv[1], "count").write_text(str(seen))
    os._exit(0)
home, command, seed = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
folder, backups = home / "library", BackupFolder(home / "backups")
def opened(action):
    with Library.open(folder) as library:
        return action(library)
def fresh():  # a backup of six documents, and a library of seven
    for path in (home / "library", home / "backups", *home.glob(".*")):
        shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(home / "kept" / "library", folder)
    shutil.copytree(home / "kept" / "backups", backups.folder)
    opened(lambda library: library.add_file("k2", "more", [paper("later")]))
def back_up():
    opened(lambda library: backups.make(library, keep=1))
def restore():
    backups.restore(backups.read(), folder, replace=True)
action = {"backup": back_up, "restore": restore}[command]
fresh()
run(action, 0)
count = int((home / "count").read_text())
told = []
for point in sorted(random.Random(seed).sample(range(1, count + 1), 12)):
    fresh()
    killed = run(action, point)
    backup = backups.read()
    backups.check(backup)
    told.append([killed, backup.documents, opened(len), opened(lambda library: library.count_left_to_index())])
    if command == "backup":
        back_up()
        left = {path.name for path in (backups.folder / "files").iterdir()}
        assert left == {one.sha256 for one in backups.read().files} and backups.read().documents == 7, left
    else:
        restore()
        assert opened(len) == 6 and not list(home.glob(".library*"))
print(json.dumps([count, told]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each of many processes begins as a fork that is killed")
@pytest.mark.parametrize(("command", "before", "after"), [("backup", [6, 7], [7, 7]), ("restore", [6, 7], [6, 6])])
def test_killed_anywhere_the_old_is_there_or_the_new(
    tmp_path: Path, command: str, before: list[int], after: list[int]
) -> None:
    with fill(tmp_path / "library") as library:
        BackupFolder(tmp_path / "backups").make(library)
    (tmp_path / "kept").mkdir()
    for name in ("library", "backups"):
        (tmp_path / name).rename(tmp_path / "kept" / name)
    seed = str(sha256_file(Path(__file__)))  # other points whenever this file changes
    run = subprocess.run(
        [sys.executable, "-c", _KILLED, str(tmp_path), command, seed], capture_output=True, text=True, cwd=PROJECT
    )
    assert run.returncode == 0, run.stderr
    count, told = json.loads(run.stdout)
    assert count > 60 and sum(killed for killed, *_ in told) >= 10  # one of the last points may not be reached
    states = [[backed, held] for _, backed, held, left in told if left == 0]
    assert len(states) == 12 and all(state in (before, after) for state in states)
    assert before in states

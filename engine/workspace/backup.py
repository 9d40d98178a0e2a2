"""Backups of a library, made while it is in use, and restored at one stroke.

    FOLDER/
        files/SHA256                    the content of a file, once however many backups name it
        2026-11-29-141207-123456.json   a backup: the library's files by path, size and sha256, and how many documents

That works on any disk, and needs no links. Nothing in the folder is changed in place, and the JSON file comes last: a
process that is killed leaves the earlier backups and, at most, files that none names; the next backup uses or removes
them. SQLite copies the database as it is at one moment, after all other files: vectors may be older than it then,
never newer, and the library reads again what they lack. What the next process makes or fetches again is left out:
downloads, locks, and what a stopped process left half written.

Long, because what a backup holds is decided in one place, for who writes it and who reads it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from filelock import FileLock, Timeout

from engine.core import files
from engine.core.config import from_mapping
from engine.core.errors import ConfigError, LibraryError, StorageError
from engine.core.progress import Meter, Report, silent
from engine.core.provenance import version
from engine.library import DATABASE, KEPT, Library, inspect_database, is_own
from engine.workspace.reading_state import is_worked_on

_FORMAT = "priorscope-backup/1"
_FILES, _LOCK, _COPY = "files", "backup.lock", ".database"
_NAME = re.compile(r"\d{4}-\d\d-\d\d-\d{6}-\d{6}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SPARE_BYTES = 16 << 20
"""This much is left free on the disk that is written to."""
_MOST_LOOKS = 50
_NAMED = 5


@dataclass(frozen=True, slots=True)
class BackedUpFile:
    """A file of a library: its path from the library's folder, its content, and when it was changed (ns since 1970)."""

    path: str
    sha256: str
    bytes: int
    modified: int

    def __post_init__(self) -> None:
        """Refuse a path that may lead out of a library's folder on any system. Raises ValueError."""
        if not _is_plain(self.path) or self.path.split("/")[0] not in (DATABASE, *KEPT):
            raise ValueError(f"expected a path within a library, found {files.shown(self.path)!r}")
        if not _DIGEST.fullmatch(self.sha256) or self.bytes < 0:
            raise ValueError(f"expected a sha256 and a size of {files.shown(self.path)}")


@dataclass(frozen=True, slots=True)
class Backup:
    """A library at a moment: its folder, when that was, which Priorscope wrote it, its schema, documents and files."""

    name: str
    library: str
    made_at: str
    priorscope: str
    schema: int
    documents: int
    files: tuple[BackedUpFile, ...]

    def __post_init__(self) -> None:
        """Check that no two files have one place, on a disk that ignores capitals either. Raises ValueError."""
        paths = {one.path.casefold() for one in self.files}
        folders = {str(above) for path in paths for above in PurePosixPath(path).parents}
        if len(paths) < len(self.files) or folders & paths or DATABASE not in paths:
            raise ValueError(f"expected each file in a place of its own, and {DATABASE} among them")

    @property
    def bytes(self) -> int:
        """The size of all files, as they are restored."""
        return sum(one.bytes for one in self.files)

    @property
    def database(self) -> BackedUpFile:
        """The library's database."""
        return next(one for one in self.files if one.path == DATABASE)

    @property
    def facts(self) -> dict[str, Any]:
        """The backup as a JSON value: its name and what it says, with how many files and bytes it has."""
        told = {one.name: getattr(self, one.name) for one in fields(self)}
        return {"backup": told.pop("name"), **told, "files": len(self.files), "bytes": self.bytes}


@dataclass(frozen=True, slots=True)
class BackupResult:
    """A backup that was made, what was new in it, what of the library's folder it leaves out; all of the library's."""

    backup: Backup
    new_files: int
    new_bytes: int
    left_out: tuple[str, ...]
    kept: tuple[str, ...]


class _Mark(NamedTuple):
    """What changes of a file whenever it is written."""

    inode: int
    size: int
    modified: int


class BackupFolder:
    """The backups in a folder."""

    def __init__(self, folder: Path) -> None:
        """Take the folder; nothing is read or written yet."""
        self.folder = folder
        self._files = folder / _FILES

    def names(self) -> list[str]:
        """Return the name of each backup, the oldest first."""
        return sorted(path.stem for path in self.folder.glob("*.json") if _NAME.fullmatch(path.stem))

    def read(self, name: str = "") -> Backup:
        """Return a backup, or the last one, if all are of one library.

        Raises StorageError if it is missing, damaged, or of a later format, or if it could be that of any library.
        """
        names = self.names()
        if not names or name not in ("", *names):
            held = f"it holds {_some(names[::-1])}" if names else "it holds none"
            what = f"the backup {files.shown(name)}" if name else "a backup"
            raise StorageError(
                f"Expected {what} in {files.shown(self.folder)}; {held}. Name a folder that `priorscope backup` wrote."
            )
        if not name and len(last := {one.library: one.name for one in self._all()}) > 1:
            several = "; ".join(f"{one} of {files.shown(library)}" for library, one in last.items())
            raise StorageError(
                f"Expected the name of a backup, since {files.shown(self.folder)} holds those of {len(last)} "
                f"libraries. Name one with --backup. The last are {several}."
            )
        path = self.folder / f"{name or names[-1]}.json"
        try:
            value = files.read_json(path)
            if value.pop("sha256") != _seal(value) or value.pop("format") != _FORMAT:
                raise ConfigError("it was changed, or a later Priorscope wrote it.")
            return from_mapping({**value, "name": path.stem}, Backup, origin=path.name)
        except (ConfigError, AttributeError, KeyError, TypeError, OSError) as error:
            why = str(error) if isinstance(error, ConfigError | OSError) else "found other JSON."
            raise StorageError(f"Expected a whole backup in {path}: {why} {self._instead_of(path.stem)}") from None

    def _all(self) -> list[Backup]:
        """Return every backup that can be read, the oldest first."""
        found = []
        for name in self.names():
            with suppress(StorageError):
                found.append(self.read(name))
        return found

    # Making one ---------------------------------------------------------------------------------

    def make(self, library: Library, *, keep: int = 3, report: Report = silent) -> BackupResult:
        """Back up a library that may be in use, and remove its backups but the last `keep`, this one included.

        Raises LibraryError where the folder cannot take it, StorageError where the library is damaged, or something
        cannot be read or written: the backups before it stay as they were.
        """
        if keep < 1:
            raise LibraryError(f"Expected to keep one backup or more, got {keep:,}. Name a higher number.")
        self._refuse_folder(library.folder)
        files.make_private_folder(self._files)
        with _alone(self.folder):
            before = {path.name for path in self._files.iterdir()}
            self._need_room(library)
            found = self._copy_files(library.folder, report)
            backup = self._write(library, found, report)
            kept = [one.name for one in self._all() if one.library == backup.library]
            for name in kept[:-keep]:
                (self.folder / f"{name}.json").unlink()
            self._remove_unnamed()
        new = {one.sha256: one.bytes for one in backup.files if one.sha256 not in before}
        return BackupResult(backup, len(new), sum(new.values()), _left_out(library.folder), tuple(kept[-keep:]))

    def _refuse_folder(self, library: Path) -> None:
        """Raise LibraryError where the folder lies in the library, or holds other things than backups."""
        here, there = self.folder.resolve(), library.resolve()
        if there in (here, *here.parents):
            raise LibraryError(
                f"Expected a folder outside the library, got {files.shown(self.folder)}. A backup should survive the "
                "library: name a folder on another disk."
            )
        files.check_writable(self.folder / _LOCK)
        held = [path.name for path in self.folder.iterdir()]
        if other := [one for one in held if not (one in (_FILES, _LOCK) or _NAME.match(one) or one.startswith("."))]:
            raise LibraryError(
                f"Expected a new or empty folder, or one with backups, at {files.shown(self.folder)}; found "
                f"{_some(sorted(other))}. Name a folder of its own within it."
            )

    def _need_room(self, library: Library) -> None:
        """Raise StorageError where the disk has no room for the database, and what no backup holds by path and time."""
        known = {(one.path, one.bytes, one.modified) for backup in self._all() for one in backup.files}
        needed, root = library.database_bytes(), library.folder
        for path, mark in (found for folder in _folders(root) for found in _inside(root, folder).items()):
            needed += mark.size if (_path(root, path), mark.size, mark.modified) not in known else 0
        if shutil.disk_usage(self.folder).free < needed + _SPARE_BYTES:
            self._remove_unnamed()
        _refuse_full(self.folder, needed, "back up the library")

    def _copy_files(self, library: Path, report: Report) -> list[BackedUpFile]:
        """Copy all but the database: folders above first, since what they tell of those below must not be newer."""
        folders = list(_folders(library))
        sizes = [mark.size for folder in folders for mark in _inside(library, folder).values()]
        meter = _meter("copy files", sizes, report)
        found = [one for folder in folders for one in self._copy_folder(library, folder, meter)]
        meter.finish()
        return found

    def _copy_folder(self, library: Path, folder: Path, meter: Meter) -> Iterable[BackedUpFile]:
        """Copy the files of a folder, again those that change meanwhile, until all of them are of one moment."""
        done: dict[Path, tuple[_Mark, BackedUpFile]] = {}
        for _ in range(_MOST_LOOKS):
            before = _inside(library, folder)
            for path, mark in before.items():
                if path not in done or done[path][0] != mark:
                    with suppress(FileNotFoundError):  # gone since, alone or with its folder: the next look tells
                        done[path] = mark, self._keep(path, _path(library, path), mark.modified)
                        meter.add(work=done[path][1].bytes)
            if before == _inside(library, folder):
                return [done[path][1] for path in before]
        raise StorageError(
            f"Expected the files in {folder} to rest for a moment; other processes change them all the time. Try again "
            "when they have finished."
        )

    def _keep(self, path: Path, name: str, modified: int) -> BackedUpFile:
        """Copy a file. Raises FileNotFoundError where it is gone, StorageError where it cannot be read or written."""
        try:
            digest = files.keep_by_digest(path, self._files)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise StorageError(f"Expected to read {path}; {error.strerror}. See to its disk or its owner.") from None
        return BackedUpFile(name, digest, (self._files / digest).stat().st_size, modified)

    def _write(self, library: Library, found: Iterable[BackedUpFile], report: Report) -> Backup:
        """Copy the database, and name all that was copied as a backup."""
        copy = self._files / _COPY
        for left in self._files.glob(f"{_COPY}*"):  # of a backup that was stopped, with SQLite's journal
            left.unlink()
        library.copy_database(copy, report)
        state = inspect_database(copy)
        if state.damage:
            raise StorageError(
                f"Expected a whole database in {library.folder}; {state.damage}. No backup was made; those before stay "
                "as they are. `priorscope doctor` says more; `priorscope restore` brings an earlier one back."
            )
        moment, status = datetime.now(UTC), copy.stat()
        database = BackedUpFile(DATABASE, files.name_by_digest(copy), status.st_size, status.st_mtime_ns)
        name, home = moment.strftime("%Y-%m-%d-%H%M%S-%f"), str(library.folder.resolve())
        held = (state.schema, state.documents, (*found, database))
        made = Backup(name, home, moment.isoformat(), version(), *held)
        value = {"format": _FORMAT, **asdict(made), "files": [asdict(one) for one in made.files]}
        del value["name"]
        files.write_json(self.folder / f"{name}.json", {**value, "sha256": _seal(value)})
        return made

    def _remove_unnamed(self) -> None:
        """Remove the files that no backup names; where one is damaged, none: what it names is unknown."""
        with suppress(StorageError):
            named = {one.sha256 for name in self.names() for one in self.read(name).files}
            for path in self._files.iterdir():
                if path.name not in named:
                    path.unlink(missing_ok=True)

    # Reading one --------------------------------------------------------------------------------

    def check(self, backup: Backup, report: Report = silent) -> None:
        """Read a backup whole. Raises StorageError that names the first file that is missing or damaged."""
        meter = _meter(f"check {backup.name}", [one.bytes for one in backup.files], report)
        for one in backup.files:
            if not _is_whole(self._content(backup, one), one.sha256):
                raise self._lost(backup, one, "is damaged")
            meter.add(work=one.bytes)
        meter.finish()
        state = inspect_database(self._files / backup.database.sha256)
        if state.damage or (state.documents, state.schema) != (backup.documents, backup.schema):
            raise self._lost(backup, backup.database, state.damage or "holds another library than the backup says")

    def restore(self, backup: Backup, library: Path, *, replace: bool = False, report: Report = silent) -> None:
        """Put a backup into a new or empty folder, or in the place of the library there, at one stroke.

        All of the backup is read first, and an old library stays as it is until the new one is whole. Raises
        LibraryError where the folder cannot take it, StorageError where the backup is damaged, or cannot be written.
        """
        library = library.resolve()
        _refuse_target(library, replace)
        place = library if _is_fixed(library) else library.parent
        files.check_writable(place / _COPY)
        _refuse_full(place, backup.bytes, "restore the backup")
        self.check(backup, report)
        meter = _meter("restore files", [one.bytes for one in backup.files], report)
        with _alone(self.folder), _taking_place_of(library) as new:
            for one in sorted(backup.files, key=lambda one: one is backup.database):  # last: it makes it a library
                target = new / one.path
                files.make_private_folder(target.parent)
                files.copy_file(self._content(backup, one), target, one.sha256)
                os.utime(target, ns=(one.modified, one.modified))
                meter.add(work=one.bytes)
            meter.finish()
            _refuse_used(library)

    def _content(self, backup: Backup, one: BackedUpFile) -> Path:
        """Return where a file's content lies. Raises StorageError where it is missing, cut, or no plain file."""
        path = self._files / one.sha256
        if path.is_symlink() or not path.is_file():
            raise self._lost(backup, one, "is missing")
        if (size := path.stat().st_size) != one.bytes:
            raise self._lost(backup, one, f"has {size:,} bytes instead of {one.bytes:,}")
        return path

    def _lost(self, backup: Backup, one: BackedUpFile, why: str) -> StorageError:
        return StorageError(
            f"Expected the backup {backup.name} in {self.folder} to be whole; its {one.path} ({_FILES}/{one.sha256}) "
            f"{why}. Nothing was changed. {self._instead_of(backup.name)}"
        )

    def _instead_of(self, name: str) -> str:
        others = [one for one in self.names()[::-1] if one != name]
        return f"Choose another with --backup: {_some(others)}." if others else "It is the only backup in this folder."


def _is_plain(path: str) -> bool:
    """Tell whether a path stays within the folder where it begins, on any system."""
    parts = path.split("/")
    return all(part.strip(" .") and part.isprintable() and not set(part) & set('\\:*?"<>|') for part in parts)


def _seal(value: object) -> str:
    return files.sha256_bytes(json.dumps(value, sort_keys=True).encode())


def _some(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(map(files.shown, names[:_NAMED])) + (f" and {more:,} more" if more > 0 else "")


def _meter(stage: str, sizes: Sequence[int], report: Report) -> Meter:
    meter = Meter(stage, None, report)
    meter.expect(len(sizes), work=sum(sizes))
    return meter


def _is_whole(path: Path, sha256: str) -> bool:
    try:
        return files.sha256_file(path) == sha256
    except OSError:
        return False


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let nobody else write or restore the backups in a folder within the block, where the disk has locks.

    Raises LibraryError where another process does.
    """
    lock = FileLock(folder / _LOCK, mode=0o600)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise LibraryError(
            f"Expected the backups in {folder} to be free; another process writes or restores one. Wait until it has "
            "finished, then try again."
        ) from None
    except (OSError, NotImplementedError):
        pass
    try:
        yield
    finally:
        lock.release()


def _refuse_full(folder: Path, needed: int, what: str) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed + _SPARE_BYTES:
        raise StorageError(
            f"Expected {needed / 1e6:,.0f} MB of free room on the disk of {folder} to {what}, found {free / 1e6:,.0f} "
            "MB. Nothing was changed: make room, or name a folder on another disk."
        )


# The library's folder ---------------------------------------------------------------------------


def _folders(library: Path) -> Iterator[Path]:
    """Yield the folders whose files are kept, those above first. Raises StorageError for one that is closed to us."""

    def refuse(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            raise StorageError(f"Expected to read {error.filename}; {error.strerror}. Give yourself the right to.")

    yield library
    for name in sorted(KEPT):
        for folder, below, _ in os.walk(library / name, onerror=refuse):
            below[:] = sorted(one for one in below if not one.startswith(".") and _is_plain(one))
            yield Path(folder)


def _inside(library: Path, folder: Path) -> dict[Path, _Mark]:
    """Return the files of a folder that are kept, without links but those that stand for a file or folder of ours."""
    found = {}
    with suppress(FileNotFoundError, NotADirectoryError):
        for one in sorted(os.scandir(folder), key=lambda one: one.name):
            is_kept = one.name in KEPT if folder == library else not one.name.startswith(".")
            if is_kept and _is_plain(one.name) and one.is_file(follow_symlinks=folder == library):
                state = one.stat()
                found[folder / one.name] = _Mark(state.st_ino, state.st_size, state.st_mtime_ns)
    return found


def _left_out(library: Path) -> tuple[str, ...]:
    """Return what lies in a library's folder and is not the library's, and links and odd names within it."""
    foreign = [path.name for path in library.iterdir() if not is_own(path.name)]
    inside = [path for folder in _folders(library) if folder != library for path in folder.glob("*")]
    return (*sorted(foreign), *(_path(library, one) for one in inside if one.is_symlink() or not _is_plain(one.name)))


def _path(library: Path, path: Path) -> str:
    return path.relative_to(library).as_posix()


def _refuse_target(library: Path, replace: bool) -> None:
    """Raise LibraryError where a backup cannot be put into a folder."""
    if library.exists() and not library.is_dir():
        raise LibraryError(f"Expected a folder at {files.shown(library)}, found a file. Name another with --library.")
    held = sorted(path.name for path in library.iterdir()) if library.is_dir() else []
    held = [name for name in held if name != "lost+found"]
    if foreign := [name for name in held if not is_own(name)]:
        raise LibraryError(
            f"Expected a new or empty folder, or a library alone, at {files.shown(library)}; found {_some(foreign)}. "
            "Move that away first, or name another folder with --library."
        )
    if held and not replace:
        raise LibraryError(
            f"Expected a new or empty folder at {files.shown(library)}; found a library there. Name another folder "
            "with --library, or add --replace to put the backup in its place."
        )
    _refuse_used(library)


def _refuse_used(library: Path) -> None:
    if is_worked_on(library):
        raise LibraryError(
            f"Expected the library in {library} to be free; another process imports into it or reads its documents. "
            "Nothing was changed. Wait until it has finished, then try again."
        )


def _is_fixed(library: Path) -> bool:
    """Tell whether a folder cannot be moved: a disk or a volume begins there, or the folder above is closed to us."""
    return library.is_dir() and (os.path.ismount(library) or not os.access(library.parent, os.W_OK))


@contextmanager
def _taking_place_of(library: Path) -> Iterator[Path]:
    """Yield an empty folder that is the library at the end of the block; after an error nothing has changed.

    A folder that cannot be moved is filled itself, if it holds no library.
    """
    if _is_fixed(library):
        if (library / DATABASE).exists():
            raise LibraryError(
                f"Expected a library that can be moved at {library}; a disk or volume begins there, or the folder "
                "above is closed to you. Restore into an empty folder or volume, and use that one."
            )
        for path in [path for path in library.iterdir() if is_own(path.name)]:  # of a restore that was stopped
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        yield library
        return
    for path in library.parent.iterdir():
        if path.name.startswith(f".{library.name}.new-"):  # of a restore that was stopped
            shutil.rmtree(path, ignore_errors=True)
    with files.new_folder(library) as new:
        yield new

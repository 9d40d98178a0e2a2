"""Files on disk: atomic writes, checksums, and the files below the paths that a person named.

Only this module renames or hashes files, so that both are done in one place. What it writes is for its owner's eyes
alone, whatever the umask: people keep inventions here before they are filed, on machines that others use, too.
"""

from __future__ import annotations

import ctypes
import errno
import hashlib
import hmac
import json
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import StorageError

_BLOCK_BYTES = 1 << 20
_LENGTH_BYTES = 8  # of a safetensors file, before its header
_DTYPES = {
    **{"F32": np.float32, "F16": np.float16, "I8": np.int8, "I32": np.int32, "I64": np.int64},
    **{"U8": np.uint8, "U16": np.uint16, "U32": np.uint32, "U64": np.uint64},
}
"""The kinds of numbers that are mapped, as a safetensors header names them."""
_HERE, _EXCHANGE = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of renameat2(2)
_AT_ONCE = 4
_SECONDS_OPEN, _SECONDS_BETWEEN_TRIES = 2.0, 0.05
_FORBIDDEN = re.compile(r'[<>:"|?*]')
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³")}
ABSENT = "there is none"
_SHOWN_CHARACTERS = 160
Refuse = Callable[[Path, str], None]
"""Gets each path left out, and why."""


def sha256_bytes(data: bytes) -> str:
    """Return the sha256 of some bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def sha256_file(path: Path) -> str:
    """Return the sha256 of a file, in hexadecimal; reads it in blocks."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()


def spread(name: str, among: int) -> int:
    """Return the number in [0, among) that a name always gets: its sha1, modulo, so that sets split alike."""
    return int(hashlib.sha1(name.encode(), usedforsecurity=False).hexdigest(), 16) % among


def fingerprint(*parts: bytes | str) -> str:
    """Return sixteen hexadecimal digits that name some content; parts are kept apart, so order and cuts count."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()[:16]


def keyed_digest(secret: bytes, data: bytes) -> str:
    """Return 32 hexadecimal digits that name some content, and that only who holds the secret can work out."""
    return hmac.new(secret, data, hashlib.sha256).hexdigest()[:32]


def stamp(path: Path) -> Hashable:
    """Return what changes whenever a file is put in the place of another, or a folder's files are; None for neither."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees the old content or the new, never a part.

    Raises StorageError if the file cannot be written.
    """
    with _writing(path):
        make_private_folder(path.parent)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            _replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


def put_in_place(path: Path, target: Path) -> None:
    """Let a file that is whole take the place of another, or its name, at one stroke. Raises OSError."""
    _replace(str(path), target)


def _replace(temporary: str, path: Path) -> None:
    """Put a file in another's place; on Windows wait a little for whoever has that open, such as a virus scanner."""
    until = time.monotonic() + (_SECONDS_OPEN if sys.platform == "win32" else 0)
    while True:
        try:
            os.replace(temporary, path)
            return
        except PermissionError:
            if time.monotonic() >= until:
                raise
            time.sleep(_SECONDS_BETWEEN_TRIES)


def write_once(path: Path, data: bytes) -> bytes:
    """Write a file unless it exists; returns what it holds, which may be what another process wrote just before.

    Raises StorageError if the file can neither be written nor read.
    """
    with _writing(path):
        if not path.exists():
            make_private_folder(path.parent)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                with suppress(FileExistsError):
                    _put(temporary, path)
            finally:
                Path(temporary).unlink(missing_ok=True)
        return path.read_bytes()


def _put(temporary: str, path: Path) -> None:
    """Give a file a name, whole or not at all, and never another's. Raises FileExistsError."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:  # a disk without links, such as exFAT; Windows' rename refuses a name in use, too
        if path.exists():
            raise FileExistsError from None
        os.rename(temporary, path)


def copy_file(source: Path, target: Path, sha256: str) -> None:
    """Copy a file of this sha256 so that a reader sees the whole copy or none.

    Raises OSError if it cannot be opened, StorageError if it cannot be read, has another sha256, or the copy cannot be
    written.
    """
    with _copied(source, target.parent) as (copy, found):
        if found != sha256:
            raise _damaged(source, sha256, found)
        os.replace(copy, target)


def keep_by_digest(source: Path, folder: Path) -> str:
    """Keep a copy of a file in a folder under its sha256, unless a whole one is there; returns the sha256.

    Raises as `copy_file` does, and StorageError if the copy cannot be read back as it was written.
    """
    digest = sha256_file(source)
    if (held := folder / digest).is_file() and sha256_file(held) == digest:
        return digest
    with _copied(source, folder) as (copy, digest):  # which may have changed since
        if (found := sha256_file(copy)) != digest:
            raise _damaged(copy, digest, found)
        os.replace(copy, folder / digest)
    return digest


def name_by_digest(path: Path) -> str:
    """Give a file its sha256 as its name, in its folder; returns that. Raises StorageError where it cannot."""
    with _writing(path):
        digest = sha256_file(path)
        os.replace(path, path.with_name(digest))
    return digest


@contextmanager
def _copied(source: Path, folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield a copy of a file, in a folder under a name of its own, and its sha256; it is gone after the block."""
    with source.open("rb") as given, _writing(folder):
        make_private_folder(folder)
        handle, name = tempfile.mkstemp(dir=folder, prefix=".new-")
        digest = hashlib.sha256()
        try:
            with os.fdopen(handle, "wb") as file:
                while block := _block(given, source):
                    digest.update(block)
                    file.write(block)
                file.flush()
                os.fsync(file.fileno())
            yield Path(name), digest.hexdigest()
        finally:
            Path(name).unlink(missing_ok=True)


def _block(file: BinaryIO, path: Path) -> bytes:
    try:
        return file.read(_BLOCK_BYTES)
    except OSError as error:
        raise StorageError(f"Expected to read {path}; {error.strerror}. Another copy may be whole.") from None


def remove_folder(path: Path) -> None:
    """Remove a folder with all that is in it. Raises StorageError if the system does not let us."""
    try:
        shutil.rmtree(path)
    except OSError as error:  # on Windows also while any window has a file of it open
        raise StorageError(
            f"Expected to remove the folder {path}; {error.strerror}. Close what uses it, and try again."
        ) from None


def portable_name(name: str) -> str:
    """Return a file's name as every system takes it.

    Windows forbids some characters, drops a dot or a blank at the end, and knows devices by names such as "aux.pdf".
    """
    kept = _FORBIDDEN.sub("_", name).rstrip(". ")
    return f"_{kept}" if kept.partition(".")[0].rstrip().lower() in _DEVICES else kept


def make_private_folder(path: Path) -> None:
    """Make a folder that only its owner can enter, and its parents likewise; one that exists stays as it is."""
    if not path.is_dir():
        make_private_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)


def make_private_file(path: Path) -> None:
    """Make an empty file that only its owner can read; one that exists stays as it is."""
    path.touch(mode=0o600, exist_ok=True)


def keep_private(path: Path) -> None:
    """Close a file or a folder to everybody but its owner; a link, and what another user owns, stay as they are."""
    with suppress(OSError):
        mode = path.lstat().st_mode
        if not stat.S_ISLNK(mode) and stat.S_IMODE(mode) & ~stat.S_IRWXU:
            path.chmod(mode & stat.S_IRWXU)


def check_writable(path: Path) -> None:
    """Raise StorageError if `write_bytes` could not write `path`; call it before long work."""
    with _writing(path):
        make_private_folder(path.parent)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with tempfile.TemporaryFile(dir=path.parent):
            pass


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Say which file or folder the system would not let us write, and why."""
    try:
        yield
    except OSError as error:
        is_refused = isinstance(error, PermissionError)
        remedy = "See to the right to write there, or close what has it open" if is_refused else "Make room"
        raise StorageError(
            f"Expected to write {path}; {error.strerror}. {remedy} or name another place, and try again."
        ) from None


def write_json(path: Path, value: object) -> None:
    """Write a value as indented JSON, atomically."""
    write_bytes(path, (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode())


def read_json(path: Path, *, remedy: str = "Build the folder again.") -> Any:  # noqa: ANN401  callers check its shape
    """Read a JSON file of ours.

    Raises StorageError if the file is missing or, with what to do, is not JSON.
    """
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise _missing(path) from None
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise StorageError(f"Expected JSON in {path}; {error}. {remedy}") from None


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> str:
    """Write named arrays as one safetensors file, atomically; returns the file's sha256."""
    from safetensors.numpy import save

    data = save({name: np.ascontiguousarray(array) for name, array in arrays.items()})
    write_bytes(path, data)
    return sha256_bytes(data)


def read_arrays(path: Path, sha256: str) -> dict[str, NDArray[Any]]:
    """Read what `write_arrays` wrote; `sha256` is what it returned.

    Raises StorageError if the file is missing or its bytes are not the ones written.
    """
    from safetensors.numpy import load

    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise _missing(path) from None
    found = sha256_bytes(data)
    if found != sha256:
        raise _damaged(path, sha256, found)
    return dict(load(data))


def map_arrays(path: Path, sha256: str) -> dict[str, NDArray[Any]]:
    """Map what `write_arrays` wrote: read-only arrays that the system reads from the disk as they are used.

    Every byte is read once, to compare it with `sha256`, and again only where the file has changed since. Raises
    StorageError as `read_arrays` does.
    """
    try:
        found = _digest(path, stamp(path))
    except FileNotFoundError:
        raise _missing(path) from None
    if found != sha256:
        raise _damaged(path, sha256, found)
    data = np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))
    start = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES].tobytes(), "little")
    arrays = {}
    for name, entry in json.loads(data[_LENGTH_BYTES:start].tobytes()).items():
        first, last = entry["data_offsets"]
        arrays[name] = data[start + first : start + last].view(_DTYPES[entry["dtype"]]).reshape(entry["shape"])
    return arrays


def read_through(paths: Iterable[Path]) -> None:
    """Read files to their ends, several at a time, so that `map_arrays` knows their digests; missing ones are left."""

    def read(path: Path) -> None:
        with suppress(OSError):
            _digest(path, stamp(path))

    with ThreadPoolExecutor(_AT_ONCE) as pool:  # hashing leaves the interpreter to others
        list(pool.map(read, paths))


def forget_digests() -> None:
    """Let `map_arrays` read every byte again, also of files that have not changed: a disk may have lost some."""
    _digest.cache_clear()


@lru_cache(maxsize=4_096)
def _digest(path: Path, _mark: Hashable) -> str:
    """Return the sha256 of a file that has this mark: of large ones it takes seconds."""
    return sha256_file(path)


def require_arrays(arrays: Mapping[str, object], names: Iterable[str], holder: str, remedy: str) -> None:
    """Raise StorageError where what was read of a file of ours lacks an array, in the words of who reads it."""
    for name in names:
        if name not in arrays:
            raise StorageError(f"Expected the array {name} in {holder}; it is missing. {remedy}")


def _missing(path: Path) -> StorageError:
    return StorageError(f"Expected the file {path.name} in {path.parent}; it is missing. Build the folder again.")


def _damaged(path: Path, sha256: str, found: str) -> StorageError:
    return StorageError(
        f"Expected {path} to have sha256 {sha256[:12]}…, found {found[:12]}…: it is damaged. Build the folder again."
    )


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder that takes the place of `path` when the block ends without an error.

    Replaces an older folder as a whole; after an error nothing has changed. Raises StorageError
    if the folder cannot be written.
    """
    with _writing(path):
        make_private_folder(path.parent)
        temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.new-"))
    try:
        yield temporary
        with _writing(path):
            _replace_folder(temporary, path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _replace_folder(temporary: Path, path: Path) -> None:
    """Put `temporary` where `path` is, and remove the old folder.

    If the system can, both are exchanged at once, so that `path` always holds one of them. Otherwise the old one is
    moved aside first.
    """
    if not path.exists():
        try:
            os.rename(temporary, path)
            return
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):  # else another has put its own there meanwhile
                raise
    if _exchanged(temporary, path):
        shutil.rmtree(temporary, ignore_errors=True)
        return
    aside = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.old-"))
    os.rename(path, aside / path.name)
    try:
        os.rename(temporary, path)
    except OSError:
        os.rename(aside / path.name, path)
        raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _exchanged(one: Path, other: Path) -> bool:
    """Exchange two folders in one step by Linux's renameat2; whether the system and the disk can (Python cannot)."""
    rename = getattr(ctypes.CDLL(None), "renameat2", None) if sys.platform == "linux" else None
    if rename is None:
        return False
    return bool(rename(_HERE, os.fsencode(one.absolute()), _HERE, os.fsencode(other.absolute()), _EXCHANGE) == 0)


def find_files(paths: Iterable[Path], refuse: Refuse) -> Iterator[Path]:
    """Yield given files, and all files below given folders by name, without hidden ones and links out of the folder.

    `refuse` gets what cannot be reached, and pipes, sockets and devices, which may never end.
    """
    for path in paths:
        if not _can_be_had(path, refuse):
            continue
        if path.is_dir():
            yield from _walk(path, path.resolve(), refuse)
        else:
            yield path


def unreachable(path: Path) -> str:
    """Return why a file or folder at a path cannot be reached; empty if it can."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a null byte, which paths cannot hold
        return ABSENT
    except OSError as error:  # a name too long, a link to itself, a folder that is closed to us
        return error.strerror or str(error)
    return ""


def is_folder(path: Path) -> bool:
    """Tell whether a path is a folder; it may be a name, or a text that could not be a path."""
    return not unreachable(path) and path.is_dir()


def shown(path: Path | str) -> str:
    """Return a path for a message; only the start of a very long one."""
    text = str(path)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}..."


def _walk(folder: Path, root: Path, refuse: Refuse) -> Iterator[Path]:
    for path in _inside(folder, refuse):
        if path.name.startswith(".") or not _can_be_had(path, refuse) or not path.resolve().is_relative_to(root):
            continue
        if not path.is_dir():
            yield path
        elif not path.is_symlink():  # a link to a folder above would never end
            yield from _walk(path, root, refuse)


def _inside(folder: Path, refuse: Refuse) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        refuse(folder, f"Expected a folder that can be read: {error.strerror}. Ask for the right to read it.")
        return []


def _can_be_had(path: Path, refuse: Refuse) -> bool:
    """Tell whether a path leads to a file or a folder; if not, `refuse` is told."""
    if reason := unreachable(path):
        refuse(path, f"Expected a file or a folder; {reason}. Mend the link or the path, or take it away.")
        return False
    if not path.is_file() and not path.is_dir():
        refuse(
            path, "Expected a file or a folder, found a pipe, a socket or a device. Write what it gives into a file."
        )
        return False
    return True

"""Long work that every skin starts as a job: importing what a person gives, and reading what is left to read.

Files that are given are kept in the library's folder first, so that whoever heard that they were taken may forget them:
if the process ends before they are imported, the next one imports them (`resume_imports`).
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, cast

from filelock import FileLock, Timeout

from engine.core.errors import EngineError, StorageError
from engine.core.files import (
    fingerprint,
    make_private_folder,
    new_folder,
    portable_name,
    read_json,
    sha256_file,
    write_json,
)
from engine.core.progress import Report
from engine.documents.text import how_many
from engine.workspace.importing import ImportSummary
from engine.workspace.jobs import Job, JobWork, Rank
from engine.workspace.workspace import Workspace

_LOG = logging.getLogger(__name__)
_INCOMING, _LOCK, _CONTENTS = "incoming", "import.lock", "contents.json"
_MOST_TRIES = 2
"""How often files are tried whose import ends the process, and so every process that tries them again."""
_LONGEST_SECONDS = 3600.0
"""What is written for longer than this is written by nobody any more."""
_MOST_SHORT = 4_000_000
"""An import of at most this many bytes is short: it takes seconds, and a folder of PDFs takes minutes."""
_NAME_BYTES = 200  # file systems end at 255
_PASSAGES = "passages"


def encoding_key(name: str, *what: Hashable) -> Hashable:
    """Return the key of a job that encodes the library with an encoder, and of what else it does: "map" draws one."""
    return ("encoding", name, *what)


def is_of_passages(job: Job) -> bool:
    """Tell whether a job reads passages."""
    return job.key == _PASSAGES


def read_on(
    workspace: Workspace, name: str, *, begun: bool = False, quiet: bool = False, again: bool = False
) -> list[Job]:
    """Put in line what is left to read: words, the vectors of an encoder, then passages. Jobs may call it, too.

    Passages count if they are due; only once any were read, if they are to be `begun`. Returns the jobs, which say that
    they are done unless to be `quiet`. Vectors that are damaged are made `again`.
    """
    from engine import encoders

    jobs, found, short = workspace.jobs, list[Job](), encoders.label(name).partition(":")[0]

    def encode(report: Report) -> str:
        workspace.prepare(name, report=report)
        read_on(workspace, name, begun=begun, quiet=quiet)
        return "" if quiet else f"Your library is encoded with {short}."

    def read(report: Report) -> str:
        workspace.read_passages(report=report)
        return "" if quiet else "The passages of your library are read."

    def index(report: Report) -> str:
        workspace.index_words(report=report)
        return "" if quiet else "The words of your library are indexed again."

    if workspace.library.count_left_to_index():
        found.append(jobs.start("Indexing words again", index, key=encoding_key("", "words"), rank=Rank.READING))
    try:
        is_left = again or workspace.unread_count(name) > 0
    except StorageError:
        is_left = True  # damaged vectors are made again
    if is_left:
        reads = (
            job for job in jobs.in_line() if job.rank == Rank.READING and cast(tuple[str, ...], job.key)[1] == name
        )
        said, key = f"Encoding your library with {short}", encoding_key(name)
        found.append(next(reads, None) or jobs.start(said, encode, key=key, rank=Rank.READING))
    if workspace.has_passages_left(begun=begun):
        found.append(jobs.start("Reading passages", read, key=_PASSAGES, rank=Rank.PASSAGES))
    return found


def start_import(
    workspace: Workspace, name: str, bring: Callable[[Report], ImportSummary], *, encoder: str, what: str
) -> Job:
    """Put an import in line under a name; an encoder reads what came in next. `what` tells imports apart."""
    key = encoding_key(encoder, "import", what)
    return workspace.jobs.start(name, _import_work(workspace, bring, encoder), key=key)


def _import_work(workspace: Workspace, bring: Callable[[Report], ImportSummary], encoder: str) -> JobWork:
    def work(report: Report) -> str:
        try:
            return bring(report).sentence
        finally:
            read_on(workspace, encoder, quiet=True)  # also what came in before it was stopped

    return work


def take_files(workspace: Workspace, given: Sequence[tuple[str, BinaryIO]], *, encoder: str) -> Job:
    """Keep files (name, content) in the library's folder, and put their import under their own names in line.

    The same files in line twice are imported once. Raises StorageError if they cannot be kept.
    """
    folder = workspace.library.folder / _INCOMING / f"{time.time_ns():020}"
    with new_folder(folder) as temporary:
        for number, (name, content) in enumerate(given):
            _write(temporary / str(number) / safe_name(name), content)
        write_json(temporary / _CONTENTS, {"encoder": encoder, "tries": 0})
    job = _import_kept(workspace, folder)
    assert job is not None  # nobody else knows of the folder yet
    return job


def resume_imports(workspace: Workspace) -> list[Job]:
    """Put in line the imports of files that a process took and that ended before it was done with them.

    What one was still writing when it ended is removed: nobody was told that it is taken.
    """
    if (held := workspace.library_if_any()) is None:
        return []
    found = []
    for folder in (held.folder / _INCOMING).glob(".*.new-*"):
        with suppress(OSError):  # another process has removed it
            if time.time() - folder.stat().st_mtime > _LONGEST_SECONDS:
                shutil.rmtree(folder)
    for folder in sorted((held.folder / _INCOMING).glob("[0-9]*")):
        try:
            found.append(_import_kept(workspace, folder))
        except (StorageError, KeyError, TypeError) as error:
            _LOG.warning("%s is left aside: %s", folder, error)
    return [job for job in found if job is not None]


def begin_work(workspace: Workspace) -> None:
    """Put in line what an earlier process left: files to import, and what is left to read if nobody reads it."""
    try:
        if workspace.library_if_any() is None:
            return
        resume_imports(workspace)
        if len(workspace.library) and workspace.may_be_read():
            read_on(workspace, "default", begun=True, quiet=True)
    except EngineError as error:
        _LOG.warning("what is left to read is not read: %s", error)  # who asks is told


def _import_kept(workspace: Workspace, folder: Path) -> Job | None:
    """Put the import of a folder's files in line; None if another process is to import them, or they end each."""
    contents, lock = folder / _CONTENTS, FileLock(folder / _LOCK, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return None

    def forget() -> None:
        contents.unlink(missing_ok=True)  # first: a folder without it was about to go when its process ended
        lock.release()
        shutil.rmtree(folder, ignore_errors=True)

    if not contents.exists():
        forget()
        return None
    kept = read_json(contents)
    paths = {path: path.name for path in sorted(folder.glob("*/*"), key=lambda path: int(path.parent.name))}
    if kept["tries"] >= _MOST_TRIES:
        _LOG.warning("%s is left aside: its import ended the program %d times", folder, _MOST_TRIES)
        lock.release()
        return None

    def bring(report: Report) -> ImportSummary:
        write_json(contents, {**kept, "tries": kept["tries"] + 1})
        return workspace.import_paths(list(paths), names=paths, encoder=None, report=report)

    name = f"Importing {next(iter(paths.values())) if len(paths) == 1 else how_many(len(paths), 'file')}"
    what = fingerprint(*(part for path, name in paths.items() for part in (name, sha256_file(path))))
    is_short = sum(path.stat().st_size for path in paths) <= _MOST_SHORT
    work, key = _import_work(workspace, bring, kept["encoder"]), encoding_key(kept["encoder"], "import", what)
    job = workspace.jobs.start(name, work, key=key, is_short=is_short, after=forget)
    if job.after is not forget:  # the same files are in line
        forget()
    return job


def _write(path: Path, content: BinaryIO) -> None:
    """Write a file that stays, whatever happens to the machine. Raises StorageError if that fails."""
    try:
        make_private_folder(path.parent)
        with path.open("xb") as file:
            shutil.copyfileobj(content, file)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise StorageError(f"Expected to keep {path.name} until it is imported; {error.strerror}. Make room.") from None


def safe_name(name: str) -> str:
    """Return an upload's name as a file's: no folders, no control characters, 200 bytes with its ending kept.

    On Windows it is one that Windows takes.
    """
    last = "".join(character for character in re.split(r"[/\\]", name)[-1] if character.isprintable())
    short = last.encode("utf-8", "ignore")[-_NAME_BYTES:].decode("utf-8", "ignore")
    if sys.platform == "win32":
        short = portable_name(short)
    return short if short.strip(". ") else "upload"

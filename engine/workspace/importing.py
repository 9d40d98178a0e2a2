"""Imports files or sources into a library, each as a whole or not at all, and says how long that still takes.

A PDF of 2 MB takes seconds, a table of 2 MB a moment, and a count of files says nothing where one of them is as large
as all others. So each kind, told by its extension, has a pace of its own. Nothing is said until it is known.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from engine import sources
from engine.core import files
from engine.core.errors import EngineError, InputError, LibraryError, LostWorkError, MalformedFileError, StorageError
from engine.core.files import find_files, shown, unreachable
from engine.core.progress import Meter, Progress, Report, silent
from engine.documents import Document
from engine.documents.text import how_many
from engine.library import Added, Failure, Library
from engine.reading import is_pdf, iter_documents
from engine.workspace.workers import Look, Workers

_LOG = logging.getLogger(__name__)
_NAMES_SHOWN, _MOST_NOTES = 3, 100
_MOST_BYTES = 32 << 20
"""Of a file that a worker reads, which comes back as a whole; a larger one is read here as it comes."""


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence on how a file was read that did come in, such as what was left out of it."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """What an import did: files read, documents added, duplicates folded, files held already, failures and notes.

    `completed` counts held documents that got text or metadata that they lacked from a duplicate. `returned` are the
    ids of documents that had been removed and came back, because a file that had brought them was imported again.
    """

    files: int
    documents: int
    folded: int
    skipped: int
    failures: tuple[Failure, ...] = ()
    notes: tuple[Note, ...] = ()
    completed: int = 0
    returned: tuple[str, ...] = ()

    @property
    def is_of_nothing(self) -> bool:
        """Tell whether nothing was read, and nothing that was named is here already."""
        return not (self.documents or self.folded or self.skipped)

    @property
    def sentence(self) -> str:
        """What the import did in one sentence, with a line for each note on how files were read."""
        pieces = [how_many(self.documents, "new document")]
        if self.folded:
            pieces.append(f"{self.folded:,} folded as duplicates")
        if self.completed:
            one = self.completed == 1
            what = "document here got text or facts that it" if one else "documents here got text or facts that they"
            pieces.append(f"{self.completed:,} {what} had lacked")
        if self.skipped:
            pieces.append(f"{how_many(self.skipped, 'file')} already here")
        if failures := len(self.failures):
            pieces.append(f"{how_many(failures, 'file')} could not be read, see below")
        notes = [*filter(None, (self.told_of_returned(),)), *self.told()]
        more = [f"{how_many(len(notes) - _MOST_NOTES, 'more note')}."] if len(notes) > _MOST_NOTES else []
        return "\n".join(["Import finished: " + ", ".join(pieces) + ".", *notes[:_MOST_NOTES], *more])

    def told_of_returned(self) -> str:
        """Return a sentence on what had been removed and came back; empty where nothing did."""
        if not self.returned:
            return ""
        named, more = ", ".join(self.returned[:_NAMES_SHOWN]), len(self.returned) - _NAMES_SHOWN
        rest = f" and {more:,} more" if more > 0 else ""
        return f"{how_many(len(self.returned), 'document')} of these had been removed and came back: {named}{rest}."

    def told(self) -> list[str]:
        """Return the notes as lines; files that share a sentence stand in one line, in the order of the first."""
        files: dict[str, list[str]] = {}
        for note in self.notes:
            files.setdefault(note.text, []).append(Path(note.name).name)
        return [" ".join(_line(text, names).splitlines()) for text, names in files.items()]


def import_paths(
    library: Library,
    paths: Sequence[Path],
    *,
    names: Mapping[Path, str] | None = None,
    workers: Workers | None = None,
    report: Report = silent,
) -> ImportSummary:
    """Add every file, and every file of every folder, each as a whole or not at all.

    A file is remembered under its path, or under its name in `names`: an upload has no path worth keeping. Workers read
    files ahead of their turn, with the same outcome.

    A file that cannot be read is recorded as a failure with its reason; the others go on. Raises
    LibraryError for a path that leads nowhere, before anything is read. The library keeps a copy of each PDF, if it is
    to; also of one that it holds already, whose document learns where its lines stand if it did not know.
    """
    for path in paths:
        if reason := unreachable(path):
            raise LibraryError(f"Expected a file or a folder at {shown(path)}; {reason}. Check the path.")
    library.give_numbers_back()
    refused: list[tuple[Path, str]] = []
    found = list(find_files(paths, lambda path, reason: refused.append((path, reason))))
    tally = _Tally(len(refused), found, report)
    for path, reason in refused:
        tally.add(_failed(library, _writable(str(path)), reason))
    for path, read in _each_read(library, found, workers, lambda: tally.meter.add(0)):
        name = _writable((names or {}).get(path, str(path)))
        tally.pace.begin(path)
        tally.add(_import_file(library, path, name, read, tally))
    tally.meter.finish()
    return tally.total


class _Tally:
    """Counts the files of an import, and beside them the documents, which grow while a large file is read."""

    def __init__(self, refused: int, files: Sequence[Path], report: Report) -> None:
        self.total = ImportSummary(0, 0, 0, 0)
        self.pace, self._report = Pace(files), report
        self.meter = Meter("import files", refused + len(files), report, left=self.pace.seconds_left)

    def hear(self, progress: Progress) -> None:
        """Pass on how far a file is read, which tells how long the import still takes."""
        if progress.passing:
            self.pace.within(progress.share)
        self._report(progress)

    def documents(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield the documents of the next file as they come."""
        for number, document in enumerate(documents, start=1):
            yield document
            self._say(number)

    def add(self, one: ImportSummary) -> None:
        """Take what came of the file: of one that failed, no document stays."""
        self.total = _sum(self.total, one)
        self.pace.end(known=bool(one.skipped))
        self._say(0)
        self.meter.add()
        self.meter.let_pass()

    def _say(self, documents: int) -> None:
        count = self.total.documents + self.total.folded + documents
        failed = f", {len(self.total.failures):,} failed" if self.total.failures else ""
        self.meter.say(f"{count:,} document{'' if count == 1 else 's'}{failed}")


def import_samples(
    library: Library, *, cache: Path | None = None, again: bool = False, report: Report = silent
) -> ImportSummary:
    """Add the sample library; archives are kept in `cache` (default: the library's own folder "downloads").

    Skips samples that the library already holds, and fetches all others before it imports the first. What was removed
    comes back only if it is wanted `again`. Raises SourceError if one cannot be fetched.
    """
    folder = cache if cache is not None else library.folder / "downloads"
    missing = [one for one in sources.SAMPLES if not library.has_file(one.key) and not library.had_file(one.key)]
    if again:
        missing = [one for one in sources.SAMPLES if not library.has_whole_file(one.key)]
    total = ImportSummary(0, 0, 0, len(sources.SAMPLES) - len(missing))
    with closing(sources.read_all(missing, folder, report=report)) as readings:
        for sample, documents in readings:
            meter = Meter(f"import {sample.name}", sample.documents, report)
            added = library.add_file(sample.key, sample.name, count_each(documents, meter))
            meter.finish()
            total = _sum(total, _of_file(added))
    return total


def has_samples(library: Library, *, whole: bool = False) -> bool:
    """Return whether all of the sample library was imported; `whole`, also whether nothing of it was removed."""
    has = library.has_whole_file if whole else library.has_file
    return all(has(sample.key) for sample in sources.SAMPLES)


def count_each(documents: Iterable[Document], meter: Meter) -> Iterator[Document]:
    """Yield documents as they come; the meter counts each once it is taken."""
    for document in documents:
        yield document
        meter.add()


def _each_read(
    library: Library, paths: Iterable[Path], workers: Workers | None, look: Look
) -> Iterator[tuple[Path, Callable[..., Iterator[Document]]]]:
    """Yield files, each with what reads it as `iter_documents` does: a worker may have done so ahead of its turn."""
    if workers is None:
        yield from ((path, iter_documents) for path in paths)
        return
    for path, answer in workers.each(read_file, ((path, _sent(library, path)) for path in paths), look):
        yield path, iter_documents if answer is None else partial(_answered, answer)


def _sent(library: Library, path: Path) -> tuple[str, bytes] | None:
    """Return what a worker reads, which may be one of another machine; None where it is not to."""
    try:
        if path.stat().st_size > _MOST_BYTES or library.has_whole_file(files.sha256_file(path)):
            return None
        return path.name, path.read_bytes()
    except OSError:  # read here, for its reason
        return None


def read_file(name: str, data: bytes) -> tuple[list[Document], list[str]]:
    """Return a file's documents and the notes on it: the worker's side."""
    notes: list[str] = []
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        return list(iter_documents(path, warn=notes.append)), notes


def _answered(
    answer: Callable[[], tuple[list[Document], list[str]]], path: Path, *, warn: Callable[[str], None], **_: Report
) -> Iterator[Document]:
    try:
        documents, notes = answer()
    except LostWorkError:
        text = f"Expected a file that can be read; every worker that read {path.name} ended over it."
        raise MalformedFileError(f"{text} Export or download it again, or import it without workers.") from None
    for note in notes:
        warn(note)
    yield from documents


def _import_file(
    library: Library, path: Path, name: str, read: Callable[..., Iterator[Document]], tally: _Tally
) -> ImportSummary:
    notes: list[str] = []
    try:
        key = files.sha256_file(path)
        if library.has_whole_file(key):
            library.forget_failure(name)  # what it names now was imported, under whatever name
            if is_pdf(path):
                notes += _keep_copy(library, key, path)
                _place(library, key, path, tally.hear)
            return ImportSummary(0, 0, 0, 1, notes=tuple(Note(name, _writable(note)) for note in notes))
        documents = read(path, warn=notes.append, report=tally.hear)
        with_pages: list[str] = []
        added = library.add_file(key, name, tally.documents(_noting_files(documents, with_pages, path.name, notes)))
        if key in with_pages:
            notes += _keep_copy(library, key, path)
        if notes:
            library.note_file(key, [_writable(note) for note in notes])
    except (InputError, OSError) as error:
        reason = str(error) if isinstance(error, EngineError) else f"Expected a readable file; {error}."
        return _failed(library, name, reason)
    told = tuple(Note(name, _writable(note)) for note in notes)
    return _of_file(added, told)


def _of_file(added: Added, notes: tuple[Note, ...] = ()) -> ImportSummary:
    return ImportSummary(1, added.added, added.folded, 0, (), notes, added.completed, added.returned)


def _place(library: Library, key: str, path: Path, report: Report) -> None:
    """Let a document know where its lines stand, if its file was imported before the library kept that."""
    for document in library.get(library.documents_with(key)):
        if not document.file:
            for again in iter_documents(path, warn=_LOG.debug, report=report):
                library.place(document.id, again)


def _noting_files(documents: Iterable[Document], found: list[str], name: str, notes: list[str]) -> Iterator[Document]:
    """Yield documents as they come; `found` gets the sha256 of the PDFs that they are of.

    Raises MalformedFileError if none comes, so that the file is not taken for held.
    """
    for document in documents:
        found.append(document.file)
        yield document
    if not found:
        why = " ".join(notes) or "Choose another file."
        raise MalformedFileError(f"Expected a document in {name}, found none. {why}")


def _keep_copy(library: Library, key: str, path: Path) -> list[str]:
    """Keep a copy of a PDF; what keeps it from being written is told, for its text is in the library all the same."""
    try:
        library.copies.keep(key, path)
    except (StorageError, OSError) as error:
        return [f"{path.name} was imported without a copy, so its pages cannot be shown. {error}"]
    return []


def _failed(library: Library, name: str, reason: str) -> ImportSummary:
    _LOG.info("%s: %s", name, reason)
    return ImportSummary(0, 0, 0, 0, (library.record_failure(name, _writable(reason)),))


def _line(text: str, names: Sequence[str]) -> str:
    """Return a note with the names of its files, of many files a few."""
    if len(names) == 1 and names[0] in text:
        return text
    more = len(names) - _NAMES_SHOWN
    shown = ", ".join(names[:_NAMES_SHOWN]) + (f" and {more:,} more" if more > 0 else "")
    return f"{shown}: {text}"


def _writable(text: str) -> str:
    """Return the text with every byte of a file's name that is not UTF-8 replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _sum(one: ImportSummary, other: ImportSummary) -> ImportSummary:
    names = [field.name for field in fields(ImportSummary)]
    return ImportSummary(*(getattr(one, name) + getattr(other, name) for name in names))


# How long an import still takes -----------------------------------------------------------------

_FEWEST_SECONDS = 4.0
"""A pace is not known before this much time has passed."""
_LEAST_SHARE = 0.03
"""Of a file, before its own pace counts."""
_FEWEST_FILES = 4
_MOST_SPREAD = 0.15
"""How far the mean time of a file may be off, as a share of it, by what its files took so far (standard error)."""
_AGREEMENT = 4 / 3
"""The pace by number and that by size differ at most by this factor where neither is known to be right."""
_SMALL = 0.04
"""A kind with no more than this share of what is left, by number and by size, takes as long as the others."""


@dataclass(slots=True)
class _Kind:
    """The files of an extension: those left, and what those done have taken."""

    files: int = 0
    size: int = 0
    files_done: int = 0
    size_done: int = 0
    seconds: float = 0.0
    squares: float = 0.0
    streamed: bool = False
    since: float = 0.0
    """Seconds that passed since all this was so."""

    def took(self, size: int, seconds: float) -> None:
        self.files_done += 1
        self.size_done += size
        self.seconds += seconds
        self.squares += seconds * seconds

    def left(self) -> float | None:
        """Return the seconds that its files still take; None where that is not known."""
        if not self.files:
            return 0.0
        by_size = self.seconds * self.size / self.size_done if self.size_done else math.inf
        if self.streamed and self.seconds >= _FEWEST_SECONDS / 2:
            return max(0.0, by_size - self.since)
        if self.files_done < _FEWEST_FILES or self._spread() > _MOST_SPREAD:
            return None
        by_number = self.seconds * self.files / self.files_done
        low, high = sorted((by_number, by_size))
        return max(0.0, (low + high) / 2 - self.since) if high <= _AGREEMENT * low else None

    def _spread(self) -> float:
        """Return the standard error of the mean, as a share of the mean."""
        mean = self.seconds / self.files_done
        variance = max(0.0, self.squares / self.files_done - mean * mean)
        return math.sqrt(variance / self.files_done) / mean if mean else 0.0


class Pace:
    """Follows an import file by file, and says how many seconds are left."""

    def __init__(self, files: Iterable[Path], clock: Callable[[], float] = time.monotonic) -> None:
        """Begin before the first of these files."""
        self._clock = clock
        self._begun = self._file_begun = clock()
        self._kinds: dict[str, _Kind] = {}
        self._sizes: dict[Path, int] = {}
        self._current: Path | None = None
        self._share, self._shared = 0.0, self._begun
        for path in files:
            self._sizes[path] = _size(path)
            kind = self._kinds.setdefault(path.suffix.lower(), _Kind())
            kind.files += 1
            kind.size += self._sizes[path]

    def begin(self, path: Path) -> None:
        """Note that the next file is being read."""
        self._current, self._share, self._file_begun = path, 0.0, self._clock()
        kind = self._kinds[path.suffix.lower()]
        kind.files -= 1
        kind.size -= self._sizes[path]

    def within(self, share: float) -> None:
        """Note that this share of the file, by its size, has been read."""
        self._share, self._shared = max(self._share, share), self._clock()

    def end(self, *, known: bool) -> None:
        """Note that the file is done; one that was `known` before was not read, and says nothing of others."""
        if self._current is not None and not known:
            kind = self._kinds[self._current.suffix.lower()]
            kind.streamed = kind.streamed or self._share > 0
            kind.took(self._sizes[self._current], self._clock() - self._file_begun)
        self._current = None

    def seconds_left(self) -> float | None:
        """Return the seconds until the last file is done; None while that is not known."""
        now = self._clock()
        if now - self._begun < _FEWEST_SECONDS:
            return None
        total = 0.0
        kinds = [self._with_current(extension, kind, now) for extension, kind in self._kinds.items()]
        files, size = (sum(getattr(kind, name) for kind in kinds) for name in ("files", "size"))
        unknown = 0
        for kind in kinds:
            left = kind.left()
            if left is not None:
                total += left
            elif kind.files <= _SMALL * files and kind.size <= _SMALL * size:
                unknown += kind.files
            else:
                return None
        return total * files / max(1, files - unknown) if files else total

    def _with_current(self, extension: str, kind: _Kind, now: float) -> _Kind:
        """Return a kind with the file that is read: what of it is read counts as done, and the rest as left."""
        if self._current is None or self._current.suffix.lower() != extension:
            return kind
        size = self._sizes[self._current]
        if self._share >= _LEAST_SHARE:
            read = int(self._share * size)
            took = self._shared - self._file_begun
            left = replace(
                kind, files=kind.files + 1, size=kind.size + size - read, streamed=True, since=now - self._shared
            )
            return replace(left, size_done=kind.size_done + read, seconds=kind.seconds + took)
        return replace(kind, files=kind.files + 1, size=kind.size + size, since=now - self._file_begun)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0

"""What a person's work leaves in the library's folder: documents of their own, recent searches, and for how long.

Each is a sealed file that lies under a keyed hash of its content. The key is random and lies in the same folder, so
that a name, which may stand in a link, tells nothing of the content to anyone without that folder, and a changed file
is noticed.
"""

from __future__ import annotations

import dataclasses
import json
import logging
import os
import re
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Literal
from urllib.parse import urlencode

import numpy as np

from engine import vectors
from engine.core.config import from_mapping
from engine.core.errors import ConfigError, StorageError, UnknownDocumentError
from engine.core.files import keyed_digest, read_arrays, read_json, write_arrays, write_bytes, write_json, write_once
from engine.documents import Document, as_fields, from_fields

_LOG = logging.getLogger(__name__)
FOLDER = "kept"
"""The folder in the library's; removing it forgets everything that was kept."""
_KEY = re.compile("[0-9a-f]{32}")
_SETTINGS = "settings.json"
_SECRET_BYTES = 32
_DAY_SECONDS = 86_400.0
_IN_USE = 64
_ENCODING = ("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class KeepingSettings:
    """Whether anything is kept, for how many days after its last use, and how many own documents and megabytes of them.

    Raises ValueError for a limit out of its range (`MOST`).
    """

    MOST: ClassVar[Mapping[str, int]] = MappingProxyType({"days": 3_650, "megabytes": 100_000, "documents": 100_000})
    """The highest value of each limit; the lowest is 1."""

    remember: bool = True
    days: int = 30
    megabytes: int = 200
    documents: int = 1_000

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name, most in self.MOST.items():
            if not 1 <= (value := getattr(self, name)) <= most:
                raise ValueError(f"{name} must be from 1 to {most:,}, got {value:,}")

    @property
    def since(self) -> float:
        """What was not used since then is forgotten, in seconds since the epoch."""
        return time.time() - self.days * _DAY_SECONDS

    @property
    def bytes(self) -> int:
        """The limit in bytes."""
        return self.megabytes * 1_000_000


def keeping_settings(library: Path) -> KeepingSettings:
    """Return the settings of the library in a folder. Raises ConfigError or StorageError if their file is damaged."""
    path = library / FOLDER / _SETTINGS
    if not path.exists():
        return KeepingSettings()
    told = read_json(path, remedy="Remove it, and the usual settings count.")
    return from_mapping(told, KeepingSettings, origin=path.name)


def change_keeping(library: Path, **changes: int | bool) -> KeepingSettings:
    """Change some settings. Raises ConfigError for a value out of range, StorageError if they cannot be written."""
    path = library / FOLDER / _SETTINGS
    values = dataclasses.asdict(keeping_settings(library)) | changes
    for name, most in KeepingSettings.MOST.items():
        if name in changes and not 1 <= changes[name] <= most:
            raise ConfigError(f"Expected {name} from 1 to {most:,}, got {changes[name]:,}. Choose a number in between.")
    changed = from_mapping(values, KeepingSettings, origin=path.name)
    write_json(path, values)
    return changed


def is_key(text: str) -> bool:
    """Return whether a text can be the name of something kept."""
    return bool(_KEY.fullmatch(text))


@dataclass(frozen=True, slots=True)
class KeptFile:
    """One file: its key, its size, and when it was last used, in seconds since the epoch."""

    key: str
    bytes: int
    used: float


class KeptFiles:
    """Sealed JSON files of one kind; may be used from several threads and processes at once."""

    def __init__(self, library: Path, kind: str) -> None:
        """Keep files of one kind in a library's folder; nothing is written yet."""
        self.folder = library / FOLDER / kind
        self._secret_file = library / FOLDER / "secret"

    def keep(self, content: object) -> str:
        """Keep a JSON value; returns its key. Raises StorageError if it cannot be written."""
        data = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode(*_ENCODING)
        key = keyed_digest(self._secret(), data)
        write_bytes(self._file(key), data)
        return key

    def read(self, key: str) -> Any:  # noqa: ANN401  JSON is any value; callers check its shape
        """Return the value under a key; None if nothing is kept there. Raises StorageError if the file was changed."""
        path = self._file(key)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StorageError(f"Expected to read {path}; {error.strerror}. Give yourself the right to.") from None
        if not self._secret_file.exists() or keyed_digest(self._secret(), data) != key:
            raise StorageError(
                f"Expected what was kept in {path} as it was written; the file was changed or damaged, and is not "
                "used. Bring the document again, or ask again."
            )
        return json.loads(data.decode(*_ENCODING))

    def use(self, key: str) -> None:
        """Note that a file was used now."""
        with suppress(OSError):
            os.utime(self._file(key))

    def files(self) -> list[KeptFile]:
        """Return every file, with the size of what lies beside it under its key, the one used last first."""
        sizes, used = Counter[str](), dict[str, float]()
        for path in self.folder.glob("*"):
            with suppress(FileNotFoundError):  # another window forgets it at this moment
                state, key = path.stat(), path.name.partition(".")[0]
                sizes[key] += state.st_size
                if path.name == f"{key}.json":
                    used[key] = state.st_mtime
        found = (KeptFile(key, sizes[key], when) for key, when in used.items() if is_key(key))
        return sorted(found, key=lambda one: (-one.used, one.key))

    def forget(self, key: str) -> None:
        """Remove a file, if it is there, and what lies beside it. Raises StorageError if the system does not let us."""
        for path in (self._file(key), *self.folder.glob(f"{key}.*")):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise StorageError(f"Expected to remove {path}; {error.strerror}. Remove it by hand.") from None

    def _file(self, key: str) -> Path:
        assert is_key(key)  # it becomes a file's name
        return self.folder / f"{key}.json"

    def _secret(self) -> bytes:
        held = write_once(self._secret_file, secrets.token_bytes(_SECRET_BYTES))
        if len(held) != _SECRET_BYTES:
            raise StorageError(
                f"Expected {_SECRET_BYTES} bytes in {self._secret_file}, got {len(held)}. Remove the folder "
                f"{self._secret_file.parent}: what it keeps cannot be checked any more."
            )
        return held


@dataclass(frozen=True, slots=True)
class OwnDocument:
    """A document as it was read or corrected; `name` is its file's. `pages` is known for a PDF."""

    document: Document
    name: str
    warnings: tuple[str, ...] = ()
    pages: int | None = None


class OwnDocuments:
    """The documents of a person's own beside a library: each a file, sealed, within limits of size and age.

    The bytes of a file as it was uploaded are not kept. The rows that an encoder makes of its passages are, beside it:
    they count with it and are forgotten with it. Of a document that is not kept, none are.
    """

    def __init__(self, library: Path) -> None:
        """Keep documents beside the library in a folder."""
        self._library = library
        self._files = KeptFiles(library, "documents")
        self._keys: OrderedDict[Document, str] = OrderedDict()
        """Of the documents that were used last."""

    def keep(self, own: OwnDocument) -> str:
        """Keep a document, and forget the oldest where all are too large; returns its key, empty if none is to be kept.

        Raises StorageError if it alone is over the limit, or cannot be written.
        """
        settings = keeping_settings(self._library)
        if not settings.remember:
            return ""
        content = [own.name, list(own.warnings), own.pages, as_fields(own.document)]
        key = self._files.keep(content)
        kept = next((file for file in self._files.files() if file.key == key), None)
        if kept is not None and kept.bytes > settings.bytes:
            self._files.forget(key)
            raise StorageError(
                f"Expected at most {settings.megabytes:,} MB to keep, got {kept.bytes / 1e6:,.0f} MB. You can work "
                "with this document now, but must bring it again after a reload, or raise the limit first."
            )
        self._forget_old(key)
        return self._known(key, own.document)

    def get(self, key: str) -> OwnDocument:
        """Return the document under a key, whose days begin again.

        Raises UnknownDocumentError if it is not kept here, StorageError if its file was changed or damaged.
        """
        self._forget_old(key="")
        content = self._files.read(key) if is_key(key) else None
        if content is None:
            days = keeping_settings(self._library).days
            raise UnknownDocumentError(
                "This link names a document of your own that is not on this machine: it was brought on another one, or "
                f"it was forgotten here, as happens {days} days after its last use. Upload or paste it again."
            )
        self._files.use(key)
        try:
            name, warnings, pages, fields = content
            own = OwnDocument(from_fields(fields), name, tuple(warnings), pages)
        except (TypeError, ValueError, AttributeError):
            raise StorageError(
                "Expected a document as this version of Priorscope keeps it, got one of another version. Upload or "
                "paste it again."
            ) from None
        self._known(key, own.document)
        return own

    def keep_rows(self, fingerprint: str, document: Document, read: vectors.ReadPassages) -> None:
        """Keep what the encoder of a fingerprint read of a document, where that is kept itself and its rows fit, too.

        Raises StorageError if they cannot be written.
        """
        key, settings = self._keys.get(document, ""), keeping_settings(self._library)
        own = next((file for file in self.files() if file.key == key), None)
        if not settings.remember or own is None or own.bytes + read.rows.nbytes > settings.bytes:
            return
        places = np.array([(one.part, one.start, one.stop) for one in read.passages], np.int64)
        written, before = self._files.folder / f"{key}.rows", self._rows_files(key, fingerprint)
        sha256 = write_arrays(written, {"places": places, "rows": read.rows})
        for path in before:
            path.unlink(missing_ok=True)
        written.replace(self._files.folder / f"{key}.{fingerprint}.{sha256}")
        self._forget_old(key)
        if self._files.read(key) is None:  # it was forgotten meanwhile
            self.forget(key)

    def rows(self, fingerprint: str, document: Document) -> vectors.ReadPassages | None:
        """Return what was kept of a document's rows under a fingerprint; None where nothing is, or it is damaged."""
        key = self._keys.get(document, "")
        for path in self._rows_files(key, fingerprint) if key else ():
            try:
                held = read_arrays(path, path.suffix[1:])
            except StorageError as error:
                _LOG.warning("passages are read again: %s", error)
                continue
            parts, places = document.parts, held["places"].tolist()
            chunks = [parts[part].chunk(document.id, part, start, stop) for part, start, stop in places]
            return vectors.ReadPassages(document.id, chunks, held["rows"])
        return None

    def _rows_files(self, key: str, fingerprint: str) -> list[Path]:
        return list(self._files.folder.glob(f"{key}.{fingerprint}.*"))

    def _known(self, key: str, document: Document) -> str:
        """Remember the key of a document that is in use; returns it."""
        self._keys.pop(document, None)
        self._keys[document] = key
        while len(self._keys) > _IN_USE:
            self._keys.popitem(last=False)
        return key

    def files(self) -> list[KeptFile]:
        """Return what is kept, the one used last first."""
        return self._files.files()

    def forget(self, key: str) -> None:
        """Forget a document, if it is kept. Raises StorageError if it cannot be removed."""
        if is_key(key):
            self._files.forget(key)

    def forget_all(self) -> None:
        """Forget every document. Raises StorageError if one cannot be removed."""
        for file in self.files():
            self.forget(file.key)

    def limit(self, **changes: int | bool) -> KeepingSettings:
        """Change what is kept, and for how long, and forget what is over the new limits, the oldest first.

        Raises ConfigError for a limit out of its range, StorageError if a file cannot be written or removed.
        """
        settings = change_keeping(self._library, **changes)
        self._forget_old(key="")
        return settings

    def _forget_old(self, key: str) -> None:
        """Forget what was not used for too long, then the oldest until the rest fits; `key` stays."""
        settings = keeping_settings(self._library)
        total, count = 0, 0
        for file in sorted(self.files(), key=lambda one: one.key != key):  # what stays counts first
            total, count = total + file.bytes, count + 1
            is_over = total > settings.bytes or count > settings.documents
            if file.key != key and (file.used < settings.since or is_over):
                self.forget(file.key)
                total, count = total - file.bytes, count - 1


Page = Literal["search", "compare"]
MOST_RECENT = 100
"""How many are kept; the oldest goes."""
_TITLE_CHARACTERS = 300
_ASKED: dict[Page, tuple[str, ...]] = {
    "search": ("doc", "example", "own", "like"),
    "compare": ("a", "b", "c", "library"),
}
"""The parameters of a page's link that say what was asked; two links that differ in others alone are one entry."""

Link = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class RecentEntry:
    """One search or comparison: the page, what was asked in words, its link's parameters, when (epoch seconds)."""

    key: str
    page: Page
    title: str
    link: Link
    when: float

    @property
    def address(self) -> str:
        """The link, from the app's own address on: "?doc=..." for a search, "compare?a=..." for a comparison."""
        path = "" if self.page == "search" else self.page  # the first page stands at the address itself
        return f"{path}?{urlencode({name: list(values) for name, values in self.link.items()}, doseq=True)}"

    @property
    def asked(self) -> tuple[object, ...]:
        """What makes it the same as another entry."""
        return (self.page, *(tuple(self.link.get(name, ())) for name in _ASKED[self.page]))

    @property
    def own_keys(self) -> set[str]:
        """The keys of the person's own documents that the link names."""
        values = (value.removeprefix("own:") for name in _ASKED[self.page] for value in self.link.get(name, ()))
        return {value for value in values if is_key(value)}


@dataclass(frozen=True, slots=True)
class RecentList:
    """The entries, newest first, and how many files were damaged and are left out."""

    entries: tuple[RecentEntry, ...] = ()
    damaged: int = 0


class Recent:
    """What was asked of late over a library, each a sealed file in its folder."""

    def __init__(self, library: Path, own: OwnDocuments) -> None:
        """Keep a list beside the library in a folder; `own` are the documents that entries may name."""
        self._library = library
        self._own = own
        self._files = KeptFiles(library, "recent")

    def record(self, page: Page, title: str, link: Link) -> None:
        """Put a search or comparison at the top of the list, unless nothing is to be remembered.

        Raises StorageError if it cannot be written.
        """
        if not keeping_settings(self._library).remember:
            return
        entry = RecentEntry("", page, title[:_TITLE_CHARACTERS], link, time.time())
        listed = {name: list(values) for name, values in link.items()}
        key = self._files.keep([page, entry.title, listed, entry.when])
        before = [one for one in self.listed().entries if one.key != key]
        for number, one in enumerate(before, start=1):
            if one.asked == entry.asked or number >= MOST_RECENT:
                self._files.forget(one.key)

    def listed(self) -> RecentList:
        """Return what is remembered, the last first, each once; what is too old is forgotten."""
        since = keeping_settings(self._library).since
        found, damaged, seen = [], 0, set()
        for file in self._files.files():
            try:
                content = self._files.read(file.key)
            except StorageError:
                damaged += 1
                continue
            if content is not None:
                found.append(_entry(file.key, content))
        kept = []
        for entry in sorted(filter(None, found), key=lambda one: -one.when):
            if entry.when < since:
                self._files.forget(entry.key)
            elif entry.asked not in seen:
                seen.add(entry.asked)
                kept.append(entry)
        return RecentList(tuple(kept), damaged)

    def forget(self, key: str) -> None:
        """Forget one entry, and the documents of the person's own that only it names."""
        entries = self.listed().entries
        gone = [entry for entry in entries if entry.key == key]
        named = set[str]().union(*(entry.own_keys for entry in entries if entry.key != key))
        for entry in gone:
            self._files.forget(entry.key)
            for own in entry.own_keys - named:
                self._own.forget(own)

    def forget_all(self) -> None:
        """Forget every entry, and every document of the person's own that is kept."""
        for file in self._files.files():
            self._files.forget(file.key)
        self._own.forget_all()


def _entry(key: str, content: object) -> RecentEntry | None:
    """Return an entry as it was written; None for one of another version."""
    match content:
        case [("search" | "compare") as page, str(title), dict(link), int() | float() as when]:
            return RecentEntry(key, page, title, link, float(when))
    return None

"""Documents that a person brought to search or compare, kept for a while so that no reload or restart loses them.

A page, or a link, names one by its key alone, which carries no word of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.core.errors import StorageError, UnknownDocumentError
from engine.documents import Document, as_fields, from_fields
from engine.workspace.keeping import KeepingSettings, KeptFile, KeptFiles, change_keeping, is_key, keeping_settings


@dataclass(frozen=True, slots=True)
class OwnDocument:
    """A document as it was read or corrected; `name` is its file's. `pages` is known for a PDF."""

    document: Document
    name: str
    warnings: tuple[str, ...] = ()
    pages: int | None = None


class OwnDocuments:
    """The documents of a person's own beside a library: each a file, sealed, within limits of size and age.

    The bytes of a file as it was uploaded are not kept. Whoever needs them later puts them beside the document, under
    its key, and counts and forgets them with it.
    """

    def __init__(self, library: Path) -> None:
        """Those beside the library in a folder."""
        self._library = library
        self._files = KeptFiles(library, "documents")

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
        return key

    def get(self, key: str) -> OwnDocument:
        """The document under a key, whose days begin again.

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
            return OwnDocument(from_fields(fields), name, tuple(warnings), pages)
        except (TypeError, ValueError, AttributeError):
            raise StorageError(
                "Expected a document as this version of Priorscope keeps it, got one of another version. Upload or "
                "paste it again."
            ) from None

    def files(self) -> list[KeptFile]:
        """What is kept, the one used last first."""
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

"""The searches and comparisons of late, each with the link that restores it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import urlencode

from engine.core.errors import StorageError
from engine.workspace.keeping import KeptFiles, is_key, keeping_settings
from engine.workspace.own_documents import OwnDocuments

Page = Literal["search", "compare"]
PAGES: tuple[Page, ...] = get_args(Page)
MOST = 100
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
        """That of the library in a folder; `own` are the documents that entries may name."""
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
            if one.asked == entry.asked or number >= MOST:
                self._files.forget(one.key)

    def listed(self) -> RecentList:
        """What is remembered, the last first, each once; what is too old is forgotten."""
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
    """An entry as it was written; None for one of another version."""
    match content:
        case [("search" | "compare") as page, str(title), dict(link), int() | float() as when]:
            return RecentEntry(key, page, title, link, float(when))
    return None

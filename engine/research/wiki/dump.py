"""The articles of a MediaWiki dump, page by page, packed with bzip2 or plain; memory holds one page at a time."""

from __future__ import annotations

import bz2
import io
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast
from xml.etree.ElementTree import Element

from engine.core.errors import EmptyInputError, InputError, InputTooLargeError
from engine.core.progress import Meter, Report, silent
from engine.documents import Section
from engine.reading.base import Omissions
from engine.reading.limits import LIMITS, Budget, Limits
from engine.reading.xml.records import Record, xml_records
from engine.reading.xml.tree import parse
from engine.research.wiki.markup import is_list_of_names, links_in, sections_in

_log = logging.getLogger(__name__)

_SETS = {"mediawiki": ("page",)}
_PACKED = b"BZh"
_ARTICLES = "0"  # the namespace of articles
_FREE_BYTES = 1 << 24


@dataclass(frozen=True, slots=True)
class Article:
    """An article with its sections that have text, and the titles that it links to."""

    id: str
    title: str
    sections: tuple[Section, ...]
    links: frozenset[str]


def articles_in(
    path: Path,
    *,
    limits: Limits = LIMITS,
    warn: Callable[[str], None] = _log.warning,
    report: Report = silent,
) -> Iterator[Article]:
    """The articles of a dump in its order, without redirects and disambiguation pages.

    A page that cannot be read is left out, and a dump that breaks off gives what stands before; `warn` is told of
    both. No entity is expanded. Raises InputError if the file is missing or no dump, and InputTooLargeError if it
    unpacks to more than the limits allow.
    """
    budget = Budget.of_file(limits, path.name)
    omissions = Omissions(warn, limits)
    meter = Meter(f"read {path.name}, pages", None, report)
    pages = 0
    with _opened(path) as file:
        source = cast(BinaryIO, _Unpacked(file, path, limits, warn))
        for record in xml_records(source, path.name, budget, _SETS, omissions):
            page = _page(record, path.name, budget, omissions)
            pages += page is not None
            article = None if page is None else _article(page)
            meter.add()
            budget.renew()
            if article is not None:
                yield article
                budget.resume()
    meter.finish()
    if not pages:
        raise EmptyInputError(
            f"Expected a MediaWiki dump with pages in {path.name}, found none. Take one named …-pages-articles.xml.bz2."
        )


@contextmanager
def _opened(path: Path) -> Iterator[io.BufferedReader]:
    """The file, unpacked where it is packed."""
    try:
        with path.open("rb") as file:
            packed = file.read(len(_PACKED)) == _PACKED
            file.seek(0)
            yield cast(io.BufferedReader, bz2.BZ2File(file)) if packed else file
    except (FileNotFoundError, IsADirectoryError):
        raise InputError(f"Expected a MediaWiki dump at {path}; no such file. Name another.") from None


class _Unpacked:
    """A dump that may break off, and may not unpack to more than the limits allow."""

    def __init__(self, file: io.BufferedReader, path: Path, limits: Limits, warn: Callable[[str], None]) -> None:
        self._file, self._name, self._warn, self._broken = file, path.name, warn, False
        self._left = _FREE_BYTES + limits.max_member_ratio * path.stat().st_size

    def read(self, size: int) -> bytes:
        """The next bytes, up to where the packed file is damaged, which is told."""
        found = bytearray()
        while not self._broken and len(found) < size:
            try:
                block = self._file.read1(size - len(found))
            except (EOFError, OSError) as error:
                self._warn(f"{self._name} cannot be unpacked any further ({error}); what comes after is missing.")
                self._broken = True
                break
            if not block:
                break
            found += block
        self._left -= len(found)
        if self._left < 0:
            raise InputTooLargeError(
                f"Expected {self._name} to unpack to what a dump does; it is many times larger. Download it again."
            )
        return bytes(found)


def _page(record: Record, name: str, budget: Budget, omissions: Omissions) -> Element | None:
    """The element of a page; None for one that cannot be read, and for a dump without any."""
    try:
        return parse(record.data, name, budget, first_line=record.line, warn=omissions.tell).find("page")
    except InputError as error:
        omissions.entry(error)
        budget.forget_entry()
        return None


def _article(page: Element) -> Article | None:
    """The article of a page; None for a page of another kind."""
    number, title = page.findtext("id", "").strip(), page.findtext("title", "").strip()
    texts = page.findall("revision/text")
    text = texts[-1].text or "" if texts else ""
    if page.findtext("ns", _ARTICLES).strip() != _ARTICLES or not number or not title:
        return None
    if page.find("redirect") is not None or is_list_of_names(text):
        return None
    return Article(f"wiki:{number}", title, sections_in(text), links_in(text) - {title})

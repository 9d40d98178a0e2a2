"""Every limit of the readers in one place, and the budget of one file, from which all of its readers spend.

A reader takes `limits` and spends what it is about to hold: `Budget.within(limits, name).spend("elements", 12)`. The
front door, `dispatch`, opens one budget for a file and hands it on as the limits: the bytes that a DOCX unpacks to and
the elements of its XML count together. A reader that is called alone opens its own. After each record the front door
renews the budget; each page counts as delivered. A file ends once it has spent `max_seconds`; a quarter of a second a
page or record is free, so a long file goes on for as long as it delivers them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Literal, Self, TypeVar

from engine.core.errors import InputTooLargeError
from engine.core.progress import Meter, Report, silent

_Item = TypeVar("_Item")

_MEBIBYTE = 1 << 20
_NAME_CHARACTERS = 60
_FREE_SECONDS = 0.25
_SHARE_OF_WAITING = 0.1
_SECONDS_QUIET = 1.0  # how long a file is read before its pages or documents are counted on the screen

What = Literal["decoded bytes", "characters", "elements", "sections", "claims"]
"""What a reader spends."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one file, document or row may hold; every limit is far above real papers and patents.

    `max_file_bytes` bounds a file that is read whole (PDF, XML, text); `max_bulk_bytes` one that is
    streamed (tables, bulk files), with only `max_record_bytes` held at a time. `max_decoded_bytes` is what one document
    may unpack to, `max_objects` how many pieces of text a PDF's pages may draw, and `max_page_objects` one of them.
    `max_seconds` pass at most without a page or a record, and the process that reads a PDF holds at most
    `max_memory_bytes`; while it recognises scans, `max_recognition_bytes`, and `max_recognition_seconds` a page.
    What is packed unpacks to at most `max_member_ratio` times its size, however little that is.
    """

    max_file_bytes: int = 64 * _MEBIBYTE
    max_bulk_bytes: int = 16 * 1024 * _MEBIBYTE
    max_record_bytes: int = 32 * _MEBIBYTE
    max_decoded_bytes: int = 128 * _MEBIBYTE
    max_row_group_bytes: int = 2 * 1024 * _MEBIBYTE
    max_pages: int = 2_000
    max_objects: int = 2_000_000
    max_page_objects: int = 50_000
    max_page_characters: int = 50_000
    max_seconds: int = 10
    max_memory_bytes: int = 1024 * _MEBIBYTE
    max_recognition_bytes: int = 2 * 1024 * _MEBIBYTE
    max_recognition_seconds: int = 12
    max_characters: int = 10_000_000
    max_sections: int = 5_000
    max_claims: int = 2_000
    max_elements: int = 1_000_000
    max_list_items: int = 10_000
    max_xml_depth: int = 200
    max_json_depth: int = 32
    max_tex_depth: int = 200
    max_tex_marks: int = 2_000_000
    max_macros: int = 10_000
    max_macro_characters: int = 4_000
    max_archive_members: int = 5_000
    max_member_ratio: int = 200

    def __post_init__(self) -> None:
        """Refuse a limit that would refuse everything."""
        for one in fields(Limits):
            if getattr(self, one.name) < 1:
                raise ValueError(f"{one.name} must be at least 1, got {getattr(self, one.name)}.")

    def of(self, what: What) -> int:
        """Return the most that one document may spend of something."""
        most: int = getattr(self, f"max_{what.replace(' ', '_')}")
        return most

    def require(self, what: What, count: int, name: str) -> None:
        """Refuse a document that holds more of something than it may; `count` is what it holds, or more than allowed.

        Raises InputTooLargeError.
        """
        most = self.of(what)
        if count > most:
            shown = f"{most >> 20} MiB once unpacked" if what == "decoded bytes" else f"{most:,} {_SPOKEN[what]}"
            found = "it holds more" if what == "decoded bytes" else f"found {count:,}"
            raise InputTooLargeError(f"Expected at most {shown} in {name}, {found}. Split it, or paste a part.")


_SPOKEN: dict[What, str] = {
    "characters": "characters of text",
    "elements": "elements",
    "sections": "sections",
    "claims": "claims",
}

LIMITS = Limits()
"""The limits in force."""


Clock = Callable[[], float]
"""Gives seconds since some moment."""


def processor_seconds(used_seconds: float) -> float:
    """Return seconds of a processor's work, and a tenth of all that pass, lest what waits for ever goes on.

    On a busy machine, where a page takes ten times as long, no file is refused for that.
    """
    return used_seconds + _SHARE_OF_WAITING * time.monotonic()


@dataclass(slots=True)
class _Stopwatch:
    """The seconds by the slowest of some clocks since they were started, and those `spent` before.

    This process may do other work beside the reading, and the machine may do the work of others: neither is the file's.
    """

    clocks: tuple[Clock, ...] = (lambda: time.monotonic(), lambda: processor_seconds(time.process_time()))
    spent: float = 0.0
    _since: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        self.start(self.clocks)

    def start(self, clocks: tuple[Clock, ...]) -> None:
        """Count by these clocks from here on."""
        self.clocks, self._since = clocks, tuple(clock() for clock in clocks)

    def seconds(self) -> float:
        """Return the seconds spent so far."""
        return self.spent + min(clock() - since for clock, since in zip(self.clocks, self._since, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Budget(Limits):
    """What one file may still spend: the limits, and how much of them its document has used so far.

    It also says how far the file is read: `meter` counts its pages or records. A report that raises stops the reading,
    which is how Cancel works.
    """

    name: str = ""
    meter: Meter = field(default_factory=lambda: Meter("read", None, silent))
    _spent: Counter[str] = field(default_factory=Counter)
    _watch: _Stopwatch = field(default_factory=_Stopwatch)

    @classmethod
    def of_file(cls, limits: Limits, name: str, report: Report = silent) -> Self:
        """Return a new budget for a file of that name."""
        given = {one.name: getattr(limits, one.name) for one in fields(Limits)}
        shown = name[:_NAME_CHARACTERS].encode("utf-8", "replace").decode()
        meter = Meter(f"read {shown}", None, report, interval_seconds=_SECONDS_QUIET, passing=True)
        return cls(**given, name=name, meter=meter)

    @staticmethod
    def within(limits: Limits, name: str) -> Budget:
        """Return the budget that a reader was given, or a new one if it was given plain limits."""
        return limits if isinstance(limits, Budget) else Budget.of_file(limits, name)

    def spend(self, what: What, amount: int = 1) -> None:
        """Count what the document holds, before it is held.

        Raises InputTooLargeError where that is more than the limit, and what `check` raises.
        """
        self._spent[what] += amount
        if self._spent[what] > self.of(what):
            self.require(what, self._spent[what], self.name)
        self.check()

    def check(self) -> None:
        """Refuse a file that has delivered nothing for too long, and let Cancel through.

        Raises InputTooLargeError, or what the report raises.
        """
        self._spent_seconds()
        self.meter.add(0)

    def delivered(self, items: int = 1, *, free_seconds: float = _FREE_SECONDS) -> None:
        """Count pages of the document that are done; `free_seconds` of what they took are not spent.

        Raises as `check`.
        """
        self._watch.spent = max(0.0, self._spent_seconds() - free_seconds)
        self.resume()
        self.meter.add(items)

    def passing(self, items: Iterable[_Item]) -> Iterator[_Item]:
        """Yield pages one by one for a step of work on each; as many seconds of it are free as of a new page.

        Raises as `check`.
        """
        for item in items:
            yield item
            self.delivered(0)

    def resume(self) -> None:
        """Begin to count seconds again, after a time that was not the file's."""
        self._watch.start(self._watch.clocks)

    @contextmanager
    def by(self, clock: Clock) -> Iterator[None]:
        """Count seconds by another clock, such as that of a process that reads the file."""
        before = self._watch.clocks
        self._watch.start((clock,))
        try:
            yield
        finally:
            self._watch.start(before)

    def _spent_seconds(self) -> float:
        """Return the seconds spent so far, which are less than the limit."""
        spent = self._watch.seconds()
        if spent > self.max_seconds:
            raise InputTooLargeError(
                f"Expected a page or a document from {self.name} within {self.max_seconds} seconds; it takes longer "
                "than a paper or a patent does, so it was stopped. Export it again, or paste its text."
            )
        return spent

    def forget_entry(self) -> None:
        """Begin with the next record after one that was left out, which delivers nothing. Raises as `check`."""
        self._spent.clear()
        self.check()

    def renew(self) -> None:
        """Count a record that was delivered whole, and begin with the next. Raises as `check`."""
        self._spent.clear()
        self.delivered()


def record_too_large(place: str, most: int) -> InputTooLargeError:
    """Return the error for a record of a streamed file that has grown beyond `most` bytes or characters."""
    return InputTooLargeError(
        f"Expected at most {most >> 20} MiB in {place}; it is larger. Take it out, or cut it into smaller ones."
    )

"""The app's memory over an hour of use: `python -m tests.browser.memory --pdf FILE --save FILE.json`.

One visitor in headless Chromium uses the app over a copy of the library that it would open ($PRIORSCOPE_LIBRARY, else
the one in the home folder) as a script says: pasted abstracts, a PDF and a filter are searched, two papers and a long
one with the library compared, the map opened, 500 documents imported, read and mapped; after more questions the
page is left alone until the encoders have left memory, and asked once more. `--minutes` shortens the hour and
`--idle` the time after which unused encoders go, for a rehearsal.

Memory is what lies in RAM (RSS of /proc, of which a part is anonymous, the rest mapped from files): of the app's
process (`app`), and with the processes that it starts (`all`), such as the one that draws a map. It is read twice a
second; each step has what was held at its end and the most within it. The report of the project is
engine/research/reports/memory.json.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from selenium.webdriver.common.keys import Keys

from engine.core.provenance import commit, hardware
from engine.encoders.registry import UNUSED_MINUTES
from engine.library import Library, default_library
from tests.browser import compare_hand
from tests.browser.app import Visitor, chromium, serving
from tests.browser.timing import COMPARING_SECONDS, TEXTS, app_process, longest_and_threes, sides, status_of

HOUR, IDLE_MINUTES = 60.0, 10.0
IMPORTED = 500
_SECONDS_BETWEEN_LOOKS, _SECONDS_BETWEEN_LINES = 0.5, 30.0
_EVIDENCE, _PATIENCE = ".ps-hit .ps-hit-near", 900.0


@dataclass(frozen=True, slots=True)
class Held:
    """What lies in memory at a moment, in MiB."""

    app: int
    anonymous: int
    all: int

    @classmethod
    def now(cls, app: int) -> Held:
        """Read it of the process with this number and of all that it has started."""
        known = {int(one.name): status_of(one) for one in Path("/proc").iterdir() if one.name.isdigit()}
        family = {app}
        while more := {pid for pid, facts in known.items() if int(facts.get("PPid", 0)) in family} - family:
            family |= more
        own = known[app]
        return cls(_mib(own, "VmRSS"), _mib(own, "RssAnon"), sum(_mib(known[one], "VmRSS") for one in family))


def _mib(facts: Mapping[str, str], name: str) -> int:
    return int(facts.get(name, "0").split()[0]) >> 10


@dataclass
class Watch:
    """Reads the app's memory from a thread, until it is `over`."""

    app: int
    began: float = field(default_factory=time.monotonic)
    seen: list[tuple[float, Held]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def seconds(self) -> float:
        """How long it has watched."""
        return time.monotonic() - self.began

    def work(self) -> None:
        """Read until it is over."""
        while not self.over.wait(_SECONDS_BETWEEN_LOOKS):
            self.seen.append((self.seconds, Held.now(self.app)))

    def step(self, name: str, act: Callable[[], None]) -> dict[str, object]:
        """Do something, and return what was held meanwhile."""
        began = self.seconds
        act()
        ended, last = self.seconds, Held.now(self.app)
        within = [last, *(held for moment, held in list(self.seen) if moment >= began)]
        found = {
            "step": name,
            "minute": round(began / 60, 1),
            "seconds": round(ended - began, 1),
            "mib_at_its_end": {"app": last.app, "anonymous": last.anonymous, "all": last.all},
            "mib_at_most": {"app": max(one.app for one in within), "all": max(one.all for one in within)},
        }
        sys.stderr.write(json.dumps(found) + "\n")
        return found

    def lines(self) -> Iterator[tuple[float, int, int]]:
        """Yield the minute and what the app and all held, twice a minute at their largest."""
        for start in range(0, int(self.seconds), int(_SECONDS_BETWEEN_LINES)):
            some = [one for moment, one in self.seen if start <= moment < start + _SECONDS_BETWEEN_LINES]
            if some:
                yield round(start / 60, 1), max(one.app for one in some), max(one.all for one in some)


def main() -> None:
    """Use the app for an hour, and tell what it held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pdf", metavar="FILE", type=Path, required=True, help="a document to search with")
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the report there instead of printing it")
    parser.add_argument("--minutes", type=float, default=HOUR, help="how long the hour takes")
    parser.add_argument("--idle", type=float, default=IDLE_MINUTES, help="after how many minutes encoders go")
    given = parser.parse_args()
    os.environ[UNUSED_MINUTES] = str(given.idle)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        library = Path(shutil.copytree(default_library(), folder / "library"))
        measured = _hour(library, folder, given.pdf, given.minutes)
    told = {"command": "python -m tests.browser.memory", "commit": commit(), "hardware": hardware()}
    told |= {"minutes": given.minutes, "minutes_until_unused_encoders_go": given.idle, **measured}
    report = json.dumps(told, indent=2) + "\n"
    if given.save:
        given.save.write_text(report, "utf-8")
    else:
        sys.stdout.write(report)


def _hour(library: Path, folder: Path, pdf: Path, minutes: float) -> dict[str, object]:
    with Library.open(library) as held:
        documents = len(held)
        records = _records(held)
    longest, threes = longest_and_threes(library)
    more = folder / "more.ris"
    more.write_text(records, "utf-8")
    with serving(library, folder / "app.log") as address, chromium(folder / "profile", size=(1400, 900)) as driver:
        hand, watch = Hand(Visitor(driver, address), pdf, more), Watch(app_process())
        threading.Thread(target=watch.work, daemon=True).start()
        found = []
        for minute, name, act in _script(hand, next(iter(threes.values()))[:2], longest):
            time.sleep(max(0.0, 60 * minute * minutes / HOUR - watch.seconds))
            found.append(watch.step(name, act))
        watch.over.set()
    return {"documents": documents, "steps": found, "minute_app_all": list(watch.lines())}


@dataclass(frozen=True, slots=True)
class Hand:
    """What a visitor does, each thing to its end: searches with a `pdf`, brings `more` documents."""

    visitor: Visitor
    pdf: Path
    more: Path

    def opens(self, path: str = "") -> None:
        self.visitor.open(path)
        self.visitor.rests()

    def asks(self, text: str) -> None:
        self.opens()
        self.visitor.paste(text)
        self._answered()

    def brings(self) -> None:
        self.opens()
        self.visitor.click_on("[role=tab]", "Upload")
        self.visitor.upload(self.pdf)
        self.visitor.sees("Check what was read")
        self.visitor.press("ask")
        self._answered()

    def filters(self) -> None:
        self.visitor.click_on("button", "Patents (")
        self.visitor.rests()
        self._answered()

    def compares(self, pair: Sequence[str]) -> None:
        self.visitor.open(f"compare?{sides(pair)}")
        compare_hand.compared(self.visitor)

    def covers(self, document: str) -> None:
        self.visitor.open(f"compare?{sides([document])}&library=paragraphs")
        compare_hand.shape(self.visitor, "coverage", seconds=COMPARING_SECONDS)
        self.visitor.rests()

    def looks_at_map(self) -> None:
        self.visitor.open("map")
        self.visitor.map(seconds=_PATIENCE)

    def imports(self) -> None:
        self.opens("library")
        self.visitor.click_on("[role=tab]", "A folder on this machine")
        self.visitor.find(".st-key-import-path input").send_keys(str(self.more), Keys.ENTER)
        self.visitor.find(".st-key-import-folder button:not(:disabled)")
        self.visitor.press("import-folder")
        self._worked()

    def draws_map(self) -> None:
        self.looks_at_map()
        self.visitor.press("redraw-map")
        self._worked()
        self.visitor.map(seconds=_PATIENCE)

    def _answered(self) -> None:
        self.visitor.until(lambda _: self.visitor.texts(_EVIDENCE), "expected an answer", seconds=_PATIENCE)
        self.visitor.rests()

    def _worked(self) -> None:
        self.visitor.find(".st-key-job-line")
        self.visitor.until(
            lambda _: not self.visitor.texts(".st-key-job-line"), "expected the jobs to end", seconds=_PATIENCE
        )
        self.visitor.rests()


def _nothing() -> None:
    """Do nothing: what lies in memory is read."""


def _script(hand: Hand, pair: Sequence[str], longest: str) -> Iterator[tuple[float, str, Callable[[], None]]]:
    """Yield the steps of an hour: the minute at which each begins, its name, and what is done."""
    yield 0, "before the first visit", _nothing
    yield 0.1, "the first page", hand.opens
    for minute, text in enumerate(TEXTS, start=1):
        yield minute, "search with an abstract", partial(hand.asks, text)
    yield 6, "search with a PDF", hand.brings
    yield 8, "filter by kind", hand.filters
    yield 10, "compare two papers", partial(hand.compares, pair)
    yield 14, "compare a long one with the library", partial(hand.covers, longest)
    yield 20, "the map", hand.looks_at_map
    yield 23, f"import {IMPORTED} documents and read them", hand.imports
    yield 29, "draw the map again", hand.draws_map
    for turn in range(6):
        yield 34 + 2 * turn, "search with an abstract", partial(hand.asks, TEXTS[turn % len(TEXTS)])
    yield 45, "the page is left alone", _nothing
    yield 58.5, "encoders have left", _nothing
    yield 58.6, "search with an abstract", partial(hand.asks, TEXTS[0])
    yield HOUR, "the end", _nothing


def _records(library: Library) -> str:
    """Return new documents in the RIS format, each of the texts of two that the library holds."""
    ids = library.ids()
    some = library.get(ids[:: len(ids) // IMPORTED][:IMPORTED])
    pairs = zip(some, [*some[1:], some[0]], strict=True)
    told = [
        f"TY  - JOUR\nTI  - {one.title} beside {other.title}\nAB  - {_line(one.text)} {_line(other.text)}\nER  - \n"
        for one, other in pairs
    ]
    return "\n".join(told)


def _line(text: str) -> str:
    return " ".join(text.split()[:250])


if __name__ == "__main__":
    main()

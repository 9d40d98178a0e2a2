"""Seconds until the app's pages can be used and its map reacts: `python -m tests.browser.timing --save FILE`.

The figures are JSON, printed or saved; the report of the project is engine/research/reports/browser.json. They are
measured in headless Chromium without a graphics card, on the library that the app would open ($PRIORSCOPE_LIBRARY,
else the one in the home folder). A visit of the map lasts until every point is drawn and a press on "Zoom in" has been
drawn too; the first visit of each browser fetches the app's own scripts as well.
A start is counted from `streamlit run` until the first page has come to rest in a new browser. A switch is counted from
the press on a page's name until that page has come to rest, twice for each page: the first loads what it needs.
A search is counted in the browser, from the press on the button below a pasted text until the frame that shows the
first rows, by words alone or not, and until the one in which they say how near they are: three texts, the first of them
the first question after a start, each once more after the three.
A cell of Compare's heatmaps is counted in the browser, from the click, the arrow key or the last move of the pointer
until the texts are marked and that frame is drawn: of two short papers, of three documents of some 50 chunks each on
one page, of three of some 140, of the longest of the library against the others, by paragraphs, and of a file within
itself (`--long FILE`).
`--cells` measures these alone.
`--question FILE` measures alone what an uploaded document takes: from the press that asks with it until its evidence
is shown and the page rests, at once or after `CHECKING_SECONDS` in which its text is looked over, then after each
change of filters, ranking and seeds; by the clock and by the app's processor. `--busy N` does so beside N processes
that never rest. The app's memory is the most that its process has held by the end.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast
from urllib.parse import quote

from selenium.webdriver.common.keys import Keys

from engine.core.provenance import commit, hardware
from engine.library import default_library
from explorer.state.examples import EXAMPLE_PAIRS
from tests.browser import compare_hand
from tests.browser.app import CHROMEDRIVER, CHROMIUM, Visitor, chromium, serving

STARTS, BROWSERS, VISITS = 3, 2, 3
CHECKING_SECONDS, ROUNDS = 6, 2
COMPARING_SECONDS = 600
THREE_CHARACTERS = {"three documents": 45_000, "three long documents": 130_000}  # some 50 and 140 chunks each
PAGES = ("Search", "Compare", "Map", "Evaluate", "Library", "Models")
TEXTS = (
    "We learn vectors of long documents by attention over their sections, so that papers on one subject are near each "
    "other, and compare them with keyword search on citation recommendation.",
    "Transport properties of a two-dimensional electron gas in a strong magnetic field are studied at low temperature. "
    "The conductance shows plateaus whose width depends on the density of impurities.",
    "A valve gear for steam engines in which the cut-off is varied by a governor acting on a slotted link, so that the "
    "speed stays the same under a changing load.",
)
_ROWS, _EVIDENCE = ".ps-hit", ".ps-hit-near"
_SHARES = ((0.2, 0.3), (0.5, 0.5), (0.7, 0.2), (0.3, 0.6))
_WATCH = """
const hosts = [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')];
const texts = hosts.map((host) => host.shadowRoot && host.shadowRoot.querySelector('.texts')).filter(Boolean)[0];
window.seen = {};
const note = (name) => () => (window.seen = { [name]: performance.now() });
for (const name of ['click', 'keydown', 'pointermove']) window.addEventListener(name, note(name), true);
const drawn = () => setTimeout(() => (window.seen.drawn ??= performance.now()));
new MutationObserver(() => requestAnimationFrame(drawn))
  .observe(texts, { subtree: true, attributes: true, childList: true, attributeFilter: ['class'] });
"""
_WATCH_ROWS = """
window.rows = {};
window.addEventListener('click', () => (window.rows = { pressed: performance.now() }), { capture: true });
const note = (name, selector) => {
  if (name in window.rows || !document.querySelector(selector)) return;
  window.rows[name] = 0;
  requestAnimationFrame(() => (window.rows[name] = performance.now() - window.rows.pressed));
};
new MutationObserver(() => { note('rows', arguments[0]); note('evidence', arguments[1]); })
  .observe(document.body, { subtree: true, childList: true });
"""
_WATCH_REST = """
window.rest = { pressed: performance.now() };
const look = () => {
  const state = document.querySelector("[data-test-script-state]").dataset.testScriptState;
  window.rest.ran ||= state === 'running';
  const told = document.querySelector('.st-key-found-words .ps-verdict'), now = performance.now();
  if (document.querySelector('.ps-hit')) window.rest.rows ??= (now - window.rest.pressed) / 1000;
  if (told && told.innerText.startsWith('These are near')) window.rest.near ??= (now - window.rest.pressed) / 1000;
  const done = window.rest.ran && state === 'notRunning' && document.querySelector(arguments[0]);
  if (done) window.rest.seconds = (performance.now() - window.rest.pressed) / 1000;
  else requestAnimationFrame(look);
};
look();
"""
_SEEN_ROWS = "return window.rows.rows && window.rows.evidence && [window.rows.rows, window.rows.evidence]"
_LINK = "[data-testid='stTopNavLink']"
_TITLE = "const title = document.querySelector('h1'); return title && title.innerText"
_ZOOM = "arguments[0].querySelector('[aria-label^=\"Zoom in\"]').click()"
_LEVEL = "return Number(arguments[0].querySelector('.frame').dataset.zoom)"
_DRAWN = "return Number(arguments[0].querySelector('.frame').dataset.drawn)"


def main() -> None:
    """Open every page and visit the map several times with fresh browsers, and tell what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the report there instead of printing it")
    parser.add_argument("--long", metavar="FILE", type=Path, help="a long document, whose cells are measured, too")
    parser.add_argument("--question", metavar="FILE", type=Path, help="measure nothing but what asking with it takes")
    parser.add_argument("--busy", metavar="N", type=int, default=0, help="beside this many processes that never rest")
    parser.add_argument("--cells", action="store_true", help="measure nothing but cells of heatmaps")
    options = parser.parse_args()
    save = options.save
    if not (CHROMIUM.exists() and CHROMEDRIVER.exists()):
        sys.exit(f"Expected Chromium at {CHROMIUM} and {CHROMEDRIVER}; install Debian's chromium-driver.")
    if not any((default_library() / "maps").glob("*/map.json")):
        sys.exit(f"Expected a map in {default_library()}; draw it first: priorscope map")
    with tempfile.TemporaryDirectory() as temporary:
        measured = {"hardware": hardware(), "commit": commit()}
        if options.question is not None:
            measured |= _asked(Path(temporary), options.question, options.busy)
        elif not options.cells:
            measured |= _measured(Path(temporary))
        if options.question is None:
            measured["milliseconds_from_cell_to_passages"] = _cells(Path(temporary), options.long)
    report = json.dumps(measured, indent=2) + "\n"
    if save:
        save.write_text(report, "utf-8")
    else:
        sys.stdout.write(report)


def _measured(folder: Path) -> dict[str, object]:
    visits = []
    starts = [_start(folder / f"start-{number}") for number in range(STARTS)]
    with serving(default_library(), folder / "app.log") as address:
        for number in range(BROWSERS):
            with chromium(folder / f"profile-{number}") as driver:
                visits += [_visit(Visitor(driver, address), first=turn == 0) for turn in range(VISITS)]
        with chromium(folder / "profile-switches") as driver:
            switches = _switches(Visitor(driver, address))
        memory = int(status_of(Path("/proc", str(app_process())))["VmHWM"].split()[0]) >> 10
    with (
        serving(default_library(), folder / "searches.log") as address,
        chromium(folder / "profile-searches") as driver,
    ):
        searches = [_search(Visitor(driver, address), text) for text in (*TEXTS, *TEXTS)]
    return {
        "seconds_from_start_to_page": starts,
        "seconds_to_switch": switches,
        "seconds_from_search_to_rows": [rows for rows, _ in searches],
        "seconds_from_search_to_evidence": [evidence for _, evidence in searches],
        "map_visits": visits,
        "app_peak_memory_mib": memory,
    }


def _search(visitor: Visitor, text: str) -> tuple[float, float]:
    """Seconds from the press below a pasted text until the first rows are shown, and until they say how near."""
    visitor.open()
    visitor.rests()
    visitor.driver.execute_script(_WATCH_ROWS, _ROWS, _EVIDENCE)
    visitor.paste(text)
    seen = visitor.until(lambda driver: driver.execute_script(_SEEN_ROWS), "expected rows that say how near they are")
    rows, evidence = (round(milliseconds / 1000, 2) for milliseconds in cast(list[float], seen))
    return rows, evidence


def _asked(folder: Path, file: Path, busy: int) -> dict[str, object]:
    """Seconds by the clock and of the app's processor until a document's evidence is shown, after each change.

    When it is first asked, also until its first rows are drawn, and until those that its meaning ranks.
    """
    steps: dict[str, Callable[[Visitor], object]] = {
        "patents alone": lambda visitor: visitor.click_on("button", "Patents ("),
        "papers, too": lambda visitor: visitor.click_on("button", "Papers ("),
        "by meaning": lambda visitor: visitor.click_on(".st-key-option-ranking button", "Meaning"),
        "by words": lambda visitor: visitor.click_on(".st-key-option-ranking button", "Keywords"),
        "by both": lambda visitor: visitor.click_on(".st-key-option-ranking button", "Both"),
        "more like the first": lambda visitor: visitor.click_on("button", "More like this"),
    }
    found: defaultdict[str, list[dict[str, float]]] = defaultdict(list)
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy)]
    try:
        for number, wait in enumerate((0, CHECKING_SECONDS) * ROUNDS):
            library = shutil.copytree(default_library(), folder / f"library-{number}")  # has never seen the document
            with (
                serving(library, folder / "asked.log") as address,
                chromium(folder / f"profile-asked-{number}", size=(1400, 900)) as driver,
            ):
                visitor = Visitor(driver, address)
                visitor.open()
                visitor.rests()
                visitor.paste(TEXTS[0])  # opens what every search needs
                visitor.find(_EVIDENCE)
                _draft(visitor, file)
                time.sleep(wait)
                first = _until_rest(visitor, lambda visitor: visitor.press("ask"))
                seen = cast(dict[str, float], visitor.driver.execute_script("return window.rest"))
                first |= {name: round(seen[name], 2) for name in ("rows", "near") if name in seen}
                found["first, after its check" if wait else "first, at once"].append(first)
                for name, change in steps.items():
                    found[name].append(_until_rest(visitor, change))
    finally:
        for one in spinning:
            one.kill()
    return {"file": file.name, "busy_processes": busy, "load": round(os.getloadavg()[0], 2), "asked": found}


def _draft(visitor: Visitor, file: Path) -> None:
    """Upload a document and wait until it can be asked with."""
    visitor.open()
    visitor.rests()
    visitor.click_on("[role=tab]", "Upload")
    visitor.upload(file)
    visitor.find(".st-key-ask button")
    visitor.rests()


def _until_rest(visitor: Visitor, press: Callable[[Visitor], object]) -> dict[str, float]:
    process = Path("/proc", str(app_process()), "stat")
    began = _processor_seconds(process)
    visitor.driver.execute_script(_WATCH_REST, _EVIDENCE)
    press(visitor)
    seen = visitor.until(lambda driver: driver.execute_script("return window.rest.seconds"), "expected evidence")
    return {"seconds": round(cast(float, seen), 2), "processor": round(_processor_seconds(process) - began, 2)}


def _processor_seconds(stat: Path) -> float:
    user, system = stat.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _cells(folder: Path, long: Path | None) -> dict[str, object]:
    """Milliseconds from a click on a cell, an arrow key and the last move of the pointer to marked passages."""
    pair, (longest, threes) = EXAMPLE_PAIRS[0], longest_and_threes(default_library())
    scenes = {
        "two short papers": (f"compare?a=example:{pair.first}&b=example:{pair.second}", ("section", "chunk")),
        **{name: (f"compare?{sides(three)}", ("chunk",)) for name, three in threes.items()},
        "one against the library": (f"compare?{sides([longest])}&library=paragraphs", ("coverage",)),
    }
    found: dict[str, object] = {}
    with (
        serving(default_library(), folder / "cells.log") as address,
        chromium(folder / "profile-cells", size=(1400, 900)) as driver,
    ):
        visitor = Visitor(driver, address)
        for name, (link, heatmaps) in scenes.items():
            visitor.open(link)
            found[name] = _cells_of(visitor, heatmaps)
        if long is not None:
            visitor.open("compare")
            compare_hand.upload(visitor, "a", long)
            found[f"{long.name} within itself"] = _cells_of(visitor, ("section", "chunk"))
    return found


def sides(ids: Sequence[str]) -> str:
    return "&".join(f"{place}={quote(f'library:{id_}')}" for place, id_ in zip("abc", ids, strict=False))


def longest_and_threes(folder: Path) -> tuple[str, dict[str, list[str]]]:
    """The ids of the library's longest document and of the three that come nearest to each of `THREE_CHARACTERS`."""
    from engine.library import Library

    with Library.open(folder) as library:
        sizes = [(sum(len(part.text) for part in one.parts), one.id) for one in library.iter_documents()]
    nearest = {
        name: sorted(sizes, key=lambda one: abs(one[0] - characters))[:3]
        for name, characters in THREE_CHARACTERS.items()
    }
    return max(sizes)[1], {name: [id_ for _, id_ in three] for name, three in nearest.items()}


def _cells_of(visitor: Visitor, heatmaps: Sequence[str]) -> dict[str, object]:
    """The same for the heatmaps of a page, and how many rows and columns these have."""
    shapes = [compare_hand.shape(visitor, name, seconds=COMPARING_SECONDS) for name in heatmaps]
    visitor.until(lambda _: compare_hand.current(visitor) is not None, "expected the two texts")
    visitor.rests()
    visitor.driver.execute_script(_WATCH)
    found: dict[str, object] = {"rows and columns": shapes}
    acts = {"click": compare_hand.click_cell, "keydown": _key, "pointermove": compare_hand.point_at_cell}
    for name, act in acts.items():
        taken = []
        for heatmap in heatmaps:
            for share in _SHARES:
                compare_hand.point_at_cell(visitor, heatmap, (0.9, 0.95))  # else the pointer would stand on the cell
                visitor.rests()
                act(visitor, heatmap, share)
                script = f"return window.seen.drawn - window.seen.{name} || 0"
                seen = visitor.until(lambda driver, script=script: driver.execute_script(script), "expected passages")
                taken.append(round(cast(float, seen)))
        found[name] = taken
    return found


def _key(visitor: Visitor, heatmap: str, _: tuple[float, float]) -> None:
    """Go to the next cell with an arrow key: to one that the pointer has not opened."""
    frame = compare_hand.framed(visitor, heatmap)
    key = Keys.ARROW_RIGHT if frame is not None and frame[1] == 0 else Keys.ARROW_LEFT
    visitor.find(f".st-key-{heatmap}-heatmap").send_keys(key)


def app_process() -> int:
    """The number of the app's process, which `serving` has started."""
    for process in Path("/proc").glob("[0-9]*"):
        if status_of(process).get("PPid") == str(os.getpid()):
            if "streamlit" in (process / "cmdline").read_text().split("\0"):
                return int(process.name)
    raise RuntimeError("Expected the app's process among this one's children, found none. Start it by `serving`.")


def status_of(process: Path) -> dict[str, str]:
    """What Linux says of a process, given by its folder; empty where it has ended."""
    try:
        told = (process / "status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return {}
    return {name: fact.strip() for name, _, fact in (line.partition(":") for line in told.splitlines())}


def _switches(visitor: Visitor) -> dict[str, list[float]]:
    """Seconds from a press on each page's name until the page has come to rest, at the first and the second press."""
    visitor.open("models")
    visitor.rests()
    seconds: dict[str, list[float]] = {page: [] for page in PAGES}
    for page in (*PAGES, *PAGES):
        before = visitor.driver.execute_script(_TITLE)
        started = time.monotonic()
        visitor.click_on(_LINK, page)
        visitor.until(
            lambda driver, before=before: driver.execute_script(_TITLE) not in (None, before), f"expected {page}"
        )
        visitor.rests()
        seconds[page].append(round(time.monotonic() - started, 2))
    return seconds


def _start(folder: Path) -> float:
    """Seconds from starting the app until its first page can be used."""
    folder.mkdir()
    with chromium(folder / "profile") as driver:
        started = time.monotonic()
        with serving(default_library(), folder / "app.log") as address:
            visitor = Visitor(driver, address)
            visitor.open()
            visitor.rests()
            visitor.find("textarea")
            return round(time.monotonic() - started, 2)


def _visit(visitor: Visitor, *, first: bool) -> dict[str, object]:
    visitor.driver.get_log("performance")  # forget what came before
    started = time.monotonic()
    visitor.open("map")
    map_ = visitor.map()
    drawn = time.monotonic()
    visitor.driver.execute_script(_ZOOM, map_)
    visitor.until(lambda driver: driver.execute_script(_LEVEL, map_) > 1.5, "expected the zoom to be drawn")
    reacted = time.monotonic()
    http, socket = _bytes(visitor)
    return {
        "first_visit_of_the_browser": first,
        "points": visitor.driver.execute_script(_DRAWN, map_),
        "seconds_to_drawn": round(drawn - started, 2),
        "seconds_to_interactive": round(reacted - started, 2),
        "bytes_http": http,
        "bytes_socket": socket,
    }


def _bytes(visitor: Visitor) -> tuple[int, int]:
    """What came over HTTP and over the app's socket since the log was last read."""
    http = socket = 0
    for entry in visitor.driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.loadingFinished":
            http += int(message["params"]["encodedDataLength"])
        elif message["method"] == "Network.webSocketFrameReceived":
            socket += len(message["params"]["response"]["payloadData"]) * 3 // 4  # binary frames are logged in base64
    return http, socket


if __name__ == "__main__":
    main()

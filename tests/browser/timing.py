"""Seconds until the app's pages can be used and its map reacts: `python -m tests.browser.timing --save FILE`.

The figures are JSON, printed or saved; the report of the project is engine/research/reports/browser.json. They are
measured in headless Chromium without a graphics card, on the library that the app would open ($PRIORSCOPE_LIBRARY,
else the one in the home folder). A visit of the map lasts until every point is drawn and a press on "Zoom in" has been
drawn too; the first visit of each browser fetches the app's own scripts as well.
A start is counted from `streamlit run` until the first page has come to rest in a new browser. A switch is counted from
the press on a page's name until that page has come to rest, twice for each page: the first loads what it needs.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from engine.library.location import default_library
from engine.provenance import commit, hardware
from tests.browser.app import CHROMEDRIVER, CHROMIUM, Visitor, chromium, serving

STARTS, BROWSERS, VISITS = 3, 2, 3
PAGES = ("Search", "Compare", "Map", "Evaluate", "Library", "Models")
_LINK = "[data-testid='stTopNavLink']"
_TITLE = "const title = document.querySelector('h1'); return title && title.innerText"
_ZOOM = "arguments[0].querySelector('[aria-label^=\"Zoom in\"]').click()"
_LEVEL = "return Number(arguments[0].querySelector('.frame').dataset.zoom)"
_DRAWN = "return Number(arguments[0].querySelector('.frame').dataset.drawn)"


def main() -> None:
    """Open every page and visit the map several times with fresh browsers, and tell what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the report there instead of printing it")
    save = parser.parse_args().save
    if not (CHROMIUM.exists() and CHROMEDRIVER.exists()):
        sys.exit(f"Expected Chromium at {CHROMIUM} and {CHROMEDRIVER}; install Debian's chromium-driver.")
    if not any((default_library() / "maps").glob("*/map.json")):
        sys.exit(f"Expected a map in {default_library()}; draw it first: priorscope map")
    with tempfile.TemporaryDirectory() as temporary:
        measured = {"hardware": hardware(), "commit": commit(), **_measured(Path(temporary))}
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
    return {"seconds_from_start_to_page": starts, "seconds_to_switch": switches, "map_visits": visits}


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

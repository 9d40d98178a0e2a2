"""Seconds until the app answers and its map reacts: `python -m tests.browser.timing` prints them as JSON.

Measured in headless Chromium without a graphics card, on the library that the app would open
($PRIORSCOPE_LIBRARY, else the one in the home folder), each time until every point is drawn and a press on
"Zoom in" has been drawn too. The first visit of each browser fetches the app's own scripts as well.
A start is counted from `streamlit run` until the first page has come to rest in a new browser.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from engine.library.location import default_library
from engine.provenance import commit, hardware
from tests.browser.app import CHROMEDRIVER, CHROMIUM, Visitor, chromium, serving

STARTS, BROWSERS, VISITS = 3, 2, 3
_ZOOM = "arguments[0].querySelector('[aria-label^=\"Zoom in\"]').click()"
_LEVEL = "return Number(arguments[0].querySelector('.frame').dataset.zoom)"
_DRAWN = "return Number(arguments[0].querySelector('.frame').dataset.drawn)"


def main() -> None:
    """Visit the map several times with fresh browsers and print what it took."""
    if not (CHROMIUM.exists() and CHROMEDRIVER.exists()):
        sys.exit(f"Expected Chromium at {CHROMIUM} and {CHROMEDRIVER}; install Debian's chromium-driver.")
    if not any((default_library() / "maps").glob("*/map.json")):
        sys.exit(f"Expected a map in {default_library()}; draw it first: priorscope map")
    visits = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        starts = [_start(folder / f"start-{number}") for number in range(STARTS)]
        with serving(default_library(), folder / "app.log") as address:
            for number in range(BROWSERS):
                with chromium(folder / f"profile-{number}") as driver:
                    visits += [_visit(Visitor(driver, address), first=turn == 0) for turn in range(VISITS)]
    report = {"hardware": hardware(), "commit": commit(), "seconds_from_start_to_page": starts, "map_visits": visits}
    sys.stdout.write(json.dumps(report, indent=2) + "\n")


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

"""Frames a second of a large map under the hand: `python -m tests.browser.map_frames --save FILE`.

The map is the file that the Map page offers for download, which is drawn by the page's own scripts: made points, in
clusters of every size, with titles, years, categories and labels. In headless Chromium without a graphics card it is
moved, enlarged and made smaller, and pointed at, each for some seconds with one event a frame: as fast as frames come.
`frames_per_second` counts the frames of that time; the main thread's milliseconds a frame tell the same on a machine
that has other work, too. The report of the project is engine/research/reports/map-frames.json.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, cast

import numpy as np

from engine.core.provenance import commit, hardware
from engine.exports import Caption, MapPoints, map_page
from engine.exports.maps import packing, palette
from tests.browser.app import CHROMEDRIVER, CHROMIUM, Visitor, chromium

POINTS, CLUSTERS, SECONDS = 250_000, 60, 4
_MOVES = {
    "moved": """
        if (!n) act("pointerdown", 0, 0, 1);
        act("pointermove", 90 * Math.sin(n / 9), 60 * Math.cos(n / 11), 1);""",
    "moved, enlarged 8 times": """
        if (!n) { zoom(-1080); act("pointerdown", 0, 0, 1); }
        act("pointermove", 90 * Math.sin(n / 9), 60 * Math.cos(n / 11), 1);""",
    "enlarged and made smaller": "zoom(n % 60 < 30 ? -36 : 36);",
    "pointed at": 'act("pointermove", 250 * Math.sin(n / 40), 200 * Math.cos(n / 31), 0);',
}
_DRIVE = """
const [seconds, answer] = arguments;
const ink = document.querySelector(".ink"), box = ink.getBoundingClientRect();
const at = (x, y) => ({ clientX: box.left + box.width / 2 + x, clientY: box.top + box.height / 2 + y });
ink.setPointerCapture = () => {};
const act = (name, x, y, buttons) =>
  ink.dispatchEvent(new PointerEvent(name, { ...at(x, y), button: 0, buttons, pointerId: 1, bubbles: true }));
const zoom = (deltaY) => ink.dispatchEvent(new WheelEvent("wheel", { ...at(30, 20), deltaY, cancelable: true }));
const times = [];
let n = 0;
const frame = (now) => {
  times.push(now);
  if (now - times[0] >= 1000 * seconds) {
    act("pointerup", 0, 0, 0);
    act("pointercancel", 0, 0, 0);
    document.querySelector(".frame").dispatchEvent(new KeyboardEvent("keydown", { key: "0" }));
    return answer(times.slice(1).map((time, i) => time - times[i]));
  }
  %s
  n += 1;
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
"""


def main() -> None:
    """Draw a large map, move it about, and tell how many frames a second came."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", metavar="COUNT", type=int, default=POINTS)
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the report there instead of printing it")
    options = parser.parse_args()
    if not (CHROMIUM.exists() and CHROMEDRIVER.exists()):
        sys.exit(f"Expected Chromium at {CHROMIUM} and {CHROMEDRIVER}; install Debian's chromium-driver.")
    load = round(os.getloadavg()[0], 1)
    measured = {
        "command": f"python -m tests.browser.map_frames --points {options.points}",
        "hardware": hardware(),
        "drawing": "headless Chromium without a graphics card; the map paints its pixels itself, without WebGL",
        "load_before": load,
        "commit": commit(),
        "points": options.points,
        **_measured(options.points),
    }
    report = json.dumps(measured, indent=2) + "\n"
    if options.save:
        options.save.write_text(report, "utf-8")
    else:
        sys.stdout.write(report)


def _measured(count: int) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "map.html").write_text(map_page(made_points(count), Caption("made", 0.4, 0.9)), "utf-8")
        with chromium(folder / "profile", size=(1400, 900)) as driver:
            driver.set_script_timeout(120)
            visitor = Visitor(driver, folder.as_uri())
            visitor.open("map.html")
            drawn = "return document.querySelector('.frame')?.dataset.drawn"
            visitor.until(lambda found: found.execute_script(drawn), "expected the map", seconds=120)
            driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
            return {name: _moved(visitor, step) for name, step in _MOVES.items()}


def _moved(visitor: Visitor, step: str) -> dict[str, float]:
    """Frames a second under one movement, and milliseconds of the page's main thread a frame."""
    before = _busy_seconds(visitor)
    times = cast(list[float], visitor.driver.execute_async_script(_DRIVE % step, SECONDS))
    busy = 1000 * (_busy_seconds(visitor) - before)
    return {
        "frames_per_second": round(1000 * len(times) / sum(times), 1),
        "slowest_of_20_frames_milliseconds": round(float(np.percentile(times, 95)), 1),
        "main_thread_milliseconds_a_frame": round(busy / len(times), 1),
    }


def _busy_seconds(visitor: Visitor) -> float:
    """The processor time that the page's main thread has taken."""
    metrics: list[dict[str, Any]] = visitor.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))


def made_points(count: int) -> MapPoints:
    """Points in clusters of every size and width, with all that a map shows of a document."""
    drawn = np.random.default_rng(7)
    shares = drawn.dirichlet(np.ones(CLUSTERS))
    of = drawn.choice(CLUSTERS, count, p=shares)
    centres, widths = drawn.uniform(-9, 9, (CLUSTERS, 2)), drawn.uniform(0.2, 1.1, CLUSTERS)
    positions = (centres[of] + drawn.normal(size=(count, 2)) * widths[of, None]).astype(np.float32)
    years, categories = drawn.integers(1980, 2026, count).tolist(), [f"cs.{number % 26}" for number in of]
    names = {number: f"cluster {number}, of many" for number in range(CLUSTERS)}
    places = {number: (float(x), float(y)) for number, (x, y) in enumerate(centres)}
    colourings = {
        "kind": palette.by_kind(["paper" if number % 3 else "patent" for number in of]),
        "year": palette.by_year(years),
        "category": palette.by_category(categories),
        "cluster": palette.by_cluster(of, names, places),
    }
    sizes = np.bincount(of, minlength=CLUSTERS).tolist()
    labels = [packing.Label(0 if size > count / 40 else 1, names[n], *places[n], size) for n, size in enumerate(sizes)]
    titles = [f"Title of document {number} on the subject of cluster {of[number]}" for number in range(count)]
    packed = packing.pack(packing.Points(positions, titles, years, categories, colourings, labels))
    return MapPoints(packed, (), (), (), positions, tuple(labels), {}, 15, 15, count, 0)


if __name__ == "__main__":
    main()

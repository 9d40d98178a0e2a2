"""Pictures for the README, taken in Chromium: `python -m tests.browser.screenshots` writes assets/screenshots/*.png.

Names behind it ("evaluate map") take only those. The library is the one that the app would open ($PRIORSCOPE_LIBRARY,
else the one in the home folder) where it holds documents and a map; otherwise a small one of our own texts.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from engine.library import Library, default_library
from engine.search import PassageEncoder
from engine.workspace.passages import index_passages
from explorer.state.examples import EXAMPLE_PAIRS, examples
from tests import topics
from tests.browser import compare_hand
from tests.browser.app import CHROMEDRIVER, CHROMIUM, PROJECT, Visitor, chromium, serving
from tests.browser.conftest import DRAWING_SECONDS, small_library

FOLDER = PROJECT / "assets" / "screenshots"
SIZE = (1400, 1100)
_USUAL_FOLDER = """
for (const line of document.querySelectorAll('.ps-quiet'))
  if (line.textContent.startsWith('Folder:')) line.textContent = 'Folder: ~/.priorscope/library';
"""
"""A reader's library stands at the usual place, whatever this machine calls its folders."""

MOST_BYTES = 400_000
EXAMPLE = "dipolar-condensate"
_PATENT = "car-coupling"
_DRAFT = """# Holding wagons together

## Coupling of itself

When two wagons meet, their hooks close on one another of themselves and are held by a block that drops behind them.
Nobody has to step between the buffers: a rod that is worked from either side lifts the block, and the hooks part again.

## Lifting by radio

The block is not raised by hand. A magnet under the floor lifts it when the signal box sends its word by radio, and
holds it up while the train is made up.

## Counting wagons

A camera beside the track reads the number on each wagon, and a table in the signal box says which ones are missing.
"""


def main() -> None:
    """Take every picture, in light and dark, or those that were named."""
    wanted = sys.argv[1:] or [name for name, _, _ in _pictures()]
    if not (CHROMIUM.exists() and CHROMEDRIVER.exists()):
        sys.exit(f"Expected Chromium at {CHROMIUM} and {CHROMEDRIVER}; install Debian's chromium-driver.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        library = _library(Path(temporary))
        with (
            serving(library, Path(temporary) / "app.log") as address,
            chromium(Path(temporary) / "profile", size=SIZE) as driver,
        ):
            visitor = Visitor(driver, address)
            _draw_the_map(visitor)
            _search(visitor, "light")  # a first search also loads the encoder, and its time would stand in the picture
            for name, theme, show in _pictures():
                if name not in wanted:
                    continue
                show(visitor, theme)
                visitor.rests()
                _save(visitor, FOLDER / f"{name}.png")


def _library(temporary: Path) -> Path:
    folder = default_library()
    if (folder / "library.sqlite3").exists():
        with Library.open(folder) as library:
            if len(library) >= 1_000:
                return folder
    said_again = PROJECT / "assets" / "examples" / f"{_PATENT}.md"  # by the draft
    small_library(temporary / "library", topics.write(temporary), said_again)
    with Library.open(temporary / "library") as library:
        index_passages(library, PassageEncoder())
    return temporary / "library"


def _draw_the_map(visitor: Visitor) -> None:
    visitor.open("map")
    visitor.rests()
    if "No map drawn yet" in visitor.text():
        visitor.press("draw-map")
    visitor.map(seconds=DRAWING_SECONDS)


def _pictures() -> list[tuple[str, str, Callable[[Visitor, str], None]]]:
    return [
        ("search", "light", _search),
        ("search-dark", "dark", _search),
        ("map", "light", _map),
        ("map-dark", "dark", _map),
        ("map-query", "light", _query_on_map),
        ("library", "light", _library_page),
        ("compare", "light", _compare),
        ("compare-dark", "dark", _compare),
        ("differences", "light", _differences),
        ("within", "light", _within),
        ("coverage", "light", _coverage),
        ("evaluate", "light", _evaluate),
    ]


def _search(visitor: Visitor, theme: str) -> None:
    visitor.open(f"?example={_example()}", theme=theme)
    visitor.sees("Closest passages")


def _map(visitor: Visitor, theme: str) -> None:
    visitor.open(f"map?example={_example()}&colour=category", theme=theme)
    visitor.map()
    visitor.sees("Its true neighbours")


def _query_on_map(visitor: Visitor, theme: str) -> None:
    _map(visitor, theme)
    press = "arguments[0].querySelector('[aria-label^=\"Go to the query\"]').click()"
    visitor.driver.execute_script(press, visitor.map())


def _library_page(visitor: Visitor, theme: str) -> None:
    visitor.open("library", theme=theme)
    visitor.sees("Folder:")
    visitor.driver.execute_script(_USUAL_FOLDER)


def _compare(visitor: Visitor, theme: str) -> None:
    pair = EXAMPLE_PAIRS[0]
    visitor.open(f"compare?a=example:{pair.first}&b=example:{pair.second}&cell=s-6-6", theme=theme)
    compare_hand.compared(visitor)
    _framed(visitor, "section")


def _differences(visitor: Visitor, theme: str) -> None:
    """What each of two documents says alone, with the texts above it."""
    pair = EXAMPLE_PAIRS[0]
    visitor.open(f"compare?a=example:{pair.first}&b=example:{pair.second}", theme=theme)
    compare_hand.compared(visitor)
    visitor.until(lambda _: compare_hand.numbers(visitor), "expected the lists of differences")
    _to_the_top(visitor, ".st-key-lacking")


def _within(visitor: Visitor, theme: str) -> None:
    visitor.open(f"compare?a=example:{_PATENT}", theme=theme)
    compare_hand.compared(visitor, "Within this document")
    _to_the_top(visitor, ".st-key-compare-head")
    compare_hand.press_in_texts(visitor, "[aria-label^='Next match']")


def _coverage(visitor: Visitor, theme: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder) / "wagons.md"
        draft.write_text(_DRAFT, "utf-8")
        visitor.open("compare", theme=theme)
        visitor.rests()
        visitor.upload(draft)
        visitor.sees("Coupling of itself")
    visitor.press("against-library")
    compare_hand.shape(visitor, "coverage", seconds=150)
    _to_the_top(visitor, ".st-key-compare-head")
    _framed(visitor, "coverage")


def _framed(visitor: Visitor, heatmap: str) -> None:
    visitor.until(lambda _: compare_hand.framed(visitor, heatmap), "expected the frame of the chosen cell")


def _to_the_top(visitor: Visitor, selector: str) -> None:
    """Scroll to a part of the page, below the bar that stays at the top."""
    visitor.rests()
    script = """
    const top = document.querySelector(arguments[0]).getBoundingClientRect().top;
    document.querySelector('[data-testid=stMain]').scrollBy(0, top - 130);
    """
    visitor.driver.execute_script(script, selector)


def _evaluate(visitor: Visitor, theme: str) -> None:
    visitor.open("evaluate?on=subjects&row=bm25&row=default", theme=theme)
    visitor.sees("Your library’s subjects")
    visitor.rests()
    measured = "Query by query"
    if measured not in visitor.text():  # else the library keeps it
        visitor.press("measure")
        visitor.until(lambda _: measured in visitor.text(), f"expected {measured!r}", seconds=DRAWING_SECONDS)
        visitor.rests()
    visitor.driver.execute_script("document.querySelector('.st-key-evaluate-bars').scrollIntoView({block: 'end'})")


def _example() -> str:
    return EXAMPLE if EXAMPLE in examples() else next(iter(examples()))


def _save(visitor: Visitor, path: Path) -> None:
    """Save what is seen in the 256 colours that fit it best; a picture that is still too large is an error."""
    from PIL import Image  # comes with streamlit

    visitor.driver.execute_script("document.activeElement && document.activeElement.blur()")
    with Image.open(io.BytesIO(visitor.driver.get_screenshot_as_png())) as picture:
        # median cut would give up the rare colours of a legend, coverage alone the pale ones of the page
        few = picture.convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=8, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
    if path.stat().st_size > MOST_BYTES:
        sys.exit(f"Expected a picture of at most {MOST_BYTES:,} bytes; {path.name} has {path.stat().st_size:,}.")


if __name__ == "__main__":
    main()

"""A tiny library, the app over it, and a browser: made once for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from tests import topics
from tests.browser.app import CHROMEDRIVER, CHROMIUM, Visitor, chromium, serving
from tests.explorer.maps import first_map, second_map

DRAWING_SECONDS = 150
"""The first map of a process compiles the layout; on a busy machine that takes its time."""
SPARING = (
    "--disable-features=BackForwardCache,SpareRendererForSitePerProcess",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-gpu-rasterization",
)
"""Chromium keeps each page that is left and opens the next in a process of its own. No test comes back to such a page,
and a process that has compiled the app's scripts loads the next page in half the processor's time.
"""


@pytest.fixture(autouse=True)
def nobodys_library(nobody: Path) -> Path:
    """A model that a test keeps at home is one that the running app finds: both are at the process's home."""
    return nobody


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of our own texts under the default encoder."""
    folder = tmp_path_factory.mktemp("browser")
    small_library(folder / "library", topics.write(folder))
    return folder / "library"


@pytest.fixture(scope="session")
def chromium_is_there() -> None:
    """Skip what needs a browser where there is none."""
    if not (CHROMIUM.exists() and CHROMEDRIVER.exists()):
        pytest.skip(f"Chromium is not installed: expected {CHROMIUM} and {CHROMEDRIVER} (Debian's chromium-driver)")


@pytest.fixture(scope="session")
def app(chromium_is_there: None, library: Path) -> Iterator[str]:
    """The address of the running app."""
    with serving(library, library.parent / "app.log") as address:
        yield address


@pytest.fixture(scope="session")
def driver(chromium_is_there: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """One Chromium for all tests of a process: what it has compiled of the app's scripts it keeps."""
    with chromium(tmp_path_factory.mktemp("profile"), flags=SPARING) as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(app: str, driver: Chrome) -> Visitor:
    return Visitor(driver, app)


@pytest.fixture
def visitor(browser: Visitor) -> Iterator[Visitor]:
    """A visitor who has not chosen anything yet; an empty page at the end takes no more of the machine's time."""
    browser.driver.get("about:blank")
    browser.driver.delete_all_cookies()
    yield browser
    browser.driver.get("about:blank")


@pytest.fixture
def newcomer(visitor: Visitor) -> Iterator[Visitor]:
    """A visitor in a tab of their own, for Back and Forward.

    A tab keeps 50 entries of history, and drops first those that a script made without a hand on the page.
    """
    others = visitor.driver.current_window_handle
    visitor.driver.switch_to.new_window("tab")
    yield visitor
    visitor.driver.close()
    visitor.driver.switch_to.window(others)


@pytest.fixture(scope="session")
def mapped(library: Path) -> None:
    """A map of the library; the one of hostile texts is drawn by pressing the page's own button."""
    first_map(library)


@pytest.fixture(scope="session")
def paired(library: Path, mapped: None) -> None:
    """A second map under another encoder, which holds the documents in another order."""
    second_map(library)


def small_library(folder: Path, *sources: Path) -> None:
    """Import files into a new library and encode them with the default encoder."""
    from engine.encoders import registry
    from engine.library import Library
    from engine.workspace.importing import import_paths
    from engine.workspace.indexing import encoder_for, index_library

    with Library.open(folder, create=True) as library:
        summary = import_paths(library, sources)
        assert not summary.failures
        index_library(library, encoder_for(library, registry.DEFAULT))

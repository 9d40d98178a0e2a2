"""The app as a process of its own, and Chromium as a visitor."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from engine.core.processes import ONE_HEAP
from tests.answering import answer

PROJECT = Path(__file__).resolve().parents[2]
CHROMIUM, CHROMEDRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--no-first-run",
    "--disable-gpu-compositing",  # only WebGL is drawn by the software in place of a graphics card
    "--disable-background-networking",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
)
START_SECONDS, WAIT_SECONDS = 60, 40
GROUNDS = {"light": "rgb(253, 253, 252)", "dark": "rgb(18, 24, 26)"}
_MAP = """
const hosts = [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')];
return hosts.map((host) => host.shadowRoot && host.shadowRoot.querySelector('.map')).filter(Boolean)[arguments[0]];
"""


@contextmanager
def serving(library: Path, log: Path) -> Iterator[str]:
    """The app over a library, on a free port of the loopback; yields its address."""
    settings = ("--server.headless=true", "--server.address=127.0.0.1", "--browser.gatherUsageStats=false")
    command = ["streamlit", "run", "streamlit_app.py", *settings, "--server.port"]
    with _running(command, {"PRIORSCOPE_LIBRARY": str(library)}, log, "_stcore/health") as address:
        yield address


@contextmanager
def serving_both(library: Path | str, log: Path) -> Iterator[str]:
    """The server with the app beside it over a library, a folder or an address; yields its own address."""
    command = ["engine.cli.main", "serve", "--app", "--library", str(library), "--port"]
    with _running(command, {}, log, "v1/health") as address:
        yield address


@contextmanager
def _running(command: Sequence[str], named: Mapping[str, str], log: Path, health: str) -> Iterator[str]:
    """A module's command with a free port behind it, until the end of the block."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    environment = {"OMP_NUM_THREADS": "2"} | ONE_HEAP | os.environ | named
    with (
        log.open("wb") as output,
        subprocess.Popen(
            [sys.executable, "-m", *command, str(port)], cwd=PROJECT, env=environment, stdout=output, stderr=output
        ) as process,
    ):
        try:
            answer(f"http://127.0.0.1:{port}/{health}", process, seconds=START_SECONDS)
            yield f"http://127.0.0.1:{port}"
        except RuntimeError as error:
            error.add_note(f"Its log says:\n{log.read_text('utf-8')[-2000:]}")
            raise
        finally:
            process.terminate()
            ended = process.wait(60)
    assert ended in (0, 130, -signal.SIGTERM), log.read_text("utf-8")


@contextmanager
def chromium(profile: Path, *, size: tuple[int, int] = (1400, 1000), flags: tuple[str, ...] = ()) -> Iterator[Chrome]:
    """A headless Chromium without a graphics card, with more flags if any."""
    options = ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (*FLAGS, *flags, f"--window-size={size[0]},{size[1]}", f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options=options, service=Service(str(CHROMEDRIVER)))
    try:
        yield driver
    finally:
        driver.quit()


@dataclass(frozen=True)
class Visitor:
    """One person in front of the app: opens pages, waits for what should appear, presses and types."""

    driver: Chrome
    address: str

    def open(self, path: str = "", *, theme: str = "light") -> None:
        self.prefer(theme)
        self.driver.get(f"{self.address}/{path}")

    def prefer(self, theme: str) -> None:
        """Set the machine's own choice of light or dark."""
        feature = {"name": "prefers-color-scheme", "value": theme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def ground(self, selector: str = ".stApp") -> str:
        """The colour behind everything on the page."""
        script = "return getComputedStyle(document.querySelector(arguments[0])).backgroundColor"
        return str(self.driver.execute_script(script, selector))

    def turn(self, theme: str) -> None:
        """Change the machine's choice while a page is open, and wait until the page has followed."""
        self.prefer(theme)
        self.until(lambda _: self.ground() == GROUNDS[theme], f"expected the {theme} theme")

    def until(self, condition: Callable[[Chrome], object], message: str, *, seconds: float = WAIT_SECONDS) -> object:
        """Wait until the condition holds; what the app redraws while it is looked at is looked at again."""
        redrawn = [StaleElementReferenceException]
        waiting = WebDriverWait(self.driver, seconds, poll_frequency=0.1, ignored_exceptions=redrawn)
        try:
            return waiting.until(condition)
        except TimeoutException:
            raise AssertionError(f"{message}; the page says: {self.text()[-1500:]!r}") from None

    def text(self) -> str:
        """All text that the page shows now."""
        found = self.driver.execute_script("return document.body ? document.body.innerText : ''")
        return str(found)

    def sees(self, text: str) -> None:
        self.until(lambda _: text in self.text(), f"expected to see {text!r}")

    def find(self, selector: str) -> WebElement:
        found = self.until(
            lambda driver: next((e for e in driver.find_elements(By.CSS_SELECTOR, selector) if e.is_displayed()), None),
            f"expected {selector}",
        )
        assert isinstance(found, WebElement)
        return found

    def texts(self, selector: str) -> list[str]:
        """What every element that fits shows now, read in one step, so that nothing is redrawn between two of them."""
        script = "return [...document.querySelectorAll(arguments[0])].map((found) => found.innerText.trim())"
        return cast(list[str], self.driver.execute_script(script, selector))

    def shows(self, selector: str, text: str) -> None:
        """Wait until one element that fits holds the text."""
        self.until(
            lambda _: any(text in shown for shown in self.texts(selector)), f"expected {text!r} within {selector}"
        )

    def click(self, selector: str) -> None:
        """Click on the first element that fits and is seen, as a hand does."""

        def clicked(_: Chrome) -> bool:
            self.find(selector).click()
            return True

        self.until(clicked, f"expected to click on {selector}")

    def press(self, key: str) -> None:
        """Press the button with this key; scripted, so that nothing that floats above it gets the click."""

        def pressed(driver: Chrome) -> bool:
            driver.execute_script("arguments[0].click()", self.find(f".st-key-{key} button"))
            return True

        self.until(pressed, f"expected the button {key}")

    def click_on(self, selector: str, text: str) -> None:
        """Click on the first element that fits the selector and holds the text."""

        script = """
        const wanted = [...document.querySelectorAll(arguments[0])].find((one) => one.innerText.includes(arguments[1]));
        wanted?.click();
        return Boolean(wanted);
        """
        self.until(lambda driver: driver.execute_script(script, selector, text), f"expected {selector} with {text!r}")

    def paste(self, text: str) -> float:
        """Type into the box of the first page and have it read; says when that began, by `time.monotonic`."""
        area = self.find(".st-key-paste-text textarea")
        self.driver.execute_script("arguments[0].focus()", area)
        area.send_keys(text)
        read, began = self.find("[data-testid='stFormSubmitButton'] button"), time.monotonic()
        self.driver.execute_script("arguments[0].click()", read)
        return began

    def upload(self, path: Path) -> None:
        self.until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "input[type=file]"), "expected an uploader")
        self.driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(path))

    def rests(self) -> None:
        """Wait until the app has nothing left to do for this page."""
        idle = "[data-testid='stApp'][data-test-script-state='notRunning'], .stApp[data-test-script-state='notRunning']"
        self.until(lambda driver: driver.find_elements(By.CSS_SELECTOR, idle), "expected the app to come to rest")
        grey = "[data-testid='stSkeleton'], [data-testid='stAppSkeleton']"
        self.until(lambda driver: not driver.find_elements(By.CSS_SELECTOR, grey), "expected every widget to be drawn")

    def map(self, number: int = 0, *, seconds: float = WAIT_SECONDS) -> WebElement:
        """The element of the page's first or second map, once its points are drawn."""

        def drawn(driver: Chrome) -> WebElement | None:
            found = driver.execute_script(_MAP, number)
            ready = found and driver.execute_script("return arguments[0].querySelector('.frame').dataset.drawn", found)
            return found if ready else None

        found = self.until(drawn, "expected the map to be drawn", seconds=seconds)
        assert isinstance(found, WebElement)
        return found


@contextmanager
def screen(visitor: Visitor, width: int, height: int) -> Iterator[None]:
    """A screen of another size, in CSS pixels, for a while."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    visitor.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        yield
    finally:
        visitor.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

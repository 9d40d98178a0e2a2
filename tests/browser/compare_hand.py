"""A visitor's hand and eye on the Compare page: its heatmaps, and the two texts beside each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from selenium.common.exceptions import ElementNotInteractableException
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.browser.app import WAIT_SECONDS, Visitor

FIRST_SECONDS = 150
"""The first comparison of a process loads the encoder; on a busy machine that takes its time."""

_ROOT = """
const hosts = [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')];
const texts = hosts.map((host) => host.shadowRoot && host.shadowRoot.querySelector('.texts')).filter(Boolean)[0];
"""
_SEEN = f"""{_ROOT}
if (!texts || !texts.dataset.ready) return null;
return [...texts.querySelectorAll('.pane')].map((pane) => {{
  const box = pane.querySelector('.scroller').getBoundingClientRect();
  return [...pane.querySelectorAll('mark.current')].filter((mark) => {{
    const spot = mark.getBoundingClientRect();
    const within = spot.bottom > box.top && spot.top < box.bottom && spot.bottom > 0 && spot.top < innerHeight;
    return within && !mark.closest('.away') && getComputedStyle(mark).backgroundColor !== 'rgba(0, 0, 0, 0)';
  }}).map((mark) => mark.textContent).join(' ');
}});
"""


def upload(visitor: Visitor, place: str, path: Path) -> None:
    """Give one side a file."""
    selector = f".st-key-side-{place} input[type=file]"
    visitor.until(lambda driver: driver.find_elements(By.CSS_SELECTOR, selector), "expected an uploader")
    visitor.driver.find_element(By.CSS_SELECTOR, selector).send_keys(str(path))


def compared(visitor: Visitor, told: str = "Sentence by sentence, ") -> None:
    """Wait until all three levels are on the page, and what stands above them."""
    visitor.until(lambda _: told in visitor.text(), f"expected {told!r}", seconds=FIRST_SECONDS)
    for name in ("section", "chunk"):
        shape(visitor, name)
    visitor.until(lambda _: current(visitor) is not None, "expected the two texts")
    visitor.rests()


def shape(visitor: Visitor, name: str, *, seconds: float = WAIT_SECONDS) -> list[int]:
    """How many rows and columns a heatmap shows, once its cells can be chosen."""
    script = """
    const host = document.querySelector(`.st-key-${arguments[0]}-heatmap [data-testid="stBidiComponentIsolated"]`);
    const cells = host?.shadowRoot?.querySelector('.cells')?.dataset.shape;
    return document.querySelector(`.st-key-${arguments[0]}-heatmap .heatmaplayer image`) && cells;
    """
    message = f"expected the heatmap of {name}s"
    told = visitor.until(lambda driver: driver.execute_script(script, name), message, seconds=seconds)
    return [int(number) for number in str(told).split(",")]


_NAMES = """
const chart = document.querySelector(`.st-key-${arguments[0]}-heatmap .js-plotly-plot`);
const edge = chart.getBoundingClientRect();
const cross = (a, b, c) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
const found = { shown: 0, over: [], out: [] };
const numbers = [...chart.querySelectorAll(".heatmap-label text")].map((one) => [one, one.getBoundingClientRect()]);
const seen = numbers.filter(([one]) => one.checkVisibility({ visibilityProperty: true })).map(([, box]) => box);
found.numbers = seen.length;
if (seen.some((box, n) => n && box.top === seen[n - 1].top && box.left < seen[n - 1].right)) found.over.push("numbers");
for (const axis of ["xtick", "ytick"]) {
  const all = [...chart.querySelectorAll(`.${axis} text`)];
  const names = all.filter((one) => one.checkVisibility({ visibilityProperty: true }));
  const lines = names.map((name) => {  // the line through the middle of a name, and half its height
    const { x, y, width, height } = name.getBBox(), matrix = name.getScreenCTM();
    const at = (left, top) => new DOMPoint(left, top).matrixTransform(matrix);
    const corners = [at(x, y), at(x + width, y), at(x, y + height), at(x + width, y + height)];
    const isOut = ({ x, y }) => x < edge.left - 2 || x > edge.right + 2 || y < edge.top - 2 || y > edge.bottom + 2;
    if (corners.some(isOut)) found.out.push(name.textContent);
    return { name: name.textContent, from: at(x, y + height / 2), to: at(x + width, y + height / 2), height };
  });
  found.shown += lines.length;
  for (const [n, one] of lines.entries()) for (const other of lines.slice(n + 1)) {
    const length = Math.hypot(one.to.x - one.from.x, one.to.y - one.from.y);
    const apart = Math.abs(cross(one.from, one.to, other.from)) / length;  // names of one axis are parallel
    if (apart < 0.8 * one.height) found.over.push(`${one.name} / ${other.name}`);
  }
}
return found;
"""


def badly_named(visitor: Visitor, name: str) -> tuple[int, list[str]]:
    """How many rows and columns of a heatmap are named, and which names lie over others or leave the chart."""
    found = visitor.driver.execute_script(_NAMES, name)
    return int(found["shown"]), [*found["over"], *found["out"]]


_SHARES = """
const chart = document.querySelector(`.st-key-${arguments[0]}-heatmap .js-plotly-plot`), wide = chart.clientWidth;
const names = [...chart.querySelectorAll(".ytick text")];
return {
  widest: Math.max(...names.map((name) => name.getBBox().width)) / wide,
  cells: chart.querySelector(".nsewdrag").getBoundingClientRect().width / wide,
  drawn: names.map((name) => name.dataset.unformatted),
  whole: names.map((name) => name.querySelector("title")?.textContent ?? name.dataset.unformatted),
};
"""


@dataclass(frozen=True)
class Shares:
    """Shares of a heatmap's width: of its widest name of a row, and of its cells; the names, as `drawn` and `whole`."""

    widest: float
    cells: float
    drawn: list[str]
    whole: list[str]


def shares(visitor: Visitor, name: str) -> Shares:
    """How a heatmap shares its width out."""
    return Shares(**visitor.driver.execute_script(_SHARES, name))


def counted(visitor: Visitor, name: str) -> int:
    """How many cells of a heatmap show their numbers."""
    return int(visitor.driver.execute_script(_NAMES, name)["numbers"])


def framed(visitor: Visitor, name: str, which: str = "chosen") -> list[int] | None:
    """The row and column of the cell of a heatmap that is framed as the chosen one, or as the one "pointed" at."""
    script = """
    const host = document.querySelector(`.st-key-${arguments[0]}-heatmap [data-testid="stBidiComponentIsolated"]`);
    const frame = host.shadowRoot.querySelector(arguments[1] === "chosen" ? ".frame:not(.pointed)" : ".frame.pointed");
    return frame.hidden ? null : frame.dataset.cell.split(",").map(Number);
    """
    return cast(list[int] | None, visitor.driver.execute_script(script, name, which))


def tip(visitor: Visitor, name: str) -> str:
    """What is said beside the pointer over a heatmap."""
    script = """
    const host = document.querySelector(`.st-key-${arguments[0]}-heatmap [data-testid="stBidiComponentIsolated"]`);
    const tip = host.shadowRoot.querySelector('.tip');
    return tip.hidden ? '' : tip.innerText;
    """
    return str(visitor.driver.execute_script(script, name))


def click_cell(visitor: Visitor, name: str, share: tuple[float, float]) -> None:
    """Click into a heatmap, at a share of its height and its width."""
    _over_cell(visitor, name, share, lambda hand: hand.click())


def point_at_cell(visitor: Visitor, name: str, share: tuple[float, float]) -> None:
    """Rest the pointer within a heatmap, at a share of its height and its width."""
    _over_cell(visitor, name, share, lambda hand: hand)


def _over_cell(
    visitor: Visitor, name: str, share: tuple[float, float], then: Callable[[ActionChains], ActionChains]
) -> None:
    """Move the pointer there and do what comes then; again where the heatmap is just being drawn."""

    def done(driver: Chrome) -> bool:
        area = driver.find_element(By.CSS_SELECTOR, f".st-key-{name}-heatmap .nsewdrag")
        driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", area)
        down, right = (
            round((part - 0.5) * area.size[side]) for part, side in zip(share, ("height", "width"), strict=True)
        )
        hand = ActionChains(driver, duration=20).move_to_element_with_offset(area, right, down)
        with suppress(ElementNotInteractableException):
            then(hand).perform()
            return True
        return False

    visitor.until(done, f"expected the heatmap of {name}s")


@contextmanager
def unheard(visitor: Visitor) -> Iterator[None]:
    """Nothing that the page sends reaches the server meanwhile."""
    visitor.driver.execute_script("window.held = WebSocket.prototype.send; WebSocket.prototype.send = () => {}")
    yield
    visitor.driver.execute_script("WebSocket.prototype.send = window.held")


def current(visitor: Visitor) -> list[str] | None:
    """The text of the current match that is in view and tinted, on either side."""
    return cast(list[str] | None, visitor.driver.execute_script(_SEEN))


def in_view(visitor: Visitor) -> list[str]:
    """Both passages, once both are in view and tinted."""

    def both(_: object) -> list[str] | None:
        found = current(visitor)
        return found if found and all(found) else None

    return cast(list[str], visitor.until(both, "expected both passages in view and tinted"))


def press_in_texts(visitor: Visitor, selector: str) -> None:
    """Press the first element of the texts that fits, once the texts are in view."""
    script = f"{_ROOT} texts.scrollIntoView({{ block: 'end' }}); texts.querySelector(arguments[0]).click()"
    visitor.driver.execute_script(script, selector)


def charts(visitor: Visitor) -> list[str]:
    """What the charts below the texts say, also those that are folded."""
    script = """
    const hosts = [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')];
    const shown = hosts.flatMap((host) => host.shadowRoot ? [...host.shadowRoot.querySelectorAll('.claims')] : []);
    return shown.map((chart) => chart.textContent);
    """
    return cast(list[str], visitor.driver.execute_script(script))


def numbers(visitor: Visitor) -> list[str]:
    """How many words each passage has that the charts below the texts list as not in the other."""
    script = """
    const hosts = [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')];
    const charts = hosts.flatMap((host) => host.shadowRoot ? [...host.shadowRoot.querySelectorAll('.claims')] : []);
    const listed = charts.filter((chart) => chart.textContent.includes('not in the other'));
    return listed.flatMap((chart) => [...chart.querySelectorAll('td.number')].map((cell) => cell.textContent));
    """
    return cast(list[str], visitor.driver.execute_script(script))


_CLAIMS = """
const hosts = [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')];
const [chart] = hosts.flatMap((host) => host.shadowRoot ? [...host.shadowRoot.querySelectorAll('.claims')] : []);
chart.open = true;
"""


def claims_in_view(visitor: Visitor) -> list[str]:
    """The numbers of the claims that the first claim chart shows."""
    script = f"""{_CLAIMS} const named = [...chart.querySelectorAll('tr.first td.number')];
    return named.filter((cell) => cell.offsetParent).map((cell) => cell.textContent);"""
    return cast(list[str], visitor.driver.execute_script(script))


def press_fold(visitor: Visitor) -> None:
    """Open or shut the dependent claims below the first claim of the first claim chart."""
    visitor.driver.execute_script(f"{_CLAIMS} chart.querySelector('.fold button').click()")


def marked(visitor: Visitor, name: str) -> list[str]:
    """The stretches of the texts that a version changes in one way, joined where they touch."""
    script = (
        f"{_ROOT} return [...texts.querySelectorAll('.scroller .alone.' + arguments[0])].map((one) => one.textContent)"
    )
    found = cast(list[str], visitor.driver.execute_script(script, name))
    return [" ".join("".join(found).split())] if found else []


def labels(visitor: Visitor) -> list[str]:
    """What the two texts are called."""
    script = f"{_ROOT} return texts ? [...texts.querySelectorAll('.pane-label')].map((one) => one.textContent) : []"
    return cast(list[str], visitor.driver.execute_script(script))


def names(visitor: Visitor) -> list[str]:
    """The titles of the two texts."""
    script = f"{_ROOT} return texts ? [...texts.querySelectorAll('.pane-name')].map((one) => one.textContent) : []"
    return cast(list[str], visitor.driver.execute_script(script))


def status(visitor: Visitor) -> str:
    """What the texts say of the current match."""
    return str(visitor.driver.execute_script(f"{_ROOT} return texts.querySelector('.status').textContent"))


def page_turns(visitor: Visitor) -> list[int]:
    """The pages that are named within the texts, the first text's before the second's."""
    script = f"{_ROOT} return [...texts.querySelectorAll('.page')].map((turn) => Number(turn.dataset.page))"
    return cast(list[int], visitor.driver.execute_script(script))


def tab_into(visitor: Visitor, side: int) -> WebElement:
    """Go on with the Tab key from a text, the first (0) or the second (1), to what it stops at within."""
    script = f"{_ROOT} texts.querySelectorAll('.scroller')[arguments[0]].focus()"
    visitor.driver.execute_script(script, side)
    ActionChains(visitor.driver).send_keys(Keys.TAB).perform()
    return cast(WebElement, visitor.driver.execute_script(f"{_ROOT} return texts.getRootNode().activeElement"))


def underlined(visitor: Visitor) -> list[list[str]]:
    """The salient sentences that are underlined on either side."""
    script = """
    const pieces = (pane) => [...pane.querySelectorAll('.salient')];
    const isDrawn = (piece) => getComputedStyle(piece).textDecorationLine === 'underline';
    const drawn = (pane) => pieces(pane).filter((piece) => isDrawn(piece) && piece.title.includes('how likely'));
    return [...texts.querySelectorAll('.pane')].map((pane) => drawn(pane).map((piece) => piece.textContent));
    """
    return cast(list[list[str]], visitor.driver.execute_script(f"{_ROOT}{script}"))


def legend(visitor: Visitor) -> str:
    """What the texts' marks are said to mean; empty where that is not shown."""
    script = """
    const legend = texts.querySelector('.legend'), said = [...legend.children].filter((one) => !one.hidden);
    return legend.hidden ? '' : said.map((one) => one.textContent).join(', ');
    """
    return str(visitor.driver.execute_script(f"{_ROOT}{script}"))


def focused(visitor: Visitor) -> WebElement:
    """What the keys go to."""
    return cast(WebElement, visitor.driver.execute_script("return document.activeElement"))

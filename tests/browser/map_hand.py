"""A visitor's hand and eye on a map: its tools, its legend, its points."""

from __future__ import annotations

from typing import cast

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.remote.webelement import WebElement

from tests.browser.app import Visitor

_SOME_POINT = """
const frame = arguments[0].querySelector('.frame'), ink = frame.querySelector('.ink');
const box = ink.getBoundingClientRect();
const points = (x, y) => {
  ink.dispatchEvent(new PointerEvent('pointermove', { clientX: box.left + x, clientY: box.top + y }));
  return frame.dataset.hovered;
};
const near = [[0, 0], [-2, 0], [2, 0], [0, -2], [0, 2]];  // a real pointer stands on whole pixels
for (let y = 64; y < box.height - 40; y += 3) {
  for (let x = 40; x < box.width - 80; x += 3) {
    const title = points(x, y);
    if (title && near.every(([right, down]) => points(x + right, y + down) === title)) {
      ink.dispatchEvent(new PointerEvent('pointerleave'));
      return [Math.round(x - box.width / 2), Math.round(y - box.height / 2)];
    }
  }
}
"""


def data(visitor: Visitor, map_: WebElement) -> dict[str, str]:
    script = "return Object.assign({}, arguments[0].querySelector('.frame').dataset)"
    return cast(dict[str, str], visitor.driver.execute_script(script, map_))


def tool(visitor: Visitor, map_: WebElement, name: str) -> None:
    script = 'arguments[0].querySelector(`[aria-label^="${arguments[1]}"]`).click()'
    visitor.driver.execute_script(script, map_, name)


def legend(visitor: Visitor, map_: WebElement) -> list[str]:
    script = "return [...arguments[0].querySelectorAll('.entry')].map((entry) => entry.innerText.replace(/\\s+/g, ' '))"
    return cast(list[str], visitor.driver.execute_script(script, map_))


def status(visitor: Visitor, map_: WebElement) -> str:
    return str(visitor.driver.execute_script("return arguments[0].querySelector('.status').textContent", map_))


def frame_of(visitor: Visitor, map_: WebElement) -> WebElement:
    return cast(WebElement, visitor.driver.execute_script("return arguments[0].querySelector('.frame')", map_))


def point_at_some(visitor: Visitor, map_: WebElement) -> str:
    """Move the pointer to some document's point; returns its title."""
    frame = frame_of(visitor, map_)
    visitor.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", frame)
    spot = cast(list[int], visitor.driver.execute_script(_SOME_POINT, map_))
    ActionChains(visitor.driver, duration=20).move_to_element_with_offset(frame, *spot).perform()
    return data(visitor, map_)["hovered"]


def drag_around(visitor: Visitor, map_: WebElement) -> None:
    """Drag from one corner of the map to the other."""
    frame = frame_of(visitor, map_)
    visitor.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", frame)
    wide, tall = frame.size["width"], frame.size["height"]
    start = (-wide // 2 + 8, -tall // 2 + 8)
    chain = ActionChains(visitor.driver, duration=60).move_to_element_with_offset(frame, *start).click_and_hold()
    chain.move_by_offset(wide - 70, tall - 16).release().perform()

"""The map under a visitor's hand, and its scripts by themselves on a page without a map of its own."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, cast

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.remote.webelement import WebElement

from engine.exports.maps import packing
from explorer.shared.markup import joined_scripts
from tests.browser.app import Visitor

PICKED = ".st-key-map-picked button"
"""The titles of what is selected."""
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
_TIP = """
const frame = arguments[0].querySelector('.frame'), tip = frame.querySelector('.tip'), title = frame.dataset.hovered;
const ink = frame.querySelector('.ink'), box = ink.getBoundingClientRect(), card = tip.getBoundingClientRect();
const found = { title: tip.hidden ? '' : tip.querySelector('.tip-title').textContent, away: Infinity };
for (let y = 0; y < box.height; y += 3) {
  for (let x = 0; x < box.width; x += 3) {
    const [clientX, clientY] = [box.left + x, box.top + y];
    ink.dispatchEvent(new PointerEvent('pointermove', { clientX, clientY }));
    if (frame.dataset.hovered !== title) continue;
    const [right, down] = [[card.left, clientX, card.right], [card.top, clientY, card.bottom]].map(
      ([from, at, to]) => Math.max(from - at, 0, at - to));
    found.away = Math.min(found.away, Math.hypot(right, down));
  }
}
return found;
"""

_SCENE = """
const [script, style, settings, bytes, answer] = arguments;
const host = document.createElement("div"), parent = host.attachShadow({ mode: "open" });
host.style.cssText = "width: 800px; height: 600px; display: block";
document.body.append(host);
parent.append(Object.assign(document.createElement("style"), { textContent: style }));
const told = [];
const frames = async (count) => { for (let i = 0; i < count; i += 1) await new Promise(requestAnimationFrame); };
const show = (map, data) => map.default({ data, parentElement: parent, setTriggerValue: (...said) => told.push(said) });
const data = () => ({ ...parent.querySelector(".frame").dataset });
(async () => {
  const map = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  const sendSettings = () => show(map, settings), sendPoints = () => show(map, Uint8Array.from(bytes));
  %s
  host.remove();
  return found;
})().then(answer, (error) => answer(String(error.stack || error)));
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


def tip(visitor: Visitor, map_: WebElement) -> tuple[str, float]:
    """The title on the card of the document that is pointed at, and how many pixels away its point lies."""
    found = visitor.driver.execute_script(_TIP, map_)
    return found["title"], found["away"]


def drag_around(visitor: Visitor, map_: WebElement) -> None:
    """Drag from one corner of the map to the other."""
    frame = frame_of(visitor, map_)
    visitor.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", frame)
    wide, tall = frame.size["width"], frame.size["height"]
    start = (-wide // 2 + 8, -tall // 2 + 8)
    chain = ActionChains(visitor.driver, duration=60).move_to_element_with_offset(frame, *start).click_and_hold()
    chain.move_by_offset(wide - 70, tall - 16).release().perform()


def scene(visitor: Visitor, packed: packing.Packed, steps: str, settings: packing.Settings | None = None) -> Any:  # noqa: ANN401
    """What `steps`, which make the constant `found`, find on a map of these points."""
    visitor.driver.get(f"{visitor.address}/_stcore/health")
    sent = asdict(settings or packing.Settings()) | {"points": packed.key}
    style = (packing.CANVAS / "map.css").read_text("utf-8")
    script = joined_scripts(packing.CANVAS, (*packing.SCRIPTS, "mount.js"))
    return visitor.driver.execute_async_script(_SCENE % steps, script, style, sent, list(packed.data))

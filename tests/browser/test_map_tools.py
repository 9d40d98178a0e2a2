"""What the map's own script offers: words to find, years to limit, pictures to save."""

from __future__ import annotations

import base64
import io

import defusedxml.ElementTree
import numpy as np
import pytest
from PIL import Image

from engine.exports.maps import packing, palette
from tests.browser.app import Visitor
from tests.browser.map_scene import scene
from tests.exports.test_maps import made_points

pytestmark = pytest.mark.browser

TITLES = ["Random graphs", "A relay for telegraphs", "GRAPHS of <b>relays</b> & more", "Neutrinos", "Neutrino mass"]
YEARS = [1880, 1881, 1890, 2020, 0]
_START = """
sendSettings(); sendPoints(); await frames(4);
const rest = () => new Promise((resolve) => setTimeout(resolve, 300)), found = [];
const at = (selector) => parent.querySelector(selector);
const type = async (words) => {
  at(".find input").value = words;
  at(".find input").dispatchEvent(new Event("input"));
  await rest();
};
"""


def packed() -> packing.Packed:
    colourings = {"kind": palette.by_kind(["paper"] * 5), "year": palette.by_year(YEARS)}
    labels = [packing.Label(0, "graphs, <i>trees</i>", 2.0, 3.0, 5)]
    return packing.pack(made_points(TITLES, years=YEARS, colourings=colourings, labels=labels))


def test_words_light_up_the_titles_that_hold_them_all(visitor: Visitor) -> None:
    steps = f"""{_START}
    for (const words of ["graphs", "graphs RELAY", "nothing at all", "neutrino", ""]) {{
      await type(words);
      found.push(at(".found").textContent);
    }}"""
    assert scene(visitor, packed(), steps) == ["3 titles", "2 titles", "0 titles", "2 titles", ""]


def test_enter_asks_the_library_and_its_answer_is_counted_for_these_words_alone(visitor: Visitor) -> None:
    rows = packing.row_bits([False, True, False, True, False])
    asked = packing.Settings(found=packing.Found("Random", rows, 2))
    steps = f"""{_START}
    await type("random");
    found.push(at(".found").textContent);
    at(".find").requestSubmit();
    found.push(told);
    await type("random g");
    found.push(at(".found").textContent);"""
    assert scene(visitor, packed(), steps, asked) == ["1 title, 2 by keywords", [["searched", "random"]], "1 title"]


def test_lit_points_are_drawn_larger_and_the_others_pale(visitor: Visitor) -> None:
    steps = f"""{_START}
    const inks = () => {{
      const canvas = at(".frame canvas"), pen = canvas.getContext("2d");
      const {{ data }} = pen.getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) count += data[i + 2] - data[i] > 60;
      return count;
    }};
    for (const words of ["", "neutrino", "zzz"]) {{
      await type(words);
      await frames(2);
      found.push(inks());
    }}"""
    plain, lit, none = scene(visitor, packed(), steps)
    assert 0 < lit < plain
    assert lit > plain * 2 / 5
    assert none == 0


def test_years_are_counted_in_view_and_a_drag_over_them_limits_them(visitor: Visitor) -> None:
    steps = f"""{_START}
    await rest();
    const canvas = at(".years canvas"), box = canvas.getBoundingClientRect(), slots = 11 + 3 + 1;
    const send = (kind, slot) => canvas.dispatchEvent(new PointerEvent(kind, {{
      clientX: box.left + (box.width * (slot + 0.5)) / slots, clientY: box.top + 5, button: 0, pointerId: 1,
    }}));
    canvas.setPointerCapture = () => {{}};
    found.push(at(".years").dataset.total);
    send("pointermove", 1); found.push(at(".year-text").textContent);
    send("pointerdown", 0); send("pointermove", 6); send("pointerup", 12);
    send("pointerdown", 14); send("pointerup", 14);
    found.push(told);"""
    assert scene(visitor, packed(), steps) == ["4", "1881: 1", [["years", [1880, 1890]], ["years", [2020, 2020]]]]


def test_all_years_are_let_through_again_by_a_button(visitor: Visitor) -> None:
    steps = f"""{_START}
    await rest();
    found.push(at(".status").textContent, at(".years").dataset.total, at(".all-years").hidden);
    at(".all-years").click();
    found.push(told);"""
    said, total, hidden, told = scene(visitor, packed(), steps, packing.Settings(years=(1880, 1890)))
    assert said.startswith("3 of 5 documents")
    assert (total, hidden) == ("4", False)  # the years themselves leave no bar out
    assert told == [["years", []]]


_SAVE = """
const saved = [];
HTMLAnchorElement.prototype.click = function () { saved.push([this.download, this.href]); };
at(`[aria-label="Save the map as seen as ${"%s"}"]`).click();
while (!saved.length) await frames(1);
const [[name, address]] = saved;
const blob = await (await fetch(address)).blob();
const content = new Uint8Array(await blob.arrayBuffer());
found.push(name, btoa(Array.from(content, (byte) => String.fromCharCode(byte)).join("")));
"""


def test_the_map_as_seen_is_saved_as_a_picture_with_its_legend(visitor: Visitor) -> None:
    name, data = scene(visitor, packed(), _START + _SAVE % "PNG")
    assert name == "priorscope-map.png"
    with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
        wide, tall = picture.size
        blue = np.asarray(picture.convert("RGB")).astype(int)
    assert wide == 800
    below = blue[tall - 40 :]  # the legend's line
    assert ((below[..., 2] - below[..., 0]) > 60).any()


def test_the_map_as_seen_is_saved_as_svg_with_its_texts_as_texts(visitor: Visitor) -> None:
    name, data = scene(visitor, packed(), _START + _SAVE % "SVG")
    assert name == "priorscope-map.svg"
    root = defusedxml.ElementTree.fromstring(base64.b64decode(data))
    space = "{http://www.w3.org/2000/svg}"
    texts = [text.text or "" for text in root.iter(f"{space}text")]
    assert any("<i>trees</i>" in text for text in texts)
    assert any(text.startswith("Papers") for text in texts)
    dots = [path.get("d") or "" for path in root.iter(f"{space}path") if path.get("stroke-linecap") == "round"]
    assert sum(path.count("h0") for path in dots) == 5
    assert not list(root.iter(f"{space}script"))

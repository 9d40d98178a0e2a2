"""Scripts over the page's markup: formulas are set, nothing else becomes markup, and a view outlives a late end."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.shared import markup
from tests.browser.app import Visitor

pytestmark = pytest.mark.browser
_SET = "return [...document.querySelectorAll('.ps-passage .ps-tex math')].map(one => one.textContent)"

_SCENE = """
const answer = arguments[0], said = [];
const parent = document.createElement("div");
const make = () => ({ show: (data) => said.push(data), remove: () => said.push("removed") });
const call = (data) => keepView(parent, make, (view) => view.show(data));
const later = () => new Promise((resolve) => setTimeout(resolve, 20));
"""

_LATE_END = "const end = call(1); call(2); end(); await later();"
_END_JUST_BEFORE_THE_NEXT = "call(1)(); call(2); await later();"
_LAST_END = "call(1); const end = call(2); end(); await later();"
_ENDED_AND_SHOWN_AGAIN = "call(1)(); await later(); call(2); await later();"


def test_a_formula_of_the_question_is_set(visitor: Visitor) -> None:
    visitor.open()
    visitor.paste(
        r"Steam engines whose boilers lie in $\mathbb{R}^n$ with $\text{<img src=x onerror=alert(1)>}$ valves."
    )
    visitor.until(lambda driver: "\u211dn" in driver.execute_script(_SET), "the formula is not set")
    assert visitor.driver.execute_script("return document.querySelectorAll('.ps-passage img').length") == 0
    assert "$" not in visitor.find(".ps-passage").text


@pytest.mark.parametrize(
    ("calls", "said"),
    [
        (_LATE_END, [1, 2]),
        (_END_JUST_BEFORE_THE_NEXT, [1, 2]),
        (_LAST_END, [1, 2, "removed"]),
        (_ENDED_AND_SHOWN_AGAIN, [1, "removed", 2]),
    ],
)
def test_a_view_is_removed_by_the_last_call_alone(visitor: Visitor, calls: str, said: list[object]) -> None:
    script = f"{markup.joined_scripts(Path(), [])}\n{_SCENE}\n(async () => {{ {calls} answer(said); }})();"
    assert visitor.driver.execute_async_script(script) == said

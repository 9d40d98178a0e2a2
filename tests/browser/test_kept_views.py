"""A widget's view in the browser outlives a call that Streamlit ends only after the next has begun."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.shared import markup
from tests.browser.app import Visitor

pytestmark = pytest.mark.browser

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

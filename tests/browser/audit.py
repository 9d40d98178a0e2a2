"""What axe does not check: controls share no name, no icon is read out, one headline, contrast of pictures, tables."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tests.browser.app import Visitor

CONTROLS = frozenset(
    (
        "button link textbox searchbox combobox checkbox radio slider spinbutton switch tab menuitem listbox "
        "application DisclosureTriangle"
    ).split()
)
"""Roles of what is pressed, chosen or typed into; the last is Chromium's word for a summary."""

GROUPS = frozenset("group region toolbar radiogroup navigation application table form".split())
STREAMLITS_OWN = frozenset({"Open"})
"""The arrow of a selectbox, which its box names; not to be set from our side."""

_LIGATURE = re.compile(r"[a-z]+(_[a-z]+)+")

_SCRIPT = Path(__file__).with_name("audit.js").read_text("utf-8")


@dataclass(frozen=True)
class Control:
    """Something that can be used, as a screen reader calls it: its role, its name, the named groups around it."""

    role: str
    name: str
    within: tuple[str, ...]


def controls(visitor: Visitor) -> list[Control]:
    """Everything on the page that can be focused and used, from Chromium's accessibility tree."""
    nodes = cast(Any, visitor.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {}))["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}
    return [
        Control(_said(node, "role"), _said(node, "name"), _around(node, by_id))
        for node in nodes
        if not node["ignored"] and _said(node, "role") in CONTROLS
    ]


def named_by_icons(visitor: Visitor) -> list[Control]:
    """Controls whose name is that of an icon."""
    return [one for one in controls(visitor) if _LIGATURE.fullmatch(one.name)]


def alike(visitor: Visitor) -> list[Control]:
    """Controls that neither their names nor the groups around them tell apart."""
    counts = Counter(one for one in controls(visitor) if one.name not in STREAMLITS_OWN)
    return [one for one, count in counts.items() if count > 1]


def headlines(visitor: Visitor) -> list[str]:
    """The texts of the headings of the first level that are shown."""
    return list(visitor.driver.execute_script(f"{_SCRIPT} return headlines()"))


def faint(visitor: Visitor, *, every_text: bool = False) -> list[str]:
    """Our texts, or every one, whose contrast is below what WCAG 2.2 asks for (1.4.3, level AA).

    axe does not look at the text of pictures (SVG), and leaves undecided what lies over something else.
    """
    return list(visitor.driver.execute_script(f"{_SCRIPT} return faint(arguments[0])", every_text))


def tables(visitor: Visitor) -> int:
    """How many tables are shown."""
    return int(visitor.driver.execute_script(f"{_SCRIPT} return tables().length"))


def roomy(visitor: Visitor, *, times: float = 1.1) -> list[str]:
    """The tables that are wider than their texts need, by more than this factor."""
    return list(visitor.driver.execute_script(f"{_SCRIPT} return roomy(arguments[0])", times))


def _said(node: dict[str, Any], what: str) -> str:
    return str(node.get(what, {}).get("value", ""))


def _around(node: dict[str, Any], by_id: dict[str, dict[str, Any]]) -> tuple[str, ...]:
    found = []
    while node := by_id.get(node.get("parentId", ""), {}):
        if not node["ignored"] and _said(node, "role") in GROUPS and _said(node, "name"):
            found.append(_said(node, "name"))
    return tuple(found)

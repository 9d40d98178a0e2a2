"""Which part of your document met which part of a hit: a line, a bar and a number for each two that were compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.widgets.markup import Markup, element

if TYPE_CHECKING:
    from engine.encoders.base import Coupling

TITLE = "Which half met which"
MEANING = (
    "This encoder cuts every document in two and compares each half of yours with the other half of theirs: "
    "1 says that one calls for the other, 0 that they have nothing to do with each other; the ranking takes the mean."
)


def coupling_list(couplings: Sequence[Coupling]) -> Markup:
    """One line for each two parts, the nearest first."""
    lines = [element("li", *_line(coupling)) for coupling in couplings]
    return element("ul", *lines, class_="ps-couplings", aria_label=TITLE, title=MEANING)


def sentence(coupling: Coupling) -> str:
    """What met what, in words: "Your abstract met their title"."""
    ours, theirs = _of(coupling.query_part, "your"), _of(coupling.document_part, "their")
    return f"{ours[:1].upper()}{ours[1:]} met {theirs}"


def _line(coupling: Coupling) -> tuple[Markup, ...]:
    width = min(1.0, max(0.0, coupling.similarity))
    fill = element("span", class_="ps-fill", style=f"width:{width:.1%}")
    return (
        element("span", sentence(coupling)),
        element("span", fill, class_="ps-track", aria_hidden="true"),
        element("strong", f"{coupling.similarity:.2f}"),
    )


def _of(part: str, whose: str) -> str:
    """A part with its owner: "your title", "the opening of your description", "the first 30 % of your text"."""
    if " of the " in part:
        return f"the {part.replace(' of the ', f' of {whose} ')}"
    is_share = part == "rest" or part.endswith("%")
    return f"the {part} of {whose} text" if is_share else f"{whose} {part}"

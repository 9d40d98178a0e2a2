"""Which part of your document met which part of a hit: a line, a bar and a number for each pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.documents.markup import Markup, element

if TYPE_CHECKING:
    from engine.encoders import Coupling

TITLE = "Which part met which"
_NUMBERS = "A number says how well their text, or a half of it, goes with a half of yours, 1 at most."
_READERS = dict.fromkeys(("blend", "blend-large"), "CTPE, a part of this encoder,")
_LISTED, _SHORT = 2, 34


def meaning(encoder: str) -> str:
    """What the lines say, in a sentence or two; `encoder` is the name of the encoder behind the hits."""
    return f"{_READERS.get(encoder, 'This encoder')} reads every question as two halves. {_NUMBERS}"


def coupling_list(couplings: Sequence[Coupling]) -> Markup:
    """One line for each pair of parts, nearest first."""
    lines = [element("li", *_line(coupling)) for coupling in couplings]
    is_two_by_two = len(lines) > _LISTED and max(len(sentence(coupling)) for coupling in couplings) <= _SHORT
    class_ = "ps-couplings ps-couplings-many" if is_two_by_two else "ps-couplings"
    return element("ul", *lines, class_=class_, aria_label=TITLE, title=_NUMBERS)


def sentence(coupling: Coupling) -> str:
    """What met what, in words: "Their title met your abstract"."""
    from engine.search import owned

    theirs, ours = owned(coupling.document_part, "their"), owned(coupling.query_part, "your")
    return f"{theirs[:1].upper()}{theirs[1:]} met {ours}".replace(" %", "\N{NO-BREAK SPACE}%")


def _line(coupling: Coupling) -> tuple[Markup, ...]:
    width = min(1.0, max(0.0, coupling.similarity))
    fill = element("span", class_="ps-fill", style=f"width:{width:.1%}")
    return (
        element("span", sentence(coupling)),
        element("span", fill, class_="ps-track", aria_hidden="true"),
        element("strong", f"{coupling.similarity:.2f}"),
    )

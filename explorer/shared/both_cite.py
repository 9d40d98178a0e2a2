"""The works that two documents both cite, folded under a line that counts them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.documents import Reference
from engine.documents.markup import Markup, element
from engine.documents.text import how_many


def both_cite(shared: Sequence[Reference]) -> Markup:
    """The entries of one document's list whose works the other cites, too; empty without any."""
    if not shared:
        return Markup("")
    entries = (element("li", one.text or one.title) for one in shared)
    label = element("summary", f"Both cite {how_many(len(shared), 'work')}")
    return element("details", label, element("ol", *entries), class_="ps-both-cite")

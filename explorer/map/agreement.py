"""How far the two encoders of two maps agree, in words: over the library, and about the query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.documents.markup import Markup, element, joined
from explorer.map.query import PlacedQuery

if TYPE_CHECKING:
    from engine.maps import Agreement

LEAD = "The same documents under two encoders. What you point at or select on one map is marked on the other."


def agreement_sentence(found: Agreement, first: PlacedQuery | None, second: PlacedQuery | None) -> Markup:
    """The share of nearest neighbours that both encoders find, on average and for the query."""
    parts = []
    if found.sampled:
        share = element("strong", f"{found.shared:.0%}")
        parts.append(joined(["The two share ", share, f" of a document’s {found.neighbours} nearest neighbours"]))
    if first is not None and second is not None:
        both = sum(bool(neighbour.shared) for neighbour in first.near)
        number = element("strong", f"{both} of {max(len(first.near), len(second.near))}")
        parts.append(joined([", and of the query’s " if parts else "Of the query’s nearest the two share ", number]))
    return joined([*parts, "."]) if parts else joined([])


def agreement_help(found: Agreement) -> str:
    """What the first figure of `agreement_sentence` means."""
    return (
        f"How far the encoders agree: we took {found.sampled:,} documents of your library by chance, always the same, "
        f"and counted how many of the {found.neighbours} nearest neighbours by one encoder are also among the "
        f"{found.neighbours} nearest by the other. Encoders with nothing in common would share {found.chance:.1%}. "
        "This is measured on the texts, not on the pictures. Solid lines lead from the query to neighbours that both "
        "encoders find, dashed lines to those that only this map’s encoder finds. Both maps wear the cluster colours "
        "of the first, so that you see where its clusters went."
    )

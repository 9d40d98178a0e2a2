"""Documents that are taken out of a library."""

from __future__ import annotations

from engine.documents import Document, Section

KITES = Document(
    "p1",
    "paper",
    "Stable flight of tethered kites in gusts",
    "We fly kites.",
    (Section("Method", "A kite on a line."),),
    year=2015,
    categories=("cs.RO",),
)


REELS = Document("US1", "patent", "Kite reel", "A reel for a line.", claims=("A reel with a drum.",), family="f")


POOLS = Document("p2", "paper", "Tide pools at night", "Pools cool before dawn.", year=2020, venue="Shores")

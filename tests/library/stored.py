"""A library that a test fills, and what it is filled with."""

from __future__ import annotations

from engine.documents import Document, Section

PAPER = Document(
    "doi:10.1/kites",
    "paper",
    "Stable flight of tethered kites in gusty wind",
    "We study kites. They fly.",
    (Section("Method", "A kite is tethered."), Section("References", "[1] Kites.", "references")),
    year=2015,
    categories=("cs.RO", "physics.flu-dyn"),
    keywords=("kite",),
    venue="Journal of Wind",
    authors=("Ada Gale", "Bo Breeze"),
    url="https://example.org/kites",
    family="",
    claims=(),
)


PATENT = Document(
    "US1234567B2",
    "patent",
    "Kite line reel",
    "A reel for the line of a kite.",
    (Section("Background", "Lines tangle."),),
    year=2011,
    categories=("A63H27/08", "B65H75/44"),
    claims=("A reel with a drum.",),
    family="reel-1",
)

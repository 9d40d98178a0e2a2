"""Works of which a library is given several records."""

from __future__ import annotations

from dataclasses import replace

from engine.documents import Document, Section

PAPER = Document(
    "a", title="Stable flight of tethered kites", abstract="We fly kites.", year=2015, authors=("Ada Gale",)
)


REFERENCE = replace(
    PAPER, id="gale2015", abstract="", sections=(), venue="Journal of Wind", url="https://example.org/k"
)


WHOLE = replace(
    PAPER,
    id="file:1",
    title="Stable flight of tethered kites",
    abstract="We fly kites in gusts.",
    sections=(Section("Method", "A kite is tethered to a winch and flown."),),
    year=None,
    venue="",
    url="",
    authors=("A. Gale",),
)

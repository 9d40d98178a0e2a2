"""Documents that the tests of libraries add, and a work in several records."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

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


ARTICLE = Document(
    "a", title="Stable flight of tethered kites", abstract="We fly kites.", year=2015, authors=("Ada Gale",)
)


REFERENCE = replace(
    ARTICLE, id="gale2015", abstract="", sections=(), venue="Journal of Wind", url="https://example.org/k"
)


WHOLE = replace(
    ARTICLE,
    id="file:1",
    title="Stable flight of tethered kites",
    abstract="We fly kites in gusts.",
    sections=(Section("Method", "A kite is tethered to a winch and flown."),),
    year=None,
    venue="",
    url="",
    authors=("A. Gale",),
)


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


BOX, DELTA, SLED = (
    Document(
        f"p{number}",
        "paper",
        f"Stable flight of {shape} kites in gusty coastal wind",
        f"They flew {shape} kites.",
        (Section("Method", " ".join(f"{shape} kites were flown over the beach on day {day}" for day in range(4))),),
        year=2015 + number,
        authors=("Ada Gale",),
    )
    for number, shape in enumerate(("box", "delta", "sled"))
)


TEXTS = {
    "kites": "A kite flies in the wind. The kite has a tail and a line.",
    "reels": "A reel holds the line of a kite; the reel has a drum.",
    "boats": "A boat sails before the wind across the bay.",
    "soups": "Soup of leeks and potatoes, served hot.",
    "breads": "Bread of rye, baked slowly and served cold.",
}


DOCUMENTS = [Document(id_, title=id_.title(), abstract=text) for id_, text in TEXTS.items()]


def left_to_index(folder: Path) -> None:
    """Let all documents of a library wait to be indexed again, as after an earlier version."""
    with sqlite3.connect(folder / "library.sqlite3") as connection:
        connection.execute("UPDATE indexing SET last = (SELECT max(position) FROM documents)")
    connection.close()

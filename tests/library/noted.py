"""Documents on which a person writes notes."""

from __future__ import annotations

from engine.documents import Document, Section

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

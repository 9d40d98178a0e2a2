"""A map as one HTML file that moves: zoomed, pointed at, searched, with nothing else than a browser."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import asdict, dataclass
from datetime import date

from engine.documents.markup import Markup
from engine.documents.text import how_many, in_percent
from engine.exports.maps.packing import CANVAS, SCRIPTS, Settings
from engine.exports.maps.points import MapPoints
from engine.exports.page import day, render

_NOTE = "Points close together have similar texts to the encoder; a flat picture tears some neighbours apart."


@dataclass(frozen=True, slots=True)
class Caption:
    """What the file says of its map: the encoder's name, the trust figures, and the day it was made."""

    encoder: str
    kept: float
    trustworthiness: float
    made_on: date | None = None


def map_page(shown: MapPoints, caption: Caption, *, settings: Settings | None = None) -> str:
    """Return the file's text: points, scripts and style are in it, and its policy lets nothing else in.

    Titles stand in the points, packed, and the script sets them as text: none can become markup. A browser from 2023
    on unpacks them (DecompressionStream). The same points give the same text, and no setting can end its element.
    """
    count = how_many(shown.packed.count, "document")
    settings = settings or Settings(colour="cluster", description=f"Map of {count}")
    sheet = (CANVAS / "map.css").read_text("utf-8") + (CANVAS.parent / "file.css").read_text("utf-8")
    script = "\n".join((CANVAS / name).read_text("utf-8") for name in (*SCRIPTS, "file.js"))
    kept = f"{in_percent(caption.kept)} of each document’s {shown.counted} nearest neighbours are near it on the map"
    return render(
        "maps/file.html",
        title=f"Map of {count}",
        heading=f"Map of {count}",
        making={
            "Encoder": caption.encoder,
            "Kept": f"{kept}; trustworthiness {caption.trustworthiness:.2f}",
            "Made on": day(caption.made_on) if caption.made_on else "",
        },
        note=_NOTE,
        sheet=sheet,
        lead="Each point is a document, and similar texts lie together. Drag and scroll to look around, point at a "
        "document to read its title, drag over the years to limit them.",
        points=Markup(base64.b64encode(gzip.compress(shown.packed.data, compresslevel=6, mtime=0)).decode()),
        settings=Markup(json.dumps(asdict(settings) | {"points": shown.packed.key}).replace("<", "\\u003c")),
        script=Markup(script),
    )

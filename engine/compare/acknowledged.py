"""Whether the words of a match are given as another's: between quotation marks, or with a citation."""

from __future__ import annotations

import re
from typing import Literal

from engine.documents import Chunk, Document
from engine.questions import has_citation

Acknowledged = Literal["", "quoted", "cited"]

_QUOTED = re.compile(
    r"“[^“”]{20,3000}”|«[^«»]{20,3000}»|„[^„“”]{20,3000}[“”]|\"[^\"\n]{20,3000}\"|``(?:(?!``|'').){20,3000}''",
    re.DOTALL,
)
_MOSTLY = 0.5


def acknowledged(document: Document, stretch: Chunk) -> Acknowledged:
    """How a document gives a stretch of its text as another's; quoted where most of it is, else cited.

    A citation is a mark such as [12] or (Smith, 2010) within the stretch. What stands in none of both may still be
    acknowledged elsewhere.
    """
    text = document.parts[stretch.part].text
    inside = sum(
        max(0, min(stretch.stop, span.end()) - max(stretch.start, span.start())) for span in _QUOTED.finditer(text)
    )
    if inside > _MOSTLY * (stretch.stop - stretch.start):
        return "quoted"
    return "cited" if has_citation(stretch.text) else ""

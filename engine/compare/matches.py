"""What is told about matches: which follow one another in both texts, and which are given as another's words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from engine.documents import Chunk, Document
from engine.documents.questions import has_citation

Acknowledged = Literal["", "quoted", "cited"]
"""Between quotation marks, or with a citation."""

_QUOTED = re.compile(
    r"“[^“”]{20,3000}”|«[^«»]{20,3000}»|„[^„“”]{20,3000}[“”]|\"[^\"\n]{20,3000}\"|``(?:(?!``|'').){20,3000}''",
    re.DOTALL,
)
_MOSTLY = 0.5
Span = tuple[int, int]
"""Where a stretch begins and ends in its document, in characters."""

MOST_BETWEEN = 3_000
"""No chain spans a gap of more characters in either document: a page of text."""


def chains(places: Sequence[tuple[Span, Span]], scores: Sequence[float]) -> tuple[tuple[int, ...], ...]:
    """Chains of two matches or more, each in reading order, the heaviest first; a match stands in one at most.

    `places` (n,) are the stretches of each match in the two documents, `scores` (n,) how well each matches. In a chain
    every match begins after the one before it ends, in both documents, at most `MOST_BETWEEN` characters later. The
    heaviest chain by the sum of scores is taken out, then the heaviest of what is left (collinear chaining, without
    costs of gaps: Abouelhoda and Ohlebusch 2005, Chaining algorithms for multiple genome comparison).
    """
    left = sorted(range(len(places)), key=lambda number: (places[number], number))
    found: list[tuple[int, ...]] = []
    while len(chain := _heaviest(left, places, scores)) > 1:
        found.append(chain)
        left = [number for number in left if number not in chain]
    return tuple(found)


def _heaviest(numbers: Sequence[int], places: Sequence[tuple[Span, Span]], scores: Sequence[float]) -> tuple[int, ...]:
    """The chain of the largest sum of scores among some matches, which are in the first document's order.

    A single match is one, too, where no two can be chained.
    """
    best: dict[int, tuple[float, tuple[int, ...]]] = {}
    for number in numbers:
        weight, chain = max(
            ((best[other][0], best[other][1]) for other in best if _follows(places[other], places[number])),
            key=lambda pair: (pair[0], -pair[1][0]),
            default=(0.0, ()),
        )
        best[number] = weight + scores[number], (*chain, number)
    several = [one for one in best.values() if len(one[1]) > 1]
    return max(several, key=lambda pair: (pair[0], -pair[1][0]), default=(0.0, ()))[1]


def _follows(before: tuple[Span, Span], after: tuple[Span, Span]) -> bool:
    """Whether a match begins soon after another ends, in both documents."""
    return all(0 <= later[0] - earlier[1] <= MOST_BETWEEN for earlier, later in zip(before, after, strict=True))


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

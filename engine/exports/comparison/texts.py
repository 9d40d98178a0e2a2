"""The two texts side by side, with matches tinted, and the parts that a chosen pair leaves in view."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.documents import Chunk
from engine.encoders.keyvec import explained
from engine.exports.comparison.outline import Half, Outline

TINTS = 4
_SALIENT, _ALONE = "salient", "alone"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text, with the classes of all that it belongs to; `to` is the pair that it opens."""

    text: str
    classes: str = ""
    title: str = ""
    to: str = ""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Characters [start, stop) of a part: of a match, of what nothing covers, or of a sentence that is shown.

    `p` is a salient sentence's p.
    """

    start: int
    stop: int
    name: str
    passage: int | None = None
    tint: int = 0
    p: float | None = None

    def covers(self, place: int) -> bool:
        """Whether the character at a place belongs to it."""
        return self.start <= place < self.stop


def texts(outline: Outline) -> list[tuple[Half, list[list[Piece]]]]:
    """Everything that was compared, by document: its chunks in pieces."""
    stretches = zip(outline.halves, _stretches(outline), strict=True)
    return [(half, [_pieces(chunk, found[chunk.part]) for chunk in half.chunks]) for half, found in stretches]


def style_rules(outline: Outline) -> str:
    """While a pair is the target of the address, only its two parts are in view, with the sentences that match framed.

    A pair and the parts and sentences that it is about share a class each, so that this needs no script.
    """
    parts: list[str] = []
    for half in outline.halves:
        parts += [f"{half.key}{place}" for place in range(len(half.chunks))]
        parts += [f"{half.key}s{place}" for place in range(len(half.sections))]
    framed = zip(outline.halves, outline.framed, strict=True)
    stretches = [f"{half.key}u{place}" for half, places in framed for place in sorted(places)]
    stretches += [f"p{place}" for place in range(outline.listed)]
    shown = [f".pairs:has(>.{name}:target)~.texts>.text>.{name}" for name in parts]
    framing = [f".pairs:has(>.{name}:target)~.texts .{name}" for name in stretches]
    hidden = [".pairs:has(>:target)~.texts>.text>.chunk", ".pairs:has(>:target)~.texts h4"]
    named = [".pairs:has(>:target)~.texts .label"]
    rules = ((hidden, "display:none"), ([*shown, *named], "display:block"), (framing, "outline:2px solid var(--ochre)"))
    return "@media screen{" + "".join(f"{','.join(names)}{{{what}}}" for names, what in rules if names) + "}\n"


def _stretches(outline: Outline) -> tuple[dict[int, list[_Stretch]], dict[int, list[_Stretch]]]:
    """For A and for B, by part of the document: the stretches that are tinted or may be framed."""
    a: dict[int, list[_Stretch]] = defaultdict(list)
    b: dict[int, list[_Stretch]] = defaultdict(list)
    salient = outline.salient
    strongest = (salient.a.strongest(), salient.b.strongest()) if salient else ((), ())
    for found, half, framed, underlined in zip((a, b), outline.halves, outline.framed, strongest, strict=True):
        for place in framed:
            sentence = half.sentences[place]
            found[sentence.part].append(_Stretch(sentence.start, sentence.stop, f"{half.key}u{place}"))
        for chunk, p in underlined:
            found[chunk.part].append(_Stretch(chunk.start, chunk.stop, _SALIENT, p=p))
    differences = outline.comparison.differences
    for found, alone in ((a, differences.a), (b, differences.b)):
        for one in alone.passages:
            found[one.passage.part].append(_Stretch(one.passage.start, one.passage.stop, _ALONE))
    passages = outline.comparison.passages[: outline.listed]
    tints = _tints([passage.score for passage in passages])
    for place, (passage, tint) in enumerate(zip(passages, tints, strict=True)):
        for found, chunk in ((a, passage.a), (b, passage.b)):
            found[chunk.part].append(_Stretch(chunk.start, chunk.stop, f"p{place}", place, tint))
    return a, b


def _tints(scores: Sequence[float]) -> list[int]:
    """Even steps from the weakest passage to the strongest."""
    lowest, highest = (min(scores), max(scores)) if scores else (0.0, 0.0)
    shares = [(score - lowest) / (highest - lowest) if highest > lowest else 1.0 for score in scores]
    return [min(int(share * TINTS), TINTS - 1) for share in shares]


def _pieces(chunk: Chunk, stretches: list[_Stretch]) -> list[Piece]:
    """The chunk's text cut wherever a stretch begins or ends; each piece knows what it belongs to."""
    here = [one for one in stretches if one.start < chunk.stop and chunk.start < one.stop]
    edges = {chunk.start, chunk.stop}
    edges.update(edge for one in here for edge in (one.start, one.stop) if chunk.start < edge < chunk.stop)
    return [
        _piece(chunk.text[start - chunk.start : stop - chunk.start], [one for one in here if one.covers(start)])
        for start, stop in pairwise(sorted(edges))
    ]


def _piece(text: str, covering: list[_Stretch]) -> Piece:
    classes = " ".join(one.name for one in covering)
    passage = next((one for one in covering if one.passage is not None), None)
    title = next((f"Salient sentence, {explained(one.p)}" for one in covering if one.p is not None), "")
    if passage is None:
        return Piece(text, classes, title)
    to = f"t-{passage.passage}" if text.strip() else ""  # a link of white space would have no name
    return Piece(text, f"t{passage.tint} {classes}", title, to)

"""The two texts side by side, what matches tinted, and the pairs that the rest of the report links to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.compare.base import Passage
from engine.documents import Chunk
from engine.encoders.keyvec.meaning import explained
from engine.exports.comparison.outline import Cell, Half, Outline, number

TINTS = 4
_SALIENT = "salient"


@dataclass(frozen=True, slots=True)
class Pair:
    """A line about two places that can be chosen: its id, its classes, how near they are, and where to go from it.

    Two sections are long, so that the passage that carries their cell stands above them.
    """

    name: str
    classes: str
    said: str
    links: list[tuple[str, str]]
    is_long: bool = False
    best: Passage | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text, with the classes of all that it belongs to; `to` is the pair that it opens."""

    text: str
    classes: str = ""
    title: str = ""
    to: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A chunk as it is shown: its id, its classes, its section's name where that begins, and its text in pieces."""

    name: str
    classes: str
    heading: str
    label: str
    is_kept: bool
    pieces: list[Piece]


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Characters [start, stop) of a part that belong to a passage, to a sentence that carries a cell or a salient one.

    `p` is that of a salient sentence.
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


def pairs(outline: Outline) -> Iterator[Pair]:
    """Every pair that can be chosen: of chunks, of sections, of passages."""
    yield from (_chunk_pair(outline, cell) for cell in outline.chunk_cells)
    yield from (_section_pair(outline, cell) for cell in outline.section_cells)
    yield from (_passage_pair(outline, place) for place in range(outline.listed))


def texts(outline: Outline) -> list[tuple[Half, list[Part]]]:
    """Everything that was compared, by document."""
    found = []
    for half, stretches in zip(outline.halves, _stretches(outline), strict=True):
        found.append((half, [_part(half, place, stretches[chunk.part]) for place, chunk in enumerate(half.chunks)]))
    return found


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


def _chunk_pair(outline: Outline, cell: Cell) -> Pair:
    (row, column), grid, carried = cell, outline.comparison.chunks, outline.carried(cell)
    classes, best = f"a{row} b{column}", ""
    if carried:
        classes += f" au{carried[0]} bu{carried[1]}"
        best = f"; its framed sentences {number(outline.comparison.carriers.scores[cell])}"
    said = f"{grid.a[row]} (A) with {grid.b[column]} (B): {number(grid.across[cell])}{best}. "
    return Pair(f"c-{row}-{column}", classes, said, [(f"at-c-{row}-{column}", "Back to the heatmap")])


def _section_pair(outline: Outline, cell: Cell) -> Pair:
    (row, column), grid = cell, outline.comparison.sections
    said = f"{grid.a[row]} (A) with {grid.b[column]} (B): {number(grid.across[cell])}. "
    back = [(f"at-s-{row}-{column}", "Back to the heatmap")]
    best = outline.comparison.section_evidence(row, column)
    return Pair(f"s-{row}-{column}", f"as{row} bs{column}", said, back, is_long=True, best=best)


def _passage_pair(outline: Outline, place: int) -> Pair:
    rows, columns = outline.passage_cells[place]
    classes = [f"a{row}" for row in rows] + [f"b{column}" for column in columns] + [f"p{place}"]
    links = [(f"p-{place}", "In the list")]
    if cell := outline.passage_place(place):
        links.append((f"at-{cell}", "Back to the heatmap"))
    links += [(f"t-{place - 1}", "Previous")] if place else []
    links += [(f"t-{place + 1}", "Next")] if place + 1 < outline.listed else []
    said = f"Passage {place + 1}: {number(outline.comparison.passages[place].score)}. "
    return Pair(f"t-{place}", " ".join(classes), said, links)


def _stretches(outline: Outline) -> tuple[dict[int, list[_Stretch]], dict[int, list[_Stretch]]]:
    """For A and for B, by part of the document, what of it is tinted or may be framed."""
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


def _part(half: Half, place: int, stretches: list[_Stretch]) -> Part:
    chunk, section = half.chunks[place], int(half.section_of[place])
    begins = place == 0 or half.section_of[place - 1] != section
    within = "" if chunk.section == half.sections[section] else f" · {chunk.section}"
    page = f" · p. {chunk.page}" if chunk.page else ""
    return Part(
        f"{half.key}-{place}",
        f"chunk {half.key}{place} {half.key}s{section}" + (" first" if begins else ""),
        (half.sections[section] or "Untitled section") if begins else "",
        f"{half.names[place]}{within}{page}",
        bool(half.kept[place]),
        _pieces(chunk, stretches),
    )


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

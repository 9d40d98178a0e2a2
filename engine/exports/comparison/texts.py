"""The two texts side by side, what matches tinted, and the pairs that the rest of the report links to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.documents import Chunk
from engine.encoders.keyvec.meaning import MEANING, explained
from engine.exports.comparison.outline import Cell, Half, Outline, number
from engine.exports.comparison.passages import quoted
from engine.markup import Markup, element, escaped, joined, link

TINTS = 4
_SALIENT = "salient"


@dataclass(frozen=True, slots=True)
class Stretch:
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


def texts(outline: Outline) -> Markup:
    """Everything that was compared, A on the left, B on the right; a chosen pair leaves only its two parts in view."""
    lead = (
        "Tinted passages match one of the other document, the stronger the deeper. Choose one, or a number or square "
        "above, to see only the two places it is about."
    )
    missing = "Reference lists are not shown."
    whole = element("p", link("texts", "Show the whole texts"), class_="whole")
    columns = [_column(outline, side) for side in (0, 1)]
    return element(
        "section",
        element("h2", "The two texts"),
        element("p", f"{lead} {missing}", class_="quiet"),
        _legend(outline),
        element("div", *_pairs(outline), whole, class_="pairs"),
        element("div", *columns, class_="texts"),
        id="texts",
    )


def _legend(outline: Outline) -> Markup:
    """What an underline means; nothing where no sentence has one."""
    if outline.salient is None:
        return Markup("")
    said = f": the strongest sentences of each text. Point at one to see its p, {MEANING}."
    return element("p", element("span", "Underlined", class_=_SALIENT), said, class_="legend")


def _pairs(outline: Outline) -> list[Markup]:
    """One line a pair that can be chosen: what it is, how near, and the way back."""
    cells = [_chunk_pair(outline, cell) for cell in outline.chunk_cells]
    sections = [_section_pair(outline, cell) for cell in outline.section_cells]
    return [*cells, *sections, *(_passage_pair(outline, place) for place in range(len(outline.passage_cells)))]


def _chunk_pair(outline: Outline, cell: Cell) -> Markup:
    (row, column), grid, carried = cell, outline.comparison.chunks, outline.carried(cell)
    classes, best = f"a{row} b{column}", ""
    if carried:
        classes += f" au{carried[0]} bu{carried[1]}"
        best = f"; its framed sentences {number(float(outline.comparison.carriers.scores[cell]))}"
    said = f"{grid.a[row]} (A) with {grid.b[column]} (B): {number(float(grid.across[cell]))}{best}. "
    return element(
        "p", said, link(f"at-c-{row}-{column}", "Back to the heatmap"), id=f"c-{row}-{column}", class_=classes
    )


def _section_pair(outline: Outline, cell: Cell) -> Markup:
    """Two sections are long, so the passage that carries the cell stands above them."""
    (row, column), grid = cell, outline.comparison.sections
    said = f"{grid.a[row]} (A) with {grid.b[column]} (B): {number(float(grid.across[cell]))}. "
    line = element("p", said, link(f"at-s-{row}-{column}", "Back to the heatmap"))
    best = outline.comparison.section_evidence(row, column)
    evidence = joined([element("p", f"Best match: {number(best.score)}"), quoted(outline, best)]) if best else ""
    return element("div", line, evidence, id=f"s-{row}-{column}", class_=f"as{row} bs{column}")


def _passage_pair(outline: Outline, place: int) -> Markup:
    rows, columns = outline.passage_cells[place]
    classes = [f"a{row}" for row in rows] + [f"b{column}" for column in columns] + [f"p{place}"]
    links = [link(f"p-{place}", "In the list")]
    if rows and columns:
        links.append(link(f"at-c-{rows[0]}-{columns[0]}", "Back to the heatmap"))
    links += [link(f"t-{place - 1}", "Previous")] if place else []
    links += [link(f"t-{place + 1}", "Next")] if place + 1 < len(outline.passage_cells) else []
    said = f"Passage {place + 1}: {number(outline.comparison.passages[place].score)}. "
    return element("p", said, *(joined([one, " "]) for one in links), id=f"t-{place}", class_=" ".join(classes))


def _column(outline: Outline, side: int) -> Markup:
    half = outline.halves[side]
    stretches = _stretches(outline, side)
    chunks = [_chunk(half, place, stretches[chunk.part]) for place, chunk in enumerate(half.chunks)]
    if not chunks:
        chunks = [element("p", "This document holds no text.", class_="quiet")]
    head = element("h3", element("b", half.letter, class_="letter"), " ", half.document.name)
    return element("div", head, *chunks, class_="text")


def _stretches(outline: Outline, side: int) -> dict[int, list[Stretch]]:
    """By part of the document, what of it is tinted or may be framed."""
    half, passages = outline.halves[side], outline.comparison.passages[: len(outline.passage_cells)]
    found: dict[int, list[Stretch]] = defaultdict(list)
    for place in outline.framed[side]:
        sentence = half.sentences[place]
        found[sentence.part].append(Stretch(sentence.start, sentence.stop, f"{half.key}u{place}"))
    for chunk, p in _salient(outline, side):
        found[chunk.part].append(Stretch(chunk.start, chunk.stop, _SALIENT, p=p))
    lowest, highest = (f(one.score for one in passages) for f in (min, max)) if passages else (0.0, 0.0)
    for place, passage in enumerate(passages):
        chunk = (passage.a, passage.b)[side]
        share = (passage.score - lowest) / (highest - lowest) if highest > lowest else 1.0
        tint = min(int(share * TINTS), TINTS - 1)
        found[chunk.part].append(Stretch(chunk.start, chunk.stop, f"p{place}", place, tint))
    return found


def _salient(outline: Outline, side: int) -> Sequence[tuple[Chunk, float]]:
    return () if outline.salient is None else (outline.salient.a, outline.salient.b)[side].strongest()


def _chunk(half: Half, place: int, stretches: list[Stretch]) -> Markup:
    chunk, section = half.chunks[place], int(half.section_of[place])
    first = place == 0 or half.section_of[place - 1] != section
    within = "" if chunk.section == half.sections[section] else f" · {chunk.section}"
    page = f" · p. {chunk.page}" if chunk.page else ""
    lines = [
        element("h4", half.sections[section] or "Untitled section", dir="auto") if first else "",
        element("p", f"{half.names[place]}{within}{page}", class_="label", dir="auto"),
        "" if half.kept[place] else element("p", "Left out of the comparison", class_="out"),
        element("p", *_pieces(chunk, stretches), class_="words", dir="auto"),
    ]
    classes = f"chunk {half.key}{place} {half.key}s{section}" + (" first" if first else "")
    return element("div", *lines, id=f"{half.key}-{place}", class_=classes)


def _pieces(chunk: Chunk, stretches: list[Stretch]) -> list[Markup]:
    """The chunk's text cut wherever a stretch begins or ends; each piece knows what it belongs to."""
    here = [one for one in stretches if one.start < chunk.stop and chunk.start < one.stop]
    edges = {chunk.start, chunk.stop}
    edges.update(edge for one in here for edge in (one.start, one.stop) if chunk.start < edge < chunk.stop)
    return [
        _piece(chunk.text[start - chunk.start : stop - chunk.start], [one for one in here if one.covers(start)])
        for start, stop in pairwise(sorted(edges))
    ]


def _piece(text: str, covering: list[Stretch]) -> Markup:
    names = " ".join(one.name for one in covering)
    passage = next((one for one in covering if one.passage is not None), None)
    title = next((f"Salient sentence, {explained(one.p)}" for one in covering if one.p is not None), "")
    if passage is not None:
        names = f"t{passage.tint} {names}"
        if text.strip():  # a link of white space would have no name
            return link(f"t-{passage.passage}", text, class_=names, title=title)
    return element("span", text, class_=names, title=title) if names else escaped(text)

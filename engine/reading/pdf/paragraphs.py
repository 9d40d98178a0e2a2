"""Joins a PDF's lines to paragraphs: across line ends, hyphens, columns, pages, and figures in between."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from engine.reading.heading_names import BOX, CAPTION, KEYWORDS_LABEL, run_in_abstract, run_in_keywords
from engine.reading.pdf.furniture import Body
from engine.reading.pdf.headings import PdfHeading
from engine.reading.pdf.lines import Hyphens
from engine.reading.pdf.page import PdfLine

_TERMINAL = re.compile(r"[.!?:;\u3002\uff01\uff1f\u061f\u061b\u06d4]['\"”’)\]]*$")
_ITEM = re.compile(r"^(?:[•◦▪■●\u2217*–—-]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s")
_FLOAT = 4  # blocks, before a caption or after it
_PIECE = 60  # characters
_FEW = 0.2
_TAIL = 80
"""Patterns for a text's end read this many characters: a long line must not take quadratic time."""
HAS_WORD = re.compile(r"[^\W\d_]{2,}|[\u3040-\u9fff]")


@dataclass(slots=True)
class Block:
    """A paragraph, a caption, code, or a heading, with the lines that it was made of."""

    kind: Literal["text", "caption", "code", "heading"]
    lines: list[PdfLine] = field(default_factory=list)
    heading: PdfHeading | None = None

    @property
    def is_top(self) -> bool:
        """Whether it heads a top-level section."""
        return self.heading is not None and self.heading.top


def blocks_of(lines: Sequence[PdfLine], headings: Sequence[PdfHeading], body: Body) -> list[Block]:
    """Return the lines as blocks in reading order; a sentence that a figure or a page's end cuts is made whole.

    A drawing's lettering is left out. What stands before the first section, such as authors, may have its own fonts;
    without sections, what stands before the text.
    """
    starts: Mapping[int, PdfHeading] = {heading.start: heading for heading in headings}
    blocks: list[Block] = []
    index = 0
    while index < len(lines):
        heading = starts.get(index)
        if heading:
            blocks.append(Block("heading", list(lines[heading.start : heading.stop]), heading))
            index = heading.stop
            continue
        _add_line(blocks, lines[index], body)
        index += 1
    fonts = _text_fonts(lines)
    opening = (place for place, block in enumerate(blocks) if block.kind == "caption" or block.is_top)
    prose = (place for place, block in enumerate(blocks) if block.kind == "text" and not _is_drawing(block, fonts))
    begun = next(opening, None) or next(prose, 0)
    return [
        block
        for place, block in enumerate(blocks)
        if block.kind != "text" or (_has_words(block) and (place < begun or not _is_drawing(block, fonts)))
    ]


def _text_fonts(lines: Sequence[PdfLine]) -> set[str]:
    """Return the names of the fonts that at least a hundredth of the text is set in."""
    counts: Counter[str] = Counter()
    for line in lines:
        for run in line.runs:
            counts[run.font.name] += len(run.text)
    return {name for name, count in counts.items() if count > 0.01 * counts.total()}


def _is_drawing(block: Block, fonts: set[str]) -> bool:
    """Tell whether a block is a drawing's lettering: short pieces in a font that the text does not use."""
    letters = sum(len(run.text) for line in block.lines for run in line.runs)
    foreign = sum(len(run.text) for line in block.lines for run in line.runs if run.font.name not in fonts)
    pieces = all(len(line.text) < 60 and not line.text.endswith(".") for line in block.lines)
    named = KEYWORDS_LABEL.match(block.lines[0].text) or BOX.match(block.lines[0].text)
    return block.kind == "text" and pieces and not named and foreign > 0.8 * letters


def _has_words(block: Block) -> bool:
    """Tell whether a block holds words: the numbers along a figure's axes do not."""
    return any(HAS_WORD.search(line.text) for line in block.lines)


def _add_line(blocks: list[Block], line: PdfLine, body: Body) -> None:
    """Add a line to the block that it continues, or begin a new one."""
    last = blocks[-1] if blocks else None
    if CAPTION.match(line.text) and _is_caption(line, last, body):
        blocks.append(Block("caption", [line]))
        return
    if last and last.kind != "heading" and last.lines[-1].region == line.region and _goes_on(last, line, body):
        last.lines.append(line)
        return
    place = _cut_paragraph(blocks, line)
    if place is not None:
        _resume(blocks, place, line)
        return
    blocks.append(Block("code" if line.mono else "text", [line]))


def _is_caption(line: PdfLine, last: Block | None, body: Body) -> bool:
    """Tell whether a line that begins like a caption is one, not a sentence about the figure."""
    match = CAPTION.match(line.text)
    first = line.runs[0]
    marked = bool(match and match["mark"]) or first.font.bold or line.size < 0.95 * body.size or first.font.small_caps
    above = last.lines[-1] if last else None
    if above is None or _is_piece(above):
        return marked
    return marked and (above.region != line.region or line.gap > 1.05 * body.leading)


def _goes_on(block: Block, line: PdfLine, body: Body) -> bool:
    """Tell whether a line continues the block that ends right above it."""
    above = block.lines[-1]
    leading = body.leading * max(above.size / body.size, 0.75)
    if (block.kind == "code") != line.mono and not (line.mono and above.full and above.runs[-1].font.mono):
        return False
    wide = above.gap if len(block.lines) > 1 and block.lines[-2].region == line.region else 0.0
    if line.gap < 1.05 * wide < 1.7 * leading:
        leading = max(leading, wide)
    if line.gap > 1.7 * leading or (abs(line.size - above.size) > 0.08 * body.size and line.gap > 0.8 * leading):
        return False
    if block.kind == "code":
        return line.gap < 1.3 * leading
    edge = max(line.x1, *(other.x1 for other in block.lines[-6:]), above.x1)
    short = above.x1 < edge - 2 * body.size
    ended = bool(_TERMINAL.search(above.text[-_TAIL:]))
    if above.text.endswith((",", ";")) and KEYWORDS_LABEL.match(block.lines[0].text):
        return True
    if (ended or short) and (line.gap > 1.12 * leading or run_in_abstract(line.text) or run_in_keywords(line.text)):
        return False
    shift = line.x0 - above.x0
    if shift > 0.8 * body.size and (ended or short) and line.gap > 0.6 * leading:
        return len(block.lines) == 1 and bool(_ITEM.match(above.text))
    if _ITEM.match(line.text) and (ended or short):
        return False
    return not (ended and above.x1 < edge - 6 * body.size)


def _resume(blocks: list[Block], place: int, line: PdfLine) -> None:
    """Go on with the paragraph at `place`: formulas after it become part of it, captions move before it."""
    paragraph, *after = blocks[place:]
    del blocks[place:]
    for block in after:
        if block.kind == "text" and not _has_words(block) and block.lines[0].region == paragraph.lines[-1].region:
            paragraph.lines += block.lines
        else:
            blocks.append(block)
    paragraph.lines.append(line)
    blocks.append(paragraph)


def _cut_paragraph(blocks: Sequence[Block], line: PdfLine) -> int | None:
    """Return where the paragraph stands whose sentence goes on in this line, with captions or formulas between."""
    for place in range(len(blocks) - 1, max(len(blocks) - 13, -1), -1):
        block = blocks[place]
        if block.kind in ("heading", "code"):
            return None
        if block.kind != "text" or not HAS_WORD.search(block.lines[-1].text) or _is_lettering(blocks, place):
            continue
        last = block.lines[-1]
        if _TERMINAL.search(last.text[-_TAIL:]) or line.mono:
            return None
        if abs(last.size - line.size) > 0.06 * line.size:
            continue
        if last.text.endswith("-") and last.full:
            return place if not line.text[:1].isupper() or last.caps else None
        next_to = last.full and last.region != line.region and place == len(blocks) - 1
        goes_on = line.text[:1].islower() or (next_to and not _is_piece(line))
        return place if goes_on and not _ITEM.match(line.text) else None
    return None


def _is_lettering(blocks: Sequence[Block], place: int) -> bool:
    """Tell whether a block is what a caption names: pieces beside it, as a table's rows or a drawing's words are."""
    if not any(block.kind == "caption" for block in blocks[max(place - _FLOAT, 0) : place + _FLOAT]):
        return False
    lines = blocks[place].lines
    return all(map(_is_piece, lines)) or sum(line.full for line in lines) <= _FEW * len(lines)


def _is_piece(line: PdfLine) -> bool:
    """Tell whether a line is short, and neither ends a sentence nor goes on."""
    return len(line.text) < _PIECE and not line.full and not line.text.endswith(("-", ".", "?", "!", ":"))


def text_of(block: Block, hyphens: Hyphens) -> str:
    """Return a block's text: a paragraph on one line, code line by line."""
    if block.kind == "code":
        return "\n".join(line.text for line in block.lines)
    return hyphens.joined(line.text for line in block.lines)

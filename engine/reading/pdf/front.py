"""Reads a paper's front matter from a PDF's first blocks: title, authors, abstract, keywords."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engine.core.patterns import LatePattern
from engine.documents.people import split_byline
from engine.reading.heading_names import (
    ABSTRACT,
    ABSTRACT_END,
    ABSTRACT_PART,
    BOX,
    CAPITAL_ABSTRACT,
    KEYWORDS_LABEL,
    KNOWN,
    LONE_ABSTRACT,
    RunIn,
    opens_parts,
    run_in_abstract,
)
from engine.reading.pdf.byline import is_prose, may_be_author, read_byline
from engine.reading.pdf.furniture import Body
from engine.reading.pdf.imprint import NOTICE, closes_abstract, ends_abstract, is_closed
from engine.reading.pdf.lines import Hyphens
from engine.reading.pdf.opening import title_text
from engine.reading.pdf.page import PdfLine
from engine.reading.pdf.paragraphs import Block, text_of

_ENOUGH, _MOST = 600, 3_500
"""Letters of the longest abstracts, unless a first part is longer: what follows these is the text."""
_MOST_LISTED = 600
_WORDS_OF_PART = 4
"""A heading of a few words within an abstract names a part of it."""
_STOPS = (".", "!", "?", ")", "”", '"')
_MOST_PARTS = 12
"""An abstract in parts has at most this many paragraphs."""
_SMALLER = 0.9
"""What is set in letters of less than this share of the abstract's is a citation or a date within it."""
_ALIKE = (0.8, 1.25)
"""Lines whose widths stand in a ratio between these are set in one column, or in columns alike."""
_WHITE = 0.65
"""An abstract whose last line stands above this share of the lowest line has a page of its own."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The text before the first section; `rest` are all other blocks."""

    title: str = ""
    authors: tuple[str, ...] = ()
    abstract: str = ""
    keywords: tuple[str, ...] = ()
    rest: tuple[Block, ...] = ()


def read_front(blocks: Sequence[Block], title: Sequence[PdfLine], hyphens: Hyphens, body: Body) -> FrontMatter:
    """Sort the blocks before the first section into title, authors, abstract, keywords and the rest."""
    chosen = {id(line) for line in title}
    low = max((line.y for block in blocks for line in block.lines), default=0.0)
    sorter = _FrontSorter(hyphens, body, low)
    others = [block for block in blocks if not all(id(line) in chosen for line in block.lines)]
    for place, block in enumerate(others):
        sorter.take(block, others[place + 1 : place + _MOST_PARTS])
    authors = _authors(sorter.head, title)
    abstract = "\n\n".join(sorter.abstract)
    return FrontMatter(title_text(title, hyphens), authors, abstract, sorter.keywords, tuple(sorter.rest))


class _FrontSorter:
    """Takes the blocks before the first section, one by one, and keeps each as what it is."""

    def __init__(self, hyphens: Hyphens, body: Body, low: float) -> None:
        """Begin above the abstract; `low` is where the lowest line stands."""
        self.head: list[PdfLine] = []
        self.abstract: list[str] = []
        self.keywords: tuple[str, ...] = ()
        self.rest: list[Block] = []
        self._hyphens, self._body, self._low = hyphens, body, low
        self._first: Block | None = None
        self._last: Block | None = None
        self._state: Literal["head", "abstract", "keywords", "after"] = "head"

    def take(self, block: Block, following: Sequence[Block]) -> None:
        """Take the next block."""
        text = text_of(block, self._hyphens)
        if self._state == "abstract" and self._ends(block, text):
            self._state = "after"
        if self._state == "after" and block.kind == "text" and self.abstract and _is_cut(self.abstract[-1], text):
            self.abstract[-1] = self._hyphens.join(self.abstract[-1], text)
        elif BOX.match(block.lines[0].text):
            self._state = "after" if self.abstract else self._state
            self.rest.append(block)
        elif not (self._opens(block, text, following) or self._lists(block, text) or self._goes_on(block, text)):
            self.head += block.lines if self._state == "head" else []
            self.rest.append(block)

    def _ends(self, block: Block, text: str) -> bool:
        """Whether an abstract ends above a block that follows it."""
        most = sum(map(len, self.abstract)) > _ENOUGH and sum(map(len, self.abstract)) + len(text) > _MOST
        ended = block.lines[0].after_contents or ends_abstract(text) or (most and not block.heading)
        return ended or _is_set_unlike(self._first, block, self._body) or self._is_whole(block, text)

    def _is_whole(self, block: Block, text: str) -> bool:
        """Whether an abstract has its end above a block that names no part of it.

        It ends with who paid for the study. Where the next column or page begins, it ends with its conclusions, above
        lines of the text's width and not of its own, and where it leaves its page half empty.
        """
        if self._last is None or ABSTRACT_PART.match(text):
            return False
        if closes_abstract(text) or (is_closed(self.abstract[-1]) and not block.heading):
            return True
        above, line = self._last.lines[-1], block.lines[0]
        ended = self.abstract[-1].endswith(_STOPS) and is_prose(text) and not block.heading
        if above.region == line.region or not ended:
            return False
        concluded = any(map(ABSTRACT_END.match, self.abstract[-2:]))
        return concluded or (line.page > above.page and above.y < _WHITE * self._low) or self._is_of_text(block)

    def _is_of_text(self, block: Block) -> bool:
        """Whether a block's lines are as wide as the running text's, and not as the abstract's."""
        own = max(line.x1 - line.x0 for line in block.lines)
        first = max(line.x1 - line.x0 for line in (self._first or block).lines)
        least, most = _ALIKE
        return least < own / self._body.width < most and not least < own / first < most

    def _opens(self, block: Block, text: str, following: Sequence[Block]) -> bool:
        """Take an abstract's name, or a block that opens with it."""
        if block.heading and ABSTRACT.match(block.heading.title):
            self._state, self._first, self._last = "abstract", None, None
            return True
        if self._state == "head" and ABSTRACT_PART.match(text):
            texts = [text, *(text_of(one, self._hyphens) for one in following)]
            if opens_parts(texts):
                self._state = "abstract"
                return self._goes_on(block, text)
        run_in = run_in_abstract(text)
        if run_in is None and self._state == "head":
            lone = LONE_ABSTRACT.match(text) and _opens_in_own_look(block)
            run_in = RunIn("", LONE_ABSTRACT.sub("", text)) if lone or CAPITAL_ABSTRACT.match(text) else None
        if run_in is None or KEYWORDS_LABEL.match(text):
            return False
        self.abstract.append(run_in.rest)
        self._state, self._first, self._last = "abstract", block, block
        return True

    def _lists(self, block: Block, text: str) -> bool:
        """Take key words, behind their name or below it, or between strokes."""
        named = bool(KEYWORDS_LABEL.match(text))
        if len(text) > _MOST_LISTED or not (named or self._state == "keywords" or _is_list(text)):
            return False
        if block.kind != "text" and not named:
            return False
        listed = _split_keywords(text)
        self.keywords = self.keywords or listed
        if self._state == "keywords" or (listed and self.abstract):
            self._state = "after"
        elif not listed:
            self._state = "keywords"
        return True

    def _goes_on(self, block: Block, text: str) -> bool:
        """Take a block of an abstract; its parts may be named, such as "Methods"."""
        named = block.heading and (KNOWN.match(block.heading.title) or len(text.split()) <= _WORDS_OF_PART)
        if self._state != "abstract" or not (named or block.kind in ("text", "code")) or NOTICE.match(text):
            return False
        if (
            self._last
            and block.kind == "text"
            and max(line.size for line in block.lines) < _SMALLER * self._last.lines[0].size
        ):
            return False
        self.abstract.append(text)
        self._first, self._last = self._first or block, block
        return True


def _is_list(text: str) -> bool:
    """Whether a text is a list of words between strokes that name nobody."""
    words = split_byline(text) if text.count(" | ") > 1 and not text.endswith(".") else []
    return 2 * sum(map(may_be_author, words)) < len(words)


def _is_cut(above: str, text: str) -> bool:
    """Whether a block goes on with a sentence that notes at a page's foot have cut."""
    return text[:1].islower() and above[-1:] not in '.!?:;)”"' and is_prose(text)


def _is_set_unlike(first: Block | None, block: Block, body: Body) -> bool:
    """Whether a block of text is the running text, where an abstract's first block is set otherwise."""
    if first is None or first.kind != "text" or block.kind != "text" or len(first.lines) < 2 or len(block.lines) < 2:
        return False
    larger = block.lines[0].size > 1.06 * first.lines[-1].size
    return larger or (_has_own_look([first], body) and not _has_own_look([block], body))


def looks_like_abstract(prose: Sequence[Block], body: Body) -> bool:
    """Tell whether unnamed prose before the first heading is set unlike the running text.

    That is: in a look of its own, narrow, or over the whole page where the text stands in columns.
    """
    lines = [line for block in prose for line in block.lines]
    narrow = sum(1 for line in lines if line.x0 > line.left + body.size and line.x1 < line.right - body.size)
    full = [line for block in prose for line in block.lines[:-1] or block.lines]
    wide = sum(1 for line in full if line.x1 - line.x0 > 1.3 * body.width)
    return narrow > 0.7 * len(lines) or wide > 0.7 * len(full) or _has_own_look(prose, body)


def _has_own_look(prose: Sequence[Block], body: Body) -> bool:
    """Tell whether prose is smaller or larger than the running text, bold or italic, or in a font of its own."""
    lines = [line for block in prose for line in block.lines]
    resized = sum(1 for line in lines if abs(line.size - body.size) > 0.04 * body.size)
    marked = sum(1 for line in lines if line.bold or line.italic)
    runs = [run for line in lines for run in line.runs]
    foreign = sum(len(run.text) for run in runs if run.font.name not in body.fonts)
    return max(resized, marked) > 0.7 * len(lines) or foreign > 0.8 * sum(len(run.text) for run in runs)


def _authors(head: Sequence[PdfLine], title: Sequence[PdfLine]) -> tuple[str, ...]:
    """Return the names below the title; where none are, those above it; without a title, those above the text."""
    if not title:
        prose = (place for place, line in enumerate(head) if is_prose(line.text, head[place + 1 : place + 3]))
        return read_byline(head[: next(prose, len(head))])
    last = title[-1]
    below = [line for line in head if (line.page, line.y) > (last.page, last.y)]
    return read_byline(below) or read_byline(
        [line for line in head if (line.page, line.y) < (title[0].page, title[0].y)]
    )


def with_asides(asides: Sequence[PdfLine], front: FrontMatter) -> FrontMatter:
    """Add to front matter what only a side column gives: key words, an abstract under its own name."""
    keywords = front.keywords or _read_listed(asides, KEYWORDS_LABEL)
    abstract = front.abstract or " ".join(_read_listed(asides, ABSTRACT, stop=ends_abstract, parted=False))
    return replace(front, keywords=keywords, abstract=abstract)


def _opens_in_own_look(block: Block) -> bool:
    """Whether a block's first word is a run of its own, bold, italic or in small capitals, and the next is not."""
    runs = block.lines[0].runs
    if len(runs) < 2 or len(runs[0].text.split()) != 1:
        return False
    first, second = runs[0].font, runs[1].font
    return (first.bold, first.italic, first.small_caps) != (second.bold, second.italic, second.small_caps)


def _read_listed(
    lines: Sequence[PdfLine],
    label: re.Pattern[str] | LatePattern,
    stop: Callable[[str], bool] = bool,
    *,
    parted: bool = True,
) -> tuple[str, ...]:
    """Read a side column's lines below a label, up to white or another: each a key word, unless signs part them."""
    start = next((place for place, line in enumerate(lines) if label.match(line.text)), None)
    if start is None:
        return ()
    taken = [label.sub("", lines[start].text)]
    for line in lines[start + 1 :]:
        if line.gap > 1.9 * line.size or line.region != lines[start].region or (not parted and stop(line.text)):
            break
        taken.append(line.text)
    taken = [text for text in taken if text]
    if parted and (len(taken) == 1 or any(re.search(r"[;,·•]\s", text) for text in taken)):
        return _split_keywords(" ".join(taken))
    return tuple(taken)


def _split_keywords(text: str) -> tuple[str, ...]:
    """Return the key words that follow their label, without the last full stop."""
    listed = re.split(
        r"(?:(?<!\s)\s++)?[;,·•]\s++|(?<!\s)\s++[–—·•|]\s++",
        KEYWORDS_LABEL.sub("", text).removesuffix("ACM Reference Format:"),
    )
    return tuple(word.strip(" .") for word in listed if 0 < len(word.strip(" .")) < 80)

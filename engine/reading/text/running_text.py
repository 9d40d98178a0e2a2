"""Takes page numbers and running heads out of a text that pdftotext or another converter made page by page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

_BREAK = "\f"
_PAGE_NUMBER = re.compile(
    r"[-–—\[( ]*(?:page |p\. ?|seite |página |стр\. )?(?:\d{1,4}|[ivxl]{1,6})(?: ?(?:of|/|von|de) ?\d{1,4})?[-–—\]) ]*",
    re.I,
)
_COUNTED = re.compile(r"(?:fig|tab|abb|chapter|section|appendix|algorithm|kapitel|chapitre|cap[íi]t|part|claim)", re.I)
"""What counts its own numbers at the top of a page: a caption or a heading."""
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]{3,}")
_SMALL = frozenset({"and", "und", "others", "the", "for", "with"})
_EDGE = 3  # lines at the top and at the bottom of a page that may be furniture
_LONGEST = 120
_FRONT = 12
_LINES_A_PAGE = 4


def without_running_text(text: str) -> str:
    """The text with its pages joined, without page numbers and the lines that pages repeat at their edges.

    Pages end with form feeds; without those, with numbers that stand alone and count on.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    pages = [page.split("\n") for page in lines.split(_BREAK)] if _BREAK in text else _by_numbers(lines.split("\n"))
    if len(pages) < 2:
        return text
    front = _words(line for line in pages[0][: 4 * _FRONT] if line.strip())
    repeated = _repeated(pages)
    kept = [_without_furniture(page, repeated, front if number else frozenset()) for number, page in enumerate(pages)]
    return _joined([page for page in kept if page])


def _by_numbers(lines: Sequence[str]) -> list[list[str]]:
    """The lines cut below numbers that stand alone and count on, page by page; one page without such."""
    alone = [
        at
        for at, line in enumerate(lines)
        if line.strip().isdecimal() and len(line.strip()) < 5 and _stands_alone(lines, at)
    ]
    pages: list[list[str]] = []
    start, last, counted = 0, -1, 0
    for at in alone:
        number = int(lines[at])
        filled = sum(1 for line in lines[start:at] if line.strip())
        if filled >= _LINES_A_PAGE and (last < 0 or number == last + 1):
            pages.append(list(lines[start : at + 1]))
            start, last, counted = at + 1, number, counted + 1
    pages.append(list(lines[start:]))
    return pages if counted > 1 else [list(lines)]


def _stands_alone(lines: Sequence[str], at: int) -> bool:
    before = lines[at - 1].strip() if at else ""
    after = lines[at + 1].strip() if at + 1 < len(lines) else ""
    return not before and not after


def _edges(page: Sequence[str]) -> list[int]:
    """The places of a page's first and last lines that hold text."""
    held = [at for at, line in enumerate(page) if line.strip()]
    return sorted({*held[:_EDGE], *held[-_EDGE:]})


def _shape(line: str) -> str:
    """A line with each number as one sign, as page numbers differ."""
    if _COUNTED.match(line.strip()):
        return " ".join(line.split()).lower()
    return _DIGITS.sub("#", " ".join(line.split())).lower()


def _repeated(pages: Sequence[Sequence[str]]) -> frozenset[str]:
    """The shapes of short lines that stand at the edges of two pages or more."""
    counts = Counter(
        shape for page in pages for shape in {_shape(page[at]) for at in _edges(page) if len(page[at]) <= _LONGEST}
    )
    return frozenset(shape for shape, count in counts.items() if count > 1 and len(shape) > 2)


def _without_furniture(page: Sequence[str], repeated: frozenset[str], front: frozenset[str]) -> list[str]:
    """A page's lines without its number and running heads, from its edges inwards.

    A line that stands alone at the top of a page and holds only words of the first page's head is a running head.
    """
    held = [at for at, line in enumerate(page) if line.strip()]
    gone: set[int] = set()
    for places, top in ((held[:_EDGE], True), (held[: -_EDGE - 1 : -1], False)):
        for at in places:
            line = page[at].strip()
            words = _words([line])
            names = (
                top
                and words
                and words <= front
                and len(line) <= _LONGEST
                and not "".join(page[at + 1 : at + 2]).strip()
            )
            if _PAGE_NUMBER.fullmatch(line) or _shape(line) in repeated or names:
                gone.add(at)
            else:
                break
    return "\n".join(line for at, line in enumerate(page) if at not in gone).strip("\n").split("\n") if held else []


def _words(lines: Iterable[str]) -> frozenset[str]:
    return frozenset(word.lower() for line in lines for word in _WORD.findall(line)) - _SMALL


def _joined(pages: Sequence[Sequence[str]]) -> str:
    """The pages as one text: a paragraph that a page's end cuts goes on, others are parted."""
    text: list[str] = []
    for page in pages:
        last = text[-1].strip() if text else ""
        first = page[0].strip()
        goes_on = last and last[-1] not in ".!?:" and first[:1].islower()
        text.extend([*([] if goes_on or not text else [""]), *page])
    return "\n".join(text)

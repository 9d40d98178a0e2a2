"""Reads no more of a text than is asked for, and finds where a share of its tokens ends."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine import text as texts

_SPACE = re.compile(r"[ \t\n\r\f]")  # no HTML entity holds one of these
_ANGLE = re.compile(r"[<>]")
_STRETCH_CHARACTERS = 2_000
CHARACTERS_A_TOKEN = 8  # a word and its space, seldom more


def stretches(text: str, characters: int = _STRETCH_CHARACTERS) -> Iterator[str]:
    """The text in pieces of about so many characters, cut at white space outside of tags.

    The tokens of the pieces, one after the other, are the tokens of the text.
    """
    start = 0
    while start < len(text):
        stop = _end(text, start, start + characters)
        yield text[start:stop]
        start = stop


def first_tokens(text: str, count: int) -> list[str]:
    """The first `count` tokens of a text, fewer where it has fewer; what stands behind them is not read."""
    found: list[str] = []
    for stretch in stretches(text, count * CHARACTERS_A_TOKEN):
        found += texts.tokens(stretch)
        if len(found) >= count:
            break
    return found[:count]


def share_end(text: str, percent: int) -> int | None:
    """Where the first `percent` of a text's tokens end, in characters; a word of several tokens stays whole.

    At least one token stands before the place and one behind it. None where no place leaves both.
    """
    pieces = list(stretches(text))
    counts = [len(texts.tokens(piece)) for piece in pieces]
    total = sum(counts)
    wanted = min(max(1, round(total * percent / 100)), total - 1)
    if wanted < 1:
        return None
    seen = place = 0
    for piece, count in zip(pieces, counts, strict=True):
        if seen + count < wanted:
            seen, place = seen + count, place + len(piece)
            continue
        for word in stretches(piece, 1):
            before = place if seen else None
            seen, place = seen + len(texts.tokens(word)), place + len(word)
            if seen >= wanted:
                return place if seen < total else before
    return None


def _end(text: str, start: int, place: int) -> int:
    """The first white space at or behind `place` that stands in no tag, or the end of the text."""
    while (space := _SPACE.search(text, place)) is not None:
        place = space.start()
        if text.rfind("<", start, place) <= text.rfind(">", start, place):
            return place
        angle = _ANGLE.search(text, place)
        if angle is None or angle.group() == "<":
            return place  # the open bracket begins no tag
        place = angle.end()
    return len(text)

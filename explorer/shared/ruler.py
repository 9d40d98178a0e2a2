"""The ruler beside every nearness: where the usual kinds of pairs lie, and where this one does."""

from __future__ import annotations

from engine.markup import Markup, element
from engine.readings import MEANINGS, Level, Reading, said, scales


def ruler(reading: Reading, level: Level = "document") -> Markup:
    """A line from 0 to 1 with the medians of four kinds of pairs, and a mark at the reading's cosine."""
    ticks = [
        element("span", element("span", name), class_="ps-tick", style=_at(median))
        for name, median in scales().levels[level].ruler.items()
    ]
    mark = element("span", class_="ps-mark", style=_at(reading.cosine))
    return element("div", *ticks, mark, class_="ps-ruler", aria_hidden="true")


def reading_line(reading: Reading, level: Level = "document") -> Markup:
    """The word with its probability, the number, and the ruler that says what the number means."""
    word, rest = element("strong", reading.word), element("span", said(reading).removeprefix(reading.word))
    text = element("span", word, rest, class_="ps-reading-word", title=MEANINGS[reading.word])
    return element("div", ruler(reading, level), text, class_="ps-score")


def _at(cosine: float) -> str:
    return f"left:{100 * min(1.0, max(0.0, cosine)):.1f}%"

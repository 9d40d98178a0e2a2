"""The ruler beside every nearness: where the usual kinds of pairs lie, and where this one does."""

from __future__ import annotations

from engine.documents.markup import Markup, element
from engine.search import MEANINGS, OTHER, Level, Reading, said, scales

_TICKS = ("duplicate", "cited", "same field", "unrelated")
"""The ruler's kinds of pairs by the rank of the word for them."""
_SEEN = 0.05
"""How far beside a tick a mark is plainly seen to be."""


def ruler(reading: Reading, level: Level = "document") -> Markup:
    """A line from 0 to 1 with the medians of four kinds of pairs, and a mark at the reading's cosine."""
    ticks = [
        element("span", element("span", name), class_="ps-tick", style=_at(median))
        for name, median in scales().levels[level].ruler.items()
    ]
    mark = element("span", class_="ps-mark", style=_at(reading.cosine))
    return element("div", *ticks, mark, class_="ps-ruler", aria_hidden="true")


def reading_line(reading: Reading, level: Level = "document") -> Markup:
    """The word with its probability, the number, and the ruler that says what the number means.

    Where the word and the mark's place on the ruler say different things, it says why.
    """
    word, rest = element("strong", reading.word), element("span", said(reading).removeprefix(reading.word))
    text = element("span", word, rest, class_="ps-reading-word", title=MEANINGS[reading.word])
    apart = _apart(reading, level)
    note = element("span", apart, class_="ps-quiet") if apart else Markup("")
    return element("div", ruler(reading, level), text, note, class_="ps-score")


def _apart(reading: Reading, level: Level) -> str:
    """That a word is nearer, or further, than a mark plainly beyond the next kind of pair says; empty if not."""
    medians = scales().levels[level].ruler
    further = next((medians[name] for name in _TICKS[reading.rank + 1 :] if name in medians), -1.0)
    nearer = next((medians[name] for name in reversed(_TICKS[: min(reading.rank, OTHER)]) if name in medians), 1.0)
    also = "shared words and the length of the texts count, too"
    if reading.cosine < further - _SEEN:
        return f"Nearer than its mark: {also}."
    if reading.cosine > nearer + _SEEN:
        return f"Further than its mark: {also}."
    return ""


def _at(cosine: float) -> str:
    return f"left:{100 * min(1.0, max(0.0, cosine)):.1f}%"

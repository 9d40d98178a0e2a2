"""Which of the words that are predicted for a text are shown as its key words."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from engine.generic_words import GENRE_WORDS
from engine.text import stems

PREDICTED = 60
"""How many predicted words are looked at, so that some are left of a text whose likeliest are of its genre."""


def key_words(
    predicted: Iterable[tuple[str, float]], most: int, *, within: Collection[str] | None = None
) -> list[tuple[str, float]]:
    """The first `most` of predicted words with their probabilities, the likeliest first, that tell texts apart.

    Words that papers and patents use about anything are passed over, and of a word's forms all but the likeliest:
    "embodiments" and "displaying" beside "display" say nothing more of a patent. `within` limits them to some words.
    """
    found: list[tuple[str, float]] = []
    seen: set[str] = set()
    for word, p in predicted:
        stem = stems([word])[0]
        if word in GENRE_WORDS or stem in seen or (within is not None and word not in within):
            continue
        seen.add(stem)
        found.append((word, p))
    return found[:most]

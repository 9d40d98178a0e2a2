"""The letter trigrams of words, which tell words apart that nobody has seen before (DSSM, section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping


def trigrams(word: str) -> list[str]:
    """Every three letters in a row of a word between two marks: "#ab#" gives "#ab" and "ab#" (DSSM, section 3.2)."""
    marked = f"#{word}#"
    return [marked[start : start + 3] for start in range(len(marked) - 2)]


def most_frequent(counts: Mapping[str, int], most: int) -> tuple[str, ...]:
    """The names with the largest counts, at most so many, the largest first and those of one count by the alphabet."""
    return tuple(sorted(counts, key=lambda one: (-counts[one], one))[:most])

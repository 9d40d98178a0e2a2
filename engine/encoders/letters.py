"""The letter trigrams of words, which represent unseen words too (DSSM, section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping


def trigrams(word: str) -> list[str]:
    """Every three neighbouring letters of a word between marks: "#ab#" gives "#ab" and "ab#" (DSSM, section 3.2)."""
    marked = f"#{word}#"
    return [marked[start : start + 3] for start in range(len(marked) - 2)]


def most_frequent(counts: Mapping[str, int], most: int) -> tuple[str, ...]:
    """At most `most` names with the largest counts, largest first; equal counts are in alphabetical order."""
    return tuple(sorted(counts, key=lambda one: (-counts[one], one))[:most])

"""The verdict on a list in a sentence, counted from the words of its hits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.documents import KINDS, Kind
from engine.readings import SAME_FIELD, WORDS, Reading
from engine.text import how_many

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SAID = (
    ("says much the same", "say much the same"),
    ("is closely related", "are closely related"),
    ("is in the same field", "are in the same field"),
    ("only shares vocabulary", "only share vocabulary"),
    ("is unrelated", "are unrelated"),
)
"""Each word of a reading in a sentence on one hit, and on several."""

_NOUNS: dict[Kind, str] = {"paper": "paper", "patent": "patent", "query": "question"}


def counted(hits: Sequence[tuple[Kind, Reading]], *, quoted: int = 0) -> str:
    """How many hits of each kind are how near, in a sentence: "Two papers say much the same; eight are in ...".

    Empty where none is of the same field or nearer: a count of what is far says less than the list's own verdict.
    `quoted` counts the hits with a passage that says most of the question.
    """
    groups = [[kind for kind, reading in hits if reading.rank == rank] for rank in range(len(WORDS))]
    if not any(groups[: SAME_FIELD + 1]):
        return ""
    one_kind = len({kind for kind, _ in hits}) == 1
    parts: list[str] = []
    for kinds, (singular, plural) in zip(groups, _SAID, strict=True):
        if kinds:
            who = number(len(kinds)) if one_kind and parts else _who(kinds)
            parts.append(f"{who} {singular if len(kinds) == 1 else plural}")
    sentence = "; ".join(parts)
    behind = f" A passage of {number(quoted)} says most of your text." if quoted else ""
    return f"{sentence[0].upper()}{sentence[1:]}.{behind}"


def number(count: int) -> str:
    """A count as it is written in a sentence: in a word up to twelve."""
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def _who(kinds: Sequence[Kind]) -> str:
    """Papers and patents, each with their number."""
    counts = Counter(kinds)
    nouns = [(counts[kind], _NOUNS[kind]) for kind in KINDS if counts[kind]]
    return " and ".join(f"{number(count)} {how_many(count, noun).split()[-1]}" for count, noun in nouns)

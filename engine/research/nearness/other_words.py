"""Says a text in other words: without a third of its words, or with WordNet's synonyms."""

from __future__ import annotations

import random
import re
from pathlib import Path

from engine.core.errors import EvaluationError

_DROPPED = 1 / 3
_WORD = re.compile(r"[^\W\d_]+")
_PARTS = ("noun", "verb", "adj", "adv")


def dropped(text: str, draw: random.Random) -> str:
    """A text without a third of its words."""
    words = text.split()
    gone = set(draw.sample(range(len(words)), round(_DROPPED * len(words))))
    return " ".join(word for place, word in enumerate(words) if place not in gone)


def changed(text: str, draw: random.Random, synonyms: Synonyms) -> str:
    """A text in which every word that has synonyms is one of them."""

    def other(match: re.Match[str]) -> str:
        found = synonyms.of(match[0].lower())
        return draw.choice(found) if found else match[0]

    return _WORD.sub(other, text)


class Synonyms:
    """For each word of one part, those that share its first sense, the most frequent first.

    A word's part of speech is the one whose senses were tagged most often in WordNet's texts (the index file's
    tagsense_cnt); of several with equal counts, the first of noun, verb, adjective and adverb.
    """

    def __init__(self, folder: Path) -> None:
        """Read the files of a folder. Raises EvaluationError where one is missing."""
        missing = [
            name for part in _PARTS for name in (f"index.{part}", f"data.{part}") if not (folder / name).is_file()
        ]
        if missing:
            raise EvaluationError(
                f"Expected WordNet's files in {folder}, {missing[0]} is missing. Install wordnet-base, or name the "
                "folder that holds index.noun and data.noun."
            )
        self._senses: dict[str, tuple[int, str, str]] = {}
        self._words: dict[tuple[str, str], tuple[str, ...]] = {}
        for part in _PARTS:
            for fields in _rows(folder / f"data.{part}"):
                count = int(fields[3], 16)
                self._words[part, fields[0]] = tuple(fields[4 : 4 + 2 * count : 2])
            for fields in _rows(folder / f"index.{part}"):
                pointers, senses = int(fields[3]), int(fields[2])
                tagged, first = int(fields[5 + pointers]), fields[6 + pointers]
                held = self._senses.get(fields[0])
                if senses and (held is None or tagged > held[0]):
                    self._senses[fields[0]] = (tagged, part, first)

    def of(self, word: str) -> tuple[str, ...]:
        """Other single words, in small letters, that share the first sense of a word in small letters."""
        held = self._senses.get(word)
        if held is None:
            return ()
        names = (name.partition("(")[0].lower() for name in self._words[held[1], held[2]])
        return tuple(dict.fromkeys(name for name in names if name != word and name.isalpha()))


def _rows(path: Path) -> list[list[str]]:
    """The lines of a file but its licence, which begins each of its lines with spaces."""
    return [line.split() for line in path.read_text("utf-8").splitlines() if not line.startswith("  ")]

"""Makes a second version of a document, in which it is known what is new, rewritten, moved and dropped.

A text is said in other words: without a third of its words, or with WordNet's synonyms.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from engine.compare.versions import CHANGE_KINDS, UNCHANGED
from engine.core.errors import EvaluationError
from engine.documents import Chunk, Document, Section
from engine.documents.text import sentences

_DROPPED = 1 / 3
_WORD = re.compile(r"[^\W\d_]+")
_PARTS = ("noun", "verb", "adj", "adv")


def dropped(text: str, draw: random.Random) -> str:
    """Return a text without a third of its words."""
    words = text.split()
    gone = set(draw.sample(range(len(words)), round(_DROPPED * len(words))))
    return " ".join(word for place, word in enumerate(words) if place not in gone)


def changed(text: str, draw: random.Random, synonyms: Synonyms) -> str:
    """Return a text in which every word that has synonyms is one of them."""

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
        """Return other single words, in small letters, that share the first sense of a word in small letters."""
        held = self._senses.get(word)
        if held is None:
            return ()
        names = (name.partition("(")[0].lower() for name in self._words[held[1], held[2]])
        return tuple(dict.fromkeys(name for name in names if name != word and name.isalpha()))


def _rows(path: Path) -> list[list[str]]:
    """Return the lines of a file but its licence, which begins each of its lines with spaces."""
    return [line.split() for line in path.read_text("utf-8").splitlines() if not line.startswith("  ")]


PARAGRAPH_WORDS = 80
"""The fewest words of a paragraph that is changed."""

SHARE = 0.08
"""Of a document's paragraphs, the share that each way of changing is used on; at least one."""

_FEWEST = 8  # paragraphs, so that each way has its own
_END = re.compile(r"[.!?]?\s*$")

Reword = Callable[[str, random.Random], str]
Stretch = tuple[int, int, int, str]
"""Part, start, stop, and what became of it."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A document, its second version, and the stretches of either that differ, with what became of them."""

    old: Document
    new: Document
    of_old: tuple[Stretch, ...]
    of_new: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A paragraph with the white space behind it; `at` is its place in the first version, None for a new one."""

    text: str
    kind: str = UNCHANGED
    at: tuple[int, int] | None = None


def revision(
    document: Document,
    other: Document,
    draw: random.Random,
    reword: Mapping[str, Reword],
    *,
    told: Reword | None = None,
) -> Revision | None:
    """Return a second version of a document, with paragraphs of another one; None where either has too few.

    Paragraphs are drawn for each of new (before one of the document), moved (to another section, or at least three
    paragraphs away in a document of one), dropped, and each way to `reword`, by which every sentence is rewritten.
    `told` rewords the other document's paragraphs, too.
    """
    sections = [_pieces(section) for section in document.sections]
    places = [(number, at) for number, held in enumerate(sections) for at in range(len(held))]
    foreign = [piece for section in other.sections for piece in _pieces(section) if _is_long(piece.text)]
    long = [place for place in places if _is_long(sections[place[0]][place[1]].text)]
    if len(long) < _FEWEST or not foreign:
        return None
    count = max(1, round(SHARE * len(long)))
    ways = ["moved", "dropped", *reword]
    drawn = draw.sample(long, min(len(long), count * len(ways)))
    way_of = {place: ways[number % len(ways)] for number, place in enumerate(drawn)}
    written: dict[tuple[int, int], list[_Piece]] = {place: [] for place in places}
    for place in places:
        piece = sections[place[0]][place[1]]
        way = way_of.get(place)
        if way is None:
            written[place].append(piece)
        elif way in reword:
            written[place].append(replace(piece, text=_reworded(piece.text, draw, reword[way]), kind="rewritten"))
    for place, way in way_of.items():
        if way == "moved":
            written[draw.choice(_away(place, places))].append(replace(sections[place[0]][place[1]], kind="moved"))
    for piece in draw.sample(foreign, min(len(foreign), count)):
        text = piece.text if told is None else _reworded(piece.text, draw, told)
        written[draw.choice(places)].insert(0, _Piece(text, "new"))
    return _as_revision(
        document,
        [[written[place] for place in places if place[0] == n] for n in range(len(sections))],
        {place: way if way in CHANGE_KINDS else "rewritten" for place, way in way_of.items()},
        sections,
    )


def label_of(sentence: Chunk, stretches: Sequence[Stretch]) -> str:
    """Return what became of a sentence: that of the stretch that holds its middle."""
    middle = (sentence.start + sentence.stop) // 2
    return next(
        (kind for part, start, stop, kind in stretches if part == sentence.part and start <= middle < stop), UNCHANGED
    )


def _as_revision(
    document: Document,
    written: Sequence[Sequence[Sequence[_Piece]]],
    became: Mapping[tuple[int, int], str],
    sections: Sequence[Sequence[_Piece]],
) -> Revision:
    first = len(document.parts) - len(document.sections) - len(document.claims)
    of_old = [
        (first + number, *(piece.at or (0, 0)), became[number, at])
        for number, held in enumerate(sections)
        for at, piece in enumerate(held)
        if (number, at) in became
    ]
    of_new: list[Stretch] = []
    made: list[Section] = []
    for number, held in enumerate(written):
        text = ""
        for piece in (piece for group in held for piece in group):
            if piece.kind != UNCHANGED:
                of_new.append((first + number, len(text), len(text) + len(piece.text), piece.kind))
            text += piece.text
        made.append(replace(document.sections[number], text=text, pages=(), boxes=(), recognised=()))
    kept = replace(document, id=f"{document.id} revised", sections=tuple(made))
    return Revision(document, kept, tuple(of_old), tuple(of_new))


def _pieces(section: Section) -> list[_Piece]:
    """Return a section's text cut before sentences into paragraphs of enough words; none of a reference list."""
    if section.role != "body":
        return [_Piece(section.text, at=(0, len(section.text)))]
    text, starts, length = section.text, [0], 0
    for span in sentences(text):
        if length >= PARAGRAPH_WORDS:
            starts.append(span.start)
            length = 0
        length += len(text[span.start : span.stop].split())
    edges = [*starts, len(text)]
    pieces = [_Piece(text[start:stop], at=(start, stop)) for start, stop in pairwise(edges)]
    return [
        replace(one, text=_END.sub(lambda end: end[0] if end[0][-1:].isspace() else f"{end[0]} ", one.text))
        for one in pieces
    ]


def _is_long(text: str) -> bool:
    return len(text.split()) >= PARAGRAPH_WORDS


def _away(place: tuple[int, int], places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return where a paragraph can move to."""
    others = [one for one in places if one[0] != place[0]]
    return others or [one for one in places if abs(one[1] - place[1]) > 2]


def _reworded(text: str, draw: random.Random, reword: Reword) -> str:
    """Return every sentence in other words, still a sentence."""
    told = [reword(text[span.start : span.stop], draw).rstrip(" .") for span in sentences(text)]
    return " ".join(f"{one[:1].upper()}{one[1:]}." for one in told if one) + " "

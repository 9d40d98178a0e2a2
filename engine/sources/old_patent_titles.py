"""Finds the title of a US patent of the nineteenth century in the scan of its first pages.

A title stands in up to three places, each misread differently: printed in capitals under the inventor's name; on every
sheet of drawings; and in the sentence "have invented certain new and useful Improvements in ...". The printed one is
taken if its words are known; else the sheet's that resembles it; else the printed one, mended with words of the
description.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.sources.ocr_words import join

_OFFICE = re.compile(r"[A-Z]{3,7}\W{1,4}STATES?\b|\bSTATES\W+[I ]*PATENT|PATENT\W+OFFIC", re.IGNORECASE)
_FORM = re.compile(r"form\w{0,4}\W{0,3}part|\bpart (?:of|cf|uf)\b|letters? patent|dated [A-Z]\w+ ?\d", re.IGNORECASE)
_INVENTOR = re.compile(
    r"[,.;] ?[O0][FE] [A-Z]|^OF [A-Z]|^AND [A-Z]|ASSIGNOR|SAME PLACE|^ONE-?.?HAL[FE]|\bCOMPANY,|\bSAID [A-Z]"
)
_SHEET_FURNITURE = re.compile(
    r"\bno\.? ?\d|model|mode\.|sheets?\b|patented|witness|inventor|attorn|photo|lithog|peters|washing|\d{3}",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    r"invented\b.{0,60}?\bImprovements? ?(?:in|on|for|of|relating to) (?:the )?(.{4,120}?)"
    r"(?:[,;:.] ?(?:of which|of the|and I|and we|and do|do|fully|which|of)\b|; and|\. (?:The|My|I)\b)",
    re.DOTALL,
)
_CAPITAL, _SMALL_LETTER, _SMALL = re.compile("[A-Z]"), re.compile("[a-z]"), re.compile("[a-z]{3}")
_PLACE = re.compile(
    r"^.*\b(?:ALABAMA|ARKANSAS|CALIFORNIA|COLORADO|CONNECTICUT|DAKOTA|DELAWARE|COLUMBIA|FLORIDA|GEORGIA|ILLINOIS|"
    r"INDIANA|IOWA|KANSAS|KENTUCKY|LOUISIANA|MAINE|MARYLAND|MASSACHUSETTS|MICHIGAN|MINNESOTA|MISSISSIPPI|MISSOURI|"
    r"MONTANA|NEBRASKA|NEVADA|HAMPSHIRE|JERSEY|MEXICO|NEW YORK|N\. ?Y|CAROLINA|OHIO|OREGON|PENNSYLVANIA|"
    r"RHODE ISLAND|TENNESSEE|TEXAS|UTAH|VERMONT|[VW]IRGINIA|WASHINGTON|[VW]ISCONSIN|ENGLAND|GERMANY|FRANCE|CANADA)\W+"
)
_LETTERS = re.compile(r"[a-z]+")
_HEAD_LINES = 16
_GOOD = 0.93
_COMMON, _VERY_COMMON = 20, 100


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a specification: who, what, and the line after which its text begins."""

    inventor: str
    title: str
    body_line: int


def find_head(lines: Sequence[str]) -> Head:
    """Find the inventor's lines, the printed title, and the line after "forming part of Letters Patent"."""
    office = next((n for n, line in enumerate(lines) if _OFFICE.search(line) and line.isupper()), None)
    first = 0 if office is None else office + 1
    span = len(lines) if office is None else first + _HEAD_LINES
    form = next((n for n in range(first, min(span, len(lines))) if _FORM.search(lines[n])), None)
    if form is None:
        return Head("", "", first)
    start = first if office is not None else max(0, form - 5)
    block = [line for line in lines[start:form] if _letters(line) >= 3 and not _OFFICE.search(line)]
    cut = _title_start(block)
    return Head(" ".join(block[:cut]), _PLACE.sub("", " ".join(block[cut:])), form + 1)


def best_title(printed: str, sheets: Sequence[str], body: str, words: Mapping[str, int]) -> str:
    """The title in sentence case, from its three witnesses; "" where all are lost."""
    own = _own_words(body, words)
    shown, tidy_sheets = _tidy(printed), [_tidy(line) for line in sheets]
    likeness = 0.9 if _known(shown, own, words) >= _GOOD else 0.6
    alike = [line for line in tidy_sheets if _alike(line, printed, likeness)]
    candidates = [candidate for candidate in (shown, *alike, mend(printed, own, words)) if candidate]
    best = max(
        candidates, key=lambda title: (_known(title, own, words), -len(_LETTERS.findall(title.lower()))), default=""
    )
    found = _SPOKEN.search(body[:2500])
    spoken = _tidy(" ".join(found.group(1).split())) if found else ""
    if best and (_known(best, own, words) >= _GOOD or len(spoken) < 0.5 * len(best)):
        return _sentence_case(best)
    lone = max(tidy_sheets, key=lambda title: (_known(title, own, words), len(title)), default="")
    return _sentence_case(spoken or (lone if _known(lone, own, words) >= _GOOD else ""))


def sheet_lines(lines: Sequence[str], inventor: str) -> list[str]:
    """The lines in capitals on the sheets of drawings that may be titles, alone and with the line that follows."""
    names = set(re.findall(r"[A-Z]{3,}", inventor.split(", OF ")[0]))
    plain = (line for line in lines if not _SHEET_FURNITURE.search(line) and not _OFFICE.search(line))
    found = [line for line in plain if is_capitals(line)]
    found = [line for line in found if not names & set(re.findall(r"[A-Z]{3,}", line))]
    return found + [f"{one} {other}" for one, other in pairwise(found)]


def is_capitals(line: str) -> bool:
    """Whether a line is in capitals, except for a misread letter here and there."""
    if _SMALL.search(line):
        return False
    capitals, small = len(_CAPITAL.findall(line)), len(_SMALL_LETTER.findall(line))
    return capitals >= 3 and capitals >= 0.85 * (capitals + small) and capitals > 0.5 * len(line)


def mend(title: str, own: set[str], words: Mapping[str, int]) -> str:
    """A title whose broken or misread words are replaced by those that the description uses."""
    pieces = re.findall(r"[A-Za-z]+|[-,&;]", _tidy(title).lower())
    return "".join(_mended(pieces, own, words)).strip()


def _mended(pieces: list[str], own: set[str], words: Mapping[str, int]) -> Iterator[str]:
    place = 0
    while place < len(pieces):
        piece = pieces[place]
        if not piece.isalpha():
            yield piece
            place += 1
            continue
        taken, word = _mend_one(pieces[place : place + 4], own, words)
        yield word if place and pieces[place - 1] == "-" else f" {word}"
        place += taken


def _mend_one(pieces: list[str], own: set[str], words: Mapping[str, int]) -> tuple[int, str]:
    """How many pieces make the next word, and the word."""
    first = pieces[0]
    run = pieces[: _run_length(pieces)]
    wholes = ["".join(run[:number]) for number in range(1, len(run) + 1)]
    for number in range(len(wholes), 1, -1):
        broken = not all(_is_word(piece, own, words) for piece in run[:number])
        if broken and (wholes[number - 1] in own or join(first, "".join(run[1:number]), words)):
            return number, wholes[number - 1]
        if broken and len(wholes[number - 1]) > 5 and (near := _nearest(wholes[number - 1], own, 0.88)):
            return number, near
    if _is_word(first, own, words):
        return 1, first
    for number, whole in enumerate(wholes, start=1):
        if len(whole) > 3 and (near := _nearest(whole, own)):
            return number, near
    for cut in range(4, len(first) - 3):  # two words that the scan ran together
        if words.get(first[:cut], 0) >= _VERY_COMMON and words.get(first[cut:], 0) >= _VERY_COMMON:
            return 1, f"{first[:cut]} {first[cut:]}"
    return 1, first


def _nearest(piece: str, own: set[str], least: float = 0.78) -> str:
    """The word of nearly the same length and letters, which begins or ends as the piece does; "" for none."""
    may_be = [
        word
        for word in own
        if word[-1] == piece[-1]
        and abs(len(word) - len(piece)) < 3
        and (word[0] == piece[0] or word[-3:] == piece[-3:])
    ]
    return next(iter(difflib.get_close_matches(piece, may_be, 1, least)), "")


def _run_length(pieces: list[str]) -> int:
    return next((number for number, piece in enumerate(pieces) if not piece.isalpha()), len(pieces))


def _own_words(body: str, words: Mapping[str, int]) -> set[str]:
    """The words of a description, without pieces and misreadings that occur once."""
    counts = Counter(_LETTERS.findall(body.lower()))
    return {word for word, count in counts.items() if words.get(word, 0) >= 3 or (count >= 3 and len(word) > 3)}


def _title_start(block: list[str]) -> int:
    """Where the title begins: after the last line of the inventors and assignees."""
    last = max((number for number, line in enumerate(block) if _INVENTOR.search(line.upper())), default=-1)
    if last < 0:
        return min(1, max(0, len(block) - 1))
    while last + 2 < len(block) and not re.search(r"[.:;]\W*$", block[last]):
        last += 1
    return last + 1


def _known(title: str, own: set[str], words: Mapping[str, int]) -> float:
    """The share of a title's letters that stand in known words; a lone letter is not known."""
    pieces = _pieces(title)
    known = sum(len(piece) for piece in pieces if _is_word(piece, own, words))
    return known / max(1, sum(map(len, pieces)))


def _is_word(piece: str, own: set[str], words: Mapping[str, int]) -> bool:
    if len(piece) < 3:
        return words.get(piece, 0) >= 2000 and len(piece) == 2
    return piece in own or words.get(piece, 0) >= _COMMON


def _alike(one: str, other: str, least: float) -> bool:
    first, second = (re.sub(r"[^a-z]", "", text.lower()) for text in (one, other))
    return bool(first and second) and difflib.SequenceMatcher(None, first, second).ratio() >= least


def _pieces(title: str) -> list[str]:
    return _LETTERS.findall(title.lower())


def _tidy(title: str) -> str:
    """A title without debris and what follows its sentence, with 0 for the letter O mended."""
    title = re.sub(r"^\W*I?\W*MI? ?PROVEMENT", "IMPROVEMENT", title)
    title = re.sub(r"(?<=\w\w)\. +[A-Z][a-z]+ [a-z].*$", "", title)
    title = re.sub(r"(?<=[A-Za-z])0+|0+(?=[A-Za-z])", lambda zeros: "O" * len(zeros.group()), title)
    title = re.sub(r"\s*-\s*", "-", " ".join(re.sub(r"[^\w\s&,;'-]+", " ", title).split()))
    return title.strip(" .,;:-'\"*|_~^").rstrip()


def _sentence_case(title: str) -> str:
    title = title.lower()
    return title[:1].upper() + title[1:]


def _letters(line: str) -> int:
    return sum(letter.isalpha() for letter in line)

"""The names in an author's entry of LaTeX source, among marks, degrees, places and addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from engine.documents.text import clean

HARD, SOFT, LINE, NOTE = "\x1e", "\x1d", "\x1c", "\x1f"
"""Stand between two entries, between two names of a line, at a line's end, and where a note's mark stood."""

_ENTRIES = re.compile(rf"{HARD}|{LINE}[ \n\t]*{LINE}")
_CONTINUED = re.compile(rf"(?:[,;&]|\b(?:and|und|et))[ \n\t{NOTE}]*{LINE}|{LINE}[ \n\t]*(?=(?:and|und|et)\b)")
_PARTS = re.compile(
    rf"[,;&|{SOFT}{NOTE}]|\b(?:and|und|et)\b|"
    r"(?<=\w\w) (?:e|y|en|och|og|i) (?=\w+\.? \w)"
)
_NAME = re.compile(r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){1,5}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,6}")
_WORD = re.compile(r"[^\W\d_][\w'’-]+")
_GIVEN = re.compile(r"[^\W\d_](?:[\w'’-]+|\.)(?:[ -]?[^\W\d_]\.)*")
_BEFORE = re.compile(
    r"^(?:(?:by|By|BY|with|With|par|von|di|por|(?i:dr|prof|professor|mr|mrs|ms|ing|dipl|dott|mag|sir))\b\.?\s*)+"
)
_AFTER = re.compile(
    r"(?:(?:ph\.? ?d|m\.? ?d|m\.? ?sc|b\.? ?sc|m\.?a|b\.?a|dphil|mba|rn|dr|frs|facs|esq)\.? ?){1,4}|"
    r"(?:(?:(?:senior|student|life|graduate|associate) )*(?:member|fellow)|ieee|acm|asce|osa|aiaa|asme|siam)",
    re.IGNORECASE,
)
_GENERATION = re.compile(r"(?:Jr|Sr)\.?|I{2,3}|IV")
_PLACE = re.compile(
    r"\b(?:universi|institut|dep(?:t|art)|laborato|labs?\b|college|school|facult|fakult|cent(?:er|re|ro)\b|hospital|"
    r"academy|academia|acad[eé]mie|inc\b|corp|ltd|gmbh|technolog|street|avenue|division|ministry|observator|"
    r"foundation|association|organi[sz]ation|society of|consiglio|consejo|conseil|politec|polytech|e-?mail|"
    r"affiliation|address)",
    re.IGNORECASE,
)
_NO_NAME = re.compile(r"anonymous|(?:authors?|names?)$|et al\.?|correspond|submitted|in collaboration", re.IGNORECASE)
_STOPPED = re.compile(r"(?:(?:^|[ .-])[^\W\d_]|\b[JS]r|\b[A-Z]h)\.$")
_LETTERS = re.compile(r"\b\d{1,3}(?:st|nd|rd|th)\b|[*†‡§¶\d\u204e\u2217]")


def names_in(text: str, step: Callable[[], None]) -> Iterator[str]:
    """The names of each entry: those of its first line, and of the next ones while they go on in the same way.

    `step` hears of each entry, and may raise to stop.
    """
    for entry in _ENTRIES.split(text):
        step()
        yield from _entry(entry)


def is_place(text: str) -> bool:
    """Whether a line names an institution or gives an address."""
    return _PLACE.search(text) is not None or "@" in text


def line_of_names(text: str) -> list[str]:
    """The names of a line that holds nothing else, or two at least before it does."""
    names, whole = _names(text)
    return names if whole or len(names) > 1 else []


def _entry(entry: str) -> Iterator[str]:
    lines = [line for line in _CONTINUED.sub(lambda found: f"{found[0].replace(LINE, ' ')}", entry).split(LINE)]
    lines = [line for line in lines if _LETTERS.sub("", line).strip(f" \n,{NOTE}{SOFT}")]
    if not lines:
        return
    first, _ = _names(lines[0])
    if not first and len(lines) > 1 and len(lines[0].split()) < 3:
        lines = lines[1:]  # "by"
        first, _ = _names(lines[0])
    yield from first
    for line in lines[1:]:
        marked = NOTE in lines[0] and NOTE in line and not line.lstrip(" \n\t\x02").startswith(NOTE)
        beside = SOFT in lines[0] and SOFT in line and NOTE not in line
        names, whole = _names(line)
        if not (whole and first and (marked or beside)):
            return
        yield from names


def _is_written_as_name(text: str) -> bool:
    """Whether a capital stands in a text, or its writing has none."""
    return text != text.lower() or text == text.upper()


def _part(text: str) -> str:
    """One of the parts of a line, without marks; the stop after initials stays."""
    part = " ".join(_LETTERS.sub(" ", clean(text)).split()).strip(' :()[]"\x02').lstrip(".")
    return part if _STOPPED.search(part) else part.rstrip(". ")


def _names(line: str) -> tuple[list[str], bool]:
    """The names that begin a line, and whether it holds nothing else."""
    found = list[str]()
    parts = [part for text in _PARTS.split(line) if (part := _part(text))]
    if len(parts) == 2 and not _NAME.fullmatch(parts[0]) and _WORD.fullmatch(parts[0]) and _GIVEN.fullmatch(parts[1]):
        return [f"{parts[1]} {parts[0]}"], True
    for place, part in enumerate(parts):
        name = _BEFORE.sub("", part)
        if found and _GENERATION.fullmatch(part):
            found[-1] += f" {part}"
        elif _AFTER.fullmatch(part) or "@" in part:
            continue
        elif _NAME.fullmatch(name) and not is_place(part) and not _NO_NAME.match(name) and _is_written_as_name(name):
            found.append(name)
        else:
            return found, place == len(parts) - 1 and not part
    return found, bool(found)

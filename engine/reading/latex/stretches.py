"""Stripped text of LaTeX source into stretches: paragraphs, titles, and what an abstract holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from engine.documents.text import one_line
from engine.reading.latex import styles
from engine.reading.latex.authors import HARD, LINE, NOTE, SOFT
from engine.reading.text import headings
from engine.reading.text.outline import Stretch

TRACE = "\x02"
"""Stands where a command stood; `clean` leaves no control characters in the source."""
HEADING = "\x0e"
"""Stands before a heading within an abstract."""
SMALL, USUAL = "\x06", "\x07"
"""Stand in a title where small print begins and ends."""
_CONTROLS = re.compile(f"[{HARD}{LINE}{SOFT}{NOTE}{TRACE}{SMALL}{USUAL}]")
_MARK = re.compile(
    r"[*†‡§¶#]{1,3}|\$\s*+(?:\{\})?\^?\s*+\{?\s*+(?:\*++|\\(?:d?dagger|star|ast|S|P|diamond|sharp|natural|bullet))\s*+\}?\s*+\$"
)
_NUMBER = re.compile(r"^\d{1,2}[.)]?\s+")
_NOTE_IN_TITLE = re.compile(f"{SMALL}[^{USUAL}]*+(?:{USUAL}|\\Z)")
_SPACE_BEFORE = re.compile(r"[ \n](?=[.,;:)\]])|[ \n]\([ ;,]*\)")


@lru_cache(maxsize=1024)
def role_of(name: str) -> headings.Role | None:
    """The role of an environment whose name is a heading in some language."""
    found = headings.find([name.capitalize(), "1. A"], 0, "body") if 5 < len(name) < 20 else None
    return found.role if found is not None else None


def is_mark(text: str) -> bool:
    """Whether a formula, or what is raised, only points to a note."""
    return _MARK.fullmatch(text.strip()) is not None


def parts_of_abstract(text: str) -> Iterator[Stretch]:
    """An abstract, and its keywords, if they stand in it; a heading within goes before its text, with a colon."""
    kept, words, heading, in_words = list[str](), list[str](), "", False
    for paragraph in paragraphs(text).split("\n\n"):
        whole = paragraph.strip()
        named = whole.startswith(HEADING)
        whole = whole.strip(HEADING)
        label = headings.find([whole, "1. A"], 0, "body") if len(whole) < 4000 else None
        role = label.role if label is not None else ""
        if role == "keywords" and label is not None:
            in_words = True
            words.append(label.rest)
        elif role == "abstract" and label is not None and not kept:
            kept.extend([label.rest] if label.rest else [])
        elif named:
            heading, in_words = _NUMBER.sub("", whole).rstrip(":. "), False
        elif in_words:
            words.append(whole)
        elif whole:
            kept.append(f"{heading}: {whole}" if heading else whole)
            heading = ""
    if kept:
        yield stretch("Abstract", "abstract", "\n\n".join(kept))
    if any(words):
        yield stretch("Keywords", "keywords", parted("; ".join(words)))


def parted(text: str) -> str:
    """Keywords with commas or semicolons between them."""
    text = styles.unmarked(text).replace(LINE, ";")
    return text if re.search("[,;]", text) else re.sub(r"\s[–—-]\s", "; ", text)


def title_line(text: str) -> str:
    """A title or a heading in one line, without its notes."""
    without = _NOTE_IN_TITLE.sub("", text)
    text = without if re.search(r"[^\W_]", without) else text
    text = styles.unmarked(text).replace(LINE, " ")
    return _spaced(one_line(_CONTROLS.sub("", text)))


def stretch(title: str, role: headings.Role = "body", text: str = "") -> Stretch:
    """A stretch with the paragraphs of some text."""
    return Stretch(title, role, [paragraphs(text)], wrapped=False)


def paragraphs(text: str) -> str:
    """The paragraphs of some text, each in one line, but for items of lists, which have lines of their own."""
    pieces: list[str] = []
    for written in styles.unmarked(text).split("\n"):
        line = " ".join(written.replace(TRACE, "").split())
        if not line and TRACE in written:
            continue
        if not line:
            pieces.append("\n\n")
        elif line.startswith("- ") or not pieces or pieces[-1][-1] == "\n":
            pieces.extend(["\n", line])
        else:
            pieces.extend([" ", line])
    return _spaced("".join(pieces))


def _spaced(text: str) -> str:
    """Text without the blanks and brackets that citations leave."""
    return _SPACE_BEFORE.sub("", text)

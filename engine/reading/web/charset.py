"""The bytes of a web page as text, by the rules of browsers: a mark, then what the page declares, then a guess."""

from __future__ import annotations

import re

from engine.reading.encoding import guessed_encoding, mark
from engine.reading.encoding_names import codec, spoken_encoding

_DECLARED_WITHIN = 4096
_DECLARED = re.compile(rb"(?:charset|encoding)\s{0,9}=\s{0,9}[\"']?\s{0,9}([A-Za-z0-9_:.+-]{2,40})", re.IGNORECASE)
_OF_BROWSERS = "cp1252"


def page_text(data: bytes, declared: str = "") -> tuple[str, str]:
    """A page's text, and a sentence on what did not fit its encoding, mostly empty.

    `declared` is what an envelope such as MHTML says of the page.
    """
    named, skip = mark(data)
    if skip:
        return _decoded(data[skip:], named)
    found = _DECLARED.search(data[:_DECLARED_WITHIN])
    named = declared or (found[1].decode("ascii") if found is not None else "")
    try:
        return data.decode("utf-8"), ""  # nothing else of some length passes for it, whatever a page declares
    except UnicodeDecodeError:
        if known := codec(named):
            return _decoded(data, known)
        guess = guessed_encoding(data) or _OF_BROWSERS
        text, lost = _decoded(data, guess)
        return text, lost or f"The page names no encoding that we know; it was read as {spoken_encoding(guess)}."


def _decoded(data: bytes, encoding: str) -> tuple[str, str]:
    text = data.decode(encoding, errors="replace")
    lost = text.count("\ufffd")
    if not lost:
        return text, ""
    what = "character does" if lost == 1 else "characters do"
    return text, f"{lost:,} {what} not fit the page's encoding, {encoding}; the text has a mark there."

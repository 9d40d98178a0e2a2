"""Characters that every reader takes out or evens out before text goes into a document."""

from __future__ import annotations

import re
import unicodedata

_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_UNSEEN = "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
_INVISIBLE = re.compile(f"[{_UNSEEN}]")
_ODD = re.compile(f"[{_UNSEEN}\x0b\x0c\r\x85\u2028\u2029\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}  # ff, fi, fl, ffi ...


def clean(text: str) -> str:
    """Text in Unicode's composed form, its lines ended by line feeds and its ligatures spelt out.

    Control characters, soft hyphens, zero-width spaces and marks that turn the writing direction
    go: they split words, cut text short in a database, or make it look like other text. Lone
    surrogates cannot be stored as UTF-8, so each becomes the replacement character.
    """
    if _ODD.search(text):  # most texts hold none, and one pass is cheaper than three
        text = _SURROGATE.sub("\ufffd", _INVISIBLE.sub("", _LINE_ENDS.sub("\n", text)))
    return text if text.isascii() else unicodedata.normalize("NFC", text.translate(_LIGATURES))


def one_line(text: str) -> str:
    """Text cleaned, with every run of white space as one space."""
    return " ".join(clean(text).split())


def tidy(text: str) -> str:
    """Text cleaned, with its paragraphs and lines kept: one space, one line end, at most one blank line."""
    lines = [" ".join(line.split()) for line in clean(text).split("\n")]
    text = "\n".join(lines).strip()
    return re.sub(r"\n{3,}", "\n\n", text) if "\n\n\n" in text else text

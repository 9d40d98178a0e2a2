"""The names in what LaTeX's author commands hold, between affiliations, addresses and marks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.readers.clean import one_line

BETWEEN = "\x1e"
"""Stands between two authors' entries, where the source has a command that parts them."""

_NAME = re.compile(r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){1,5}")
_BETWEEN_NAMES = re.compile(r",|;|\band\b|&")
_ENTRIES = re.compile(rf"{BETWEEN}|\n[ \t]*\n[ \t]*\n")


def names_in(text: str) -> Iterator[str]:
    """The names of each entry: its first line, and the next where that ends in a comma.

    A line of an entry ends in the source as on paper: one blank line is within an entry, two part them.
    """
    for entry in _ENTRIES.split(text):
        line = re.sub(r"(,|\band)[ \t]*\n\s*", r"\1 ", entry.strip()).partition("\n")[0]
        for part in _BETWEEN_NAMES.split(re.sub(r"\$[^$]*\$|[\d*†‡]", " ", one_line(line))):
            name = _NAME.fullmatch(" ".join(part.split()))
            if name is not None:
                yield name[0]
            elif part.strip():
                break

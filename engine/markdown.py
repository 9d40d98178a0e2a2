"""Text of documents and queries within Markdown that others open: shown as it is written, never read as markup."""

from __future__ import annotations

_MARKS = frozenset("\\`*_[]<>|!~#&$")


def plain(text: str) -> str:
    """A text on one line with every mark escaped, the backslash too, so that it fits a heading or a table's cell.

    Nothing in it is a link, a picture that a viewer would fetch, or the end of its cell.
    """
    return "".join(f"\\{character}" if character in _MARKS else character for character in " ".join(text.split()))

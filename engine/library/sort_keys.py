"""The form by which titles are put in order, and the order in which documents were added."""

from __future__ import annotations

import re
import sqlite3

from engine.documents.text import without_accents

_LEADING = re.compile(r"^[\W_]+")
_CHARACTERS = 200


def sort_title(title: str) -> str | None:
    """A title in small letters, without accents and what stands before its first letter or digit; None without one."""
    return _LEADING.sub("", without_accents(title.casefold()))[:_CHARACTERS] or None


def add_all(connection: sqlite3.Connection) -> None:
    """Note both of every document of a library that was filled before it kept them."""
    connection.create_function("sort_title", 1, sort_title, deterministic=True)
    connection.execute("UPDATE documents SET added = position, sort_title = sort_title(title)")

"""Where a document of some id stands in a library's database, also when it is folded into another."""

from __future__ import annotations

import sqlite3

from engine.errors import UnknownDocumentError


def position_of(connection: sqlite3.Connection, id_: str) -> int:
    """The position of a document; a folded duplicate's id gives that of the document it is folded into.

    Raises UnknownDocumentError for an id that is not held.
    """
    row = connection.execute(
        "SELECT coalesce((SELECT position FROM documents WHERE id = :id),"
        " (SELECT position FROM aliases WHERE id = :id))",
        {"id": id_},
    ).fetchone()
    if row[0] is None:
        raise UnknownDocumentError(
            f"Expected the id of a document in the library; it holds none with the id {id_!r}. Search by title, or "
            "import the document first."
        )
    return int(row[0])

"""What people add to a library: notes, tags and read marks, judgements, collections, and decisions of a screening."""

from __future__ import annotations

import sqlite3

from engine.library.store import Library
from tests.contracts.library_notes import NotesContract
from tests.library.records import BOX


def test_a_document_without_notes_leaves_its_files_checksum_alone(library: Library) -> None:
    library.add_file("k1", "kites.jsonl", [BOX])
    library.remove([BOX.id])
    with sqlite3.connect(library.folder / "library.sqlite3") as connection:
        assert connection.execute("SELECT count(*) FROM remembered").fetchone() == (0,)
        assert connection.execute("SELECT * FROM remembered_keys").fetchall() == [("file:k1", "")]
    library.annotations.forget_removed()
    assert not library.had_file("k1")
    connection.close()


class TestNotes(NotesContract):
    """Over SQLite."""

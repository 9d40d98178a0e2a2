"""Versions of one work, folded in any order with all their numbers, and documents that come back after removal."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

from engine.documents import Identifier
from engine.exports import RECORD_FORMATS
from engine.library import Library
from tests.contracts.library_writing import NUMBERS, PREPRINT, PUBLISHED, THREE, WritingContract


def test_the_ids_of_versions_that_an_earlier_library_folded_are_had_back(library: Library) -> None:
    library.add_file("k", "one", [replace(PREPRINT, identifiers=())])
    with sqlite3.connect(library.folder / "library.sqlite3") as connection:
        rows = [(PUBLISHED.id,), ("doi:10.48550/arXiv.2101.00001",), ("gale2015",)]
        connection.executemany("INSERT INTO aliases SELECT ?, position FROM documents", rows)
    connection.close()
    assert library.known_as([Identifier("doi", "10.1234/Lamps.7")]) == [PREPRINT.id]  # before anything was mended
    assert library.give_numbers_back() == 1 and library.give_numbers_back() == 0
    assert library.known_as(NUMBERS[:1]) == [PREPRINT.id]
    assert "doi = {10.1234/Lamps.7}" in RECORD_FORMATS["bibtex"](library.get([PUBLISHED.id]))
    assert library.revision() == 0  # its text is as it was, and is not read again


def test_a_file_of_before_origins_were_kept_is_read_again(library: Library, tmp_path: Path) -> None:
    library.add_file("k", "three.bib", THREE)
    with sqlite3.connect(library.folder / "library.sqlite3") as connection:
        connection.execute("DELETE FROM origins")
    connection.close()
    assert library.add_file("k", "three.bib", THREE).added == 0
    assert library.has_whole_file("k") and library.documents_of_file("k") == [one.id for one in THREE]


class TestWriting(WritingContract):
    """Over SQLite."""

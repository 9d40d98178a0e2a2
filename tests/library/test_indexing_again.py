"""A library that version 8 indexed by tokens as written: it answers at once, and is indexed again, a part at a time."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import CancelledError
from engine.core.progress import Progress
from engine.documents import Document, text
from engine.library import Filters, Library, keywords
from tests.library.test_database import BACK_TO_VERSION_8

TITLES = (
    "The Schrödinger equation in naïve media",
    "机器学习模型的研究",
    "CO₂ capture by a non-linear method of β-sheets",
    "Plain words about pumps",
)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A folder with a library as version 8 wrote it: tokens as written, and names with all their letters."""
    documents = [
        Document(f"d{place}", "paper", title, authors=("Jan Łukasiewicz",)) for place, title in enumerate(TITLES)
    ]
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "n", documents)
        library.annotations.note(["d0"], "Ørsted knew")
    with sqlite3.connect(tmp_path / "library.sqlite3") as connection:
        for statement in (
            "DELETE FROM terms",
            "DELETE FROM postings",
            "INSERT INTO keywords (keywords) VALUES ('delete-all')",
        ):
            connection.execute(statement)
        for position, document in enumerate(documents, start=1):
            tokens = text.tokens(document.text)
            connection.execute(
                "INSERT INTO keywords (rowid, title, body) VALUES (?, ?, '')", (position, " ".join(tokens))
            )
            for token in tokens:
                connection.execute("INSERT OR IGNORE INTO terms (term) VALUES (?)", (token,))
            numbers = dict(connection.execute("SELECT term, number FROM terms"))
            counts = Counter(tokens)
            row = np.array([numbers[one] for one in counts], np.uint32), np.array([*counts.values()], np.uint16)
            connection.execute("INSERT INTO postings VALUES (?, ?, ?)", (position, *(one.tobytes() for one in row)))
        connection.execute("UPDATE people SET name = 'łukasiewicz' WHERE name = 'lukasiewicz'")
        connection.execute("UPDATE notes SET words = ' ørsted knew '")
        for statement in BACK_TO_VERSION_8:
            connection.execute(statement)
    connection.close()
    return tmp_path


def found(library: Library, line: str) -> list[str]:
    return library.ids(Filters(lines=(line,)))


def by_words(library: Library, question: str) -> list[str]:
    return [hit.id for hit in library.keywords.search(question, 9, stemmed=True)]


def test_keywords_and_names_are_found_before_anything_is_indexed_again(old: Path) -> None:
    with Library.open(old) as library:
        assert library.count_left_to_index() == 4
        assert by_words(library, "schrodinger") == by_words(library, "Schrödinger") == ["d0"]
        assert by_words(library, "学习") == ["d1"] and by_words(library, "CO2") == ["d2"]
        assert library.keywords.frequencies().get("机器") == 1
        assert found(library, "author:lukasiewicz") == found(library, "author:łukasiewicz") == ["d0", "d1", "d2", "d3"]
        assert found(library, "note:orsted") == ["d0"]
        assert found(library, "naïve") == ["d0"] and found(library, "机器学习模型的研究") == ["d1"]  # as before


def test_it_is_indexed_again_once_and_then_all_is_found(old: Path) -> None:
    told: list[Progress] = []
    with Library.open(old) as library:
        assert found(library, "naive") == [] and by_words(library, "nonlinear") == []
        library.index_again(told.append)
        assert library.count_left_to_index() == 0
        assert (told[-1].done, told[-1].total) == (4, 4)
        assert found(library, "naive") == found(library, "naïve") == ["d0"]
        assert found(library, "学习") == found(library, "学") == ["d1"] and found(library, "title:co2") == ["d2"]
        assert by_words(library, "nonlinear") == found(library, "nonlinear") == ["d2"]
        assert library.title_matches("机器学") == ["d1"]
        assert by_words(library, "βsheets") == ["d2"]
        library.index_again()
        assert library.remove(["d0"]) == ["d0"] and found(library, "naive") == []
    with sqlite3.connect(old / "library.sqlite3") as connection:
        listed = {term for (term,) in connection.execute("SELECT term FROM terms")}
    connection.close()
    assert {"naive", "学习"} < listed and not {"naïve", "机器学习模型的研究"} & listed


def test_what_stops_it_leaves_a_library_that_goes_on(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index_rows, indexed = keywords._index_rows, list[int]()

    def stop(connection: sqlite3.Connection, rows: list[tuple[int, bytes]]) -> None:
        index_rows(connection, rows)
        indexed.extend(position for position, _ in rows)
        if len(indexed) == 3:
            raise CancelledError("enough")  # as a kill would, before the third is kept

    with monkeypatch.context() as patched, Library.open(old) as library:
        patched.setattr(keywords, "_AT_ONCE", 1)
        patched.setattr(keywords, "_index_rows", stop)
        with pytest.raises(CancelledError):
            library.index_again()
        assert library.count_left_to_index() == 2
    with Library.open(old) as library:
        assert found(library, "naive") == ["d0"] and by_words(library, "schrodinger") == ["d0"]
        assert by_words(library, "学习") == ["d1"] and by_words(library, "CO2") == ["d2"]
        library.add_file("k2", "n2", [Document("new", "paper", "Naïve 机器 and co₂")])
        assert found(library, "naive") == ["d0", "new"]
        library.index_again()
        assert library.count_left_to_index() == 0
        assert by_words(library, "机器") == ["new", "d1"]


def test_a_document_that_waits_can_be_removed(old: Path) -> None:
    with Library.open(old) as library:
        assert library.remove(["d1", "d3"]) == ["d1", "d3"]
        library.index_again()
        assert found(library, "学习") == found(library, "pumps") == []

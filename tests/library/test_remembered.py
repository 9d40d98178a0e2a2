"""What was written about a removed document: it waits, comes back with the same work, and with no other."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.documents import Document, Identifier
from engine.library.annotations import Annotation
from engine.library.filters import Filters
from engine.library.store import Library
from tests.library.noted import BOX, DELTA

WRITTEN = Annotation(("wind",), "Holds in gusts.", True)


@pytest.fixture
def removed(library: Library) -> Library:
    """A library whose only document was removed after it was noted and screened."""
    library.add_file("k1", "kites.jsonl", [BOX])
    library.annotations.tag([BOX.id], "wind")
    library.annotations.note([BOX.id], WRITTEN.note)
    library.annotations.mark_read([BOX.id], True)
    library.screening.decide([BOX.id], "excluded", "Too short")
    library.remove([BOX.id])
    return library


def written(library: Library, id_: str) -> tuple[Annotation, str]:
    (screened,) = library.screening.of([id_])
    return library.annotations.of([id_])[0], screened.reason if screened else ""


def test_while_it_is_away_nothing_of_it_is_counted_or_found(removed: Library) -> None:
    removed.add_file("k2", "delta.jsonl", [DELTA])
    assert removed.annotations.tags() == {}
    assert removed.ids(Filters(lines=("tag:wind OR note:gusts OR read:yes OR screen:excluded",))) == []
    assert removed.screening.flow().excluded == 0
    assert removed.annotations.of_removed() == 1


@pytest.mark.parametrize(
    "again",
    [
        lambda: BOX,
        lambda: replace(BOX, id="doi:10.1/box"),
        lambda: replace(BOX, id="gale2015", abstract="", sections=()),
        lambda: replace(BOX, title="", sections=()),
    ],
    ids=["the same file", "another id", "a bare reference", "the same id without a title"],
)
def test_the_same_work_gets_it_back(removed: Library, again: Callable[[], Document]) -> None:
    document = again()
    removed.add_file("k1", "kites.jsonl", [DELTA, document])
    assert written(removed, document.id) == (WRITTEN, "Too short")
    assert written(removed, DELTA.id) == (Annotation(), "")
    assert removed.annotations.of_removed() == 0


def test_a_number_that_names_the_work_is_enough(library: Library) -> None:
    known = Document("doi:10.1/box", title="Box kites", identifiers=(Identifier("doi", "10.1/box"),))
    library.add_file("k1", "one.ris", [known])
    library.annotations.note([known.id], "Holds.")
    library.remove_file("k1")
    library.add_file("k2", "two.ris", [replace(known, abstract="They flew.")])
    assert library.annotations.of([known.id]) == [Annotation(note="Holds.")]


def test_another_work_under_the_same_id_gets_nothing(removed: Library) -> None:
    removed.add_file("k2", "other.jsonl", [replace(DELTA, id=BOX.id)])
    assert written(removed, BOX.id) == (Annotation(), "")
    assert removed.annotations.of_removed() == 1


def test_it_comes_back_whenever_the_work_does(removed: Library) -> None:
    for key in ("k2", "k3"):
        removed.add_file(key, "kites.jsonl", [BOX])
        assert written(removed, BOX.id) == (WRITTEN, "Too short")
        removed.remove_file(key)


def test_it_can_be_forgotten_to_the_last_word(removed: Library) -> None:
    assert removed.annotations.forget_removed() == 1
    assert removed.annotations.of_removed() == 0
    removed.add_file("k2", "kites.jsonl", [BOX])
    assert written(removed, BOX.id) == (Annotation(), "")


def test_a_document_without_notes_leaves_nothing(library: Library) -> None:
    library.add_file("k1", "kites.jsonl", [BOX])
    library.remove([BOX.id])
    with sqlite3.connect(library.folder / "library.sqlite3") as connection:
        assert connection.execute("SELECT count(*) FROM remembered").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM remembered_keys").fetchone() == (0,)
    connection.close()

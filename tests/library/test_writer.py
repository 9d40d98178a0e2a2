"""One file written into a library, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.core.errors import InputError
from engine.documents import Document
from engine.library.records import Added
from engine.library.store import Library
from tests.library.stored import PAPER, PATENT


def test_a_file_that_fails_midway_leaves_nothing(library: Library) -> None:
    def documents() -> Iterator[Document]:
        yield PAPER
        raise InputError("line 2 is broken")

    with pytest.raises(InputError, match="line 2"):
        library.add_file("k1", "broken.jsonl", documents())
    assert len(library) == 0 and not library.has_file("k1")
    assert library.keywords.search("kites", 3) == []
    assert library.add_file("k1", "mended.jsonl", [PAPER, PATENT]) == Added(2, 0)
    assert [hit.id for hit in library.keywords.search("reel", 3)] == [PATENT.id]


def test_the_same_file_adds_nothing_twice(library: Library) -> None:
    library.add_file("k1", "two.jsonl", [PAPER, PATENT])
    assert library.add_file("k1", "copy.jsonl", [PAPER, PATENT]) == Added(0, 0)
    assert [file.name for file in library.files()] == ["two.jsonl"]


def test_a_failure_is_kept_until_the_file_succeeds(library: Library) -> None:
    library.record_failure("bad.pdf", "Expected text; found pictures.")
    assert [(failure.name, failure.reason) for failure in library.failures()] == [
        ("bad.pdf", "Expected text; found pictures.")
    ]
    library.add_file("k1", "bad.pdf", [PAPER])
    assert library.failures() == []


def test_half_characters_are_replaced(library: Library) -> None:
    library.add_file("k1", "odd.jsonl", [Document("a\ud800", title="Kites \udfff fly", venue="\ud800")])
    (document,) = library.iter_documents()
    assert document.title == "Kites ? fly" and library.ids() == ["a?"]

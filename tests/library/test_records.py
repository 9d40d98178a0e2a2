"""Documents as rows of a database."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import StorageError
from engine.documents import Document, PageStart, Section
from engine.library.records import Added, unpack
from engine.library.store import Library
from tests.library.stored import PAPER, PATENT


def test_a_document_comes_back_as_it_went_in(library: Library) -> None:
    assert library.add_file("k1", "two.jsonl", [PAPER, PATENT]) == Added(2, 0)
    assert library.get([PATENT.id, PAPER.id]) == [PATENT, PAPER]
    assert list(library.iter_documents(batch=1)) == [PAPER, PATENT]
    assert len(library) == 2


def test_pages_are_kept(tmp_path: Path) -> None:
    pages = (PageStart(0, 1), PageStart(9, 2))
    paged = Document("p", sections=(Section("Methods", "We walk. We rest.", pages=pages), Section("Results", "None.")))
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k1", "paper.pdf", [paged])
        assert [section.pages for section in library.get(["p"])[0].sections] == [pages, ()]


def test_a_damaged_document_is_said() -> None:
    with pytest.raises(StorageError, match="Expected a document in the library, found damaged bytes"):
        unpack(b"not compressed")

"""Documents as rows of a database: found by id, put in order by title."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import StorageError, UnknownDocumentError
from engine.documents import Document, Identifier, PageStart, Section
from engine.library.records import Added, sort_title, unpack
from engine.library.store import Library
from tests.library.records import ARTICLE, PAPER, PATENT


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


def test_an_unknown_id_is_named(library: Library) -> None:
    with pytest.raises(UnknownDocumentError, match="none with the id 'nowhere'"):
        library.get(["nowhere"])


def test_the_id_of_a_folded_copy_is_known(library: Library) -> None:
    library.add_file("k1", "two", [ARTICLE, replace(ARTICLE, id="b")])
    assert library.duplicates_of(Document("b")) == {"a"}


@pytest.mark.parametrize("keys", ["kept", "of an older library"])
def test_documents_are_known_by_the_numbers_of_a_reference(tmp_path: Path, keys: str) -> None:
    held = [
        Document("doi:10.1000/Kites", title="Kites"),
        Document("arXiv:0704.0001", title="Photons"),
        Document("PMC12", title="Aspirin"),
        Document("US5123456B2", "patent", title="Car coupling"),
        Document("US51234567A", "patent", title="Car coupling, longer number"),
    ]
    with Library.open(tmp_path, create=True) as library:
        library.add_file("k", "five", held)
        if keys != "kept":
            with library._database.write() as connection:
                connection.execute("DELETE FROM identities WHERE key LIKE 'known:%'")
        for scheme, value, id_ in (
            ("doi", "10.1000/kites", "doi:10.1000/Kites"),
            ("arxiv", "0704.0001v3", "arXiv:0704.0001"),
            ("pmc", "PMC12", "PMC12"),
            ("patent", "US5123456A", "US5123456B2"),
        ):
            assert library.known_as([Identifier(scheme, value)]) == [id_]
        assert library.known_as([Identifier("isbn", "1"), Identifier("doi", "10.1000/other")]) == []


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("«Zephyr»", "zephyr»"),
        ("Éolian Harps", "eolian harps"),
        ("$k$-means", "k$-means"),
        ("3D kites", "3d kites"),
        ("", None),
        ("—", None),
        ("x" * 300, "x" * 200),
    ],
)
def test_titles_are_put_in_order_by_their_first_letters(title: str, key: str | None) -> None:
    assert sort_title(title) == key

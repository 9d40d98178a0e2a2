"""A document is looked for by its id."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import UnknownDocumentError
from engine.documents import Document, Identifier
from engine.library.store import Library
from tests.library.copies import PAPER


def test_an_unknown_id_is_named(library: Library) -> None:
    with pytest.raises(UnknownDocumentError, match="none with the id 'nowhere'"):
        library.get(["nowhere"])


def test_the_id_of_a_folded_copy_is_known(library: Library) -> None:
    library.add_file("k1", "two", [PAPER, replace(PAPER, id="b")])
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

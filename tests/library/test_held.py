"""A document is looked for by its id."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.documents import Document
from engine.errors import UnknownDocumentError
from engine.library import Library
from tests.library.copies import PAPER


def test_an_unknown_id_is_named(library: Library) -> None:
    with pytest.raises(UnknownDocumentError, match="none with the id 'nowhere'"):
        library.get(["nowhere"])


def test_the_id_of_a_folded_copy_is_known(library: Library) -> None:
    library.add_file("k1", "two", [PAPER, replace(PAPER, id="b")])
    assert library.duplicates_of(Document("b")) == {"a"}

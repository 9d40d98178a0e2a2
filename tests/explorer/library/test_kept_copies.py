"""The copies of PDFs on the library's page: told, switched off, removed."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.files import sha256_bytes
from engine.library import Library
from tests.explorer.conftest import Start, page_text
from tests.explorer.shared.collections import opened

CONTENT = b"%PDF-1.4 " + b"x" * 2_000_000


@pytest.fixture
def kept(folder: Path, tmp_path: Path) -> Path:
    """The library with one copy of two megabytes."""
    (tmp_path / "x.pdf").write_bytes(CONTENT)
    with Library.open(folder) as library:
        library.copies.keep(sha256_bytes(CONTENT), tmp_path / "x.pdf")
    return folder


def open_page(app: Start) -> AppTest:
    return app().switch_page("explorer/library/view.py").run()


def test_their_number_and_size_are_told(app: Start, kept: Path) -> None:
    assert "1 PDF kept to show passages on their pages, 2.0 MB." in page_text(open_page(app))


@pytest.mark.usefixtures("folder")
def test_a_library_without_any_says_so(app: Start) -> None:
    assert "No PDF is kept yet." in page_text(open_page(app))


def test_they_are_switched_off_and_on_again(app: Start, kept: Path) -> None:
    test = open_page(app).toggle(key="keep-copies").set_value(False).run()
    with Library.open(kept) as library:
        assert not library.copies.are_wanted
    test = test.toggle(key="keep-copies").set_value(True).run()
    assert not test.exception
    with Library.open(kept) as library:
        assert library.copies.are_wanted and library.copies.total().files == 1


def test_they_are_removed_and_the_documents_stay(app: Start, kept: Path) -> None:
    test = opened(open_page(app), "remove-copies").button(key="remove-copies-now").click().run()
    assert not test.exception
    assert "No PDF is kept yet." in page_text(test)
    with Library.open(kept) as library:
        assert (len(library), library.copies.total().files) == (6, 0)

"""A passage on the page of its PDF: where the button stands, what the dialog shows, and what it says without one."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.documents import Document
from engine.library import Library
from explorer.shared.page_view import describe_page
from explorer.state import handles
from tests.browser.tiny_pdf import TITLE, tiny_pdf
from tests.explorer.conftest import HOSTILE, Start, page_text

TURBINES = "A rotor with adjustable blades turns a generator in tidal water behind a seal against sand"


@pytest.fixture
def with_pdf(folder: Path, tmp_path: Path) -> Path:
    """The library with a PDF among its documents."""
    from engine.workspace.importing import import_paths
    from engine.workspace.indexing import encoder_for, index_library

    (tmp_path / "turbines.pdf").write_bytes(tiny_pdf())
    with Library.open(folder) as library:
        import_paths(library, [tmp_path / "turbines.pdf"])
        index_library(library, encoder_for(library, "tfidf"))
    return folder


def page_buttons(test: AppTest) -> list[str]:
    return [one.label for one in test.button if (one.key or "").startswith("page-")]


def pressed(test: AppTest) -> AppTest:
    return next(one for one in test.button if (one.key or "").startswith("page-")).click().run()


@pytest.mark.usefixtures("with_pdf")
def test_only_a_hit_with_a_pdf_has_the_button_which_opens_its_page(app: Start) -> None:
    test = app(text=TURBINES)
    assert page_buttons(test) == ["Show the page (p. 1)"]
    test = pressed(test)
    assert not test.exception
    assert "Page 1 of 1" in page_text(test) and TITLE in page_text(test)
    assert (test.button(key="page-before").disabled, test.button(key="page-after").disabled) == (True, True)
    zoom = next(one for one in test.button_group if one.key == "page-view-zoom")
    assert list(zoom.options) == ["Fit width", "100 %", "150 %", "200 %"]


@pytest.mark.usefixtures("with_pdf")
def test_the_zoom_of_one_page_is_kept_for_the_next(app: Start) -> None:
    test = pressed(app(text=TURBINES))
    zoom = next(one for one in test.button_group if one.key == "page-view-zoom")
    assert zoom.value == "Fit width"
    test = zoom.set_value("150 %").run()
    test = pressed(test.run())  # the dialog was closed in between
    assert next(one for one in test.button_group if one.key == "page-view-zoom").value == "150 %"


@pytest.mark.usefixtures("with_pdf")
def test_without_its_copy_a_hit_has_no_button(app: Start) -> None:
    handles.library().copies.drop(handles.library().copies.keys())
    test = app(text=TURBINES)
    assert TITLE in page_text(test)
    assert page_buttons(test) == []


@pytest.mark.usefixtures("with_pdf")
def test_a_damaged_copy_is_told_in_the_dialog_and_the_page_lives_on(app: Start) -> None:
    test = app(text=TURBINES)
    copies = handles.library().copies
    (copies.folder / f"{copies.keys()[0]}.pdf").write_bytes(b"%PDF-1.4 damaged")
    test = pressed(test)
    assert not test.exception
    assert "missing or damaged" in page_text(test)


def test_the_picture_is_described_by_document_page_and_passage() -> None:
    document = Document("p", "paper", "Tidal\nturbines")
    assert describe_page(document, 7, 12, boxed="A seal\nkeeps") == (
        "Page 7 of 12 of “Tidal\nturbines”, with this passage boxed: A seal keeps"
    )
    assert describe_page(document, 8, 12, boxed="").endswith("turbines”")
    assert HOSTILE in describe_page(
        Document("p", "paper", HOSTILE), 1, 1, boxed=""
    )  # an attribute's text in the script

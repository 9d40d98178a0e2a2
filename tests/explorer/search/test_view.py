"""The search page as its visitor uses it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.explorer.conftest import HOSTILE, Start, page_html, page_text


def test_an_empty_library_names_the_next_step(empty_folder: Path, app: Start) -> None:
    test = app()
    assert not test.exception
    assert "Your library is empty" in page_text(test)
    assert "Go to the library" in [button.label for button in test.button]


@pytest.mark.usefixtures("folder")
def test_hostile_text_of_a_document_stays_text(app: Start) -> None:
    test = app(doc="p4")
    assert not test.exception
    html = page_html(test)
    assert "<script" not in html
    assert "<img" not in html
    assert HOSTILE in page_text(test)
    markdown = " ".join(str(block.value) for block in [*test.markdown, *test.caption, *test.title, *test.header])
    assert "alert(" not in markdown


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "link",
    [
        {"doc": "<script>"},
        {"doc": "nothing-of-this-id"},
        {"example": "../../etc/passwd"},
        {"rank": "sideways", "k": "-3", "kind": "novel", "from": "x", "like": "stranger", "encoder": "pickle"},
    ],
)
def test_a_hostile_link_leaves_the_page_alive(app: Start, link: dict[str, str]) -> None:
    test = app(**link)
    assert not test.exception
    assert "Or try an example" in [heading.value for heading in test.header]


@pytest.mark.usefixtures("folder")
def test_every_widget_has_a_label(app: Start) -> None:
    for test in (app(), app(example="car-coupling")):
        widgets = [*test.button, *test.text_input, *test.text_area, *test.selectbox, *test.multiselect, *test.slider]
        assert [widget for widget in widgets if not widget.label.strip()] == []

"""Bringing a document: a pasted text, a file, or one of the library."""

from __future__ import annotations

import pytest

from tests.explorer.conftest import Start, page_html


@pytest.mark.usefixtures("folder")
def test_a_text_that_was_read_is_still_there_after_discarding(app: Start) -> None:
    test = app()
    test.text_area(key="paste-text").set_value("Cover times\n\nAbstract\nA random walk on a graph mixes.")
    next(button for button in test.button if button.label == "Read this text").click().run()
    test.button(key="discard").click().run()
    assert test.text_area(key="paste-text").value == "Cover times\n\nAbstract\nA random walk on a graph mixes."


@pytest.mark.usefixtures("folder")
def test_a_bad_file_shows_its_sentence_and_a_good_one_is_read_after_it(app: Start) -> None:
    test = app()
    test.file_uploader[0].set_value(("paper.pdf", b"\x00\x01\x02 not a pdf", "application/pdf")).run()
    assert not test.exception
    assert "ps-notice ps-problem" in page_html(test)
    test.run()
    assert "ps-notice ps-problem" in page_html(test)
    markdown = b"# Walks on graphs\n\n## Abstract\n\nA walk on a graph.\n\n## Method\n\nWe walk.\n"
    test.file_uploader[0].set_value(("walks.md", markdown, "text/markdown")).run()
    assert not test.exception
    assert [field.value for field in test.text_input if field.label == "Title"] == ["Walks on graphs"]
    assert [field.value for field in test.text_input if field.label == "Title of section 1"] == ["Method"]

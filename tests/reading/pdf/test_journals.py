"""First pages as the large journals set them are read with their title, names, year, abstract and first sections."""

from __future__ import annotations

import pytest

from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf import journals


@pytest.mark.parametrize("name", journals.LAYOUTS)
def test_a_journals_first_page_is_read(name: str) -> None:
    draw, expected = journals.LAYOUTS[name]
    document = read_pdf(draw().data(), "x.pdf").document
    assert document.title.lower() == journals.TITLE.lower()
    assert tuple(author.lower() for author in document.authors) == tuple(one.lower() for one in expected.authors)
    assert document.year == expected.year
    assert " ".join(document.abstract.split()).startswith(expected.first)
    assert document.abstract.endswith(expected.last)
    titles = [section.title for section in document.sections if section.title]
    assert titles[: len(expected.sections)] == list(expected.sections)
    text = " ".join(" ".join(section.text.split()) for section in document.sections)
    assert [piece for piece in expected.stands if piece not in text] == []
    assert journals.FIRST not in text
    assert not any(section.text.startswith(journals.NAMES[0]) for section in document.sections)

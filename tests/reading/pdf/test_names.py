"""Names of captions, appendices and addresses in papers."""

from __future__ import annotations

import re

import pytest

from engine.reading.pdf import names


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Figure 3: Tide pools of the north", "3"),
        ("Fig. 2a | A pool", "2a"),
        ("Extended Data Table 1. Counts", "1"),
        ("Abbildung 4", "4"),
        ("TABLE A.2", "A.2"),
    ],
)
def test_a_caption_names_its_number(text: str, number: str) -> None:
    found = names.CAPTION.match(text)
    assert found is not None
    assert found["number"] == number


def test_a_sentence_that_begins_with_a_figure_bears_no_mark() -> None:
    found = names.CAPTION.match("Figure 3 shows the pools")
    assert found is not None
    assert found["mark"] is None
    assert names.CAPTION.match("Figures of speech") is None


@pytest.mark.parametrize(
    ("pattern", "heading"),
    [
        (names.APPENDIX, "Appendix B Proofs"),
        (names.APPENDIX, "Anhang IV"),
        (names.BACK_MATTER, "Authors' addresses"),
        (names.BACK_MATTER, "Corresponding author:"),
    ],
)
def test_a_heading_is_known_by_its_name(pattern: re.Pattern[str], heading: str) -> None:
    assert pattern.match(heading)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (names.APPENDIX, "Appendix A.1.2"),
        (names.BACK_MATTER, "Address of a word"),
    ],
)
def test_a_name_within_a_longer_line_is_none(pattern: re.Pattern[str], text: str) -> None:
    assert not pattern.match(text)

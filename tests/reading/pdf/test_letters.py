"""A font that names its letters wrongly is told: text that reads wrongly is found by nobody."""

from __future__ import annotations

import pytest

from engine.reading.pdf.file import misread_words
from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf.papers import INTRODUCTION, METHODS, RESULTS
from tests.reading.pdf.writer import PdfWriter

_BROKEN = "funcGon acGvaGon moGon iniGal parGcle reacGon secGon staGc porGon sGll".split()


def test_a_capital_within_many_words_is_told() -> None:
    pdf = PdfWriter().page()
    pdf.paragraph(90, 90, 415, f"{INTRODUCTION} The {' and the '.join(_BROKEN)} were seen. {METHODS} {RESULTS}")
    (warning,) = [one for one in read_pdf(pdf.data(), "x.pdf").warnings if "letters wrongly" in one]
    assert any(word in warning for word in _BROKEN)


def test_a_fraction_for_an_equals_sign_is_told() -> None:
    assert misread_words([f"p \u00bc 0.0{place} and n \u00bc {place}" for place in range(9)]) == ["\u00bc"]


@pytest.mark.parametrize(
    "text",
    [
        "dataFrame getName toString iPhone eBay MacBook GitHub YouTube LaTeX PhD rowNames colSums asMatrix isEmpty",
        "add \u00bc cup of salt and \u00bc cup of sand",
        "mRNA siRNA miRNA tRNA",
    ],
)
def test_what_people_write_so_is_not_told(text: str) -> None:
    assert misread_words([text]) == []

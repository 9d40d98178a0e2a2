"""Runs of text of one font."""

from __future__ import annotations

import pytest

from engine.readers.pdf.reader import read_pdf
from engine.readers.pdf.runs import font_of
from tests.readers.pdf import papers as pdf_papers


@pytest.mark.parametrize(
    ("name", "flags", "look"),
    [
        ("ABCDEF+CMBX12", 4, (True, False, False, False)),
        ("NimbusRomNo9L-MediItal", 0, (True, True, False, False)),
        ("TimesNewRomanPS-BoldMT", 0, (True, False, False, False)),
        ("CMTT10", 0, (False, False, True, False)),
        ("Anything", 1, (False, False, True, False)),
        ("CMCSC10", 0, (False, False, False, True)),
        ("CMR10", 1 << 17, (False, False, False, False)),
        ("LMRoman10-Italic", 0, (False, True, False, False)),
    ],
)
def test_a_fonts_look_is_read_from_its_name_and_flags(
    name: str, flags: int, look: tuple[bool, bool, bool, bool]
) -> None:
    font = font_of(name, flags)
    assert (font.bold, font.italic, font.mono, font.small_caps) == look


def test_a_stamp_that_runs_up_the_margin_is_dropped() -> None:
    pdf = pdf_papers.one_column()
    pdf.turned(30, 600, "preprint 2101.00001v2 of 3 Jan 2021", 20)
    assert "preprint" not in read_pdf(pdf.data(), "x.pdf").document.text

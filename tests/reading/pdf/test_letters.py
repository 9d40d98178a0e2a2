"""Letters of the codes that fonts give."""

from __future__ import annotations

from engine.reading.pdf.letters import bitmap_text, letter_of
from tests.reading.pdf.set_lines import text_of


def test_ligatures_are_spelt_out() -> None:
    assert text_of("We \ufb01nd the \ufb02ow of heat.") == "We find the flow of heat."


def test_letters_of_codes() -> None:
    assert [letter_of(code) for code in (0x41, 2, 0xAD, 0xFB03, 12, 28)] == ["A", "-", "-", "ffi", "fi", "fi"]
    assert [letter_of(code) for code in (0, 0xFFFE, 0xE001, 0xD800, 1)] == [""] * 5


def test_dingbats_of_a_bitmap_font_are_letters() -> None:
    assert bitmap_text("P\u2761\u2665\u275b\u2767\u2710\u2462\u2761\u275e") == "Penalized"
    assert bitmap_text("plain") == "plain"

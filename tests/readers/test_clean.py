"""What every reader takes out of text, or evens out."""

from __future__ import annotations

from engine.readers.clean import clean, one_line


def test_ligatures_are_spelt_out() -> None:
    assert clean("e\ufb03cient \ufb02ow of \ufb01ne \ufb00 \ufb06ones") == "efficient flow of fine ff stones"


def test_letters_are_composed_and_lines_ended_one_way() -> None:
    assert clean("Mu\u0308ller\r\nx\u00b2") == "Müller\nx\u00b2"  # a power stays one
    assert one_line(" a\u200bb\n c\x00 ") == "ab c"

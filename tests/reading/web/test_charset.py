"""Pages in the encodings of old and of other languages' sites."""

from __future__ import annotations

import pytest

from engine.reading.web.charset import page_text


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("café".encode(), "café"),
        ("café".encode("utf-8-sig"), "café"),
        ("<p>café".encode("utf-16"), "<p>café"),
        ("<meta charset=iso-8859-1>“café”".encode("cp1252"), "<meta charset=iso-8859-1>“café”"),
        ("<meta charset=shift_jis>論文".encode("cp932"), "<meta charset=shift_jis>論文"),
        (
            '<meta content="text/html; charset=gb2312">论文'.encode("gb18030"),
            '<meta content="text/html; charset=gb2312">论文',
        ),
        ("<meta charset='windows-1251'>Статья".encode("cp1251"), "<meta charset='windows-1251'>Статья"),
        (
            "<?xml version='1.0' encoding='ISO-8859-2'?>Łódź".encode("iso-8859-2"),
            "<?xml version='1.0' encoding='ISO-8859-2'?>Łódź",
        ),
        ("<meta charset=shift_jis>résumé".encode(), "<meta charset=shift_jis>résumé"),
    ],
)
def test_a_mark_then_what_the_page_declares_then_a_guess(data: bytes, expected: str) -> None:
    assert page_text(data) == (expected, "")


def test_a_page_that_names_no_encoding_is_read_by_a_guess() -> None:
    said = "The page names no encoding that we know; it was read as Windows-1252 (Western European)."
    assert page_text("<p>café “x”".encode("cp1252")) == ("<p>café “x”", said)
    text, told = page_text("<p>Медленный дрейф рифов: мы картируем сорок рифов".encode("cp1251"))
    assert text.endswith("сорок рифов") and "Windows-1251" in told


def test_the_envelope_knows_the_encoding() -> None:
    assert page_text("論文".encode("euc_jp"), "EUC-JP") == ("論文", "")


def test_a_page_never_names_a_codec_of_pythons() -> None:
    text, _ = page_text(b"<meta charset=unicode_escape>caf\xe9 \\x41")
    assert text == "<meta charset=unicode_escape>café \\x41"


def test_characters_that_do_not_fit_are_told() -> None:
    data = "<meta charset=gb2312>论文".encode("gb18030") + b"\xff\xff<p>"
    text, told = page_text(data)
    assert "论文" in text and "<p>" in text
    assert told == "2 characters do not fit the page's encoding, gb18030; the text has a mark there."

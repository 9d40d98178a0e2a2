"""The encodings that files name."""

from __future__ import annotations

import codecs

import pytest

from engine.reading.encoding_names import codec, declared, spoken_encoding


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("UTF-8", "utf-8"),
        ("Cp1252", "cp1252"),
        ("ISO-8859-1", "cp1252"),
        ("iso_8859_15", "iso8859-15"),
        ("ISO8859_2", "iso8859-2"),
        ("windows-1251", "cp1251"),
        ("latin2", "iso8859-2"),
        ("latin9", "iso8859-15"),
        ("iso-8859-9", "cp1254"),
        ("GBK", "gb18030"),
        ("Shift_JIS", "cp932"),
        ("KOI8-R", "koi8_r"),
        ("MacRoman", "mac_roman"),
        ("cp850", "cp850"),
        ("iso-8859-99", ""),
        ("cp037", ""),
        ("zip", ""),
        ("unicode_escape", ""),
        ("", ""),
    ],
)
def test_names_of_encodings(name: str, expected: str) -> None:
    assert codec(name) == expected
    assert not expected or codecs.lookup(expected)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("% Encoding: Cp1252\n\n@article{a,}", "cp1252"),
        ("% This file was created with JabRef 2.10.\n% Encoding: ISO8859_2\n", "iso8859-2"),
        ("@comment{x-kbibtex-encoding=windows-1251}\n", "cp1251"),
        ("%%% -*- coding: latin-1 -*-\n", "cp1252"),
        ("% !TeX encoding = IsoLatin\n", ""),
        ("% vim: fileencoding=koi8-r\n", "koi8_r"),
        ("\\usepackage[latin2]{inputenc}", "iso8859-2"),
        ("@article{a, note = {coding: latin-1}}", ""),
        ("title,author\n", ""),
    ],
)
def test_what_a_text_says_of_itself(head: str, expected: str) -> None:
    assert declared(head.encode()) == expected


def test_encodings_in_a_sentence() -> None:
    assert spoken_encoding("cp1252") == "Windows-1252 (Western European)"
    assert spoken_encoding("iso8859-15") == "iso8859-15"

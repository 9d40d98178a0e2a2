"""Signs of bytes that were read in the wrong encoding."""

from __future__ import annotations

import time

import pytest

from engine.readers.misreadings import misreadings


@pytest.mark.parametrize(
    ("text", "codec", "wrong"),
    [
        ("der Drift: für größere Riffe", "cp1252", "mac_roman"),
        ("der Drift: für größere Riffe", "mac_roman", "cp1252"),
        ("the reefs’ drift – a “survey”", "mac_roman", "cp1252"),
        ("the reefs’ drift – a “survey”", "cp1252", "mac_roman"),
        ("ый дрейф рифов", "koi8_r", "cp1251"),
        ("МЕДЛЕННЫЙ ДРЕЙФ РИФОВ", "cp1251", "koi8_r"),
        ("анализ методов классов", "koi8_r", "cp932"),
        ("Übersicht über die Drift", "cp1252", "gb18030"),
    ],
)
def test_the_right_encoding_shows_fewer(text: str, codec: str, wrong: str) -> None:
    assert misreadings(text) < misreadings(text.encode(codec).decode(wrong, "replace"))


@pytest.mark.parametrize("text", ["", "plain words", "漂流する礁", "用 SVM 方法", "Zażółć gęślą jaźń", "Ærø og Åse"])
def test_right_texts_show_none(text: str) -> None:
    assert misreadings(text) <= 0


@pytest.mark.parametrize("piece", ["é", "’", "а", "a‰", "礁a"])  # noqa: RUF001  Cyrillic
def test_long_runs_cost_no_more_than_their_length(piece: str) -> None:
    begun = time.process_time()
    misreadings(piece * 100_000)
    assert time.process_time() - begun < 3

"""The language of a text."""

from __future__ import annotations

import pytest

from engine.reading.languages import abstracts_by_language, language_of


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "We map forty reefs over two seasons and compare the maps with those of the last century."),
        ("de", "Wir kartieren vierzig Riffe und vergleichen die Karten mit denen des letzten Jahrhunderts."),
        ("fr", "Nous cartographions quarante récifs et nous comparons les cartes avec celles du siècle dernier."),
        ("es", "Cartografiamos cuarenta arrecifes durante dos años y comparamos los mapas con los del siglo pasado."),
        ("it", "Mappiamo quaranta scogliere per due anni e confrontiamo le mappe con quelle del secolo scorso."),
        ("pt", "Mapeamos quarenta recifes em dois anos e comparamos os mapas com os do século passado."),
        ("nl", "Wij brengen veertig riffen in kaart en vergelijken de kaarten met die van de vorige eeuw."),
        ("pl", "Mapujemy czterdzieści raf i porównujemy mapy z tymi, które powstały w ubiegłym wieku."),
        ("sv", "Vi kartlägger fyrtio rev under två år och jämför kartorna med dem som gjordes av andra."),
        ("ru", "Мы картируем сорок рифов и сравниваем их между собой."),
        ("uk", "Ми картографуємо сорок рифів та порівнюємо їх із картами минулого століття."),
        ("zh", "我们绘制了四十座礁石的地图,并发现它们在漂移。"),
        ("ja", "四十の礁の地図を作り、それらが漂流していることを示す。"),
        ("ko", "우리는 마흔 개의 암초를 지도에 그렸다."),
        ("el", "Χαρτογραφούμε σαράντα υφάλους."),
        ("", "Reef 40 m"),
        ("", "1234 5678"),
        ("", ""),
    ],
)
def test_a_text_by_its_letters_or_its_small_words(language: str, text: str) -> None:
    assert language_of(text) == language
    assert language_of(text * 10_000)[:2] == language


def test_an_abstract_is_cut_by_its_languages() -> None:
    english = "We map forty reefs over two seasons and compare the maps with those of the last century."
    german = "Wir kartieren vierzig Riffe und vergleichen die Karten mit denen des letzten Jahrhunderts."
    told = [("", english), ("", "40 m."), ("Zusammenfassung", german)]
    assert abstracts_by_language(told, [german]) == ("de", {"en": f"{english}\n\n40 m.", "de": german})
    assert abstracts_by_language(told, ["40"]) == ("en", {"en": f"{english}\n\n40 m.", "de": german})
    assert abstracts_by_language(told[:2], [german]) == ("", {"": f"{english}\n\n40 m."})

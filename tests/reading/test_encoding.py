"""Bytes decoded as text by the encoding that they are in or name, or refused; the language of a text."""

from __future__ import annotations

import codecs
import io
import time

import pytest

from engine.core.errors import BinaryTextError, TextEncodingError
from engine.reading.dispatch import HEAD_BYTES, detect, read_bytes
from engine.reading.encoding import codec, declared, decode, misreadings, spoken_encoding, text_lines
from engine.reading.languages import abstracts_by_language, language_of


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.csv", "a.xml", "a.jsonl"])
def test_binary_as_text(name: str) -> None:
    with pytest.raises(BinaryTextError, match=f"Expected text in {name}, found binary bytes.*plain text in UTF-8"):
        detect(b"text \x00\x01 and not", name)


@pytest.mark.parametrize("name", ["a.txt", "", "a.csv"])
def test_bytes_that_are_words_in_no_encoding(name: str) -> None:
    said = "found bytes that are words in no encoding that we know, such as 0x.. Open it in the program that made it"
    with pytest.raises(TextEncodingError, match=said.replace("0x..", "0x[89a-f][0-9a-f].")):
        detect(bytes(128 + 37 * n * n % 128 for n in range(4000)), name)


OF_LANGUAGES = (
    ("cp1252", "Windows-1252", "La dérive lente des récifs: où sont allées les données?"),
    ("cp1252", "Windows-1252", "Müller Hans"),
    ("cp1252", "Windows-1252", "Å måle avstander på øyene: Ærø, Østby, Åse."),
    ("cp1252", "Windows-1252", "Maps – a “survey” of forty reefs that don’t drift"),
    ("cp1250", "Windows-1250", "Zażółć gęślą jaźń: badania nad językiem"),
    ("cp1251", "Windows-1251", "Медленный дрейф рифов: мы картируем сорок рифов"),
    ("koi8_r", "KOI8-R", "Медленный дрейф рифов. Мы картируем сорок рифов."),
    ("cp1253", "Windows-1253", "Αργή μετατόπιση των υφάλων. Χαρτογραφούμε σαράντα υφάλους."),
    ("cp1254", "Windows-1254", "Resiflerin yavaş sürüklenmesi: kırk resif haritası çıkarıldı"),  # noqa: RUF001  Turkish
    ("mac_roman", "Mac Roman", "La dérive lente des récifs; les données sont à jour, dès l’été."),
    ("gb18030", "GB 18030", "题名: 礁石的缓慢漂移\n作者: 李明\n摘要: 我们绘制了四十座礁石的地图。"),
    ("big5hkscs", "Big5", "礁石的緩慢漂移\n作者: 李明\n摘要: 我們繪製了四十座礁石的地圖。"),
    ("cp932", "Shift JIS", "礁の緩やかな漂流\n要旨\n四十の礁の地図を作った。"),
    ("euc_jp", "EUC-JP", "礁の緩やかな漂流\n要旨\n四十の礁の地図を作った。"),
    ("cp949", "EUC-KR", "암초의 느린 표류\n초록\n우리는 마흔 개의 암초를 지도에 그렸다."),
)


@pytest.mark.parametrize(("codec", "spoken", "text"), OF_LANGUAGES)
def test_an_encoding_is_guessed_with_a_warning(codec: str, spoken: str, text: str) -> None:
    for before in ("", "A table of reefs and of their years.\n" * 4000):
        told: list[str] = []
        assert decode((before + text).encode(codec), "a.txt", warn=told.append) == before + text
        assert len(told) == 1
        assert told[0].startswith(f"a.txt is not in UTF-8 and names no encoding. It was read as {spoken} ") or (
            told[0].startswith(f"a.txt is not in UTF-8 and names no encoding. It was read as {spoken};")
        )


@pytest.mark.parametrize(("codec", "spoken", "text"), OF_LANGUAGES)
def test_lines_are_read_as_the_whole_is(codec: str, spoken: str, text: str) -> None:
    told: list[str] = []
    assert "".join(text_lines(io.BytesIO(text.encode(codec)), "a.ris", warn=told.append)) == text
    assert len(told) == 1 and spoken in told[0]


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark(codec: str) -> None:
    told: list[str] = []
    text = "TY  - JOUR\r\nTI  - Café\r\nER  - \r\n"
    assert decode(text.encode(codec), "a.ris", warn=told.append) == text
    assert told == [
        f"a.ris is not in UTF-8 and names no encoding. It was read as {codec}; if letters look wrong, save it as UTF-8."
    ]
    assert "".join(text_lines(io.BytesIO(text.encode(codec)), "a.ris", newline="")) == text


def test_numbers_of_two_bytes_are_no_utf16() -> None:
    with pytest.raises(BinaryTextError):
        decode(b"".join(n.to_bytes(2, "little") for n in range(200)), "a.txt")


@pytest.mark.parametrize("codec", ["utf-32", "utf-16", "utf-8-sig"])
def test_a_mark_says_it_without_a_warning(codec: str) -> None:
    told: list[str] = []
    assert decode("Café".encode(codec), "a.txt", warn=told.append) == "Café"
    assert [*text_lines(io.BytesIO("Café\nbar".encode(codec)), "a.txt", warn=told.append)] == ["Café\n", "bar"]
    assert told == []


def test_utf8_with_a_few_other_bytes_keeps_the_rest() -> None:
    text = "Zażółć gęślą jaźń, 礁石 und Gr".encode() + b"\xfc\xdfe"
    told: list[str] = []
    assert decode(text, "a.bib", warn=told.append) == "Zażółć gęślą jaźń, 礁石 und Grüße"
    assert "".join(text_lines(io.BytesIO(text), "a.bib", warn=told.append)) == "Zażółć gęślą jaźń, 礁石 und Grüße"
    said = (
        "Of a.bib, which is in UTF-8, 2 bytes could only be read as Windows-1252; if letters look wrong, save it as "
        "UTF-8 throughout."
    )
    assert told == [said, said]


def test_what_does_not_fit_a_guess_is_counted() -> None:
    told: list[str] = []
    data = "Медленный дрейф рифов: мы картируем сорок рифов".encode("cp1251") + b"\x98"
    assert decode(data, "a.txt", warn=told.append).endswith("рифов\ufffd")
    assert told[1] == "1 character of a.txt could not be read as Windows-1251 (Cyrillic); the text has a mark there."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_utf8_and_marked_utf16_are_text(encoding: str) -> None:
    reading = read_bytes("Un café\n\nOn y boit, et bien.".encode(encoding), "a.txt")
    assert reading.document.title == "Un café"


def test_a_head_may_end_within_a_character() -> None:
    head = ("a" + "é" * HEAD_BYTES).encode()[:HEAD_BYTES]
    assert detect(head, "a.txt") == "text"


@pytest.mark.parametrize(
    ("encoding", "named"), [("latin-1", "latin1"), ("cp1252", "ansinew"), ("koi8-r", "koi8-r"), ("iso8859-2", "latin2")]
)
def test_latex_source_declares_its_encoding(encoding: str, named: str) -> None:
    word = "шум" if encoding == "koi8-r" else "tüßé"
    text = f"\\documentclass{{a}}\n\\usepackage[{named}]{{inputenc}}\n{word}"
    assert decode(text.encode(encoding), "a.tex") == text
    told: list[str] = []
    decode(text.encode(encoding), "a.tex", warn=told.append)
    assert told == []
    decode(text.replace("\\usepackage", "% \\usepackage").encode(encoding), "a.tex", warn=told.append)
    assert told


@pytest.mark.parametrize(
    ("name", "text", "format_name"),
    [
        ("a.ris", "TY  - JOUR\nTI  - Quiet lids\nAB  - Of lids.\nER  - \n", "ris"),
        ("a.bib", "@article{a,\n title={Quiet lids},\n abstract={Of lids.}\n}\n", "bibtex"),
        ("a.csv", "title,abstract\nQuiet lids,Of lids.\n", "csv"),
        ("a.jsonl", '{"title": "Quiet lids",\n"abstract": "Of lids."}\n'.replace(",\n", ", "), "jsonl"),
        ("a.md", "# Quiet lids\n\n## Abstract\n\nOf lids.\n", "markdown"),
        ("a.txt", "Quiet lids\n\nAbstract\n\nOf lids.\n\n1 Introduction\n\nText.\n", "text"),
        (
            "a.tex",
            "\\documentclass{article}\n% no title\n\\title{Quiet lids}\n\\begin{document}\n"
            "\\begin{abstract}\nOf lids.\n\\end{abstract}\n\\end{document}\n",
            "latex",
        ),
        ("a.txt", "1. Lids. 2021;1:1.\n\nQuiet lids\n\nLind A.\n\nOf lids.\n\nPMID: 1\n", "pubmed-text"),
    ],
)
def test_lines_that_end_as_on_old_macs(name: str, text: str, format_name: str) -> None:
    reading = read_bytes(text.replace("\n", "\r").encode(), name)
    assert (reading.format, reading.document.title, reading.document.abstract) == (
        format_name,
        "Quiet lids",
        "Of lids.",
    )


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text",
    [
        "Медленный дрейф рифов. Мы картируем сорок рифов.",
        "礁の緩やかな漂流\n本研究では、湾内の四十の礁を二年間に一つずつ描いた。\nJ. Reefs 2020, 1-9\n",
        "암초의 느린 표류. 본 연구에서는 마흔 개의 암초를 지도에 그렸다.",
    ],
)
def test_wide_text_without_a_mark_in_any_letters(codec: str, text: str) -> None:
    told: list[str] = []
    assert decode(text.encode(codec), "a.txt", warn=told.append) == text
    assert "It was read as" in told[0]


def test_a_few_zeros_in_a_text_make_no_wide_text_of_it() -> None:
    told: list[str] = []
    data = b"TI  - Slow drift\x00 in maps of forty reefs\nAB  - " + b"Reefs move slowly. " * 5 + b"\n"
    data *= 9
    assert decode(data, "a.ris", warn=told.append) == data.decode().replace("\0", " ")
    assert told == ["9 control characters of a.ris belong to no text, and were left out."]


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("koi8_r", "ый дрейф рифов"),
        ("cp1251", "ый дрейф рифов"),
        ("mac_roman", "The reefs’ slow drif"),
        ("cp1252", "The reefs’ slow drif"),
        ("mac_roman", "für größere Drift"),
        ("cp1252", "für größere Drift"),
        ("cp932", "礁の緩やかな漂流"),
        ("big5hkscs", "礁石的緩慢漂移"),
    ],
)
def test_a_few_words_tell_their_encoding(codec: str, text: str) -> None:
    assert decode(text.encode(codec), "a.txt") == text


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

"""XML parsed within its limits."""

from __future__ import annotations

import pytest

from engine.core.errors import (
    InputTooLargeError,
    MalformedFileError,
    TextEncodingError,
    TruncatedFileError,
    UnsafeXmlError,
)
from engine.reading.dispatch import read_bytes
from engine.reading.limits import Limits
from engine.reading.xml.tree import parse
from tests.reading.xml.articles import ARTICLE


def test_unsafe_xml_of_any_root_is_called_unsafe() -> None:
    with pytest.raises(UnsafeXmlError, match=r"lolz\.xml declares the entity 'lol'"):
        read_bytes(b'<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">]><lolz>&lol;</lolz>', "lolz.xml")


def test_deep_nesting() -> None:
    bomb = b"<article>" + b"<sec>" * 100_000
    with pytest.raises(
        MalformedFileError, match=r"Expected elements nested at most 200 deep in a\.xml; they go deeper"
    ):
        read_bytes(bomb, "a.xml")


def test_nesting_within_the_limit_is_read() -> None:
    article = b"<article><body>" + b"<sec>" * 190 + b"<p>Deep.</p>" + b"</sec>" * 190 + b"</body></article>"
    assert [section.text for section in read_bytes(article, "a.xml").document.sections] == ["Deep."]


def test_too_many_elements() -> None:
    with pytest.raises(InputTooLargeError, match=r"Expected at most 10 elements in a\.xml, found 11\. Split it"):
        parse(b"<article>" + b"<p/>" * 11 + b"</article>", "a.xml", Limits(max_elements=10))


@pytest.mark.parametrize("cut", [1, 20, 60, len(ARTICLE) - 9])
def test_truncated(cut: int) -> None:
    said = r"Expected a\.xml to end with its closing tag; it stops before, at line 1"
    with pytest.raises(TruncatedFileError, match=said):
        read_bytes(ARTICLE[: len(ARTICLE) - cut].encode(), "a.xml")


def test_malformed() -> None:
    with pytest.raises(
        MalformedFileError, match=r"Expected well-formed XML in a\.xml; line 1, column .*mismatched tag"
    ):
        read_bytes(ARTICLE.replace("</front>", "</back>").encode(), "a.xml")


@pytest.mark.parametrize("encoding", ["ISO-8859-1", "windows-1252", "UTF-8", "us-ascii"])
def test_declared_encodings(encoding: str) -> None:
    name = "Kettle" if encoding == "us-ascii" else "Kettlé"
    article = ARTICLE.replace("A &amp; B", name)
    data = f'<?xml version="1.0" encoding="{encoding}"?>{article}'.encode(encoding)
    assert read_bytes(data, "a.xml").document.title == name


def test_utf16_with_its_mark() -> None:
    data = f'<?xml version="1.0" encoding="UTF-16"?>{ARTICLE}'.encode("utf-16")
    assert read_bytes(data, "a.xml").document.title == "A & B"


@pytest.mark.parametrize(
    ("encoding", "codec", "title"),
    [
        ("UTF-16", "utf-8", "Kettlé"),  # what some programs declare and do not write
        ("ISO-8859-1", "utf-8", "Kettlé"),
        ("windows-1251", "cp1251", "Чайник"),
        ("KOI8-R", "koi8_r", "Чайник"),
        ("Shift_JIS", "cp932", "表示ソ"),
        ("GB2312", "gb18030", "水壶"),
        ("ISO-8859-2", "iso8859-2", "Łódź"),
    ],
)
def test_encodings_of_other_languages(encoding: str, codec: str, title: str) -> None:
    article = ARTICLE.replace("A &amp; B", title)
    data = f'<?xml version="1.0" encoding="{encoding}"?>{article}'.encode(codec)
    assert read_bytes(data, "a.xml").document.title == title


def test_utf16_without_its_mark() -> None:
    data = f'<?xml version="1.0" encoding="UTF-16"?>{ARTICLE}'.encode("utf-16-le")
    assert read_bytes(data, "a.xml").document.title == "A & B"


def test_an_encoding_that_is_not_named_is_guessed_with_a_warning() -> None:
    article = ARTICLE.replace("A &amp; B", "Le théâtre et ses élèves")
    reading = read_bytes(f'<?xml version="1.0"?>{article}'.encode("cp1252"), "a.xml")
    assert reading.document.title == "Le théâtre et ses élèves"
    said = "a.xml is not in UTF-8 and names no encoding. It was read as Windows-1252 (Western European); if letters"
    assert any(one.startswith(said) for one in reading.warnings)


def test_another_declared_encoding() -> None:
    data = f'<?xml version="1.0" encoding="X-WINGS"?>{ARTICLE}<!-- é -->'.encode("latin-1")
    with pytest.raises(TextEncodingError, match=r"found the declaration encoding='X-WINGS'\. Convert it with: iconv"):
        read_bytes(data, "a.xml")


GRANT = "<us-patent-grant><p>{}</p><p>End.</p></us-patent-grant>"


@pytest.mark.parametrize(
    "marked",
    [
        'A <?delete-start id="1" date="20160510" ?>cork<?delete-end id="1" ?><?insert-start?>red<?insert-end?> float',
        'A <DEL-S ID="1"/>cork<DEL-E ID="1"/><INS-S ID="2"/>red<INS-E ID="2"/> float',
        "A <?delete-start?>cork <b>or</b> wood<?delete-end?>red float",
        "A red float<?delete-start?> of cork",
    ],
)
def test_deleted_words_are_left_out_and_inserted_ones_read(marked: str) -> None:
    found = parse(GRANT.format(marked).encode(), "a.xml")
    assert ["".join(one.itertext()) for one in found] == ["A red float", "End."]


def test_a_deletion_may_go_on_in_another_element() -> None:
    found = parse(GRANT.format("A<?delete-start?>b</p><p>c<?delete-end?>D").encode(), "a.xml")
    assert ["".join(one.itertext()) for one in found] == ["A", "D", "End."]


def test_sgml_of_2001_becomes_xml() -> None:
    text = (
        '<PATDOC><B561><PDAT>1</PDAT><CITED-BY-OTHER></B561><CUSTOM-CHARACTER FILE="a>b.TIF"><B561/>'
        "<PDAT>This <DEL-S DATE='1'>old<DEL-E>new</PDAT></PATDOC>"
    )
    root = parse(text.encode(), "a.sgm")
    assert [one.tag for one in root] == ["B561", "CUSTOM-CHARACTER", "B561", "PDAT"]
    assert "".join(root.itertext()) == "1This new"


def test_lines_of_an_error_are_those_of_the_file() -> None:
    text = '<?xml version="1.0"?>\n<!DOCTYPE article [\n]>\n<article>\n<b></article>'
    with pytest.raises(MalformedFileError, match="line 5, column 6"):
        parse(text.encode(), "a.xml")
    with pytest.raises(MalformedFileError, match="line 14, column 6"):
        parse(text.encode(), "a.xml", first_line=10)

"""XML parsed within its limits: which DOCTYPE may stand, and named characters."""

from __future__ import annotations

from collections import Counter

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
from engine.reading.xml.tree import as_numbers, parse, root_name, without_doctype
from tests.reading.xml.articles import ARTICLE


@pytest.mark.parametrize(
    ("name", "character"),
    [
        ("mgr", "\N{GREEK SMALL LETTER MU}"),
        ("agr", "\N{GREEK SMALL LETTER ALPHA}"),
        ("thgr", "\N{GREEK SMALL LETTER THETA}"),
        ("THgr", "\N{GREEK CAPITAL LETTER THETA}"),
        ("eegr", "\N{GREEK SMALL LETTER ETA}"),
        ("OHgr", "\N{GREEK CAPITAL LETTER OMEGA}"),
        ("sfgr", "\N{GREEK SMALL LETTER FINAL SIGMA}"),
        ("Sgr", "\N{GREEK CAPITAL LETTER SIGMA}"),
        ("ohacgr", "\N{GREEK SMALL LETTER OMEGA WITH TONOS}"),
        ("Udigr", "\N{GREEK CAPITAL LETTER UPSILON WITH DIALYTIKA}"),
        ("b.gamma", "\N{GREEK SMALL LETTER GAMMA}"),
        ("b.thetas", "\N{GREEK SMALL LETTER THETA}"),
        ("rlarr2", "\N{RIGHTWARDS ARROW OVER LEFTWARDS ARROW}"),
        ("lsqb", "["),
        ("mdash", "\N{EM DASH}"),
        ("Dcaron", "\N{LATIN CAPITAL LETTER D WITH CARON}"),
        ("bne", "=\u20e5"),
    ],
)
def test_names(name: str, character: str) -> None:
    unknown: Counter[str] = Counter()
    assert as_numbers(f"a&{name};b", unknown) == f"a{''.join(f'&#{ord(one)};' for one in character)}b"
    assert not unknown


def test_no_stem_of_a_greek_letter_is_a_capital_of_another() -> None:
    unknown: Counter[str] = Counter()
    assert as_numbers("&SFgr; &sfgr;", unknown) == "&amp;SFgr; &#962;"
    assert unknown == {"SFgr": 1}


@pytest.mark.parametrize("quoted", ["<!-- &agr; -->", "<![CDATA[&agr; ]] &agr;]]>", "&amp;agr;", "&lt;", "& agr;"])
def test_what_names_no_character(quoted: str) -> None:
    unknown: Counter[str] = Counter()
    assert as_numbers(quoted, unknown) == quoted
    assert not unknown


def test_time_of_the_length() -> None:
    as_numbers("<!--" * 100_000 + "&a" * 100_000, Counter())


JATS_ID = "-//NLM//DTD JATS (Z39.96) Journal Publishing DTD v1.1 20151215//EN"


def title(doctype: str, article: str = ARTICLE) -> str:
    return read_bytes(f'<?xml version="1.0"?>\n{doctype}\n{article}'.encode(), "article.xml").document.title


@pytest.mark.parametrize(
    "doctype",
    [
        "",
        "<!DOCTYPE article>",
        "<!DOCTYPE article [ ]>",
        f'<!DOCTYPE article PUBLIC "{JATS_ID}" "JATS-journalpublishing1.dtd">',
        f'<!DOCTYPE article PUBLIC "{JATS_ID}" "http://jats.nlm.nih.gov/publishing/1.1/JATS-journalpublishing1.dtd">',
        "<!DOCTYPE article PUBLIC '-//NLM//DTD Journal Publishing DTD v2.3 20070202//EN' 'journalpublishing.dtd'>",
        '<!DOCTYPE simple PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/strict.dtd">',
        '<!DOCTYPE article SYSTEM "us-patent-grant-v45-2014-04-03.dtd" [ ]>',
        '<!DOCTYPE PATDOC PUBLIC "-//USPTO//DTD ST.32 US PATENT GRANT V2.4 2000-09-20//EN" [ ]>',
        '<!DOCTYPE patent-document SYSTEM "patent-document.dtd">',
        '<!DOCTYPE patent-document PUBLIC "-//MXW//DTD patent-document XML//EN" '
        '"http://www.ir-facility.org/dtds/patents/v1.4/patent-document.dtd">',
        '<!DOCTYPE exch:exchange-documents SYSTEM "exchange-documents.dtd">',
        '<!DOCTYPE TEI SYSTEM "tei_all.dtd">',
        '<!-- a note --><?go on?><!DOCTYPE article [<!-- ] --><!NOTATION TIF SYSTEM "TIF">'
        '<!ENTITY a SYSTEM "a.tif" NDATA TIF><!ELEMENT b (#PCDATA)><!ATTLIST b c CDATA "a > b">]>',
    ],
)
def test_doctypes_of_publishers_are_read_and_not_fetched(doctype: str) -> None:
    assert title(doctype) == "A & B"


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE article SYSTEM "http://example.org/evil.dtd">',
        '<!DOCTYPE article SYSTEM "file:///etc/passwd">',
        '<!DOCTYPE article SYSTEM "evil.dtd">',
        '<!DOCTYPE article PUBLIC "-//EVIL//DTD" "evil.dtd">',
        f'<!DOCTYPE article PUBLIC "{JATS_ID}" "http://example.org/JATS.dtd">',
        f'<!DOCTYPE article PUBLIC "{JATS_ID}" "file:///etc/passwd">',
        f'<!DOCTYPE article PUBLIC "{JATS_ID}" "../../secret.dtd">',
    ],
)
def test_an_external_dtd_is_refused(doctype: str) -> None:
    with pytest.raises(UnsafeXmlError, match=r"article\.xml asks for the outside file .* as its DTD.*paste its text"):
        title(doctype)


BILLION_LAUGHS = (
    '<!DOCTYPE article [<!ENTITY lol "lol">'
    + "".join(f'<!ENTITY lol{n} "{f"&lol{n - 1 or str()};" * 10}">' for n in range(1, 10))
    + "]>"
)


@pytest.mark.parametrize(
    "doctype",
    [
        BILLION_LAUGHS,
        '<!DOCTYPE article [<!ENTITY a "text">]>',
        '<!DOCTYPE article [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE article [<!ENTITY a PUBLIC "x" "http://example.org/">]>',
        '<!DOCTYPE article [<!ENTITY % a "text">]>',
        '<!DOCTYPE article [<!ENTITY % a SYSTEM "http://example.org/"> %a;]>',
        f'<!DOCTYPE article PUBLIC "{JATS_ID}" "JATS.dtd" [<!ENTITY a "text">]>',
        '<!DOCTYPE article SYSTEM "us-patent-grant-v45-2014-04-03.dtd" [<!NOTATION a SYSTEM "a"><!ENTITY b "c">]>',
    ],
)
def test_entities_are_refused(doctype: str) -> None:
    said = r"article\.xml declares the entity '\w+'.*hide files or grow.*paste its text"
    with pytest.raises(UnsafeXmlError, match=said):
        title(doctype, ARTICLE.replace("&amp;", "&a;"))


def test_a_parameter_entity_is_refused() -> None:
    with pytest.raises(UnsafeXmlError, match="uses a parameter entity, which could bring in another file"):
        title("<!DOCTYPE article [ %outside; ]>")


def test_a_second_doctype_is_left_to_the_parser_and_refused() -> None:
    with pytest.raises(UnsafeXmlError, match="declares a DOCTYPE or an entity where none may stand"):
        parse(f'<!DOCTYPE article><!DOCTYPE article [<!ENTITY a "b">]>{ARTICLE}'.encode(), "a.xml")


def test_nothing_after_the_declaration() -> None:
    with pytest.raises(TruncatedFileError, match=r"Expected a root element in a\.xml; the file stops before"):
        read_bytes(b'<?xml version="1.0"?>\n<!DOCTYPE article>\n', "a.xml")


def test_names_of_html_become_characters() -> None:
    article = ARTICLE.replace("&amp;", "&mdash; &eacute; &#x2014; &lt;b&gt; &bne;")
    assert title("", article) == "A — é — <b> =\u20e5 B"


def test_names_in_a_cdata_section_stay_as_they_are_written() -> None:
    article = ARTICLE.replace("&amp;", "&mdash; <![CDATA[&mdash; ]] &eacute;]]> &eacute;")
    assert title("", article) == "A — &mdash; ]] &eacute; é B"
    without_doctype("<a>" + "<![CDATA[" * 100_000, "a.xml")  # in time of its length


@pytest.mark.parametrize("doctype", ['<!DOCTYPE article SYSTEM "a', "<!DOCTYPE"])
def test_a_doctype_that_does_not_end(doctype: str) -> None:
    with pytest.raises(TruncatedFileError, match=r"Expected a whole DOCTYPE at the start of a\.xml; it does not end"):
        without_doctype(doctype, "a.xml")


def test_an_internal_subset_that_does_not_end() -> None:
    with pytest.raises(TruncatedFileError, match=r"Expected the DOCTYPE of a\.xml to end with ']>'; it does not"):
        without_doctype("<!DOCTYPE article [<!NOTATION a SYSTEM 'a'>", "a.xml")


def test_root_is_found_past_declaration_comments_and_doctype() -> None:
    assert root_name('<?xml version="1.0"?><!-- <a> --><!DOCTYPE x [<!ENTITY b "<c>">]> <t:TEI xmlns:t="x">') == "TEI"
    assert root_name("<!DOCTYPE article [<!ENTITY ") == "article"
    assert root_name("no markup") == ""


def test_a_doctype_of_many_spaces_is_refused_at_once() -> None:
    with pytest.raises(TruncatedFileError, match=r"Expected a whole DOCTYPE at the start of a\.xml; it does not end"):
        without_doctype("<!DOCTYPE article" + " " * 50_000 + "x", "a.xml")


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

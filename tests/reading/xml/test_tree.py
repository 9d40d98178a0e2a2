"""XML parsed within its limits, and files of many XML records, cut and read one by one."""

from __future__ import annotations

import io
import tracemalloc
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.core.errors import (
    EmptyInputError,
    InputError,
    InputTooLargeError,
    MalformedFileError,
    ManyDocumentsError,
    TextEncodingError,
    TruncatedFileError,
    UnsafeXmlError,
    UnsupportedFormatError,
)
from engine.reading.base import Omissions
from engine.reading.dispatch import iter_documents, read_bytes, read_file
from engine.reading.limits import LIMITS, Limits
from engine.reading.xml.records import XmlRecord, xml_records
from engine.reading.xml.tree import as_numbers, parse, root_name, without_doctype
from tests.reading import texts

ARTICLE = (
    "<article><front><article-meta><title-group><article-title>A &amp; B</article-title></title-group>"
    "</article-meta></front></article>"
)


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
        f'<!DOCTYPE article PUBLIC "{JATS_ID}" "../../../JATS-journalpublishing1.dtd">',
        f'<!DOCTYPE article PUBLIC "{JATS_ID}" "file:///C:/dtds/JATS-journalpublishing1-3-mathml3.dtd">',
        f'<!DOCTYPE article PUBLIC "{JATS_ID}" "C:\\dtds\\JATS-archivearticle1.dtd">',
        f'<!DOCTYPE article PUBLIC "{JATS_ID}" "https://journal.example.org/dtd/journalpublishing3.dtd">',
        '<!DOCTYPE article SYSTEM "../dtd/archivearticle3.dtd">',
        '<!DOCTYPE article PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2019//EN" "../dtd/pubmed_190101.dtd">',
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
        f'<!DOCTYPE article PUBLIC "{JATS_ID}" "../../secret.dtd">',
        f'<!DOCTYPE article PUBLIC "{JATS_ID}" "http://example.org/x?JATS-journalpublishing1.dtd">',
        '<!DOCTYPE article SYSTEM "file:///home/a/secret.dtd">',
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


SETS = {"set": ("member",)}


def cut(text: str, limits: Limits = LIMITS, warn: Callable[[str], None] = pytest.fail) -> list[XmlRecord]:
    return list(xml_records(io.BytesIO(text.encode()), "a.xml", limits, SETS, Omissions(warn)))


def members(text: str, warn: Callable[[str], None] = pytest.fail) -> list[str]:
    """The members of a set, without the root that each is wrapped in."""
    return [one.data.decode().partition("<set>")[2].removesuffix("</set>") for one in cut(text, warn=warn)]


@pytest.fixture(params=[7, 64, 1 << 20])
def blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.reading.xml.records._BLOCK_BYTES", request.param)
    monkeypatch.setattr("engine.reading.xml.records._PROLOG_BYTES", 60 if request.param < 100 else 1 << 20)


@pytest.mark.usefixtures("blocks")
def test_documents_one_after_another() -> None:
    declared, typed, bare = '<?xml version="1.0"?>\n<a>1</a>\n', "<!DOCTYPE a>\n<a>2</a>\n", "<a>3</a>\n<a>4</a>"
    found = cut(f"\n{declared}{typed}{bare}")
    assert [(one.number, one.line) for one in found] == [(1, 2), (2, 4), (3, 6), (4, 7)]
    assert [one.data.decode().strip()[-8:] for one in found] == [f"<a>{one}</a>" for one in range(1, 5)]


@pytest.mark.usefixtures("blocks")
def test_members_of_a_set() -> None:
    text = '<?xml version="1.0"?>\n<set>\n<member>1</member> between\n<members/><member a="b">2</member></set>\n'
    assert members(text) == ["<member>1</member>", '<member a="b">2</member>']
    assert [(one.number, one.line) for one in cut(text)] == [(1, 3), (2, 4)]


@pytest.mark.usefixtures("blocks")
def test_members_keep_their_prefixes_and_their_declaration() -> None:
    text = (
        '\ufeff<?xml version="1.0" encoding="UTF-8"?><o:set xmlns:o="urn:o" xmlns:xml="x"><b xmlns:f="urn:f">'
        "<f:member><f:a/></f:member></b></o:set>"
    )
    assert [one.data.decode() for one in cut(text)] == [
        '<?xml version="1.0" encoding="UTF-8"?><set xmlns:o="o" xmlns:f="f"><f:member><f:a/></f:member></set>'
    ]


@pytest.mark.usefixtures("blocks")
@pytest.mark.parametrize("quoted", ["<!-- <member>0</member> -->", "<![CDATA[<member></set><?xml ]]>"])
def test_what_a_set_quotes_cuts_nothing(quoted: str) -> None:
    assert members(f"<set>{quoted}<member>{quoted}</member></set>") == [f"<member>{quoted}</member>"]


@pytest.mark.usefixtures("blocks")
def test_a_member_that_is_not_closed_ends_where_the_next_begins() -> None:
    assert members("<set><member>1<b><member>2</member></set>") == ["<member>1<b>", "<member>2</member>"]


@pytest.mark.usefixtures("blocks")
def test_two_sets_in_one_file() -> None:
    one = '<?xml version="1.0"?><set><member/></member></set>'
    assert len(cut(one + "\n" + one + '<?xml version="1.0"?><a/>')) == 3


@pytest.mark.usefixtures("blocks")
@pytest.mark.parametrize("cut_short", ["<set>\n<member>1</member>", "<set>\n<member>1</member>\n<member>2<![CDATA[ <"])
def test_a_set_that_stops_is_told(cut_short: str) -> None:
    warnings: list[str] = []
    assert members(cut_short, warnings.append)[0] == "<member>1</member>"
    assert len(warnings) == 1
    assert warnings[0].startswith("a.xml stops before the end of its set, at line ")


@pytest.mark.usefixtures("blocks")
def test_a_member_beyond_the_limit() -> None:
    told: list[str] = []
    large = f"<member>{'a' * (3 << 18)}<!--\n{'b' * (3 << 18)}--></member>"
    text = f"<set><member>1</member>\n\n{large}\n{large}<member>2</member></set>"
    found = cut(text, Limits(max_file_bytes=1 << 20), told.append)
    assert [(one.number, one.line, one.data[-21:-6]) for one in found] == [
        (1, 1, b"<member>1</member>"[-15:]),
        (4, 6, b"<member>2</member>"[-15:]),
    ]
    assert [one.partition(" a.xml;")[0] for one in told] == [
        "An entry was left out. Expected at most 1 MiB in the record of line 3 of",
        "An entry was left out. Expected at most 1 MiB in the record of line 5 of",
    ]


@pytest.mark.usefixtures("blocks")
def test_a_document_beyond_the_limit_among_others() -> None:
    told: list[str] = []
    documents = [f'<?xml version="1.0"?>\n<a>{text}</a>\n' for text in ("1", "b" * (2 << 20), "3")]
    found = cut("".join(documents), Limits(max_file_bytes=1 << 20), told.append)
    assert [one.line for one in found] == [1, 5]
    assert "at most 1 MiB in the record of line 3 of a.xml; it is larger" in told[0]


def test_a_large_set_takes_the_memory_of_a_member(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.reading.xml.records._BLOCK_BYTES", 1 << 16)
    monkeypatch.setattr("engine.reading.xml.records._PROLOG_BYTES", 1 << 16)
    file = io.BytesIO(b"<set>" + b"<member>%b</member>" % (b"b" * 1_000) * 10_000 + b"</set>")
    tracemalloc.start()
    assert sum(1 for _ in xml_records(file, "a.xml", LIMITS, SETS, Omissions(pytest.fail))) == 10_000
    assert tracemalloc.get_traced_memory()[1] < 2 << 20
    tracemalloc.stop()


def test_weekly_files_hold_many_documents(tmp_path: Path) -> None:
    second = texts.GRANT.replace("09123456", "09123457")
    genes = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE sequence-cwu>\n<sequence-cwu id="S"><a/></sequence-cwu>\n'
    )
    (tmp_path / "week.xml").write_text(texts.GRANT + genes + second)
    assert [one.id for one in iter_documents(tmp_path / "week.xml")] == ["US9123456B2", "US9123457B2"]
    with pytest.raises(
        ManyDocumentsError, match=r"Expected one document in week\.xml, found several\. Import it instead"
    ):
        read_file(tmp_path / "week.xml")


def test_a_weekly_file_is_cut_wherever_the_blocks_fall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "week.xml").write_text((texts.GRANT + texts.APPLICATION) * 3)
    for size in (7, 64, 1000):
        monkeypatch.setattr("engine.reading.xml.records._BLOCK_BYTES", size)
        monkeypatch.setattr("engine.reading.xml.records._PROLOG_BYTES", 500)
        found = [one.id for one in iter_documents(tmp_path / "week.xml")]
        assert found == ["US9123456B2", "US20050000001A1"] * 3


@pytest.mark.parametrize(
    "quoted",
    [
        '<p><![CDATA[<?xml version="1.0"?><a/>]]></p>',
        '<!-- <a/> <?xml version="1.0"?> -->',
        '<p><![CDATA[</a>\n<?xml version="1.0"?>\n<a></a>]]></p>',
    ],
)
def test_a_declaration_that_a_document_quotes_cuts_nothing(
    quoted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quoting = texts.GRANT.replace("</us-patent-grant>", f"{quoted}</us-patent-grant>")
    assert quoting != texts.GRANT
    (tmp_path / "one.xml").write_text(quoting)
    assert read_file(tmp_path / "one.xml").document.id == "US9123456B2"
    (tmp_path / "week.xml").write_text(quoting + texts.APPLICATION + quoting)
    for size in (7, 1 << 20):
        monkeypatch.setattr("engine.reading.xml.records._BLOCK_BYTES", size)
        monkeypatch.setattr("engine.reading.xml.records._PROLOG_BYTES", 500)
        found = [one.id for one in iter_documents(tmp_path / "week.xml")]
        assert found == ["US9123456B2", "US20050000001A1", "US9123456B2"]


def test_many_declarations_are_looked_at_in_time_of_their_length() -> None:
    with pytest.raises(InputError):
        read_bytes(b'<?xml version="1.0"?><article>' + b"<?xml " * 300_000, "a.xml")


def read(path: Path) -> tuple[list[str], list[str]]:
    """The ids of a file's documents, and the warnings."""
    warnings: list[str] = []
    return [one.id for one in iter_documents(path, warn=warnings.append)], warnings


@pytest.mark.parametrize("foreign", ['<WEEK a="b"/>', "<WEEK></WEEK>"])
def test_a_foreign_record_amid_others_is_left_out(foreign: str, tmp_path: Path) -> None:
    (tmp_path / "week.xml").write_text(f'{texts.GRANT}<?xml version="1.0"?>\n{foreign}\n{texts.APPLICATION}')
    assert read(tmp_path / "week.xml") == (
        ["US9123456B2", "US20050000001A1"],
        [
            "An entry was left out. Expected papers or patents in week.xml, found a record of 'WEEK' at line 40. "
            "Take that record out."
        ],
    )


def test_a_damaged_record_in_a_weekly_file_is_left_out(tmp_path: Path) -> None:
    damaged = texts.GRANT.replace("</abstract>", "</abs>")
    (tmp_path / "week.xml").write_text(damaged + texts.APPLICATION + damaged)
    found, warnings = read(tmp_path / "week.xml")
    assert found == ["US20050000001A1"]
    assert [one.partition(", column")[0] for one in warnings] == [
        "An entry was left out. Expected well-formed XML in week.xml; line 20",
        "An entry was left out. Expected well-formed XML in week.xml; line 76",
    ]


def test_a_record_that_is_cut_short_does_not_take_the_next_one_along(tmp_path: Path) -> None:
    (tmp_path / "week.xml").write_text(texts.GRANT[:900] + "\n" + texts.GRANT + texts.APPLICATION)
    found, warnings = read(tmp_path / "week.xml")
    assert found == ["US9123456B2", "US20050000001A1"]
    assert len(warnings) == 1 and "to end with its closing tag" in warnings[0]


def test_a_file_without_a_record_that_can_be_read_is_refused(tmp_path: Path) -> None:
    damaged = texts.GRANT.replace("</abstract>", "</abs>")
    (tmp_path / "week.xml").write_text(damaged + damaged)
    with pytest.raises(MalformedFileError, match=r"Expected well-formed XML in week.xml; line 20"):
        read(tmp_path / "week.xml")


def test_names_of_iso_and_unknown_ones(tmp_path: Path) -> None:
    text = "5 &mgr;m of &OHgr; and &b.alpha;, &nosuch; &amp; &nosuch;"
    (tmp_path / "a.xml").write_text(texts.GRANT.replace("A lid that does not whistle.", text))
    reading = read_file(tmp_path / "a.xml")
    assert reading.document.abstract == "5 \u03bcm of \u03a9 and \u03b1, &nosuch; & &nosuch;"
    assert reading.warnings == (
        "a.xml names characters that neither HTML nor ISO 8879 knows: &nosuch;. They stand in the text as they are "
        "written, in 2 places.",
    )


def test_only_six_unknown_names_are_told(tmp_path: Path) -> None:
    names = " ".join(f"&no{one};" for one in "abcdef")
    (tmp_path / "a.xml").write_text(texts.GRANT.replace("A lid that does not whistle.", names))
    assert "&noa;, &nob;, &noc;, &nod;, &noe; and others. They" in read_file(tmp_path / "a.xml").warnings[0]


def test_a_file_of_nothing_but_damaged_records_ends_in_time() -> None:
    with pytest.raises(InputTooLargeError, match="within 1 seconds"):
        read_bytes(b'<?xml version="1.0"?><pmc-articleset>' + b"<article " * 300_000, "a.xml", Limits(max_seconds=1))


def test_only_a_gene_sequence() -> None:
    with pytest.raises(UnsupportedFormatError, match=r"found the root 'sequence-cwu'"):
        read_bytes(b'<?xml version="1.0"?>\n<sequence-cwu/>', "a.xml")


def test_a_set_that_lists_its_members_by_numbers_alone(tmp_path: Path) -> None:
    (tmp_path / "family.xml").write_text(
        '<?xml version="1.0"?><ops:world-patent-data xmlns="http://www.epo.org/exchange" xmlns:ops="http://ops.epo.org">'
        '<ops:meta name="elapsed-time" value="3"/><ops:patent-family total-result-count="1"><ops:family-member '
        'family-id="43"><publication-reference><document-id document-id-type="docdb"><country>EP</country><doc-number>'
        "2400812</doc-number><kind>A1</kind></document-id></publication-reference></ops:family-member>"
        "</ops:patent-family></ops:world-patent-data>"
    )
    said = (
        r"Expected exchange-document or fulltext-document within the world-patent-data of family\.xml, found "
        r"patent-family alone\. Ask its service for whole documents, such as the EPO's for a family with its biblio"
    )
    with pytest.raises(EmptyInputError, match=said):
        list(iter_documents(tmp_path / "family.xml"))
    with pytest.raises(EmptyInputError, match=said):
        read_file(tmp_path / "family.xml")

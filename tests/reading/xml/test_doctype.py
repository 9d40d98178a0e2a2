"""XML that could hide files, grow without end or reach outside is refused; real publishers' files are not."""

from __future__ import annotations

import pytest

from engine.core.errors import TruncatedFileError, UnsafeXmlError
from engine.reading.dispatch import read_bytes
from engine.reading.xml.doctype import root_name, without_doctype
from engine.reading.xml.tree import parse
from tests.reading.xml.articles import ARTICLE

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

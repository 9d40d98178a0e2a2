"""Files of many XML records, cut and read one by one."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.core.errors import (
    EmptyInputError,
    InputError,
    InputTooLargeError,
    MalformedFileError,
    ManyDocumentsError,
    UnsupportedFormatError,
)
from engine.reading.base import Omissions
from engine.reading.dispatch import iter_documents, read_bytes, read_file
from engine.reading.limits import LIMITS, Limits
from engine.reading.xml.records import XmlRecord, xml_records
from tests.reading import texts

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

"""Files of many XML records, streamed one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import (
    InputError,
    MalformedFileError,
    ManyDocumentsError,
    UnsupportedFormatError,
)
from engine.readers import iter_documents, read_bytes, read_file
from tests.readers import texts


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
        monkeypatch.setattr("engine.readers.xml.records._BLOCK_BYTES", size)
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
        monkeypatch.setattr("engine.readers.xml.records._BLOCK_BYTES", size)
        found = [one.id for one in iter_documents(tmp_path / "week.xml")]
        assert found == ["US9123456B2", "US20050000001A1", "US9123456B2"]


def test_many_declarations_are_looked_at_in_time_of_their_length() -> None:
    with pytest.raises(InputError):
        read_bytes(b'<?xml version="1.0"?><article>' + b"<?xml " * 300_000, "a.xml")


def test_a_foreign_record_of_one_tag_amid_others(tmp_path: Path) -> None:
    (tmp_path / "week.xml").write_text(f'{texts.GRANT}<?xml version="1.0"?>\n<PATDOC a="b"/>\n{texts.GRANT}')
    with pytest.raises(UnsupportedFormatError, match=r"found a record of 'PATDOC'"):
        list(iter_documents(tmp_path / "week.xml"))


def test_a_damaged_record_in_a_weekly_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "week.xml").write_text(texts.GRANT + texts.GRANT.replace("</abstract>", "</abs>"))
    with pytest.raises(MalformedFileError, match=r"Expected well-formed XML in week.xml"):
        list(iter_documents(tmp_path / "week.xml"))


def test_a_foreign_record_in_a_weekly_file(tmp_path: Path) -> None:
    (tmp_path / "week.xml").write_text(texts.GRANT + '<?xml version="1.0"?>\n<PATDOC/>')
    with pytest.raises(UnsupportedFormatError, match=r"in week.xml, found a record of 'PATDOC'. Take that record out"):
        list(iter_documents(tmp_path / "week.xml"))


def test_only_a_gene_sequence() -> None:
    with pytest.raises(UnsupportedFormatError, match=r"found the root 'sequence-cwu'"):
        read_bytes(b'<?xml version="1.0"?>\n<sequence-cwu/>', "a.xml")

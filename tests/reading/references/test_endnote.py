"""EndNote's tagged records."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.reading.dispatch import iter_documents, read_bytes

RECORD = """%0 Journal Article
%A Lind, Ada
%A Ek, Bo
%T Quiet lids on
kettles
%J Journal of Lids
%D 2019
%K noise
steam; lids
%R 10.1234/lid.7
%X Lids rattle.

We listened.
%U https://example.org/lid
"""


@pytest.mark.parametrize("name", ["a.enw", "upload", "a.txt"])
@pytest.mark.parametrize("data", [RECORD.encode(), RECORD.replace("\n", "\r").encode(), RECORD.encode("utf-16")])
def test_a_record(data: bytes, name: str) -> None:
    reading = read_bytes(data, name)
    found = reading.document
    assert (reading.format, reading.warnings) == ("endnote", ())
    assert (found.title, found.abstract) == ("Quiet lids on kettles", "Lids rattle.\n\nWe listened.")
    assert (found.id, found.year, found.venue) == ("doi:10.1234/lid.7", 2019, "Journal of Lids")
    assert (found.authors, found.keywords) == (("Lind, Ada", "Ek, Bo"), ("noise", "steam", "lids"))


def test_several_records_and_a_patent(tmp_path: Path) -> None:
    patent = "%0 Patent\n%T Lid\n%A Ek, Bo\n%I Lids AB\n%@ US1234567B2\n%D 2001\n"
    (tmp_path / "a.enw").write_text(RECORD + "\n" + patent + patent.replace("4567", "4568"))
    _, first, second = iter_documents(tmp_path / "a.enw")
    assert (first.kind, first.id, first.venue) == ("patent", "US1234567B2", "Lids AB")
    assert second.id == "US1234568B2"


def test_records_that_say_no_type_where_the_name_does(tmp_path: Path) -> None:
    text = "%T Lids\n%A Lind, Ada\n%D 1999\n\n%T Pots\n%D 2000\n"
    (tmp_path / "a.enw").write_text(text)
    assert [one.year for one in iter_documents(tmp_path / "a.enw")] == [1999, 2000]
    assert read_bytes(text.encode(), "a.txt").format == "text"

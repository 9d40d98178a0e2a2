"""RefWorks' tagged export."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.reading.dispatch import iter_documents, read_bytes
from engine.reading.references.tagged import REFWORKS

RECORD = """RT Journal Article
SR Electronic(1)
A1 Lind,Ada
A1 Vik,Bo
T1 Kettles that whistle
  in the night
JF Journal of Kettles
YR 2021
K1 kettles; lids
AB We hear kettles.
DO 10.1234/k.7
LK https://a.example/7
ER
"""


def test_a_record() -> None:
    found = read_bytes(RECORD.encode(), "a.txt")
    document = found.document
    assert (found.format, document.id, document.title) == (
        "refworks",
        "doi:10.1234/k.7",
        "Kettles that whistle in the night",
    )
    assert (document.authors, document.year, document.venue) == (("Lind, Ada", "Vik, Bo"), 2021, "Journal of Kettles")
    assert (document.abstract, document.keywords) == ("We hear kettles.", ("kettles", "lids"))
    assert document.url == "https://a.example/7"


def test_many_records_and_a_patent(tmp_path: Path) -> None:
    patent = "RT Patent\nA1 Lind,Ada\nT1 Kettle\nPB Kettles Inc.\nPN US1234567B2\nYR 2020\n\n"
    (tmp_path / "a.txt").write_text(f"{RECORD}\n{patent}{RECORD}")
    first, second, third = iter_documents(tmp_path / "a.txt")
    assert (second.kind, second.id, second.venue) == ("patent", "US1234567B2", "Kettles Inc.")
    assert first == third


@pytest.mark.parametrize(
    "text", ["RT Journal Article", "RT is a tag\nof RefWorks\n", "RT Journal Article\nand so on\nT1 x\n"]
)
def test_what_only_begins_like_a_record(text: str) -> None:
    assert not REFWORKS.opens(text, sure=False)

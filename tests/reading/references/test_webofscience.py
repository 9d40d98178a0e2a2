"""Web of Science's plain text, and Derwent's."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.reading.dispatch import iter_documents, read_bytes

RECORD = """FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Lind, A
   Ek, B
AF Lind, Ada
   Ek, Bo
TI Quiet lids on
   kettles
SO JOURNAL OF LIDS
DE noise; steam
ID VIBRATION
AB Lids rattle. We
   listened.
PY 2019
DI 10.1234/lid.7
WC Acoustics; Mechanics
UT WOS:0007
ER

"""


@pytest.mark.parametrize("name", ["a.ciw", "savedrecs.txt", "upload"])
@pytest.mark.parametrize("head", [True, False])
def test_a_record(name: str, *, head: bool) -> None:
    text = f"{RECORD}EF" if head else RECORD[RECORD.index("PT J") :]
    reading = read_bytes(f"\ufeff{text}".encode(), name)
    found = reading.document
    assert (reading.format, reading.warnings) == ("web-of-science", ())
    assert (found.title, found.abstract) == ("Quiet lids on kettles", "Lids rattle. We listened.")
    assert (found.id, found.year, found.venue) == ("doi:10.1234/lid.7", 2019, "JOURNAL OF LIDS")
    assert (found.authors, found.keywords) == (("Lind, Ada", "Ek, Bo"), ("noise", "steam", "VIBRATION"))
    assert found.categories == ("Acoustics", "Mechanics")


def test_patents_of_derwent(tmp_path: Path) -> None:
    patent = (
        "PT P\nPN US1234567-B2; EP7654321-A1\nTI Lid\nAU EK B\nAE LIDS AB (LIDS-C)\nPD US1234567-B2 02 Mar 2021\nER\n"
    )
    (tmp_path / "a.ciw").write_text(RECORD + patent + "EF\n")
    _, found = iter_documents(tmp_path / "a.ciw")
    assert (found.kind, found.id, found.year, found.authors) == ("patent", "US1234567B2", 2021, ("EK B",))
    assert found.venue == "LIDS AB (LIDS-C)"

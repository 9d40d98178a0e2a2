"""RIS: records of tagged lines, each a document."""

from __future__ import annotations

import time

import pytest

from engine.core.errors import InputTooLargeError
from engine.documents import Document
from engine.reading.dispatch import read_bytes
from tests.reading.references.written import RIS, SIZE, ris


def test_ris() -> None:
    (found,) = ris(RIS)
    assert found == Document(
        id="doi:10.1007/bf01700692",
        title="On incompleteness",
        abstract="We show it.\nAnd more.",
        year=1931,
        keywords=("logic", "proof"),
        venue="Math.",
        authors=("Gödel, Kurt", "Lind, Ada"),
        url="https://doi.org/10.1007/bf01700692",
    )


@pytest.mark.parametrize(
    "text",
    [
        "TY  - JOUR\nTI  - A\nER  - \n",
        "TY  - JOUR\nTI  - A\nER  -",
        "TY  - JOUR\nTI  - A",
        "TY  - JOUR\nTI  - A\n\n\n",
        "\ufeffTY  - JOUR\r\nTI  - A\r\nER  -\r\n",
        "Provider: X\nContent: text/plain\n\nTY  - GEN\nT1  - A\nER  - \n",
        "TY - JOUR\nTI - A\nER -\n",
        "TY- JOUR\nTI- A\nER- \n",
        "TY  -JOUR\nTI  -A\nER  -\n",
        "TY  - BOOK\nBT  - A\nPB  - B\nER  - \n",
    ],
)
def test_ways_to_write_a_record(text: str) -> None:
    assert [one.title for one in ris(text)] == ["A"]


def test_markup_in_a_record_is_no_text() -> None:
    (found,) = ris("TY  - JOUR\nTI  - <i>In vivo</i> H<sub>2</sub>O &amp; heat\nAB  - <p>p &lt; .05.</p>\nER  - \n")
    assert (found.title, found.abstract) == ("In vivo H2O & heat", "p < .05.")


def test_records_without_their_end() -> None:
    found = ris("TY  - JOUR\nTI  - A\nTY  - JOUR\nTI  - B\nER  - \nTY  - JOUR\nTI  - C")
    assert [one.title for one in found] == ["A", "B", "C"]


def test_lines_outside_of_records_are_left_out_and_told() -> None:
    said: list[str] = []
    assert len(ris("1. \nTY  - JOUR\nTI  - A\nER  - \n\nC1  - Base: X\nUR  - y\n\nSearch:\n1  a (3)\n", said=said)) == 1
    assert said == ["2 lines of a.ris outside of its records were left out, the first of them line 6: 'C1  - Base: X'."]


def test_lines_after_a_blank_one_go_on_with_an_abstract_alone() -> None:
    said: list[str] = []
    first, second = ris("TY  - JOUR\nAB  - One.\n\nTwo.\n\n2.\nTY  - JOUR\nTI  - B\n\nSearch:\n1  lids\n", said=said)
    assert (first.abstract, second.title) == ("One.\n\nTwo.", "B")
    assert said == ["1 line of a.ris outside of its records were left out, the first of them line 10: 'Search:'."]


def test_cochranes_records() -> None:
    (found,) = ris(
        "Record #1 of 1\nProvider: W\n\nTY  -  CTLG\nA1  -  Ek B\nT1  -  Lids\nYR  -  2019\nJA  -  Lid Notes\n"
        "DOI -  10.1234/x.1\nKY  -  lids;pots\nN2  -  AIM: Lids. A mid-\nAB-line.\nRecord #2 of 2\nER  -  \n"
    )
    assert (found.id, found.year, found.venue, found.authors) == ("doi:10.1234/x.1", 2019, "Lid Notes", ("Ek B",))
    assert (found.keywords, found.abstract) == (("lids", "pots"), "AIM: Lids. A mid-\nAB-line.")


def test_editors_stand_for_authors() -> None:
    assert ris("TY  - BOOK\nTI  - A\nA2  - Lind, Ada\nER  - \n")[0].authors == ("Lind, Ada",)


def test_old_line_ends_and_utf_16_are_told_by_content() -> None:
    text = "TY  - JOUR\rTI  - Naïve lids\rPY  - 2021\rAB  - Of lids.\rER  - \r"
    for data in (text.encode(), text.encode("utf-16"), text.replace("\r", "\n").encode("utf-8-sig")):
        assert read_bytes(data, "a.ris").document.title == "Naïve lids"
        assert read_bytes(data, "upload").format == "ris"
    long_search = "Database: X\n" + "1 lids.tw. (3)\n" * 60
    assert read_bytes((long_search + text.replace("\r", "\n")).encode(), "a.ris").document.year == 2021


@pytest.mark.parametrize("piece", ["TY  - A\n", "AU  - a\n", "more\n", "ER  - \n", "TI  -", " ", "\n"])
def test_hostile_ris_costs_no_more_than_its_length(piece: str) -> None:
    begun = time.process_time()
    try:
        ris("TY  - JOUR\nTI  - A\n" + piece * (SIZE // len(piece)))
    except InputTooLargeError:
        pass
    assert time.process_time() - begun < 5

"""RIS: records of tagged lines, each a document."""

from __future__ import annotations

import time

import pytest

from engine.documents import Document
from engine.errors import (
    InputTooLargeError,
    MalformedFileError,
)
from tests.readers.references.written import RIS, SIZE, ris


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


def test_a_record_without_its_beginning_names_its_line() -> None:
    with pytest.raises(MalformedFileError, match=r"Expected a record to begin with TY in line 4 of a\.ris, found AU"):
        ris("TY  - JOUR\nTI  - A\nER  - \nAU  - B\n")


@pytest.mark.parametrize("piece", ["TY  - A\n", "AU  - a\n", "more\n", "ER  - \n", "TI  -", " ", "\n"])
def test_hostile_ris_costs_no_more_than_its_length(piece: str) -> None:
    begun = time.process_time()
    try:
        ris("TY  - JOUR\nTI  - A\n" + piece * (SIZE // len(piece)))
    except InputTooLargeError:
        pass
    assert time.process_time() - begun < 5

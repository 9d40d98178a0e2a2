"""What stands on a PDF's first page: hostile lines are told as fast as others."""

from __future__ import annotations

import pytest

from engine.readers.pdf_front import doi_of, year_of


def test_a_year_stands_beside_its_word() -> None:
    assert year_of("Volume 12, Number 3, 2004") == 2004
    assert year_of("Received 3 September 2011") == 2011


@pytest.mark.parametrize("line", ["vol" * 30_000, "mar" * 30_000, "proceedings" * 5_000])
def test_a_long_line_without_a_year(line: str) -> None:
    assert year_of(line) is None


def test_a_doi_of_zeros_is_none() -> None:
    assert doi_of("doi: 10.1000/a0000") == ""
    assert doi_of("doi: 10.1000/a1000.") == "10.1000/a1000"


def test_what_is_far_too_long_is_no_doi() -> None:
    assert doi_of("doi:10.1000/" + "a/0" * 30_000 + "1") == ""

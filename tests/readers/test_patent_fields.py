"""Fields that all patent offices print: numbers, codes, claims, dates."""

from __future__ import annotations

import pytest

from engine.readers.patent_fields import cancelled, claims, patent_id, symbol, unnumbered, year


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1.-20. (canceled)", range(1, 21)),
        ("1-20. (canceled)", range(1, 21)),
        ("1 . - 20 . (canceled)", range(1, 21)),
        ("1–20 [CANCELLED]", range(1, 21)),
        ("1 through 3. (previously canceled)", range(1, 4)),
        ("Claims 4 and 5 (canceled)", range(4, 6)),
        ("7. Canceled.", range(7, 8)),
        ("(canceled without prejudice)", range(1)),
        ("1-99999. (canceled)", range(0)),
        ("1-9999. (canceled)", range(1, 2)),
        ("9-2. (canceled)", range(9, 10)),
        ("1. A canceled cheque.", range(0)),
        (f"1{' ' * 100_000}", range(0)),
    ],
)
def test_ways_to_say_that_claims_are_cancelled(text: str, numbers: range) -> None:
    assert cancelled(text) == numbers


def test_cancelled_claims_take_the_places_that_their_numbers_say() -> None:
    assert list(claims(["1. A lid.", "3-4. (canceled)", "5. A pot."])) == ["A lid.", "", "", "", "A pot."]
    assert list(claims(["(canceled)", "(canceled)", "3. A pot."])) == ["", "", "A pot."]
    assert len(list(claims([*["1-999. (canceled)"] * 1000, "A pot."]))) == 1000 + 999


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ("G06F015/00", "G06F 15/00"),
        ("G06F 15/16", "G06F 15/16"),
        ("B60R  900", "B60R 9/00"),
        ("A61K 31415", "A61K 31/415"),
        ("A47J 2721", "A47J 27/21"),
        ("G10K  50", "G10K 5/00"),
        ("D2301", "D2301"),
        ("", ""),
    ],
)
def test_classification_codes_are_spelled_as_printed(given: str, printed: str) -> None:
    assert symbol(given) == printed


@pytest.mark.parametrize(
    ("number", "kind", "identifier"),
    [
        ("08930553", "B2", "US8930553B2"),
        ("D0612345", "S1", "USD612345S1"),
        ("RE028321", "E", "USRE28321E"),
        ("20050004437", "A1", "US20050004437A1"),
        ("2007/0140112", "A1", "US20070140112A1"),
    ],
)
def test_patent_ids(number: str, kind: str, identifier: str) -> None:
    assert patent_id("US", number, kind) == identifier


def test_only_a_number_at_the_start_is_taken_from_a_claim() -> None:
    assert unnumbered("12 . A device of claim 1.") == "A device of claim 1."
    assert unnumbered("A device. 2. Not a number.") == "A device. 2. Not a number."


def test_year_of_a_date() -> None:
    assert (year("20150901"), year("1976"), year("unknown"), year("00010101")) == (2015, 1976, None, None)

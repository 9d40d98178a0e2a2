"""Fields that all patent offices print: numbers, codes, claims."""

from __future__ import annotations

import pytest

from engine.documents.patents import cancelled, claims, first_of_each, patent_id, published, symbol, unnumbered


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


@pytest.mark.parametrize(
    ("country", "number", "kind", "identifier"),
    [
        ("EP", "0488701", "A1", "EP0488701A1"),
        ("EP", "488701", "A1", "EP0488701A1"),
        ("EP", "EP 2400812", "B1", "EP2400812B1"),
        ("WO", "95/10353", "A1", "WO1995010353A1"),
        ("WO", "1995010353", "A1", "WO1995010353A1"),
        ("WO", "02054790", "A2", "WO2002054790A2"),
        ("WO", "WO 2005/080928", "A1", "WO2005080928A1"),
        ("US", "2012057518", "A1", "US20120057518A1"),
        ("US", "20030004557", "A1", "US20030004557A1"),
        ("US", "D. 271298", "S", "USD271298S"),
        ("DE", "199 00 001", "A1", "DE19900001A1"),
        ("", "2400812", "", "2400812"),
    ],
)
def test_offices_spell_a_number_in_several_ways(country: str, number: str, kind: str, identifier: str) -> None:
    assert patent_id(country, number, kind) == identifier


@pytest.mark.parametrize(
    ("country", "kind", "said"),
    [
        ("US", "A1", "published"),
        ("US", "P1", "published"),
        ("US", "A", "granted"),
        ("US", "E1", "granted"),
        ("EP", "A2", "published"),
        ("EP", "B1", "granted"),
        ("DE", "C2", "granted"),
    ],
)
def test_the_kind_says_whether_a_publication_is_a_grant(country: str, kind: str, said: str) -> None:
    assert published(country, kind) == said


def test_names_once_whatever_their_capitals() -> None:
    assert first_of_each(["KETTLE WORKS, INC.", "Spouts AG", "", "Kettle Works Inc"]) == (
        "Kettle Works Inc",
        "Spouts AG",
    )

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import InputTooLargeError, MalformedFileError
from engine.documents import DocumentDate, Identifier, Reference, Section
from engine.documents.patents import symbol
from engine.reading.dispatch import iter_documents, read_bytes
from engine.reading.dispatch import iter_documents as iter_with_limits
from engine.reading.limits import Limits
from tests.reading.texts import GREENBOOK


def test_record_gives_its_front_page() -> None:
    reading = read_bytes(GREENBOOK.encode(), "patent.txt")
    document = reading.document
    assert reading.format == "greenbook"
    assert reading.warnings == ()
    assert (document.kind, document.id, document.year) == ("patent", "US3999999A", 1976)
    assert document.title == "Whistle for a kettle that can be heard"
    assert document.abstract == "A whistle with two notes."
    assert document.authors == ("Rosalind E. Franklin", "Emmy Noether")
    assert document.venue == "Whistle Company"
    assert document.categories == ("G10K 5/02", "A47J 27/21")
    assert document.family == "US-application-05123456"


def test_sections_take_headings_or_the_name_of_their_group() -> None:
    assert read_bytes(GREENBOOK.encode(), "patent.txt").document.sections == (
        Section("Brief Summary", "Text before a heading."),
        Section("BACKGROUND OF THE INVENTION", "Whistles have one note.\n\nSome have none."),
        Section("Detailed Description", "The whistle has two chambers."),
    )


def test_claims_join_their_paragraphs() -> None:
    assert read_bytes(GREENBOOK.encode(), "patent.txt").document.claims == (
        "A whistle comprising: a first chamber; and a second chamber.",
        "The whistle of claim 1, of brass.",
    )


def test_the_one_claim_of_a_design() -> None:
    design = GREENBOOK.replace("APT  1", "APT  4").replace("WKU  039999991", "WKU  D02424831")
    design = design[: design.index("CLMS")] + "DCLM\nPAR  The ornamental design for a whistle, as shown.\n"
    document = read_bytes(design.encode(), "design.txt").document
    assert (document.id, document.claims) == ("USD242483S", ("The ornamental design for a whistle, as shown.",))


def test_many_records_are_streamed_past_the_header_of_the_tape(tmp_path: Path) -> None:
    second = GREENBOOK.replace("039999991", "040000001")
    (tmp_path / "week.txt").write_text("HHHHHT   APS1 ISSUE - 761228\n" + GREENBOOK + second)
    assert [one.id for one in iter_documents(tmp_path / "week.txt")] == ["US3999999A", "US4000000A"]


@pytest.mark.parametrize("key", ["WKU  039999991\n", "TTL  Whistle for a kettle that\n      can be heard\n"])
def test_record_without_number_or_title(key: str) -> None:
    with pytest.raises(
        MalformedFileError, match=r"patent number \(WKU\) and a title \(TTL\).*record of line 1 of a.txt"
    ):
        read_bytes(GREENBOOK.replace(key, "").encode(), "a.txt")


def test_a_record_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "week.txt").write_text(GREENBOOK + GREENBOOK.replace("TTL  ", "TXL  ") + GREENBOOK)
    warnings: list[str] = []
    found = [one.id for one in iter_documents(tmp_path / "week.txt", warn=warnings.append)]
    assert found == ["US3999999A", "US3999999A"]
    assert warnings == [
        "An entry was left out. Expected a patent number (WKU) and a title (TTL) after PATN in the record of line 42 "
        "of week.txt; one is missing. Check that the record is whole."
    ]


@pytest.mark.parametrize("number", ["9" * 5000, "123", "\N{SUPERSCRIPT TWO}", "A"])
def test_a_series_that_is_no_number_gives_no_family(number: str) -> None:
    document = read_bytes(GREENBOOK.replace("SRC  5", f"SRC  {number}").encode(), "patent.txt").document
    assert document.family == ""
    read_bytes(GREENBOOK.replace("  1234567", f"  {'9' * 5000}").replace("19761228", "9" * 5000).encode(), "patent.txt")


def test_dates_and_citations() -> None:
    cited = "FREF\nPNO  496271\nISD  19730100\nCNT  CH\nOREF\nPAL  Whistles, Tea 3.\nABST"
    document = read_bytes(
        GREENBOOK.replace("ABST", cited).replace("TTL", "APD  19741029\nTTL").encode(), "a.txt"
    ).document
    assert document.dates == (DocumentDate("filed", "1974-10-29"), DocumentDate("granted", "1976-12-28"))
    assert document.references == (
        Reference("US 1234567, Somebody", authors=("Somebody",), identifiers=(Identifier("patent", "US1234567"),)),
        Reference("CH 496271, 1973-01", year=1973, identifiers=(Identifier("patent", "CH496271"),)),
        Reference("Whistles, Tea 3."),
    )
    assert document.inventors == document.authors
    assert document.assignees == ("Whistle Company",)


def test_record_over_the_limit(tmp_path: Path) -> None:
    (tmp_path / "week.txt").write_text(GREENBOOK)
    with pytest.raises(InputTooLargeError, match=r"at most 0 MiB in the record of line 1 of week[.]txt; it is larger"):
        list(iter_with_limits(tmp_path / "week.txt", Limits(max_file_bytes=400)))


def test_bytes_that_are_not_utf8_far_into_the_file(tmp_path: Path) -> None:
    (tmp_path / "week.txt").write_bytes(GREENBOOK.encode() * 80 + b"PAR  caf\xe9\n")
    told: list[str] = []
    assert len(list(iter_documents(tmp_path / "week.txt", warn=told.append))) == 80
    assert "It was read as Windows-1252" in told[0]


def test_raised_figures_are_no_numbers() -> None:
    text = GREENBOOK.replace("SRC  5", "SRC  ²", 1)
    assert text != GREENBOOK
    assert read_bytes(text.encode(), "a.txt").document.family == ""
    assert symbol("B60R  ²00") == "B60R ²00"


def test_a_file_of_nothing_but_damaged_records_ends_in_time() -> None:
    with pytest.raises(InputTooLargeError, match="within 1 seconds"):
        read_bytes(b"PATN\n" * 1_000_000, "a.greenbook", Limits(max_seconds=1))

from __future__ import annotations

from pathlib import Path

import pytest

from engine.documents import Section
from engine.errors import InputTooLargeError, MalformedFileError, TextEncodingError
from engine.readers import Limits, iter_documents, read_bytes
from engine.readers.dispatch import iter_documents as iter_with_limits
from engine.readers.patent_fields import symbol
from tests.readers.texts import GREENBOOK


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
    with pytest.raises(MalformedFileError, match=r"patent number \(WKU\) and a title \(TTL\).*record 1 of a.txt"):
        read_bytes(GREENBOOK.replace(key, "").encode(), "a.txt")


def test_record_over_the_limit(tmp_path: Path) -> None:
    (tmp_path / "week.txt").write_text(GREENBOOK)
    with pytest.raises(InputTooLargeError, match=r"Expected records of at most 0 MiB in week[.]txt; one is larger"):
        list(iter_with_limits(tmp_path / "week.txt", Limits(max_file_bytes=400)))


def test_bytes_that_are_not_utf8_far_into_the_file(tmp_path: Path) -> None:
    (tmp_path / "week.txt").write_bytes(GREENBOOK.encode() * 80 + b"PAR  caf\xe9\n")
    with pytest.raises(TextEncodingError, match="found the byte 0xe9"):
        list(iter_documents(tmp_path / "week.txt"))


def test_raised_figures_are_no_numbers() -> None:
    text = GREENBOOK.replace("SRC  5", "SRC  ²", 1)
    assert text != GREENBOOK
    assert read_bytes(text.encode(), "a.txt").document.family == ""
    assert symbol("B60R  ²00") == "B60R ²00"

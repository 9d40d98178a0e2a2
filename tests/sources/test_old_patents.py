"""Scanned patents of the nineteenth century: what is dug out of noise that we wrote after the real kind.

Titles of old patents, from their sheets and their print.

Words that a machine has misread or broken are mended.
"""

from __future__ import annotations

from collections import Counter

import pytest

from engine.core.errors import MalformedFileError
from engine.documents import Document
from engine.sources import old_patents
from engine.sources.old_patents import best_title, find_head, mend, sheet_lines
from tests.sources.old import OTHER, PAGE, parse, record


def test_identity_and_codes(patent: Document) -> None:
    assert (patent.id, patent.kind, patent.year) == ("US123456A", "patent", 1886)
    assert patent.categories == ("B65H75/44", "A63H27/08")
    assert patent.authors == ("Ada Gale",)


def test_claims_are_cut_at_their_numbers(patent: Document) -> None:
    assert patent.claims == (
        "The combination of a drum, A, and the line of a kite, as set forth.",
        "The apparatus, consisting of the drum A and the handle B, substantially as described.",
    )


def test_the_description_flows(patent: Document) -> None:
    introduction, description = patent.sections
    assert "the class of apparatus employed" in introduction.text
    assert "may be carried in one hand" in introduction.text
    assert description.title == "Description" and description.text.startswith("In the drawings, Figure 1")
    assert description.text.endswith("I do not claim a drum alone.")
    assert "Application filed" not in patent.text and "Witnesses" not in patent.text and "STORM" not in patent.text


def test_an_empty_record_is_kept_and_says_so() -> None:
    patent, _ = parse(record("123456", ""), record("123457", OTHER))
    assert patent.title == "" and patent.name == "Untitled patent US123456A"
    assert patent.sections == () and patent.claims == () and patent.year == 1886


@pytest.mark.parametrize(
    ("before", "after", "year"),
    [("1885", "1885", 1885), ("1885", "1886", None), ("1885", "", None), ("", "1886", None)],
)
def test_a_year_that_the_table_lacks_is_that_of_both_neighbours(before: str, after: str, year: int | None) -> None:
    told = {"123456": before, "123458": after}
    table = "pat\tyear\n" + "".join(f"{number}\t{one}\n" for number, one in told.items() if one)
    numbers = ("123456", "123457", "123458")
    patents = parse(*(record(number, OTHER) for number in numbers), years=table.encode())
    assert [patent.year for patent in patents] == [int(before or 0) or None, year, int(after or 0) or None]


def test_no_record_at_all() -> None:
    with pytest.raises(MalformedFileError, match="found none"):
        parse("no record")


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("We describe it at length. " * 9 + "I claim: A reel with a drum.", ("A reel with a drum.",)),
        ("We describe it. " * 9 + "What we claim is— 1. A reel. 3. A kite.", ("A reel.", "A kite.")),
        ("We describe it. " * 9 + "1. The reel. 2. The kite.", ("The reel.", "The kite.")),
        ("We describe it. " * 9 + "claim as new, and desire to secure by Letters Patent, is A reel.", ("A reel.",)),
        ("We describe it. " * 9, ()),
    ],
)
def test_openings_of_claims(text: str, claims: tuple[str, ...]) -> None:
    assert old_patents.cut_claims(text)[1] == claims


def test_broken_and_misread_words_are_mended() -> None:
    words = Counter({"knitting": 50, "machine": 90, "for": 5000, "varnishing": 40, "cloth": 60, "stockings": 30})
    own = {"knitting", "machine", "varnishing", "cloth", "for"}
    assert mend("KNIT TING MACH NE FOR CLOTH", own, words) == "knitting machine for cloth"
    assert mend("CLOTH-WARNISHING MACHINE.", own, words) == "cloth-varnishing machine"


def test_a_new_paragraph_is_not_joined_to_the_one_before() -> None:
    words = Counter(reels=5)
    line = "the drum is turned by hand, and so is the reel"
    assert old_patents.flow([line, line, "a ree.", "ls"], words) == f"{line} {line} a ree.\n\nls"


def test_the_title_is_the_sheets_where_the_printed_one_is_broken(patent: Document) -> None:
    assert patent.title == "Reel for kite lines"


def test_the_spoken_title_where_sheet_and_print_are_lost() -> None:
    broken = PAGE.replace("REEL FoR K TE LN ES.", "R% EE?L F Q K% TX.")
    patent, _ = parse(record("123456", broken), record("123457", OTHER))
    assert patent.title == "Reels for kite lines"


def test_a_head_without_its_first_line() -> None:
    lines = ["IMPROVEMENT IN REELS.", "Specification forming part of Letters Patent No. 198,780", "Be it known"]
    assert find_head(lines).title == "IMPROVEMENT IN REELS."
    assert find_head(["nothing"]).title == ""


def test_sheet_lines_leave_out_furniture_and_the_inventor() -> None:
    lines = ["(No Model.)", "A. GALE.", "REEL FOR", "KITE LINES.", "WITNESSES", "zz 2", "No. 123,456."]
    assert sheet_lines(lines, "ADA GALE, OF WINDSOR") == ["REEL FOR", "KITE LINES.", "REEL FOR KITE LINES."]


def test_a_title_without_witness_is_empty() -> None:
    assert best_title("", [], "", Counter()) == ""


def test_lines_are_joined_only_where_a_word_is_broken() -> None:
    words = Counter({"apparatus": 9, "appa": 0, "the": 99, "me": 9, "theme": 3, "drum": 9})
    assert old_patents.flow(["of the appa", "ratus and the", "me drum is here for long."], words) == (
        "of the apparatus and the me drum is here for long."
    )


def test_margins_and_debris_are_taken_out() -> None:
    assert old_patents.clean_lines(["25 carried in", "% 2 |", "IO the reel", "10", "a drum"]) == [
        "carried in",
        "the reel",
        "a drum",
    ]


def test_a_word_broken_over_three_lines_is_joined_from_all_its_pieces() -> None:
    words = Counter(appara=5, apparatus=9)
    assert old_patents.flow(["an appa", "ra", "tus"], words) == "an apparatus"

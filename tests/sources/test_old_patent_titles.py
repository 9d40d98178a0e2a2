"""Titles of old patents, from their sheets and their print."""

from __future__ import annotations

from collections import Counter

from engine.documents import Document
from engine.sources.old_patent_titles import best_title, find_head, sheet_lines
from tests.sources.old import OTHER, PAGE, parse, record


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

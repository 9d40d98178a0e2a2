"""Page numbers and running heads in a text that was made page by page."""

from __future__ import annotations

import time

import pytest

from engine.documents import Section
from engine.reading.dispatch import read_text
from engine.reading.text.running_text import without_running_text

TITLE = "Lid Notes 5 (2021) 1-9\nhttps://doi.org/10.1234/ln.5\n\nQuiet lids on tall\nkettles\n"
PEOPLE = "Ada Lind1 , Bo Ek2,* and Cleo Roe1\n1 Lid Institute, Town\n2 Other Lab, Town\n\n"
PAGES = (
    f"{TITLE}{PEOPLE}Abstract\nWe study lids.\n\n1 Introduction\nLids rest on the\n\n1\n",
    "Lind and Ek\n\nLid Notes 5 (2021) 1-9\n\nrims of ket-\n\n2\n",
    "Lid Notes 5 (2021) 1-9\n\ntles. They rattle.\n2 Methods\nWe look.\n\n3\n",
    "References\n[1] A. Roe. Lids. 2001.\n",
)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_pages_are_joined_without_what_frames_them(end: str) -> None:
    document = read_text("\f".join(PAGES).replace("\n", end)).document
    assert (document.title, document.abstract) == ("Quiet lids on tall kettles", "We study lids.")
    assert document.sections == (
        Section("Introduction", "Lids rest on the rims of kettles. They rattle."),
        Section("Methods", "We look."),
        Section("References", "[1] A. Roe. Lids. 2001.", "references"),
    )


def test_pages_that_only_their_numbers_part() -> None:
    body = "Lids\n\nAbstract\n\nOf lids.\n\n1 Introduction\n\nLids rest\n\n7\n\non rims. Two do.\n\nThree do.\n\n"
    document = read_text(f"{body}Four do.\n\nFive do.\n\n8\n\n2 Methods\n\nWe look.\n").document
    assert document.sections == (
        Section("Introduction", "Lids rest on rims. Two do.\n\nThree do.\n\nFour do.\n\nFive do."),
        Section("Methods", "We look."),
    )


@pytest.mark.parametrize("head", ["Page 1 of 2", "- 1 -", "iv", "[ 1 ]", "Seite 1 von 2"])
def test_ways_to_number_a_page(head: str) -> None:
    assert without_running_text(f"{head}\nLids rest.\n\f{head}\nThey rattle.\n") == "Lids rest.\n\nThey rattle."


@pytest.mark.parametrize(
    "text",
    [
        "Lids\n\n1\n\n2\n\n3\n\nLids rest.\n",
        "Lids rest.\n\n1984\n\nLids rattle.\n",
        "Lids rest.\n",
    ],
)
def test_numbers_that_are_no_pages(text: str) -> None:
    assert without_running_text(text) == text


def test_captions_and_chapters_at_the_top_of_pages_stay() -> None:
    text = "Chapter 1\nLids.\n\fChapter 2\nRims.\n\fFigure 1. A lid.\nX.\n\fFigure 2. A lid.\nY.\n"
    assert without_running_text(text).count("Chapter") == 2
    assert without_running_text(text).count("Figure") == 2


@pytest.mark.parametrize("piece", ["1\n\n", "\f", "a\n\f", " ", "1", "Page 1\n\f", "i"])
def test_long_runs_cost_no_more_than_their_length(piece: str) -> None:
    begun = time.process_time()
    without_running_text(f"Lids\n\n{piece * (200_000 // len(piece))}\n\fLids")
    assert time.process_time() - begun < 4

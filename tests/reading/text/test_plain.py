"""Plain text into documents; page numbers and running heads are taken out."""

from __future__ import annotations

import time

import pytest

from engine.documents import Section
from engine.reading.dispatch import read_bytes, read_text
from engine.reading.limits import Budget
from engine.reading.text.plain import read_plain, without_running_text
from tests.reading.texts import PASTED, PATENT_TEXT

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


def test_pasted_paper_finds_its_parts() -> None:
    reading = read_text(PASTED)
    document = reading.document
    assert reading.format == "text"
    assert document.kind == "paper"
    assert document.title == "Deep Hashing of Long Documents for Constant-Time Retrieval"
    assert document.abstract == "We present a method that hashes documents. It is a well-known problem."
    assert document.keywords == ("hashing", "long documents", "retrieval")
    assert document.sections == (
        Section("Introduction", "Finding documents is hard. We try to do it well.\n\nA second paragraph stands here."),
        Section("Method", ""),
        Section("Encoding", "We encode with a network:\n1. This is an item of a list.\n2. This is another."),
        Section("Hashing", "Table 1 A caption and no heading We hash."),
        Section("RESULTS", "It is fast."),
        Section("Our Conclusion", "It works."),
        Section("Appendix A", "More stands here."),
        Section("References", "[1] A. Author. A title. 2001.\n2. B. Author. Something Else. 2002.", "references"),
    )
    assert reading.warnings == (
        "Lines about authors were left out of the text: Jane Doe, John Q. Smith and Ana de la Cruz Department of Com.",
    )


def test_pasted_patent_finds_its_claims() -> None:
    document = read_text(PATENT_TEXT).document
    assert document.kind == "patent"
    assert document.title == "BUMPER FOR A BOAT"
    assert document.abstract == "A bumper for the bow of a boat."
    assert [section.title for section in document.sections] == [
        "BACKGROUND OF THE INVENTION",
        "BRIEF DESCRIPTION OF THE DRAWINGS",
    ]
    assert document.claims == (
        "A bumper comprising: a) a strap; and b) a pad of at least 2. 5 inches.",
        "The bumper of claim 1, wherein the pad is rubber.",
        "The bumper of claim 2.",
    )


@pytest.mark.parametrize(
    "text",
    [
        "graph neural networks for molecules",
        "How can documents be hashed so that retrieval takes constant time?",
        "Has anyone bred mice that lack both genes? We look for the effect on the liver and\nthe spleen in old age.",
        "BACKGROUND: Something is known. METHODS: We did it. RESULTS: It worked.",
    ],
)
def test_one_short_paragraph_is_a_query(text: str) -> None:
    document = read_text(text).document
    assert document.kind == "query"
    assert (document.title, document.abstract, document.sections) == ("", " ".join(text.split()), ())
    assert document.id.startswith("text:")


def test_a_long_paragraph_is_no_query() -> None:
    reading = read_text("These words make one long paragraph. " * 150)
    assert reading.document.kind == "paper"
    assert [section.title for section in reading.document.sections] == ["Text"]
    assert reading.warnings == (
        "No title was found: the first line does not look like one. You can add it by hand.",
        "No abstract was found.",
    )


def test_a_title_above_a_paragraph() -> None:
    document = read_text("A Study of Kettles\n\nWe study kettles. They boil.").document
    assert (document.kind, document.title, document.abstract) == (
        "paper",
        "A Study of Kettles",
        "We study kettles. They boil.",
    )


def test_a_title_right_above_a_long_line() -> None:
    text = "A Study of Kettles\nWe study kettles at length, and this line of the abstract is far longer than the title."
    assert read_text(text).document.title == "A Study of Kettles"


def test_a_sentence_is_no_title() -> None:
    text = "We study kettles here, in the kitchen.\n\nThey boil when they are heated enough.\n\nThis was known."
    document = read_text(text).document
    assert document.title == ""
    assert document.abstract.startswith("We study kettles")


def test_named_fields() -> None:
    document = read_text("Title: A Study\nAbstract: We study things.\nIntroduction\nHello there.\n").document
    assert (document.title, document.abstract) == ("A Study", "We study things.")
    assert document.sections == (Section("Introduction", "Hello there."),)


def test_scripts_stay_text() -> None:
    document = read_text("<script>alert(1)</script> in titles\n\nThe body <b>of</b> it.").document
    assert document.title == "<script>alert(1)</script> in titles"
    assert document.abstract == "The body <b>of</b> it."


def test_invisible_characters_and_broken_words_are_mended() -> None:
    text = "A Ti\u00adtle\x00 \u202eIs\n\nAbstract\nex-\nample, mid-\nMay, cafe\u0301 re-use, re-\nuse\u200b."
    document = read_text(text).document
    assert document.title == "A Title Is"
    assert document.abstract == "example, mid-May, café re-use, re-use."


def test_same_text_has_the_same_id_and_a_file_says_so() -> None:
    assert read_text(PASTED).document.id == read_text(PASTED).document.id
    assert read_bytes(PASTED.encode(), "a.txt").document.id.startswith("file:")


@pytest.mark.parametrize("joint", [", and ", "1,2,*, ", ",,,", ". A., "], ids=["and", "marks", "commas", "initials"])
def test_a_long_line_of_names_is_told_at_once(joint: str) -> None:
    text = f"A graph of things\n\n{joint.join(['John Smith'] * 30)} in Paris\n\nAbstract\n\nWe count things.\n"
    assert read_text(text).document.abstract == "We count things."


def test_many_lines_look_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Budget] = []
    monkeypatch.setattr(Budget, "check", lambda self: looks.append(self))
    read_plain("A Kite\n\n" + "kite\n" * 300, "a")
    assert len(looks) >= 300

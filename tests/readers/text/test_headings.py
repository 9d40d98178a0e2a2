"""Headings of plain text, by their words and by their look."""

from __future__ import annotations

import pytest

from engine.documents import Section
from engine.readers import read_text
from tests.readers.text.titles import titles


@pytest.mark.parametrize(
    "abstract",
    [
        "Abstract: We study kettles.",
        "Abstract. We study kettles.",
        "ABSTRACT\nWe study kettles.",
        "Abstract—We study kettles.",
        "1. Abstract\nWe study kettles.",
    ],
)
def test_ways_to_write_an_abstract(abstract: str) -> None:
    document = read_text(f"A Title\n\n{abstract}\n\n1 Introduction\n\nText here.").document
    assert document.abstract == "We study kettles."
    assert document.sections == (Section("Introduction", "Text here."),)


def test_an_abstract_that_runs_on_without_a_mark() -> None:
    text = "A Title\n\nAbstract We study kettles that boil in the kitchen of the house.\n\nMethods\nWe boil."
    assert read_text(text).document.abstract == "We study kettles that boil in the kitchen of the house."
    assert read_text("Abstract Interpretation of Programs\n\nIt is a method.").document.title.startswith("Abstract Int")


@pytest.mark.parametrize(
    "heading",
    [
        "1 Introduction",
        "1. Introduction",
        "I. INTRODUCTION",
        "INTRODUCTION",
        "Introduction:",
        "2.1. Method",
        "RELATED WORK IN FULL",
    ],
)
def test_ways_to_write_a_heading(heading: str) -> None:
    found = titles(f"A Title\n\nAbstract\nWe study.\n\n{heading}\nHere is the text of it.\n")
    assert len(found) == 1
    assert found[0].lower() in ("introduction", "method", "related work in full")


@pytest.mark.parametrize(
    "line",
    [
        "Fig. 1. A Kettle",
        "Table 2: Results",
        "AAN WIKI PAT",
        "7 Not the next number",
        "1. An item that ends.",
        "3 x = y + z",
    ],
)
def test_lines_that_are_no_headings(line: str) -> None:
    text = f"A Title\n\nAbstract\nWe study.\n\n1 Introduction\nHere is text.\n{line}\nMore text follows it.\n"
    assert titles(text) == ["Introduction"]


def test_a_numbered_heading_with_its_text_on_the_line() -> None:
    text = "A Title\n\nAbstract\nWe do.\n\n4.1.1 Data. We use many kettles.\n\n4.1.2 Setup. We use the stove."
    assert read_text(text).document.sections == (
        Section("Data", "We use many kettles."),
        Section("Setup", "We use the stove."),
    )


@pytest.mark.parametrize("title", ["A Proofs of Theorems", "B. Additional Experiments", "Appendix A Proofs"])
def test_an_appendix_after_the_references_is_a_section(title: str) -> None:
    parts = ("On lids", "Abstract", "Of lids.", "1 Method", "We look.", "References", "[1] A Lind. Lids. 1999.")
    text = "\n\n".join((*parts, title, "It holds."))
    found = read_text(text).document
    assert [(one.title, one.role) for one in found.sections][-1] == ("References", "references")
    assert "It holds." in " ".join(one.text for one in found.sections if one.role == "body")
    assert "It holds." not in found.sections[-1].text

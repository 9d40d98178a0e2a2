"""Names below a title: lists, grids, stacks, marks, labels."""

from __future__ import annotations

import pytest

from engine.reading.pdf.author_list import is_name, split_names
from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf.papers import METHODS
from tests.reading.pdf.writer import PdfWriter


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ada Moor1*, Ben K. Strand2 and Eva Fox1", ["Ada Moor", "Ben K. Strand", "Eva Fox"]),
        ("Ada Moor a,*, Ben K. Strand b", ["Ada Moor", "Ben K. Strand"]),
        ("Ada Moor,1 Ben K. Strand,2", ["Ada Moor", "Ben K. Strand"]),
        ("Ada Moor1 | Ben K. Strand2", ["Ada Moor", "Ben K. Strand"]),
        ("Dr. Ada Moor, PhD, Ben K. Strand, MD, Member, IEEE", ["Ada Moor", "Ben K. Strand"]),
    ],
)
def test_a_list_is_split_into_names(text: str, names: list[str]) -> None:
    assert split_names(text) == names


@pytest.mark.parametrize(
    "text",
    ["Open Access", "Free Full Text", "REVIEW ARTICLE", "Shore Institute", "New York", "As Published:", "Hill Street"],
)
def test_labels_and_places_are_no_names(text: str) -> None:
    assert not is_name(text)
    assert is_name("Ada Moor")


def paper(*lines: tuple[float, float, str, str]) -> tuple[str, ...]:
    pdf = PdfWriter().page()
    pdf.centred(70, "Depth Decides How Tide Pools Keep Their Heat", 16, "bold")
    for x, y, text, font in lines:
        pdf.line(x, y, text, 11, font)
    pdf.line(90, 300, "Abstract", 11, "bold")
    pdf.paragraph(90, 316, 415, METHODS)
    pdf.line(90, 400, "1  Introduction", 12, "bold")
    pdf.paragraph(90, 420, 415, METHODS)
    return read_pdf(pdf.data(), "x.pdf").document.authors


def test_a_grid_gives_its_rows_one_after_the_other() -> None:
    lines = []
    for place, name in enumerate(("Ada Moor", "Ben Strand", "Cleo Reed", "Dai Tarn", "Eva Fox")):
        x, y = 90 + 160 * (place % 3), 110 + 56 * (place // 3)
        lines += [(x, y, name, "bold"), (x, y + 13, "Shore House", "regular"), (x, y + 26, "ab@shore.example", "mono")]
    assert paper(*lines) == ("Ada Moor", "Ben Strand", "Cleo Reed", "Dai Tarn", "Eva Fox")


def test_names_stand_over_their_addresses() -> None:
    lines = [(90, 110, "Ada Moor", "regular"), (90, 124, "Shore House, Accra", "italic"),
             (90, 142, "Ben Strand", "regular"), (90, 156, "North House, Lund", "italic")]  # fmt: skip
    assert paper(*lines) == ("Ada Moor", "Ben Strand")


def test_an_address_in_the_look_of_the_names_is_none() -> None:
    assert paper((90, 110, "Ada Moor and Ben Strand", "regular"), (90, 134, "Lamp House, Lund", "regular")) == (
        "Ada Moor",
        "Ben Strand",
    )


def test_a_lines_end_may_cut_a_name_and_authors_have_their_own_fonts() -> None:
    pdf = PdfWriter().page()
    pdf.centred(80, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
    pdf.centred(110, "Ada Moor, Ben K. Strand, Cleo Tern, Dan Weir, and Eva", 12, "sans")
    pdf.centred(124, "Fox", 12, "sans")
    pdf.centred(150, "Shore House, University of Reef", 10)
    pdf.line(90, 190, "1  Introduction", 12, "bold")
    pdf.paragraph(90, 210, 415, f"{METHODS} {METHODS}")
    authors = read_pdf(pdf.data(), "x.pdf").document.authors
    assert authors == ("Ada Moor", "Ben K. Strand", "Cleo Tern", "Dan Weir", "Eva Fox")

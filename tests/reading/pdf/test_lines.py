"""A page's letters become runs, its runs lines, and its lines stand in columns; hostile pages end soon."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce

import pytest

from engine.core.errors import InputTooLargeError
from engine.reading.limits import LIMITS, Budget
from engine.reading.pdf.lines import Hyphens, page_lines
from engine.reading.pdf.page import Font, PdfLine, PdfPage, TextRun, is_from_right
from engine.reading.pdf.reader import read_pdf
from engine.reading.pdf.runs import Drawn, bitmap_text, font_of, letter_of, place_accents, put_accent
from engine.reading.pdf.sections import parts_of
from tests.reading.pdf import papers as pdf_papers
from tests.reading.pdf.papers import ABSTRACT, INTRODUCTION, METHODS, REFERENCES, RESULTS, text_of
from tests.reading.pdf.writer import PdfWriter, text_width


def test_raised_marks_keep_apart_from_words_and_powers_are_marked() -> None:
    pdf = PdfWriter().page()
    pdf.line(90, 100, "The area of 12 m")
    pdf.line(90 + 68.6, 96.5, "2", 6)
    pdf.line(90 + 74, 100, "is given by Arden")
    pdf.line(90 + 144.6, 96.5, "12", 6)
    pdf.paragraph(90, 150, 415, INTRODUCTION)
    text = read_pdf(pdf.data(), "x.pdf").document.text
    assert "12 m^2 is given by Arden 12" in text


def test_an_initial_of_two_lines_joins_its_word() -> None:
    pdf = PdfWriter().page()
    pdf.line(90, 114, "A", 28)
    words = "ll tide pools" + INTRODUCTION[11:]
    pdf.line(112, 100, words[:70].rsplit(" ", 1)[0])
    pdf.line(112, 112, "which goes on in the second line beside the tall initial letter")
    pdf.paragraph(90, 124, 415, METHODS)
    assert "All tide pools is a small body" in read_pdf(pdf.data(), "x.pdf").document.text


TITLE = "Depth Decides How Tide Pools Keep Their Heat"
LONG = f"{INTRODUCTION} {METHODS} {RESULTS}"
PLAIN = Font("Times-Roman")


@pytest.mark.parametrize(("number", "y"), [("576", 790), ("- 9 -", 800), ("Page 12", 30), ("7", 500)])
def test_a_number_in_the_gutter_does_not_join_the_columns(number: str, y: float) -> None:
    pdf = PdfWriter()
    for _ in range(2):
        pdf.page()
        end = max(pdf.paragraph(x, 140 + shift, 236, LONG) for x, shift in ((50, 0), (309, 3)))
        pdf.centred(end if number == "7" else y, number)
    text = read_pdf(pdf.data(), "x.pdf").document.text
    assert f"{METHODS} {RESULTS}" in text and text.count(METHODS) == 4


def test_three_columns_are_read_one_after_the_other() -> None:
    pdf = PdfWriter()
    for page in range(2):
        pdf.page()
        if page == 0:
            pdf.line(40, 80, TITLE, 18, "bold")
        for place in range(3):
            pdf.paragraph(40 + 176 * place, 120 + 3 * place, 162, f"{LONG} End of column {place + 1}.", size=9)
    text = read_pdf(pdf.data(), "x.pdf").document.text
    assert text.index("End of column 1") < text.index("End of column 2") < text.index("End of column 3")
    assert f"{LONG} End of column 1. {LONG}" in text.replace("\n\n", " ")


@pytest.mark.parametrize("right", [False, True])
def test_a_side_column_is_kept_out_of_the_abstract(right: bool) -> None:
    pdf = PdfWriter().page()
    main, side = (50, 430) if right else (180, 50)
    pdf.line(main, 80, TITLE, 16)
    pdf.line(main, 104, "Ada Moor, Ben K. Strand", 10, "bold")
    pdf.line(main, 140, "Abstract", 12, "bold")
    end = pdf.paragraph(main, 156, 365, f"{ABSTRACT} {RESULTS}")
    pdf.line(main, end + 16, "Introduction", 12, "bold")
    pdf.paragraph(main, end + 32, 365, f"{LONG} {LONG}")
    y = 150.0
    citation = "Citation: Moor A (2021) Depth decides. Shore Notes 5(1): e1."
    for text in ("OPEN ACCESS", citation, "Received: April 14, 2020", "Published: June 13, 2021"):
        y = pdf.paragraph(side, y, 110, text, size=7) + 9
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.abstract == f"{ABSTRACT} {RESULTS}"
    assert [section.title for section in document.sections] == ["Introduction"]
    assert document.sections[0].text == f"{LONG} {LONG}"
    assert document.year == 2021


def test_key_words_beside_the_abstract_are_read_there() -> None:
    pdf = PdfWriter().page()
    pdf.line(50, 70, TITLE, 16)
    pdf.line(50, 92, "Ada Moor a,*, Ben K. Strand b", 11)
    pdf.line(50, 130, "ARTICLE INFO", 9)
    pdf.line(200, 130, "ABSTRACT", 9)
    for place, text in enumerate(("Keywords:", "tide pools", "heat loss")):
        pdf.line(50, 148 + 9.6 * place, text, 8)
    pdf.paragraph(200, 148, 345, f"{ABSTRACT} {RESULTS}", size=8)
    for page in range(2):
        top = 300 if page == 0 else 60
        pdf.line(50, top, f"{page + 1}. {('Introduction', 'Methods')[page]}", 11, "bold")
        pdf.paragraph(50, top + 16, 236, LONG)
        pdf.paragraph(309, top + 2, 236, LONG)
        pdf.page()
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.abstract == f"{ABSTRACT} {RESULTS}"
    assert document.keywords == ("tide pools", "heat loss")
    assert document.authors == ("Ada Moor", "Ben K. Strand")
    assert [section.title for section in document.sections] == ["Introduction", "Methods"]


def test_a_margins_text_is_no_part_of_the_line_beside_it() -> None:
    pdf = PdfWriter()
    for place, title in enumerate(("Introduction", "Method", "Results")):
        pdf.page()
        pdf.line(40, 60, "SN", 11)
        pdf.line(40, 73, "29,2", 11)
        pdf.line(40, 120, str(162 + place), 12, "bold")
        pdf.line(130, 60, title, 11, "bold")
        pdf.paragraph(130, 76, 380, f"{LONG} {LONG}")
    sections = read_pdf(pdf.data(), "x.pdf").document.sections
    assert [section.title for section in sections] == ["Introduction", "Method", "Results"]
    assert all(section.text == f"{LONG} {LONG}" for section in sections)


def test_what_a_later_pages_margin_says_follows_its_section() -> None:
    pdf = PdfWriter().page()
    pdf.line(180, 60, TITLE, 16, "bold")
    pdf.line(180, 120, "1  Introduction", 12, "bold")
    pdf.paragraph(180, 140, 365, LONG)
    pdf.page()
    pdf.paragraph(180, 60, 365, f"{LONG} {LONG}")
    pdf.paragraph(
        50,
        90,
        110,
        "Competing interests: The authors sell loggers for pools and lids for them, and say so here in full.",
        size=7,
    )
    text = read_pdf(pdf.data(), "x.pdf").document.sections[0].text
    assert text.endswith("The authors sell loggers for pools and lids for them, and say so here in full.")
    assert f"{LONG}" in text


def test_authors_above_columns_are_read_across() -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, TITLE, 15, "bold")
    for x, name in ((110, "Ada Moor"), (380, "Ben van Strand")):
        pdf.line(x, 110, name, 12, "bold")
        pdf.line(x, 123, "Shore House")
        pdf.line(x, 136, name[:3].lower() + "@shore.example", 9, "mono")
    pdf.line(130, 170, "Abstract", 11, "bold")
    end = pdf.paragraph(60, 186, 216, ABSTRACT, size=9)
    pdf.line(50, end + 14, "1  Introduction", 11, "bold")
    pdf.paragraph(50, end + 30, 236, f"{LONG} {LONG}")
    pdf.paragraph(309, 170, 236, f"{LONG} {LONG}")
    pdf.page()
    pdf.line(50, 60, "2  Methods", 11, "bold")
    pdf.paragraph(50, 76, 236, f"{LONG} {LONG}")
    pdf.paragraph(309, 60, 236, f"{LONG} {LONG}")
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.authors == ("Ada Moor", "Ben van Strand")
    assert document.abstract == ABSTRACT
    assert [section.title for section in document.sections] == ["Introduction", "Methods"]


@pytest.mark.parametrize(
    ("kind", "runs"),
    [
        ("lines", lambda n: [TextRun("a", 100, 105, 10 + 0.28 * place, 1, PLAIN) for place in range(n)]),
        (
            "columns",
            lambda n: [TextRun("ab", x, x + 200, 10 + place, 1, PLAIN) for place in range(n // 4) for x in (9, 300)],
        ),
        (
            "cells",
            lambda n: [TextRun("a", 20 * (p % 220), 20 * (p % 220) + 5, p // 220 * 12, 9, PLAIN) for p in range(n)],
        ),
        ("baseline", lambda n: [TextRun("a", 0.2 * place, 0.2 * place + 0.1, 100, 9, PLAIN) for place in range(n)]),
        (
            "initials",
            lambda n: [
                TextRun("aQ"[p % 2], 100 + p % 99, 105 + p % 99, 0.2 * p, (8, 30)[p % 2], PLAIN) for p in range(n)
            ],
        ),
        (
            "powers",
            lambda n: [
                TextRun("a2"[p % 2], 0.2 * p, 0.2 * p + 0.1, 100 - 5 * (p % 2), (20, 4)[p % 2], PLAIN) for p in range(n)
            ],
        ),
        (
            "lists",
            lambda n: [TextRun("1. A. Name 1999", 100, 105, 10 + 24 * place, 10, PLAIN) for place in range(n // 10)],
        ),
    ],
)
def test_a_page_of_many_pieces_is_read_within_its_files_budget(kind: str, runs: Callable[[int], list[TextRun]]) -> None:
    parts = parts_of([PdfPage(0, 14_400, 14_400, runs(20_000), 20_000)], Budget.of_file(LIMITS, f"{kind}.pdf"))
    assert parts.first_page  # else the budget has ended the file


def test_a_page_that_takes_too_long_ends_its_file() -> None:
    page = PdfPage(0, 600, 800, [TextRun("a", 5 * place, 5 * place + 4, 100, 9, PLAIN) for place in range(100)], 100)
    budget = Budget.of_file(replace(LIMITS, max_seconds=1), "x.pdf")
    budget._watch.spent = 1.0
    with pytest.raises(InputTooLargeError, match=r"Expected a page or a document from x\.pdf within 1 seconds"):
        parts_of([page], budget)


def test_a_grid_of_authors_whose_addresses_fill_a_column_is_read_across() -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, TITLE, 18, "bold")
    y = 110
    for names in (("Ada Moor", "Ben K. Strand"), ("Cleo Tern", "Dan Weir")):
        for x, name in zip((50, 309), names, strict=True):
            pdf.line(x + 90, y, name, 11)
            pdf.line(x + 5, y + 12, "Institute of the Sea and of its Shores, University of Reef", 9, "italic")
            pdf.line(x + 90, y + 24, f"{name[:3].lower()}@shore.example")
        y += 60
    pdf.line(50, y, "Abstract", 11, "bold")
    end = pdf.paragraph(50, y + 14, 236, ABSTRACT, size=9)
    pdf.line(50, end + 14, "1  Introduction", 11, "bold")
    pdf.paragraph(50, end + 30, 236, f"{LONG} {LONG}")
    pdf.paragraph(309, y, 236, f"{LONG} {LONG}")
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.authors == ("Ada Moor", "Ben K. Strand", "Cleo Tern", "Dan Weir")
    assert document.abstract == ABSTRACT


def test_the_first_of_three_authors_above_columns_is_no_side_column() -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, TITLE, 18, "bold")
    for x, y, name in (
        (74, 100, "Ada Moor"),
        (238, 100, "Ben Strand"),
        (412, 100, "Cleo Tern"),
        (184, 170, "Dan Weir"),
    ):
        pdf.line(x + 40, y, name, 12)
        pdf.line(x, y + 12, "Institute of the Sea and of its")
        pdf.line(x + 20, y + 24, "Shores, Rocks and Reefs")
        pdf.line(x + 18, y + 36, "4200-319 Reef, Portugal")
        pdf.line(x + 30, y + 48, f"{name[:3].lower()}@shore.example")
    pdf.line(50, 230, "Abstract", 12, "bold")
    end = pdf.paragraph(50, 246, 236, ABSTRACT)
    pdf.line(50, end + 14, "1  Introduction", 12, "bold")
    pdf.paragraph(50, end + 30, 236, f"{LONG} {LONG}")
    pdf.paragraph(309, 230, 236, f"{LONG} {LONG}")
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.authors == ("Ada Moor", "Ben Strand", "Cleo Tern", "Dan Weir")
    assert document.abstract == ABSTRACT


@pytest.mark.parametrize("label", ["[{}]", "{}.", "({})"])
def test_a_list_of_references_across_both_columns_follows_the_text_above_it(label: str) -> None:
    pdf = PdfWriter().page()
    pdf.line(50, 80, "1  Introduction", 14, "bold")
    for x in (50, 309):
        pdf.paragraph(x, 104, 236, f"{LONG} {LONG}")
    pdf.page()
    for x in (50, 309):
        end = pdf.paragraph(x, 80 + x / 50, 236, f"{RESULTS} {METHODS} The end of {x}.")
    for column, x in enumerate((50, 309)):
        y = end + 30
        for number in range(1 + 8 * column, 9 + 8 * column):
            entry = f"A. Moor, B. Strand: Pools of the shore. Shore Notes {number}, 12 (19{70 + number})."
            y = pdf.paragraph(x, y, 230, f"{label.format(number)} {entry}", size=8)
    document = read_pdf(pdf.data(), "x.pdf").document
    *_, body, references = document.sections
    assert references.role == "references" and len(references.text.split("\n\n")) == 16
    assert f"The end of 50. {RESULTS}" in " ".join(body.text.split()) and body.text.endswith("The end of 309.")


def test_headings_beside_each_other_begin_no_list_across_both_columns() -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, TITLE, 18, "bold")
    pdf.line(50, 110, "Abstract", 12, "bold")
    pdf.paragraph(50, 128, 236, LONG)
    pdf.line(50, 480, "1  Introduction", 14, "bold")
    pdf.line(309, 480, "2  Methods", 14, "bold")
    pdf.paragraph(309, 110, 236, f"{RESULTS} {INTRODUCTION}")
    for x in (50, 309):
        pdf.paragraph(x, 504, 236, METHODS)
    introduction, methods = read_pdf(pdf.data(), "x.pdf").document.sections
    assert " ".join(introduction.text.split()) == f"{METHODS} {RESULTS} {INTRODUCTION}"
    assert methods.text == METHODS


def test_a_heading_at_a_columns_top_is_no_running_head() -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, TITLE, 18, "bold")
    pdf.line(50, 120, "1  Introduction", 14, "bold")
    pdf.paragraph(50, 144, 236, f"{LONG} {LONG}")
    pdf.paragraph(309, 120, 236, f"{LONG} {LONG}")
    for page in range(2):
        pdf.page()
        pdf.line(309, 67, f"{page + 2}  Part of the work", 14, "bold")
        pdf.line(100, 73, f"Table {page + 1}: Pools and what lives in them by season.")
        pdf.paragraph(50, 110, 236, f"{LONG} {LONG}")
        pdf.paragraph(309, 86, 236, f"{LONG} {LONG}")
    sections = read_pdf(pdf.data(), "x.pdf").document.sections
    assert [section.title for section in sections] == ["Introduction", "Part of the work", "Part of the work"]
    assert sections[0].text.count(METHODS[-40:]) == sections[0].text.count(METHODS[:40]) == 6


def test_the_foot_of_a_page_with_double_spacing_is_text() -> None:
    pdf = PdfWriter()
    words = f"{LONG} {LONG} {LONG}".split()
    for page in range(2):
        pdf.page()
        for line in range(29):
            stop = 12 * (29 * page + line)
            pdf.line(90, 100 + 22.4 * line, " ".join(words[stop : stop + 12]))
        pdf.centred(790, str(page + 1))
    text = read_pdf(pdf.data(), "x.pdf").document.text
    assert " ".join(words[12 * 27 : 12 * 31]) in " ".join(text.split())


@pytest.mark.parametrize(
    ("first", "second", "title"),
    [
        ("2. LONG RUNS OF NIGHT TEM-", "PERATURES", "LONG RUNS OF NIGHT TEMPERATURES"),
        ("2. Long Runs of Night Tem-", "peratures", "Long Runs of Night Temperatures"),
    ],
)
def test_a_heading_is_joined_over_its_lines(first: str, second: str, title: str) -> None:
    pdf = PdfWriter().page()
    pdf.line(50, 60, "1. INTRODUCTION" if title.isupper() else "1. Introduction", 12, "bold")
    pdf.paragraph(50, 80, 236, INTRODUCTION)
    pdf.line(50, 300, first, 12, "bold")
    pdf.line(50, 314, second, 12, "bold")
    pdf.paragraph(50, 334, 236, METHODS)
    assert read_pdf(pdf.data(), "x.pdf").document.sections[1].title == title


def test_the_end_of_a_word_on_the_next_line_is_no_word() -> None:
    lines = [set_line("for the develop-"), set_line("ment of a method. They develop it."), set_line("the treat-")]
    assert Hyphens([*lines, set_line("ment is new.")]).join("for the develop-", "ment of") == "for the development of"


def test_many_lines_are_joined_as_two_are() -> None:
    hyphens = Hyphens([])
    texts = [f"number {place} is infor-" if place % 2 else f"mation number {place} and" for place in range(2_000)]
    assert hyphens.joined(texts) == reduce(hyphens.join, texts)
    assert hyphens.joined([]) == ""


def set_line(text: str) -> PdfLine:
    return PdfLine(text, 0, 400, 0, 10, 0, 0, 0, 400)


@pytest.mark.parametrize(
    ("name", "flags", "look"),
    [
        ("ABCDEF+CMBX12", 4, (True, False, False, False)),
        ("NimbusRomNo9L-MediItal", 0, (True, True, False, False)),
        ("TimesNewRomanPS-BoldMT", 0, (True, False, False, False)),
        ("CMTT10", 0, (False, False, True, False)),
        ("Anything", 1, (False, False, True, False)),
        ("CMCSC10", 0, (False, False, False, True)),
        ("CMR10", 1 << 17, (False, False, False, False)),
        ("LMRoman10-Italic", 0, (False, True, False, False)),
    ],
)
def test_a_fonts_look_is_read_from_its_name_and_flags(
    name: str, flags: int, look: tuple[bool, bool, bool, bool]
) -> None:
    font = font_of(name, flags)
    assert (font.bold, font.italic, font.mono, font.small_caps) == look


def test_a_stamp_that_runs_up_the_margin_is_dropped() -> None:
    pdf = pdf_papers.one_column()
    pdf.turned(30, 600, "preprint 2101.00001v2 of 3 Jan 2021", 20)
    assert "preprint" not in read_pdf(pdf.data(), "x.pdf").document.text


def test_a_word_that_stands_close_after_an_f_is_apart() -> None:
    pdf = PdfWriter().page()
    pdf.line(90, 80, "1  Introduction", 14, "bold")
    y = 100.0
    for _ in range(4):
        x = 90.0
        for word in "half of the heat of the pools is lost if the night is calm".split():
            pdf.line(x, y, word, font="italic")
            x += text_width(word, 10) * 0.92 + 3.2
        y += 14
    assert "of the heat of the pools" in read_pdf(pdf.data(), "x.pdf").document.text


def test_what_a_viewer_does_not_show_is_not_read() -> None:
    pdf = PdfWriter().page()
    pdf.paragraph(120, 100, 300, METHODS)
    pdf.line(20, 20, "4TH PASS PAGES", 20)
    pdf.line(460, 300, "ADVERTISEMENT", 20)
    data = pdf.data().replace(b"/MediaBox [0 0 595 842]", b"/MediaBox [0 0 595 842] /CropBox [100 40 440 800]")
    assert read_pdf(data, "x.pdf").document.text == METHODS


def test_right_to_left_text_is_read_from_the_right() -> None:
    assert is_from_right("\u05e9\u05dc\u05d5\u05dd") and not is_from_right("Shalom")
    word = "\u05e9\u05dc\u05d5\u05dd\u05e8\u05d1"
    hebrew = [
        TextRun(letter, 100.0 - 10 * place, 108.0 - 10 * place, 50, 10, Font("A")) for place, letter in enumerate(word)
    ]
    latin = TextRun("Rcpp", 15, 40, 50, 10, Font("A"), spaced=True)
    [[line]] = page_lines([PdfPage(0, 595, 842, [*hebrew, latin])], Budget.of_file(LIMITS, "x.pdf"))
    assert line.text == f"{word} Rcpp"


def test_ligatures_are_spelt_out() -> None:
    assert text_of("We \ufb01nd the \ufb02ow of heat.") == "We find the flow of heat."


def test_letters_of_codes() -> None:
    assert [letter_of(code) for code in (0x41, 2, 0xAD, 0xFB03, 12, 28)] == ["A", "-", "-", "ffi", "fi", "fi"]
    assert [letter_of(code) for code in (0, 0xFFFE, 0xE001, 0xD800, 1)] == [""] * 5


def test_dingbats_of_a_bitmap_font_are_letters() -> None:
    assert bitmap_text("P\u2761\u2665\u275b\u2767\u2710\u2462\u2761\u275e") == "Penalized"
    assert bitmap_text("plain") == "plain"


def test_a_letter_and_its_accent_are_one() -> None:
    assert put_accent("e", "\u00b4") == "\u00e9"
    assert put_accent("\u0131", "\u00b4") == "\u00ed"
    assert put_accent("x", "\u00af") == "x\u0304"


def test_an_accent_belongs_to_the_letter_under_it() -> None:
    letters = [Drawn(place, 5.0 * place, 100, 10, letter) for place, letter in enumerate("Kovarik")]
    accents = [Drawn(9, 15.2, 100.1, 10, "\u00b4"), Drawn(10, 24.9, 100, 10, "\u00b4"), Drawn(11, 300, 100, 10, "`")]
    assert place_accents(accents, letters) == ({3: "\u00e1", 5: "\u00ed"}, {9, 10})
    assert place_accents([Drawn(9, 15.2, 140, 10, "\u00b4")], letters) == ({}, set())


def test_accents_that_a_file_draws_after_the_line_are_put_on_their_letters() -> None:
    pdf = PdfWriter().page()
    pdf.line(90, 88, "Branas and Kovarik saw it in forty pools of the coast, and wrote to the station at once.")
    for before, accent in (("Bra", "\u02dc"), ("Branas and Kov", "\u00b4"), ("Branas and Kovar", "\u00b4")):
        letter = {"Bra": "n", "Branas and Kov": "a", "Branas and Kovar": "i"}[before]
        x = 90 + text_width(before, 10) + (text_width(letter, 10) - 3.33) / 2
        pdf.line(x, 88, accent)
    pdf.paragraph(90, 112, 415, INTRODUCTION)
    assert read_pdf(pdf.data(), "x.pdf").document.text.startswith("Bra\u00f1as and Kov\u00e1r\u00edk saw it")


CODE = tuple(f"pool{number} = measure({number})" for number in range(20))


def code_page(pdf: PdfWriter, left: str, right: str) -> None:
    """A page of two columns: text on the left, code above a little text on the right."""
    pdf.page()
    pdf.paragraph(60, 100, 230, left)
    for place, line in enumerate(CODE):
        pdf.line(310, 104 + 13 * place, line, 9, "mono")
    pdf.paragraph(310, 120 + 13 * len(CODE), 230, right)


def test_columns_with_code_are_read_one_after_the_other() -> None:
    pdf = PdfWriter()
    code_page(pdf, f"{INTRODUCTION} {METHODS} {RESULTS}", RESULTS)
    code_page(pdf, f"{RESULTS} {METHODS} {RESULTS}", INTRODUCTION)
    text = read_pdf(pdf.data(), "x.pdf").document.text
    assert f"{INTRODUCTION} {METHODS} {RESULTS}\n\npool0 = measure(0)\npool1 = measure(1)" in text
    assert f"{RESULTS} {METHODS} {RESULTS}\n\npool0 = measure(0)" in text


def test_a_table_that_fills_a_page_keeps_its_rows() -> None:
    pdf = PdfWriter()
    for text in (INTRODUCTION, METHODS, RESULTS):
        pdf.page()
        pdf.paragraph(90, 100, 415, f"{text} {METHODS} {text}")
    pdf.page()
    for row in range(30):
        pdf.line(90, 100 + 12 * row, f"The pool of number {row} at the shore, near")
        pdf.line(330, 100 + 12 * row, f"has lost {row}.5 degrees in this night.")
    text = read_pdf(pdf.data(), "x.pdf").document.text
    assert "The pool of number 3 at the shore, near has lost 3.5 degrees in this night." in text


def test_an_abstract_over_both_columns_needs_no_name() -> None:
    pdf = PdfWriter()
    for _ in range(2):
        pdf.page()
        top = 100.0
        if len(pdf.pages) == 1:
            pdf.centred(70, "Depth Decides How Tide Pools Keep Their Heat", 18, "bold")
            top = pdf.paragraph(80, 110, 440, ABSTRACT) + 20
        for x in (60, 310):
            pdf.paragraph(x, top, 230, f"{INTRODUCTION} {METHODS} {RESULTS}")
    pdf.page()
    pdf.line(60, 100, "References", 14, "bold")
    document = read_pdf(pdf.data(), "x.pdf").document
    assert document.abstract == ABSTRACT
    assert document.sections[0].text.startswith(INTRODUCTION)


def test_a_table_in_one_column_is_not_taken_for_columns() -> None:
    pdf = PdfWriter().page()
    y = pdf.paragraph(90, 100, 415, METHODS)
    for row in range(12):
        pdf.line(120, y + 12 * (row + 2), f"pool {row}")
        pdf.line(400, y + 12 * (row + 2), f"{row}.5 degrees")
    pdf.paragraph(90, y + 200, 415, RESULTS)
    assert "pool 3 3.5 degrees" in read_pdf(pdf.data(), "x.pdf").document.text


def test_two_columns_are_read_one_after_the_other() -> None:
    document = read_pdf(pdf_papers.two_columns().data(), "paper.pdf").document
    assert document.title == "Depth Decides How Tide Pools Keep Their Heat"
    assert document.authors == ("Ada Moor", "Ben K. Strand")
    assert document.abstract == ABSTRACT
    assert [section.title for section in document.sections] == [
        "INTRODUCTION",
        "METHODS",
        "RESULTS",
        "CONCLUSION",
        "REFERENCES",
    ]
    assert document.sections[0].text == f"{INTRODUCTION} {INTRODUCTION}"
    end_of_left = "The last measured value in the left column stands before the right column begins."
    assert document.sections[1].text == f"{METHODS} {METHODS} {end_of_left} {METHODS} {RESULTS}"
    assert document.sections[3].text == f"{INTRODUCTION} {RESULTS}"
    assert document.sections[4].text.split("\n\n")[1] == f"[2] {REFERENCES[1]}"


def test_a_wide_caption_divides_the_columns_and_stays_whole() -> None:
    results = read_pdf(pdf_papers.two_columns().data(), "paper.pdf").document.sections[2].text
    assert results.endswith("on which loggers were lost marked by crosses below.")
    assert results.split("\n\n")[-1].startswith("Figure 1. Temperature of all forty pools")


@pytest.mark.parametrize("shift", [0, 5])
def test_an_address_that_runs_over_the_gutter_does_not_join_the_columns(shift: float) -> None:
    pdf = PdfWriter().page()
    pdf.centred(70, "Depth Decides How Tide Pools Keep Their Heat", 16, "bold")
    long = f"{INTRODUCTION} {METHODS} {RESULTS}"
    pdf.line(50, 96, "1  Introduction", 12, "bold")
    address = "https://pools.shore.example/archive/of-all/the-years/and-of-all/the-months"
    end = pdf.paragraph(50, 110, 236, long)
    pdf.line(50, end, address)
    pdf.paragraph(50, end + 12, 236, f"{long} The left ends here.")
    pdf.paragraph(309, 110 + shift, 236, f"{long} {long} The right ends here.")
    text = " ".join(read_pdf(pdf.data(), "x.pdf").document.text.split())
    assert f"{long} {address} {long} The left ends here. {long} {long} The right ends here." in text

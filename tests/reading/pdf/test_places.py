"""Where a text stands on a PDF's pages, and a page drawn with a passage marked; hostile files are bounded."""

from __future__ import annotations

import ctypes
import io
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pypdfium2
import pypdfium2.raw
import pytest
from PIL import Image

from engine.core.errors import EncryptedFileError, InputError, InputTooLargeError, TruncatedFileError
from engine.documents import Document, LineBox, PageStart
from engine.documents.text import clean
from engine.reading.limits import LIMITS
from engine.reading.pdf.drawing import PagePicture, Wanted, blocks
from engine.reading.pdf.file import draw_here
from engine.reading.pdf.page import PdfLine, PdfPage
from engine.reading.pdf.places import TextPlaces
from engine.reading.pdf.reader import read_pdf
from engine.reading.pdf.worker import draw_page
from tests.reading.pdf.papers import METHODS, one_column, patent, two_columns
from tests.reading.pdf.writer import PdfWriter, nested_drawings

VIGNETTES = Path("/usr/lib/R/site-library")
PASSAGE, EVERY = 150, 400
"""How long the passages of a paper are that are looked at, and how far apart they begin."""


def line(text: str, page: int) -> PdfLine:
    return PdfLine(text, 0, 400, 20, 10, page, 0, 0, 400)


def places(lines: Sequence[PdfLine]) -> TextPlaces:
    return TextPlaces([PdfPage(number, 600, 800, []) for number in range(9)], lines)


def starts(text: str, lines: Sequence[PdfLine]) -> tuple[PageStart, ...]:
    return places(lines).of(text, lines)[0]


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, clean(text))).lower()


def test_pages_begin_where_their_first_line_does() -> None:
    lines = [line("We measured", 1), line("forty pools.", 1), line("Then winter", 2), line("came.", 2)]
    text = "We measured forty pools. Then winter came."
    assert starts(text, lines) == (PageStart(0, 2), PageStart(text.index("Then"), 3))


def test_a_word_that_a_pages_end_cuts_belongs_to_the_first_page() -> None:
    lines = [line("infor-", 0), line("mation (is lost)", 1)]
    text = "information (is lost)"
    assert starts(text, lines) == (PageStart(0, 1), PageStart(text.index("is"), 2))
    assert starts("information", [line("infor-", 0), line("mation", 1)]) == (PageStart(0, 1),)


def test_a_page_that_a_paragraph_comes_back_to_is_named_again() -> None:
    lines = [line("It goes", 3), line("on here.", 4), line("Figure 1", 3)]
    assert [page for _, page in starts("It goes on here.\n\nFigure 1", lines)] == [4, 5, 4]


def test_nothing_is_said_where_the_text_is_not_that_of_the_lines() -> None:
    assert starts("Another text.", [line("A text.", 0)]) == ()
    assert starts("", []) == ()


def test_each_line_has_its_box_from_where_its_first_word_begins() -> None:
    lines = [line("(We meas-", 1), line("ured “forty", 1), line("pools”.", 2)]
    text = "(We measured “forty pools”."
    boxes = places(lines).of(text, lines)[1]
    assert [(text[one.start :][:5], one.page) for one in boxes] == [("(We m", 2), ("ured ", 2), ("pools", 3)]
    assert boxes[0][2:] == (0, 777, 400, 788)  # the baseline is 20 points below the top of a page of 800


def test_paragraphs_are_found_among_all_lines_where_the_text_is_not_that_of_its_own() -> None:
    lines = [line("A head that stands above.", 0), line("Abstract: we look at", 0), line("forty pools.", 1)]
    text = "We look at forty pools.\n\nA sentence that stands nowhere.\n\nA head that stands above."
    found, boxes = places(lines).of(text, [])
    assert found == (PageStart(0, 1), PageStart(text.index("forty"), 2), PageStart(text.index("A head"), 1))
    assert [text[one.start :][:7] for one in boxes] == ["We look", "forty p", "A head "]


def printed(pdf: pypdfium2.PdfDocument, boxes: Sequence[LineBox]) -> str:
    """The letters that pdfium finds inside boxes, which count as the page is shown."""
    return "".join(letters(_inside(pdf[box.page - 1], box)) for box in boxes)


def _inside(page: pypdfium2.PdfPage, box: LineBox) -> str:
    width, height = page.get_size()
    corners = []
    for x, y in ((box.left, box.bottom), (box.right, box.top)):
        at = ctypes.c_double(), ctypes.c_double()
        size = (1000 * round(width), 1000 * round(height))
        spot = round(x / width * size[0]), round((1 - y / height) * size[1])
        assert pypdfium2.raw.FPDF_DeviceToPage(page, 0, 0, *size, 0, *spot, *at)
        corners.append([one.value for one in at])
    (x0, x1), (y0, y1) = (sorted(pair) for pair in zip(*corners, strict=True))
    return str(page.get_textpage().get_text_bounded(x0, y0, x1, y1))


def share_covered(document: Document, data: bytes, size: int = PASSAGE) -> float:
    """The share of a document's passages whose boxes hold their letters."""
    with pypdfium2.PdfDocument(data) as pdf:
        covered = [
            letters(part.text[at : at + size]) in printed(pdf, part.lines_of(at, at + size))
            for part in document.parts
            for at in range(0, max(len(part.text) - size, 1), EVERY)
        ]
    return sum(covered) / len(covered)


@pytest.mark.parametrize("paper", [one_column(), two_columns(), patent()], ids=["one column", "two", "a patent"])
def test_the_boxes_of_a_passage_hold_its_words(paper: PdfWriter) -> None:
    assert share_covered(read_pdf(paper.data(), "x.pdf").document, paper.data(), 60) == 1


@pytest.mark.parametrize(
    "paper", ["lme4/doc/lmer.pdf", "Rcpp/doc/Rcpp-introduction.pdf", "sandwich/doc/sandwich-CL.pdf"]
)
def test_the_boxes_of_a_real_papers_passages_hold_their_words(paper: str) -> None:
    """Rcpp's stands in two columns with words divided; what is missing are formulas, whose signs come in any order."""
    file = VIGNETTES / paper
    if not file.is_file():
        pytest.skip(
            f"{paper} is not there: Debian's r-cran-{paper.split('/')[0]} brings it; made papers are checked anyway"
        )
    assert share_covered(read_pdf(file.read_bytes(), file.name).document, file.read_bytes()) > 0.8


def turned_pages(rotation: int, *, content: bool) -> bytes:
    """A paper whose pages are turned as they are shown, its text with them or, with `content`, upright again."""
    data = one_column().data().replace(b"/MediaBox [0 0 595 842]", b"/MediaBox [0 0 595 842] /Rotate %d" % rotation)
    if not content:
        return data
    pdf = PdfWriter().page()
    for number, text in enumerate(["Depth Decides How Tide Pools Keep Their Heat", *[METHODS[:90]] * 20]):
        pdf.turned(100 + 14 * number, 700, text, 16 if not number else 10)
    return pdf.data().replace(b"/MediaBox [0 0 595 842]", b"/MediaBox [0 0 595 842] /Rotate %d" % rotation)


@pytest.mark.parametrize("content", [False, True], ids=["text along the page", "text up the page"])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_boxes_count_as_the_page_is_shown(rotation: int, content: bool) -> None:
    data = turned_pages(rotation, content=content)
    document = read_pdf(data, "x.pdf").document
    assert share_covered(document, data, 60) == 1
    box = document.parts[-1].boxes[0]
    assert (abs(box.right - box.left) > box.top - box.bottom) == ((rotation in (90, 270)) == content)


def test_boxes_count_from_the_corner_of_what_is_shown() -> None:
    whole = one_column().data()
    data = whole.replace(b"/MediaBox [0 0 595 842]", b"/MediaBox [-20 -30 595 842] /CropBox [60 30 560 800]")
    document = read_pdf(data, "x.pdf").document
    assert share_covered(document, data, 60) == 1
    moved, plain = document.sections[0].boxes[0], read_pdf(whole, "x.pdf").document.sections[0].boxes[0]
    assert (plain.left - moved.left, plain.bottom - moved.bottom) == (60, 30)


MEDIA = b"/MediaBox [0 0 595 842]"


def pixels(picture: PagePicture) -> np.ndarray:
    """The picture's pixels (height, width, 3), as another program reads them."""
    with Image.open(io.BytesIO(picture.png)) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def drawn(data: bytes, **wanted: object) -> PagePicture:
    return draw_here(data, "x.pdf", LIMITS, Wanted(**{"page": 1, "scale": 1.0, **wanted}))  # type: ignore[arg-type]


def test_the_other_process_draws_what_is_drawn_here() -> None:
    data = one_column().data()
    picture = draw_page(data, "x.pdf", 2, scale=1.5)
    assert picture == draw_here(data, "x.pdf", LIMITS, Wanted(2, 1.5))
    assert (picture.width, picture.height, picture.pages) == (595, 842, 4)
    assert pixels(picture).shape == (1263, 892, 3)
    assert read_pdf(data, "x.pdf").pages == 4  # the process reads on


def test_a_passage_is_tinted_and_boxed_where_its_words_stand() -> None:
    data = two_columns().data()
    section = read_pdf(data, "x.pdf").document.sections[0]
    lines = [one for one in section.lines_of(0, 300) if one.page == 1]
    marks = tuple((one.left, one.bottom, one.right, one.top) for one in lines)
    plain, marked = pixels(drawn(data)), pixels(drawn(data, marks=marks))
    changed = (plain != marked).any(axis=2)
    tinted = changed & (marked[:, :, 2] < 200) & (marked[:, :, 0] > 250)
    left, bottom, right, top = marks[1]
    assert tinted[round(842 - top) + 2 : round(842 - bottom) - 2, round(left) + 2 : round(right) - 2].mean() > 0.3
    rows, columns = np.nonzero(changed)
    assert abs(columns.min() - min(one.left for one in lines)) < 5
    assert abs(rows.max() - (842 - min(one.bottom for one in lines))) < 5
    assert ((plain.sum(axis=2) < 200) & changed & (marked[:, :, 2] > 60)).sum() == 0  # ink stays dark


def test_a_passage_over_two_columns_has_two_blocks() -> None:
    column = [(50, 100 - 12 * n, 250, 110 - 12 * n) for n in range(3)]
    assert blocks([*column, (300, 700, 500, 710)]) == [(50, 76, 250, 110), (300, 700, 500, 710)]
    assert len(blocks([(50, 400, 250, 410), (50, 100, 250, 110)])) == 2
    assert blocks([]) == []


@pytest.mark.parametrize(("rotation", "shape"), [(0, (842, 595)), (90, (595, 842)), (180, (842, 595))])
def test_a_turned_page_is_drawn_as_it_is_shown(rotation: int, shape: tuple[int, int]) -> None:
    picture = drawn(one_column().data().replace(MEDIA, MEDIA + b" /Rotate %d" % rotation))
    assert pixels(picture).shape[:2] == shape == (round(picture.height), round(picture.width))


def test_what_is_cropped_away_is_not_drawn() -> None:
    picture = drawn(one_column().data().replace(MEDIA, MEDIA + b" /CropBox [100 100 400 500]"))
    assert (picture.width, picture.height) == (300, 400)


@pytest.mark.parametrize("media", [b"[0 0 14400 14400]", b"[0 0 200000 3]", b"[0 0 1e9 1e9]"])
def test_a_huge_page_is_drawn_smaller(media: bytes) -> None:
    data = one_column().data().replace(MEDIA, b"/MediaBox " + media)
    height, width, _ = pixels(drawn(data, scale=8.0)).shape
    assert 0 < height * width <= 12_100_000 and max(height, width) <= 12_000


@pytest.mark.parametrize("media", [b"[0 0 0 0]", b"[5 5 5 900]", b"[0 0 -1 nan]", b"[]"])
def test_a_page_without_a_size_is_drawn_as_a_letter_page_or_refused(media: bytes) -> None:
    try:
        picture = drawn(one_column().data().replace(MEDIA, b"/MediaBox " + media))
    except InputError as error:
        assert "Expected page 1 of x.pdf to have a size" in str(error)
    else:
        assert pixels(picture).size > 0


def test_marks_beyond_the_page_stay_within_the_picture() -> None:
    marks = ((-1e9, -1e9, 1e9, 1e9), (700.0, 900.0, 800.0, 950.0), (10.0, 10.0, 5.0, 5.0))
    assert pixels(drawn(one_column().data(), marks=marks)).shape == (842, 595, 3)


@pytest.mark.parametrize("page", [0, -1, 5, 10**9])
def test_a_page_that_the_file_does_not_have_is_refused(page: int) -> None:
    with pytest.raises(InputError, match=rf"Expected a page from 1 to 4 of x\.pdf, got {page:,}"):
        drawn(one_column().data(), page=page)


@pytest.mark.parametrize("scale", [0.0, -1.0, 9.0, math.nan, math.inf])
def test_a_scale_out_of_range_is_refused(scale: float) -> None:
    with pytest.raises(InputError, match=r"Expected a scale from 0\.1 to 8 pixels a point"):
        draw_page(one_column().data(), "x.pdf", 1, scale=scale)


def test_what_does_not_open_says_why() -> None:
    with pytest.raises(EncryptedFileError, match="asks for one"):
        draw_page(replace(one_column(), encrypt=True).data(), "x.pdf", 1)
    with pytest.raises(TruncatedFileError, match="is cut off"):
        draw_page(one_column().data()[:2_000], "x.pdf", 1)


def test_a_drawing_without_end_is_stopped_and_the_next_page_is_drawn() -> None:
    with pytest.raises(InputTooLargeError, match=r"bomb\.pdf within 1 seconds"):
        draw_page(nested_drawings(14), "bomb.pdf", 1, limits=replace(LIMITS, max_seconds=1))
    pdf = PdfWriter().page()
    pdf.line(72, 100, "A page after it.")
    assert draw_page(pdf.data(), "x.pdf", 1).pages == 1

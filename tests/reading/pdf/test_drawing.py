"""A page is drawn as it is shown, with a passage marked; hostile files and wishes are refused or bounded."""

from __future__ import annotations

import io
import math
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from engine.core.errors import EncryptedFileError, InputError, InputTooLargeError, TruncatedFileError
from engine.reading.limits import LIMITS
from engine.reading.pdf.drawing import PagePicture, Wanted, blocks
from engine.reading.pdf.file import draw_here
from engine.reading.pdf.reader import read_pdf
from engine.reading.pdf.worker import draw_page
from tests.reading.pdf.papers import one_column, two_columns
from tests.reading.pdf.test_worker import nested_drawings
from tests.reading.pdf.writer import PdfWriter

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

"""Lines on a picture become runs in points, straight, with one size for what is nearly one size."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.reading.pdf.scan_lines import ScanLine, ScanPage, runs_of, stroke_of


def line(
    text: str, left: float, top: float, width: float, *, size: float = 20, slope: float = 0, stroke: float = 2
) -> ScanLine:
    """A line of that width, which falls to the right by a slope."""
    fall = slope * width
    corners = [(left, top), (left + width, top + fall), (left + width, top + fall + 20), (left, top + 20)]
    return ScanLine(np.array(corners, dtype=np.float64), text, 0.9, size, 5, stroke)


def test_lengths_are_in_points_and_from_the_top() -> None:
    (run,) = runs_of(ScanPage([line("Reef", 100, 200, 300)], 1000, 1400), 2)
    assert (run.x0, run.x1, run.y, run.size) == (50, 200, (220 - 5) / 2, 10)
    assert run.broken and not run.font.bold


def test_a_skewed_page_is_set_straight_about_its_middle() -> None:
    slope = math.tan(math.radians(3))
    rows = [line(f"row {number}", 100, 200 + 40 * number, 800, slope=slope) for number in range(5)]
    runs = runs_of(ScanPage(rows, 1000, 1400), 1)
    assert np.diff([run.y for run in runs]) == pytest.approx([40 * math.cos(math.radians(3))] * 4)
    assert np.diff([run.x0 for run in runs]) == pytest.approx([40 * math.sin(math.radians(3))] * 4)


def test_sizes_that_differ_little_are_one_and_thick_strokes_are_bold() -> None:
    rows = [
        line("The text of the page", 100, 300, 800),
        line("and what follows", 100, 340, 600, size=22),
        line("A note below it", 100, 380, 200, size=16),
        line("Heading", 100, 100, 200, stroke=3.5),
    ]
    runs = runs_of(ScanPage(rows, 1000, 1400), 1)
    assert [(run.text.split()[0], run.size, run.font.bold) for run in runs] == [
        ("Heading", 20, True),
        ("The", 20, False),
        ("and", 20, False),
        ("A", 16, False),
    ]


def test_a_page_without_lines_gives_no_runs() -> None:
    page = ScanPage([], 10, 10)
    assert runs_of(page, 1) == [] and page.letters == 0 and page.confidence == 0


def test_a_stroke_is_as_thick_as_its_dark_pixels_in_a_row() -> None:
    picture = np.full((10, 60), 230, dtype=np.uint8)
    for left in range(5, 55, 10):
        picture[:, left : left + 3] = 20
    assert stroke_of(picture) == 3

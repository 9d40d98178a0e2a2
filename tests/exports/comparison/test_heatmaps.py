"""The grids of a report: every number the comparison's own, colours that can be read, cells that open."""

from __future__ import annotations

import re

import numpy as np

from engine.compare import NEAR, Comparison
from engine.exports.comparison.heatmaps import STEPS, Scale
from tests.compare.made import without_chunk
from tests.exports.comparison.reports import numbers, page
from tests.read_page import Page


def cells(shown: Page, table: int, within: str) -> list[str]:
    """The numbers in the cells of a table."""
    chosen = shown.all("table", "heat", within=within)[table]
    return numbers(*(one.text for one in shown.all("td") if chosen in one.around))


def rounded(rows: list[list[float]]) -> list[str]:
    return [f"{value:.2f}" for row in rows for value in row]


def test_every_section_number_is_that_of_the_json(made: Comparison, shown: Page) -> None:
    expected = made.as_json()["sections"]
    for table, name in enumerate(("across", "within_a", "within_b")):
        assert cells(shown, table, "sections") == rounded(expected[name])  # type: ignore[index]
    for row, values in enumerate(expected["across"]):  # type: ignore[index]
        for column, value in enumerate(values):
            best = made.carried("section").passage(row, column)
            assert best is not None
            said = shown.id(f"s-{row}-{column}").text
            assert numbers(said) == [f"{value:.2f}", f"{best.score:.2f}"]
            assert best.a.text in said
            assert best.b.text in said


def test_every_chunk_number_is_that_of_the_json(made: Comparison, shown: Page) -> None:
    expected = made.as_json()["chunks"]["across"]  # type: ignore[index]
    assert cells(shown, 0, "chunks") == rounded(expected)
    for row, values in enumerate(expected):
        for column, value in enumerate(values):
            carried = f"{made.carriers.scores[row, column]:.2f}"
            assert numbers(shown.id(f"c-{row}-{column}").text) == [f"{value:.2f}", carried]


def test_a_legend_goes_from_nothing_to_near_or_to_the_highest(made: Comparison, shown: Page) -> None:
    for within, values in (("sections", made.sections.across), ("chunks", made.chunks.across)):
        legend = shown.all("p", "legend", within=within)[0]
        assert numbers(legend.text) == rounded([[0, max(NEAR, values.max())]])


def test_what_was_left_out_has_no_number_and_no_link(made: Comparison) -> None:
    shown = page(without_chunk(made, 0))
    ids = {one.attributes.get("id") for one in shown.found}
    assert "c-0-0" not in ids
    assert "at-c-0-0" not in ids
    assert "left out" in shown.all("tr", within="chunks")[1].text
    assert "Left out of the comparison" in shown.id("a-0").text
    assert "Without a colour: left out of the comparison." in shown.id("chunks").text


def test_colours_go_from_nothing_to_near_or_to_the_highest() -> None:
    values = np.asarray([[0.2, 0.3], [0.9, 0.0]])
    scale = Scale.of(values, np.asarray([True, True]), np.asarray([True, True]))
    assert (scale.low, scale.high) == (0, 0.9)
    assert scale.steps(values).tolist() == [[1, 2], [STEPS - 1, 0]]
    for rows in (np.asarray([True, False]), np.zeros(2, np.bool_)):
        assert Scale.of(values, rows, np.asarray([True, True])) == Scale(0, NEAR)


def test_the_colours_are_the_apps_and_numbers_on_them_can_be_read(shown: Page) -> None:
    from engine.exports.maps.palette import SEQUENTIAL

    found = re.findall(r"--([hn])(\d): (#\w+);", shown.all("style")[0].text)
    for ground in (0, 1):
        colours = dict(((kind, int(step)), value) for kind, step, value in found[ground * 2 * STEPS :][: 2 * STEPS])
        assert [colours["h", step] for step in range(STEPS)] == [pair[ground] for pair in SEQUENTIAL]
        assert all(contrast(colours["h", step], colours["n", step]) >= 4.5 for step in range(STEPS))


def contrast(one: str, other: str) -> float:
    """Of two colours, by the Web Content Accessibility Guidelines 2.2."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    shares = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

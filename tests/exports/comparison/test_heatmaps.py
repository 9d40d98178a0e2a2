"""The grids of a report: every number the comparison's own, colours that can be read, cells that open.

What of a comparison a report draws.

Grids too large for numbers.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from engine.compare import Comparison, as_json
from engine.exports.comparison.heatmaps import (
    MAX_DRAWN,
    MAX_ELEMENTS,
    MAX_LINKED,
    MAX_NUMBERED,
    MAX_PASSAGES,
    STEPS,
    ColourScale,
)
from engine.exports.comparison.report import comparison_html
from tests.compare.made import SENTENCE, comparison, document, without_chunk
from tests.exports.comparison.reports import numbers, page
from tests.read_page import Page


def cells(shown: Page, table: int, within: str) -> list[str]:
    """The numbers in the cells of a table."""
    chosen = shown.all("table", "heat", within=within)[table]
    return numbers(*(one.text for one in shown.all("td") if chosen in one.around))


def rounded(rows: list[list[float]]) -> list[str]:
    return [f"{value:.2f}" for row in rows for value in row]


def test_every_section_number_is_that_of_the_json(made: Comparison, shown: Page) -> None:
    expected = as_json(made)["sections"]
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
    expected = as_json(made)["chunks"]["across"]  # type: ignore[index]
    assert cells(shown, 0, "chunks") == rounded(expected)
    for row, values in enumerate(expected):
        for column, value in enumerate(values):
            carried = f"{made.carriers.scores[row, column]:.2f}"
            assert numbers(shown.id(f"c-{row}-{column}").text) == [f"{value:.2f}", carried]


def test_a_legend_goes_from_nothing_to_near_or_to_the_highest(made: Comparison, shown: Page) -> None:
    for within, values in (("sections", made.sections.across), ("chunks", made.chunks.across)):
        legend = shown.all("p", "legend", within=within)[0]
        assert numbers(legend.text) == rounded([[0, max(0.75, values.max())]])


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
    scale = ColourScale.of(values, np.asarray([True, True]), np.asarray([True, True]))
    assert (scale.low, scale.high) == (0, 0.9)
    assert scale.steps(values).tolist() == [[1, 2], [STEPS - 1, 0]]
    for rows in (np.asarray([True, False]), np.zeros(2, np.bool_)):
        assert ColourScale.of(values, rows, np.asarray([True, True])) == ColourScale(0, 0.75)


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


def test_passages_and_chunks_name_their_pages(made: Comparison) -> None:
    first = made.passages[0]
    paged = replace(made, passages=(replace(first, a=replace(first.a, page=9)), *made.passages[1:]))
    paged = replace(paged, chunks_b=(replace(made.chunks_b[0], page=4), *made.chunks_b[1:]))
    shown = page(paged)
    assert f"A {first.a.section}, p. 9" in " ".join(shown.id("p-0").text.split())
    assert shown.id("b-0").text.count("· p. 4") == 1
    assert as_json(paged)["passages"][0]["a"]["page"] == 9
    assert "page" not in as_json(paged)["passages"][0]["b"]


def test_a_long_document_gives_a_usable_file() -> None:
    long = (
        f"{SENTENCE[:-1]}, and it opens again whenever somebody else goes on to read another one aloud to the engine."
    )
    a, b = (document(letter, 6, 96, text=long) for letter in "AB")
    assert min(len(one.text.split()) for one in (a, b)) > 50_000
    one = comparison(a, b, passages=MAX_PASSAGES + 5)
    one = replace(one, claims=one.claims * MAX_ELEMENTS)
    source = comparison_html(one)
    assert len(source.encode()) < 4_000_000
    shown = Page(source)
    assert MAX_LINKED < MAX_DRAWN < len(one.chunks.a)
    linked = {one.attributes["id"] for one in shown.all("path", "chosen", within="chunks")}
    opened = {one.attributes["id"] for one in shown.all("p", within="texts") if "id" in one.attributes}
    assert linked == {f"at-{name}" for name in opened if name.startswith("c-")}
    said = shown.id("making").text
    assert f"more than {MAX_LINKED} squares" in said
    assert f"room for {MAX_DRAWN} on a side" in said
    assert f"Of {MAX_PASSAGES + 5} passages the strongest {MAX_PASSAGES}" in said
    assert f"claim elements the first {MAX_ELEMENTS}" in said
    assert len(shown.all("li", within="passages")) == MAX_PASSAGES
    assert len(shown.all("p", "words")) == len(one.chunks_a) + len(one.chunks_b)


def test_a_grid_too_large_for_numbers_is_drawn_as_squares() -> None:
    one = comparison(document("A", 2, MAX_NUMBERED // 2 + 1), document("B", 2, 3))
    shown = page(one)
    titles = [square.text for square in shown.all("title", within="chunks")]
    assert len(titles) == one.chunks.across.size
    assert titles[7] == f"{one.chunks.across[1, 1]:.2f}: Chunk 1 (A) with Chunk 1 (B)"
    assert shown.id("at-c-3-5").classes == {"chosen"}
    assert "no numbers" in shown.id("making").text
    assert "no room for numbers" in shown.id("chunks").text

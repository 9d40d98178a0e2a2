"""Documents compared in a real browser: two, one within itself, three, or one against the library; cells and links."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from engine.compare.coverage import WORDS
from engine.search import Reading
from explorer.state.examples import EXAMPLE_PAIRS, every_example
from tests.browser import audit, compare_hand
from tests.browser.app import Visitor, screen
from tests.browser.tiny_pdf import LINES, TITLE, tiny_pdf
from tests.reading.pdf.writer import PdfWriter

pytestmark = pytest.mark.browser
OTHER = (
    (20, "Wheels in slow rivers"),
    (11, "Carl Example"),
    (0, ""),
    (14, "Abstract"),
    (11, "Wheels turn in slow rivers where dams would be too dear. We report on ten of them."),
    (0, ""),
    (14, "1 Background"),
    (11, "Mills have used rivers since antiquity, and their wheels were built of oak and elm."),
    (0, ""),
    (14, "2 Speed of the wheel"),
    *LINES[-2:],
)
"""A second paper, whose last sentences stand in the first one too."""

SHARED = "We measure the speed of the current"
EXAMPLES = f"compare?a=example:{EXAMPLE_PAIRS[0].first}&b=example:{EXAMPLE_PAIRS[0].second}"
SAME_ROLE = "cell=s-6-6"

DRAFT = """# Coupling for a tidal turbine

## Abstract

A clutch joins the shaft of a turbine to a generator while the tide runs, and parts them at slack water.

## Description

The shaft turns in two bearings of bronze that sea water keeps cool. A clutch of three plates joins it to the generator.

The blades are cast of steel and turn with the tide. Each of them is held to the hub by six bolts of the same length.

A float lifts the whole frame to the surface when the blades have to be cleaned of weed and shells.

Cables of copper carry the current along the sea bed to a station on the shore, where it is transformed.
"""

NEW = "Anodes of zinc protect the frame from rust for at least ten years."

SECOND = DRAFT.replace(
    "Each of them is held to the hub by six bolts of the same length.", "Six equal bolts hold each to the hub."
).replace("A float lifts the whole frame", f"{NEW} A float lifts the whole frame")

COVERING_SECONDS = 150
"""The first coverage of a process loads the encoder of passages; on a busy machine that takes its time."""

REAL = {"sections": "formats/jats/PMC7599108.xml", "claims": "formats/uspto/US08930553.xml"}
OURS = {"sections": "sentence-graph-duplicates", "claims": "infusion-occlusion"}


def test_two_uploads_show_three_levels_and_a_cell_opens_both_passages(visitor: Visitor, tmp_path: Path) -> None:
    first, second = tmp_path / "turbines.pdf", tmp_path / "wheels.pdf"
    first.write_bytes(tiny_pdf())
    second.write_bytes(tiny_pdf(OTHER))
    visitor.open("compare")
    compare_hand.upload(visitor, "a", first)
    visitor.find(".st-key-change-a")
    visitor.rests()
    compare_hand.upload(visitor, "b", second)
    compare_hand.compared(visitor)
    compare_hand.click_cell(visitor, "chunk", (0.9, 0.9))
    visitor.until(lambda driver: "cell=c-2-2" in driver.current_url, "expected the cell in the link")
    assert all(SHARED in passage for passage in compare_hand.in_view(visitor))
    assert compare_hand.status(visitor).startswith("Match 1 of")
    assert compare_hand.status(visitor).endswith("p. 1 of the first · p. 1 of the second")
    assert compare_hand.page_turns(visitor) == [1, 1]
    assert TITLE in visitor.text()


def test_what_was_read_of_an_upload_is_corrected_before_it_is_compared(visitor: Visitor, tmp_path: Path) -> None:
    first, second = tmp_path / "wheels.pdf", tmp_path / "turbines.pdf"
    first.write_bytes(tiny_pdf(OTHER))
    second.write_bytes(tiny_pdf())
    visitor.open("compare")
    compare_hand.upload(visitor, "b", second)
    visitor.press("correct-b")
    title = ".st-key-correct-form-b input[aria-label='Title']"
    visitor.until(lambda _: visitor.find(title).get_attribute("value") == TITLE, "expected the title as it was read")
    visitor.rests()
    visitor.find(title).send_keys(Keys.CONTROL, "a")
    visitor.find(title).send_keys("Turbines corrected", Keys.TAB)
    visitor.rests()
    visitor.press("use-b")
    visitor.find(".st-key-change-b")
    visitor.rests()
    compare_hand.upload(visitor, "a", first)
    compare_hand.compared(visitor)
    assert "Turbines corrected" in visitor.text() and TITLE not in visitor.text()


def test_a_scanned_pdf_shows_its_sentence_and_keeps_the_other_side(visitor: Visitor, tmp_path: Path) -> None:
    pdf = PdfWriter()
    for _ in range(3):
        pdf.page().picture()
    scan, good = tmp_path / "scan.pdf", tmp_path / "turbines.pdf"
    scan.write_bytes(pdf.data())
    good.write_bytes(tiny_pdf())
    visitor.open(f"compare?a=example:{EXAMPLE_PAIRS[0].first}")
    compare_hand.upload(visitor, "b", scan)
    visitor.shows(".st-key-side-b [role=alert]", "OCR")
    assert visitor.driver.find_elements(By.CSS_SELECTOR, ".st-key-change-a")
    visitor.rests()
    visitor.open(f"compare?a=example:{EXAMPLE_PAIRS[0].first}")
    visitor.rests()
    compare_hand.upload(visitor, "b", good)
    compare_hand.compared(visitor)


def test_the_link_restores_the_cell_and_the_arrow_keys_move_it(visitor: Visitor) -> None:
    visitor.open(f"{EXAMPLES}&{SAME_ROLE}&words=3")
    compare_hand.compared(visitor)
    assert all("per cent" in passage for passage in compare_hand.in_view(visitor))
    assert "Experiments × Experiments" in _said(visitor)
    heatmap = visitor.find(".st-key-section-heatmap")
    visitor.driver.execute_script("arguments[0].focus()", heatmap)
    heatmap.send_keys(Keys.ARROW_LEFT)
    visitor.until(lambda driver: "cell=s-6-5" in driver.current_url, "expected the cell at the left")
    visitor.rests()
    assert compare_hand.focused(visitor) == heatmap
    assert "words=3" in visitor.driver.current_url


def test_every_cell_of_a_row_opens_its_passages_whether_they_are_among_the_matches_or_not(visitor: Visitor) -> None:
    visitor.open(f"{EXAMPLES}&cell=s-2-0")
    compare_hand.compared(visitor)
    heatmap = visitor.find(".st-key-section-heatmap")
    visitor.driver.execute_script("arguments[0].focus()", heatmap)
    told = {compare_hand.status(visitor).partition(" ")[0]}
    for column in range(1, 8):
        heatmap.send_keys(Keys.ARROW_RIGHT)
        visitor.until(lambda driver, cell=f"cell=s-2-{column}": cell in driver.current_url, "expected the next cell")
        visitor.rests()
        assert all(compare_hand.in_view(visitor))
        told.add(compare_hand.status(visitor).partition(" ")[0])
    assert told == {"Match", "The"}  # a match of the list, and the cell's own evidence


def test_a_cell_opens_its_passages_before_the_server_has_heard_of_it(visitor: Visitor) -> None:
    visitor.open(f"{EXAMPLES}&{SAME_ROLE}")
    compare_hand.compared(visitor)
    seen = [compare_hand.in_view(visitor)]

    def shows_another() -> None:
        visitor.until(lambda _: compare_hand.current(visitor) not in (*seen, ["", ""]), "expected other passages")
        seen.append(compare_hand.in_view(visitor))

    visitor.until(lambda _: compare_hand.framed(visitor, "section") == [6, 6], "expected the frame of the link's cell")
    with compare_hand.unheard(visitor):
        compare_hand.click_cell(visitor, "section", (0.3, 0.6))
        shows_another()
        assert "Related work × " in _said(visitor)
        assert compare_hand.framed(visitor, "section") == [2, 4]
        compare_hand.point_at_cell(visitor, "chunk", (0.55, 0.5))
        shows_another()
        assert compare_hand.framed(visitor, "chunk", "pointed") == [4, 4]
        tip = compare_hand.tip(visitor, "chunk")
        assert tip.startswith("0.") and "5 · " in tip and "× 5 · " in tip
        ActionChains(visitor.driver).move_by_offset(0, 300).perform()
        visitor.until(lambda _: compare_hand.current(visitor) == seen[1], "expected the chosen cell's passages again")
        assert compare_hand.framed(visitor, "chunk", "pointed") is None and not compare_hand.tip(visitor, "chunk")
    assert SAME_ROLE in visitor.driver.current_url
    compare_hand.click_cell(visitor, "section", (0.55, 0.55))
    visitor.until(lambda driver: "cell=s-4-4" in driver.current_url, "expected the cell in the link")
    visitor.rests()
    assert all(compare_hand.in_view(visitor))


def test_texts_and_strip_share_a_window_and_a_heatmap_opens_large(visitor: Visitor) -> None:
    visitor.open(f"{EXAMPLES}&{SAME_ROLE}")
    compare_hand.compared(visitor)
    strip = visitor.find(".st-key-section-heatmap .nsewdrag").size
    assert strip["height"] < 220
    compare_hand.click_cell(visitor, "section", (0.3, 0.6))
    visitor.rests()
    assert all(compare_hand.in_view(visitor))
    widths = visitor.driver.execute_script(
        "return [...document.querySelectorAll('[data-testid=\"stBidiComponentIsolated\"]')]"
        ".flatMap((one) => [...(one.shadowRoot?.querySelectorAll('.pane') ?? [])]).map((one) => one.offsetWidth)"
    )
    assert len(widths) == 2 and min(widths) >= 450
    visitor.press("large-section")
    visitor.until(
        lambda _: visitor.find(".st-key-section-heatmap .nsewdrag").size["width"] > 1.8 * strip["width"],
        "expected the heatmap over the whole width",
    )
    assert not visitor.driver.find_elements(By.CSS_SELECTOR, ".st-key-chunk-heatmap")
    visitor.until(
        lambda driver: "0." in driver.find_element(By.CSS_SELECTOR, ".st-key-section-heatmap .heatmaplayer").text,
        "expected numbers in the cells",
    )
    visitor.press("large-section")
    visitor.find(".st-key-chunk-heatmap .nsewdrag")


def _said(visitor: Visitor) -> str:
    script = """
    const hosts = [...document.querySelectorAll('.st-key-section-heatmap [data-testid="stBidiComponentIsolated"]')];
    return hosts.map((host) => host.shadowRoot.textContent).join(' ');
    """
    return str(visitor.driver.execute_script(script))


def test_matches_are_gone_through_in_a_row_or_by_strength_and_a_pressed_one_aligns_the_other_text(
    visitor: Visitor,
) -> None:
    visitor.open(EXAMPLES)
    compare_hand.compared(visitor)
    for place in (1, 2):
        compare_hand.press_in_texts(visitor, ".step:nth-of-type(4)")
        assert f" · number {place} of a run of " in compare_hand.status(visitor)
        assert all(compare_hand.in_view(visitor))
        visitor.rests()
    compare_hand.press_in_texts(visitor, ".pane:last-child mark")
    first = compare_hand.in_view(visitor)
    visitor.until(lambda driver: "cell=c-" in driver.current_url, "expected the match's cell in the link")
    visitor.rests()
    assert compare_hand.current(visitor) == first
    compare_hand.press_in_texts(visitor, ".step:nth-of-type(2)")
    visitor.until(lambda _: compare_hand.current(visitor) not in ([], first), "expected the next match")
    assert compare_hand.status(visitor).startswith("Match ")


def _many_sections(path: Path, subject: str) -> Path:
    """A paper of 20 sections with long names."""
    parts = [f"## {name} of {subject} measured again\n\nWe say of {subject} what {name} says.\n" for name in _NAMES]
    path.write_text("\n".join([f"# A long report on {subject}", "## Abstract", f"All of {subject}.", *parts]), "utf-8")
    return path


_NAMES = [f"{one} {other}" for one in ("Speed", "Weight", "Wear", "Sound") for other in "abcde"]


def _compare_reports(visitor: Visitor, folder: Path) -> None:
    """Compare two papers of many sections."""
    visitor.open("compare")
    for place, subject in (("a", "wheels"), ("b", "turbines")):
        compare_hand.upload(visitor, place, _many_sections(folder / f"{subject}.md", subject))
        visitor.find(f".st-key-change-{place}")
        visitor.rests()
    compare_hand.compared(visitor)


def test_names_of_rows_and_columns_lie_apart_within_the_chart(visitor: Visitor, tmp_path: Path) -> None:
    _compare_reports(visitor, tmp_path)
    for is_large in (False, True):
        for width in (1400, 420):
            with screen(visitor, width, 1000):
                visitor.rests()
                visitor.until(lambda _: _names_of_all(visitor) == [], f"expected room: {_names_of_all(visitor)}")
                assert compare_hand.badly_named(visitor, "section")[0] >= (20 if is_large else 6)
                assert bool(compare_hand.counted(visitor, "section")) == (is_large and width == 1400)
        if not is_large:
            visitor.press("large-section")
            visitor.until(lambda _: not visitor.driver.find_elements(By.CSS_SELECTOR, ".st-key-chunk-heatmap"), "large")


def test_on_a_phone_names_are_cut_so_that_the_cells_have_most_of_the_width(visitor: Visitor, tmp_path: Path) -> None:
    _compare_reports(visitor, tmp_path)
    visitor.press("large-section")
    visitor.until(lambda _: compare_hand.shares(visitor, "section").cells > 0.8, "expected the heatmap large")
    names = compare_hand.shares(visitor, "section").drawn
    assert "Speed a of wheels measured again" in names
    with screen(visitor, 420, 1000):
        visitor.until(lambda _: compare_hand.shares(visitor, "section").cells > 0.6, "expected room for the cells")
        compare_hand.click_cell(visitor, "section", (0.5, 0.5))
        visitor.rests()
        found = compare_hand.shares(visitor, "section")
        assert found.widest <= 0.34 and found.cells > 0.6
        assert found.whole == names and sum(name.endswith("…") for name in found.drawn) >= 20
    visitor.until(lambda _: compare_hand.shares(visitor, "section").drawn == names, "expected the whole names again")


def _names_of_all(visitor: Visitor) -> list[str]:
    """The names that have no room in any heatmap of the page."""
    shown = [
        name
        for name in ("section", "chunk")
        if visitor.driver.find_elements(By.CSS_SELECTOR, f".st-key-{name}-heatmap")
    ]
    return [wrong for name in shown for wrong in compare_hand.badly_named(visitor, name)[1]]


def test_on_a_phone_the_line_on_a_match_has_the_width_of_the_screen(visitor: Visitor) -> None:
    with screen(visitor, 420, 900):
        visitor.open(f"{EXAMPLES}&{SAME_ROLE}")
        compare_hand.compared(visitor)
        heights = visitor.driver.execute_script(
            "return [...document.querySelectorAll('[data-testid=\"stBidiComponentIsolated\"]')]"
            ".flatMap((one) => [...(one.shadowRoot?.querySelectorAll('.bar .status, .line') ?? [])])"
            ".filter((one) => one.checkVisibility()).map((one) => [one.offsetWidth, one.offsetHeight])"
        )
        assert len(heights) == 3 and all(width >= 180 and height <= 48 for width, height in heights), heights


def test_a_narrow_screen_shows_everything_within_its_width(visitor: Visitor) -> None:
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    visitor.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        visitor.open(f"{EXAMPLES}&{SAME_ROLE}", theme="dark")
        compare_hand.compared(visitor)
        wide = visitor.driver.execute_script("return document.querySelector('[data-testid=stMain]').scrollWidth")
        assert int(str(wide)) <= 390
        assert "Traceback" not in visitor.text()
    finally:
        visitor.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_three_documents_open_their_cells_before_the_server_has_heard_of_them(visitor: Visitor) -> None:
    """Also cells of two other documents than those in the texts."""
    third = next(name for name in every_example() if name not in EXAMPLES)
    visitor.open(f"{EXAMPLES}&c=example:{third}")
    compare_hand.compared(visitor, "Three documents on one scale")
    assert compare_hand.labels(visitor) == ["Document A", "Document B"]
    with compare_hand.unheard(visitor):
        compare_hand.click_cell(visitor, "section", (0.02, 0.98))
        visitor.until(lambda _: compare_hand.labels(visitor)[1] == "Document C", "expected the third document")
        assert compare_hand.framed(visitor, "section")[0] == 0
        compare_hand.point_at_cell(visitor, "section", (0.98, 0.02))
        visitor.until(
            lambda _: compare_hand.labels(visitor) == ["Document C", "Document A"], "expected what is pointed at"
        )
        ActionChains(visitor.driver).move_by_offset(900, 0).perform()
        visitor.until(
            lambda _: compare_hand.labels(visitor)[0] == "Document A", "expected the chosen cell's texts again"
        )
    compare_hand.click_cell(visitor, "section", (0.98, 0.02))
    visitor.until(lambda driver: "cell=s-" in driver.current_url, "expected the cell in the link")
    visitor.rests()
    assert compare_hand.labels(visitor) == ["Document C", "Document A"]


def test_one_paper_is_shown_within_itself_and_a_cell_opens_both_passages(visitor: Visitor, tmp_path: Path) -> None:
    paper = tmp_path / "turbines.pdf"
    paper.write_bytes(tiny_pdf())
    visitor.open("compare")
    compare_hand.upload(visitor, "a", paper)
    compare_hand.compared(visitor, "Within this document")
    texts = visitor.find(".st-key-texts")
    visitor.driver.execute_script("arguments[0].scrollIntoView({ block: 'start' })", texts)
    compare_hand.press_in_texts(visitor, "[aria-label^='Next match']")
    visitor.until(lambda driver: "cell=c-" in driver.current_url, "expected the match's cell in the link")
    ours, theirs = compare_hand.in_view(visitor)
    assert ours != theirs and compare_hand.status(visitor).startswith("Match 1 of")
    compare_hand.click_cell(visitor, "section", (0.1, 0.9))
    visitor.until(lambda driver: "cell=s-0-" in driver.current_url, "expected the cell in the link")
    assert TITLE in visitor.text()
    visitor.open("compare?a=example:" + EXAMPLE_PAIRS[0].first + "&matrix=attention")
    compare_hand.compared(visitor, "Within this document")
    visitor.sees("Chunks, by attention")


def test_versions_are_offered_and_what_changed_is_listed_and_marked(visitor: Visitor, tmp_path: Path) -> None:
    first, second = tmp_path / "first.md", tmp_path / "second.md"
    first.write_text(DRAFT, "utf-8")
    second.write_text(SECOND, "utf-8")
    visitor.open("compare")
    compare_hand.upload(visitor, "a", first)
    visitor.find(".st-key-change-a")
    visitor.rests()
    compare_hand.upload(visitor, "b", second)
    compare_hand.compared(visitor)
    visitor.sees("These look like two versions of one text")
    visitor.click(".st-key-compare-versions label")
    visitor.until(lambda driver: "versions=on" in driver.current_url, "expected the choice in the link")
    visitor.until(lambda _: compare_hand.charts(visitor), "expected the list of changes")
    visitor.rests()
    told = compare_hand.charts(visitor)
    assert told[0].startswith("New: ") and NEW in told[0]
    assert any(chart.startswith("Rewritten: ") and "Six equal bolts" in chart for chart in told)
    assert compare_hand.marked(visitor, "new") == [NEW]


def test_what_a_patent_says_alone_is_counted_and_listed_with_the_nearest_miss(visitor: Visitor) -> None:
    pair = EXAMPLE_PAIRS[0]
    visitor.open(f"compare?a=example:{pair.first}&b=example:{pair.second}")
    compare_hand.compared(visitor)
    visitor.sees("Sentence by sentence, ")
    visitor.until(lambda _: len(compare_hand.charts(visitor)) >= 2, "expected both lists of differences")
    told = [chart for chart in compare_hand.charts(visitor) if "not in the other" in chart]
    assert [chart.startswith(f"In the {name} document") for chart, name in zip(told, ("first", "second"), strict=True)]
    assert all(" words (" in chart for chart in told)
    counts = compare_hand.numbers(visitor)
    assert counts and all(counts)


def test_dependent_claims_are_folded_below_their_independent_claim(visitor: Visitor) -> None:
    visitor.open(f"compare?a=example:{OURS['claims']}&b=example:{OURS['sections']}")
    compare_hand.compared(visitor)
    visitor.until(lambda _: any("depend on claim 1" in one for one in compare_hand.charts(visitor)), "expected a fold")
    assert compare_hand.charts(visitor)[0].startswith("Claim chart of the first document (3 independent claims, ")
    assert compare_hand.claims_in_view(visitor) == ["1", "4", "5"]
    compare_hand.press_fold(visitor)
    assert compare_hand.claims_in_view(visitor) == ["1", "2", "3", "4", "5"]
    compare_hand.press_fold(visitor)
    assert compare_hand.claims_in_view(visitor) == ["1", "4", "5"]


def test_a_third_document_joins_two_on_one_scale(visitor: Visitor, tmp_path: Path) -> None:
    pair, third = EXAMPLE_PAIRS[0], tmp_path / "third.md"
    third.write_text(DRAFT, "utf-8")
    visitor.open(f"compare?a=example:{pair.first}&b=example:{pair.second}")
    compare_hand.compared(visitor)
    visitor.press("add-third")
    visitor.rests()
    compare_hand.upload(visitor, "c", third)
    compare_hand.compared(visitor, "Three documents on one scale")
    assert compare_hand.labels(visitor) == ["Document A", "Document B"]
    compare_hand.click_cell(visitor, "section", (0.05, 0.95))
    visitor.until(lambda driver: "cell=s-0-" in driver.current_url, "expected the cell in the link")
    visitor.until(lambda _: "Document C" in compare_hand.labels(visitor), "expected the third document's text")


@pytest.mark.parametrize("rows", ["sections", "claims"])
def test_our_own_paper_and_patent_are_covered(visitor: Visitor, rows: str) -> None:
    covered_from_its_upload(visitor, every_example()[OURS[rows]].path, rows)


@pytest.mark.parametrize("rows", ["sections", "claims"])
def test_a_real_paper_and_a_real_patent_are_covered(visitor: Visitor, shared: Path, rows: str) -> None:
    covered_from_its_upload(visitor, shared / REAL[rows], rows)


def covered_from_its_upload(visitor: Visitor, path: Path, rows: str) -> None:
    """Upload a document, compare it with the library, open a cell, and drop it all for another document."""
    visitor.open("compare")
    compare_hand.upload(visitor, "a", path)
    visitor.find(".st-key-change-a")
    visitor.rests()
    visitor.press("against-library")
    heatmap(visitor)
    assert f"library={rows if rows == 'claims' else 'contributions'}" in visitor.driver.current_url
    assert any(word in visitor.text() for word in WORDS) and "may be new" not in visitor.text()
    compare_hand.click_cell(visitor, "coverage", (0.05, 0.02))
    visitor.until(lambda driver: "at=0%3A" in driver.current_url, "expected the cell in the link")
    assert all(compare_hand.in_view(visitor))
    assert any(word in compare_hand.status(visitor) for word in Reading.meanings)
    assert audit.roomy(visitor) == []
    visitor.press("change-library")
    visitor.find(".st-key-against-library")


def test_the_link_opens_the_same_cell(visitor: Visitor) -> None:
    link = f"compare?a=example:{OURS['claims']}&library=claims&down=coverage"
    visitor.open(link)
    heatmap(visitor)
    compare_hand.click_cell(visitor, "coverage", (0.05, 0.02))
    visitor.until(lambda driver: "at=" in driver.current_url, "expected the cell in the link")
    both = compare_hand.in_view(visitor)
    address = visitor.driver.current_url
    visitor.driver.get("about:blank")
    visitor.driver.get(address)
    heatmap(visitor)
    assert compare_hand.in_view(visitor) == both


def test_a_cell_of_another_column_opens_before_the_server_has_heard_of_it(visitor: Visitor) -> None:
    visitor.open(f"compare?a=example:{OURS['claims']}&library=claims")
    heatmap(visitor)
    visitor.until(lambda _: compare_hand.current(visitor) is not None, "expected the two texts")
    assert visitor.driver.execute_script("return document.querySelector('.stMain').scrollTop") == 0
    names = compare_hand.names(visitor)
    with compare_hand.unheard(visitor):
        compare_hand.click_cell(visitor, "coverage", (0.05, 0.95))
        visitor.until(lambda _: compare_hand.names(visitor) not in (names, []), "expected another document")
        assert compare_hand.names(visitor)[0] == names[0]
        assert all(compare_hand.in_view(visitor))
    shown = compare_hand.names(visitor)
    compare_hand.click_cell(visitor, "coverage", (0.5, 0.95))
    visitor.until(lambda driver: "at=" in driver.current_url, "expected the cell in the link")
    visitor.rests()
    assert compare_hand.names(visitor) == shown


def heatmap(visitor: Visitor) -> None:
    """Wait until the heatmap is on the page."""
    compare_hand.shape(visitor, "coverage", seconds=COVERING_SECONDS)
    visitor.rests()

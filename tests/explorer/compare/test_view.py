"""The compare page as its visitor uses it, over comparisons made by hand."""

from __future__ import annotations

import dataclasses
import io
import json
import zipfile
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.compare.base import Comparison, Exclusions, Mixed, Part
from engine.documents import Document
from engine.encoders.base import EncoderCard
from engine.errors import EmptyInputError
from explorer.compare import comparison as shown
from explorer.compare import downloads, handles
from explorer.state import jobs
from explorer.state.examples import EXAMPLE_PAIRS, every_example
from explorer.state.links import Visit
from explorer.state.pair import Cell, Pair
from tests.explorer.compare.comparisons import made_comparison
from tests.explorer.conftest import Start, finished, page_html, page_text

PAIR = {"a": "example:car-coupling", "b": "example:duplex-telegraph-relay"}
MARKDOWN = b"# Walks on graphs\n\n## Abstract\n\nA walk on a graph.\n\n## Method\n\nWe walk.\n"


@pytest.fixture(autouse=True)
def by_hand(empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is encoded, and the library is empty unless a test asks for another."""

    def compare(a: Document, b: Document, pair: Pair) -> Comparison:
        gone = [0] if pair.references else []
        exclusions = Exclusions(pair.references, pair.recurring, pair.min_words)
        return made_comparison(a, b, exclusions=exclusions, gone=gone)

    monkeypatch.setattr(handles, "is_read", lambda document: True)
    monkeypatch.setattr(handles, "comparison", compare)
    monkeypatch.setattr(handles, "card", lambda: EncoderCard("colde", "", 4, "f"))


@pytest.fixture
def page(app: Start) -> Start:
    def start(**link: str) -> AppTest:
        test = app(**link)
        return test.switch_page("explorer/compare/view.py").run()

    return start


def charts(test: AppTest) -> list[dict[str, object]]:
    return [json.loads(chart.proto.spec) for chart in test.get("plotly_chart")]


def test_an_example_pair_is_compared_without_a_library(page: Start) -> None:
    test = page()
    assert "Pick from the library" not in [tab.label for tab in test.tabs]
    test.button(key=f"pair-{EXAMPLE_PAIRS[0].first}").click().run()
    assert not test.exception
    assert "document similarity" in page_text(test)
    assert "Closer than 97 % of" in page_text(test)
    assert len(charts(test)) == 2
    assert test.query_params["a"] == f"example:{EXAMPLE_PAIRS[0].first}"
    assert test.query_params["b"] == f"example:{EXAMPLE_PAIRS[0].second}"


def test_every_document_of_an_example_pair_is_there() -> None:
    names = {name for pair in EXAMPLE_PAIRS for name in (pair.first, pair.second)}
    assert names <= set(every_example())
    assert {every_example()[name].kind for name in names} == {"paper", "patent"}


def test_the_link_restores_documents_cell_and_what_is_left_out(page: Start) -> None:
    link = {**PAIR, "cell": "s-1-2", "keep": "references", "words": "7", "matrix": "attention"}
    test = page(**link)
    assert not test.exception
    assert {key: test.query_params[key] for key in link} == link
    assert not test.checkbox(key="leave-references").value
    assert test.slider(key="leave-short").value == 7
    heatmap, squares = charts(test)[0]["data"]  # type: ignore[misc]
    assert heatmap["type"] == "heatmap"
    assert squares["selectedpoints"] == [_place(heatmap, 1, 2)]
    assert charts(test)[1]["data"][1].get("selectedpoints") is None  # type: ignore[index]


def _place(heatmap: dict[str, object], row: int, column: int) -> int:
    rows, columns = (int(n) for n in str(heatmap["z"]["shape"]).split(","))  # type: ignore[index]
    assert row < rows
    return row * columns + column


def test_a_cell_that_is_not_there_is_left_out_of_the_picture(page: Start) -> None:
    test = page(**PAIR, cell="c-900-900")
    assert not test.exception
    assert "document similarity" in page_text(test)


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"a": "library:gone"}, "gone"),
        ({"b": "example:gone"}, "Expected the name of an example"),
    ],
)
def test_a_document_that_cannot_be_had_is_said_and_its_side_is_free(
    page: Start, link: dict[str, str], sentence: str
) -> None:
    test = page(**{**PAIR, **link})
    assert not test.exception
    assert sentence in page_text(test)
    assert len(test.file_uploader) == 1
    assert "document similarity" not in page_text(test)


def test_a_bad_file_keeps_the_other_side(page: Start) -> None:
    test = page(a=PAIR["a"])
    test.file_uploader[0].set_value(("scan.pdf", b"\x00\x01\x02 not a pdf", "application/pdf")).run()
    assert not test.exception
    assert "ps-notice ps-problem" in page_html(test)
    assert every_example()["car-coupling"].title in page_text(test)
    test.run()
    assert "ps-notice ps-problem" in page_html(test)
    test.file_uploader[0].set_value(("walks.md", MARKDOWN, "text/markdown")).run()
    assert "document similarity" in page_text(test)
    assert "ps-notice ps-problem" not in page_html(test)
    assert "b" not in test.query_params  # an upload cannot stand in a link


def test_a_file_without_a_title_goes_by_its_name(page: Start) -> None:
    test = page(a=PAIR["a"])
    file = ("own draft.md", b"## Method\n\nWe walk on a graph.\n", "text/markdown")
    test.file_uploader[0].set_value(file).run()
    assert not test.exception
    assert "own draft.md</h2>" in page_html(test)


def test_a_pasted_text_is_compared(page: Start) -> None:
    test = page(a=PAIR["a"])
    test.text_area(key="paste-text-b").set_value("Couplings\n\nAbstract\nA coupling of cars.")
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    assert "document similarity" in page_text(test)
    assert test.query_params["b"].startswith("text:Couplings")


def test_nothing_pasted_is_said(page: Start) -> None:
    test = page(a=PAIR["a"])
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    assert "ps-notice ps-problem" in page_html(test)


@pytest.mark.usefixtures("folder")
def test_library_documents_are_picked_by_title_and_by_id(page: Start) -> None:
    test = page()
    test.text_input(key="pick-words-a").set_value("random walks").run()
    test.button(key="pick-a-p1").click().run()
    test.text_input(key="pick-words-b").set_value("US1").run()
    test.button(key="pick-b-US1").click().run()
    assert not test.exception
    assert (test.query_params["a"], test.query_params["b"]) == ("library:p1", "library:US1")
    assert "document similarity" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_words_that_no_title_holds_are_said(page: Start) -> None:
    test = page()
    test.text_input(key="pick-words-a").set_value("zeppelin").run()
    assert "No title holds all of these words" in page_text(test)


@pytest.mark.usefixtures("folder")
def test_every_hit_can_be_compared_with_the_query(app: Start) -> None:
    test = app(example="rewired-random-walk")
    keys = [button.key for button in test.button if str(button.key).startswith("compare-")]
    assert len(keys) == len([button for button in test.button if str(button.key).startswith("like-")]) > 1
    test.button(key="compare-p1").click().run()
    assert not test.exception
    assert "document similarity" in page_text(test)
    assert (test.query_params["a"], test.query_params["b"]) == ("example:rewired-random-walk", "library:p1")


def test_what_is_left_out_changes_the_numbers_and_is_counted(page: Start) -> None:
    test = page(**PAIR)
    before = charts(test)[0]["data"][0]["z"]  # type: ignore[index]
    assert "1 as references" in page_text(test)
    assert "2 as too short" in page_text(test)
    test.checkbox(key="leave-references").uncheck().run()
    assert charts(test)[0]["data"][0]["z"] != before  # type: ignore[index]
    assert test.query_params["keep"] == "references"
    test.slider(key="leave-short").set_value(9).run()
    assert test.query_params["words"] == "9"


@pytest.mark.parametrize("matrix", ["within_a", "within_b", "attention"])
def test_the_heatmaps_show_other_matrices(page: Start, matrix: str) -> None:
    test = page(**PAIR)
    test.selectbox(key="compare-matrix").select(matrix).run()
    assert not test.exception
    assert len(charts(test)) == 2
    assert test.query_params["matrix"] == matrix


def test_sides_are_swapped_and_changed(page: Start) -> None:
    test = page(**PAIR, cell="s-1-2")
    test.button(key="swap").click().run()
    assert (test.query_params["a"], test.query_params["cell"]) == (PAIR["b"], "s-2-1")
    test.button(key="change-a").click().run()
    assert "a" not in test.query_params
    assert "cell" not in test.query_params
    assert "document similarity" not in page_text(test)


def correct(test: AppTest, place: str, **fields: str) -> AppTest:
    """Open one side's form and change some of its fields."""
    test.button(key=f"correct-{place}").click().run()
    for name, text in fields.items():
        inputs = [*test.text_input, *test.text_area]
        field = next(one for one in inputs if one.key.startswith(f"correct-{place}-") and one.key.endswith(f"-{name}"))
        field.set_value(text).run()
    return test


def test_what_was_read_of_an_upload_is_corrected_before_it_is_compared(page: Start) -> None:
    test = page(a=PAIR["a"])
    test.file_uploader[0].set_value(("walks.md", MARKDOWN, "text/markdown")).run()
    correct(test, "b", title="Tours of graphs", abstract="A tour of a graph.")
    assert "document similarity" not in page_text(test)
    assert "The comparison waits until you use or discard the corrections." in page_text(test)
    opened = next(button for button in test.button if str(button.key).endswith("section-0-open"))
    opened.click().run()
    area = next(one for one in test.text_area if one.label == "Text of section 1")
    area.set_value("We tour each generator evenly.").run()
    test.button(key="use-b").click().run()
    assert not test.exception
    text = page_text(test)
    assert "document similarity" in text and "Tours of graphs" in text and "Walks on graphs" not in text
    held = test.session_state["compared-b"][1].document
    assert (held.abstract, held.sections[0].text) == ("A tour of a graph.", "We tour each generator evenly.")
    assert test.query_params["a"] == PAIR["a"] and "b" not in test.query_params
    again = correct(test, "b")
    assert next(one.value for one in again.text_input if one.key.endswith("-title")) == "Tours of graphs"


def test_corrections_are_discarded(page: Start) -> None:
    test = correct(page(**PAIR, cell="s-1-2"), "a", title="Other")
    assert any(one.value == "Other" for one in test.text_input)
    test.button(key="leave-a").click().run()
    assert "document similarity" in page_text(test) and "Other" not in page_text(test)
    assert (test.query_params["a"], test.query_params["cell"]) == (PAIR["a"], "s-1-2")
    correct(test, "a").button(key="use-a").click().run()  # nothing was changed
    assert (test.query_params["a"], test.query_params["cell"]) == (PAIR["a"], "s-1-2")


def test_both_sides_are_corrected_at_once(page: Start) -> None:
    test = correct(correct(page(**PAIR), "a", title="One"), "b", title="Two")
    assert not test.exception
    test.button(key="use-a").click().run()
    assert "document similarity" not in page_text(test)
    test.button(key="use-b").click().run()
    assert "document similarity" in page_text(test)
    assert {"a", "b"}.isdisjoint(test.query_params)
    test.button(key="swap").click().run()
    sides = [test.session_state[f"compared-{place}"][1].document.title for place in ("a", "b")]
    assert sides == ["Two", "One"]


def test_a_form_stays_open_while_the_other_side_is_filled(page: Start) -> None:
    test = correct(page(a=PAIR["a"]), "a", title="Other")
    test.text_area(key="paste-text-b").set_value("Couplings\n\nAbstract\nA coupling of cars.")
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert "correcting-a" in test.session_state and "document similarity" not in page_text(test)
    test.button(key="leave-a").click().run()
    correct(test, "b", title="Other")
    test.button(key="leave-b").click().run()
    test.button(key="change-b").click().run()
    assert "correcting-b" not in test.session_state


def test_nothing_to_compare_is_said(page: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise EmptyInputError("Expected text to compare. Give a document with a body.")

    monkeypatch.setattr(handles, "comparison", fail)
    test = page(**PAIR)
    assert not test.exception
    assert "Expected text to compare" in page_text(test)


def test_long_documents_are_read_in_the_background(page: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Document] = []
    monkeypatch.setattr(handles, "is_read", lambda document: document in read)
    monkeypatch.setattr(handles, "read", lambda document, report=None: read.append(document))
    monkeypatch.setattr(handles, "LONG_WORDS", 100)
    test = finished(page(**PAIR))
    assert not test.exception
    assert jobs.last() is not None
    assert [document.title for document in read] == [
        every_example()[name.split(":")[1]].title for name in PAIR.values()
    ]
    assert "document similarity" in page_text(test)


def test_the_files_hold_the_numbers_of_the_screen() -> None:
    comparison = made_comparison()
    told = json.loads(downloads.as_json(comparison))
    assert f"{told['document']['score']:.2f}" in shown.score_panel(comparison)
    assert told["sections"]["across"] == comparison.sections.across.tolist()
    with zipfile.ZipFile(io.BytesIO(downloads.as_tables(comparison))) as archive:
        assert len(archive.namelist()) >= 6
    report = downloads.as_report(comparison).decode()
    assert f"{comparison.score:.2f}" in report
    assert "<img src=x" not in report


MIXED = Mixed(0.73, (Part("colde", 0.81, 0.42), Part("ctpe", 0.9, 0.1), Part("shared words", 0.64, 0.48)))


def test_a_mixed_score_names_its_parts(page: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def compare(a: Document, b: Document, _: Pair) -> Comparison:
        return dataclasses.replace(made_comparison(a, b), mixed=MIXED)

    monkeypatch.setattr(handles, "comparison", compare)
    assert "Mixed of CoLDE 0.81 (42 %), CTPE 0.90 (10 %), shared words 0.64 (48 %)." in page_text(page(**PAIR))


def test_a_cell_opens_the_passages_that_carry_it(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison, state = made_comparison(), {}
    best = comparison.passages[0]
    cell = Cell("chunk", comparison.chunks_a.index(best.a), comparison.chunks_b.index(best.b))
    monkeypatch.setattr("streamlit.session_state", state)
    monkeypatch.setattr("explorer.state.session.current", lambda: Visit(pair=Pair(cell=cell)))
    opened = shown._shown_cell(comparison)
    assert opened is not None
    assert (opened.match, opened.a, opened.b) == (0, [best.a], [best.b])
    state["picked_match"] = (2, cell)
    assert shown._shown_cell(comparison).match == 2  # type: ignore[union-attr]


def test_a_section_opens_all_its_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison = made_comparison()
    monkeypatch.setattr("streamlit.session_state", {})
    monkeypatch.setattr("explorer.state.session.current", lambda: Visit(pair=Pair(cell=Cell("section", 0, 2))))
    opened = shown._shown_cell(comparison)
    assert opened is not None
    assert [chunk.section for chunk in opened.b] == ["Claim 1", "Claim 2"]


def test_a_match_that_is_pressed_chooses_its_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison, state, changed = made_comparison(), {}, []
    monkeypatch.setattr("streamlit.session_state", state)
    monkeypatch.setattr("explorer.state.session.current", Visit)
    monkeypatch.setattr("explorer.state.session.update", lambda pair: changed.append(pair.cell))
    shown._pick(comparison, 1)
    assert state["picked_match"] == (1, changed[0])
    assert comparison.chunks_a[changed[0].row] == comparison.passages[1].a

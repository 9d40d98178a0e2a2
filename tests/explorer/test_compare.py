"""The Compare page: documents are brought, compared beside the page where they are long, or covered by the library."""

from __future__ import annotations

import dataclasses
import io
import json
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from engine.compare import Comparison
from engine.compare.model import Mixed, MixedPart
from engine.core.errors import EmptyInputError, StorageError
from engine.core.progress import Report, silent
from engine.documents import Document
from engine.encoders import EncoderCard, registry
from engine.encoders.keyvec import explained
from engine.library import Library
from engine.workspace import SalienceReader, Workspace, is_key
from engine.workspace.comparison import Comparer
from explorer.compare import comparison as page
from explorer.compare import coverage as coverage_page
from explorer.compare.cells import chunk_heatmap
from explorer.compare.side_by_side import ShownTexts
from explorer.state import handles
from explorer.state.examples import EXAMPLE_PAIRS, every_example
from explorer.state.visit import CellPlace, ChosenPair, Visit
from tests.compare.shelves import PAPERS, Reader, draft, matcher
from tests.explorer.comparisons import made_comparison
from tests.explorer.conftest import Start, finished, page_html, page_text
from tests.explorer.pages import COMPARED, MARKDOWN, PAIR, charts, choose, rows

HELD = {"a": "library:draft"}
PARAGRAPH = PAPERS[5].sections[0].text[:600].rsplit(". ", 1)[0] + "."
DRAFT = draft(PARAGRAPH)
CELL = {**HELD, "library": "sections", "at": "2:d5"}


@pytest.fixture
def compared(installed: Path, monkeypatch: pytest.MonkeyPatch) -> list[ShownTexts]:
    """The texts that the Compare page showed; nothing is encoded for the comparison itself."""
    shown: list[ShownTexts] = []
    monkeypatch.setattr(Comparer, "is_read", lambda self, document: True)
    monkeypatch.setattr(Comparer, "encoder", lambda self: SimpleNamespace(card=EncoderCard("colde", "", 4, "f")))
    monkeypatch.setattr(Comparer, "compare", lambda self, a, b, exclusions: made_comparison(a, b))
    monkeypatch.setattr(page, "side_by_side", lambda texts, **_: shown.append(texts))
    return shown


@pytest.mark.usefixtures("by_hand")
def test_an_example_pair_is_compared_without_a_library(compare_page: Start) -> None:
    test = compare_page()
    assert "Pick from the library" not in [tab.label for tab in test.tabs]
    test.button(key=f"pair-{EXAMPLE_PAIRS[0].first}").click().run()
    assert not test.exception
    assert "Sentence by sentence, " in page_text(test)
    assert "Closer than 97 % of" in page_text(test)
    assert len(charts(test)) == 2
    assert test.query_params["a"] == f"example:{EXAMPLE_PAIRS[0].first}"
    assert test.query_params["b"] == f"example:{EXAMPLE_PAIRS[0].second}"


@pytest.mark.usefixtures("by_hand")
def test_the_link_restores_documents_cell_and_what_is_left_out(compare_page: Start) -> None:
    link = {**PAIR, "cell": "s-1-2", "keep": "references", "words": "7", "matrix": "attention"}
    test = compare_page(**link)
    assert not test.exception
    assert {key: test.query_params[key] for key in link} == link
    assert not test.checkbox(key="leave-references").value
    assert test.slider(key="leave-short").value == 7
    assert [[trace["type"] for trace in chart["data"]] for chart in charts(test)] == [["heatmap"]] * 2  # type: ignore[attr-defined]


@pytest.mark.usefixtures("by_hand")
def test_a_cell_that_is_not_there_is_left_out_of_the_picture(compare_page: Start) -> None:
    test = compare_page(**PAIR, cell="c-900-900")
    assert not test.exception
    assert "Sentence by sentence, " in page_text(test)


@pytest.mark.usefixtures("by_hand")
def test_a_document_that_cannot_be_had_is_said_and_its_side_is_free(compare_page: Start) -> None:
    for link, sentence in (({"a": "library:gone"}, "gone"), ({"b": "example:gone"}, "Expected the name of an example")):
        test = compare_page(**{**PAIR, **link})
        assert not test.exception
        assert sentence in page_text(test)
        assert len(test.file_uploader) == 1
        assert "Sentence by sentence, " not in page_text(test)


@pytest.mark.usefixtures("folder", "by_hand")
def test_every_hit_can_be_compared_with_the_query(app: Start) -> None:
    test = app(example="rewired-random-walk")
    assert len(rows(test)) > 1
    for id_ in ("p2", "p1"):
        assert choose(test, id_).button(key=f"compare-{id_}").label == "Compare"
    test.button(key="compare-p1").click().run()
    assert not test.exception
    assert "Sentence by sentence, " in page_text(test)
    assert (test.query_params["a"], test.query_params["b"]) == ("example:rewired-random-walk", "library:p1")


@pytest.mark.usefixtures("by_hand")
def test_the_heatmaps_show_other_matrices(compare_page: Start) -> None:
    test = compare_page(**PAIR)
    for matrix in ("within_a", "within_b", "attention", "attention_back"):
        test.selectbox(key="compare-matrix").select(matrix).run()
        assert not test.exception, matrix
        assert len(charts(test)) == 2
        assert test.query_params["matrix"] == matrix


@pytest.mark.usefixtures("by_hand")
def test_one_document_alone_is_shown_within_itself(compare_page: Start) -> None:
    test = compare_page(a=PAIR["a"])
    assert not test.exception
    assert "Within this document" in page_text(test) and "Sentence by sentence, " not in page_text(test)
    assert len(charts(test)) == 2
    assert test.selectbox(key="compare-matrix").options == ["Similarity", "Attention"]


@pytest.mark.usefixtures("by_hand")
def test_what_the_other_lacks_is_counted(compare_page: Start) -> None:
    text = page_text(compare_page(**PAIR))
    assert "72\xa0% of the first (by words) is also in the second, and 75\xa0% of the second in the first" in text
    assert "two versions of one text" not in text


@pytest.mark.usefixtures("by_hand")
def test_a_third_document_is_asked_for_on_request(compare_page: Start) -> None:
    test = compare_page(**PAIR)
    assert not test.file_uploader
    test.button(key="add-third").click().run()
    assert not test.exception
    assert len(test.file_uploader) == 1 and "Sentence by sentence, " in page_text(test)


@pytest.mark.usefixtures("by_hand")
def test_what_is_left_out_changes_the_numbers_and_is_counted(compare_page: Start) -> None:
    test = compare_page(**PAIR)
    before = charts(test)[0]["data"][0]["z"]  # type: ignore[index]
    assert "Left out of the first document: 1 sentence as references." in page_text(test)
    assert "2 sentences as too short" in page_text(test)
    test.checkbox(key="leave-references").uncheck().run()
    assert charts(test)[0]["data"][0]["z"] != before  # type: ignore[index]
    assert test.query_params["keep"] == "references"
    test.slider(key="leave-short").set_value(9).run()
    assert test.query_params["words"] == "9"


@pytest.mark.usefixtures("by_hand")
def test_a_bad_file_keeps_the_other_side(compare_page: Start) -> None:
    test = compare_page(a=PAIR["a"])
    test.file_uploader[0].set_value(("scan.pdf", b"\x00\x01\x02 not a pdf", "application/pdf")).run()
    assert not test.exception
    assert "ps-notice ps-problem" in page_html(test)
    assert every_example()["car-coupling"].title in page_text(test)
    test.run()
    assert "ps-notice ps-problem" in page_html(test)
    test.file_uploader[0].set_value(("walks.md", MARKDOWN, "text/markdown")).run()
    assert "Sentence by sentence, " in page_text(test)
    assert "ps-notice ps-problem" not in page_html(test)
    assert is_key(test.query_params["b"].removeprefix("own:"))  # no word of an upload stands in a link


@pytest.mark.usefixtures("by_hand")
def test_a_file_without_a_title_goes_by_its_name(compare_page: Start) -> None:
    test = compare_page(a=PAIR["a"])
    file = ("own draft.md", b"## Method\n\nWe walk on a graph.\n", "text/markdown")
    test.file_uploader[0].set_value(file).run()
    assert not test.exception
    assert "own draft.md</h2>" in page_html(test)


@pytest.mark.usefixtures("by_hand")
def test_a_pasted_text_is_compared(compare_page: Start) -> None:
    test = compare_page(a=PAIR["a"])
    test.text_area(key="paste-text-b").set_value("Couplings\n\nAbstract\nA coupling of cars.")
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    assert "Sentence by sentence, " in page_text(test)
    assert is_key(test.query_params["b"].removeprefix("own:"))


@pytest.mark.usefixtures("by_hand")
def test_nothing_pasted_is_said(compare_page: Start) -> None:
    test = compare_page(a=PAIR["a"])
    next(button for button in test.button if button.label == "Read this text").click().run()
    assert not test.exception
    assert "ps-notice ps-problem" in page_html(test)


@pytest.mark.usefixtures("folder", "by_hand")
def test_library_documents_are_picked_by_title_and_by_id(compare_page: Start) -> None:
    test = compare_page()
    test.text_input(key="pick-words-a").set_value("random walks").run()
    test.button(key="pick-a-p1").click().run()
    test.text_input(key="pick-words-b").set_value("US1").run()
    test.button(key="pick-b-US1").click().run()
    assert not test.exception
    assert (test.query_params["a"], test.query_params["b"]) == ("library:p1", "library:US1")
    assert "Sentence by sentence, " in page_text(test)


@pytest.mark.usefixtures("folder", "by_hand")
def test_words_that_no_title_holds_are_said(compare_page: Start) -> None:
    test = compare_page()
    test.text_input(key="pick-words-a").set_value("zeppelin").run()
    assert "No title holds all of these words" in page_text(test)


@pytest.mark.usefixtures("folder", "by_hand")
def test_a_document_that_is_only_an_abstract_says_so_and_takes_its_whole_text(compare_page: Start) -> None:
    said = "Only its abstract is here"
    assert said not in page_text(compare_page(a="library:p1", b="library:US1"))  # a section, and claims
    test = compare_page(a="library:p1", b="library:p2")
    assert page_text(test).count(said) == 1
    (upload,) = test.file_uploader
    upload.set_value(("walks.md", MARKDOWN, "text/markdown")).run()
    assert not test.exception
    assert said not in page_text(test)
    assert test.query_params["a"] == "library:p1" and test.query_params["b"].startswith("own:")


@pytest.mark.usefixtures("by_hand")
def test_both_texts_are_marked_until_that_is_switched_off(compared: list[ShownTexts], compare_page: Start) -> None:
    test = compare_page(**COMPARED)
    assert not test.exception
    marked = compared[-1].salient
    assert marked is not None
    assert list(marked) == ["a", "b"]
    assert marked["a"] == handles.workspace().salience.read([compared[-1].a])[0].strongest()
    test.checkbox(key="compare-salient").uncheck().run()
    assert not test.exception
    assert compared[-1].salient is None
    assert test.query_params["salient"] == "off"
    test.checkbox(key="compare-salient").check().run()
    assert compared[-1].salient == marked
    assert "salient" not in test.query_params


@pytest.mark.usefixtures("by_hand")
def test_the_link_switches_marks_off(compared: list[ShownTexts], compare_page: Start) -> None:
    test = compare_page(**COMPARED, salient="off")
    assert not test.checkbox(key="compare-salient").value
    assert compared[-1].salient is None


@pytest.mark.usefixtures("by_hand")
def test_a_comparison_stands_without_the_encoder(
    compared: list[ShownTexts], compare_page: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "none")
    test = compare_page(**COMPARED)
    assert not test.exception
    assert "Mark salient sentences" not in [box.label for box in test.checkbox]
    assert compared[-1].salient is None


@pytest.mark.usefixtures("by_hand")
def test_a_comparison_stands_where_the_encoder_is_damaged(
    compared: list[ShownTexts], compare_page: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StorageError("Expected weights as they were written, found other bytes. Build the folder again.")

    monkeypatch.setattr(SalienceReader, "read", fail)
    test = compare_page(**COMPARED)
    assert not test.exception
    assert "found other bytes" in page_text(test)
    assert "Sentence by sentence, " in page_text(test)
    assert compared[-1].salient is None


@pytest.mark.usefixtures("by_hand")
def test_nothing_to_compare_is_said(compare_page: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise EmptyInputError("Expected text to compare. Give a document with a body.")

    monkeypatch.setattr(Comparer, "compare", fail)
    test = compare_page(**PAIR)
    assert not test.exception
    assert "Expected text to compare" in page_text(test)


MIXED = Mixed(
    0.73, (MixedPart("colde", 0.81, 0.42), MixedPart("ctpe", 0.9, 0.1), MixedPart("shared words", 0.64, 0.48))
)


@pytest.mark.usefixtures("by_hand")
def test_a_mixed_score_names_its_parts(compare_page: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def compare(_: Comparer, a: Document, b: Document, exclusions: object) -> Comparison:
        del exclusions
        return dataclasses.replace(made_comparison(a, b), mixed=MIXED)

    monkeypatch.setattr(Comparer, "compare", compare)
    assert "Mixed of CoLDE 0.81 (42\xa0%), CTPE 0.90 (10\xa0%), shared words 0.64 (48\xa0%)." in page_text(
        compare_page(**PAIR)
    )


@pytest.mark.usefixtures("by_hand")
def test_a_cell_opens_the_passages_that_carry_it(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison, state = made_comparison(), {}
    best = comparison.passages[0]
    cell = CellPlace("chunk", comparison.chunks_a.index(best.a), comparison.chunks_b.index(best.b))
    monkeypatch.setattr("streamlit.session_state", state)
    monkeypatch.setattr("explorer.state.session.current", lambda: Visit(pair=ChosenPair(cell=cell)))
    opened = page._shown_cell(comparison)
    assert opened is not None
    assert (opened.match, opened.a, opened.b) == (0, [best.a], [best.b])
    state["picked_match"] = (2, cell)
    assert page._shown_cell(comparison).match == 2  # type: ignore[union-attr]


@pytest.mark.usefixtures("by_hand")
def test_a_section_opens_all_its_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison = made_comparison()
    monkeypatch.setattr("streamlit.session_state", {})
    monkeypatch.setattr(
        "explorer.state.session.current", lambda: Visit(pair=ChosenPair(cell=CellPlace("section", 0, 2)))
    )
    opened = page._shown_cell(comparison)
    assert opened is not None
    assert [chunk.section for chunk in opened.b] == ["Claim 1", "Claim 2"]


@pytest.mark.usefixtures("by_hand")
def test_a_match_that_is_pressed_chooses_its_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison, state, changed = made_comparison(), {}, []
    monkeypatch.setattr("streamlit.session_state", state)
    monkeypatch.setattr("explorer.state.session.current", Visit)
    monkeypatch.setattr("explorer.state.session.update", lambda pair: changed.append(pair.cell))
    page._pick(comparison, 1)
    assert state["picked_match"] == (1, changed[0])
    assert comparison.chunks_a[changed[0].row] == comparison.passages[1].a


@pytest.mark.usefixtures("by_hand")
def test_arrow_keys_start_at_the_highest_cell_that_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.compare.cells.MOST_SHOWN", 2)
    made = made_comparison()
    across = made.chunks.across.copy()
    across[0, 0], across[2, 3] = 1, 0.9
    made = dataclasses.replace(made, chunks=dataclasses.replace(made.chunks, across=across))
    for around, first in (((0, 0), (0, 0)), ((2, 3), (2, 3))):
        heat = chunk_heatmap(made, "across", around)
        walk = page._walk(made, "chunk", heat, None)
        assert (walk.rows, walk.columns, walk.first) == (*across.shape, first)
    gone = dataclasses.replace(heat, values=np.full(heat.values.shape, np.nan))
    assert page._walk(made, "chunk", gone, None).first == (heat.rows.first, heat.columns.first)


@pytest.mark.usefixtures("by_hand")
def test_long_documents_are_read_in_the_background(compare_page: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Document] = []
    monkeypatch.setattr(Comparer, "is_read", lambda self, document: document in read)
    monkeypatch.setattr(Comparer, "read", lambda self, document, report=None: read.append(document))
    monkeypatch.setattr(page, "LONG_WORDS", 100)
    test = finished(compare_page(**PAIR))
    assert not test.exception
    assert handles.workspace().jobs.last() is not None
    assert [document.title for document in read] == [
        every_example()[name.split(":")[1]].title for name in PAIR.values()
    ]
    assert "Sentence by sentence, " in page_text(test)


@pytest.mark.usefixtures("by_hand")
def test_long_documents_are_compared_in_the_background(compare_page: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[str, str]] = []
    weighed: list[tuple[str, str]] = []
    by_hand = Comparer.compare

    def compare(self: Comparer, a: Document, b: Document, exclusions: object, *, report: Report = silent) -> object:
        if report is not silent:
            compared.append((a.title, b.title))
        return by_hand(self, a, b, exclusions)  # type: ignore[arg-type]

    monkeypatch.setattr(page, "LONG_CHARACTERS", 100)
    monkeypatch.setattr(page, "_weigh", lambda a, b, report: weighed.append((a.title, b.title)))
    monkeypatch.setattr(Comparer, "is_compared", lambda self, a, b, exclusions: (a.title, b.title) in compared)
    monkeypatch.setattr(Comparer, "compare", compare)
    test = finished(compare_page(**PAIR))
    assert not test.exception
    assert weighed == compared
    assert len(compared) == 1 and handles.workspace().jobs.last() is not None
    assert "Sentence by sentence, " in page_text(test)


@pytest.mark.usefixtures("by_hand")
def test_what_fails_beside_the_page_says_why_on_it(compare_page: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    drawn = threading.Event()  # a job that fails before the page is drawn has it drawn, and the text read, once more

    def read(_: Comparer, document: Document, *, report: Report = silent) -> None:
        tried.append("here" if report is silent else "beside")
        assert report is silent or drawn.wait(60)
        raise EmptyInputError(f"Expected text to compare in {document.title}.")

    monkeypatch.setattr(Comparer, "is_read", lambda self, document: False)
    monkeypatch.setattr(Comparer, "read", read)
    monkeypatch.setattr(page, "LONG_WORDS", 100)
    test = compare_page(**PAIR)
    drawn.set()
    test = finished(test)
    assert not test.exception
    assert page_text(test).count("Expected text to compare in ") == 2  # of the job, and of the page
    assert tried == ["beside", "here"]


@pytest.mark.usefixtures("by_hand")
def test_only_long_documents_are_compared_in_a_job(compare_page: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Comparer, "is_compared", lambda self, a, b, exclusions: False)
    test = compare_page(**PAIR)
    assert "Sentence by sentence, " in page_text(test) and handles.workspace().jobs.last() is None
    monkeypatch.setattr(page, "LONG_CHARACTERS", 100)
    test = finished(compare_page(**PAIR))
    assert handles.workspace().jobs.last() is not None


@pytest.mark.usefixtures("by_hand")
def test_the_report_underlines_what_the_page_does(compared: list[ShownTexts], compare_page: Start) -> None:
    compare_page(**COMPARED)
    texts = compared[-1]
    assert texts.salient is not None
    report = page.comparison_report(made_comparison(texts.a, texts.b)).decode()
    for marked in texts.salient.values():
        assert all(f'title="Salient sentence, {explained(p)}"' in report for _, p in marked)
    plain = page.comparison_report(made_comparison(texts.a, texts.b), salient=False).decode()
    assert "Salient sentence" not in plain


@pytest.mark.usefixtures("by_hand")
def test_the_switch_is_honoured_by_the_report(
    compared: list[ShownTexts], compare_page: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []

    def prepared(_: object, *__: object, **given: object) -> Callable[[], bytes]:
        made.extend([given["salient"]] if "salient" in given else [])
        return lambda: b""

    monkeypatch.setattr(page, "partial", prepared)
    test = compare_page(**COMPARED)
    test.checkbox(key="compare-salient").uncheck().run()
    assert not test.exception
    assert made[0] is True and made[-1] is False


@pytest.mark.usefixtures("by_hand")
def test_a_report_stands_without_the_encoder_or_with_a_damaged_one(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StorageError("Expected weights as they were written, found other bytes. Build the folder again.")

    monkeypatch.setattr(Comparer, "encoder", lambda self: SimpleNamespace(card=EncoderCard("colde", "", 4, "f")))
    with monkeypatch.context() as damaged:
        damaged.setattr(SalienceReader, "read", fail)
        assert b"Salient sentence" not in page.comparison_report(made_comparison())
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "none")
    assert b"Salient sentence" not in page.comparison_report(made_comparison())


@pytest.mark.usefixtures("by_hand")
def test_the_files_hold_the_numbers_of_the_screen() -> None:
    comparison = made_comparison()
    told = json.loads(page.comparison_json(comparison))
    assert f"{told['document']['score']:.2f}" in page.score_panel(comparison)
    assert told["sections"]["across"] == comparison.sections.across.tolist()
    with zipfile.ZipFile(io.BytesIO(page.comparison_tables(comparison))) as archive:
        assert len(archive.namelist()) >= 6
    report = page.comparison_report(comparison).decode()
    assert f"{comparison.score:.2f}" in report
    assert "<img src=x" not in report


@pytest.fixture
def shown(empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[ShownTexts]:
    """The texts that the page showed, over a library that holds the draft, too."""
    with Library.open(empty_folder, create=True) as held:
        held.add_file("k", "papers", (*PAPERS, DRAFT))
        held.collections.add("Mine", ["d5", "d6"])
    monkeypatch.setattr(Workspace, "passage_encoder", lambda _: Reader())
    monkeypatch.setattr(Workspace, "passages", lambda _: matcher((*PAPERS, DRAFT)))
    found: list[ShownTexts] = []
    monkeypatch.setattr(coverage_page, "side_by_side", lambda texts, **_: found.append(texts))
    return found


def covered(test: AppTest) -> AppTest:
    """The page after the work in the background."""
    job = handles.workspace().jobs.last()
    if job is not None:
        assert job.finished.wait(60)
    test.run()
    assert not test.exception
    return test


def values(test: AppTest) -> dict[str, object]:
    heatmap = charts(test)[0]["data"][0]  # type: ignore[index]
    assert isinstance(heatmap, dict)
    return heatmap


@pytest.mark.usefixtures("shown")
def test_the_button_compares_the_first_document_with_the_library(compare_page: Start) -> None:
    test = compare_page(**HELD)
    test.button(key="against-library").click().run()
    covered(test)
    assert test.query_params["library"] == "sections"
    assert "Of 4 sections, 1 is said there" in page_text(test)
    assert "One document says" in page_text(test) and PAPERS[5].title in page_text(test)
    assert page_text(test).count('class="ps-badge"') == 3 and "be new" not in page_text(test)
    assert values(test)["zmax"] == 1.0 and values(test)["zmin"] == 0.0


def test_a_link_restores_rows_orders_and_cell(compare_page: Start, shown: list[ShownTexts]) -> None:
    link = {**CELL, "library": "paragraphs", "down": "coverage", "across": "year"}
    test = covered(compare_page(**link))
    assert {key: test.query_params[key] for key in link} == link
    assert test.selectbox(key="coverage-rows").value == "paragraphs"
    assert test.selectbox(key="coverage-column_order").value == "year"
    texts = shown[-1]
    assert (texts.a.id, texts.b.id) == ("draft", "d5")
    assert texts.cell is not None and texts.cell.match == 0
    assert texts.matches[0].a.text in DRAFT.parts[texts.matches[0].a.part].text
    assert texts.matches[0].b.text in PAPERS[5].parts[texts.matches[0].b.part].text


def test_a_cell_that_covers_nothing_shows_its_passages_all_the_same(
    compare_page: Start, shown: list[ShownTexts]
) -> None:
    covered(compare_page(**{**CELL, "at": "0:d5"}))
    cell = shown[-1].cell
    assert cell is not None and cell.match is None and cell.evidence is not None


@pytest.mark.usefixtures("shown")
def test_a_collection_gives_the_columns(compare_page: Start) -> None:
    test = covered(compare_page(**HELD, library="sections"))
    test.selectbox(key="coverage-collection").select("Mine").run()
    covered(test)
    assert test.query_params["only"] == "Mine"
    assert "Both documents together say" in page_text(test)


@pytest.mark.usefixtures("shown")
def test_what_is_not_read_is_counted_now_and_all_is_covered_again_once_it_is(
    compare_page: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = 3
    monkeypatch.setattr(Workspace, "left_to_cover", lambda _self: left)
    test = covered(compare_page(**HELD, library="sections"))
    jobs = handles.workspace().jobs
    assert "3 documents of the library are not read yet." in page_text(test) and "nothing like it so far" in page_text(
        test
    )
    before, left = jobs.last(), 1
    assert "1 document of the library is not read yet." in page_text(test.run()) and jobs.last() is before
    left = 0
    covered(test.run())
    assert "not read yet" not in page_text(test) and "so far" not in page_text(test) and jobs.last() is not before


@pytest.mark.usefixtures("shown")
def test_rows_that_the_document_lacks_are_said(compare_page: Start) -> None:
    test = covered(compare_page(**HELD, library="claims"))
    assert "Expected a document with claims" in page_text(test)


@pytest.mark.usefixtures("shown")
def test_one_document_is_compared_instead_after_a_change(compare_page: Start) -> None:
    test = covered(compare_page(**CELL))
    test.button(key="change-library").click().run()
    assert "library" not in test.query_params and "at" not in test.query_params
    assert test.button(key="against-library")


@pytest.mark.usefixtures("empty_folder")
def test_without_a_library_the_button_is_not_offered(compare_page: Start) -> None:
    test = compare_page(a="example:car-coupling")
    assert "against-library" not in [button.key for button in test.button]


@pytest.mark.usefixtures("shown")
def test_downloads_hold_what_the_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.compare import CoverageSettings, cover

    made: dict[str, bytes] = {}
    monkeypatch.setattr(
        coverage_page, "file_downloads", lambda kinds, **_: made.update({one[0]: one[2]() for one in kinds})
    )
    coverage_page._downloads(cover(handles.workspace().shelf(), DRAFT, CoverageSettings()))
    assert json.loads(made["json"])["columns"][0] == "d5"
    assert b"Planted 0" in made["csv"] and b"Planted 0" in made["html"]
    assert made["png"].startswith(b"\x89PNG")

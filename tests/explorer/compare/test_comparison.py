"""A comparison as its visitor sees it: made beside the page where it is long, its score, cells, marks and files."""

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

from engine.compare import Comparison
from engine.compare.model import Mixed, MixedPart
from engine.core.errors import EmptyInputError, StorageError
from engine.core.progress import Report, silent
from engine.documents import Document
from engine.encoders import EncoderCard, registry
from engine.encoders.keyvec import explained
from engine.workspace import SalienceReader
from engine.workspace.comparison import Comparer
from explorer.compare import comparison as page
from explorer.compare.cells import chunk_heatmap
from explorer.compare.side_by_side import ShownTexts
from explorer.state import handles
from explorer.state.examples import every_example
from explorer.state.visit import CellPlace, ChosenPair, Visit
from tests.explorer.compare.comparisons import made_comparison
from tests.explorer.conftest import Start, finished, page_text
from tests.explorer.pages import COMPARED, PAIR

pytestmark = pytest.mark.usefixtures("by_hand")


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


def test_the_link_switches_marks_off(compared: list[ShownTexts], compare_page: Start) -> None:
    test = compare_page(**COMPARED, salient="off")
    assert not test.checkbox(key="compare-salient").value
    assert compared[-1].salient is None


def test_a_comparison_stands_without_the_encoder(
    compared: list[ShownTexts], compare_page: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "none")
    test = compare_page(**COMPARED)
    assert not test.exception
    assert "Mark salient sentences" not in [box.label for box in test.checkbox]
    assert compared[-1].salient is None


def test_a_comparison_stands_where_the_encoder_is_damaged(
    compared: list[ShownTexts], compare_page: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StorageError("Expected weights as they were written, found other bytes. Build the folder again.")

    monkeypatch.setattr(SalienceReader, "read", fail)
    test = compare_page(**COMPARED)
    assert not test.exception
    assert "found other bytes" in page_text(test)
    assert "document similarity" in page_text(test)
    assert compared[-1].salient is None


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


def test_a_mixed_score_names_its_parts(compare_page: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def compare(_: Comparer, a: Document, b: Document, exclusions: object) -> Comparison:
        del exclusions
        return dataclasses.replace(made_comparison(a, b), mixed=MIXED)

    monkeypatch.setattr(Comparer, "compare", compare)
    assert "Mixed of CoLDE 0.81 (42 %), CTPE 0.90 (10 %), shared words 0.64 (48 %)." in page_text(compare_page(**PAIR))


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


def test_a_section_opens_all_its_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison = made_comparison()
    monkeypatch.setattr("streamlit.session_state", {})
    monkeypatch.setattr(
        "explorer.state.session.current", lambda: Visit(pair=ChosenPair(cell=CellPlace("section", 0, 2)))
    )
    opened = page._shown_cell(comparison)
    assert opened is not None
    assert [chunk.section for chunk in opened.b] == ["Claim 1", "Claim 2"]


def test_a_match_that_is_pressed_chooses_its_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison, state, changed = made_comparison(), {}, []
    monkeypatch.setattr("streamlit.session_state", state)
    monkeypatch.setattr("explorer.state.session.current", Visit)
    monkeypatch.setattr("explorer.state.session.update", lambda pair: changed.append(pair.cell))
    page._pick(comparison, 1)
    assert state["picked_match"] == (1, changed[0])
    assert comparison.chunks_a[changed[0].row] == comparison.passages[1].a


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
    assert "document similarity" in page_text(test)


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
    assert "document similarity" in page_text(test)


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


def test_only_long_documents_are_compared_in_a_job(compare_page: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Comparer, "is_compared", lambda self, a, b, exclusions: False)
    test = compare_page(**PAIR)
    assert "document similarity" in page_text(test) and handles.workspace().jobs.last() is None
    monkeypatch.setattr(page, "LONG_CHARACTERS", 100)
    test = finished(compare_page(**PAIR))
    assert handles.workspace().jobs.last() is not None


def test_the_report_underlines_what_the_page_does(compared: list[ShownTexts], compare_page: Start) -> None:
    compare_page(**COMPARED)
    texts = compared[-1]
    assert texts.salient is not None
    report = page.comparison_report(made_comparison(texts.a, texts.b)).decode()
    for marked in texts.salient.values():
        assert all(f'title="Salient sentence, {explained(p)}"' in report for _, p in marked)
    plain = page.comparison_report(made_comparison(texts.a, texts.b), salient=False).decode()
    assert "Salient sentence" not in plain


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

"""A comparison as its visitor sees it: its score, the cell that is open, and the marks in both texts."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from engine.compare import Comparison
from engine.compare.base import Mixed, Part
from engine.core.errors import EmptyInputError, StorageError
from engine.documents import Document
from engine.encoders import registry
from explorer.compare import comparison as shown
from explorer.compare import handles
from explorer.compare.heat import chunk_heat
from explorer.compare.side_by_side import Texts
from explorer.shared import salience_handles
from explorer.shared.salient import strongest
from explorer.state.links import Visit
from explorer.state.pair import Cell, Pair
from tests.explorer.compare.comparisons import made_comparison
from tests.explorer.compare.pages import COMPARED, PAIR
from tests.explorer.conftest import Start, page_text

pytestmark = pytest.mark.usefixtures("by_hand")


def test_both_texts_are_marked_until_that_is_switched_off(compared: list[Texts], compare_page: Start) -> None:
    test = compare_page(**COMPARED)
    assert not test.exception
    marked = compared[-1].salient
    assert marked is not None
    assert list(marked) == ["a", "b"]
    assert marked["a"] == strongest(salience_handles.salience([compared[-1].a])[0])
    test.checkbox(key="compare-salient").uncheck().run()
    assert not test.exception
    assert compared[-1].salient is None
    assert test.query_params["salient"] == "off"
    test.checkbox(key="compare-salient").check().run()
    assert compared[-1].salient == marked
    assert "salient" not in test.query_params


def test_the_link_switches_marks_off(compared: list[Texts], compare_page: Start) -> None:
    test = compare_page(**COMPARED, salient="off")
    assert not test.checkbox(key="compare-salient").value
    assert compared[-1].salient is None


def test_a_comparison_stands_without_the_encoder(
    compared: list[Texts], compare_page: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "none")
    test = compare_page(**COMPARED)
    assert not test.exception
    assert "Mark salient sentences" not in [box.label for box in test.checkbox]
    assert compared[-1].salient is None


def test_a_comparison_stands_where_the_encoder_is_damaged(
    compared: list[Texts], compare_page: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise StorageError("Expected weights as they were written, found other bytes. Build the folder again.")

    monkeypatch.setattr(salience_handles, "salience", fail)
    test = compare_page(**COMPARED)
    assert not test.exception
    assert "found other bytes" in page_text(test)
    assert "document similarity" in page_text(test)
    assert compared[-1].salient is None


def test_nothing_to_compare_is_said(compare_page: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise EmptyInputError("Expected text to compare. Give a document with a body.")

    monkeypatch.setattr(handles, "comparison", fail)
    test = compare_page(**PAIR)
    assert not test.exception
    assert "Expected text to compare" in page_text(test)


MIXED = Mixed(0.73, (Part("colde", 0.81, 0.42), Part("ctpe", 0.9, 0.1), Part("shared words", 0.64, 0.48)))


def test_a_mixed_score_names_its_parts(compare_page: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def compare(a: Document, b: Document, _: Pair) -> Comparison:
        return dataclasses.replace(made_comparison(a, b), mixed=MIXED)

    monkeypatch.setattr(handles, "comparison", compare)
    assert "Mixed of CoLDE 0.81 (42 %), CTPE 0.90 (10 %), shared words 0.64 (48 %)." in page_text(compare_page(**PAIR))


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


def test_arrow_keys_start_at_the_highest_cell_that_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.compare.heat.MOST_SHOWN", 2)
    made = made_comparison()
    across = made.chunks.across.copy()
    across[0, 0], across[2, 3] = 1, 0.9
    made = dataclasses.replace(made, chunks=dataclasses.replace(made.chunks, across=across))
    for around, first in (((0, 0), (0, 0)), ((2, 3), (2, 3))):
        heat = chunk_heat(made, "across", around)
        walk = shown._walk(made, "chunk", heat, None)
        assert (walk.rows, walk.columns, walk.first) == (*across.shape, first)
    gone = dataclasses.replace(heat, values=np.full(heat.values.shape, np.nan))
    assert shown._walk(made, "chunk", gone, None).first == (heat.rows.first, heat.columns.first)

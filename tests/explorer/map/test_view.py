"""The map page without a browser: its states, its words, what its controls change."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.progress import Report
from engine.encoders import Encoder
from engine.library import Library
from engine.workspace import indexing
from tests.explorer.map.maps import filled, page, words


@pytest.mark.usefixtures("empty_folder")
def test_an_empty_library_names_the_next_step() -> None:
    app = page()
    assert "Your library is empty" in words(app)
    assert [button.label for button in app.button] == ["Go to the library"]


def test_the_trust_figure_stands_in_words(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    said = words(page())
    assert "This picture keeps 41% of each document&#39;s 15 nearest neighbours; trustworthiness 0.93." in said
    assert "0.5 is chance" in said


def test_a_map_that_is_drawn_stands_before_its_encoder_is_loaded(
    empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(empty_folder, with_map=True)
    asked: list[str] = []
    load = indexing.encoder_for

    def counted(library: Library, name: str, *, report: Report) -> Encoder:
        asked.append(name)
        return load(library, name, report=report)

    monkeypatch.setattr(indexing, "encoder_for", counted)
    assert "This picture keeps 41%" in words(page())
    assert asked == []
    assert "true neighbours are also among" in words(page(doc="astroph-0"))
    assert asked


def test_a_hostile_title_is_escaped(empty_folder: Path) -> None:
    filled(empty_folder, with_map=True)
    said = words(page(doc="F03B-0"))
    assert "&lt;script&gt;document.title=" in said
    assert "<script>" not in said

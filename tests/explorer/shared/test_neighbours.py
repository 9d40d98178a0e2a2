"""The neighbours of a query, and what a map keeps of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.rows import Rows
from engine.documents import Hit
from explorer.shared import neighbours
from explorer.state import handles
from tests.explorer.map.maps import filled, page, words


def test_a_map_of_one_document_does_not_praise_itself(empty_folder: Path) -> None:
    assert neighbours.trust_sentence(0.0, 1.0, neighbours=1, documents=1).startswith("There is too little on it")
    assert "at random would keep 50.0%" in neighbours.trust_help(1, 3)
    assert neighbours.kept_sentence([]) == "This encoder finds nothing like it here, so it has no neighbours."


def test_a_document_without_a_known_word_has_no_neighbours(empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(empty_folder, with_map=True)

    class Blind:
        """Every document is as near as every other one."""

        def search(self, row: Rows, k: int) -> list[list[Hit]]:
            return [[Hit(f"astroph-{number}", 0.0) for number in range(min(k, 16))]]

    monkeypatch.setattr(handles, "vector_index", lambda name: Blind())
    app = page(doc="astroph-0")
    assert not app.exception
    assert "finds nothing like it here" in words(app) and 'class="ps-near"' not in words(app)

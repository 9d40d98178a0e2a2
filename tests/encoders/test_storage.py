"""An encoder's card on disk: cards written before a field was known still read, and a wrong value is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine import files
from engine.encoders import storage
from engine.errors import StorageError
from tests.encoders.test_word_vectors import by_subject


def saved(folder: Path, **changed: object) -> Path:
    """An encoder's folder with some fields of its card changed; None takes a field away."""
    by_subject().save(folder)
    value: dict[str, Any] = files.read_json(folder / "card.json")
    fields = {**value["card"], **changed}
    value["card"] = {name: field for name, field in fields.items() if field is not None}
    files.write_json(folder / "card.json", value)
    return folder


def test_a_card_without_a_way_of_storing_rows_means_whole_ones(tmp_path: Path) -> None:
    assert storage.read_card(saved(tmp_path / "old", stored=None))[0] == by_subject().card
    assert by_subject().card.stored == "float32"


def test_a_card_names_how_rows_are_stored(tmp_path: Path) -> None:
    assert storage.read_card(saved(tmp_path / "small", stored="int8"))[0].stored == "int8"


def test_an_unknown_way_of_storing_rows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="stored must be one of float32, float16, int8, got 'int4'"):
        storage.read_card(saved(tmp_path / "strange", stored="int4"))

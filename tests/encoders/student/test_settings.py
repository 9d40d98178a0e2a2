"""What a student can be set to."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core import files
from engine.core.errors import EncoderError, StorageError
from engine.encoders import storage
from engine.encoders.student.encoder import StudentEncoder
from engine.encoders.student.settings import StudentSettings
from tests.encoders.student.tiny import tiny


def test_a_folder_with_other_settings_is_refused(tmp_path: Path) -> None:
    tiny().save(tmp_path / "student")
    card = files.read_json(tmp_path / "student" / storage.CARD)
    for change, said in (
        ({"max_tokens": 63}, "found other weights"),
        ({"config": {"model_type": "no such"}}, "Expected a taught transformer in"),
    ):
        settings = {**card["facts"][storage.SETTINGS], **change}
        changed = {**card, "facts": {**card["facts"], storage.SETTINGS: settings}}
        files.write_json(tmp_path / "student" / storage.CARD, changed)
        with pytest.raises(StorageError, match=said):
            StudentEncoder.load(tmp_path / "student")
    with pytest.raises(ValueError, match="max_tokens must be at least 1, got 0"):
        StudentSettings(max_tokens=0)
    with pytest.raises(ValueError, match="stored must be one of"):
        StudentSettings(stored="int3")


def test_how_much_is_read_of_a_query_is_kept_and_bounded(tmp_path: Path) -> None:
    asking = tiny(StudentSettings(max_tokens=4, query_tokens=8))
    asking.save(tmp_path / "student")
    again = StudentEncoder.load(tmp_path / "student")
    assert again.settings == asking.settings and again.card == asking.card
    with pytest.raises(EncoderError, match=r"Expected query_tokens of at most .* got 100000"):
        asking.reading(4, query_tokens=100_000)
    with pytest.raises(ValueError, match="query_tokens must not be negative, got -1"):
        StudentSettings(query_tokens=-1)

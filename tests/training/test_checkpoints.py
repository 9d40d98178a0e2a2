"""Where a run stands, on disk."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.core import files
from engine.core.errors import StorageError
from engine.training.loop import fit
from tests.training.line import EPOCHS, Line, around


def test_a_damaged_checkpoint_is_told(tmp_path: Path) -> None:
    fit(Line(), EPOCHS, around(tmp_path))
    path = tmp_path / "checkpoint" / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-4] + b"\0\0\0\1")
    with pytest.raises(StorageError, match="damaged"):
        fit(Line(), EPOCHS, around(tmp_path))
    files.write_json(tmp_path / "checkpoint" / "state.json", {"standing": {"epoch": 1}})
    with pytest.raises(StorageError, match=r"Expected a checkpoint in .*, found another file: .*\. Train again\."):
        fit(Line(), EPOCHS, around(tmp_path))


def test_another_models_checkpoint_is_refused(tmp_path: Path) -> None:
    fit(Line(), EPOCHS, around(tmp_path))
    state = json.loads((tmp_path / "checkpoint" / "state.json").read_text())
    arrays = {"weight": np.zeros((1, 3), np.float32), "bias": np.zeros(1, np.float32)}
    state["sha256"]["model.safetensors"] = files.write_arrays(tmp_path / "checkpoint" / "model.safetensors", arrays)
    files.write_json(tmp_path / "checkpoint" / "state.json", state)
    with pytest.raises(StorageError, match=r"Expected weights of the shapes .*\(1, 2\).*, found .*\(1, 3\)"):
        fit(Line(), EPOCHS, around(tmp_path))

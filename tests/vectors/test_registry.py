"""A folder is opened by the kind of index that can read it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import VectorIndexError
from engine.vectors.registry import open_index


def test_exact_and_embedded_open_the_same_folder(tmp_path: Path) -> None:
    first = open_index(tmp_path / "i", fingerprint="f", dim=3, kind="exact")
    first.add(["a", "b"], np.eye(2, 3, dtype=np.float32))
    first.flush()
    second = open_index(tmp_path / "i", fingerprint="f", dim=3, kind="embedded")
    assert list(second.ids) == ["a", "b"]


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VectorIndexError, match="among exact, embedded, binary, sparse, got 'fast'"):
        open_index(tmp_path / "i", fingerprint="f", dim=3, kind="fast")  # type: ignore[arg-type]

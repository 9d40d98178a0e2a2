"""A folder is opened by the kind of index that can read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import VectorIndexError
from engine.vectors.registry import open_index


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VectorIndexError, match="among embedded, binary, sparse, got 'fast'"):
        open_index(tmp_path / "i", fingerprint="f", dim=3, kind="fast")  # type: ignore[arg-type]

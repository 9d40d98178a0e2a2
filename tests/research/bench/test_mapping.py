"""What is measured of a map."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import EmptyLibraryError, EvaluationError
from engine.library import Library
from engine.research.bench.mapping import measure_map
from engine.vectors import open_index
from tests.search.library import fill


def test_fits_and_placements_are_measured(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path)
    with library:
        speed = measure_map(library, encoder, index, fits=3, placements=4)
    assert (speed.documents, speed.placements, len(speed.seconds_warm_fits)) == (7, 4, 2)
    times = speed.milliseconds_to_place
    assert 0 <= times.p50 <= times.p95 <= times.max
    assert 0 <= speed.kept <= 1
    assert speed.as_json()["fingerprint"] == encoder.card.fingerprint


def test_errors_are_named(tmp_path: Path) -> None:
    library, encoder, index = fill(tmp_path / "full")
    with (
        library,
        pytest.raises(EvaluationError, match="at least 2 fits, the second of them warm, and 1 placement; got 1"),
    ):
        measure_map(library, encoder, index, fits=1)
    nothing = open_index(tmp_path / "none", fingerprint=encoder.card.fingerprint, dim=encoder.card.dim, kind="sparse")
    with Library.open(tmp_path / "empty", create=True) as empty, pytest.raises(EmptyLibraryError):
        measure_map(empty, encoder, nothing)

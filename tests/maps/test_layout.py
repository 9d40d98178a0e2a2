"""Positions in two dimensions, by UMAP and without it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from engine.documents import Hit
from engine.maps.fitting import fit
from engine.maps.model import LibraryMap
from engine.maps.placement import place
from tests.maps.made import EACH, MADE, index_of, library_of, topic_rows


def test_documents_of_a_topic_lie_together(library_map: LibraryMap) -> None:
    middles = [library_map.positions[first : first + EACH].mean(axis=0) for first in range(0, 3 * EACH, EACH)]
    nearest = np.linalg.norm(library_map.positions[:, None, :] - np.stack(middles), axis=2).argmin(axis=1)
    assert (nearest == np.repeat([0, 1, 2], EACH)).mean() > 0.95


@pytest.mark.parametrize("size", [1, 2, 3, 10, 15])
def test_a_handful_of_documents_has_a_map_without_umap(size: int, tmp_path: Path) -> None:
    index = index_of(tmp_path, topic_rows()[::8][:size])
    small = fit(index, library_of(size), encoder=MADE)
    assert np.isfinite(small.positions).all()
    assert len(np.unique(small.positions, axis=0)) == size
    assert "fewer than 16 documents" in small.notes[0]
    assert 0 <= small.kept <= 1
    assert small.counted == max(1, (size - 1) // 2)
    assert 0 <= small.trustworthiness <= 1
    assert place(small, [Hit("d0", 0.5)]).neighbours == ("d0",)


@pytest.mark.parametrize("form", [np.asarray, csr_array])
@pytest.mark.parametrize("size", [2, 3, 5, 16, 40])
def test_equal_vectors_do_not_stop_the_map(size: int, form: Callable[..., Any], tmp_path: Path) -> None:
    index = index_of(tmp_path, form(np.repeat(topic_rows()[:1], size, axis=0)))
    assert np.isfinite(fit(index, library_of(size), encoder=MADE).positions).all()

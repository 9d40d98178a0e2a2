"""Logistic regressions with shipped weights."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.search.evidence.salience import Regression


def test_weights_are_read_by_the_names_of_features_and_give_probabilities(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"long": {"weights": {"b": 2.0, "a": 1.0}, "intercept": -1.0}}))
    found = Regression.shipped(path, "long", ("a", "b"))
    rows = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert found.log_odds(rows).tolist() == [0.0, 1.0]
    assert found.p(rows).tolist() == pytest.approx([0.5, 1 / (1 + np.exp(-1))])

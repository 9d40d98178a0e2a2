from __future__ import annotations

import pytest

from engine.exports.maps.subjects import subject


@pytest.mark.parametrize(
    ("category", "expected"),
    [
        ("cs.CL", "Computing"),
        ("cond-mat.mes-hall", "Condensed matter"),
        ("hep-th", "High energy: theory"),
        ("H04L", "Patents H: electricity"),
        ("B60", "Patents B: transport, tools"),
        ("F03B 13/26", "Patents F: engines, heating"),
        ("Annealing", "Annealing"),
        ("D2", "D2"),
        ("", ""),
    ],
)
def test_a_category_falls_under_its_broad_subject(category: str, expected: str) -> None:
    assert subject(category) == expected

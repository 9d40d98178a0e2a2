"""The command that fits what nearness is called."""

from __future__ import annotations

from itertools import cycle
from typing import cast

import numpy as np

from engine.research.measures.readings import Labelled, Lists, fitted, fitted_lists, measured, measured_lists
from engine.research.nearness.asked import Answered
from engine.research.nearness.fields import Distance
from engine.search import Pair
from engine.search.readings import OTHER, SAME
from tests.research.nearness.test_fit import shown


def test_a_scale_has_all_that_the_package_keeps_and_its_errors() -> None:
    pairs = shown(600)
    labelled = Labelled(pairs, [name for _, name in zip(pairs, cycle("aaaabbbb"), strict=False)])
    scale = fitted(labelled, {"unrelated": OTHER, "duplicate": SAME})
    assert set(cast(dict[str, float], scale["ruler"])) == {"unrelated", "duplicate"}
    assert np.array(scale["weights"]).shape == (4, 6) and set(scale) == {"weights", "vocabulary", "ruler"}
    found = measured(labelled)
    assert set(found["left out"]) == {"a", "b"} and len(found["held out"]) == 5
    assert 0 < labelled.held_out.mean() < 0.5


def test_far_questions_are_refused_by_a_library_that_was_not_fitted_on() -> None:
    answered, distances = [], list[Distance]()
    for n in range(120):
        library = "abc"[n % 3]
        for asks, cosine, far in ((library, 0.6, False), ("z", 0.1, True)):
            near = (Pair(cosine + 0.001 * (n % 7), cosine / 3, cosine / 2, 100),) * 10
            answered.append(Answered(n, asks, library, "document", near, 1_000, 0.1))
            distances.append("far" if far else "own")
    lists = Lists(answered, distances)
    assert len(np.array(fitted_lists(lists)["weights"])) == 8
    for refused in measured_lists(lists).values():
        assert refused["far"] == 1 and refused["own"] <= 0.2

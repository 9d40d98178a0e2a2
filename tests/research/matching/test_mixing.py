"""Several rows' scores as one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EvaluationError
from engine.research.matching.judging import judge
from engine.research.matching.mixing import mix
from engine.research.matching.pair_set import PairSet
from engine.research.matching.scores import Scored
from tests.research.matching.small_pairs import lines, pair_set


def test_a_mix_weighs_what_tells_pairs_apart(pairs: PairSet) -> None:
    generator = np.random.default_rng(5)
    good = Scored("good", "g", pairs.related * 0.01 + generator.normal(0, 0.004, 40))
    noise = Scored("noise", "n", generator.normal(0, 100, 40))
    mixed = mix("mix(good,noise)", [good, noise], pairs)
    weights = mixed.facts["weights"]
    deviation = {one.name: one.scores[pairs.of("train")].std() for one in (good, noise)}
    assert weights["good"] * deviation["good"] > 3 * abs(weights["noise"] * deviation["noise"])
    wanted = weights["good"] * good.scores + weights["noise"] * noise.scores + mixed.facts["intercept"]
    np.testing.assert_allclose(mixed.scores, wanted)
    assert mixed.facts["fitted_on"] == "train"
    assert judge(mixed, pairs).test.accuracy > 0.8


def test_a_mix_reads_no_label_of_another_split(pairs: PairSet, tmp_path: Path) -> None:
    turned = [
        row if row.endswith("train") else row.replace("\t0\t", "\tx\t").replace("\t1\t", "\t0\t") for row in lines()
    ]
    other = pair_set(tmp_path / "other" / "small", [row.replace("\tx\t", "\t1\t") for row in turned])
    assert not np.array_equal(pairs.related, other.related)
    parts = [Scored(name, name, np.random.default_rng(seed).random(40)) for seed, name in enumerate("ab")]
    assert mix("m", parts, pairs).facts == mix("m", parts, other).facts
    assert mix("m", parts, pairs, split="valid").facts != mix("m", parts, pairs).facts


def test_a_constant_part_is_no_obstacle(pairs: PairSet) -> None:
    parts = [Scored("a", "a", pairs.related * 1.0), Scored("b", "b", np.full(40, 3.0))]
    assert np.isfinite(mix("m", parts, pairs).scores).all()


def test_a_mix_needs_both_classes_to_learn_from(tmp_path: Path) -> None:
    pairs = pair_set(tmp_path / "small", [row for row in lines() if not row.endswith("0\ttrain")])
    with pytest.raises(EvaluationError, match="related and unrelated pairs of small in the split train, got 8 and 0"):
        mix("m", [Scored("a", "a", np.zeros(len(pairs.pairs)))], pairs)

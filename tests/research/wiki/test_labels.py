"""Labels and splits: as many of each label, groups whole in one split, all by the seed."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from engine.research.wiki.labels import LabelSettings, alike, jaccard, label

GROUPS, EACH = 30, 5


def links() -> list[frozenset[int]]:
    """Thirty groups of five articles, then two articles that are similar to each other alone; all link to 0."""
    found = [
        frozenset({0, *(100 * group + member for member in range(1, 12)), 50 * 1_000 + 10 * group + number})
        for group in range(1, GROUPS + 1)
        for number in range(EACH)
    ]
    return [*found, frozenset({0, 91, 92, 93}), frozenset({0, 91, 92, 94})]


def test_related_are_of_one_group_and_unrelated_of_two_of_one_split() -> None:
    every, found = links(), label(links(), LabelSettings(most_pairs=0))
    split_of: dict[int, str] = {}
    for one in found:
        assert (jaccard(every[one.a], every[one.b]) > 0.5) == one.related == (one.a // EACH == one.b // EACH)
        for place in (one.a, one.b):
            assert split_of.setdefault(place, one.split) == one.split
    assert {place // EACH for place in split_of} <= set(range(GROUPS))  # those with one similar article are left out
    for group in range(GROUPS):
        assert len({split_of[place] for place in split_of if place // EACH == group}) <= 1
    counts = Counter((one.split, one.related) for one in found)
    assert all(counts[split, True] == counts[split, False] > 0 for split in ("train", "valid", "test"))
    articles = Counter(split_of.values())
    assert articles["train"] == 24 * EACH and articles["valid"] == articles["test"] == 3 * EACH
    assert len({(min(one.a, one.b), max(one.a, one.b)) for one in found}) == len(found)


def test_an_article_is_in_as_many_related_pairs_as_asked_for() -> None:
    held = Counter(
        place for one in label(links(), LabelSettings(most_pairs=2)) if one.related for place in (one.a, one.b)
    )
    assert max(held.values()) == 2
    every = [one for one in label(links(), LabelSettings(most_pairs=0)) if one.related]
    assert len(every) == GROUPS * EACH * (EACH - 1) // 2


def test_half_of_the_unrelated_share_a_link_where_any_do() -> None:
    apart = [one - {0} for one in links()]
    apart = [one | {7} if place < 10 * EACH else one for place, one in enumerate(apart)]
    found = [one for one in label(apart, LabelSettings()) if not one.related]
    sharing = [one for one in found if apart[one.a] & apart[one.b]]
    chance = [one for one in label([one - {7} for one in apart], LabelSettings()) if not one.related]
    assert not any(apart[one.a] & apart[one.b] - {7} for one in chance)
    assert len(sharing) > len(found) / 10


def test_all_follows_from_the_seed() -> None:
    assert label(links(), LabelSettings(seed=4)) == label(links(), LabelSettings(seed=4))
    assert label(links(), LabelSettings(seed=4)) != label(links(), LabelSettings(seed=5))


def test_without_similar_articles_or_other_groups_no_pair_is_made() -> None:
    assert label([frozenset({place}) for place in range(9)], LabelSettings()) == []
    assert label(links()[:EACH], LabelSettings()) == []


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"above": 1.0}, "above must be from 0 to below 1"),
        ({"fewest_links": 0, "seed": -1}, "fewest_links must be at least 1, got 0; seed must be 0 or more, got -1"),
        ({"most_pairs": -1}, "most_pairs must be 0 or more"),
    ],
)
def test_values_out_of_range_are_refused(values: dict[str, float], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        LabelSettings(**values)  # type: ignore[arg-type]


def some_sets(seed: int) -> list[frozenset[int]]:
    """Sets of which many are changed copies of others."""
    generator = np.random.default_rng(seed)
    found = [frozenset(generator.integers(0, 60, generator.integers(0, 14)).tolist()) for _ in range(30)]
    changed = [frozenset({*list(one)[: generator.integers(0, 15)], 61 + seed}) for one in found * 2]
    return found + changed


@pytest.mark.parametrize("above", [0.0, 0.3, 0.5, 0.75])
def test_they_are_those_of_comparing_all_with_all(above: float) -> None:
    for seed in range(4):
        sets = some_sets(seed)
        wanted = [
            (a, b)
            for a, b in combinations(range(len(sets)), 2)
            if sets[a] | sets[b] and len(sets[a] & sets[b]) / len(sets[a] | sets[b]) > above
        ]
        assert wanted and alike(sets, above=above) == wanted


def test_the_bound_itself_is_not_above_it() -> None:
    sets = [frozenset({1, 2}), frozenset({1, 2, 3, 4}), frozenset({1, 2, 3})]
    assert jaccard(sets[0], sets[1]) == 0.5 and jaccard(set(), set()) == 0
    assert alike(sets, above=0.5) == [(0, 2), (1, 2)]

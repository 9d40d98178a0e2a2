"""The ranking's values: one setting changes one thing, and the shipped ones let the encoder and the question decide."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace

import pytest

from engine.encoders import registry
from engine.search.ranking import keyword_weight, ranking_fingerprint
from engine.search.settings import SHIPPED, Blind, RankingSettings
from tests.search.library import DOCUMENTS, QUERY


def test_settings_override_what_an_encoder_has() -> None:
    passage = replace(QUERY, abstract=f"{QUERY.text} [3]", kind="query")
    settings = RankingSettings(keyword_weight=5.0, passage_weight=6.0)
    assert [keyword_weight("blend", one, settings) for one in (None, QUERY, passage)] == [5.0, 5.0, 6.0]
    assert keyword_weight("blend", passage, RankingSettings(keyword_weight=5.0)) == 1.5  # what it has for passages


def test_what_is_shipped_leaves_weights_to_the_encoders_entry() -> None:
    passage = replace(QUERY, abstract=f"{QUERY.text} [3]", kind="query")
    for name, entry in registry.ENTRIES.items():
        assert keyword_weight(name, QUERY, SHIPPED) == entry.keyword_weight
        expected = entry.keyword_weight if entry.passage_weight is None else entry.passage_weight
        assert keyword_weight(name, passage, SHIPPED) == expected


def test_the_fingerprint_knows_every_setting() -> None:
    card = registry.fit("tfidf", DOCUMENTS).card
    changed = {
        "depth": 199,
        "blind": Blind(beta=0.4),
        "citing_times": 3,
        "sharpness": 1.9,
        "stemmed": False,
        "keyword_weight": 0.5,
        "passage_weight": 0.5,
        "spread_weight": 0.5,
        "matched_weight": 0.5,
        "candidates": 400,
    }
    assert list(changed) == [field.name for field in fields(RankingSettings)]
    every = [SHIPPED, *(replace(SHIPPED, **{name: value}) for name, value in changed.items())]  # type: ignore[arg-type]
    found = {ranking_fingerprint(card, mixed=True, passages="p", settings=one) for one in every}
    assert len(found) == len(every)


def test_no_trial_changes_what_is_shipped() -> None:
    with pytest.raises(FrozenInstanceError):
        SHIPPED.depth = 3  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        SHIPPED.blind.beta = 0.0  # type: ignore[misc]
    assert RankingSettings() == SHIPPED
    assert hash(RankingSettings()) == hash(SHIPPED), "settings are a key of caches"

"""The recipes of matchers."""

from __future__ import annotations

import pytest

from engine.core.errors import ConfigError
from engine.research.matchers.recipe import MatcherRecipe, SBertRecipe
from engine.research.matchers.settings import KINDS, Kind
from engine.research.train import RECIPES


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_recipe_within_the_limit_of_words(kind: Kind) -> None:
    made = RECIPES.load(f"matcher-{kind}")
    assert isinstance(made, MatcherRecipe)
    assert (made.kind, made.data.words) == (kind, "word2vec")
    assert 1_000 <= made.network.max_words <= 2_000
    assert made.schedule.patience


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (["data.corpora=[]"], "data: corpora must name at least one corpus"),
        (["optimizer.learning_rate=0", "optimizer.batch=3"], r"learning_rate must be above 0, got 0\.0; batch must be"),
        (["optimizer.word_dropout=1"], "word_dropout must be a share from 0 to below 1"),
        (["seed=-1"], "seed must not be negative"),
        (["kind=bert"], "kind must be one of 'dssm', 'arc-i', 'han', 'smith', 's-long', got 'bert'"),
        (["network.max_words=0"], "network: max_words must be at least 1, got 0"),
    ],
)
def test_values_out_of_range_are_refused(settings: list[str], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        RECIPES.load("matcher-han", settings)


def test_s_bert_has_the_published_length_and_a_small_rate() -> None:
    made = RECIPES.load("matcher-s-bert")
    assert isinstance(made, SBertRecipe)
    assert (made.network.source, made.network.max_tokens) == ("minilm", 512)
    assert made.optimizer.learning_rate == 2e-5


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (["data.corpora=[]"], "data: corpora must name at least one corpus"),
        (["network.max_tokens=3"], "network: max_tokens must be at least 4, got 3"),
        (["seed=-1"], "seed must not be negative"),
    ],
)
def test_values_out_of_s_berts_range_are_refused(settings: list[str], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        RECIPES.load("matcher-s-bert", settings)

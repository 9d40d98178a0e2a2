"""C-DSSM's recipes: the paper's three forms, the shipped one, and values out of range."""

from __future__ import annotations

import pytest

from engine.core.errors import ConfigError
from engine.training.cdssm.recipe import CdssmRecipe
from engine.training.runs import SHIPPED


def load(name: str, *settings: str) -> CdssmRecipe:
    recipe = SHIPPED.load(name, settings)
    assert isinstance(recipe, CdssmRecipe)
    return recipe


def test_the_papers_forms_differ_in_their_towers_and_words_alone() -> None:
    forms = [load(f"cdssm-{name}") for name in ("two-towers", "trigrams", "words")]
    assert [(one.network.towers, one.network.words) for one in forms] == [
        ("two", "trigrams"),
        ("shared", "trigrams"),
        ("shared", "vectors"),
    ]
    assert len({(one.data, one.objective, one.optimizer, one.schedule, one.vectors) for one in forms}) == 1
    for one in forms:
        assert (one.network.window, one.network.channels, one.network.dim) == (3, 300, 128)
        assert not one.vectors.trained and not one.vectors.begin_letters
        assert (one.objective.word_dropout, one.schedule.decay) == (0, "constant")
        assert (one.network.padding, one.objective.asks, one.queries) == ("none", "first", one.optimizer.batch)


def test_as_before_the_first_of_a_pair_asks_two_towers_and_both_ask_one() -> None:
    one = load("cdssm-cpu")
    assert [one.both_ask, load("cdssm-cpu", "network.towers=two").both_ask] == [True, False]
    assert load("cdssm-cpu", "network.towers=two", "objective.asks=both").both_ask
    assert not load("cdssm-cpu", "objective.asks=first").both_ask


@pytest.mark.parametrize("name", ["cdssm-cpu", "cdssm-gpu"])
def test_the_shipped_form_is_a_shared_tower_on_letters(name: str) -> None:
    recipe = load(name)
    assert (recipe.network.towers, recipe.network.words, recipe.network.trigrams) == ("shared", "trigrams", 12_000)
    assert recipe.vectors.begin_letters
    assert (recipe.network.padding, recipe.queries) == ("zeros", 2 * recipe.optimizer.batch)
    assert recipe.data.corpora == ("arxiv-abstracts", "patents-citation", "acl-long", "pmc-long")
    assert recipe.data.abstracts == ("acl-long", "pmc-long")


def test_values_out_of_range_are_all_named() -> None:
    with pytest.raises(ConfigError) as caught:
        load("cdssm-cpu", "objective.gamma=0", "data.steps=0", "data.abstracts=['other']", "network.window=2")
    for part in (
        "objective: gamma must be above 0, got 0",
        "steps must be at least 1, got 0",
        "abstracts must name corpora of subjects or files, got other",
        "window must be odd",
    ):
        assert part in str(caught.value)
    with pytest.raises(ConfigError, match="subjects or files must name at least one corpus"):
        load("cdssm-cpu", "data.subjects=[]", "data.files=[]", "data.abstracts=[]")
    with pytest.raises(ConfigError, match=r"dim must be 0 or more, got -1"):
        load("cdssm-words", "vectors.dim=-1")
    with pytest.raises(ConfigError, match=r"subject_share must be from 0 to 1, got 2\.0.*word_dropout must be a share"):
        load("cdssm-cpu", "objective.word_dropout=1.0", "data.subject_share=2.0")


def test_what_is_read_and_what_is_done_with_vectors_must_fit() -> None:
    with pytest.raises(ConfigError, match=r'vectors\.trained needs network\.words = "vectors"'):
        load("cdssm-trigrams", "vectors.trained=true")
    with pytest.raises(ConfigError, match=r'seed must be 0 or more.*begin_letters needs network\.words = "trigrams"'):
        load("cdssm-words", "vectors.begin_letters=true", "seed=-1")

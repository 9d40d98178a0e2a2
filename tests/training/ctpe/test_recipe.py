"""CTPE's recipes: the paper's, the shipped form's, and values out of range."""

from __future__ import annotations

import pytest

from engine.core.errors import ConfigError
from engine.training.ctpe.recipe import CtpeRecipe
from engine.training.runs import SHIPPED


def test_the_papers_recipe_is_the_papers() -> None:
    recipe = SHIPPED.load("ctpe-paper")
    assert isinstance(recipe, CtpeRecipe)
    assert (recipe.objective.kind, recipe.objective.margin, recipe.objective.sampling) == ("margin", 0.1, "uniform")
    assert recipe.objective.word_dropout == 0
    assert (recipe.network.channels, recipe.network.train_words) == (1024, False)
    assert (recipe.optimizer.learning_rate, recipe.optimizer.batch) == (1e-3, 200)
    assert (recipe.pairs.position, recipe.pairs.max_tokens) == ("meaningful", 200)
    assert (recipe.schedule.decay, recipe.schedule.warmup) == ("constant", 0)
    assert recipe.reduction.dim == 0
    assert (recipe.related.share, recipe.network.mean_dim, recipe.pairs.similarity) == (0, 0, "coupled")


@pytest.mark.parametrize("name", ["ctpe-cpu", "ctpe-gpu"])
def test_the_shipped_form_reads_the_mean_of_words_and_related_documents(name: str) -> None:
    recipe = SHIPPED.load(name)
    assert isinstance(recipe, CtpeRecipe)
    assert (recipe.network.mean_dim, recipe.network.train_words) == (256, True)
    assert (recipe.pairs.similarity, recipe.pairs.whole_below_tokens) == ("whole", 40)
    assert (recipe.objective.kind, recipe.related.subjects) == ("softmax", ("arxiv-abstracts",))
    assert [one.corpus for one in recipe.related.files] == ["patents-citation"]
    assert (recipe.schedule.decay, recipe.schedule.warmup) == ("linear", 50)
    assert (recipe.reduction.dim, recipe.reduction.stored) == (960, "int8")


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (["data.corpora=[]"], "data: corpora must name at least one corpus"),
        (["related.files=[{corpus='z'}]"], "related must name corpora that are trained on, got z"),
        (["pairs.position=120%"], "pairs: position must be .meaningful. or a share"),
        (["pairs.max_tokens=0", "pairs.whole_below_tokens=-1"], "max_tokens must be at .*; whole_below_tokens must"),
        (["pairs.similarity=half"], "similarity must be one of 'coupled', 'whole', got 'half'"),
        (["related.share=1.5", "related.batch=1"], "share must be from 0 to 1, got 1.5; batch must be at least 2"),
        (["related.share=0.5"], "related: share needs subjects or files to draw from"),
        (["related.weight=0", "related.temperature=0"], "weight must be above 0, got 0.0; temperature must be above"),
        (["related.subject_share=-1"], "subject_share must be from 0 to 1"),
        (["reduction.kind=learnt", "reduction.dim=8", "pairs.similarity=whole"], 'needs pairs.similarity = "coupled"'),
        (["network.mean_dim=-1"], "mean_dim must be 0 or more"),
        (["network.mean_dim=4", "network.embedding=sentences"], 'mean_dim needs embedding = "words"'),
        (["network.channels=0"], "network: channels must be at least 1, got 0"),
        (["network.train_words=true", "network.embedding=sentences"], 'train_words needs embedding = "words"'),
        (["network.embedding=sentences", "objective.word_dropout=0.2"], "objective.word_dropout needs network.embed"),
        (["objective.margin=0", "objective.temperature=0"], "margin must be above 0, got 0.0; temperature must be"),
        (["objective.word_dropout=1"], "word_dropout must be a share"),
        (["pairs.part_tokens=-1"], "part_tokens must be 0 or more"),
        (["pairs.part_tokens=9", "objective.word_dropout=0.5"], "part_tokens and objective.word_dropout do not go"),
        (["places.weight=-1", "places.temperature=0"], "weight must be 0 or more, got -1.0; temperature must be"),
        (["places.max_tokens=0"], "places: max_tokens must be at least 1"),
        (["optimizer.learning_rate=0", "optimizer.batch=1"], "learning_rate must be above 0, got 0.0; batch must be"),
        (["optimizer.words_learning_rate=-1"], "words_learning_rate must be 0 or more"),
        (
            ["schedule.epochs=-1", "schedule.patience=-1"],
            "patience must be 0 or more, got -1; epochs must be 0 or more",
        ),
        (["schedule.warmup=-1", "schedule.lowest=2"], "warmup must be 0 or more, got -1; lowest must be from 0 to 1"),
        (["schedule.checkpoint_minutes=-1"], "checkpoint_minutes must be 0 or more"),
        (["reduction.kind=learnt"], 'kind = "learnt" needs a dim above 0'),
        (["reduction.dim=-1"], "dim must be 0 or more"),
        (["seed=-1"], "seed must be 0 or more"),
    ],
)
def test_values_out_of_range_are_refused(settings: list[str], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        SHIPPED.load("ctpe-paper", settings)

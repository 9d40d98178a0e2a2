"""KeyVec's recipes, and values out of their ranges."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import ConfigError
from engine.training.runs import SHIPPED
from tests.training.keyvec.small import recipe


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("data={}", "abstracts or full_texts must name at least one corpus"),
        ('data.full_texts=["ours"]', "a corpus must be of abstracts or of full texts, got ours as both"),
        ("data.most_abstracts=-1", "most_abstracts must be 0 or more"),
        ("data.held_out_one_in=1", "held_out_one_in must be 0, or 2 or more, got 1"),
        ("data.full_text_passes=0", "full_text_passes must be at least 1"),
        ("data.full_texts=[]", "objective.read needs data.full_texts"),
        ("objective.enc=0", "data.abstracts need objective.enc"),
        ("objective.dropout=1", "dropout must be a share from 0 to below 1"),
        ("objective.hidden=1", "hidden must be a share from 0 to below 1"),
        ("objective.read=-1", "read and enc must be 0 or more, got -1"),
        ("objective={read = 0.0, enc = 0.0}", "one of read and enc must be above 0"),
        ("labels.threshold=1", "threshold must be from 0 to below 1"),
        ("labels.top=0", "top must be at least 1"),
        ("words.least=0", "least must be at least 1"),
        ("words.most=0", "most must be at least 1"),
        ("keywords.vocabulary=0", "vocabulary must be at least 1"),
        ("keywords.per_document=0", "per_document must be at least 1"),
        ("network.dim=0", "dim must be at least 1"),
        ("optimizer.learning_rate=0", "learning_rate must be above 0"),
        ("optimizer.words_learning_rate=-1", "words_learning_rate must be 0 or more"),
        ("optimizer.batch=0", "batch must be at least 1"),
        ("seed=-1", "seed must be 0 or more"),
    ],
)
def test_a_recipe_out_of_its_ranges_is_refused(data: Path, setting: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        recipe(data, setting)


@pytest.mark.parametrize("name", ["cpu", "gpu", "paper", "read-only", "enc-only"])
def test_recipes_that_come_with_the_program_are_of_this_method(name: str) -> None:
    assert SHIPPED.load(f"keyvec-{name}").method == "keyvec"

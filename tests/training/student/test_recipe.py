"""The recipes of a small transformer."""

from __future__ import annotations

import pytest

from engine.core.errors import ConfigError
from engine.training.runs import SHIPPED
from engine.training.student.recipe import StudentRecipe
from tests.training.student.related import settings


def test_every_corpus_of_a_recipe_is_named_once() -> None:
    given = settings("subjects=['a', 'b']", "files=[{corpus = 'b'}, {corpus = 'c'}]", "titles=['d', 'a']")
    assert given.corpora == ("a", "b", "c", "d")


def test_every_wrong_key_is_named() -> None:
    for setting, said in (
        ("weight=-1", "weight must be 0 or more, got -1"),
        ("temperature=0", "temperature must be above 0, got 0"),
        ("batch=1", "batch must be at least 2, got 1"),
        ("subject_share=2", "subject_share must be from 0 to 1, got 2"),
        ("subject_share=-0.1", "subject_share must be from 0 to 1, got -0.1"),
        ("title_share=2", "title_share must be from 0 to 1, got 2"),
        ("title_share=-0.1", "title_share must be from 0 to 1, got -0.1"),
        ("passage_share=2", "passage_share must be from 0 to 1, got 2"),
        ("passages_most=0", "passages_most must be at least 1, got 0"),
        ("weight=1", "weight needs subjects, files, passages or titles to draw from"),
    ):
        with pytest.raises(ConfigError, match=said):
            settings(setting)


@pytest.mark.parametrize(
    "name, layers", [("student-cpu", (0, 5)), ("student-gpu", (0, 3, 5)), ("student-large-cpu", tuple(range(6)))]
)
def test_the_shipped_recipes_are_read(name: str, layers: tuple[int, ...]) -> None:
    shipped = SHIPPED.load(name)
    assert isinstance(shipped, StudentRecipe)
    assert shipped.layers == layers

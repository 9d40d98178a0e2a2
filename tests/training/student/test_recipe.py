"""The recipes of a small transformer and of an encoder of passages."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from engine.core.errors import ConfigError
from engine.encoders import registry, storage
from engine.encoders.student import OF_PASSAGES
from engine.training.runs import SHIPPED
from engine.training.student.recipe import PassagesRecipe, StudentRecipe
from tests.training.student.passages import recipe
from tests.training.student.small import settings


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


def test_every_wrong_key_of_passages_is_named(tmp_path: Path) -> None:
    for setting, said in (
        ("seed=-1", "seed must be 0 or more, got -1"),
        ("data.files=[]", "data: files must name at least one table of pairs"),
        ("data.words=0", "data: words must be at least 1, got 0"),
        ("data.each=0", "data: each must be at least 1, got 0"),
        ("reading.reads=pages", "reading: reads must be documents or passages, got 'pages'"),
        ("objective.places=-1", "objective: places must be 0 or more, got -1"),
        ("objective.steps=0", "objective: steps must be at least 1, got 0"),
        ("objective.quotes.weight=-1", "quotes: weight must be 0 or more, got -1"),
        ("objective.quotes.temperature=0", "quotes: temperature must be above 0, got 0"),
        ("objective.quotes.spans=0", "quotes: spans must be at least 1, got 0"),
        ("objective.quotes.fewest=0", "quotes: fewest must be from 1 to 6, got 0"),
        ("objective.quotes.fewest=7", "quotes: fewest must be from 1 to 6, got 7"),
        ("objective.quotes.changed=2", "quotes: changed must be from 0 to 1, got 2"),
        ("objective.quotes.dropped=-1", "quotes: dropped must be from 0 to 1, got -1"),
        ("objective.quotes.replaced=2", "quotes: replaced must be from 0 to 1, got 2"),
        ("objective.matches.weight=-1", "matches: weight must be 0 or more, got -1"),
        ("objective.matches.temperature=0", "matches: temperature must be above 0, got 0"),
    ):
        with pytest.raises(ConfigError, match=said):
            recipe(tmp_path, setting)


def test_every_corpus_is_named_once(tmp_path: Path) -> None:
    files = "[{corpus = 'b'}, {corpus = 'a'}, {corpus = 'b', pairs = 'other.tsv'}]"
    assert recipe(tmp_path, f"data.files={files}").data.corpora == ("b", "a")


def test_the_shipped_encoder_was_made_by_the_shipped_recipe() -> None:
    shipped = SHIPPED.load(OF_PASSAGES)
    assert isinstance(shipped, PassagesRecipe)
    made = storage.read_head(registry.PRETRAINED / OF_PASSAGES)[1]["facts"]["recipe"]
    ours = json.loads(json.dumps(asdict(shipped)))
    assert ours["data"].pop("words") == 200  # as long as they were before this could be chosen
    assert made == ours

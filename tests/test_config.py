"""TOML into frozen dataclasses, with every problem named at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.config import from_mapping, load_toml
from engine.errors import ConfigError


@dataclass(frozen=True)
class Optimiser:
    learning_rate: float
    steps: int = 10

    def __post_init__(self) -> None:
        if self.learning_rate <= 0:
            raise ValueError(f"learning_rate must be above 0, got {self.learning_rate}")


@dataclass(frozen=True)
class Recipe:
    name: str
    optimiser: Optimiser
    corpora: tuple[str, ...] = ()
    limit: int | None = None


def write(folder: Path, content: str) -> Path:
    path = folder / "recipe.toml"
    path.write_text(content)
    return path


def test_a_recipe_is_read_with_its_tables(tmp_path: Path) -> None:
    path = write(tmp_path, 'name = "a"\ncorpora = ["x", "y"]\n[optimiser]\nlearning_rate = 1\n')
    assert load_toml(path, Recipe) == Recipe("a", Optimiser(1.0), ("x", "y"))


def test_every_problem_is_named_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, 'corpora = "x"\nnmae = 1\n[optimiser]\nlearning_rate = "fast"\n')
    with pytest.raises(ConfigError) as caught:
        load_toml(path, Recipe)
    message = str(caught.value)
    for part in (
        "recipe.toml",
        "unknown key nmae",
        "missing key name",
        "corpora must be a list",
        "learning_rate must be",
    ):
        assert part in message


def test_a_range_is_checked_with_its_table_named() -> None:
    with pytest.raises(ConfigError, match="optimiser: learning_rate must be above 0"):
        from_mapping({"name": "a", "optimiser": {"learning_rate": -1}}, Recipe, origin="--set")


def test_a_number_is_not_a_boolean() -> None:
    with pytest.raises(ConfigError, match="limit must be int, got True"):
        from_mapping({"name": "a", "optimiser": {"learning_rate": 1}, "limit": True}, Recipe, origin="--set")


def test_a_table_must_be_a_table() -> None:
    with pytest.raises(ConfigError, match="optimiser must be a table, got 3"):
        from_mapping({"name": "a", "optimiser": 3}, Recipe, origin="--set")


def test_a_missing_file_and_bad_toml_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="Expected a TOML file"):
        load_toml(tmp_path / "none.toml", Recipe)
    with pytest.raises(ConfigError, match=r"Expected TOML in recipe\.toml"):
        load_toml(write(tmp_path, "name = "), Recipe)

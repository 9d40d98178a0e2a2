"""TOML into frozen dataclasses, with every problem named at once, and the tree of errors."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest

from engine.core import errors
from engine.core.config import from_mapping, read_toml, with_settings
from engine.core.errors import ConfigError, EngineError


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
    assert from_mapping(read_toml(path), Recipe, origin=path.name) == Recipe("a", Optimiser(1.0), ("x", "y"))


def test_every_problem_is_named_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, 'corpora = "x"\nnmae = 1\n[optimiser]\nlearning_rate = "fast"\n')
    with pytest.raises(ConfigError) as caught:
        from_mapping(read_toml(path), Recipe, origin=path.name)
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
        read_toml(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match=r"Expected TOML in recipe\.toml"):
        read_toml(write(tmp_path, "name = "))


@dataclass(frozen=True)
class Choices:
    kind: Literal["a", "b"] = "a"
    size: int | str = 1
    shares: tuple[float, ...] = ()
    tables: tuple[Optimiser, ...] = ()
    scores: dict[str, float] = field(default_factory=dict)


def test_choices_unions_lists_and_tables_are_read() -> None:
    values = {
        "kind": "b",
        "size": "large",
        "shares": [1, 0.5],
        "tables": [{"learning_rate": 1}],
        "scores": {"x": 1, "y": 0.5},
    }
    found = from_mapping(values, Choices, origin="--set")
    assert found == Choices("b", "large", (1.0, 0.5), (Optimiser(1.0),), {"x": 1.0, "y": 0.5})
    assert from_mapping({"size": 3}, Choices, origin="--set").size == 3


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"kind": "c"}, "kind must be one of 'a', 'b', got 'c'"),
        ({"size": 1.5}, "size must be int or str, got 1.5"),
        ({"shares": [1, "x"]}, r"shares\[1\] must be float, got 'x'"),
        ({"tables": [3]}, r"tables\[0\] must be a table, got 3"),
        ({"tables": [{"learning_rate": 1, "steps": "x"}]}, r"tables\[0\].steps must be int, got 'x'"),
        ({"scores": 3}, "scores must be a table, got 3"),
        ({"scores": {"x": "much"}}, "scores.x must be float, got 'much'"),
    ],
)
def test_a_value_of_another_kind_is_named(values: dict[str, object], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        from_mapping(values, Choices, origin="--set")


def test_settings_are_put_over_tables_without_changing_them() -> None:
    values = {"name": "a", "optimiser": {"learning_rate": 1.0}}
    settings = ["optimiser.learning_rate = 5e-4", "optimiser.steps=3", 'corpora=["x"]', "name=some text", "limit=7"]
    changed = with_settings(values, settings)
    assert from_mapping(changed, Recipe, origin="--set") == Recipe("some text", Optimiser(5e-4, 3), ("x",), 7)
    assert values == {"name": "a", "optimiser": {"learning_rate": 1.0}}


def test_a_setting_of_another_form_is_refused() -> None:
    for setting in ("optimiser.steps", "=3", "optimiser.=3", ".steps=3"):
        with pytest.raises(ConfigError, match=r"Expected a setting like optimizer\.learning_rate=0\.001, got"):
            with_settings({}, [setting])
    with pytest.raises(ConfigError, match=r"Expected a table before the last dot of 'name\.x'; name is a value"):
        with_settings({"name": "a"}, ["name.x=1"])


def test_tables_are_read_as_they_stand(tmp_path: Path) -> None:
    assert read_toml(write(tmp_path, "[a]\nb = 1\n")) == {"a": {"b": 1}}


def drawn() -> dict[str, str]:
    """Each error of the module's drawing, and the one that it hangs from."""
    above, found = ["EngineError"], {}
    for line in (errors.__doc__ or "").splitlines():
        if branch := re.match(r"((?:\|  |   )*)[|`]- (\w+)", line):
            depth = len(branch[1]) // 3 + 1
            found[branch[2]] = above[depth - 1]
            above[depth:] = [branch[2]]
    return found


def defined() -> list[type[EngineError]]:
    return [one for one in vars(errors).values() if isinstance(one, type) and one is not EngineError]


def test_the_drawing_is_the_tree() -> None:
    assert drawn() == {error.__name__: error.__base__.__name__ for error in defined()}
    assert drawn()["ShapeError"] == "VectorIndexError"


def test_an_error_is_ours_only() -> None:
    """An error of ours that was a ValueError, too, would be caught where nobody shows its text."""
    for error in defined():
        assert error.__mro__[-4:] == (EngineError, Exception, BaseException, object), error
        assert all(issubclass(one, EngineError) for one in error.__mro__[:-3]), error


def test_an_error_shows_the_text_that_it_was_given_and_says_what_it_is_for() -> None:
    for error in (EngineError, *defined()):
        assert str(error("Expected a file, got none.")) == "Expected a file, got none."
        assert re.fullmatch(r"[A-Z].*[.]", error.__doc__ or "", re.DOTALL), error

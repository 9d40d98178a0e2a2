"""`priorscope train` where it has no such recipe."""

from __future__ import annotations

import pytest

from engine.cli import main as command


def test_a_recipe_of_research_is_none_of_the_product(capsys: pytest.CaptureFixture[str]) -> None:
    for recipe in ("matcher-han", "glove-full"):
        assert command.main(["train", recipe, "--data", "DIR", "--out", "OUT"]) == 2
        assert f"got '{recipe}'.\n" in capsys.readouterr().err

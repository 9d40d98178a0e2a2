"""`python -m engine.research`: its list of commands, and errors in one line."""

from __future__ import annotations

import importlib

import pytest

from engine.research import __main__ as research


def test_the_commands_are_listed_with_what_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert research.main([]) == 0
    listed = dict(line.split(None, 1) for line in capsys.readouterr().out.splitlines()[2:])
    assert {"bench", "evaluate", "match", "quick", "salience", "tables", "train", "fusion", "run_files"} <= set(listed)
    assert set(listed) == set(research.commands())
    assert listed["tables"] == "The papers' tables on rebuilt data"


@pytest.mark.parametrize("name", research.commands())
def test_every_command_shows_how_it_is_used(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module = importlib.import_module(f"engine.research.{research.commands()[name]}")
    with pytest.raises(SystemExit) as exit_:
        module.main(["--help"])
    assert exit_.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: python -m engine.research {name} ")


def test_a_users_error_is_one_line_and_exit_code_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert research.main(["bake"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1
    assert captured.err.startswith("python -m engine.research: Expected a command among bench, blend_weights, ")
    assert captured.err.endswith("got 'bake'.\n")
    with pytest.raises(SystemExit) as exit_:
        research.main(["tables"])
    assert exit_.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1

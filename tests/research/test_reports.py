"""Reports and commands that the project's texts name are there."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.research import __main__ as research

PROJECT = Path(__file__).resolve().parents[2]
ROOM = PROJECT / "engine" / "research"
FROM_ROOT = re.compile(r"engine/research/(reports/[\w*-]+(?:\.\w+)?)")
LINKED = re.compile(r"\]\((reports/[\w.-]+)\)")  # in the room's own README
COMMAND = re.compile(r"python -m engine\.research (\w+)")
WRITTEN = {"reports/quick.json", "reports/key-words.json"}
"""Where commands write if nothing else is said; these reports are not kept."""
TO_RUN_AGAIN = {"colde", "student-passages"}
"""Reports and cards of a tree with changes, or of a commit that never came to be; may only grow fewer."""


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Every text of the project by its path, but for reports and the log of changes, which tell of earlier times."""
    return {path.relative_to(PROJECT).as_posix(): path.read_text("utf-8") for path in files()}


def files() -> Iterator[Path]:
    yield from (PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", PROJECT / "Makefile")
    for top in ("engine", "explorer", "tests", "pretrained", "assets"):
        for ending in ("md", "py", "toml"):
            found = (PROJECT / top).rglob(f"*.{ending}")
            yield from (path for path in found if not path.is_relative_to(ROOM / "reports"))


def test_every_report_that_is_named_exists(texts: dict[str, str]) -> None:
    named = {(path, name) for path, text in texts.items() for name in FROM_ROOT.findall(text)}
    named |= {("engine/research/README.md", name) for name in LINKED.findall(texts["engine/research/README.md"])}
    missing = sorted(f"{path}: {name}" for path, name in named if name not in WRITTEN and not list(ROOM.glob(name)))
    assert len(named) > 50 and not missing, missing


def test_every_command_that_is_named_exists(texts: dict[str, str]) -> None:
    known = {*research.commands(), "NAME", "bake"}  # any command, and none, as a test has it
    named = {(path, name) for path, text in texts.items() for name in COMMAND.findall(text)}
    unknown = sorted(f"{path}: {name}" for path, name in named if name not in known)
    assert len(named) > 50 and not unknown, unknown


def test_every_report_names_a_clean_commit_of_the_history() -> None:
    history = subprocess.run(["git", "rev-list", "HEAD"], cwd=PROJECT, capture_output=True, text=True, check=False)
    past = set(history.stdout.split())
    if len(past) < 100:
        pytest.skip("the history of the project is not at hand")
    named = {path.stem: path for path in (ROOM / "reports").glob("*.json")}
    named |= {path.parent.name: path for path in (PROJECT / "pretrained").glob("*/card.json")}
    found = {name: set(_commits(json.loads(path.read_text("utf-8")))) for name, path in named.items()}
    assert sum(map(bool, found.values())) > 100
    assert {name for name, commits in found.items() if not commits <= past} == TO_RUN_AGAIN


def test_commits_are_found_at_any_depth() -> None:
    report = {"commit": "a", "rows": [{"facts": {"commit": "b+"}}, {"commit": None}], "figures": {"commits": "c"}}
    assert list(_commits(report)) == ["a", "b+"]


def _commits(part: object) -> Iterator[str]:
    """Find every commit that a report names, at any depth."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key == "commit" and isinstance(value, str):
                yield value
            else:
                yield from _commits(value)
    elif isinstance(part, list):
        for value in part:
            yield from _commits(value)

"""Budgets of rooms."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house import budgets
from tests.house.budgets import Size


def test_every_room_keeps_to_its_budget() -> None:
    found = budgets.problems(budgets.measure_rooms(), budgets.read_budgets())
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("path", "room"),
    [
        ("engine/core/files.py", "engine/core"),
        ("engine/reading/pdf/lines.py", "engine/reading"),
        ("engine/__init__.py", "engine"),
        ("explorer/map/view.py", "explorer"),
        ("tests/house/budgets.py", "tests"),
    ],
)
def test_a_file_belongs_to_a_room(path: str, room: str) -> None:
    assert budgets.room_of(Path(path)) == room


def test_what_exceeds_a_budget_is_said() -> None:
    sizes = {"engine/core": Size(11, 2), "engine/maps": Size(5, 1), "engine/new": Size(1, 1)}
    found = budgets.problems(sizes, {"engine/core": Size(10, 2), "engine/maps": Size(5, 1), "engine/gone": Size(1, 1)})
    assert found == [
        "engine/core has 11 lines in 2 modules; its budget is 10 in 2. Take out what is said twice, or raise the "
        "budget and say what that buys.",
        "engine/gone is a budget without a room.",
        "engine/new has no budget in pyproject.toml.",
    ]


def test_lines_and_modules_are_counted(tmp_path: Path) -> None:
    (tmp_path / "engine" / "core").mkdir(parents=True)
    (tmp_path / "engine" / "core" / "files.py").write_text("a = 1\n\nb = 2\n")
    assert budgets.measure_rooms(tmp_path) == {"engine/core": Size(3, 1)}
    assert budgets.table({"engine/core": Size(3, 1)}, {"engine/core": Size(4, 1)}).splitlines()[1].split() == [
        "engine/core",
        *"3 4 1 1".split(),
    ]

"""The budget of each room, `python -m tests.house.budgets`: its lines and modules against those of pyproject.toml.

A budget falls with every clean-up. A feature raises it in the change that brings it, by what it needs, after what it
lets go; the change says what that buys. Checks, error sentences and docstrings are never cut to fit.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is to read in a room: lines of Python, blank ones too, and modules."""

    lines: int
    modules: int

    def exceeds(self, budget: Size) -> bool:
        """Whether there are more lines or more modules than a budget allows."""
        return self.lines > budget.lines or self.modules > budget.modules


def room_of(path: Path) -> str:
    """Return the room of a Python file, given by its path from the project's root: a folder of the engine, or a top."""
    top, *rest = path.parts
    return f"engine/{rest[0]}" if top == "engine" and len(rest) > 1 else top


def measure_rooms(project: Path = PROJECT) -> dict[str, Size]:
    """Return the size of each room."""
    lines: Counter[str] = Counter()
    modules: Counter[str] = Counter()
    for top in ("engine", "explorer", "tests"):
        for path in sorted((project / top).rglob("*.py")):
            room = room_of(path.relative_to(project))
            lines[room] += path.read_text("utf-8").count("\n")
            modules[room] += 1
    return {room: Size(lines[room], modules[room]) for room in modules}


def read_budgets(project: Path = PROJECT) -> dict[str, Size]:
    """Return the budget of each room, from `tool.priorscope.budgets`."""
    settings = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))
    return {room: Size(**budget) for room, budget in settings["tool"]["priorscope"]["budgets"].items()}


def problems(sizes: dict[str, Size], budgets: dict[str, Size]) -> list[str]:
    """Return a sentence for each room that exceeds its budget or has none."""
    found = [f"{room} has no budget in pyproject.toml." for room in sizes.keys() - budgets.keys()]
    found += [f"{room} is a budget without a room." for room in budgets.keys() - sizes.keys()]
    for room in sizes.keys() & budgets.keys():
        size, budget = sizes[room], budgets[room]
        if size.exceeds(budget):
            found.append(
                f"{room} has {size.lines:,} lines in {size.modules} modules; its budget is {budget.lines:,} in "
                f"{budget.modules}. Take out what is said twice, or raise the budget and say what that buys."
            )
    return sorted(found)


def table(sizes: dict[str, Size], budgets: dict[str, Size]) -> str:
    """Return the rooms as a table of text: lines and modules, each beside what may be."""
    head = f"{'room':<20}{'lines':>9}{'budget':>9}{'modules':>9}{'budget':>8}"
    rows = [
        f"{room:<20}{size.lines:>9,}{budgets.get(room, size).lines:>9,}{size.modules:>9}"
        f"{budgets.get(room, size).modules:>8}"
        for room, size in sorted(sizes.items())
    ]
    return "\n".join([head, *rows])


def main() -> int:
    """Print the table, and what is wrong; returns 1 where anything is."""
    sizes, budgets = measure_rooms(), read_budgets()
    print(table(sizes, budgets))
    found = problems(sizes, budgets)
    print("\n".join(found), end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())

"""How long an import still takes, by the pace of each kind of file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from engine.workspace.pace import Pace

RATES = {".bib": 1e-6, ".pdf": 4e-6, ".csv": 5e-7}
"""Seconds a byte."""


class _Clock:
    """Seconds as a test says them."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def files(folder: Path, sizes: Iterable[tuple[str, int]]) -> list[Path]:
    """Files of these names and sizes, sparse."""
    made = []
    for name, size in sizes:
        with (folder / name).open("wb") as file:
            file.truncate(size)
        made.append(folder / name)
    return made


def estimates(paths: list[Path], steps: int = 20) -> list[tuple[float, float]]:
    """Each estimate with the truth, where files take as long as their kind does; tables tell how far they are."""
    clock = _Clock()
    pace = Pace(paths, clock)
    total = sum(path.stat().st_size * RATES[path.suffix] for path in paths)
    found = []
    for path in paths:
        pace.begin(path)
        whole = path.stat().st_size * RATES[path.suffix]
        for step in range(1, steps + 1):
            clock.now += whole / steps
            if path.suffix != ".pdf":
                pace.within(step / steps)
            if step < steps and (left := pace.seconds_left()) is not None:
                found.append((left, total - clock.now))
        pace.end(known=False)
        if (left := pace.seconds_left()) is not None:
            found.append((left, total - clock.now))
    return found


@pytest.mark.parametrize(
    "sizes",
    [
        [("large.bib", 60_000_000), *((f"{n}.bib", 20_000) for n in range(300))],
        [*((f"{n}.bib", 20_000) for n in range(300)), ("large.bib", 60_000_000)],
        [*((f"{n}.pdf", 300_000 + 10_000 * (n % 7)) for n in range(60)), ("large.csv", 90_000_000)],
        [("large.csv", 90_000_000), *((f"{n}.pdf", 300_000 + 10_000 * (n % 7)) for n in range(60))],
        [("one.bib", 90_000_000)],
        [*((f"{n}.pdf", 500_000) for n in range(40))],
    ],
)
def test_an_estimate_is_within_a_third_of_the_truth(tmp_path: Path, sizes: list[tuple[str, int]]) -> None:
    found = estimates(files(tmp_path, sizes))
    assert len(found) > 10
    wrong = [one for one in found if one[1] > 1 and not 0.67 * one[1] <= one[0] <= 1.34 * one[1]]
    assert wrong == []


def test_nothing_is_said_while_the_largest_may_still_come(tmp_path: Path) -> None:
    sizes = [*((f"{n}.bib", 2_000_000) for n in range(10)), ("book.pdf", 60_000_000)]
    clock = _Clock()
    paths = files(tmp_path, sizes)
    pace = Pace(paths, clock)
    for path in paths[:-1]:
        pace.begin(path)
        clock.now += 2.0
        pace.end(known=False)
        assert pace.seconds_left() is None


def test_files_that_were_held_already_say_nothing_of_others(tmp_path: Path) -> None:
    clock = _Clock()
    paths = files(tmp_path, [(f"{n}.pdf", 500_000) for n in range(20)])
    pace = Pace(paths, clock)
    for number, path in enumerate(paths[:16]):
        pace.begin(path)
        clock.now += 2.0 if number % 2 else 0.0
        pace.end(known=number % 2 == 0)
    assert pace.seconds_left() == pytest.approx(8.0)
    for path in paths[16:]:
        pace.begin(path)
        clock.now += 2.0
        pace.end(known=False)
    assert pace.seconds_left() == 0.0


def test_a_file_that_is_gone_has_no_size(tmp_path: Path) -> None:
    assert Pace([tmp_path / "gone.pdf"]).seconds_left() is None

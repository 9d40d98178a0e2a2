"""How often Python looks for dead objects."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator

import pytest

from engine.core.garbage import NEW_OBJECTS, collect_seldom


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_cycles_are_looked_for_seldom_and_still_found() -> None:
    gc.set_threshold(700, 10, 10)
    collect_seldom()
    assert gc.get_threshold() == (NEW_OBJECTS, 10, 10)
    assert gc.isenabled()


def test_nothing_is_looked_for_at_the_end() -> None:
    code = (
        "import atexit, gc; from engine.core.garbage import collect_seldom; "
        "atexit.register(lambda: print(gc.get_freeze_count() > 0)); collect_seldom()"
    )  # the first that is registered comes last
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["True"]

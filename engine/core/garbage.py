"""Keeps Python from looking for dead objects too often: programs keep most of what they make."""

from __future__ import annotations

import atexit
import gc

NEW_OBJECTS = 50_000
"""How many new objects Python makes before it looks for cycles among them, by itself 700. It then goes through all that
is alive every so often, and most of a program's modules are alive.
"""


def collect_seldom() -> None:
    """Make the whole process look for cycles of dead objects seldom, and not at its end, when all memory goes."""
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
    atexit.register(gc.freeze)

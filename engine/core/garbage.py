"""Keeps Python from looking for dead objects too often: programs keep most of what they make."""

from __future__ import annotations

import atexit
import gc

NEW_OBJECTS = 50_000
"""How many new objects Python makes before it looks for cycles among them, by itself 700. It then goes through all that
is alive every so often, and most of a program's modules are alive.
"""


def collect_seldom() -> None:
    """Look for cycles of dead objects seldom from now on, in the whole process, and not at its end, when all goes."""
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
    atexit.register(gc.freeze)

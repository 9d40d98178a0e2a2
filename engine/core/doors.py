"""Doors: what a room offers to others is named once, in its `__init__`, and loaded when it is first asked for.

A room's `__init__` imports what it offers under `if TYPE_CHECKING`, where type checkers see it, and calls `door`. So
`import engine.maps` costs nothing, and `engine.maps.fit` loads the module that defines it.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any


def door(room: str) -> Callable[[str], Any]:
    """Return a room's `__getattr__`, which loads a name from the module that the room's `__init__` imports it from.

    Nothing is kept on the room itself: what a module holds is what its door shows. Raises AttributeError for a name
    that the room does not offer.
    """

    def load(name: str) -> Any:  # noqa: ANN401 - a door offers names of any kind
        home = _homes(room).get(name)
        if home is None:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        return getattr(importlib.import_module(home), name)

    return load


@lru_cache(maxsize=64)
def _homes(room: str) -> Mapping[str, str]:
    """Return the module of each name that a room's `__init__` imports under `if TYPE_CHECKING`."""
    tree = ast.parse(Path(str(sys.modules[room].__file__)).read_text("utf-8"))
    blocks = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    imports = [node for block in blocks for node in block.body if isinstance(node, ast.ImportFrom)]
    return {name.name: str(node.module) for node in imports for name in node.names}

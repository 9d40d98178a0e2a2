"""Where a person's library lies when they name no folder."""

from __future__ import annotations

import os
from pathlib import Path

LIBRARY_VARIABLE = "PRIORSCOPE_LIBRARY"


def default_library() -> Path:
    """The default library: $PRIORSCOPE_LIBRARY, or a folder in the person's home."""
    named = os.environ.get(LIBRARY_VARIABLE)
    return Path(named).expanduser() if named else Path.home() / ".priorscope" / "library"

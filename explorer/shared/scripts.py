"""The scripts of a browser widget, as the single text that Streamlit takes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

_SHARED = Path(__file__).resolve().parent


def joined(folder: Path, names: Iterable[str], *, shared: Iterable[str] = ()) -> str:
    """The scripts of a folder after what keeps a widget's view between Streamlit's calls, and other `shared` ones."""
    paths = (*(_SHARED / name for name in ("kept.js", *shared)), *(folder / name for name in names))
    return "\n".join(path.read_text("utf-8") for path in paths)

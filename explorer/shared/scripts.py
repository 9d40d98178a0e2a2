"""The scripts of a browser widget, as the single text that Streamlit takes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

_KEPT = Path(__file__).resolve().parent / "kept.js"


def joined(folder: Path, names: Iterable[str]) -> str:
    """The scripts of a folder after what keeps a widget's view between Streamlit's calls."""
    return "\n".join(path.read_text("utf-8") for path in (_KEPT, *(folder / name for name in names)))

"""What a door keeps its object under, and how often things were forgotten, which is a part of it.

What opens while its door is cleared is kept there afterwards, older than it should be. Under the number that was
read before it opened, nobody asks for it again.
"""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import streamlit as st

Forgotten = Literal["library", "made"]
"""The library itself, which was deleted, moved or replaced; or what was made from it: vectors, maps, searchers."""


@dataclass(frozen=True, slots=True)
class Key:
    """An encoder, and the state of the library that it stands for."""

    folder: Path
    name: str
    generation: int
    documents: int
    version: int

    @property
    def timed(self) -> tuple[Path, str, int]:
        """The key of how long reading takes, which is not forgotten."""
        return self.folder, self.name, self.documents


@dataclass(slots=True)
class _Numbers:
    counts: Counter[Forgotten] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)


def number(what: Forgotten) -> int:
    """How often it was forgotten; a key reads this before it counts documents, and before anything opens."""
    return _numbers().counts[what]


def forget(what: Forgotten) -> None:
    """Raise its number: from now on it is opened anew."""
    numbers = _numbers()
    with numbers.lock:
        numbers.counts[what] += 1


@st.cache_resource(show_spinner=False)
def _numbers() -> _Numbers:
    return _Numbers()

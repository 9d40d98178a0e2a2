"""How an encoder that a larger one taught reads a document; costs no torch to import."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from engine.rows import Precision


@dataclass(frozen=True, slots=True)
class TaughtSettings:
    """How many tokens of a document are read, and how an index keeps its rows: `stored` is a Precision."""

    max_tokens: int
    stored: str = "int8"

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        if self.max_tokens < 1:
            raise ValueError(f"max_tokens must be at least 1, got {self.max_tokens}")
        if self.stored not in get_args(Precision):
            raise ValueError(f"stored must be one of {', '.join(get_args(Precision))}, got {self.stored!r}")

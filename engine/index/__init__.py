"""Where vectors are kept and searched: ids and rows only, no documents."""

from engine.index.base import VectorIndex
from engine.index.choice import IndexChoice
from engine.index.registry import IndexKind, open_index

__all__ = ["IndexChoice", "IndexKind", "VectorIndex", "open_index"]

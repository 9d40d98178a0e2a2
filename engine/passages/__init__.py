"""A library's passages: cut, encoded, kept, searched."""

from engine.passages.cutting import cut
from engine.passages.segments import ReadDocument
from engine.passages.store import PassageStore
from engine.passages.view import PassageView, Place

__all__ = ["PassageStore", "PassageView", "Place", "ReadDocument", "cut"]

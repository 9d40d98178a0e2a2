"""The rankings that can be measured: their names, which are quick here, and how long the others take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.evaluation import read_quality
from explorer.shared import encoder_facts
from explorer.state import handles
from explorer.state.encoder_names import short, spoken

if TYPE_CHECKING:
    from collections.abc import Iterable

_SPOKEN = {
    "bm25": "BM25: words as they are written",
    "bm25-stems": "BM25: words in all their forms",
    "keywords": "Keywords: as a search matches them",
    "default": "Default search ranking",
}
BM25, DEFAULT = "bm25", "default"
BY_WORDS = (BM25, "bm25-stems", "keywords")


def search_rows() -> tuple[str, ...]:
    """The rankings that a search offers: words and the default first, then the encoders."""
    from engine import encoders

    return (*BY_WORDS, DEFAULT, *encoders.search_names())


def quick_rows(*, in_library: bool) -> tuple[str, ...]:
    """The rows ticked by default: BM25, the default, and the encoders that have read the library."""
    from engine import encoders

    ready = [name for name in encoders.search_names() if in_library and encoder_facts.has_vectors(name)]
    return (BM25, DEFAULT, *(ready or [encoders.DEFAULT]))


def spoken_row(row: str) -> str:
    """A row's name for people."""
    return _SPOKEN.get(row) or spoken(row)


def short_row(row: str) -> str:
    """The beginning of its name, for sentences and narrow places."""
    return {DEFAULT: "Default", "bm25-stems": "BM25, all forms"}.get(row) or (
        _SPOKEN[row].partition(":")[0] if row in _SPOKEN else short(row)
    )


def unread(rows: Iterable[str]) -> tuple[str, ...]:
    """The encoders of rows that would have to read the library first."""
    names = dict.fromkeys(_encoder(row) for row in rows)
    return tuple(name for name in names if _is_searched_by(name) and not encoder_facts.has_vectors(name))


def reading_seconds(row: str, documents: int, *, in_library: bool) -> float | None:
    """How long a row needs before it can rank; None if unknown.

    For the encoders that a search offers it was measured on this library and machine; for other rows, and for a
    visitor's documents, it follows from measured rates.
    """
    name = _encoder(row)
    if row in BY_WORDS or (in_library and _is_searched_by(name) and encoder_facts.has_vectors(name)):
        return 0.0
    if in_library and _is_searched_by(name):
        return handles.reading_seconds(name) or None
    rate = read_quality().documents_per_second.get(name)
    return documents / rate if rate else None


def _encoder(row: str) -> str:
    from engine import encoders

    return encoders.DEFAULT if row == DEFAULT else row


def _is_searched_by(name: str) -> bool:
    from engine import encoders

    return name in encoders.search_names()

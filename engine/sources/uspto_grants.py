"""US patents as the Patent Office grants them: one file of its XML each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.documents import Document
from engine.reading import read_bytes


def parse(files: Iterable[bytes]) -> Iterator[Document]:
    """Yield the patent of each file. Raises what `read_bytes` raises."""
    return (read_bytes(data, "patent.xml").document for data in files)

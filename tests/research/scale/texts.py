"""Real texts of two dozen papers, which a large library is made of in tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine import encoders
from engine.documents import Document, Section
from engine.library import Library
from engine.research.scale.real import RealTexts
from engine.vectors import PassageView, ReadPassages, open_index
from tests.search.hashed_words import HashedWords, paper

CARD = replace(encoders.find(encoders.DEFAULT).card, dim=16, fingerprint="f" * 16, stored="float32")


def written(name: str, *, body: int) -> Document:
    """A paper with words of its own: of some eighty words, or of over a thousand."""
    held = paper(name, body=body)
    words = [f"{name}{place % 7}" if place % 5 == 0 else word for place, word in enumerate(held.abstract.split())]
    sections = tuple(Section(one.title, one.text, "body") for one in held.sections)
    return replace(held, abstract=" ".join(words), sections=sections, year=2000, authors=("Ada Gale", "Bo Rask"))


@pytest.fixture
def texts(tmp_path: Path) -> Iterator[RealTexts]:
    """Twelve short papers and twelve long ones, all with a row and passages."""
    lengths = [("short", 0)] * 12 + [("long", 120)] * 12
    documents = [written(f"{name}-{number}", body=body) for number, (name, body) in enumerate(lengths)]
    ids, reader = [one.id for one in documents], HashedWords()
    index = open_index(tmp_path / "rows", fingerprint=CARD.fingerprint, dim=CARD.dim, kind="embedded")
    drawn = np.random.default_rng(0).normal(size=(len(ids), CARD.dim))
    index.add(ids, (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32))
    cut = [(one, reader.cut(one)) for one in documents]
    read = [ReadPassages(one.id, passages, reader.encode([(one, passages)])) for one, passages in cut]
    with Library.open(tmp_path / "real", create=True) as library:
        library.add_file("real", "real", documents)
        yield RealTexts(library, index, PassageView.in_memory(read, reader.dim), ids, ids[:2])

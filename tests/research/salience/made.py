"""Bodies and documents of our own, with sentences that are said about them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.documents import Document, Section
from engine.encoders.keyvec import Salience
from engine.research.salience.texts import Body, SentenceWords

FILLER = (
    "Weather was cold in the north that winter.",
    "Several carts of coal arrived by rail.",
    "Workmen painted the fence beside the yard.",
    "Letters were answered on Thursday morning.",
)
KEY = ("The governor keeps the speed of an engine steady.", "A heavy flywheel stores energy between strokes.")


def paper(name: str = "p", *, year: int | None = None, more: str = "") -> Document:
    """A paper whose third and eighth sentence carry it; `more` is added to the end."""
    first = " ".join((FILLER[0], FILLER[1], KEY[0], FILLER[2]))
    second = " ".join((FILLER[3], "42.", "Coal was dear.", KEY[1], "Rain fell."))
    sections = (Section("Introduction", first), Section("Method", f"{second} {more}".strip()))
    abstract = "We show how a governor keeps an engine at a steady speed. Its flywheel stores energy."
    references = Section("References", "Governor, A. 1990. On the flywheel.", "references")
    return Document(id=name, title="On engines", abstract=abstract, sections=(*sections, references), year=year)


class Reader:
    """Says that sentences with a word are salient, and leaves out one, as an encoder does without a known word."""

    def __init__(self, word: str, *, ignores: str = "Rain") -> None:
        self.word, self.ignores = word, ignores

    def salience(self, documents: Sequence[Document]) -> list[Salience]:
        found = []
        for document in documents:
            assert not document.abstract
            kept = tuple(chunk for chunk in Body.of(document).sentences if self.ignores not in chunk.text)
            p = np.array([0.9 if self.word in chunk.text else 0.1 for chunk in kept], np.float32)
            found.append(Salience(kept, p, ()))
        return found


BODY = Body.of(paper())
WORDS = SentenceWords.of([*BODY.texts, *BODY.abstract])

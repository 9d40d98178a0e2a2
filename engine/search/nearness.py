"""How near the documents found are: a word for each, and a verdict on the whole list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.core.rows import DenseRows, Rows
from engine.documents import Document
from engine.library import Library
from engine.search import readings
from engine.search.evidence.nearness import PairReader
from engine.search.evidence.unknown import is_gibberish, unknown_terms
from engine.search.evidence.vocabulary import Vocabulary
from engine.search.readings import NEAREST, Among, Pair, Reading, Verdict

CANDIDATES = 60
"""How many of the first documents of a list are looked at for the ten nearest."""

_AGREE = 0.6  # of the nearest documents have a category or venue in common


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks, each document with its row by `student` (n, dim): the question, or the liked documents."""

    documents: Sequence[Document]
    rows: DenseRows
    is_question: bool


class HitReader:
    """Reads what a search found in a library; `vocabulary` are the library's words as they are now."""

    def __init__(self, library: Library, reader: PairReader, vocabulary: Vocabulary) -> None:
        """Read with rows from the library's index where the encoder has them."""
        self._library, self._reader, self._vocabulary = library, reader, vocabulary

    def gibberish(self, document: Document) -> Verdict | None:
        """The verdict on a question whose words are none; None for any other."""
        if not is_gibberish(document.text, self._vocabulary):
            return None
        return readings.gibberish(unknown_terms(document.text, self._vocabulary)[0])

    def asking(self, query: Document | None, liked: Sequence[Document], row: Rows | None) -> Asking:
        """Who asks; `row` (1, dim) is the question's by the library's encoder where nothing moved it."""
        if query is None:
            return Asking(liked, self._reader.rows(liked), is_question=False)
        return Asking([query], self._reader.question_row(query, row), is_question=True)

    def read(self, asking: Asking, documents: Sequence[Document]) -> list[Reading]:
        """A reading for each document, with the nearest of those that ask."""
        return [readings.read_pair(one) for one in self._pairs(asking, documents)]

    def verdict(
        self,
        asking: Asking,
        candidates: Sequence[str],
        shown: Sequence[Document],
        among: Among | None = None,
        *,
        quoted: bool = False,
    ) -> Verdict:
        """Whether anything is near, from the nearest of some candidates; `quoted` where a passage says the question.

        `among` says what was searched where that is not the whole library. Where the candidates' rows by `student` are
        not at hand, the documents shown are read.
        """
        nearest, rows = list(shown[:NEAREST]), self._reader.kept_rows(candidates)
        if rows is not None:
            best = np.argsort(-(rows @ asking.rows.T).max(axis=1), kind="stable")[:NEAREST]
            nearest = self._library.get([candidates[place] for place in best])
        text = asking.documents[0].text if asking.is_question else ""
        unknown, telling = unknown_terms(text, self._vocabulary)
        return readings.verdict(
            self._pairs(asking, nearest),
            replace(among or Among(self._vocabulary.documents), field=common_field(nearest)),
            unknown=unknown,
            telling=telling,
            quoted=quoted,
        )

    def _pairs(self, asking: Asking, documents: Sequence[Document]) -> list[Pair]:
        asked = [self._reader.pairs(one, asking.rows[[place]], documents) for place, one in enumerate(asking.documents)]
        return [max(each, key=lambda pair: pair.cosine) for each in zip(*asked, strict=True)]


def common_field(documents: Sequence[Document]) -> str:
    """What most of some documents have in common: a category, such as "category cs.CL", or a venue; else empty."""
    categories = Counter(name for one in documents for name in set(one.categories))
    venues = Counter(one.venue for one in documents if one.venue)
    for called, counts in (("category", categories), ("venue", venues)):
        name, count = max(counts.items(), key=lambda item: item[1], default=("", 0))
        if count and count >= _AGREE * len(documents):
            return f"{called} {name}"
    return ""

"""Explains a list of hits: prepares the texts, keeps those of the library, and gathers the evidence."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from engine.documents import Document
from engine.encoders.base import Encoder
from engine.evidence.base import Evidence
from engine.evidence.passages import best_pairs
from engine.evidence.sentences import Prepared, prepare
from engine.evidence.terms import shared_terms
from engine.evidence.vocabulary import Vocabulary


class Explainer:
    """Says why documents are near a query; may be called from several threads."""

    def __init__(self, encoder: Encoder, vocabulary: Vocabulary, *, max_cached: int = 256) -> None:
        """Keep the prepared text of the `max_cached` documents that were explained last."""
        self._encoder = encoder
        self._vocabulary = vocabulary
        self._max_cached = max_cached
        self._cache: OrderedDict[str, Prepared] = OrderedDict()
        self._lock = threading.Lock()

    def explain(self, query: Document, documents: Sequence[Document]) -> list[Evidence]:
        """The evidence for each document, in their order; a side without words gives empty evidence."""
        ours = prepare(query, self._vocabulary)
        theirs = [self._prepared(document) for document in documents]
        pairs = best_pairs(ours, theirs, encoder=self._encoder, vocabulary=self._vocabulary)
        return [
            Evidence(shared_terms(ours, prepared, self._vocabulary), pair)
            for prepared, pair in zip(theirs, pairs, strict=True)
        ]

    def _prepared(self, document: Document) -> Prepared:
        """Prepare a document, or take it from the cache where its text has not changed since."""
        with self._lock:
            held = self._cache.get(document.id)
            if held is not None and held.document == document:
                self._cache.move_to_end(document.id)
                return held
        made = prepare(document, self._vocabulary)
        with self._lock:
            self._cache[document.id] = made
            while len(self._cache) > self._max_cached:
                self._cache.popitem(last=False)
        return made

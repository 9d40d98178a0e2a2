"""Why documents are near a query: prepares the texts, keeps those of the library, and gathers the evidence."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from engine.documents import Document
from engine.encoders import registry
from engine.encoders.base import Coupling, Encoder
from engine.evidence.passages import Best, PassagePair, best_pairs
from engine.evidence.sentences import Prepared, prepare
from engine.evidence.terms import Term, shared_terms
from engine.evidence.vocabulary import Vocabulary

BY_WORDS = "word2vec-sif"
"""What compares sentences for an encoder that needs whole documents.

On 22 pairs of the sample library, a CTPE trained for one epoch (a sentence as both halves) and these word vectors chose
the same passages nine times. Of the others, the word vectors' passages were better six times, the network's twice, and
neither's five times. Word vectors also cost a search next to nothing, where the network would read some 5,000 tokens
more.
"""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a document is near a query; terms by weight, strongest first.

    `passage` is the best pair of sentences; `passages` are the best pairs of whole passages, the nearest first, empty
    until the library's passages were read. `couplings` say which part of the query met which part of the document, the
    nearest first; none where the encoder compares documents as wholes.
    """

    terms: tuple[Term, ...] = ()
    passage: PassagePair | None = None
    couplings: tuple[Coupling, ...] = ()
    passages: tuple[PassagePair, ...] = ()


def owned(part: str, owner: str) -> str:
    """A part of a document by whose it is: "your title", "the rest of their text"."""
    if " of the " in part:
        return f"the {part.replace(' of the ', f' of {owner} ', 1)}"
    return f"the {part} of {owner} text" if part == "rest" or part.endswith("%") else f"{owner} {part}"


class Explainer:
    """Says why documents are near a query; may be called from several threads."""

    def __init__(self, encoder: Encoder, vocabulary: Vocabulary, *, max_cached: int = 256) -> None:
        """Keep the prepared text of the last `max_cached` documents explained."""
        self._encoder = encoder
        self._sentences = encoder if encoder.reads_sentences else registry.load(BY_WORDS)
        self._vocabulary = vocabulary
        self._max_cached = max_cached
        self._cache: OrderedDict[str, Prepared] = OrderedDict()
        self._lock = threading.Lock()

    def explain(self, query: Document, documents: Sequence[Document]) -> list[Evidence]:
        """The evidence for each document, in their order; empty where either text has no words."""
        return self.explain_by_nearest([query], documents)

    def explain_by_nearest(self, queries: Sequence[Document], documents: Sequence[Document]) -> list[Evidence]:
        """The evidence for each document, against the query with the best pair of passages."""
        ours = [prepare(query, self._vocabulary) for query in queries]
        theirs = [self._prepared(document) for document in documents]
        best = best_pairs(ours, theirs, encoder=self._sentences, vocabulary=self._vocabulary)
        couplings = self._couplings(queries, documents, best)
        return [
            Evidence(shared_terms(ours[found.query], prepared, self._vocabulary), found.pair, met)
            for prepared, found, met in zip(theirs, best, couplings, strict=True)
        ]

    def _couplings(
        self, queries: Sequence[Document], documents: Sequence[Document], best: Sequence[Best]
    ) -> list[tuple[Coupling, ...]]:
        """Which parts of each document and its chosen query met: one call for each chosen query."""
        met: list[tuple[Coupling, ...]] = [()] * len(documents)
        for number, query in enumerate(queries):
            places = [place for place, found in enumerate(best) if found.query == number]
            if places:
                found = self._encoder.couplings(query, [documents[place] for place in places])
                for place, couplings in zip(places, found, strict=True):
                    met[place] = couplings
        return met

    def _prepared(self, document: Document) -> Prepared:
        """Prepare a document, or take it from the cache if its text has not changed."""
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

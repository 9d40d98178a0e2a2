"""Why documents are near a query: prepares the texts, keeps those of the library, and gathers the evidence."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.documents import Chunk, Document
from engine.encoders import Coupling, Encoder
from engine.search.evidence.nearness import Quoted, TellingWords, quoted, sentence_words
from engine.search.evidence.passages import PassagePair, best_pairs
from engine.search.evidence.sentences import Prepared, extended, prepare
from engine.search.evidence.terms import Term, shared_terms
from engine.search.evidence.vocabulary import Vocabulary
from engine.vectors import VectorIndex


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a document is near a query; terms by weight, strongest first.

    `passage` is the best pair of sentences; `passages` are the best pairs of whole passages, the nearest first, empty
    until the library's passages were read, and `quoted` is known where one of them says most of the query. `couplings`
    say which part of the query met which part of the document, the nearest first; none where the encoder compares
    documents as wholes.
    """

    terms: tuple[Term, ...] = ()
    passage: PassagePair | None = None
    couplings: tuple[Coupling, ...] = ()
    passages: tuple[PassagePair, ...] = ()
    quoted: Quoted | None = None


def owned(part: str, owner: str) -> str:
    """A part of a document by whose it is: "your title", "the rest of their text"."""
    if " of the " in part:
        return f"the {part.replace(' of the ', f' of {owner} ', 1)}"
    return f"the {part} of {owner} text" if part == "rest" or part.endswith("%") else f"{owner} {part}"


class Explainer:
    """Says why documents are near a query; may be called from several threads."""

    def __init__(
        self, encoder: Encoder, vocabulary: Vocabulary, index: VectorIndex | None = None, *, max_cached: int = 256
    ) -> None:
        """Keep the prepared text of the last `max_cached` documents explained; `index` has their rows by `encoder`."""
        self._encoder, self._index = encoder, index
        self._sentences = sentence_words()
        self._vocabulary = vocabulary
        self._max_cached = max_cached
        self._cache: OrderedDict[str, Prepared] = OrderedDict()
        self._lock = threading.Lock()

    def explain(self, query: Document, documents: Sequence[Document], passages: Sequence[Chunk] = ()) -> list[Evidence]:
        """The evidence for each document, in their order; empty where either text has no words.

        Sentences are looked for at the beginning of each text, and in `passages`, which may be the query's and the
        documents', wherever they stand. Couplings come from the documents' rows: one that the index does not hold has
        none.
        """
        asked = TellingWords.of(query.text)
        found = [
            replace(one, quoted=quoted(asked, [each.text for each in passages if each.document_id == document.id]))
            for one, document in zip(self.explain_by_nearest([query], documents, passages), documents, strict=True)
        ]
        held = [place for place, one in enumerate(documents) if self._index is not None and one.id in self._index]
        if self._index is not None and held:
            some = [documents[place] for place in held]
            rows = self._index.rows([document.id for document in some])
            for place, met in zip(held, self._encoder.couplings(query, some, rows), strict=True):
                found[place] = replace(found[place], couplings=met)
        return found

    def explain_by_nearest(
        self, queries: Sequence[Document], documents: Sequence[Document], passages: Sequence[Chunk] = ()
    ) -> list[Evidence]:
        """The terms and passages for each document, against the query with the best pair of passages."""
        matched: defaultdict[str, list[Chunk]] = defaultdict(list)
        for one in passages:
            matched[one.document_id].append(one)
        known = [prepare(query, self._vocabulary) for query in queries], [self._prepared(one) for one in documents]
        ours, theirs = (
            [extended(one, matched[one.document.id], self._vocabulary) for one in prepared] for prepared in known
        )
        best = best_pairs(ours, theirs, encoder=self._sentences, vocabulary=self._vocabulary)
        return [
            Evidence(shared_terms(ours[found.query], prepared, self._vocabulary), found.pair)
            for prepared, found in zip(theirs, best, strict=True)
        ]

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

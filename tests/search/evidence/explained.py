"""Evidence of real-looking texts that we wrote."""

from __future__ import annotations

from engine.documents import Chunk, Document
from engine.encoders import registry
from engine.library import KeywordIndex
from engine.search.evidence.explain import Evidence, Explainer
from engine.search.vocabulary import Vocabulary
from tests.search.library import DOCUMENTS

PAPER, PATENT = DOCUMENTS[1], DOCUMENTS[4]


def explainer(name: str = "tfidf", *, max_cached: int = 256) -> Explainer:
    keywords = KeywordIndex.in_memory(DOCUMENTS)
    vocabulary = Vocabulary(keywords.frequencies(), keywords.size)
    return Explainer(registry.fit(name, DOCUMENTS), vocabulary, max_cached=max_cached)


def explain(query: Document, document: Document) -> Evidence:
    return explainer().explain(query, [document])[0]


def holds(document: Document, chunk: Chunk) -> bool:
    part = document.parts[chunk.part]
    return part.text[chunk.start : chunk.stop] == chunk.text and part.title == chunk.section


INVENTORY = "The processor, the memory, the keyboard and the display of the controller are coupled by a bus."

"""The rankings that a search offers, for many documents at once and apart from any library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine import files
from engine.documents import Document, Hit
from engine.encoders.base import Encoder, EncoderCard
from engine.encoders.citing import is_citing_passage
from engine.index.base import VectorIndex
from engine.library import KeywordIndex
from engine.search.asking import CITING_TIMES, asked_terms, asks_by_stems, words_fingerprint
from engine.search.base import Ranking
from engine.search.feedback import Blind, moved_blindly
from engine.search.fusion import DEPTH, relative_scores

BLIND = Blind()
USUAL_WEIGHT = 2.0
KEYWORD_WEIGHTS: Mapping[str, float] = {
    "blend": 0.75,
    "blend-large": 0.75,
    "ctpe": 1.5,
    "student": 0.75,
    "student-large": 0.75,
    "word2vec-sif": 3.0,
}
"""How much the keyword ranking counts where it is fused with an encoder's, which counts 1; beside others 2.

By the mean nDCG@10 over the valid queries of arxiv-subject (211), patents-citation (165), acm-citation (49), cranfield
(34), npl (24) and cacm (9), asked once: keywords alone have .343; ctpe alone .277, fused at .75, 1, 1.5, 2 and 3 .365,
.371, .377, .376 and .371; word2vec-sif alone .219, fused at 1.5, 2 and 3 .335, .348 and .354; student alone .330, fused
at .5, .75, 1, 1.5 and 2 .401, .417, .418, .419 and .401; blend .409, .420, .418, .414 and .408; blend-large .422, .423,
.426, .415 and .411 (`python -m benchmarks.fusion`, benchmarks/reports/fusion.json). Student and blend-large are level
from .75 to 1 and keep the weight that they had.
"""
PASSAGE_WEIGHTS: Mapping[str, float] = {"blend": 1.5, "blend-large": 1.0}
"""How much it counts where the question is a passage that cites works, whose words it takes up.

Of the valid queries of acm-citation (49), with the citing paper's title and without it, the mean nDCG@10 is .321, .325
and .316 at 1, 1.5 and 2, BM25 alone .243 (`python -m benchmarks.citing_passages`,
benchmarks/reports/citing-passages.json). With blend-large it is .315, .329 and .323 at .75, 1 and 1.5
(benchmarks/reports/citing-passages-large.json).
"""


@dataclass(frozen=True, slots=True)
class Tried:
    """Values of the default ranking to be measured; those that are not given are the searches' own."""

    blind: Blind = BLIND
    passage_weight: float | None = None
    stemmed: bool | None = None
    citing_times: int = CITING_TIMES


AS_SEARCHED = Tried()


def rank_all(
    documents: Sequence[Document],
    k: int,
    *,
    encoder: Encoder,
    index: VectorIndex,
    keywords: KeywordIndex,
    ranking: Ranking = "default",
) -> list[list[Hit]]:
    """The k best hits of each document by one ranking, nothing folded and nothing hidden: for evaluation."""
    if ranking == "keywords":
        return rank_by_keywords(documents, k, keywords=keywords)
    if not documents:
        return []
    if ranking == "encoder":
        return index.search(encoder.encode_queries(documents), k)
    return rank_by_both(documents, k, encoder=encoder, index=index, keywords=keywords)


def rank_by_both(
    documents: Sequence[Document],
    k: int,
    *,
    encoder: Encoder,
    index: VectorIndex,
    keywords: KeywordIndex,
    tried: Tried = AS_SEARCHED,
) -> list[list[Hit]]:
    """The k best hits of each document by the default ranking, or with other values `tried`.

    A document that is in the index itself is not moved towards itself.
    """
    depth, name = max(k, DEPTH), encoder.card.name
    weights = [keyword_weight(name, document, passage_weight=tried.passage_weight) for document in documents]
    terms = rank_by_keywords(documents, depth, keywords=keywords, tried=tried)
    rows = encoder.encode_queries(documents)
    first = [fused(*three) for three in zip(index.search(rows, depth), terms, weights, strict=True)]
    others = [[hit for hit in hits if hit.id != one.id] for one, hits in zip(documents, first, strict=True)]
    moved = moved_blindly(rows, others, encoder=encoder, index=index, blind=tried.blind)
    return [fused(*three)[:k] for three in zip(index.search(moved, depth), terms, weights, strict=True)]


def keyword_weight(encoder: str, question: Document | None = None, *, passage_weight: float | None = None) -> float:
    """How much the keyword ranking counts beside the ranking of the encoder of that name, which counts 1.

    `passage_weight` is for trying another one of passages that cite.
    """
    if question is not None and is_citing_passage(question):
        found = PASSAGE_WEIGHTS.get(encoder) if passage_weight is None else passage_weight
        if found is not None:
            return found
    return KEYWORD_WEIGHTS.get(encoder, USUAL_WEIGHT)


def rank_by_keywords(
    documents: Sequence[Document], k: int, *, keywords: KeywordIndex, tried: Tried = AS_SEARCHED
) -> list[list[Hit]]:
    """The k best hits of each document by its words alone, or with other values `tried`."""
    found = []
    for document in documents:
        terms = asked_terms(document, citing_times=tried.citing_times)
        stemmed = asks_by_stems(document) if tried.stemmed is None else tried.stemmed
        found.append(keywords.search(terms, k, stemmed=stemmed))
    return found


def fused(near: Sequence[Hit], terms: Sequence[Hit], keyword_weight: float) -> list[Hit]:
    """An encoder's ranking and the keywords', by their relative scores."""
    return relative_scores([near, terms], [1.0, keyword_weight])


def ranking_fingerprint(card: EncoderCard) -> str:
    """Names everything that makes the default ranking with an encoder, for reports that are compared later."""
    weights = KEYWORD_WEIGHTS.get(card.name, USUAL_WEIGHT), PASSAGE_WEIGHTS.get(card.name)
    parts = ("relative scores", str(DEPTH), str(weights), str(BLIND), words_fingerprint(), card.fingerprint)
    return files.fingerprint(*parts)

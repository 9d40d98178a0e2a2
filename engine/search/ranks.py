"""The rankings that a search offers, for many documents at once and apart from any library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.documents import Document, Hit
from engine.encoders.base import Encoder
from engine.index.base import VectorIndex
from engine.library import KeywordIndex, question_terms
from engine.search.base import Ranking
from engine.search.fusion import reciprocal_rank

DEPTH = 200
"""How many documents of each ranking are fused."""

WEIGHTS: Mapping[str, float] = {"encoder": 1.0, "keywords": 6.0}
"""How much each ranking counts when they are fused.

Chosen with the default encoder, word2vec-sif, on the valid queries only of arxiv-subject (211 queries),
patents-citation (165), cranfield (34), npl (24) and cacm (9). Mean nDCG@10 over the five: BM25 alone .339, the
encoder alone .235; fused with keywords at 1, 2, 3, 4, 6, 8 and 12: .315, .334, .338, .337, .344, .345 and
.341. The choice is flat between 6 and 8; the smaller leaves the encoder more say.
"""


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
    depth = max(k, DEPTH)
    rankings: list[dict[str, list[Hit]]] = [{} for _ in documents]
    if ranking != "keywords" and documents:
        for held, hits in zip(rankings, index.search(encoder.encode_queries(documents), depth), strict=True):
            held["encoder"] = hits
    if ranking != "encoder":
        for held, document in zip(rankings, documents, strict=True):
            held["keywords"] = keywords.search(question_terms(document), depth)
    return [fused(held)[:k] for held in rankings]


def fused(rankings: Mapping[str, list[Hit]]) -> list[Hit]:
    """One ranking as it stands; several by reciprocal rank."""
    if len(rankings) == 1:
        return next(iter(rankings.values()))
    return reciprocal_rank(list(rankings.values()), [WEIGHTS[name] for name in rankings])

"""The rankings that a search offers, for many documents at once and apart from any library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine import files
from engine.documents import Document, Hit
from engine.encoders.base import Encoder, EncoderCard
from engine.index.base import VectorIndex
from engine.library import KeywordIndex, keyword_fingerprint, question_terms
from engine.search.base import Ranking
from engine.search.fusion import CONSTANT, reciprocal_rank

DEPTH = 200
"""How many documents of each ranking are fused."""

USUAL_WEIGHT = 6.0
KEYWORD_WEIGHTS: Mapping[str, float] = {"ctpe": 2.0, "word2vec-sif": 6.0}
"""How much the keyword ranking counts where it is fused with an encoder's, which counts 1; beside others 6.

Chosen on valid queries only; `python -m benchmarks.fusion` measures them. For word2vec-sif on arxiv-subject (211
queries), patents-citation (165), cranfield (34), npl (24) and cacm (9), mean nDCG@10 over the five: BM25 alone .339,
the encoder alone .235; fused with keywords at 1, 2, 3, 4, 6, 8 and 12: .315, .334, .338, .337, .344, .345 and
.341. The choice is flat between 6 and 8; the smaller leaves the encoder more say. For ctpe over the same five and
acm-citation (54): BM25 alone .321, the encoder alone .277; fused at .5, 1, 2, 3, 4, 6, 8 and 12: .333, .344, .350,
.345, .344, .340, .340 and .332 (benchmarks/reports/fusion.json).
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
    return [fused(held, keyword_weight(encoder.card.name))[:k] for held in rankings]


def keyword_weight(encoder: str) -> float:
    """How much the keyword ranking counts beside the ranking of the encoder of that name, which counts 1."""
    return KEYWORD_WEIGHTS.get(encoder, USUAL_WEIGHT)


def fused(rankings: Mapping[str, list[Hit]], keyword_weight: float) -> list[Hit]:
    """One ranking as it stands; the encoder's and the keywords' by reciprocal rank."""
    if len(rankings) == 1:
        return next(iter(rankings.values()))
    weights = {"encoder": 1.0, "keywords": keyword_weight}
    return reciprocal_rank(list(rankings.values()), [weights[name] for name in rankings])


def ranking_fingerprint(card: EncoderCard) -> str:
    """Names everything that makes the default ranking with an encoder, for reports that are compared later."""
    weight = keyword_weight(card.name)
    return files.fingerprint("rrf", str(CONSTANT), str(DEPTH), str(weight), keyword_fingerprint(), card.fingerprint)

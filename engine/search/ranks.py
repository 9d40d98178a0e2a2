"""The rankings that a search offers, for many documents at once and apart from any library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine import files
from engine.documents import Document, Hit
from engine.encoders.base import Encoder, EncoderCard
from engine.index.base import VectorIndex
from engine.library import KeywordIndex, keyword_fingerprint, question_terms
from engine.search.base import Ranking
from engine.search.fusion import DEPTH, relative_scores

USUAL_WEIGHT = 2.0
KEYWORD_WEIGHTS: Mapping[str, float] = {"blend": 0.75, "ctpe": 1.0, "student": 0.75, "word2vec-sif": 2.0}
"""How much the keyword ranking counts where it is fused with an encoder's, which counts 1; beside others 2.

Chosen on valid queries only, by the mean nDCG@10 over arxiv-subject (211 queries), patents-citation (165), cranfield
(34), npl (24) and cacm (9): BM25 alone .339; ctpe alone .301, fused at .5, .75, 1, 1.5 and 2 .352, .362, .371, .369 and
.366; word2vec-sif alone .235, fused at 1, 1.5, 2 and 3 .333, .342, .346 and .344; student alone .344, fused at .5, .75,
1 and 1.5 .387, .401, .396 and .390 (`python -m benchmarks.fusion`, benchmarks/reports/fusion.json). For blend it was
chosen with the weights of its parts: `python -m benchmarks.blend_weights`, benchmarks/reports/blend-weights.json.
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
    """One ranking as it stands; the encoder's and the keywords' by their relative scores."""
    if len(rankings) == 1:
        return next(iter(rankings.values()))
    weights = {"encoder": 1.0, "keywords": keyword_weight}
    return relative_scores(list(rankings.values()), [weights[name] for name in rankings])


def ranking_fingerprint(card: EncoderCard) -> str:
    """Names everything that makes the default ranking with an encoder, for reports that are compared later."""
    weight = keyword_weight(card.name)
    return files.fingerprint("relative scores", str(DEPTH), str(weight), keyword_fingerprint(), card.fingerprint)

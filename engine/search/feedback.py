"""Moves a question towards documents that a person likes and away from those they do not."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from engine.documents import Document, Hit
from engine.encoders.base import Encoder
from engine.evidence import Vocabulary
from engine.index.base import VectorIndex
from engine.library.postings import HEAD
from engine.rows import Rows
from engine.search.asking import asked_terms
from engine.text import stems, tokens

BETA = 0.75
GAMMA = 0.5
MAX_TERMS = 20
_DOCUMENT_TOKENS = 2000


@dataclass(frozen=True, slots=True)
class Blind:
    """How many of the first documents a question is moved towards without being told to, and how far: Rocchio's beta.

    Chosen on valid queries, when words matched as they are written only. As they match now the mean nDCG@10 over six
    benchmarks is .428 for blend and .430 for blend-large, without it .421 and .424; 5 documents at beta 1, .433 for
    both, look better still (`python -m engine.research blind_feedback`, engine/research/reports/blind-feedback.md).
    """

    documents: int = 3
    beta: float = 0.5


def query_row(
    encoder: Encoder, query: Document | None, *, liked: Sequence[Document] = (), disliked: Sequence[Document] = ()
) -> Rows:
    """The row to search with: q + beta mean(liked) - gamma mean(disliked), at unit length; (1, dim).

    Rocchio 1971, as in Manning, Raghavan and Schuetze 2008, section 9.1.1, with alpha 1 and beta .75. Our
    gamma is .5, not their .15, which is meant for guessed non-relevance: here a person said so. Without
    a query the liked documents stand for it. All are encoded as queries, because the two sides differ
    where an encoder is not symmetric.
    """
    if query is None and not liked:
        raise ValueError("A query row needs a query or a liked document; both were left out.")
    groups = [([query] if query else [], 1.0), (liked, BETA), (disliked, -GAMMA)]
    documents = [document for group, _ in groups for document in group]
    weights = [weight / len(group) for group, weight in groups for _ in group]
    return _at_unit_length(_weighted_sum(encoder.encode_queries(documents), weights))


def moved_blindly(
    rows: Rows, rankings: Sequence[Sequence[Hit]], *, encoder: Encoder, index: VectorIndex, blind: Blind
) -> Rows:
    """Rows (n, dim) that ask, each moved towards the documents that its first ranking put first.

    q + beta mean(first documents): Rocchio's formula with nobody to say what is relevant, that is blind or pseudo
    relevance feedback (Manning, Raghavan and Schuetze 2008, section 9.1.6). The documents' rows are those that they
    would ask with, so that a short question, which a coupled encoder does not read, gets its opinion of what was found.
    Rows come back at any length, which leaves their order as it is; a question that found nothing keeps its row.
    """
    first = [[hit.id for hit in hits if hit.id in index][: blind.documents] for hits in rankings]
    names = list(dict.fromkeys(name for one in first for name in one))
    if not names or not blind.beta:
        return rows
    place = {name: number for number, name in enumerate(names)}
    owners = [number for number, one in enumerate(first) for _ in one]
    shares = np.array([blind.beta / len(one) for one in first for _ in one], np.float32)
    places = [place[name] for one in first for name in one]
    means = csr_array((shares, (owners, places)), shape=(len(first), len(names)))  # (n, m), beta in it
    moved = rows + means @ encoder.as_queries(index.rows(names))  # (n, dim)
    return np.asarray(moved, np.float32) if isinstance(moved, np.ndarray) else csr_array(moved).astype(np.float32)


def keyword_query(query: Document | None, liked: Sequence[Document], vocabulary: Vocabulary) -> Counter[str]:
    """The terms for the keyword ranking: the query's own, and the most telling words of the liked documents.

    A word of the liked documents counts as much as one of a long query's title.
    """
    terms = asked_terms(query) if query else Counter[str]()
    terms.update(dict.fromkeys(telling(liked, vocabulary), HEAD))
    return terms


def telling(documents: Sequence[Document], vocabulary: Vocabulary, *, without: Collection[str] = ()) -> list[str]:
    """The twenty words with the largest mean of (1 + ln tf) idf over the documents, as written there.

    No form of a word of `without` is among them.
    """
    weights: dict[str, float] = defaultdict(float)
    left_out = set(stems(list(without)))
    for document in documents:
        for token, count in Counter(tokens(document.text)[:_DOCUMENT_TOKENS]).items():
            key = vocabulary.keys[token]
            if key and token not in without and stems([token])[0] not in left_out:
                weights[token] += (1 + math.log(count)) * vocabulary.idf(key)
    return [token for token, _ in sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:MAX_TERMS]]


def demote(hits: Sequence[Hit], disliked: Sequence[Hit]) -> list[Hit]:
    """Rank `hits` again: score - gamma * score among the disliked words' hits, brought to the same scale.

    Rocchio's third term for BM25, which knows no negative words: `disliked` is the ranking of the
    disliked documents' telling words, scaled so that its best hit counts as much as the best of `hits`.
    """
    if not hits or not disliked:
        return list(hits)
    scale = hits[0].score / disliked[0].score
    against = {hit.id: hit.score * scale for hit in disliked}
    moved = [Hit(hit.id, hit.score - GAMMA * against.get(hit.id, 0.0)) for hit in hits]
    return sorted(moved, key=lambda hit: -hit.score)


def _weighted_sum(rows: Rows, weights: Sequence[float]) -> Rows:
    """Rows (n, dim), each with its weight, added up: (1, dim)."""
    shares = np.asarray(weights, np.float32)[None, :]  # (1, n)
    return shares @ rows if isinstance(rows, np.ndarray) else csr_array(csr_array(shares) @ rows)


def _at_unit_length(row: Rows) -> Rows:
    """Scale one row to length 1; a row of zeros stays."""
    if isinstance(row, np.ndarray):
        length = float(np.linalg.norm(row))
        return np.asarray(row / length if length else row, np.float32)
    length = float(np.sqrt(row.multiply(row).sum()))
    return csr_array(row / length if length else row).astype(np.float32)

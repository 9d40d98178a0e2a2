"""Moves a question towards liked documents, or those it found first, and away from disliked ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from engine.core.rows import Rows
from engine.documents import Document, Hit
from engine.encoders import Encoder
from engine.search.settings import Blind
from engine.vectors import VectorIndex

BETA = 0.75
GAMMA = 0.5


def query_row(
    encoder: Encoder, query: Document | None, *, liked: Sequence[Document] = (), disliked: Sequence[Document] = ()
) -> Rows:
    """The row to search with: q + beta mean(liked) - gamma mean(disliked), at unit length; (1, dim).

    Rocchio 1971, as in Manning, Raghavan and Schuetze 2008, section 9.1.1, with alpha 1 and beta .75. Our gamma is .5,
    not their .15, which is meant for guessed non-relevance: here a person judged. Without a query the liked documents
    stand for it. All are encoded as queries, because queries and documents differ where an encoder is not symmetric.
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
    """Query rows (n, dim), each moved towards the documents that its first ranking put first.

    q + beta mean(first documents): Rocchio's formula without judgements, that is blind or pseudo relevance feedback
    (Manning, Raghavan and Schuetze 2008, section 9.1.6). The documents are encoded as queries, so that a short
    question, which a coupled encoder does not read, still gains from its view of what was found. Rows are not scaled to
    unit length, which does not change their order; a question that found nothing keeps its row.
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

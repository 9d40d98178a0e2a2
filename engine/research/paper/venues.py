"""Clustering papers by venue: draws of papers, and how well their rows' clusters are their venues."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.core.errors import EvaluationError
from engine.core.rows import Rows, unit_length, unit_length_sparse
from engine.documents import Document

_YEAR = re.compile(r"\W*(?:'\d\d|\b(?:19|20)\d\d)\b.*$")
_STARTS = 3

Labels = Sequence[int] | NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class VenueSettings:
    """How many papers of how many venues are drawn (KeyVec, "Document Clustering": 850 of 186), and how often."""

    papers: int = 850
    venues: int = 186
    draws: int = 10


@dataclass(frozen=True, slots=True)
class VenueDraw:
    """Papers of one draw by id, and the venue of each as a number: (n,)."""

    seed: int
    ids: tuple[str, ...]
    venues: NDArray[np.int64]


def series(venue: str) -> str:
    """The series that a year's meeting belongs to: "CHI" of "CHI '19", "ADCS" of "ADCS 2017"."""
    return _YEAR.sub("", venue) or venue


def draw_papers(documents: Sequence[Document], settings: VenueSettings) -> list[VenueDraw]:
    """Draws with the seeds 0, 1, ...: `settings.venues` venues, each with as many papers as any other, or one more.

    A year's meeting is a venue, as in the data. Two meetings of one series are drawn only if the data have fewer series
    than the settings ask for, because no text tells them apart. Raises EvaluationError if too few venues have enough
    papers.
    """
    each, more = divmod(settings.papers, settings.venues)
    papers: dict[str, list[str]] = defaultdict(list)
    for document in documents:
        if document.venue and document.text.strip():
            papers[document.venue].append(document.id)
    enough = sorted(venue for venue, ids in papers.items() if len(ids) >= each + bool(more))
    if not each or len(enough) < settings.venues:
        raise EvaluationError(
            f"Expected {settings.venues} venues with {each + bool(more)} papers or more, found {len(enough)}. "
            "Ask for fewer venues or papers."
        )
    return [_draw(seed, papers, enough, settings) for seed in range(settings.draws)]


def score_clusters(rows: Rows, draw: VenueDraw) -> dict[str, float]:
    """`clustering_scores` of k-means clusters of rows (n, dim) at unit length, k = the number of venues."""
    from sklearn.cluster import KMeans

    unit = unit_length_sparse(rows) if isinstance(rows, csr_array) else unit_length(np.asarray(rows, np.float32))
    count = len(set(draw.venues.tolist()))
    clusters = KMeans(count, n_init=_STARTS, random_state=draw.seed).fit_predict(unit)
    return clustering_scores(draw.venues, clusters)


def clustering_scores(classes: Labels, clusters: Labels) -> dict[str, float]:
    """F1 of pairs, V-measure and ARI of clusters (n,) against classes (n,).

    V-measure is the harmonic mean of homogeneity 1 - H(C|K)/H(C) and completeness 1 - H(K|C)/H(K) (Rosenberg and
    Hirschberg, EMNLP 2007, section 2). ARI, the adjusted Rand index, is 1 for the same partition and about 0 for one
    by chance (Hubert and Arabie, 1985).
    """
    from sklearn.metrics import adjusted_rand_score, v_measure_score

    return {
        "F1": pair_f1(classes, clusters),
        "V-measure": float(v_measure_score(classes, clusters)),
        "ARI": float(adjusted_rand_score(classes, clusters)),
    }


def pair_f1(classes: Labels, clusters: Labels) -> float:
    """Harmonic mean of the share of one cluster's pairs that share a class, and of one class's that share a cluster.

    Manning, Raghavan and Schütze, Introduction to Information Retrieval, section 16.3; 0 if no pair is shared.
    """
    from sklearn.metrics.cluster import pair_confusion_matrix

    (_, wrong), (missed, right) = pair_confusion_matrix(classes, clusters)
    return float(2 * right / (2 * right + wrong + missed)) if right else 0.0


def _draw(seed: int, papers: dict[str, list[str]], enough: Sequence[str], settings: VenueSettings) -> VenueDraw:
    generator = random.Random(seed)
    shuffled = generator.sample(enough, len(enough))
    first = {series(venue): venue for venue in reversed(shuffled)}
    later = [venue for venue in shuffled if first[series(venue)] != venue]
    alone = [venue for venue in shuffled if first[series(venue)] == venue]
    chosen = [*alone, *later][: settings.venues]
    each, more = divmod(settings.papers, settings.venues)
    ids = [generator.sample(papers[venue], each + (place < more)) for place, venue in enumerate(chosen)]
    venues = np.repeat(np.arange(len(chosen)), [len(own) for own in ids])
    return VenueDraw(seed, tuple(name for own in ids for name in own), venues)

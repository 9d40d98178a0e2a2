"""The metrics of a ranking: one query's judged ranking into a score, and the columns of reports.

P, R and F1 at k, average precision, nDCG, bpref and the reciprocal rank, each as its source defines it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial


@dataclass(frozen=True)
class Judged:
    """The grades of a ranking, nearest first (0 = not relevant), and of all relevant documents, highest first.

    Unjudged documents count as not relevant: the judgements of these benchmarks list relevant documents only.
    `rejected` says for each ranked document whether it was judged not relevant, `rejections` how many were, retrieved
    or not; only trec_eval's bpref reads them.
    """

    ranking: tuple[int, ...]
    ideal: tuple[int, ...]
    rejected: tuple[bool, ...] = ()
    rejections: int = 0

    @classmethod
    def of(cls, ids: Sequence[str], grades: Mapping[str, int]) -> Judged:
        """Join a ranking of ids with the grades of one query."""
        ideal = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
        return cls(
            tuple(max(0, grades.get(name, 0)) for name in ids),
            tuple(ideal),
            rejected=tuple(grades.get(name) == 0 for name in ids),
            rejections=sum(grade == 0 for grade in grades.values()),
        )

    @cached_property
    def hits(self) -> tuple[bool, ...]:
        """Whether each ranked document is relevant."""
        return tuple(grade > 0 for grade in self.ranking)

    @property
    def relevant(self) -> int:
        """How many documents are relevant to the query, retrieved or not."""
        return len(self.ideal)


@dataclass(frozen=True, slots=True)
class Metric:
    """A score for one query, and how the queries' scores become one (their mean by default)."""

    score: Callable[[Judged], float]
    pooled: Callable[[Sequence[Judged]], float] | None = None

    def over(self, queries: Sequence[Judged]) -> float:
        """Return the figure over one or more queries."""
        if self.pooled is not None:
            return self.pooled(queries)
        return sum(self.score(judged) for judged in queries) / len(queries)


def precision(judged: Judged, k: int) -> float:
    """Return the relevant among the first k, divided by k even where fewer were retrieved (as trec_eval)."""
    return sum(judged.hits[:k]) / k


def set_precision(judged: Judged, k: int) -> float:
    """Return the relevant among the first k, divided by those retrieved, at most k (trec_eval's set_P with -M k)."""
    hits = judged.hits[:k]
    return sum(hits) / len(hits) if hits else 0.0


def recall(judged: Judged, k: int) -> float:
    """Return the relevant among the first k, divided by all that are relevant."""
    return sum(judged.hits[:k]) / judged.relevant if judged.relevant else 0.0


def f1(judged: Judged, k: int) -> float:
    """Return the harmonic mean of one query's precision and recall."""
    return harmonic_mean(precision(judged, k), recall(judged, k))


def set_f1(judged: Judged, k: int) -> float:
    """Return F1 of the first k as a set, with precision over those retrieved (trec_eval's set_F with -M k)."""
    return harmonic_mean(set_precision(judged, k), recall(judged, k))


def f1_of_means(queries: Sequence[Judged], k: int) -> float:
    """Return F1 of the mean precision and the mean recall over queries.

    This is what CTPE's table 2 holds (.1532 and .0571 give its .0831); the mean of each query's F1 is smaller.
    """
    count = len(queries)
    return harmonic_mean(
        sum(precision(one, k) for one in queries) / count, sum(recall(one, k) for one in queries) / count
    )


def harmonic_mean(one: float, other: float) -> float:
    """Return 2ab / (a + b), 0 where both are 0."""
    return 2 * one * other / (one + other) if one + other else 0.0


def capped_recall(judged: Judged, k: int) -> float:
    """Return the relevant among the first k, divided by the smaller of k and the number of relevant documents.

    Tweaked C-DSSM, section III: "when k is less than the number of relevant documents, we take k as the number of
    relevant documents". Tables 2 to 5, where recall@1 is precision@1, show that this means the divisor, not a deeper
    ranking.
    """
    return sum(judged.hits[:k]) / min(k, judged.relevant) if judged.relevant else 0.0


def capped_f1_of_means(queries: Sequence[Judged], k: int) -> float:
    """Return F1 of the mean precision and the mean capped recall over queries.

    Table 5 of the paper holds this: .378 and .370 at 5 give its .374.
    """
    count = len(queries)
    means = (sum(score(one, k) for one in queries) / count for score in (precision, capped_recall))
    return harmonic_mean(*means)


def capped_f1(judged: Judged, k: int) -> float:
    """Return the harmonic mean of one query's precision and capped recall."""
    return harmonic_mean(precision(judged, k), capped_recall(judged, k))


def average_precision(judged: Judged, k: int) -> float:
    """Return the precision at each relevant rank up to k, summed and divided by k.

    CTPE (section 4.3) names MAP and no formula: that it divides by k is what we infer from the size of its figures.
    trec_eval divides by the number of relevant documents; with more than k of them the two agree on the order of
    systems, with fewer this one stays below 1 even for a perfect ranking.
    """
    return _precisions(judged.hits[:k]) / k


def average_precision_of_all(judged: Judged) -> float:
    """Return the precisions at the relevant ranks, summed, divided by the number of relevant ones (trec_eval's map)."""
    return _precisions(judged.hits) / judged.relevant if judged.relevant else 0.0


def _precisions(hits: Sequence[bool]) -> float:
    """Return the sum of the precisions at the relevant ranks."""
    found = 0
    total = 0.0
    for rank, hit in enumerate(hits, start=1):
        if hit:
            found += 1
            total += found / rank
    return total


def ndcg(judged: Judged, k: int) -> float:
    """Return the gain of the first k against the best possible (trec_eval's ndcg_cut: gain = grade, log2 discount)."""
    best = _gain(judged.ideal[:k])
    return _gain(judged.ranking[:k]) / best if best else 0.0


def ndcg_of_ones(judged: Judged, k: int) -> float:
    """Return the gain of the first k, relevant or not, against a ranking of k relevant ones.

    CTPE (section 4.3) names NDCG and no formula; this one is inferred from the size of its figures. A query with fewer
    than k relevant documents cannot reach 1.
    """
    return _gain(judged.hits[:k]) / _gain([1] * k)


def _gain(grades: Sequence[int]) -> float:
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1))


def bpref(judged: Judged) -> float:
    """Return 1/R * sum over retrieved relevant r of (1 - min(n above r, R) / R).

    Buckley and Voorhees, SIGIR 2004, which CTPE, section 4.3, cites; as trec_eval computes it where
    every document without a judgement counts as judged not relevant and at most half of the corpus is
    relevant. The ranking must be at least 2R long: a relevant document below R others adds nothing.
    """
    relevant = judged.relevant
    above = 0
    total = 0.0
    for hit in judged.hits:
        if hit:
            total += 1 - min(above, relevant) / relevant
        else:
            above += 1
    return total / relevant if relevant else 0.0


def bpref_of_judged(judged: Judged) -> float:
    """Return 1/R * sum over retrieved relevant r of (1 - min(n above r, R) / min(N, R)).

    n are those judged not relevant above r, N all of them.

    trec_eval's bpref ignores unjudged documents: where judgements list relevant documents only, it is the share of them
    that was retrieved.
    """
    above = 0
    total = 0.0
    for hit, rejected in zip(judged.hits, judged.rejected, strict=True):
        if hit:
            total += 1 - (min(above, judged.relevant) / min(judged.rejections, judged.relevant) if above else 0)
        above += rejected
    return total / judged.relevant if judged.relevant else 0.0


def bpref_of_positions(judged: Judged, k: int) -> float:
    """Return 1/k * sum over the first k ranks i, relevant or not, of (1 - n_i / k), n_i not relevant at or above i.

    The scale of CTPE's table 3, inferred from it: the table gives a random ranking, with no relevant
    document among 20, .4753, and this formula gives .475; Buckley and Voorhees' gives 0.
    """
    above = 0
    total = 0.0
    for place in range(k):
        above += not (place < len(judged.hits) and judged.hits[place])
        total += 1 - above / k
    return total / k


def reciprocal_rank(judged: Judged) -> float:
    """Return 1 / the rank of the first relevant document, 0 where none was retrieved (trec_eval's recip_rank)."""
    return next((1 / rank for rank, hit in enumerate(judged.hits, start=1) if hit), 0.0)


METRICS: Mapping[str, Metric] = {
    "P@20": Metric(partial(precision, k=20)),
    "R@20": Metric(partial(recall, k=20)),
    "F1@20": Metric(partial(f1, k=20), pooled=partial(f1_of_means, k=20)),
    "MAP@20": Metric(partial(average_precision, k=20)),
    "NDCG@20": Metric(partial(ndcg_of_ones, k=20)),
    "bpref": Metric(bpref),
    "bpref@20-ctpe": Metric(partial(bpref_of_positions, k=20)),
    "nDCG@10": Metric(partial(ndcg, k=10)),
    "R@100": Metric(partial(recall, k=100)),
}
"""The columns of every report: CTPE's six as CTPE defines them, its table's own bpref, and two of trec_eval's."""

WHOLE_RANKING = 1 << 31
"""A depth beyond any ranking."""

TREC: Mapping[str, Metric] = {
    "P_20": Metric(partial(precision, k=20)),
    "recall_20": Metric(partial(recall, k=20)),
    "set_F_20": Metric(partial(set_f1, k=20)),
    "map": Metric(average_precision_of_all),
    "ndcg": Metric(partial(ndcg, k=WHOLE_RANKING)),
    "bpref": Metric(bpref_of_judged),
    "recip_rank": Metric(reciprocal_rank),
    "ndcg_cut_10": Metric(partial(ndcg, k=10)),
    "recall_100": Metric(partial(recall, k=100)),
}
"""The same columns as trec_eval computes and names them; set_F_20 is its set_F of the first 20 (-M 20)."""

CDSSM_DEPTHS = (1, 5, 10, 20, 30, 40, 50)

CDSSM: Mapping[str, Metric] = {
    **{f"recall@{k}-cdssm": Metric(partial(capped_recall, k=k)) for k in CDSSM_DEPTHS},
    **{f"precision@{k}-cdssm": Metric(partial(precision, k=k)) for k in CDSSM_DEPTHS},
    **{f"f1@{k}-cdssm": Metric(partial(capped_f1, k=k), partial(capped_f1_of_means, k=k)) for k in CDSSM_DEPTHS},
}
"""The columns of the C-DSSM paper's tables 2 to 5."""

KEYVEC: Mapping[str, Metric] = {
    "P@10": Metric(partial(precision, k=10)),
    "MAP": Metric(average_precision_of_all),
    "MRR": Metric(reciprocal_rank),
}
"""The columns of KeyVec's table of retrieval."""

DEEPEST_RANK = 100
TREC_DEPTH = 1_000
"""How much of a ranking trec_eval's map, ndcg and bpref read: as deep as TREC's runs are."""

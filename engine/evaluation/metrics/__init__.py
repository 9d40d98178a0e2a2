"""The metrics of a ranking: one file each, by the names that reports use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from engine.evaluation.metrics.average_precision import average_precision, average_precision_of_all
from engine.evaluation.metrics.bpref import bpref, bpref_of_judged, bpref_of_positions
from engine.evaluation.metrics.capped import capped_f1, capped_f1_of_means, capped_recall
from engine.evaluation.metrics.f1 import f1, f1_of_means, set_f1
from engine.evaluation.metrics.judged import Judged
from engine.evaluation.metrics.ndcg import ndcg, ndcg_of_ones
from engine.evaluation.metrics.precision import precision
from engine.evaluation.metrics.recall import recall
from engine.evaluation.metrics.reciprocal_rank import reciprocal_rank


@dataclass(frozen=True, slots=True)
class Metric:
    """A score for one query, and how the queries' scores become one (their mean where nothing is said)."""

    score: Callable[[Judged], float]
    pooled: Callable[[Sequence[Judged]], float] | None = None

    def over(self, queries: Sequence[Judged]) -> float:
        """One figure for at least one query."""
        if self.pooled is not None:
            return self.pooled(queries)
        return sum(self.score(judged) for judged in queries) / len(queries)


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
"""A depth that no ranking reaches."""

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

__all__ = [
    "CDSSM",
    "CDSSM_DEPTHS",
    "DEEPEST_RANK",
    "KEYVEC",
    "METRICS",
    "TREC",
    "TREC_DEPTH",
    "Judged",
    "Metric",
]

"""bpref: how seldom a document that is not relevant stands above a relevant one."""

from __future__ import annotations

from engine.evaluation.metrics.judged import Judged


def bpref(judged: Judged) -> float:
    """1/R * sum over retrieved relevant r of (1 - min(n above r, R) / R).

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
    """1/R * sum over retrieved relevant r of (1 - min(n above r, R) / min(N, R)), n judged not relevant, N all of them.

    trec_eval's bpref, which passes over documents without a judgement: where the judgements list relevant documents
    only, it is the share of them that was retrieved.
    """
    above = 0
    total = 0.0
    for hit, rejected in zip(judged.hits, judged.rejected, strict=True):
        if hit:
            total += 1 - (min(above, judged.relevant) / min(judged.rejections, judged.relevant) if above else 0)
        above += rejected
    return total / judged.relevant if judged.relevant else 0.0


def bpref_of_positions(judged: Judged, k: int) -> float:
    """1/k * sum over the first k ranks i, relevant or not, of (1 - n_i / k), n_i = not relevant at or above i.

    The scale of CTPE's table 3, inferred from it: the table gives a random ranking, with no relevant
    document among 20, .4753, and this formula gives .475; Buckley and Voorhees' gives 0.
    """
    above = 0
    total = 0.0
    for place in range(k):
        above += not (place < len(judged.hits) and judged.hits[place])
        total += 1 - above / k
    return total / k

"""Benchmarks over a part of their corpus, for trials that would otherwise take hours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.evaluation import Benchmark

_SEED = 0


def smaller(benchmark: Benchmark, most: int) -> Benchmark:
    """The benchmark over at most `most` documents, or over all relevant ones if they are more.

    Documents relevant to any of these queries stay; some of the others are drawn, in their order. 0 keeps all.
    """
    if not most or len(benchmark.corpus) <= most:
        return benchmark
    relevant = {name for judged in benchmark.qrels.values() for name, gain in judged.items() if gain > 0}
    is_kept = np.array([document.id in relevant for document in benchmark.corpus])
    others = np.random.default_rng(_SEED).permutation(np.flatnonzero(~is_kept))
    is_kept[others[: max(0, most - int(is_kept.sum()))]] = True
    kept = [document for document, held in zip(benchmark.corpus, is_kept, strict=True) if held]
    return replace(benchmark, corpus=kept)

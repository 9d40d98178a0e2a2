"""The row default(NAME): the ranking of a search by another encoder than the default one."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.encoders import registry
from engine.evaluation.benchmarks import load_benchmark
from engine.evaluation.measure import measure_systems
from engine.evaluation.systems import PRODUCT, fused_encoder
from tests.evaluation.small import write_benchmark


def test_the_default_encoder_named_so_is_the_default_ranking(tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    usual, named = measure_systems(benchmark, "default"), measure_systems(benchmark, f"default({registry.DEFAULT})")
    assert named.fingerprint == usual.fingerprint
    assert named.by_query == usual.by_query
    assert named.name == f"default({registry.DEFAULT})"


@pytest.mark.parametrize("name", ["lsa", "ctpe"])  # one learns from the corpus
def test_another_encoder_is_fused_with_the_keywords(name: str, tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    fused, alone, usual = (PRODUCT.prepare(row, benchmark.corpus) for row in (f"default({name})", name, "default"))
    assert len({one.fingerprint for one in (fused, alone, usual)}) == 3
    first = [[hit.score for hit in one.system.rank(benchmark.queries, 9)[0]] for one in (fused, alone, usual)]
    assert first[0] != first[1] and first[0] != first[2]


def test_only_an_encoder_that_searches_is_known() -> None:
    assert (fused_encoder("default"), fused_encoder("default(lsa)")) == (registry.DEFAULT, "lsa")
    assert [fused_encoder(row) for row in ("lsa", "default(bm25)", "default(colde)", "default()")] == [None] * 4
    assert PRODUCT.rows_of("bm25, default(ctpe)") == ["bm25", "default(ctpe)"]
    with pytest.raises(EvaluationError, match=r"default\(NAME\) or NAME=FOLDER; got default\(bm25\)"):
        PRODUCT.rows_of("default(bm25)")

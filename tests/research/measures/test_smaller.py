"""A benchmark over a part of its corpus."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from engine.evaluation import load_benchmark
from engine.research.measures.smaller import smaller
from tests.evaluation.small import write_benchmark


def test_a_smaller_corpus_keeps_what_is_relevant(tmp_path: Path) -> None:
    whole = load_benchmark(write_benchmark(tmp_path / "small"))
    first = next(iter(whole.qrels))
    whole = replace(whole, qrels={first: whole.qrels[first]})
    relevant = {name for judged in whole.qrels.values() for name, gain in judged.items() if gain > 0}
    some = smaller(whole, len(relevant) + 2)
    ids = [document.id for document in some.corpus]
    assert len(ids) == len(relevant) + 2 and relevant < set(ids)
    assert ids == [document.id for document in whole.corpus if document.id in set(ids)]
    assert ids == [document.id for document in smaller(whole, len(relevant) + 2).corpus]
    assert {document.id for document in smaller(whole, 1).corpus} == relevant
    for most in (0, len(whole.corpus)):
        assert smaller(whole, most) is whole

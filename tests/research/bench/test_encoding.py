"""`python -m engine.research bench encode`: what it measures, in turn, and what it says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.errors import EvaluationError
from engine.core.rows import DenseRows
from engine.documents import Document, Section
from engine.encoders import Word2vecMeanEncoder, processor
from engine.research.bench import encoding
from engine.research.bench.encoding import EncodeSpeed, Plan, matrix_limit, measure_encoding, passages_of
from engine.research.bench.searching import threads
from tests.contracts.encoder import corpus
from tests.encoders.test_word_vectors import by_subject

SMALL = Plan(documents=10, rounds=3, seed=1, matrix_size=64)


class Remembering(Word2vecMeanEncoder):
    """An encoder that writes down who was asked for what."""

    def __init__(self, name: str, asked: list[tuple[str, tuple[str, ...]]]) -> None:
        super().__init__(by_subject())
        self.own_name, self.asked = name, asked

    def encode_documents(self, documents: list[Document]) -> DenseRows:
        self.asked.append((self.own_name, tuple(document.id for document in documents)))
        return super().encode_documents(documents)


class Counting(Remembering):
    """An encoder that says what a document costs it."""

    def operations(self, documents: list[Document]) -> int:
        return 1_000_000 * len(documents)


def measured(documents: list[Document], plan: Plan) -> tuple[EncodeSpeed, list[tuple[str, tuple[str, ...]]]]:
    asked: list[tuple[str, tuple[str, ...]]] = []
    encoders = {"own": Counting("own", asked), "peer": Remembering("peer", asked)}
    return measure_encoding(documents, encoders, plan, peer="peer", source="ours"), asked


def test_encoders_read_the_same_documents_in_turn() -> None:
    report, asked = measured(corpus(), SMALL)
    assert [name for name, _ in asked] == ["own", "peer", *["own", "peer"] * 3]
    drawn = {ids for _, ids in asked[2:]}
    assert len(drawn) == 1 and len(set(drawn.pop())) == 10
    assert (report.documents, report.rounds, report.source, report.peer) == (10, 3, "ours", "peer")
    assert asked[2] == measured(corpus(), SMALL)[1][2]
    assert asked[2] != measured(corpus(), Plan(10, 3, seed=2, matrix_size=64))[1][2]


def test_passages_are_read_as_an_import_reads_them() -> None:
    (paper,) = corpus()[:1]
    body = tuple(Section(f"Part {n}", " ".join(f"Valve {n} of boiler {k} leaks." for k in range(30))) for n in range(3))
    found = passages_of([replace(paper, sections=body)])
    assert len(found) > 3 and len({one.id for one in found}) == len(found)
    assert found[0].text == f"{paper.title}\n\n{paper.abstract}" and found[1].text.startswith("Valve 0 of boiler 0")


def test_a_small_corpus_is_read_whole() -> None:
    assert measured(corpus()[:4], SMALL)[0].documents == 4


def test_times_the_peer_and_the_share_of_the_limit_follow_from_the_speeds(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"float32": 100.0, "bfloat16": 200.0}
    monkeypatch.setattr(encoding, "matrix_limit", lambda precision, *, size: limits[precision])
    monkeypatch.setattr(processor, "fastest_precision", lambda: "bfloat16")
    report, _ = measured(corpus(), SMALL)
    own, peer = report.encoders["own"], report.encoders["peer"]
    assert peer.times_the_peer is None and own.times_the_peer is not None
    assert own.times_the_peer.min <= own.times_the_peer.median <= own.times_the_peer.max
    assert (peer.gigaflop_a_document, peer.gigaflops, peer.share_of_limit) == (None, None, None)
    assert own.gigaflop_a_document == 0.001
    assert own.gigaflops == pytest.approx(own.documents_per_second.median * 0.001, rel=0.1, abs=0.06)
    assert report.matrix_limit == limits
    assert own.share_of_limit == pytest.approx(own.gigaflops / report.matrix_limit[report.precision], abs=1e-3)


def test_a_format_that_the_processor_multiplies_slowly_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor, "fastest_precision", lambda: "float32")
    assert measured(corpus(), SMALL)[0].matrix_limit.keys() == {"float32"}


def test_nothing_to_measure_is_told() -> None:
    for plan in ((0, 1), (1, 0)):
        with pytest.raises(EvaluationError, match=f"at least 1 document and 1 round .* got {plan[0]} and {plan[1]}"):
            Plan(*plan)
    with pytest.raises(EvaluationError, match="Expected documents to encode; there are none"):
        measured([], SMALL)


def test_the_matrix_limit_and_threads_are_numbers_of_this_machine() -> None:
    assert matrix_limit("float32", size=32) > 0
    assert threads() >= 1

"""`python -m engine.research bench encode`: what it measures, in turn, and what it says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.documents import Document
from engine.encoders import minilm, processor, registry
from engine.encoders.transformer_mean import TransformerMeanEncoder
from engine.encoders.word2vec_mean import Word2vecMeanEncoder
from engine.errors import EvaluationError, NotFittedError, StorageError
from engine.library import Library
from engine.research.bench import command as bench
from engine.research.bench.encoding import EncodeSpeed, Plan, measure_encoding
from engine.rows import DenseRows
from tests.contracts.encoder import corpus
from tests.encoders.test_word_vectors import by_subject
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.evaluation.small import write_benchmark

Command = Callable[..., str]

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


def test_a_small_corpus_is_read_whole() -> None:
    assert measured(corpus()[:4], SMALL)[0].documents == 4


def test_times_the_peer_and_the_share_of_the_limit_follow_from_the_speeds(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"float32": 100.0, "bfloat16": 200.0}
    monkeypatch.setattr(processor, "matrix_limit", lambda precision, *, size: limits[precision])
    report, _ = measured(corpus(), SMALL)
    own, peer = report.encoders["own"], report.encoders["peer"]
    assert peer.times_the_peer is None and own.times_the_peer is not None
    assert own.times_the_peer.min <= own.times_the_peer.median <= own.times_the_peer.max
    assert (peer.gigaflop_a_document, peer.gigaflops, peer.share_of_limit) == (None, None, None)
    assert own.gigaflop_a_document == 0.001
    assert own.gigaflops == pytest.approx(own.documents_per_second.median * 0.001, rel=0.1, abs=0.06)
    assert report.matrix_limit == limits
    assert own.share_of_limit == pytest.approx(own.gigaflops / report.matrix_limit[report.precision], abs=1e-3)


def test_nothing_to_measure_is_told() -> None:
    for plan in ((0, 1), (1, 0)):
        with pytest.raises(EvaluationError, match=f"at least 1 document and 1 round .* got {plan[0]} and {plan[1]}"):
            Plan(*plan)
    with pytest.raises(EvaluationError, match="Expected documents to encode; there are none"):
        measured([], SMALL)


def test_the_matrix_limit_and_threads_are_numbers_of_this_machine() -> None:
    assert processor.matrix_limit("float32", size=32) > 0
    assert processor.threads() >= 1


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    tiny = TransformerMeanEncoder.open(write_tiny_transformer(tmp_path / "tiny"))
    monkeypatch.setattr(minilm, "load", lambda: tiny)
    monkeypatch.setattr(processor, "matrix_limit", lambda precision, *, size: 100.0)

    def run(*arguments: str) -> str:
        bench.main(["encode", *arguments])
        return capsys.readouterr().out

    return run


def test_the_command_prints_a_row_an_encoder_and_saves(command: Command, tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "small")
    save = ["--save", str(tmp_path / "reports" / "encode.json")]
    row = f"own={registry.PRETRAINED / 'word2vec'}"
    line = ["--benchmark", str(folder), "--encoders", row, "--documents", "8", "--rounds", "2"]
    printed = command(*line, *save)
    assert "8 documents of small" in printed and "2 rounds in turn" in printed
    assert [text.split()[0] for text in printed.splitlines()[2:]] == ["encoder", "own", "minilm"]
    value = json.loads((tmp_path / "reports" / "encode.json").read_text())
    assert {"hardware", "commit", "threads", "seed", "matrix_limit", "encoders", "peer"} <= value.keys()
    assert value["encoders"]["minilm"]["share_of_limit"] > 0
    assert json.loads(command(*line, "--json"))["encoders"]["own"]["times_the_peer"]["median"] > 0


def test_the_command_draws_from_a_library(command: Command, tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", create=True) as library:
        library.add_file("key", "texts", corpus())
    line = ["--library", str(tmp_path / "library"), "--encoders", "word2vec-mean", "--documents", "5", "--rounds", "1"]
    assert "5 documents of library" in command(*line)


def test_what_cannot_be_measured_or_saved_is_told_first(command: Command, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="Expected to write"):
        command("--benchmark", "nowhere", "--save", str(tmp_path))
    with pytest.raises(NotFittedError, match="Expected the folder of a fitted tfidf"):
        command("--benchmark", "nowhere", "--encoders", "tfidf")

"""Search by codes is measured on real rows, and on made ones that are said to be made."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EvaluationError
from engine.encoders import registry
from engine.encoders.tfidf import TfidfEncoder
from engine.research.__main__ import main
from engine.research.bench.retrieving import Plan, Source, encode_kept, measure_retrieval, read_sets
from engine.vectors import VectorIndex, binary
from engine.vectors.binary import BinarySettings
from engine.vectors.codes import CodeSettings
from tests.research.bench.many_texts import ENCODER, texts


def test_real_rows_come_first_and_made_ones_lie_between_two_of_them(real: VectorIndex) -> None:
    source = Source(real, real.ids[:50])
    batches = list(source.batches(40, 170))
    names = [name for names, _ in batches for name in names]
    rows = np.concatenate([rows for _, rows in batches])
    assert names == [*real.ids[40:50], *(f"made:{number}" for number in range(50, 170))]
    np.testing.assert_array_equal(rows[:10], real.rows(names[:10]))
    held = np.asarray(real.rows(source.ids))
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-3)
    assert (rows[10:] @ held.T).max() < 1 - 1e-4
    parents = held[np.arange(50, 170) % 50]
    assert ((rows[10:] * parents).sum(axis=1) > (rows[10:] @ held.T).mean(axis=1)).all()
    again = np.concatenate([rows for _, rows in source.batches(40, 170)])
    np.testing.assert_array_equal(again, rows)


def test_rows_are_kept_and_only_missing_documents_are_encoded(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder, encoded = registry.load(ENCODER), []
    whole = encoder.encode_documents
    monkeypatch.setattr(encoder, "encode_documents", lambda some: encoded.append(len(some)) or whole(some))
    for names, held in ((["one"], 60), (["one", "two"], 120), (["two"], 120)):
        assert len(encode_kept(encoder, read_sets(data, names), tmp_path / "kept")) == held
    assert encoded == [60, 60]


@pytest.fixture
def _eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes from fifty rows on."""
    settings = BinarySettings(candidates=200, rerank=40, fewest=50, codes=CodeSettings(code_bits=64))
    monkeypatch.setattr(binary, "BinarySettings", lambda: settings)


@pytest.mark.usefixtures("_eager")
def test_sizes_are_measured_one_after_another(real: VectorIndex) -> None:
    encoder = registry.load(ENCODER)
    report = measure_retrieval(encoder, real, Plan([30, 70, 200], queries=10, k=3), source="one, two")
    assert [(size.documents, size.real, size.made) for size in report.sizes] == [
        (30, 30, 0),
        (70, 70, 0),
        (200, 90, 110),
    ]
    few, some, many = report.sizes
    assert (few.recall, few.code_bytes, few.table_bytes, few.candidates.p50) == (1, 0, 0, 30)
    assert few.times_the_size_before is None
    for size in (some, many):
        assert size.recall >= 0.5
        assert size.code_bytes == 8
        assert size.table_bytes > 16
        assert 3 < size.candidates.p50 <= size.candidates.max <= min(200, size.documents)
        assert size.times_the_size_before is not None
        assert size.times_the_size_before > 0
    assert all(0 <= size.milliseconds.p50 <= size.milliseconds.p95 <= size.milliseconds.max for size in report.sizes)
    value = report.as_json()
    assert value["fingerprint"] == encoder.card.fingerprint
    assert (report.settings["candidates"], report.settings["codes"]["code_bits"]) == (200, 64)  # type: ignore[index]
    assert "a point between a real row and one of its 10 nearest" in str(value["made_of"])


def test_codes_are_made_from_the_number_of_documents_that_is_asked_for(real: VectorIndex) -> None:
    encoder = registry.load(ENCODER)
    for codes_from, code_bytes, fewest in ((None, 0, 20_000), (40, 40, 40)):
        plan = Plan([30, 80], queries=10, k=3, codes_from=codes_from)
        report = measure_retrieval(encoder, real, plan, source="one, two")
        assert [size.code_bytes for size in report.sizes] == [0, code_bytes]
        assert report.settings["fewest"] == fewest


def test_what_cannot_be_measured_is_told(data: Path, real: VectorIndex, tmp_path: Path) -> None:
    encoder = registry.load(ENCODER)
    with pytest.raises(EvaluationError, match=r"Expected corpus\.parquet in .*three; it is missing"):
        read_sets(data, ["one", "three"])
    with pytest.raises(EvaluationError, match="Expected an encoder of dense rows, got tfidf of sparse ones"):
        encode_kept(TfidfEncoder.fit(texts(8)), texts(8), tmp_path / "sparse")
    with pytest.raises(EvaluationError, match="Expected more than 121 real documents for 100 queries and 20 to warm"):
        measure_retrieval(encoder, real, Plan([5], queries=100), source="one")
    for plan in (
        {"sizes": []},
        {"sizes": [5, 5]},
        {"sizes": [5], "queries": 0},
        {"sizes": [0, 5]},
        {"sizes": [5], "codes_from": 0},
    ):
        with pytest.raises(EvaluationError, match="Expected sizes of at least 1 in rising order"):
            Plan(**plan)  # type: ignore[arg-type]


def test_the_command_prints_and_saves_the_report(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved, common = tmp_path / "report.json", ["bench", "retrieve", "--data", str(data), "--encoder", ENCODER]
    given = [*common, "--sets", "one, two", "--sizes", "20,110", "--queries", "5", "--cache", str(tmp_path / "cache")]
    assert main([*given, "--save", str(saved)]) == 0
    printed = capsys.readouterr().out
    assert "5 documents of one, two ask, one at a time, for 10; encoder word2vec-mean" in printed
    value = json.loads(saved.read_text())
    assert [size["made"] for size in value["sizes"]] == [0, 15]
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [value["fingerprint"]]
    assert main([*given, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["source"] == "one, two"
    assert main([*common, "--sizes", "20,many"]) != 0
    assert "Expected whole numbers separated by commas for --sizes, got '20,many'" in capsys.readouterr().err

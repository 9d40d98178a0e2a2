"""What the speed of comparing and of retrieving is measured on."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.compare import Words
from engine.encoders import registry
from engine.research.bench.retrieving import encode_kept, read_sets
from engine.search import Vocabulary, sentence_words
from engine.vectors import VectorIndex
from tests.evaluation.small import write_table
from tests.research.bench.many_texts import ENCODER, texts


@pytest.fixture(scope="module")
def words() -> Words:
    return Words(Vocabulary({}, 1_000), "Our own counts.", 1_000, sentence_words())


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name, seed in (("one", 1), ("two", 2)):
        (tmp_path / "data" / name).mkdir(parents=True)
        write_table(tmp_path / "data" / name / "corpus.parquet", texts(60, seed=seed))
    return tmp_path / "data"


@pytest.fixture
def real(data: Path, tmp_path: Path) -> VectorIndex:
    return encode_kept(registry.load(ENCODER), read_sets(data, ["one", "two"]), tmp_path / "kept")

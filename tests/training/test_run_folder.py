"""A finished run takes another reduction without training again, because that is fitted afterwards."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.encoders.ctpe.encoder import CtpeEncoder
from engine.errors import TrainingError
from engine.training.ctpe import trainer
from tests.contracts.encoder import corpus
from tests.training.small import recipe, write_data


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("training") / "data", documents=corpus())


def train(data: Path, run: Path, *settings: str, resume: bool = False) -> CtpeEncoder:
    encoder = trainer.train(recipe(data, *settings), trainer.Folders(data, run, data / "cache"), resume=resume)
    assert encoder is not None
    return encoder


def test_a_finished_run_can_be_reduced_anew(data: Path, tmp_path: Path) -> None:
    whole = train(data, tmp_path / "run", "schedule.epochs=1", "reduction.dim=0")
    small = train(
        data, tmp_path / "run", "schedule.epochs=1", "reduction.dim=4", "reduction.centred=false", resume=True
    )
    assert small.card.dim == 2 * 4 < whole.card.dim
    for one, other in zip(
        whole.encode_halves(corpus()), small.with_reduction(None).encode_halves(corpus()), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_a_learnt_reduction_is_part_of_the_training(data: Path, tmp_path: Path) -> None:
    train(data, tmp_path / "run", "schedule.epochs=1", "reduction.dim=4", "reduction.kind=learnt")
    with pytest.raises(TrainingError, match=r"but these differ: reduction\.dim"):
        train(data, tmp_path / "run", "schedule.epochs=1", "reduction.dim=6", "reduction.kind=learnt", resume=True)

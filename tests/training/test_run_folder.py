"""What a run folder says of its run: what it begins with, and what may change when it goes on."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import InputError, TrainingError
from engine.encoders import registry
from engine.encoders.ctpe import CtpeEncoder
from engine.training.ctpe import trainer
from engine.training.run_folder import RUN, open_words, source_digests
from tests.contracts.encoder import corpus
from tests.training.small import recipe, word_vectors, write_data


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


def test_folders_are_told_apart_by_their_weights(tmp_path: Path) -> None:
    vectors = word_vectors()
    vectors.save(tmp_path / "one")
    vectors.save(tmp_path / "same")
    vectors.vectors[:] = np.flip(vectors.vectors, axis=1)
    vectors.save(tmp_path / "other")
    one, same, other = (
        source_digests({"data": {"words": str(tmp_path / name), "corpora": ["ours"]}, "seed": 1})
        for name in ("one", "same", "other")
    )
    assert list(one) == ["data.words"] and one == same != other


def test_shipped_vectors_and_names_without_a_folder() -> None:
    assert (registry.PRETRAINED / "word2vec").is_dir()
    found = source_digests({"vectors": {"source": "word2vec"}, "backbone": {"source": "nobody/such-model"}})
    assert list(found) == ["vectors.source"]


def test_a_run_that_was_refused_leaves_its_folder_free(tmp_path: Path) -> None:
    data, run = write_data(tmp_path / "data"), tmp_path / "run"
    with pytest.raises(InputError, match="Expected word vectors in nowhere"):
        train(data, run, "schedule.epochs=1", "network.source=nowhere")
    assert [path.name for path in run.iterdir()] == [RUN]
    train(data, run, "schedule.epochs=1")
    assert json.loads((run / RUN).read_text())["recipe"]["network"]["source"] != "nowhere"
    with pytest.raises(TrainingError, match="Expected a new run folder"):
        train(data, run, "schedule.epochs=1")


def test_a_run_whose_recipe_had_keys_that_went_goes_on_where_they_changed_nothing(tmp_path: Path) -> None:
    data, run = write_data(tmp_path / "data"), tmp_path / "run"
    train(data, run, "schedule.epochs=1")
    held = json.loads((run / RUN).read_text())
    for straight in (0.0, 0.5):
        held["recipe"]["objective"]["straight"] = straight
        held["recipe"]["pairs"]["fresh_cuts"] = []
        (run / RUN).write_text(json.dumps(held))
        if straight:
            with pytest.raises(TrainingError, match=r"unknown key objective\.straight"):
                train(data, run, "schedule.epochs=1", resume=True)
        else:
            train(data, run, "schedule.epochs=1", resume=True)


def test_a_run_does_not_go_on_over_other_word_vectors(tmp_path: Path) -> None:
    data, run = write_data(tmp_path / "data"), tmp_path / "run"
    folders = trainer.Folders(data, run, data / "cache")
    assert trainer.train(recipe(data, "schedule.epochs=1"), folders) is not None
    held = json.loads((run / RUN).read_text())
    assert list(held["sources"]) == ["network.source"]
    assert trainer.train(recipe(data, "schedule.epochs=1"), folders, resume=True) is not None
    vectors = word_vectors()
    vectors.vectors[:] = -vectors.vectors
    vectors.save(data / "words")
    with pytest.raises(TrainingError, match=r"but these differ: what lies in network\.source\. Put them back"):
        trainer.train(recipe(data, "schedule.epochs=1"), folders, resume=True)
    (run / RUN).write_text(json.dumps({key: value for key, value in held.items() if key != "sources"}))
    assert trainer.train(recipe(data, "schedule.epochs=1"), folders, resume=True) is not None  # a run of earlier days


def test_words_are_found_among_the_shipped_ones_and_at_a_path(tmp_path: Path) -> None:
    assert open_words("word2vec").vectors.shape[1] == 100
    word_vectors().save(tmp_path / "mine")
    assert open_words(str(tmp_path / "mine")).card == word_vectors().card


def test_a_folder_that_is_not_there_is_told() -> None:
    with pytest.raises(InputError, match=r"Expected word vectors in nowhere, a folder of pretrained/ or a path"):
        open_words("nowhere")

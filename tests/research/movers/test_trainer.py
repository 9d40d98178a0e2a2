"""Supervised word mover's distance, trained by its recipe: it beats the plain one and reads no query."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import InputError
from engine.evaluation import load_benchmark, measure_systems
from engine.research.baselines.rows import ROWS
from engine.research.movers.encoder import SupervisedMoverEncoder
from engine.research.movers.trainer import train
from engine.research.train import RECIPES
from engine.training import Folders
from tests.research.movers.small import NOISE, recipe, write_subjects


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_subjects(tmp_path_factory.mktemp("movers") / "data")


@pytest.fixture(scope="module")
def learnt(data: Path) -> SupervisedMoverEncoder:
    return train(recipe(data), Folders(data, data.parent / "run", data.parent / "cache"))


def test_it_beats_plain_word_movers_distance_on_queries_that_were_not_read(
    data: Path, learnt: SupervisedMoverEncoder, tmp_path: Path
) -> None:
    learnt.save(tmp_path / "learnt")
    benchmark = load_benchmark(data / "asked")
    rows = [f"wmd(plain)={data / 'words'}", f"wmd(swmd)={tmp_path / 'learnt'}"]
    plain, ours = (measure_systems(benchmark, row, rows=ROWS).metrics["nDCG@10"] for row in rows)
    assert plain < 0.6 < 0.85 < ours


def test_words_that_any_text_says_weigh_less(learnt: SupervisedMoverEncoder) -> None:
    weights = learnt.moved_words.weights
    assert weights[-NOISE:].mean() < 0.7 * weights[:-NOISE].mean()


def test_the_loss_falls_and_facts_say_what_was_read(learnt: SupervisedMoverEncoder) -> None:
    curve = learnt.facts["curve"]
    assert curve[-1]["loss"] < curve[0]["loss"]
    assert (learnt.facts["documents"], learnt.facts["subjects"]) == (80, 4)
    assert learnt.card.trained_on == ("ours",)


def test_a_benchmarks_queries_are_left_out(data: Path, tmp_path: Path) -> None:
    queries = data / "asked" / "queries.parquet"
    kept = queries.read_bytes()
    try:
        queries.write_bytes((data / "ours" / "corpus.parquet").read_bytes())  # all that is trained on asks
        with pytest.raises(InputError, match="Expected at least 4 sets of categories"):
            train(recipe(data), Folders(data, tmp_path / "run", tmp_path / "cache"))
    finally:
        queries.write_bytes(kept)


def test_a_run_that_was_broken_off_goes_on_to_the_same_words(
    data: Path, learnt: SupervisedMoverEncoder, tmp_path: Path
) -> None:
    folders = Folders(data, tmp_path / "run", tmp_path / "cache")
    calls: list[int] = []

    def score(_: SupervisedMoverEncoder) -> dict[str, float]:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return {}

    with pytest.raises(KeyboardInterrupt):
        train(recipe(data), folders, score=score)
    again = train(recipe(data), folders, resume=True)
    np.testing.assert_array_equal(again.moved_words.vectors, learnt.moved_words.vectors)
    np.testing.assert_array_equal(again.moved_words.weights, learnt.moved_words.weights)


def test_the_recipe_of_the_command_reads_what_it_names() -> None:
    made = RECIPES.load("swmd")
    assert made.method == "swmd" and made.network.dim == 100
    assert made.data.corpora == ("arxiv-abstracts", "patents-citation")
    assert RECIPES.epochs_of(made) == "scored"

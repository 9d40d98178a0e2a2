"""A run of training: the loop, on a line through points, its checkpoints and folder, and recipes by name."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from torch import Tensor, nn

from engine.core import files
from engine.core.errors import ConfigError, InputError, StorageError, TrainingError
from engine.core.progress import Progress, Report, silent
from engine.encoders import WordVectors, registry
from engine.encoders.ctpe import CtpeEncoder
from engine.training import loop, runs
from engine.training.checkpoints import Checkpoints, Standing
from engine.training.ctpe import trainer
from engine.training.ctpe.recipe import CtpeRecipe
from engine.training.loop import ALONE, Processes, Surroundings, adam, fit
from engine.training.run_folder import RUN, Folders, open_words, source_digests
from engine.training.runs import SHIPPED, Recipes
from engine.training.settings import ScheduleSettings
from tests.conftest import PROJECT
from tests.contracts.encoder import corpus
from tests.training.small import cdssm_recipe, recipe, word_vectors, write_data
from tests.training.two_processes import RUNS, main

STEPS = 3


class Line:
    """A task: find the line that points lie on, from batches drawn again each epoch."""

    def __init__(self, *, breaks_at: int | None = None, rate: float = 0.05) -> None:
        torch.manual_seed(3)
        self._line, self._rate, self._left = nn.Linear(2, 1), rate, breaks_at

    @property
    def model(self) -> nn.Module:
        return self._line

    def groups(self) -> list[dict[str, Any]]:
        return [{"params": list(self._line.parameters()), "lr": self._rate}]

    def steps(self) -> int:
        return STEPS

    def batches(self, epoch: int) -> Sequence[Tensor]:
        generator = torch.Generator().manual_seed(epoch)
        return [torch.randn(4, 2, generator=generator) for _ in range(STEPS)]

    def loss(self, batch: Tensor) -> Tensor:
        if self._left is not None:
            if not self._left:
                raise KeyboardInterrupt
            self._left -= 1
        wanted = batch @ torch.tensor([[2.0], [-1.0]]) + 0.5
        return ((self._line(batch).float() - wanted) ** 2).mean()


def around(folder: Path, *, report: Report = silent) -> Surroundings:
    return Surroundings(Checkpoints(folder), torch.device("cpu"), report=report)


EPOCHS = ScheduleSettings(epochs=3, decay="linear", warmup=2, checkpoint_minutes=0)


def weights(task: Line) -> list[float]:
    return [value for parameter in task.model.parameters() for value in parameter.flatten().tolist()]


def test_the_loss_falls_and_the_curve_is_kept(tmp_path: Path) -> None:
    standing = fit(Line(rate=0.2), ScheduleSettings(epochs=8), around(tmp_path))
    losses = [record.loss for record in standing.history]
    assert len(losses) == 8
    assert losses[-1] < losses[0] / 5
    assert [record["loss"] for record in json.loads((tmp_path / "curve.json").read_text())] == losses


@pytest.mark.parametrize("breaks_at", [1, 3, 5, 8])
def test_a_broken_run_goes_on_to_the_same_weights(breaks_at: int, tmp_path: Path) -> None:
    whole, broken, resumed = Line(), Line(breaks_at=breaks_at), Line()
    straight_through = fit(whole, EPOCHS, around(tmp_path / "whole"))
    with pytest.raises(KeyboardInterrupt):
        fit(broken, EPOCHS, around(tmp_path / "broken"))
    state = json.loads((tmp_path / "broken" / "checkpoint" / "state.json").read_text())
    assert STEPS * state["standing"]["epoch"] + state["standing"]["step"] == breaks_at
    taken_up = fit(resumed, EPOCHS, around(tmp_path / "broken"))
    assert weights(resumed) == weights(whole)
    assert [record.loss for record in taken_up.history] == [record.loss for record in straight_through.history]


def test_a_finished_run_is_not_trained_again(tmp_path: Path) -> None:
    first = fit(Line(), EPOCHS, around(tmp_path))
    again = Line(breaks_at=0)
    assert fit(again, EPOCHS, around(tmp_path)) == first


def test_more_epochs_go_on_from_the_last_weights_not_the_best(tmp_path: Path) -> None:
    scores = iter([0.9, 0.1])
    fit(Line(), ScheduleSettings(epochs=2), around(tmp_path / "a"), score=lambda: {"x": next(scores)})
    further = Line()
    fit(further, ScheduleSettings(epochs=3), around(tmp_path / "a"), score=lambda: {"x": 1.0})
    whole = Line()
    fit(whole, ScheduleSettings(epochs=3), around(tmp_path / "b"))
    assert weights(further) == weights(whole)


def scored(values: Iterator[float]) -> Mapping[str, float]:
    value = next(values)
    return {"one": value, "two": value / 2}


def test_training_stops_when_nothing_gets_better_and_keeps_the_best(tmp_path: Path) -> None:
    at_epoch: list[list[float]] = []
    task, values = Line(), iter([0.1, 0.3, 0.3, 0.2, 0.9])

    def score() -> Mapping[str, float]:
        at_epoch.append(weights(task))
        return scored(values)

    standing = fit(task, ScheduleSettings(epochs=9, patience=2), around(tmp_path), score=score)
    assert (standing.epoch, standing.best) == (4, 2)
    assert weights(task) == at_epoch[1]
    assert standing.history[0].scores == {"one": 0.1, "two": 0.05}


def test_without_scores_the_least_loss_is_best(tmp_path: Path) -> None:
    standing = fit(Line(rate=3.0), ScheduleSettings(epochs=40, patience=1), around(tmp_path))
    losses = [record.loss for record in standing.history]
    assert losses[standing.best - 1] == min(losses)
    assert len(losses) == standing.best + 1 < 40


def test_no_epochs_leave_the_weights_alone(tmp_path: Path) -> None:
    standing = fit(Line(), ScheduleSettings(epochs=0), around(tmp_path))
    assert standing == Standing()


def test_progress_counts_the_steps_that_are_left(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        fit(Line(breaks_at=7), EPOCHS, around(tmp_path))
    reports: list[Progress] = []
    fit(Line(), EPOCHS, around(tmp_path, report=reports.append))
    assert (reports[-1].stage, reports[-1].done, reports[-1].total) == ("train, steps", 2, 2)


@pytest.mark.parametrize("minutes", [0, 10])
def test_a_loss_that_is_no_number_is_told_and_not_kept(minutes: float, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"Expected a loss that is a number, got (nan|inf) in epoch 1\. Train with"):
        fit(Line(rate=1e30), ScheduleSettings(epochs=2, checkpoint_minutes=minutes), around(tmp_path))
    state = tmp_path / "checkpoint" / "state.json"
    assert not state.exists() or json.loads(state.read_text())["standing"]["epoch"] == 0


def test_decay_takes_its_share_and_no_more_of_weights_that_nothing_moves() -> None:
    decayed, kept = (torch.nn.Parameter(torch.full((3,), 2.0)) for _ in range(2))
    optimizer = adam([{"params": [decayed], "lr": 0.1, "weight_decay": 0.01}, {"params": [kept], "lr": 0.1}])
    for parameter in (decayed, kept):
        parameter.grad = torch.zeros(3)
    optimizer.step()
    torch.testing.assert_close(decayed.data, torch.full((3,), 2 * (1 - 0.1 * 0.01)))
    torch.testing.assert_close(kept.data, torch.full((3,), 2.0))


SECONDS = 300  # two more processes load torch: seconds, but minutes on a machine that has other work


def free_ports(count: int) -> list[str]:
    with ExitStack() as stack:
        servers = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [str(server.getsockname()[1]) for server in servers]


def in_two_processes(data: Path, runs: Path) -> None:
    """What torchrun does on one machine: a rank, the number of processes, and where they meet, in the environment."""
    shared = {
        "WORLD_SIZE": "2",
        "MASTER_ADDR": "127.0.0.1",
        "PORTS": ",".join(free_ports(len(RUNS))),
        "OMP_NUM_THREADS": "1",
    }
    shared["GLOO_SOCKET_IFNAME"] = "lo"  # no name of this machine is looked up
    command = [sys.executable, "-m", "tests.training.two_processes", str(data), str(runs)]
    started = [
        subprocess.Popen(command, cwd=PROJECT, env=os.environ | shared | {"RANK": rank, "LOCAL_RANK": rank})
        for rank in ("0", "1")
    ]
    try:
        assert [one.wait(timeout=SECONDS) for one in started] == [0, 0]
    finally:
        for one in started:
            one.kill()
            one.wait()


@pytest.mark.timeout(SECONDS + 60)
def test_two_processes_give_the_losses_and_weights_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MASTER_PORT", "0")  # main sets it; the old one comes back in the end
    data = write_data(tmp_path / "data")
    main(data, tmp_path / "one")
    main(data, tmp_path / "start", "schedule.epochs=1", "optimizer.learning_rate=1e-9")
    in_two_processes(data, tmp_path / "two")
    for run in RUNS:
        curves = [json.loads((tmp_path / count / run / "curve.json").read_text()) for count in ("one", "two")]
        one, two = ([record["loss"] for record in curve] for curve in curves)
        assert one == pytest.approx(two, rel=1e-5), run
        weights = [load_file(tmp_path / count / run / "checkpoint" / "model.safetensors") for count in ("one", "two")]
        start = load_file(tmp_path / "start" / run / "checkpoint" / "model.safetensors")
        for name, array in weights[0].items():
            moved = np.abs(array - start[name]).mean()
            assert np.abs(array - weights[1][name]).mean() < 1e-3 * moved, (run, name)
        assert json.loads((tmp_path / "two" / run / "run.json").read_text())["seed"] == 1


def test_one_process_alone_passes_everything_through() -> None:
    value = object()
    assert ALONE.gathered(value, 3) is value  # type: ignore[arg-type]
    assert ALONE.agreed(value) is value
    assert (ALONE.is_first, Processes(1, 2).is_first) == (True, False)


def test_without_torchrun_there_is_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    with loop.joined("cpu") as (found, device):
        assert (found, str(device)) == (ALONE, "cpu")


def test_a_damaged_checkpoint_is_told(tmp_path: Path) -> None:
    fit(Line(), EPOCHS, around(tmp_path))
    path = tmp_path / "checkpoint" / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-4] + b"\0\0\0\1")
    with pytest.raises(StorageError, match="damaged"):
        fit(Line(), EPOCHS, around(tmp_path))
    files.write_json(tmp_path / "checkpoint" / "state.json", {"standing": {"epoch": 1}})
    with pytest.raises(StorageError, match=r"Expected a checkpoint in .*, found another file: .*\. Train again\."):
        fit(Line(), EPOCHS, around(tmp_path))


def test_another_models_checkpoint_is_refused(tmp_path: Path) -> None:
    fit(Line(), EPOCHS, around(tmp_path))
    state = json.loads((tmp_path / "checkpoint" / "state.json").read_text())
    arrays = {"weight": np.zeros((1, 3), np.float32), "bias": np.zeros(1, np.float32)}
    state["sha256"]["model.safetensors"] = files.write_arrays(tmp_path / "checkpoint" / "model.safetensors", arrays)
    files.write_json(tmp_path / "checkpoint" / "state.json", state)
    with pytest.raises(StorageError, match=r"Expected weights of the shapes .*\(1, 2\).*, found .*\(1, 3\)"):
        fit(Line(), EPOCHS, around(tmp_path))


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


@pytest.mark.parametrize("name", SHIPPED.names())
def test_every_recipe_loads_and_gives_the_command_that_runs_it(name: str) -> None:
    assert SHIPPED.load(name).method in SHIPPED.methods
    assert f"\n# priorscope train {name} --data DIR --out " in (runs.FOLDER / f"{name}.toml").read_text()


def test_settings_are_put_over_a_recipe() -> None:
    settings = ["optimizer.learning_rate=5e-4", "objective.kind=softmax", "data.corpora=['a']", "pairs.position=30%"]
    made = SHIPPED.load("ctpe-paper", settings)
    assert isinstance(made, CtpeRecipe)
    assert (made.optimizer.learning_rate, made.objective.kind) == (5e-4, "softmax")
    assert (made.data.corpora, made.pairs.position) == (("a",), "30%")


def test_a_recipe_may_be_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('method = "ctpe"\n[data]\ncorpora = ["a"]\n[schedule]\nepochs = 1\n')
    made = SHIPPED.load(str(path), ["related.files=[{corpus = 'a', pairs = 'p.tsv'}]"])
    assert isinstance(made, CtpeRecipe)
    assert made.related.files[0].pairs == "p.tsv"
    with pytest.raises(ConfigError, match="Expected a TOML file at"):
        SHIPPED.load(str(tmp_path / "none.toml"))


def test_an_unknown_method_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    known = ", ".join(map(repr, SHIPPED.methods))
    for content, told in (('method = "bert"', "got 'bert'"), ("", "got ''")):
        path.write_text(content)
        with pytest.raises(
            ConfigError,
            match=rf"mine\.toml: method must be one of {known}, {told}\.$",
        ):
            SHIPPED.load(str(path))


def test_unknown_keys_and_wrong_values_are_all_named() -> None:
    with pytest.raises(ConfigError) as caught:
        SHIPPED.load("ctpe-paper", ["optimizer.lr=1", "objective.kind=hinge", "schedule.epochs=few", "sed=1"])
    for part in (
        "unknown key optimizer.lr (known: batch, learning_rate",
        "objective.kind must be one of 'margin', 'softmax', got 'hinge'",
        "schedule.epochs must be int, got 'few'",
        "unknown key sed",
    ):
        assert part in str(caught.value)


def test_word_vectors_of_a_length_are_trained_first_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write_data(tmp_path / "data")
    words = 'method = "word2vec"\ncorpora = ["ours"]\nmin_count = 2\nworkers = 1\nepochs = 1\n'
    (tmp_path / "mine.toml").write_text(words)
    wanted = ["vectors.dim=5", f"vectors.recipe={tmp_path / 'mine.toml'}", "schedule.epochs=0"]
    trained = []
    whole = Recipes.train_words
    monkeypatch.setattr(
        Recipes, "train_words", lambda self, *given, **more: trained.append(given[0]) or whole(self, *given, **more)
    )
    for run, more in (("one", []), ("two", []), ("letters", ["network.words=trigrams"])):
        folders = Folders(data, tmp_path / run, tmp_path / "cache")
        encoder = SHIPPED.train(cdssm_recipe(data, "network.words=vectors", *wanted, *more), folders)
        dim = 0 if more else 5
        assert encoder.facts["recipe"]["vectors"]["dim"] == 5
        assert encoder.facts["recipe"]["vectors"]["source"] == str(data / "words")  # as given, not in the cache
        assert (len(encoder.encode_documents(corpus()).any(axis=1)), encoder._weights.settings["vector_dim"]) == (
            40,
            dim,
        )
    assert [one.dim for one in trained] == [5]  # not for letters, which read no word vectors
    (kept,) = (tmp_path / "cache").glob("mine-*[!k]")
    assert WordVectors.load(kept).vectors.shape[1] == 5


def test_word_vectors_are_not_trained_by_an_encoders_recipe(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"Expected a recipe of word vectors, got one of ctpe\. Name word2vec-full"):
        SHIPPED.keep_words(SHIPPED.load("ctpe-cpu"), tmp_path, tmp_path / "words")


def test_the_rate_rises_then_falls() -> None:
    linear = ScheduleSettings(epochs=1, decay="linear", warmup=4, lowest=0.15)
    assert [linear.rate_at(step, 10) for step in range(10)] == pytest.approx(
        [0.25, 0.45, 0.6, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15]
    )
    assert ScheduleSettings(epochs=1).rate_at(7, 10) == 1.0
    assert ScheduleSettings(epochs=1, warmup=4).rate_at(1, 10) == 0.5

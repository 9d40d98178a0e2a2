"""The loop on a line through points: what it learns, when it stops, how it goes on, and how two processes share it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from engine.core.errors import TrainingError
from engine.core.progress import Progress
from engine.training import loop
from engine.training.checkpoints import Standing
from engine.training.loop import ALONE, Processes, adam, fit
from engine.training.settings import ScheduleSettings
from tests.conftest import PROJECT
from tests.training.line import EPOCHS, STEPS, Line, around
from tests.training.small import write_data
from tests.training.two_processes import RUNS, main


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

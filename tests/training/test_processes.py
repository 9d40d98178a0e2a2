"""Two processes train what one trains: the same losses, the same weights."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from engine.training import processes
from engine.training.processes import ALONE, Processes
from tests.conftest import PROJECT
from tests.training.small import write_data
from tests.training.two_processes import main


def in_two_processes(data: Path, run: Path, settings: list[str]) -> None:
    """What torchrun does on one machine: a rank, the number of processes, and where they meet, in the environment."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    shared = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.training.two_processes", str(data), str(run), *settings]
    started = [
        subprocess.Popen(
            command, cwd=PROJECT, env={"PATH": "/usr/bin:/bin", **shared, "RANK": rank, "LOCAL_RANK": rank}
        )
        for rank in ("0", "1")
    ]
    try:
        assert [one.wait(timeout=150) for one in started] == [0, 0]
    finally:
        for one in started:
            one.kill()


@pytest.mark.parametrize(
    "settings",
    [
        ["objective.kind=softmax", "objective.straight=0.3"],
        ["objective.margin=1", "objective.word_dropout=0.2", "network.train_words=true"],
    ],
    ids=["softmax", "margin"],
)
def test_two_processes_give_the_losses_and_weights_of_one(settings: list[str], tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    settings = [*settings, "optimizer.batch=7"]  # an odd batch, so that the shares differ in length
    main(data, tmp_path / "one", settings)
    in_two_processes(data, tmp_path / "two", settings)
    curves = [json.loads((tmp_path / name / "curve.json").read_text()) for name in ("one", "two")]
    losses = [[record["loss"] for record in curve] for curve in curves]
    assert losses[0] == pytest.approx(losses[1], rel=2e-3)
    one, two = (load_file(tmp_path / name / "checkpoint" / "model.safetensors") for name in ("one", "two"))
    untrained = tmp_path / "untrained"
    main(data, untrained, [*settings, "schedule.epochs=1", "optimizer.learning_rate=1e-9"])
    start = load_file(untrained / "checkpoint" / "model.safetensors")
    for name, weights in one.items():
        moved = np.abs(weights - start[name]).mean()
        assert np.abs(weights - two[name]).mean() < 0.05 * moved, name
    assert json.loads((tmp_path / "two" / "run.json").read_text())["recipe"]["seed"] == 1


def test_one_process_alone_passes_everything_through() -> None:
    value = object()
    assert ALONE.gathered(value, 3) is value  # type: ignore[arg-type]
    assert ALONE.agreed(value) is value
    assert (ALONE.is_first, Processes(1, 2).is_first) == (True, False)


def test_without_torchrun_there_is_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    with processes.joined("cpu") as (found, device):
        assert (found, str(device)) == (ALONE, "cpu")

"""Two processes train what one trains: the same losses, the same weights."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from engine.training import processes
from engine.training.processes import ALONE, Processes
from tests.conftest import PROJECT
from tests.training.small import write_data
from tests.training.two_processes import RUNS, main

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
    with processes.joined("cpu") as (found, device):
        assert (found, str(device)) == (ALONE, "cpu")

"""The process beside this one: what it is asked and answers, and how it ends."""

from __future__ import annotations

import io
import queue
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.core.worker_process import WorkerProcess, receive, send

ECHO = """
import sys
from engine.core.worker_process import receive, send

def serve():
    while (part := receive(sys.stdin.buffer)) is not None:
        send(sys.stdout.buffer, part[::-1])
"""


@pytest.fixture
def process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WorkerProcess]:
    """A process that sends every part back, turned round."""
    (tmp_path / "turning_round.py").write_text(ECHO)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    made = WorkerProcess("turning_round")
    yield made
    made.stop()


def test_parts_go_there_and_come_back(process: WorkerProcess) -> None:
    process.ask(b"abc", b"", bytes(range(256)) * 1000)
    assert [process.answer(seconds=60) for _ in range(3)] == [b"cba", b"", bytes(range(255, -1, -1)) * 1000]
    with pytest.raises(queue.Empty):
        process.answer(seconds=0.01)


def test_one_that_ended_answers_none_and_takes_nothing(process: WorkerProcess) -> None:
    process.process.kill()
    assert process.answer(seconds=60) is None
    process.process.wait()
    with pytest.raises(OSError):
        process.ask(b"x" * 1_000_000)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
def test_an_interruption_of_the_program_is_left_to_the_program(process: WorkerProcess) -> None:
    process.ask(b"ab")
    assert process.answer(seconds=60) == b"ba"
    process.process.send_signal(signal.SIGINT)
    process.ask(b"cd")
    assert process.answer(seconds=60) == b"dc"


def test_half_a_part_is_none() -> None:
    pipe = io.BytesIO()
    send(pipe, b"whole")
    whole = pipe.getvalue()
    assert receive(io.BytesIO(whole)) == b"whole"
    assert [receive(io.BytesIO(whole[:cut])) for cut in (0, 4, 10)] == [None, None, None]

"""Worker processes, products on one thread and on all again, and how seldom dead objects are looked for."""

from __future__ import annotations

import gc
import io
import queue
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from threadpoolctl import threadpool_info

from engine.core import processes
from engine.core.processes import NEW_OBJECTS, OneBlasThread, WorkerProcess, collect_seldom, receive, send
from engine.vectors import exact, open_index


def blas_threads() -> list[int]:
    """The threads of numpy's own products; other packages bring libraries of their own, some of them later."""
    own = Path(np.__file__).parent.name
    libraries = [
        one for one in threadpool_info() if one["user_api"] == "blas" and own in Path(one["filepath"]).parent.name
    ]
    return [int(one["num_threads"]) for one in libraries]


def test_the_last_one_out_puts_back_what_was_before() -> None:
    before, limit = blas_threads(), OneBlasThread()
    assert before
    with limit:
        with limit:
            assert blas_threads() == [1] * len(before)
        assert blas_threads() == [1] * len(before)
    assert blas_threads() == before
    with pytest.raises(ZeroDivisionError), limit:
        raise ZeroDivisionError
    assert blas_threads() == before


def test_one_query_takes_one_thread_and_finds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(0).normal(size=(3_000, 40)).astype(np.float32)
    index = open_index(tmp_path / "index", fingerprint="f", dim=40, kind="embedded", precision="int8")
    index.add([f"d{n}" for n in range(len(rows))], rows)
    limit = OneBlasThread()
    monkeypatch.setattr(exact, "ONE_BLAS_THREAD", limit)
    seen: list[int] = []
    products = exact.PackedRows.products
    monkeypatch.setattr(
        exact.PackedRows, "products", lambda held, queries: seen.append(limit._inside) or products(held, queries)
    )
    alone = [index.search(rows[n : n + 1], 5)[0] for n in range(3)]
    together = index.search(rows[:3], 5)
    assert seen == [1, 1, 1, 0]
    assert [[hit.id for hit in one] for one in alone] == [[hit.id for hit in one] for one in together]


def test_torch_takes_one_thread_for_the_while_only() -> None:
    with processes.one_torch_thread():
        pass  # another test's thread may have had one when this one began: from here on it has the usual number
    before = torch.get_num_threads()
    assert before == processes._usual_torch_threads()
    with processes.one_torch_thread():
        assert torch.get_num_threads() == 1
    with processes.one_torch_thread(when=False):
        assert torch.get_num_threads() == before
    with pytest.raises(ZeroDivisionError), processes.one_torch_thread():
        raise ZeroDivisionError
    assert torch.get_num_threads() == before


def test_torch_is_not_loaded_to_be_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch")
    with processes.one_torch_thread():
        assert "torch" not in sys.modules


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_cycles_are_looked_for_seldom_and_still_found() -> None:
    gc.set_threshold(700, 10, 10)
    collect_seldom()
    assert gc.get_threshold() == (NEW_OBJECTS, 10, 10)
    assert gc.isenabled()


def test_nothing_is_looked_for_at_the_end() -> None:
    code = (
        "import atexit, gc; from engine.core.processes import collect_seldom; "
        "atexit.register(lambda: print(gc.get_freeze_count() > 0)); collect_seldom()"
    )  # the first that is registered comes last
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["True"]


ECHO = """
import sys
from engine.core.processes import receive, send

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

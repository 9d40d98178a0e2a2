"""Worker processes and what makes work quick: sorted rows, patterns compiled late, progress in counts and rates."""

from __future__ import annotations

import gc
import io
import os
import queue
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array
from threadpoolctl import threadpool_info

from engine.core import processes
from engine.core.patterns import LatePattern
from engine.core.processes import NEW_OBJECTS, OneBlasThread, WorkerProcess, collect_seldom, receive, send
from engine.core.progress import Meter, Progress, duration, silent, time_left
from engine.core.rows import both_ways, largest, unit_length, unit_length_sparse
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


@pytest.fixture
def usual_threshold() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("usual_threshold")
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


HEAPS = """
import ctypes, os, sys, threading
from engine.core.processes import share_freed_memory

if sys.argv[1] == "shared":
    share_freed_memory()
together = threading.Barrier(4)
threads = [threading.Thread(target=lambda: (bytes(1 << 16), together.wait())) for _ in range(4)]
for one in threads:
    one.start()
for one in threads:
    one.join()
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
told = ctypes.c_void_p(libc.fdopen(os.dup(1), b"w"))
libc.malloc_info(0, told)
libc.fflush(told)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the C libraries of other systems share one heap, or tell nothing")
@pytest.mark.parametrize("way", ["shared", "apart"])
def test_threads_take_memory_from_one_heap(way: str) -> None:
    run = subprocess.run([sys.executable, "-c", HEAPS, way], capture_output=True, text=True, check=True)
    assert (run.stdout.count("<heap nr=") == 1) == (way == "shared")


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


@pytest.mark.parametrize(
    ("k", "expected"), [(0, []), (1, [1]), (2, [1, 3]), (3, [1, 3, 0]), (5, [1, 3, 0, 4, 2]), (9, [1, 3, 0, 4, 2])]
)
def test_the_largest_come_first_and_of_equal_ones_the_earlier(k: int, expected: list[int]) -> None:
    scores = np.array([0.5, 0.9, -1.0, 0.9, 0.5], np.float32)
    assert largest(scores, k).tolist() == expected


def test_it_agrees_with_a_full_sort() -> None:
    scores = np.random.default_rng(0).integers(0, 20, 500).astype(np.float32)
    whole = np.argsort(-scores, kind="stable")
    for k in (1, 7, 100, 499, 500):
        assert largest(scores, k).tolist() == whole[:k].tolist()


def test_the_best_matches_of_both_sides_count_alike() -> None:
    ours = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
    theirs = np.array([[1, 0]], np.float32)
    assert both_ways(ours, theirs) == pytest.approx(((1 + 0 + 0.6) / 3 + 1) / 2)
    assert both_ways(theirs, ours) == both_ways(ours, theirs)
    assert both_ways(ours, ours) == pytest.approx(1)
    assert both_ways(ours, theirs[:0]) == both_ways(theirs[:0], ours) == 0


@pytest.mark.parametrize(
    ("best", "expected"),
    [
        (0.01, (1 + 1) / 2),
        (0.34, ((1 + 0.6) / 2 + 1) / 2),
        (0.67, ((1 + 0.6 + 0) / 3 + 1) / 2),
        (1.0, (1.6 / 3 + 1) / 2),
    ],
)
def test_the_best_share_of_each_side_counts_rounded_up(best: float, expected: float) -> None:
    ours, theirs = np.array([[0, 1], [1, 0], [0.6, 0.8]], np.float32), np.array([[1, 0]], np.float32)
    assert both_ways(ours, theirs, best=best) == pytest.approx(expected)
    assert both_ways(theirs, ours, best=best) == pytest.approx(expected)


def test_a_row_is_divided_by_its_length_and_zeros_stay() -> None:
    rows = np.array([[3, 4], [0, 0], [0, -2]], np.float32)
    for given, found in ((rows, unit_length(rows)), (csr_array(rows), unit_length_sparse(csr_array(rows)).toarray())):
        np.testing.assert_allclose(found, [[0.6, 0.8], [0, 0], [0, -1]], rtol=1e-6)
        assert found.dtype == np.float32
        assert given[[0]].sum() == 7, "the rows that were given stay as they are"
    assert unit_length(rows[:0]).shape == (0, 2)
    assert unit_length_sparse(csr_array(rows[:0])).shape == (0, 2)


def test_many_small_numbers_lose_no_length() -> None:
    rows = np.full((1, 100_000), 1e-3, np.float32)
    for found in (unit_length(rows), unit_length_sparse(csr_array(rows)).toarray()):
        np.testing.assert_allclose(np.linalg.norm(found.astype(np.float64), axis=1), 1, atol=1e-4)


def test_a_late_pattern_finds_what_the_same_pattern_finds() -> None:
    late, plain = LatePattern(r"(ab?)+", re.IGNORECASE), re.compile(r"(ab?)+", re.IGNORECASE)
    for text in ("", "ABab", "AB ab", "c ab"):
        for found, wanted in ((late.match(text), plain.match(text)), (late.fullmatch(text), plain.fullmatch(text))):
            assert (found and (found.span(), found[1])) == (wanted and (wanted.span(), wanted[1]))
        assert late.sub("-", text) == plain.sub("-", text)


def test_it_is_compiled_once_and_not_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_ = re.compile
    monkeypatch.setattr(re, "compile", lambda source, flags=0: compiled.append(source) or compile_(source, flags))
    late = LatePattern("a+")
    assert compiled == []
    assert late.match("aa") and late.match("ab")
    assert compiled == ["a+"]


def test_a_start_compiles_no_pattern_of_many_words() -> None:
    """The names of headings and the orders of authors' names are known to each command that reads files."""
    code = (
        "from engine.core.patterns import LatePattern; import engine.cli.read; "
        "import engine.search.citations.entries as entries; "
        "from engine.reading import heading_names as names; "
        "held = [one for one in (*vars(names).values(), *entries._ORDERS) if isinstance(one, LatePattern)]; "
        "print(len(held), sum('compiled' in vars(one) for one in held))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    held, compiled = map(int, run.stdout.split())
    assert held > 10 and compiled == 0


def test_rate_and_time_left() -> None:
    progress = Progress("encode", 30, 120, 10.0)
    assert progress.rate == pytest.approx(3.0)
    assert progress.seconds_left == pytest.approx(30.0)


def test_time_left_is_unknown_without_a_total_or_a_start() -> None:
    assert Progress("read", 5, None, 1.0).seconds_left is None
    assert Progress("read", 0, 10, 1.0).seconds_left is None


def test_a_meter_reports_seldom_and_at_the_end() -> None:
    seen: list[Progress] = []
    meter = Meter("count", 3, seen.append, interval_seconds=1000.0)
    for _ in range(3):
        meter.add()
    assert seen == []
    meter.finish()
    assert [(progress.done, progress.total) for progress in seen] == [(3, 3)]
    silent(seen[0])


def test_a_meter_can_say_that_it_begins() -> None:
    seen: list[Progress] = []
    Meter("count", 3, seen.append).begin()
    assert [(progress.stage, progress.done, progress.total) for progress in seen] == [("count", 0, 3)]


def test_words_stand_beside_the_count() -> None:
    seen: list[Progress] = []
    meter = Meter("count", 3, seen.append, interval_seconds=0.0)
    meter.say("12 documents")
    meter.add()
    assert [(progress.done, progress.note) for progress in seen] == [(0, "12 documents"), (1, "12 documents")]


def test_a_duration_is_said_as_people_do() -> None:
    assert [duration(seconds) for seconds in (0.2, 45, 300, 7200)] == ["under a second", "45 s", "5 min", "2.0 h"]


def test_uneven_items_tell_nothing_of_time() -> None:
    assert time_left(Progress("import files", 30, 120, 10.0)) == "about 30 s left"
    assert time_left(Progress("import files", 30, 120, 10.0, uneven=True)) == ""
    assert time_left(Progress("import files", 30, 120, 10.0, uneven=True, left=0.5)) == "under a second left"


def test_a_meter_asks_what_is_left_and_tells_its_share() -> None:
    seen: list[Progress] = []
    meter = Meter("import files", 3, seen.append, interval_seconds=0.0, left=lambda: 7.0)
    meter.reach(0.25)
    meter.add()
    assert [(one.share, one.uneven, one.seconds_left) for one in seen] == [(0.25, True, 7.0)]


def test_items_that_cost_more_count_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("engine.core.progress.time", SimpleNamespace(monotonic=lambda: now[0]))
    seen: list[Progress] = []
    meter = Meter("read", 3, seen.append, interval_seconds=0.0)
    meter.expect(3, work=100)
    meter.begin()
    for seconds, cost in ((10.0, 10), (90.0, 80), (100.0, 10)):
        now[0] = seconds
        meter.add(1, cost)
    assert [one.seconds_left for one in seen] == [None, pytest.approx(90.0), pytest.approx(10.0), 0.0]
    assert [one.share for one in seen] == [0.0, 0.1, 0.9, 1.0] and seen[1].uneven


@pytest.mark.parametrize(("system", "said"), [("darwin", "TRUE"), ("linux", "None")])
def test_macos_may_load_several_openmps(system: str, said: str) -> None:
    told = f"import os, sys; sys.platform = {system!r}; import engine; print(os.environ.get('KMP_DUPLICATE_LIB_OK'))"
    free = {name: value for name, value in os.environ.items() if name != "KMP_DUPLICATE_LIB_OK"}
    found = subprocess.run([sys.executable, "-c", told], env=free, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == said


_WAITING = {"OMP_WAIT_POLICY": "PASSIVE", "OPENBLAS_THREAD_TIMEOUT": "4"}


@pytest.mark.parametrize("given", [{}, {"OMP_WAIT_POLICY": "ACTIVE"}, {"OPENBLAS_THREAD_TIMEOUT": "26"}])
def test_threads_that_wait_give_up_their_core_before_what_starts_them_is_loaded(given: dict[str, str]) -> None:
    """Beside other work, threads that spin make a coverage take ten times as long; what a user sets stays."""
    told = "import engine.core, os, sys; print(*map(os.environ.get, sys.argv[1:]), {'torch', 'numpy'} & {*sys.modules})"
    free = {name: value for name, value in os.environ.items() if name not in _WAITING} | given
    command = [sys.executable, "-c", told, *_WAITING]
    found = subprocess.run(command, env=free, capture_output=True, text=True, check=True)
    assert found.stdout.split() == [*(_WAITING | given).values(), "set()"]

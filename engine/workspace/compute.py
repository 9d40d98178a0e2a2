"""Work on other processes, of this machine or of a Ray cluster: they read and encode, and one process writes.

A worker gets a function's name and a value in JSON, and gives one back: both kinds do the same, and nothing of ours is
pickled. What a worker that ended was doing is done by another. Whoever reaches a Ray cluster can run any code on it.
"""

from __future__ import annotations

import json
import os
import queue
import secrets
import signal
import socket
import sys
import threading
import warnings
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from importlib import import_module
from typing import Any, TypeVar

import engine.core.errors
from engine.core.errors import ConfigError, EngineError, LostWorkError, MissingExtraError, WorkerError
from engine.core.processes import WorkerProcess, receive, send
from engine.core.provenance import version

T = TypeVar("T")
Json = dict[str, Any]
Awaited = Callable[[], Json]
"""Waits for a worker's answer. Raises what the task raised, LostWorkError if it ended every worker, or WorkerError."""
Look = Callable[[], object]
"""Called while one waits for a worker; may raise to stop."""

_TRIES = 3
_AHEAD = 3
"""How many pieces of work a worker has, done ones that wait for their turn among them: a long one holds up no other."""
_MOST_BYTES = 256 << 20
"""Of what is sent ahead, unless one piece has more."""
_SECONDS_BETWEEN_LOOKS = 0.2
_CONNECT_SECONDS = 10.0
_TOLD_CHARACTERS = 200


class _EndedError(Exception):
    """The worker ended before it answered."""


class Workers(AbstractContextManager["Workers"], ABC):
    """Workers beside this process; the end of a `with` block ends them, whatever they do."""

    def __init__(self, count: int) -> None:
        """Have `count` pieces of work done at the same time."""
        self.count = count
        self._threads = ThreadPoolExecutor(count)
        self._ending = threading.Event()

    def __exit__(self, *error: object) -> None:
        """Begin no more work."""
        self._ending.set()
        self._threads.shutdown(wait=False, cancel_futures=True)

    @abstractmethod
    def _work(self, task: str, given: bytes) -> bytes:
        """Return what `perform` returned on a worker. Raises _EndedError where that ended, WorkerError without one."""

    def each(
        self, task: str, items: Iterable[T], given: Callable[[T], Json | None], look: Look
    ) -> Iterator[tuple[T, Awaited | None]]:
        """Yield items in their order, each with what waits for its answer; a few ahead are worked on meanwhile.

        Nothing is done for an item of which nothing is `given`.
        """
        ahead: deque[tuple[T, Future[bytes] | None, int]] = deque()

        def turn() -> tuple[T, Awaited | None]:
            item, future, _ = ahead.popleft()
            return item, None if future is None else lambda: self._answer(task, lambda: given(item), look, future)

        try:
            for item in items:
                sent = b"" if (value := given(item)) is None else _written(value)
                ahead.append((item, self._threads.submit(self._work, task, sent) if sent else None, len(sent)))
                while len(ahead) > _AHEAD * self.count or sum(size for *_, size in ahead) > _MOST_BYTES:
                    yield turn()
            while ahead:
                yield turn()
        finally:
            for _, future, _ in ahead:
                if future is not None:
                    future.cancel()

    def _answer(self, task: str, given: Callable[[], Json | None], look: Look, future: Future[bytes]) -> Json:
        for tries_left in reversed(range(_TRIES)):
            while not wait([future], timeout=_SECONDS_BETWEEN_LOOKS).done:
                look()
            try:
                answer: Json = json.loads(future.result())
            except _EndedError:
                if tries_left:
                    future = self._threads.submit(self._work, task, _written(given() or {}))
                continue
            if "raised" in answer:
                raise error_of(answer["raised"])
            return answer
        raise LostWorkError(
            f"Expected a worker's answer; {_TRIES} workers ended over the same work. Give them more memory, or let "
            "fewer work at the same time with --workers."
        )


def perform(task: str, given: bytes) -> bytes:
    """Do a task, a function of a value by its dotted name: the worker's side. What it raises is an answer, too."""
    module, _, name = task.rpartition(".")
    try:
        return _written(getattr(import_module(module), name)(json.loads(given)))
    except EngineError as error:
        return _written({"raised": told(error)})


def _written(value: Json) -> bytes:
    return json.dumps(value).encode()


def told(error: EngineError) -> Json:
    """Return an error as a value."""
    return {"kind": type(error).__name__, "text": str(error)}


def error_of(value: Json) -> EngineError:
    """Return the error of a value."""
    error: EngineError = getattr(engine.core.errors, value["kind"])(value["text"])
    return error


def open_workers(count: int | None = None, ray: str = "", gpus: float = 0.0) -> Workers | None:
    """Return `count` processes of this machine, or the workers of a Ray cluster at an address; None if neither is told.

    The address is ray://HOST:PORT, "auto" for the cluster that this machine belongs to, or "local" for one of its own.
    Each of its workers that encodes has so many `gpus`. Raises ConfigError, MissingExtraError, WorkerError.
    """
    if count is not None and count < 1:
        raise ConfigError(f"Expected 1 worker or more, got {count}. Leave --workers out to work in this process.")
    if gpus < 0 or (gpus and not ray):
        raise ConfigError(f"Expected 0 GPUs or more for each worker of Ray, got {gpus:g}. Name the cluster with --ray.")
    if ray:
        return _RayWorkers(ray, count, gpus)
    return None if count is None else ProcessWorkers(count)


class ProcessWorkers(Workers):
    """Processes of this machine, each started when it is first needed; they end with this one, however it ends."""

    def __init__(self, count: int) -> None:
        """Have so many, which share the processors."""
        super().__init__(count)
        threads = str(max(1, (os.cpu_count() or 1) // count))
        self._environment = {"OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads}
        self._idle: queue.SimpleQueue[WorkerProcess] = queue.SimpleQueue()
        self._running: set[WorkerProcess] = set()
        self._starting = threading.Lock()

    def _work(self, task: str, given: bytes) -> bytes:
        process = self._process()
        try:
            process.ask(task.encode(), given)
            answer = process.answer()
        except (OSError, ValueError):  # ValueError: the pipe was closed with the block
            answer = None
        if answer is None:
            self._running.discard(process)
            process.stop()
            raise _EndedError
        self._idle.put(process)
        return answer

    def _process(self) -> WorkerProcess:
        with self._starting:
            if self._ending.is_set():
                raise _EndedError
            if not self._idle.empty():
                return self._idle.get()
            try:
                process = WorkerProcess(__name__, self._environment)
            except OSError as error:
                raise WorkerError(f"Expected to start a process; {error}. Let fewer work with --workers.") from None
            self._running.add(process)
            return process

    def __exit__(self, *error: object) -> None:
        """End the processes, with what they started."""
        super().__exit__(*error)
        with self._starting:
            for process in list(self._running):
                process.stop(helpers=True)
        self._threads.shutdown()


def serve() -> None:
    """Answer requests on standard input until it ends: the other process's work."""
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    while (task := receive(asked)) is not None and (given := receive(asked)) is not None:
        send(answers, perform(task.decode(), given))


class _RayWorkers(Workers):
    """The workers of a Ray cluster: processes of machines that all have this Priorscope installed."""

    def __init__(self, address: str, count: int | None, gpus: float) -> None:
        """Connect, or start a cluster of `count` processors here. Of another one, `count` pieces of work are asked for.

        By default two are for each processor, so that none waits. Raises as `open_workers`.
        """
        self._address, own = address, address == "local"
        _reach(address)
        self._ray = ray = _imported(own=own)
        terminate = signal.getsignal(signal.SIGTERM)
        try:
            with warnings.catch_warnings(action="ignore"):
                settings = {"num_cpus": count, "include_dashboard": False} if own else {}
                ray.init(address, log_to_driver=False, logging_level="error", **settings)
        except (ray.exceptions.RayError, OSError, RuntimeError, ValueError, SystemExit) as error:
            raise self._failure(f"to answer; {_first_line(error)}. Is it running?") from None
        finally:
            signal.signal(signal.SIGTERM, terminate)  # which ends a command of ours as Ctrl-C does
        has = ray.cluster_resources()
        processors, cards = has.get("CPU", 0), has.get("GPU", 0)
        most = int(min(processors, cards / gpus if gpus else processors))
        if most < 1:
            ray.shutdown()
            lacks = f"to have a processor and {gpus:g} GPUs for a worker; it has {processors:g} and {cards:g}"
            raise self._failure(f"{lacks}. Name fewer GPUs, or add machines.")
        super().__init__(2 * most if own or count is None else count)
        plain, encoding = (ray.remote(num_cpus=1, num_gpus=each, max_retries=0)(perform_on_ray) for each in (0, gpus))
        self._functions, self._gpus = {False: plain, True: encoding}, gpus

    def _work(self, task: str, given: bytes) -> bytes:
        ray, errors = self._ray, self._ray.exceptions
        gpus = 0 if task.endswith(".read_file") else self._gpus  # which only networks run on
        try:
            asked = self._functions[gpus > 0].remote(task, given, version(), gpus)
            while not ray.wait([asked], timeout=_SECONDS_BETWEEN_LOOKS)[0]:
                if self._ending.is_set():
                    ray.cancel(asked)
                    raise _EndedError
            answer: bytes = ray.get(asked)
            return answer
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.ObjectLostError, errors.OutOfMemoryError):
            raise _EndedError from None
        except (errors.RayError, OSError) as error:
            advice = "Is the same Priorscope installed on all its machines? What was whole is kept."
            raise self._failure(f"to go on; {_first_line(error)}. {advice}") from None

    def _failure(self, expected: str) -> WorkerError:
        return WorkerError(f"Expected the Ray cluster at {self._address} {expected}")

    def __exit__(self, *error: object) -> None:
        """Leave the cluster; one that was started here ends."""
        super().__exit__(*error)
        self._threads.shutdown()
        self._ray.shutdown()


def perform_on_ray(task: str, given: bytes, expected: str, gpus: float) -> bytes:
    """Do a task where the same version is installed, and on no GPU but those set aside: the worker's side."""
    if (found := version()) != expected:
        text = f"Expected Priorscope {expected} on every worker, found {found}. Install the same on all machines."
        return _written({"raised": told(WorkerError(text))})
    if not gpus:
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
    return perform(task, given)


def _imported(*, own: bool) -> Any:  # noqa: ANN401  a module that may not be installed
    """Import Ray, which is to report to nobody. Our `own` cluster, which listens to all, obeys who knows its secret."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    if own and os.environ.setdefault("RAY_AUTH_MODE", "token") == "token":
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    try:
        import ray
    except ImportError:
        raise MissingExtraError(
            "Expected Ray, whose workers read and encode; it is not installed. Run: pip install 'priorscope[ray]'"
        ) from None
    return ray


def _reach(address: str) -> None:
    """Raise WorkerError where nothing listens: Ray itself would try for half a minute. ConfigError for no address."""
    if address in ("auto", "local"):
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not (address.startswith("ray://") and host and port.isdecimal()):
        raise ConfigError(f"Expected ray://HOST:PORT, auto or local as the address of a Ray cluster, got {address!r}.")
    try:
        socket.create_connection((host, int(port)), timeout=_CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise WorkerError(f"Expected a Ray cluster at {address}; {error}. Is it running?") from None


def _first_line(error: BaseException) -> str:
    """Return the start of what Ray says, or of what was raised on a worker."""
    cause = getattr(error, "cause", None) or error
    return f"{type(cause).__name__}: {str(cause).strip().partition(chr(10))[0][:_TOLD_CHARACTERS]}"

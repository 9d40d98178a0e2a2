"""Workers beside this process: processes of this machine, or of a Ray cluster. They read and encode, and one writes.

Functions and values go to them and back in pickles, so whoever reaches a Ray cluster can run any code on its machines.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import warnings
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar, cast

from engine.core.errors import ConfigError, EngineError, LostWorkError, MissingExtraError, WorkerError
from engine.core.provenance import version

T = TypeVar("T")
R = TypeVar("R")
Arguments = tuple[object, ...]
Look = Callable[[], object]
"""Called while one waits for a worker; may raise to stop."""

_TRIES = 3
_AHEAD = 3
"""How many pieces of work a worker has, done ones that wait for their turn among them: a long one holds up no other."""
_SECONDS_BETWEEN_LOOKS = 0.2
_RAY_SETTINGS = {
    "RAY_CLIENT_MAX_CONNECTION_TIMEOUT_S": "5",
    "RAY_NUM_REDIS_GET_RETRIES": "1",
    "RAY_gcs_rpc_server_connect_timeout_s": "2",
    "RAY_py_gcs_connect_timeout_s": "5",
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",
}
"""By these a cluster that does not answer is told in 15 seconds, not minutes, and Ray itself prints nothing."""
_MOST_PROCESSES = 1_000
_TOLD_CHARACTERS = 200
_GO_ON = "Is the same Priorscope installed on all its machines? What was whole is kept."


class _LostError(Exception):
    """A worker ended before it answered."""


class Workers(AbstractContextManager["Workers"], ABC):
    """Workers beside this process; the end of a `with` block ends them, whatever they do."""

    def __init__(self, count: int) -> None:
        """Have `count` pieces of work done at the same time."""
        self.count = count

    @abstractmethod
    def _begin(self, do: Callable[..., R], given: Arguments, *, encodes: bool) -> Future[R]:
        """Have a worker call a function."""

    @abstractmethod
    def _result(self, future: Future[R]) -> R:
        """Return what it returned, or raise what it raised. Raises _LostError if the worker ended, WorkerError."""

    def each(
        self, do: Callable[..., R], work: Iterable[tuple[T, Arguments | None]], look: Look, *, encodes: bool = False
    ) -> Iterator[tuple[T, Callable[[], R] | None]]:
        """Yield items in their order, each with what waits for its answer; a few ahead are worked on meanwhile.

        A worker calls `do` with what is given for the item; None is for an item that needs no worker. What waits
        raises what `do` raised, LostWorkError if that ended every worker that tried, or WorkerError.
        """
        ahead: deque[tuple[T, Callable[[], R] | None]] = deque()
        for item, given in work:
            ahead.append((item, None if given is None else self._begun(do, given, look, encodes=encodes)))
            if len(ahead) > _AHEAD * self.count:
                yield ahead.popleft()
        while ahead:
            yield ahead.popleft()

    def _begun(self, do: Callable[..., R], given: Arguments, look: Look, *, encodes: bool) -> Callable[[], R]:
        future = self._begin(do, given, encodes=encodes)

        def answer() -> R:
            nonlocal future
            for tries_left in reversed(range(_TRIES)):
                while not wait([future], timeout=_SECONDS_BETWEEN_LOOKS).done:
                    look()
                try:
                    return self._result(future)
                except _LostError:
                    if tries_left:  # the last time alone: nothing is begun while one waits
                        future = self._begin(do, given, encodes=encodes)
            raise LostWorkError(
                f"Expected a worker's answer; {_TRIES} workers ended over the same work. Give them more memory, or "
                "let fewer work at the same time with --workers."
            )

        return answer


def open_workers(count: int | None = None, ray: str = "", gpus: float = 0.0) -> Workers | None:
    """Return `count` processes of this machine, or the workers of a Ray cluster at an address; None if neither is told.

    The address is ray://HOST:PORT, HOST:PORT on a machine of the cluster, or "auto" for the cluster that this machine
    belongs to. Each worker that encodes there has this share of `gpus`. Raises ConfigError, MissingExtraError,
    WorkerError.
    """
    if count is not None and not 1 <= count <= _MOST_PROCESSES:
        raise ConfigError(
            f"Expected 1 to {_MOST_PROCESSES:,} workers, got {count:,}. Leave --workers out to work in this process."
        )
    if gpus < 0 or (gpus and not ray):
        raise ConfigError(f"Expected 0 GPUs or more for each worker of Ray, got {gpus:g}. Name the cluster with --ray.")
    if not ray:
        return None if count is None else _ProcessWorkers(count)
    if ray != "auto" and not ray.rpartition(":")[2].isdecimal():
        raise ConfigError(
            f"Expected ray://HOST:PORT, HOST:PORT or auto as the address of a Ray cluster, got {ray!r}. Name one, or "
            "let this machine alone work with --workers."
        )
    return _RayWorkers(ray, gpus)


class _ProcessWorkers(Workers):
    """Processes of this machine, each started when it is first needed; they end with this one, however it ends."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._context = multiprocessing.get_context("spawn")
        self._kept, self._end = self._context.Pipe(duplex=False)
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        threads = max(1, (os.cpu_count() or 1) // self.count)
        return ProcessPoolExecutor(self.count, self._context, _prepare, (self._kept, threads))

    def _begin(self, do: Callable[..., R], given: Arguments, *, encodes: bool) -> Future[R]:  # noqa: ARG002
        try:
            return self._pool.submit(do, *given)
        except BrokenExecutor:  # by the end of one
            self._pool = self._new_pool()
            return self._pool.submit(do, *given)

    def _result(self, future: Future[R]) -> R:
        try:
            return future.result()
        except BrokenExecutor:
            raise _LostError from None

    def __exit__(self, *error: object) -> None:
        self._end.close()
        self._pool.shutdown(cancel_futures=True)


def _prepare(kept: Connection, threads: int) -> None:
    """Begin a process: Ctrl-C is for the one that writes, whose end, or whose block's end, ends this one."""

    def end() -> None:
        with suppress(EOFError, OSError):
            kept.recv()
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ |= {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}
    threading.Thread(target=end, daemon=True).start()


class _RayWorkers(Workers):
    """The workers of a Ray cluster: processes of machines that all have this Priorscope installed."""

    def __init__(self, address: str, gpus: float) -> None:
        """Connect; as many work as there are processors, or shares of GPUs."""
        for name, value in _RAY_SETTINGS.items():
            os.environ.setdefault(name, value)
        try:
            import ray
        except ImportError:
            raise MissingExtraError(
                "Expected Ray, whose workers read and encode; it is not installed. Run: pip install 'priorscope[ray]'"
            ) from None
        self._ray: Any = ray
        self._address, self._gpus = address, gpus
        terminate = signal.getsignal(signal.SIGTERM)
        try:
            with self._telling("to answer", "Is it running?"), _no_standard_error():
                self._ray.init(address, log_to_driver=False, logging_level="error")
        finally:
            signal.signal(signal.SIGTERM, terminate)  # which ends a command of ours as Ctrl-C does
        has = self._ray.cluster_resources()
        processors, cards = has.get("CPU", 0), has.get("GPU", 0)
        super().__init__(int(min(processors, cards / gpus if gpus else processors)))
        if not self.count:
            self._ray.shutdown()
            raise WorkerError(
                f"Expected the Ray cluster at {address} to have a processor and {gpus:g} GPUs for a worker; it has "
                f"{processors:g} and {cards:g}. Name fewer GPUs, or add machines."
            )
        # tries are counted above, for both kinds alike; a worker stays, with its encoder, also if it has a GPU
        settings = {"num_cpus": 1, "max_retries": 0, "max_calls": 0}
        self._functions = [self._ray.remote(num_gpus=each, **settings)(_work_on_ray) for each in (0, gpus)]

    def _begin(self, do: Callable[..., R], given: Arguments, *, encodes: bool) -> Future[R]:
        with self._telling("to go on", _GO_ON):
            begun = self._functions[encodes].remote(version(), self._gpus if encodes else 0, do, *given)
            return cast("Future[R]", begun.future())

    def _result(self, future: Future[R]) -> R:
        with self._telling("to go on", _GO_ON):
            return future.result()

    @contextmanager
    def _telling(self, expected: str, advice: str) -> Iterator[None]:
        """Raise what Ray raises in the block as an error of ours, and what was raised on a worker as it was there."""
        errors = self._ray.exceptions
        try:
            yield
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.ObjectLostError, errors.OutOfMemoryError):
            raise _LostError from None
        except (errors.RayError, OSError, RuntimeError, ValueError) as error:
            cause = getattr(error, "cause", None) or error
            if cause is not error and isinstance(cause, EngineError | OSError):
                raise cause from None
            line = str(cause).strip().partition("\n")[0][:_TOLD_CHARACTERS]
            raise WorkerError(
                f"Expected the Ray cluster at {self._address} {expected}; {type(cause).__name__}: {line}. {advice}"
            ) from None

    def __exit__(self, *error: object) -> None:
        self._ray.shutdown()


def _work_on_ray(expected: str, gpus: float, do: Callable[..., R], *given: object) -> R:
    """Call a function where the same version is installed, and on no GPU but those set aside."""
    if (found := version()) != expected:
        raise WorkerError(
            f"Expected Priorscope {expected} on every worker, found {found}. Install the same on all machines."
        )
    if not gpus:
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
    return do(*given)


@contextmanager
def _no_standard_error() -> Iterator[None]:
    """Keep from a person what Ray's native part writes while it connects, for which it has no setting."""
    kept = os.dup(2)
    try:
        with warnings.catch_warnings(action="ignore"), Path(os.devnull).open("wb") as nothing:
            os.dup2(nothing.fileno(), 2)
            yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)

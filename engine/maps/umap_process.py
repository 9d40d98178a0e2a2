"""UMAP in a process of its own: its compiled loops hold back all other threads of theirs for half of the time.

Questions are answered while a map is drawn, Cancel ends the drawing at once, and a lack of memory ends the process, not
the app. The process ends with its map: it holds 400 MB, and loading UMAP takes seconds of the half minute.
"""

from __future__ import annotations

import atexit
import io
import json
import queue
import re
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import MapError
from engine.core.processes import WorkerProcess, receive, send
from engine.core.progress import Meter
from engine.core.rows import DenseRows

SEED = 42
MIN_DISTANCE = 0.05
NEGATIVES = 10
"""UMAP's defaults are .1, 5 and 200 epochs. On 26,033 LSA vectors ours keep 17.1 % of true neighbours (trustworthiness
.960) in 6.4 seconds of one core, the defaults 14.4 % (.946) in 8.7."""

_SECONDS_BETWEEN_LOOKS = 0.05
_ONE_AT_A_TIME = threading.Lock()
_running: list[WorkerProcess] = []
"""The process that draws a map; changed under the lock."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What UMAP is asked for: each point's nearest, itself first, as numbers and distances (n, k), and where it begins.

    `start` is (n, 2); the points move for `epochs`.
    """

    numbers: NDArray[np.int32]
    distances: NDArray[np.float32]
    start: DenseRows
    epochs: int

    def as_bytes(self) -> bytes:
        """Return the arrays and the number as one archive."""
        written = io.BytesIO()
        np.savez(written, numbers=self.numbers, distances=self.distances, start=self.start, epochs=self.epochs)
        return written.getvalue()

    @classmethod
    def read(cls, archive: bytes) -> Self:
        """Return what `as_bytes` wrote."""
        with np.load(io.BytesIO(archive), allow_pickle=False) as held:
            return cls(held["numbers"], held["distances"], held["start"], int(held["epochs"]))


def draw(given: Drawing, meter: Meter) -> DenseRows:
    """Return where UMAP puts the points, (n, 2); the meter counts epochs.

    Raises MapError when the process ends over it or cannot start, and what the meter's report raises, which ends it.
    """
    while not _ONE_AT_A_TIME.acquire(timeout=_SECONDS_BETWEEN_LOOKS):
        meter.add(0)
    try:
        return _drawn(given, meter)
    finally:
        _stop()
        _ONE_AT_A_TIME.release()


def _drawn(given: Drawing, meter: Meter) -> DenseRows:
    try:
        process = WorkerProcess(__name__)
        _running.append(process)
        atexit.register(_stop)
        process.ask(given.as_bytes())
        done = 0
        while True:
            meter.add(0)
            try:
                told = process.answer(seconds=_SECONDS_BETWEEN_LOOKS)
            except queue.Empty:
                continue
            if told is None:
                raise BrokenPipeError
            if not told.startswith(b"{"):
                positions: DenseRows = np.load(io.BytesIO(told), allow_pickle=False)
                return positions
            epoch = int(json.loads(told)["epoch"])
            meter.add(max(0, epoch - done))
            done = max(done, epoch)
    except OSError:
        raise MapError(
            f"Expected a map of {len(given.start):,} documents, but the process that drew it ended. Close other "
            "programs if memory is short, and draw it again."
        ) from None


def _stop() -> None:
    """End the process, if there is one."""
    atexit.unregister(_stop)
    while _running:
        _running.pop().stop()


def serve() -> None:
    """Answer requests on standard input until it ends: the other process's work."""
    asked, answers = sys.stdin.buffer, sys.stdout.buffer

    def reached(epoch: int) -> None:
        send(answers, json.dumps({"epoch": epoch}).encode())

    while (request := receive(asked)) is not None:
        written = io.BytesIO()
        np.save(written, draw_here(Drawing.read(request), reached))
        send(answers, written.getvalue())


def draw_here(given: Drawing, reached: Callable[[int], None]) -> DenseRows:
    """Return where UMAP puts the points, (n, 2), in this process; `reached` hears of epochs.

    UMAP (McInnes, Healy and Melville, 2018). The neighbours are given, so a second, approximate search is not needed,
    and the same input gives the same positions.
    """
    umap = _umap()
    random = np.random.RandomState(SEED)
    blank = np.zeros((len(given.start), 1), np.float32)  # the vectors themselves are not looked at
    graph, *_ = umap.fuzzy_simplicial_set(
        blank, given.numbers.shape[1], random, "cosine", knn_indices=given.numbers, knn_dists=given.distances
    )
    a, b = umap.find_ab_params(1.0, MIN_DISTANCE)
    positions, _ = umap.simplicial_set_embedding(
        data=blank,
        graph=graph,
        n_components=2,
        initial_alpha=1.0,
        a=np.float32(a),  # in double precision the powers take a fifth longer and keep no more
        b=np.float32(b),
        gamma=1.0,
        negative_sample_rate=NEGATIVES,
        n_epochs=given.epochs,
        init=given.start,
        random_state=random,
        metric="cosine",
        metric_kwds={},
        densmap=False,
        densmap_kwds={},
        output_dens=False,
        tqdm_kwds={"disable": False, "file": _Epochs(reached), "bar_format": "{n_fmt}", "mininterval": 0.2},
    )
    found: DenseRows = np.asarray(positions, np.float32)
    return found


@cache
def _umap() -> ModuleType:
    """Import UMAP's functions without its warning that TensorFlow is not installed, which nothing here needs.

    Numba keeps on disk what it compiles of the two that take four seconds, so that only the first map of all waits.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Tensorflow not installed", category=ImportWarning)
        import umap.umap_ as umap
    for function in (umap.smooth_knn_dist, umap.compute_membership_strengths):
        with suppress(RuntimeError):  # numba may write nowhere
            function.enable_caching()
    module: ModuleType = umap
    return module


class _Epochs(io.StringIO):
    """What UMAP writes its progress bar to: the last number written is the epoch it has reached."""

    def __init__(self, reached: Callable[[int], None]) -> None:
        super().__init__()
        self._reached = reached

    def write(self, text: str) -> int:
        """Tell the epochs that a piece of the bar names."""
        for number in re.findall(r"\d+", text):
            self._reached(int(number))
        return len(text)

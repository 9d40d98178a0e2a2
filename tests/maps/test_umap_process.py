"""UMAP in its own process: what it gives, how it is stopped, and that it comes back."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest

from engine.core import processes
from engine.core.errors import CancelledError, MapError
from engine.core.progress import Meter, Progress, silent
from engine.maps import umap_process
from engine.maps.umap_process import Drawing, draw, draw_here


def drawing(count: int = 40, epochs: int = 20) -> Drawing:
    """Points on a ring, each near the next ones."""
    numbers = (np.arange(count)[:, None] + np.arange(5)) % count
    distances = np.tile(np.arange(5, dtype=np.float32) / 10, (count, 1))
    start = np.random.default_rng(3).normal(size=(count, 2)).astype(np.float32)
    return Drawing(numbers.astype(np.int32), distances, start, epochs)


def meter(report: object = silent) -> Meter:
    return Meter("Drawing", 20, report)  # type: ignore[arg-type]


def test_the_other_process_gives_what_drawing_here_gives_and_counts_the_epochs() -> None:
    heard: list[int] = []
    here = draw_here(drawing(), heard.append)
    assert here.shape == (40, 2) and here.dtype == np.float32 and np.ptp(here, axis=0).min() > 1
    assert heard[-1] == 20 and heard == sorted(heard)
    told: list[Progress] = []
    counting = meter(told.append)
    np.testing.assert_array_equal(draw(drawing(), counting), here)
    counting.finish()
    assert told[-1].done == 20


def test_the_process_ends_with_its_map_or_by_cancel() -> None:
    running: list[subprocess.Popen[bytes]] = []

    def note(_: Progress) -> None:
        running.append(umap_process._running[0].process)

    def stop(progress: Progress) -> None:
        note(progress)
        raise CancelledError("Stopped.")

    first = draw(drawing(), Meter("Drawing", 20, note, interval_seconds=0.0))
    assert running[-1].poll() is not None and not umap_process._running
    with pytest.raises(CancelledError):
        draw(drawing(epochs=100_000), Meter("Drawing", 100_000, stop, interval_seconds=0.0))
    assert running[-1].poll() is not None and not umap_process._running
    np.testing.assert_array_equal(draw(drawing(), meter()), first)


def test_a_process_that_ends_over_a_map_is_an_error_and_not_the_programs_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_START", "import sys; sys.stdin.buffer.read(8)")
    with pytest.raises(MapError, match=r"Expected a map of 40 documents, but the process that drew it ended\. Close"):
        draw(drawing(), meter())


def test_a_system_that_starts_no_process_is_an_error_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(_: str) -> None:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(umap_process, "WorkerProcess", refuses)
    with pytest.raises(MapError, match=r"Expected a map of 40 documents"):
        draw(drawing(), meter())


def test_what_is_compiled_for_a_map_is_kept_for_the_next_process() -> None:
    umap = umap_process._umap()
    assert all(one.stats.cache_path for one in (umap.smooth_knn_dist, umap.compute_membership_strengths))


def test_a_map_is_drawn_where_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise RuntimeError("cannot cache function: no locator available")

    umap = umap_process._umap()
    monkeypatch.setattr(type(umap.smooth_knn_dist), "enable_caching", refuse)
    assert umap_process._umap.__wrapped__() is umap

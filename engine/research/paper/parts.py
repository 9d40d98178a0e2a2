"""The suite cut into parts that share no training, so that several processes make them side by side."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from engine.core.progress import Meter
from engine.evaluation.benchmarks import Part as Queries
from engine.research.paper.settings import PaperSettings
from engine.research.paper.work import Work

BY_SET = ("ctpe", "colde")
"""Papers whose sets share no model; a part of C-DSSM or KeyVec is the whole paper, which trains once for all sets."""

LONGEST_FIRST = (
    ("ctpe", "acm-citation"),
    ("colde", "pmc-long"),
    ("ctpe", "patents-citation"),
    ("ctpe", "arxiv-subject"),
    ("colde", "acl-long"),
    ("cdssm", ""),
    ("keyvec", ""),
    ("colde", "patents-long"),
    ("ctpe", "acl-citation"),
)
"""Papers with their sets in the order that several processes begin them, so that none is left with a long one alone.

KeyVec comes late as it takes over what CTPE's tables encode; parts that are not named come last."""

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@dataclass(frozen=True, slots=True)
class Part:
    """Some tables of one paper on one set, or on all where `data` is empty; `settings` ask for no other set."""

    tables: tuple[str, ...]
    data: str
    settings: PaperSettings


@dataclass(frozen=True, slots=True)
class Job:
    """A part with what `Work` needs, as it is handed to another process."""

    part: Part
    data: Path
    cache: Path
    queries: Queries
    trained: Mapping[str, Path]

    def work(self) -> Work:
        """The work of this part alone; it shares the whole run's cache."""
        return Work(self.data, self.cache, self.part.settings, self.queries, self.trained)


def parts_of(names: Sequence[str], settings: PaperSettings) -> list[Part]:
    """The parts of these tables, those that take longest first, others in the papers' order and the sets'."""
    papers = dict.fromkeys(name.partition("-")[0] for name in names)
    found: list[Part] = []
    for paper in papers:
        tables = tuple(name for name in names if name.partition("-")[0] == paper)
        if paper not in BY_SET:
            found.append(Part(tables, "", settings))
            continue
        own = getattr(settings, paper)
        asked = {field.name: getattr(own, field.name) for field in fields(own) if field.name.endswith("sets")}
        for data in dict.fromkeys(name for value in asked.values() for name in value):
            alone: Any = replace(own, **{name: (data,) if data in value else () for name, value in asked.items()})
            found.append(Part(tables, data, replace(settings, **{paper: alone})))
    return sorted(found, key=_rank)


def _rank(part: Part) -> int:
    """A part's place in `LONGEST_FIRST`."""
    name = (part.tables[0].partition("-")[0], part.data)
    return LONGEST_FIRST.index(name) if name in LONGEST_FIRST else len(LONGEST_FIRST)


def make_side_by_side(jobs: Sequence[Job], make: Callable[[Job], None], *, at_once: int, work: Work) -> None:
    """Call `make` with each job in a process of its own kind, as many at once as asked; each has its share of cores.

    `make` is a function of a module, and what it measures stays in the cache. If one fails, or the run is interrupted,
    the others are ended and the exception is raised.
    """
    meter = Meter("parts of the tables", len(jobs), work.report)
    meter.begin()
    with _threads_each(at_once):
        pool = ProcessPoolExecutor(at_once, mp_context=multiprocessing.get_context("spawn"))
        try:
            for ended in as_completed([pool.submit(make, job) for job in jobs]):
                ended.result()
                meter.add()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
            raise
        pool.shutdown()
    meter.finish()


@contextmanager
def _threads_each(at_once: int) -> Iterator[None]:
    """Let processes that start in the block take their share of the cores; libraries ask when they are loaded."""
    before = {name: os.environ.get(name) for name in _THREADS}
    share = max(1, (os.cpu_count() or 1) // at_once)
    os.environ.update(dict.fromkeys(_THREADS, str(share)))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name)
            else:
                os.environ[name] = value

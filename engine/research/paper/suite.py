"""The papers' tables by name: picks them, makes them one after another, and saves the results after each.

For several processes at once it is cut into parts that share no training.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from engine.core import files, provenance
from engine.core.errors import EvaluationError
from engine.core.progress import Meter
from engine.evaluation.benchmarks import QueryPart as Queries
from engine.research.paper import cdssm, colde, ctpe, keyvec, plots
from engine.research.paper.markdown import as_markdown, counted
from engine.research.paper.settings import PaperSettings
from engine.research.paper.tables import Earlier, Rows, Table, joined
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
        """Return the work of this part alone; it shares the whole run's cache."""
        return Work(self.data, self.cache, self.part.settings, self.queries, self.trained)


def parts_of(names: Sequence[str], settings: PaperSettings) -> list[Part]:
    """Return the parts of these tables, those that take longest first, others in the papers' order and the sets'."""
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
    """Return a part's place in `LONGEST_FIRST`."""
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


TABLES: Mapping[str, Callable[[Work], Table]] = {
    ctpe.DATASETS: ctpe.datasets,
    **{name: partial(ctpe.retrieval, name=name) for name in ctpe.RETRIEVAL},
    ctpe.EMBEDDINGS: ctpe.embeddings,
    ctpe.POSITIONS: ctpe.positions,
    ctpe.SAMPLING: ctpe.sampling,
    colde.MATCHING: colde.matching,
    colde.BATCH: colde.batches,
    colde.LENGTH: colde.lengths,
    colde.SHUFFLED: colde.shuffled,
    keyvec.RETRIEVAL: keyvec.retrieval,
    keyvec.CLUSTERING: keyvec.clustering,
    cdssm.LETTERS: cdssm.letters,
    **{name: partial(cdssm.one_model, name=name) for name in cdssm.TABLES},
    cdssm.COMPARISON: cdssm.comparison,
}
"""What makes each table, in the order of the papers."""


NONE = "none"
ROWS_TOLD: Mapping[str, Rows] = {
    **{name: ctpe.retrieval_rows(columns) for name, columns in ctpe.RETRIEVAL.items()},
    colde.MATCHING: colde.MATCHING_ROWS,
    keyvec.RETRIEVAL: keyvec.RETRIEVAL_ROWS,
    keyvec.CLUSTERING: keyvec.CLUSTERING_ROWS,
    cdssm.COMPARISON: cdssm.ROWS_TOLD,
}
"""Tables that take single rows from an earlier report; of the others a panel is of one run."""

PROTOCOLS: Mapping[str, str] = dict.fromkeys(ctpe.RETRIEVAL, ctpe.RETRIEVAL_PROTOCOL)
"""Protocols that have other words than in some saved reports; a table that is joined takes the words of today."""


def tables_of(given: str) -> list[str]:
    """Return the names in a list separated by commas, in the papers' order; "all" and "ctpe" name several.

    "none" names none: reports are only joined. Raises EvaluationError for one that is not known.
    """
    asked = {name.strip() for name in given.split(",") if name.strip()}
    if asked == {NONE}:
        return []
    found = [name for name in TABLES if asked & {"all", name, name.partition("-")[0]}]
    unknown = asked - {"all", *TABLES, *(name.partition("-")[0] for name in TABLES)}
    if unknown or not found:
        raise EvaluationError(
            f"Expected tables among {', '.join(TABLES)}, a paper's name before the hyphen, all, or {NONE}; "
            f"got {', '.join(sorted(unknown)) or 'none'}. Separate the names by commas."
        )
    return found


def run(
    names: Sequence[str],
    work: Work,
    *,
    save: Path | None = None,
    command: str = "",
    at_once: int = 1,
    earlier: Sequence[Earlier] = (),
) -> list[Table]:
    """Make the tables; with `save`, the JSON, the Markdown and the plots beside it are written after each.

    What these lack and `earlier` reports have is added, in the papers' order.
    With several `at_once`, as many processes first measure what the tables need, each a part of them.
    """
    cut = parts_of(names, work.settings) if at_once > 1 else []
    if len(cut) > 1:
        jobs = [Job(part, work.data, work.cache, work.part, work.trained) for part in cut]
        with work.hours.of(f"{min(at_once, len(jobs))} parts at once"):
            make_side_by_side(jobs, make_part, at_once=min(at_once, len(jobs)), work=work)
    made_by = {
        "commit": provenance.commit(),
        "hardware": provenance.hardware(),
    }  # before what is saved changes the tree
    made: list[Table] = []

    def joined_and_saved() -> list[Table]:
        there = joined(made, earlier, ROWS_TOLD)
        held = [there[name] for name in TABLES if name in there]
        whole = [replace(table, protocol=PROTOCOLS.get(table.name, table.protocol)) for table in held]
        if save is not None:
            write(save, whole, _circumstances(work, command, made_by))
        return whole

    whole = [] if names else joined_and_saved()
    for name in names:
        with work.hours.of(name):
            made.append(TABLES[name](work))
        whole = joined_and_saved()
    return whole


def make_part(job: Job) -> None:
    """Measure what a part's tables need, so that the cache holds it; the tables themselves are dropped."""
    work = job.work()
    for name in job.part.tables:
        with work.hours.of_part(name, job.part.data):
            TABLES[name](work)


def write(path: Path, tables: Sequence[Table], circumstances: Mapping[str, Any]) -> None:
    """Write the JSON to `path`, and beside it the Markdown and an SVG a panel."""
    drawn = {}
    for table in tables:
        for panel in table.panels:
            picture = plots.draw(table, panel)
            if picture is not None:
                file = path.with_name(f"{path.stem}-{table.name}-{panel.data}.svg")
                files.write_bytes(file, picture)
                drawn[f"{table.name} {panel.data}"] = file.name
    told = {"tables": {table.name: table.as_json() for table in tables}, "counted": counted(tables)}
    files.write_json(path, {**told, **circumstances})
    files.write_bytes(path.with_suffix(".md"), as_markdown(tables, circumstances, drawn).encode())


def _circumstances(work: Work, command: str, made_by: Mapping[str, Any]) -> dict[str, Any]:
    by_part = work.hours.parts()
    return {
        "command": command,
        "part": work.part,
        "seed": work.settings.seed,
        **made_by,
        "hours of every run with this cache": work.hours.total(),
        **({"seconds of parts made side by side": by_part} if by_part else {}),
    }

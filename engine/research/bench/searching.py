"""Measures how long a search takes, stage by stage, from a document's bytes to its evidence."""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Self

import numpy as np

from engine import provenance
from engine.documents import Document
from engine.encoders.base import Encoder
from engine.encoders.processor import reading_precision
from engine.errors import EmptyLibraryError, EvaluationError
from engine.index.base import VectorIndex
from engine.library import Library
from engine.readers import read_bytes
from engine.search import Question, Searcher

STAGES = ("read", "encode", "search", "evidence")
_WARM_UP = 5
REPEATS = 5


@dataclass(frozen=True, slots=True)
class StartTimes:
    """The middle of several runs, in seconds: by the clock, and of the processor, which other work delays less."""

    seconds: float
    processor_seconds: float
    runs: int


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of one stage over all queries."""

    p50: float
    p95: float
    max: float

    @classmethod
    def of(cls, milliseconds: Sequence[float]) -> Self:
        """The times of single queries, to a hundredth."""
        p50, p95 = np.percentile(milliseconds, [50, 95])
        return cls(round(float(p50), 2), round(float(p95), 2), round(float(max(milliseconds)), 2))


@dataclass(frozen=True, slots=True)
class SearchSpeed:
    """What was measured, on what, and the times of each stage and of the whole."""

    hardware: str
    commit: str
    encoder: str
    fingerprint: str
    documents: int
    queries: int
    papers: int
    patents: int
    median_query_words: int
    k: int
    seed: int
    stages: Mapping[str, Times]
    precision: str = ""
    """The number format of the transformers' products, by what the processor has."""
    load: float = 0.0
    """How many processes wanted it a minute before (`load`)."""
    commands: Mapping[str, StartTimes] = field(default_factory=dict)
    """Commands from start to end: one search, and `--help`."""

    def as_json(self) -> dict[str, object]:
        """The report as a JSON value."""
        return asdict(self)


def measure_start(arguments: Sequence[str], *, text: str = "", runs: int = REPEATS) -> StartTimes:
    """Run `priorscope` with these arguments and a text as its standard input; one more run first warms the files up.

    Raises EvaluationError where it ends with an error.
    """
    command = [sys.executable, "-m", "engine.cli.main", *arguments]
    taken = []
    for _ in range(runs + 1):
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        run = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
        if run.returncode:
            said = (run.stderr.strip() or "nothing").splitlines()[-1]
            raise EvaluationError(
                f"Expected `priorscope {' '.join(arguments)}` to end well, it ended with {run.returncode}: {said}"
            )
        taken.append((seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    middle, processor = np.median(taken[1:], axis=0).tolist()
    return StartTimes(round(middle, 3), round(processor, 3), runs)


def load() -> float:
    """How many processes wanted the processor in the last minute: above the cores, figures are of a busy machine."""
    return round(os.getloadavg()[0], 2)


def measure_search(
    library: Library, encoder: Encoder, index: VectorIndex, *, queries: int = 100, k: int = 10, seed: int = 0
) -> SearchSpeed:
    """Search with documents of the library itself: half papers, half patents with their full text, where it has both.

    Each goes in as the Markdown file that a person would upload, so reading is measured too. A few
    searches warm the caches up first, with other documents than those measured.
    Raises EmptyLibraryError and EvaluationError.
    """
    if queries < 1:
        raise EvaluationError(f"Expected at least 1 query to measure; got {queries}. Ask for more.")
    busy, drawn = load(), _draw(library, queries + _WARM_UP, seed)
    searcher = Searcher(library, encoder, index)
    for document in drawn[:_WARM_UP]:
        _timed(searcher, document, k)
    measured = drawn[_WARM_UP:] or drawn
    rows = [_timed(searcher, document, k) for document in measured]
    patents = sum(document.kind == "patent" for document in measured)
    return SearchSpeed(
        hardware=provenance.hardware(),
        commit=provenance.commit(),
        encoder=encoder.card.name,
        fingerprint=encoder.card.fingerprint,
        documents=len(library),
        queries=len(measured),
        papers=len(measured) - patents,
        patents=patents,
        median_query_words=int(np.median([len(document.text.split()) for document in measured])),
        k=k,
        seed=seed,
        stages=_summarise(rows),
        precision=reading_precision(),
        load=busy,
    )


def with_commands(speed: SearchSpeed, folder: Path, question: Document) -> SearchSpeed:
    """The report with what one search of the library in a folder takes from the command line, and `--help`."""
    searching = ["search", "-", "--json", "--library", str(folder), "--encoder", speed.encoder, "-k", str(speed.k)]
    return replace(
        speed,
        commands={
            "search": measure_start(searching, text=as_markdown(question)),
            "--help": measure_start(["--help"]),
        },
    )


def as_markdown(document: Document) -> str:
    """A document as a person would write it in one Markdown file."""
    parts = [f"# {document.title}"] if document.title else []
    if document.abstract:
        parts.append(f"## Abstract\n\n{document.abstract}")
    parts += [f"## {section.title or 'Text'}\n\n{section.text}" for section in document.sections]
    if document.claims:
        claims = "\n\n".join(f"{number}. {claim}" for number, claim in enumerate(document.claims, start=1))
        parts.append(f"## Claims\n\n{claims}")
    return "\n\n".join(parts)


def _draw(library: Library, queries: int, seed: int) -> list[Document]:
    """Documents in a seeded order, patents and papers in turn until one kind runs out."""
    if len(library) == 0:
        raise EmptyLibraryError("Expected a library with documents to measure a search; it holds none. Import some.")
    summaries = library.summaries()
    chance = random.Random(seed)
    by_kind: dict[bool, list[str]] = {True: [], False: []}
    for document_id, kind in zip(summaries.ids, summaries.kinds, strict=True):
        by_kind[kind == "patent"].append(document_id)
    for ids in by_kind.values():
        chance.shuffle(ids)
    ids = []
    while len(ids) < queries and (by_kind[True] or by_kind[False]):
        ids += [by_kind[kind].pop() for kind in (True, False) if by_kind[kind]]
    return library.get(ids[:queries])


def _timed(searcher: Searcher, document: Document, k: int) -> dict[str, float]:
    """The seconds of each stage of one search."""
    data = as_markdown(document).encode()
    started = time.perf_counter()
    query = read_bytes(data, "query.md").document
    read = time.perf_counter()
    answer = searcher.search(Question(query, k=k))
    done = time.perf_counter()
    return {"read": read - started, **answer.seconds, "total": done - started}


def _summarise(rows: Sequence[Mapping[str, float]]) -> dict[str, Times]:
    summary = {}
    for stage in (*STAGES, "total"):
        summary[stage] = Times.of([row[stage] * 1000 for row in rows])
    return summary

"""Measures how long a search takes, stage by stage, from a document's bytes to its evidence."""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import cycle, islice
from pathlib import Path
from typing import Self

import numpy as np

from engine.cli import options
from engine.cli.terminal import bar
from engine.core import provenance
from engine.core.errors import EmptyLibraryError, EvaluationError
from engine.documents import Document
from engine.encoders import Encoder
from engine.encoders.processor import reading_precision
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.library import Library
from engine.reading import read_bytes
from engine.research import measurement
from engine.search import PassageMatcher, Question, Searcher
from engine.vectors import VectorIndex
from engine.workspace import Workspace

STAGES = ("read", "encode", "search", "evidence")
FEW_WORDS = 400
"""A question of more is a document of many pages."""

WARM_UP = 5
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
        """Return the times of single queries, to a hundredth."""
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
    stages: Mapping[str, Times]
    passages: int = 0
    """How many of the library's passages are matched."""
    of_few_words: Times | None = None
    """The whole of questions of at most 400 words."""
    seed: int = 0
    precision: str = ""
    """The number format of the transformers' products, by what the processor has."""
    load: float = 0.0
    """How many processes wanted it a minute before (`load`)."""
    commands: Mapping[str, StartTimes] = field(default_factory=dict)
    """Commands from start to end: one search, and `--help`."""

    def as_json(self) -> dict[str, object]:
        """Return the report as a JSON value."""
        return asdict(self)


def measure_start(arguments: Sequence[str], *, text: str = "", runs: int = REPEATS) -> StartTimes:
    """Run `priorscope` with these arguments and a text as its standard input; one more run first warms the files up.

    Raises EvaluationError where it ends with an error.
    """
    command, shown = [sys.executable, "-m", "engine.cli.main", *arguments], " ".join(("priorscope", *arguments))
    taken = [timed(command, shown=shown, text=text) for _ in range(runs + 1)]
    middle, processor = np.median(taken[1:], axis=0).tolist()
    return StartTimes(round(middle, 3), round(processor, 3), runs)


def timed(
    command: Sequence[str],
    *,
    shown: str = "",
    text: str = "",
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> tuple[float, float]:
    """Run a command; returns its seconds, by the clock and of the processor.

    Raises EvaluationError with its last words, and the command as it is `shown`, where it ends with an error.
    """
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    run = subprocess.run(command, input=text, cwd=folder, env=environment, capture_output=True, text=True)
    seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode:
        said, shown = (run.stderr.strip() or "nothing").splitlines()[-1], shown or " ".join(command)
        raise EvaluationError(f"Expected `{shown}` to end well, it ended with {run.returncode}: {said}")
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def load() -> float:
    """Return how many processes wanted the processor in the last minute: above the cores, the machine was busy."""
    return round(os.getloadavg()[0], 2)


@dataclass(frozen=True, slots=True)
class Asked:
    """What asks: a file as a person would upload it, with its name."""

    name: str
    data: bytes
    kind: str = ""

    @classmethod
    def of(cls, document: Document) -> Self:
        """Return a document as one Markdown file."""
        return cls("query.md", as_markdown(document).encode(), document.kind)


def of_library(library: Library, queries: int, seed: int) -> list[Asked]:
    """Return documents of a library that ask, half papers, half patents with their full text; more warm up the caches.

    Raises EmptyLibraryError, and EvaluationError for less than one query.
    """
    if queries < 1:
        raise EvaluationError(f"Expected at least 1 query to measure; got {queries}. Ask for more.")
    return [Asked.of(one) for one in _draw(library, queries + WARM_UP, seed)]


def measure_search(
    library: Library,
    encoder: Encoder,
    index: VectorIndex,
    asking: Sequence[Asked],
    *,
    passages: PassageMatcher | None = None,
    k: int = 10,
) -> SearchSpeed:
    """Search with some files, each as a person would upload it, so reading is measured, too.

    The first five warm the caches up and are not measured, if there are more.
    Raises InputError for a file that cannot be read.
    """
    busy, searcher = load(), Searcher(library, encoder, index, passages=passages)
    for one in asking[:WARM_UP]:
        _timed(searcher, one, k)
    timed = [_timed(searcher, one, k) for one in asking[WARM_UP:] or asking]
    few = [one.seconds for one in timed if one.words <= FEW_WORDS]
    patents = sum(one.kind == "patent" for one in timed)
    return SearchSpeed(
        hardware=provenance.hardware(),
        commit=provenance.commit(),
        encoder=encoder.card.name,
        fingerprint=encoder.card.fingerprint,
        documents=len(library),
        queries=len(timed),
        papers=len(timed) - patents,
        patents=patents,
        median_query_words=int(np.median([one.words for one in timed])),
        k=k,
        stages=_summarise([one.seconds for one in timed]),
        passages=0 if passages is None else len(passages.view),
        of_few_words=_summarise(few)["total"] if few else None,
        precision=reading_precision(),
        load=busy,
    )


def with_commands(speed: SearchSpeed, folder: Path, question: Document) -> SearchSpeed:
    """Return the report with what one search of the library in a folder takes from the command line, and `--help`."""
    searching = ["search", "-", "--json", "--library", str(folder), "--encoder", speed.encoder, "-k", str(speed.k)]
    return replace(
        speed,
        commands={
            "search": measure_start(searching, text=as_markdown(question)),
            "--help": measure_start(["--help"]),
        },
    )


def as_markdown(document: Document) -> str:
    """Return a document as a person would write it in one Markdown file."""
    parts = [f"# {document.title}"] if document.title else []
    if document.abstract:
        parts.append(f"## Abstract\n\n{document.abstract}")
    parts += [f"## {section.title or 'Text'}\n\n{section.text}" for section in document.sections]
    if document.claims:
        claims = "\n\n".join(f"{number}. {claim}" for number, claim in enumerate(document.claims, start=1))
        parts.append(f"## Claims\n\n{claims}")
    return "\n\n".join(parts)


def _draw(library: Library, queries: int, seed: int) -> list[Document]:
    """Return documents in a seeded order, patents and papers in turn until one kind runs out."""
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


@dataclass(frozen=True, slots=True)
class _Timed:
    """The seconds of each stage of one search, and what asked."""

    seconds: Mapping[str, float]
    words: int
    kind: str


def _timed(searcher: Searcher, asked: Asked, k: int) -> _Timed:
    started = time.perf_counter()
    query = read_bytes(asked.data, asked.name).document
    read = time.perf_counter()
    answer = searcher.search(Question(query, k=k))
    done = time.perf_counter()
    seconds = {"read": read - started, **answer.seconds, "total": done - started}
    return _Timed(seconds, len(query.text.split()), asked.kind or query.kind)


def _summarise(rows: Sequence[Mapping[str, float]]) -> dict[str, Times]:
    summary = {}
    for stage in (*STAGES, "total"):
        summary[stage] = Times.of([row[stage] * 1000 for row in rows])
    return summary


def threads() -> int:
    """Return how many threads share a matrix product."""
    import torch

    return torch.get_num_threads()


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("search", help="document in to evidence out, over the library's own documents")
    options.add_library(parser)
    options.add_encoder(parser)
    options.add_index(parser)
    measurement.add_asking(parser, "documents", queries=100, k=10)
    others = parser.add_mutually_exclusive_group()
    others.add_argument(
        "--files", nargs="+", type=Path, metavar="FILE", help="these ask, a PDF for example, not the library's own"
    )
    others.add_argument("--benchmark", metavar="DIR", type=Path, help="documents of a benchmark's corpus ask")
    parser.add_argument(
        "--words", type=int, nargs=2, default=(0, 10**9), metavar=("LEAST", "MOST"), help="of those, the ones so long"
    )
    parser.add_argument("--commands", action="store_true", help="also time one search and --help from their start")
    measurement.add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure searches and print the report."""
    measurement.check_save(arguments)
    with Workspace(options.library_folder(arguments)) as workspace:
        library = workspace.library
        encoder, index = workspace.whole(arguments.encoder, choice=arguments.index, report=bar())
        asking = _asking(arguments, library)
        measured = measure_search(library, encoder, index, asking, passages=workspace.passages(), k=arguments.k)
        report = replace(measured, seed=arguments.seed)
        (question,) = library.get(library.summaries().ids[:1])
    if arguments.commands:
        report = with_commands(report, options.library_folder(arguments), question)
    measurement.give(report.as_json(), as_text(report), arguments)


def _asking(arguments: argparse.Namespace, library: Library) -> list[Asked]:
    """Return the files that ask, or documents of a benchmark by their number of words, else the library's own.

    Those that warm the caches up come first. Raises EvaluationError where a benchmark has none so long.
    """
    if arguments.files:
        asking = [Asked(path.name, path.read_bytes()) for path in arguments.files]
        return [*islice(cycle(asking), WARM_UP), *asking]
    if arguments.benchmark is None:
        return of_library(library, arguments.queries, arguments.seed)
    least, most = arguments.words
    every = read_documents(arguments.benchmark / CORPUS)
    corpus = [one for one in every if least <= len(one.text.split()) <= most]
    random.Random(arguments.seed).shuffle(corpus)
    if arguments.queries < 1 or len(corpus) <= WARM_UP:
        raise EvaluationError(
            f"Expected at least 1 query, and more than {WARM_UP} documents of {least} to {most} words in "
            f"{arguments.benchmark.name}; got {arguments.queries} and {len(corpus)}. Ask for others."
        )
    return [Asked.of(one) for one in corpus[: arguments.queries + WARM_UP]]


def as_text(report: SearchSpeed) -> str:
    """Return the report as a table, a row a stage."""
    lines = [
        f"{report.hardware}, {report.precision}, load {report.load}",
        f"{report.queries} queries ({report.patents} full patents, {report.papers} papers) over "
        f"{report.documents:,} documents, {report.passages:,} passages, encoder {report.encoder}, k {report.k}, warm",
        f"{'stage':<10}{'p50 ms':>9}{'p95 ms':>9}{'max ms':>9}",
    ]
    for stage in (*STAGES, "total"):
        times = report.stages[stage]
        lines.append(f"{stage:<10}{times.p50:>9.1f}{times.p95:>9.1f}{times.max:>9.1f}")
    if report.of_few_words is not None:
        few = report.of_few_words
        lines.append(f"of at most {FEW_WORDS} words: p50 {few.p50:.1f}, p95 {few.p95:.1f} ms")
    for name, taken in report.commands.items():
        lines.append(f"priorscope {name}: {taken.seconds:.2f} s, {taken.processor_seconds:.2f} s of the processor")
    return "\n".join(lines)

"""How the server keeps up: `python -m engine.research bench serving`, in three parts of one run.

latency: each question is asked over HTTP and in this process, as the command line does, in turn; both are warm.
load: clients ask at once, each its next question as soon as it has an answer: short texts, whole documents by their id,
quotes, lists of documents and of collections. The server's private memory is sampled meanwhile.
memory: one process with the page and the server, against the page and the server in a process each. A visit gets the
page and runs its script over the page's own socket, without a browser; then one question is asked over HTTP.

The library must be read whole, with its passages; nothing is written to it.
"""

from __future__ import annotations

import argparse
import json
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import psutil
from websockets.sync.client import connect

from engine.cli import options
from engine.core import provenance
from engine.core.errors import EvaluationError
from engine.encoders.processor import reading_precision
from engine.exports import search_as_json
from engine.library import Library
from engine.reading import read_text
from engine.research import measurement
from engine.research.bench.searching import WARM_UP, Times, load, of_library, threads
from engine.server.client import Priorscope, ServerProblem
from engine.workspace import SearchRequest, Workspace

PARTS = ("latency", "load", "memory")
MOST_ABOVE_MS, MOST_GROWTH = 15.0, 0.05
_RERUN = b"Z\x00"
"""What a browser sends to have the page's script run: BackMsg of Streamlit, `rerun_script` empty."""
_SECONDS_TO_START, _SECONDS_QUIET, _SECONDS_BETWEEN_SAMPLES = 300.0, 5.0, 5.0
_EARLY = 120.0
_WINDOW = 30.0
_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds of the same questions over HTTP and in one process; `same_hits` got the same documents in order."""

    questions: int
    same_hits: int
    http: Times
    in_process: Times
    p50_above: float
    p95_above: float
    goal_above: float = MOST_ABOVE_MS


@dataclass(frozen=True, slots=True)
class Load:
    """What clients at once got: milliseconds by kind of question, errors by their sentence, and private memory in MiB.

    Growth is of the median of half a minute's samples to the end, over that to minute 2 (a fifth of a shorter run).
    """

    clients: int
    seconds: float
    answers: int
    a_second: float
    errors: int
    problems: Mapping[str, int]
    milliseconds: Mapping[str, Times]
    answers_of: Mapping[str, int]
    early_after_seconds: float
    early_mib: float
    end_mib: float
    growth: float
    mib: Sequence[tuple[float, float]]
    goal_errors: int = 0
    goal_growth: float = MOST_GROWTH


@dataclass(frozen=True, slots=True)
class Memory:
    """MiB of physical memory after one visit of the page and one question over HTTP; shared pages count in parts."""

    together: float
    page_alone: float
    server_alone: float
    visit: str = "GET of the page, then its script run once over its socket; no browser"

    @property
    def saved(self) -> float:
        """How much less one process takes than two."""
        return round(self.page_alone + self.server_alone - self.together, 1)


@dataclass(frozen=True, slots=True)
class ServingSpeed:
    """What was measured, on what; a part that was not asked for is null."""

    hardware: str
    threads: int
    precision: str
    load_before: float
    commit: str
    documents: int
    k: int
    seed: int
    latency: Latency | None
    load: Load | None
    memory: Memory | None

    def as_json(self) -> dict[str, object]:
        """Return the report as a JSON value."""
        found = asdict(self)
        if self.memory is not None:
            found["memory"]["saved"] = self.memory.saved
        return found


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("serving", help="the server: latency beside one process, many clients, memory")
    options.add_library(parser)
    parser.add_argument("--clients", type=int, default=20, metavar="N", help="ask at once (default: 20)")
    parser.add_argument("--minutes", type=float, default=10.0, metavar="N", help="for so long (default: 10)")
    parser.add_argument("--what", default=",".join(PARTS), metavar="PARTS", help="default: %(default)s")
    measurement.add_asking(parser, "documents", queries=200, k=10)
    measurement.add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure and print the report."""
    measurement.check_save(arguments)
    parts = arguments.what.split(",")
    if not set(parts) <= set(PARTS) or arguments.clients < 1 or arguments.minutes <= 0:
        raise EvaluationError(
            f"Expected parts of {', '.join(PARTS)}, 1 client or more and some minutes; got {arguments.what}, "
            f"{arguments.clients} and {arguments.minutes:g}."
        )
    folder, busy = options.library_folder(arguments).absolute(), load()
    latency = under_load = memory = None
    with Workspace(folder) as workspace:
        documents = len(workspace.library)
        texts = [one.data.decode() for one in of_library(workspace.library, arguments.queries, arguments.seed)]
        questions = Questions.of(workspace.library, arguments.seed)
        if "latency" in parts:
            with served(folder, "serve") as (url, _):
                latency = measure_latency(workspace, url, texts, arguments.k)
    if "load" in parts:
        with served(folder, "serve") as (url, process):
            seconds = 60 * arguments.minutes
            under_load = measure_load(url, process, questions, arguments.clients, seconds, arguments.seed)
    if "memory" in parts:
        memory = measure_memory(folder, texts[0])
    report = ServingSpeed(
        provenance.hardware(),
        threads(),
        reading_precision(),
        busy,
        provenance.commit(),
        documents,
        arguments.k,
        arguments.seed,
        latency,
        under_load,
        memory,
    )
    measurement.give(report.as_json(), as_text(report), arguments)


@contextmanager
def served(folder: Path, *command: str) -> Iterator[tuple[str, psutil.Process]]:
    """Run `priorscope serve`, or `app`, over a library on a free port; its address and its process, once it answers.

    Raises EvaluationError, with its last words, where it ends or does not answer.
    """
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    url, line = f"http://127.0.0.1:{port}", [*command, "--library", str(folder), "--port", str(port)]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([sys.executable, "-m", "engine.cli.main", *line], stdout=said, stderr=said)
        try:
            until = time.monotonic() + _SECONDS_TO_START
            while not _answers(f"{url}/v1/health" if command[0] == "serve" else url):
                if process.poll() is not None or time.monotonic() > until:
                    said.seek(0)
                    last = said.read().decode("utf-8", "replace").strip().splitlines()[-1:] or ["nothing"]
                    raise EvaluationError(f"Expected `priorscope {' '.join(command)}` to answer; it said: {last[0]}")
                time.sleep(0.1)
            yield url, psutil.Process(process.pid)
        finally:
            _end(process)


def _answers(url: str) -> bool:
    with suppress(httpx2.TransportError):
        return httpx2.get(url, timeout=60, trust_env=False).is_success
    return False


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and those that it began, the page's among them."""
    with suppress(psutil.NoSuchProcess):
        first = psutil.Process(process.pid)
        begun = [*first.children(recursive=True), first]
        for one in begun:
            with suppress(psutil.NoSuchProcess):
                one.terminate()
        for one in psutil.wait_procs(begun, timeout=20)[1]:
            one.kill()
    process.wait(30)


def _settle(client: Priorscope) -> None:
    """Wait until no job runs, so that nothing is read while something else is measured."""
    while jobs := client.list_jobs():
        client.wait(jobs[0])


def measure_latency(workspace: Workspace, url: str, texts: Sequence[str], k: int) -> Latency:
    """Ask each text both ways, the one first that was last before; the first five warm both up.

    Raises EvaluationError where the library is not read whole.
    """
    over_http: list[float] = []
    in_process: list[float] = []
    same = 0
    with Priorscope(url) as client:
        _settle(client)

        def ask_http(text: str) -> tuple[float, Mapping[str, Any]]:
            started = time.perf_counter()
            answer = client.search(text, k=k)
            return 1000 * (time.perf_counter() - started), answer

        def ask_here(text: str) -> tuple[float, Mapping[str, Any]]:
            started = time.perf_counter()
            reading, asked = read_text(text), SearchRequest(k=k)
            read = time.perf_counter() - started
            answer = asked.run(workspace, asked.question(reading.document, workspace.library))
            found = json.loads(json.dumps(search_as_json(reading, answer, read)))
            return 1000 * (time.perf_counter() - started), found

        for number, text in enumerate(texts):
            if number % 2:
                (here, answer_here), (http, answer_http) = ask_here(text), ask_http(text)
            else:
                (http, answer_http), (here, answer_here) = ask_http(text), ask_here(text)
            if answer_http["unread"] or answer_here["unread"]:
                raise EvaluationError(
                    f"Expected a library that is read whole, got {answer_http['unread']:,} documents unread. "
                    "Search it once from the command line first."
                )
            if number >= WARM_UP:
                over_http.append(http)
                in_process.append(here)
                same += [hit["id"] for hit in answer_http["hits"]] == [hit["id"] for hit in answer_here["hits"]]
    http, here = Times.of(over_http), Times.of(in_process)
    return Latency(len(over_http), same, http, here, round(http.p50 - here.p50, 2), round(http.p95 - here.p95, 2))


@dataclass(frozen=True, slots=True)
class Questions:
    """What clients ask of a library: titles, ids and quotes of some of its documents."""

    ids: Sequence[str]
    titles: Sequence[str]
    quotes: Sequence[str]

    @classmethod
    def of(cls, library: Library, seed: int, *, most: int = 500) -> Questions:
        """Draw documents of a library. Raises EvaluationError where none has a title and twenty words of abstract."""
        ids = list(library.summaries().ids)
        random.Random(seed).shuffle(ids)
        some = [one for one in library.get(ids[: 4 * most]) if one.title and len(one.abstract.split()) >= 20][:most]
        if not some:
            raise EvaluationError("Expected documents with titles and abstracts to ask for; the library holds none.")
        quotes = [" ".join(one.abstract.split()[4:20]) for one in some]
        return cls([one.id for one in some], [one.title for one in some], quotes)

    def ask(self, client: Priorscope, chance: random.Random) -> str:
        """Ask one question, of ten four texts, two documents, two quotes, a list and the collections; its kind."""
        kinds: dict[str, tuple[int, Callable[[], object]]] = {
            "text": (4, lambda: client.search(chance.choice(self.titles))),
            "document": (2, lambda: client.search(id=chance.choice(self.ids))),
            "quote": (2, lambda: client.find_source(chance.choice(self.quotes))),
            "list": (1, lambda: client.list_documents(sort="year", first=chance.randrange(1, len(self.ids)))),
            "collections": (1, lambda: client.list_collections()),
        }
        (kind,) = chance.choices([*kinds], [weight for weight, _ in kinds.values()])
        kinds[kind][1]()
        return kind


def measure_load(
    url: str, process: psutil.Process, questions: Questions, clients: int, seconds: float, seed: int
) -> Load:
    """Have clients ask for some seconds, and watch the server's memory."""
    took: dict[str, list[float]] = defaultdict(list)
    problems: Counter[str] = Counter()
    samples: list[tuple[float, float]] = []
    with Priorscope(url) as first:
        _settle(first)
        for number in range(WARM_UP):
            first.search(questions.titles[number % len(questions.titles)])
    began, over = time.monotonic(), threading.Event()

    def asking(number: int) -> None:
        chance = random.Random(f"{seed} {number}")
        with Priorscope(url) as client:
            while not over.is_set():
                started = time.perf_counter()
                try:
                    kind = questions.ask(client, chance)
                except ServerProblem as problem:
                    problems[f"{problem.status} {problem}"[:200]] += 1
                    over.wait(0.1)
                else:
                    took[kind].append(1000 * (time.perf_counter() - started))

    asked = [threading.Thread(target=asking, args=(number,), name=f"client {number}") for number in range(clients)]
    for one in asked:
        one.start()
    while (past := time.monotonic() - began) < seconds and process.is_running():
        samples.append((round(past, 1), round(_private(process) / _MIB, 1)))
        time.sleep(min(_SECONDS_BETWEEN_SAMPLES, max(0.0, seconds - past)))
    over.set()
    for one in asked:
        one.join()
    lasted = time.monotonic() - began
    every = [value for values in took.values() for value in values]
    if not every:
        raise EvaluationError(f"Expected answers under load, got none: {', '.join(problems) or 'no question ended'}.")
    early_at = min(_EARLY, seconds / 5)
    early, end = _median(samples, early_at), _median(samples, samples[-1][0])
    return Load(
        clients=clients,
        seconds=round(lasted, 1),
        answers=len(every),
        a_second=round(len(every) / lasted, 2),
        errors=sum(problems.values()),
        problems=dict(problems.most_common(10)),
        milliseconds={"all": Times.of(every), **{kind: Times.of(values) for kind, values in sorted(took.items())}},
        answers_of={kind: len(values) for kind, values in sorted(took.items())},
        early_after_seconds=early_at,
        early_mib=early,
        end_mib=end,
        growth=round(end / early - 1, 4),
        mib=samples,
    )


def _private(process: psutil.Process) -> int:
    """Return the bytes that a process has for itself."""
    private: int = process.memory_full_info().uss
    return private


def _median(samples: Sequence[tuple[float, float]], at: float) -> float:
    """Return the median of the samples of half a minute to a time; of the last one before, where it has none."""
    before = [(when, value) for when, value in samples if when <= at] or samples[:1]
    near = [value for when, value in before if when >= at - _WINDOW]
    return round(float(np.median(near or [before[-1][1]])), 1)


def measure_memory(folder: Path, text: str) -> Memory:
    """Start the page and the server in one process, then each alone; visit and ask, and sum what they take."""
    with served(folder, "serve", "--app") as (url, process):
        _visit(url)
        together = _asked(url, text, process)
    with served(folder, "app", "--no-browser") as (page, process):
        _visit(page)
        with served(folder, "serve") as (url, server):
            server_alone = _asked(url, text, server)
            page_alone = _physical(process)
    return Memory(together, page_alone, server_alone)


def _visit(url: str) -> None:
    """Get the page, have its script run, and wait until it sends no more."""
    httpx2.get(url, timeout=60, trust_env=False).raise_for_status()
    address = f"{url.replace('http', 'ws', 1)}/_stcore/stream"
    with connect(address, subprotocols=["streamlit"], max_size=None, proxy=None) as page:  # type: ignore[list-item]
        page.send(_RERUN)
        page.recv(_SECONDS_TO_START)
        with suppress(TimeoutError):
            while True:
                page.recv(_SECONDS_QUIET)


def _asked(url: str, text: str, process: psutil.Process) -> float:
    """Return the MiB of a server's processes once it has answered a question."""
    with Priorscope(url) as client:
        _settle(client)
        client.search(text)
    return _physical(process)


def _physical(process: psutil.Process) -> float:
    """Return the MiB of memory of a process and those that it began; a page that several share counts in parts."""
    told = [one.memory_full_info() for one in [process, *process.children(recursive=True)]]
    return round(sum(getattr(one, "pss", one.uss) for one in told) / _MIB, 1)


def as_text(report: ServingSpeed) -> str:
    """Return the report in a few lines a part, with the goals."""
    lines = [
        f"{report.hardware}, {report.threads} threads, {report.precision}, load {report.load_before} before",
        f"{report.documents:,} documents",
    ]
    if (found := report.latency) is not None:
        lines += [
            f"{found.questions} questions, warm, the same hits {found.same_hits} times; p50 and p95 in ms:",
            f"  over HTTP {found.http.p50:.1f} {found.http.p95:.1f}, in one process {found.in_process.p50:.1f} "
            f"{found.in_process.p95:.1f}, above {found.p50_above:+.1f} {found.p95_above:+.1f} (goal: 15 at most)",
        ]
    if (under := report.load) is not None:
        lines.append(
            f"{under.clients} clients, {under.seconds:.0f} s: {under.answers:,} answers, {under.a_second:.1f} a "
            f"second, {under.errors} errors (goal: none); p50, p95 and longest in ms:"
        )
        rows = under.milliseconds.items()
        lines += [f"  {kind:<12}{times.p50:>9.0f}{times.p95:>9.0f}{times.max:>9.0f}" for kind, times in rows]
        lines += [f"  {count} times: {problem}" for problem, count in under.problems.items()]
        lines.append(
            f"  private memory {under.early_mib:,.0f} MiB after {under.early_after_seconds:.0f} s, "
            f"{under.end_mib:,.0f} at the end: {under.growth:+.1%} (goal: 5 % at most)"
        )
    if (kept := report.memory) is not None:
        lines += [
            f"memory of one process with the page and the server: {kept.together:,.0f} MiB; of the page alone "
            f"{kept.page_alone:,.0f}, of the server alone {kept.server_alone:,.0f}: {kept.saved:,.0f} saved",
            f"  after a question over HTTP and a visit: {kept.visit}",
        ]
    return "\n".join(lines)

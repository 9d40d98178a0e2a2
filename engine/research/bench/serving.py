"""How the server keeps up: `python -m engine.research bench serving`, in three parts of one run.

latency: each question is asked over HTTP and in this process, as the command line does, in turn; both are warm, and
both hold the library's vectors and passages open.
load: clients ask at once, each its next question as soon as it has an answer: of ten questions four are titles, two
whole documents by their id, two quotes, one a list of documents and one the collections. Minute by minute, the server's
private memory is sampled.
memory: one process with the page and the server, against a process for each. A visit gets the page and has its script
run once over the page's own socket, without a browser; then one question is asked over HTTP.

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
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import psutil
from websockets import Subprotocol
from websockets.sync.client import connect

from engine.cli import options
from engine.cli.terminal import bar
from engine.core import provenance
from engine.core.errors import EvaluationError
from engine.core.progress import Meter, Report, silent
from engine.encoders.processor import reading_precision
from engine.exports import search_as_json
from engine.library import Library
from engine.reading import read_text
from engine.research import measurement
from engine.research.bench.searching import WARM_UP, Times, load, of_library, threads
from engine.server.client import Priorscope, ServerProblem
from engine.workspace import SearchRequest, Workspace

PARTS = ("latency", "load", "memory")
_GOALS = {"milliseconds_above": 15.0, "errors": 0, "growth": 0.05}
_VISIT = "the page got, then its script run once over its socket, without a browser"
_RERUN = b"Z\x00"  # Streamlit's BackMsg with an empty `rerun_script`
_MOST_SECONDS, _SECONDS_QUIET, _SECONDS_IDLE, _SECONDS_BETWEEN_SAMPLES = 300.0, 5.0, 0.2, 5.0
_SETTLED_AFTER, _SAMPLES_OF = 120.0, 30.0
_DRAWN, _QUOTED, _OF_TEN = 500, slice(4, 20), (4, 2, 2, 1, 1)
_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds of the same questions both ways, and how many got the same documents in the same order.

    `processor_above` is of the mean question's work in all processes, which other work on the machine delays less.
    """

    questions: int
    same_hits: int
    http: Times
    in_process: Times
    p50_above: float
    p95_above: float
    processor_above: float


@dataclass(frozen=True, slots=True)
class Load:
    """What clients at once got: milliseconds by kind of question, and errors by their sentence.

    `mib` are seconds and private MiB of the server; growth is of the median of the last half minute over that of the
    half minute before `settled_after` seconds: 120, or a fifth of a run of less than ten minutes.
    """

    clients: int
    seconds: float
    answers: Mapping[str, int]
    answers_a_second: float
    milliseconds: Mapping[str, Times]
    errors: int
    problems: Mapping[str, int]
    settled_after: float
    settled_mib: float
    end_mib: float
    growth: float
    mib: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Memory:
    """Physical MiB after one visit and one question: of one process with both, and of one for each."""

    visit: str
    together: float
    page: float
    server: float
    saved: float


@dataclass(frozen=True, slots=True)
class ServingSpeed:
    """What was measured, on what, with the goals; a part that was not asked for is null."""

    hardware: str
    threads: int
    precision: str
    load: float
    commit: str
    documents: int
    k: int
    seed: int
    latency: Latency | None = None
    under_load: Load | None = None
    memory: Memory | None = None
    goals: Mapping[str, float] = field(default_factory=lambda: _GOALS)

    def as_json(self) -> dict[str, object]:
        """Return the report as a JSON value."""
        return asdict(self)


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("serving", help="the server: beside one process, under load, and its memory")
    options.add_library(parser)
    parser.add_argument("--clients", type=int, default=20, metavar="N", help="ask at once (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=10, metavar="N", help="of load (default: %(default)s)")
    parser.add_argument("--what", default=",".join(PARTS), metavar="PARTS", help="default: %(default)s")
    measurement.add_asking(parser, "documents", queries=200, k=10)
    measurement.add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure and print the report. Raises EvaluationError for what cannot be measured."""
    measurement.check_save(arguments)
    what, seconds = arguments.what.split(","), 60 * arguments.minutes
    if not set(what) <= set(PARTS) or arguments.clients < 1 or seconds <= 0:
        raise EvaluationError(
            f"Expected parts among {', '.join(PARTS)}, 1 client or more and some minutes; got {arguments.what}, "
            f"{arguments.clients} and {arguments.minutes:g}."
        )
    folder, latency, under_load, memory, report = options.library_folder(arguments).absolute(), None, None, None, bar()
    busy = load()
    with Workspace(folder) as workspace:
        texts = [one.data.decode() for one in of_library(workspace.library, arguments.queries, arguments.seed)]
        asked, documents = Questions.of(workspace.library, arguments.seed), len(workspace.library)
        if "latency" in what:
            with served(folder, "serve") as (url, process), Priorscope(url) as client:
                latency = BothWays(workspace, client, process, arguments.k).measure(texts, report=report)
    if "load" in what:
        with served(folder, "serve") as (url, process):
            clients = Clients(url, asked, arguments.clients, arguments.seed)
            under_load = clients.measure(process, seconds, report=report)
    if "memory" in what:
        memory = measure_memory(folder, texts[0])
    found = ServingSpeed(
        hardware=provenance.hardware(),
        threads=threads(),
        precision=reading_precision(),
        load=busy,
        commit=provenance.commit(),
        documents=documents,
        k=arguments.k,
        seed=arguments.seed,
        latency=latency,
        under_load=under_load,
        memory=memory,
    )
    measurement.give(found.as_json(), as_text(found), arguments)


@contextmanager
def served(folder: Path, *command: str) -> Iterator[tuple[str, psutil.Process]]:
    """Run `priorscope serve` or `app` over a library on a free port; gives its address and process once it answers.

    Raises EvaluationError, with its last words, where it ends or does not answer.
    """
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    url, line = f"http://127.0.0.1:{port}", [*command, "--library", str(folder), "--port", str(port)]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([sys.executable, "-m", "engine.cli.main", *line], stdout=said, stderr=said)
        try:
            until = time.monotonic() + _MOST_SECONDS
            while not _answers(f"{url}/v1/health" if command[0] == "serve" else url):
                if process.poll() is not None or time.monotonic() > until:
                    said.seek(0)
                    last = said.read().decode("utf-8", "replace").strip().rpartition("\n")[2] or "nothing"
                    raise EvaluationError(f"Expected `priorscope {' '.join(command)}` to answer; it said: {last}")
                time.sleep(0.1)
            yield url, psutil.Process(process.pid)
        finally:
            begun = _tree(psutil.Process(process.pid)) if process.poll() is None else []
            for one in begun:
                with suppress(psutil.NoSuchProcess):
                    one.terminate()
            for one in psutil.wait_procs(begun, timeout=20)[1]:
                one.kill()
            process.wait()


def _answers(url: str) -> bool:
    with suppress(httpx2.TransportError):
        return httpx2.get(url, timeout=60, trust_env=False).is_success
    return False


def _tree(process: psutil.Process) -> list[psutil.Process]:
    """Return the processes that one began, and itself: `serve --app` and `app` run the page in one of their own."""
    return [*process.children(recursive=True), process]


def _processor_seconds(process: psutil.Process) -> float:
    """Return the seconds of the processor that a process and those that it began have used."""
    return float(sum(sum(one.cpu_times()[:2]) for one in _tree(process)))


def _settle(client: Priorscope) -> None:
    """Wait until the server has no job left."""
    while jobs := client.list_jobs():
        client.wait(jobs[0])


@dataclass(frozen=True, slots=True)
class BothWays:
    """Asks a server, and this process as the command line asks: over the same library, for `k` hits."""

    workspace: Workspace
    client: Priorscope
    process: psutil.Process
    k: int

    def measure(self, texts: Sequence[str], *, report: Report = silent) -> Latency:
        """Ask each text both ways, the way first that was last before; the first five warm both up.

        Raises EvaluationError where the library is not read whole.
        """
        _settle(self.client)
        rows, same, meter = [], 0, Meter("ask both ways", len(texts), report)
        for number, text in enumerate(texts):
            ways = [self._over_http, self._in_process]
            found = {way: self._timed(way, text) for way in (reversed(ways) if number % 2 else ways)}
            (http, http_worked, there), (here, here_worked, own) = (found[way] for way in ways)
            if unread := max(there["unread"], own["unread"]):
                raise EvaluationError(
                    f"Expected a library that is read whole; {unread:,} of its documents are not. Search it once first."
                )
            meter.add()
            if number >= WARM_UP or len(texts) <= WARM_UP:
                rows.append((http, here, http_worked - here_worked))
                same += [hit["id"] for hit in there["hits"]] == [hit["id"] for hit in own["hits"]]
        over_http, in_process = Times.of([row[0] for row in rows]), Times.of([row[1] for row in rows])
        return Latency(
            questions=len(rows),
            same_hits=same,
            http=over_http,
            in_process=in_process,
            p50_above=round(over_http.p50 - in_process.p50, 2),
            p95_above=round(over_http.p95 - in_process.p95, 2),
            processor_above=round(float(np.mean([row[2] for row in rows])), 2),
        )

    def _over_http(self, text: str) -> Mapping[str, Any]:
        return self.client.search(text, k=self.k)

    def _in_process(self, text: str) -> Mapping[str, Any]:
        reading, asked = read_text(text), SearchRequest(k=self.k, so_far=True)  # whole, it was opened once
        answer = asked.run(self.workspace, asked.question(reading.document, self.workspace.library))
        found: dict[str, Any] = json.loads(json.dumps(search_as_json(reading, answer, 0.0)))
        return found

    def _timed(self, ask: Callable[[str], Mapping[str, Any]], text: str) -> tuple[float, float, Mapping[str, Any]]:
        """Return the milliseconds of an answer by the clock and of the processor, the server's with ours; and it."""
        worked, started = self._worked(), time.perf_counter()
        answer = ask(text)
        return 1000 * (time.perf_counter() - started), 1000 * (self._worked() - worked), answer

    def _worked(self) -> float:
        return time.process_time() + _processor_seconds(self.process)


@dataclass(frozen=True, slots=True)
class Questions:
    """What clients ask a library: ids, titles and quotes of some of its documents."""

    ids: Sequence[str]
    titles: Sequence[str]
    quotes: Sequence[str]

    @classmethod
    def of(cls, library: Library, seed: int) -> Questions:
        """Draw them. Raises EvaluationError where no document has a title and twenty words of abstract."""
        ids = list(library.summaries().ids)
        random.Random(seed).shuffle(ids)
        drawn = library.get(ids[: 4 * _DRAWN])
        some = [one for one in drawn if one.title and len(one.abstract.split()) >= _QUOTED.stop][:_DRAWN]
        if not some:
            raise EvaluationError("Expected documents with titles and abstracts to ask with; the library holds none.")
        quotes = [" ".join(one.abstract.split()[_QUOTED]) for one in some]
        return cls([one.id for one in some], [one.title for one in some], quotes)

    def ask(self, client: Priorscope, chance: random.Random) -> str:
        """Ask one question by chance; its kind."""
        kinds: dict[str, Callable[[], object]] = {
            "text": lambda: client.search(chance.choice(self.titles)),
            "document": lambda: client.search(id=chance.choice(self.ids)),
            "quote": lambda: client.find_source(chance.choice(self.quotes)),
            "list": lambda: client.list_documents(sort="year", first=chance.randrange(len(self.ids)) + 1),
            "collections": lambda: client.list_collections(),
        }
        (kind,) = chance.choices(list(kinds), _OF_TEN)
        kinds[kind]()
        return kind


class Clients:
    """Clients of a server, each in a thread with connections of its own."""

    def __init__(self, url: str, questions: Questions, clients: int, seed: int) -> None:
        """Take what they ask, and how many they are."""
        self._url, self._questions, self._seed = url, questions, seed
        self._took: dict[str, list[float]] = defaultdict(list)
        self._problems: Counter[str] = Counter()
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._ask, args=(number,)) for number in range(clients)]

    def measure(self, process: psutil.Process, seconds: float, *, report: Report = silent) -> Load:
        """Have them ask for some seconds, and watch the server's memory. Raises EvaluationError without an answer."""
        with Priorscope(self._url) as first:
            _settle(first)
            for title in self._questions.titles[:WARM_UP]:
                first.search(title)
        samples, meter, began = (
            list[tuple[float, float]](),
            Meter("seconds of load", int(seconds), report),
            time.monotonic(),
        )
        for one in self._threads:
            one.start()
        try:
            while (past := time.monotonic() - began) < seconds:
                samples.append((round(past, 1), round(process.memory_full_info().uss / _MIB, 1)))
                self._over.wait(min(_SECONDS_BETWEEN_SAMPLES, seconds - past))
                meter.add(int(time.monotonic() - began) - int(past))
        except psutil.Error as error:
            self._problems[f"the server ended: {error}"] += 1
        finally:
            self._over.set()
            for one in self._threads:
                one.join()
        return self._summary(time.monotonic() - began, samples)

    def _ask(self, number: int) -> None:
        chance = random.Random(f"{self._seed} {number}")
        with Priorscope(self._url) as client:
            while not self._over.is_set():
                started = time.perf_counter()
                try:
                    kind = self._questions.ask(client, chance)
                except ServerProblem as problem:
                    self._problems[f"{problem.status} {problem}"[:200]] += 1
                    self._over.wait(0.1)
                else:
                    self._took[kind].append(1000 * (time.perf_counter() - started))

    def _summary(self, seconds: float, samples: Sequence[tuple[float, float]]) -> Load:
        every = [milliseconds for of_kind in self._took.values() for milliseconds in of_kind]
        if not every or not samples:
            raise EvaluationError(f"Expected answers under load, got none: {'; '.join(self._problems) or 'no time'}.")
        kinds = sorted(self._took.items())
        settled_after = min(_SETTLED_AFTER, seconds / 5)
        settled, end = _middle(samples, settled_after), _middle(samples, samples[-1][0])
        return Load(
            clients=len(self._threads),
            seconds=round(seconds, 1),
            answers={kind: len(took) for kind, took in kinds},
            answers_a_second=round(len(every) / seconds, 2),
            milliseconds={"all": Times.of(every), **{kind: Times.of(took) for kind, took in kinds}},
            errors=sum(self._problems.values()),
            problems=dict(self._problems.most_common(10)),
            settled_after=round(settled_after, 1),
            settled_mib=settled,
            end_mib=end,
            growth=round(end / settled - 1, 4),
            mib=samples,
        )


def _middle(samples: Sequence[tuple[float, float]], at: float) -> float:
    """Return the median MiB of the half minute before a time; the first sample's where it has none."""
    near = [mib for when, mib in samples if at - _SAMPLES_OF <= when <= at]
    return round(float(np.median(near or [samples[0][1]])), 1)


def measure_memory(folder: Path, text: str) -> Memory:
    """Start the page and the server as one process, then as two; visit the page and ask the server, and weigh them."""
    with served(folder, "serve", "--app") as (url, both):
        _visit(url, both)
        _ask_once(url, text)
        together = _mib(both)
    with served(folder, "app", "--no-browser") as (page_url, page), served(folder, "serve") as (url, server):
        _visit(page_url, page)
        _ask_once(url, text)
        apart = _mib(page), _mib(server)
    return Memory(_VISIT, together, *apart, round(sum(apart) - together, 1))


def _visit(url: str, process: psutil.Process) -> None:
    """Get the page, have its script run, and wait until it sends no more and works no more."""
    httpx2.get(url, timeout=60, trust_env=False).raise_for_status()
    socket_of_page, until = f"{url.replace('http', 'ws', 1)}/_stcore/stream", time.monotonic() + _MOST_SECONDS
    with connect(socket_of_page, subprotocols=[Subprotocol("streamlit")], max_size=None, proxy=None) as page:
        page.send(_RERUN)
        page.recv(_MOST_SECONDS)
        while time.monotonic() < until:
            worked = _processor_seconds(process)
            try:
                page.recv(_SECONDS_QUIET)
            except TimeoutError:
                if _processor_seconds(process) - worked < _SECONDS_IDLE:
                    return


def _ask_once(url: str, text: str) -> None:
    with Priorscope(url) as client:
        _settle(client)
        client.search(text)


def _mib(process: psutil.Process) -> float:
    """Return the physical memory of a process and those that it began; what processes share counts in parts."""
    told = [one.memory_full_info() for one in _tree(process)]
    return round(float(sum(getattr(one, "pss", one.uss) for one in told)) / _MIB, 1)


def as_text(report: ServingSpeed) -> str:
    """Return the report in a few lines a part, with the goals."""
    lines = [
        f"{report.hardware}, {report.threads} threads, {report.precision}, load {report.load}, "
        f"{report.documents:,} documents"
    ]
    if (found := report.latency) is not None:
        http, here = found.http, found.in_process
        lines += [
            f"{found.questions} questions, warm, the same hits {found.same_hits} times; p50 and p95 in ms:",
            f"  over HTTP {http.p50:.1f} {http.p95:.1f}, in one process {here.p50:.1f} {here.p95:.1f}, above "
            f"{found.p50_above:+.1f} {found.p95_above:+.1f} (goal: 15 at most), of the processor "
            f"{found.processor_above:+.1f} a question",
        ]
    if (under := report.under_load) is not None:
        lines.append(
            f"{under.clients} clients, {under.seconds:.0f} s, {under.answers_a_second:.1f} answers a second, "
            f"{under.errors} errors (goal: none); p50, p95 and longest in ms:"
        )
        rows = under.milliseconds.items()
        lines += [f"  {kind:<12}{times.p50:>9.0f}{times.p95:>9.0f}{times.max:>9.0f}" for kind, times in rows]
        lines += [f"  {count} times: {problem}" for problem, count in under.problems.items()]
        lines.append(
            f"  private memory {under.settled_mib:,.0f} MiB after {under.settled_after:.0f} s, {under.end_mib:,.0f} at "
            f"the end: {under.growth:+.1%} (goal: 5 % at most)"
        )
    if (kept := report.memory) is not None:
        lines += [
            f"memory of one process with the page and the server {kept.together:,.0f} MiB, of the page alone "
            f"{kept.page:,.0f}, of the server alone {kept.server:,.0f}: {kept.saved:,.0f} saved",
            f"  after one question over HTTP and a visit: {kept.visit}",
        ]
    return "\n".join(lines)

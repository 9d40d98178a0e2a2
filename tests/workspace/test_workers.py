"""Workers beside this process: the same outcome as without them, in order, whatever ends them."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from engine import encoders
from engine.core.errors import (
    CancelledError,
    ConfigError,
    EncoderError,
    LostWorkError,
    MissingExtraError,
    TruncatedFileError,
)
from engine.documents import as_fields
from engine.library import Library
from engine.search import PassageEncoder
from engine.vectors import ReadPassages
from engine.workspace import importing, indexing, passages
from engine.workspace.importing import import_paths
from engine.workspace.indexing import encoder_for, index_library
from engine.workspace.passages import index_passages
from engine.workspace.workers import Arguments, Look, R, Workers, _LostError, open_workers
from tests.conftest import PROJECT
from tests.contracts.encoder import corpus
from tests.mixed import make
from tests.workspace import worker_jobs


def ask(
    workers: Workers, do: Callable[..., Any], *given: object, look: Look = lambda: None, encodes: bool = False
) -> object:
    """Ask for one piece of work."""
    ((_, answer),) = workers.each(do, [(None, given)], look, encodes=encodes)
    assert answer
    return answer()


class Threads(Workers):
    """Workers that are threads of this process: for what needs no other one."""

    def __init__(self) -> None:
        super().__init__(2)
        self.asked = 0
        self._pool = ThreadPoolExecutor(2)

    def _begin(self, do: Callable[..., Any], given: Arguments, *, encodes: bool) -> Future[Any]:
        assert encodes == (do is not importing.read_file)
        self.asked += 1
        return self._pool.submit(do, *given)

    def _result(self, future: Future[R]) -> R:
        return future.result()

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown(cancel_futures=True)


@pytest.fixture(scope="module")
def processes() -> Iterator[Workers]:
    workers = open_workers(2)
    assert workers
    with workers:
        yield workers


def test_answers_come_in_the_order_of_what_was_asked_with_a_few_ahead(processes: Workers) -> None:
    asked: list[int] = []

    def work() -> Iterator[tuple[int, Arguments | None]]:
        for number in range(40):
            asked.append(number)
            yield number, None if number % 5 == 4 else (str(number),)

    answered = []
    for number, answer in processes.each(worker_jobs.say, work(), lambda: None):
        assert len(asked) - number <= 3 * processes.count + 1
        answered.append(answer and answer())
    assert answered == [None if number % 5 == 4 else str(number) for number in range(40)]


def test_what_a_worker_refuses_is_raised_here(processes: Workers) -> None:
    with pytest.raises(TruncatedFileError, match=r"Expected more than this\. Fetch it again\."):
        ask(processes, worker_jobs.refuse, "this")


def test_processes_share_the_processors(processes: Workers) -> None:
    assert str(ask(processes, worker_jobs.name_processor)).rpartition(" ")[2].isdecimal()


def test_work_whose_worker_ends_is_done_by_another(processes: Workers, tmp_path: Path) -> None:
    jobs = [(number, (tmp_path / str(number),)) for number in range(3)]
    answers = [answer and answer() for _, answer in processes.each(worker_jobs.end, jobs, lambda: None)]
    assert answers == ["done"] * 3
    with pytest.raises(LostWorkError, match=r"3 workers ended over the same work\. Give them more memory"):
        ask(processes, worker_jobs.end)
    assert ask(processes, worker_jobs.say, "still here") == "still here"


def both_end(written: Path) -> bool:
    """Whether a worker and what it started are gone soon."""
    return all(soon(partial(is_gone, int(name))) for name in written.read_text().split())


def is_gone(number: int) -> bool:
    try:
        return psutil.Process(number).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def soon(condition: Callable[[], bool]) -> bool:
    """Whether a condition holds within half a minute."""
    deadline = time.monotonic() + 30
    while not (holds := condition()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return holds


def test_workers_end_with_the_block_and_so_does_what_they_started(tmp_path: Path) -> None:
    written = tmp_path / "started.txt"

    def look() -> None:
        if written.exists():
            raise CancelledError("Stopped.")

    workers = open_workers(1)
    assert workers
    with pytest.raises(CancelledError), workers:
        ask(workers, worker_jobs.hang, written, look=look)
    assert both_end(written)


KILLED = """
import sys
from pathlib import Path
from engine.workspace import open_workers
from tests.workspace.test_workers import ask
from tests.workspace.worker_jobs import hang

with open_workers(1) as workers:
    ask(workers, hang, Path(sys.argv[1]))
"""


def test_workers_end_with_a_process_that_is_killed(tmp_path: Path) -> None:
    written = tmp_path / "started.txt"
    with subprocess.Popen([sys.executable, "-c", KILLED, str(written)], cwd=PROJECT) as process:
        assert soon(written.exists) and process.poll() is None
        process.kill()
    assert both_end(written)


def test_what_cannot_be_meant_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_workers() is None
    for count in (0, -1, 1_001, 10**30):
        with pytest.raises(ConfigError, match=f"Expected 1 to 1,000 workers, got {count:,}"):
            open_workers(count=count)
    with pytest.raises(ConfigError, match=r"Expected 0 GPUs or more for each worker of Ray, got 0\.5"):
        open_workers(count=2, gpus=0.5)
    for address in ("local", "head", "ray://head", "ray://head:x"):
        with pytest.raises(ConfigError, match="Expected ray://HOST:PORT, HOST:PORT or auto"):
            open_workers(ray=address)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"Run: pip install 'priorscope\[ray\]'"):
        open_workers(ray="auto")


def told(library: Library) -> object:
    """All that an import leaves in a library."""
    documents = [as_fields(document) for document in library.iter_documents()]
    failures = [(one.name, one.reason) for one in library.failures()]
    return documents, failures, [(one.key, one.name, one.notes) for one in library.files()], library.copies.keys()


def test_files_come_in_as_one_process_reads_them(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path / "files", 28, 3)
    (tmp_path / "files" / "copy.md").write_bytes(next((tmp_path / "files").rglob("*.md")).read_bytes())
    largest = max(one.stat().st_size for one in (tmp_path / "files").rglob("*") if one.is_file())
    monkeypatch.setattr(importing, "_MOST_BYTES", largest - 1)  # the largest is read here
    with Library.open(tmp_path / "plain", create=True) as plain, Threads() as workers:
        expected = import_paths(plain, [tmp_path / "files"])
        summary = import_paths(library, [tmp_path / "files"], workers=workers)
        assert asdict(summary) | {"failures": ()} == asdict(expected) | {"failures": ()}
        assert told(library) == told(plain)
        assert expected.failures and expected.skipped and expected.notes
        asked = workers.asked
        again = import_paths(library, [tmp_path / "files"], workers=workers)
        assert again.skipped == expected.files + expected.skipped
        assert workers.asked - asked < len(expected.failures)  # what is held is not read


def test_a_file_over_which_workers_end_fails_alone(library: Library, tmp_path: Path) -> None:
    class Fragile(Threads):
        def _begin(self, do: Callable[..., Any], given: Arguments, *, encodes: bool) -> Future[Any]:
            future = super()._begin(do, given, encodes=encodes)
            future.bad = "bad.md" in str(given[0])  # type: ignore[attr-defined]
            return future

        def _result(self, future: Future[R]) -> R:
            if future.bad:  # type: ignore[attr-defined]
                raise _LostError
            return super()._result(future)

    for name in ("a.md", "bad.md", "c.md"):
        (tmp_path / name).write_text(f"# Kites of {name}\n\nThey fly.\n")
    with Fragile() as workers:
        summary = import_paths(library, sorted(tmp_path.glob("*.md")), workers=workers)
    assert (summary.documents, workers.asked) == (2, 5)
    assert "every worker that read bad.md ended over it" in summary.failures[0].reason


def test_rows_and_passages_are_those_of_one_process(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "_SENT_BATCH", 3)
    monkeypatch.setattr(passages, "_SENT_DOCUMENTS", 2)
    library.add_file("own", "own.jsonl", corpus()[:5])
    encoder, reader, ids = encoders.load("word2vec-mean"), PassageEncoder(), library.ids()
    with Threads() as workers:
        there = index_library(library, encoder, workers=workers).rows(ids)
        read = index_passages(library, reader, workers=workers)
        assert workers.asked == 5
    with Library.open(tmp_path / "plain", create=True) as plain:
        plain.add_file("own", "own.jsonl", corpus()[:5])
        np.testing.assert_allclose(there, index_library(plain, encoder).rows(ids), atol=1e-6)
        expected = index_passages(plain, reader)
    for document in library.iter_documents():
        ours, theirs = (one.view().read(document) for one in (read, expected))
        assert isinstance(ours, ReadPassages) and isinstance(theirs, ReadPassages)
        assert list(ours.passages) == list(theirs.passages)
        np.testing.assert_allclose(ours.rows, theirs.rows, atol=1e-6)


def test_an_encoder_that_learns_encodes_here(library: Library) -> None:
    library.add_file("own", "own.jsonl", corpus())
    with Threads() as workers:
        index = index_library(library, encoder_for(library, "tfidf"), workers=workers)
    assert (len(index), workers.asked) == (len(library), 0)


def test_another_encoder_of_the_name_is_refused() -> None:
    indexing._worker_encoder.cache_clear()
    with pytest.raises(EncoderError, match="Expected the same encoder word2vec-mean on every worker, found another"):
        indexing.encode("word2vec-mean", "another", corpus())
    with pytest.raises(EncoderError, match="Expected the same encoder of passages on every worker"):
        passages.read_passages("another", corpus())

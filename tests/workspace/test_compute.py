"""Workers beside this process: the same outcome as without them, in order, whatever ends them."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

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
    WorkerError,
)
from engine.documents import as_fields
from engine.library import Library
from engine.search import PassageEncoder
from engine.vectors import PassageStore, ReadPassages
from engine.workspace import compute, remote_work
from engine.workspace.compute import Json, Look, ProcessWorkers, Workers, open_workers, perform
from engine.workspace.importing import import_paths
from engine.workspace.indexing import encoder_for, index_library
from engine.workspace.passages import index_passages
from tests.contracts.encoder import corpus
from tests.mixed import make

JOBS = "tests.workspace.worker_jobs"


def ask(workers: Workers, job: str, look: Look = lambda: None, **given: object) -> Json:
    """Ask for one piece of work."""
    ((_, answer),) = workers.each(f"{JOBS}.{job}", [given], dict, look)
    assert answer
    return answer()


class Threads(Workers):
    """Workers that are threads of this process: for what needs no other one. Their machine may hold other files."""

    def __init__(self, path: Path | None = None) -> None:
        super().__init__(2)
        self.path, self.asked = path, 0

    def _work(self, task: str, given: bytes) -> bytes:
        self.asked += 1
        if self.path and (value := json.loads(given)).get("data") is None:
            given = json.dumps({**value, "path": str(self.path)}).encode()
        return perform(task, given)


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessWorkers]:
    with ProcessWorkers(2) as workers:
        yield workers


def counted(numbers: int, asked: list[int]) -> Iterator[int]:
    """Numbers, each noted once it is asked for."""
    for number in range(numbers):
        asked.append(number)
        yield number


def test_answers_come_in_the_order_of_what_was_asked_with_a_few_ahead(processes: ProcessWorkers) -> None:
    asked: list[int] = []
    answered = []

    def given(number: int) -> Json | None:
        return None if number % 5 == 4 else {"number": number}

    for number, answer in processes.each(f"{JOBS}.say", counted(40, asked), given, lambda: None):
        assert len(asked) - number <= 3 * processes.count + 1
        answered.append(answer and answer()["number"])
    assert answered == [None if number % 5 == 4 else number for number in range(40)]


def test_little_is_sent_ahead_where_it_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "_MOST_BYTES", 10)
    asked: list[int] = []
    with Threads() as workers:
        for number, _ in workers.each(f"{JOBS}.say", counted(6, asked), lambda n: {"n": n}, lambda: None):
            assert len(asked) - number <= 2


def test_what_a_worker_refuses_is_raised_here(processes: ProcessWorkers) -> None:
    with pytest.raises(TruncatedFileError, match=r"Expected more than this\. Fetch it again\."):
        ask(processes, "refuse", text="this")


def test_work_whose_worker_ends_is_done_by_another(processes: ProcessWorkers, tmp_path: Path) -> None:
    assert ask(processes, "end_once", marker=str(tmp_path / "marker")) == {"said": "done"}
    with pytest.raises(LostWorkError, match=r"3 workers ended over the same work\. Give them more memory"):
        ask(processes, "end")
    assert ask(processes, "say", still=True) == {"still": True}


def test_workers_end_with_the_block_and_so_does_what_they_started(tmp_path: Path) -> None:
    written, before = tmp_path / "started.txt", set(psutil.Process().children())

    def look() -> None:
        if written.exists():
            raise CancelledError("Stopped.")

    with pytest.raises(CancelledError), ProcessWorkers(1) as workers:
        ask(workers, "hang", look, written=str(written))
    assert set(psutil.Process().children()) <= before
    with suppress(psutil.NoSuchProcess):  # nobody may have looked yet how it ended
        assert psutil.Process(int(written.read_text())).status() == psutil.STATUS_ZOMBIE


def test_a_process_that_cannot_be_started_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(compute, "WorkerProcess", refuse)
    with ProcessWorkers(1) as workers, pytest.raises(WorkerError, match=r"allocate memory\. Let fewer work"):
        ask(workers, "say")


def test_what_cannot_be_meant_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_workers() is None
    with pytest.raises(ConfigError, match="Expected 1 worker or more, got 0"):
        open_workers(count=0)
    with pytest.raises(ConfigError, match=r"Expected 0 GPUs or more for each worker of Ray, got 0\.5"):
        open_workers(count=2, gpus=0.5)
    for address in ("head:6379", "http://head:1", "ray://head", "ray://head:x"):
        with pytest.raises(ConfigError, match="Expected ray://HOST:PORT, auto or local"):
            open_workers(ray=address)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"Run: pip install 'priorscope\[ray\]'"):
        open_workers(ray="local")


def test_a_cluster_that_is_not_there_is_told_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"ray://127.0.0.1:{server.getsockname()[1]}"
    with pytest.raises(WorkerError, match=rf"Expected a Ray cluster at {address}; .*refused\. Is it running\?"):
        open_workers(ray=address)


def told(library: Library) -> object:
    """All that an import leaves in a library."""
    documents = [as_fields(document) for document in library.iter_documents()]
    failures = [(one.name, one.reason) for one in library.failures()]
    files = [replace(one, when="") if hasattr(one, "when") else one for one in library.files()]
    return documents, failures, [(one.key, one.name, one.notes) for one in files], library.copies.keys()


@pytest.mark.parametrize("seen", ["", "nothing", "another file"])
def test_files_come_in_as_one_process_reads_them(
    library: Library, tmp_path: Path, seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_work, "_MOST_CHARACTERS", 3_000)  # the tables are read here
    make(tmp_path / "files", 28, 3)
    (tmp_path / "files" / "copy.md").write_bytes(next((tmp_path / "files").rglob("*.md")).read_bytes())
    (tmp_path / "another file").write_text("Another text that lies at the same path.")
    elsewhere = tmp_path / seen if seen else None
    with Library.open(tmp_path / "plain", create=True) as plain, Threads(elsewhere) as workers:
        expected = import_paths(plain, [tmp_path / "files"])
        assert asdict(import_paths(library, [tmp_path / "files"], workers=workers)) | {"failures": ()} == asdict(
            expected
        ) | {"failures": ()}
        assert told(library) == told(plain)
        assert expected.failures and expected.skipped and expected.notes
        asked = workers.asked
        again = import_paths(library, [tmp_path / "files"], workers=workers)
        assert again.skipped == expected.files + expected.skipped
        assert workers.asked - asked == len(expected.failures) - 2  # neither what is held nor what is no file


def test_a_file_over_which_workers_end_fails_alone(library: Library, tmp_path: Path) -> None:
    class Fragile(Threads):
        def _work(self, task: str, given: bytes) -> bytes:
            if b"bad.md" in given:
                raise compute._EndedError
            return super()._work(task, given)

    for name in ("a.md", "bad.md", "c.md"):
        (tmp_path / name).write_text(f"# Kites of {name}\n\nThey fly.\n")
    with Fragile() as workers:
        summary = import_paths(library, sorted(tmp_path.glob("*.md")), workers=workers)
    assert summary.documents == 2
    assert "every worker that read bad.md ended over it" in summary.failures[0].reason


def test_an_import_is_stopped_while_it_waits_for_a_worker(library: Library, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Kites\n\nThey fly.\n")

    class Slow(Threads):
        def _work(self, task: str, given: bytes) -> bytes:
            self._ending.wait()
            return super()._work(task, given)

    def stop(_: object) -> None:
        raise CancelledError("Stopped.")

    with pytest.raises(CancelledError), Slow() as workers:
        import_paths(library, [tmp_path / "a.md"], workers=workers, report=stop)
    assert len(library) == 0


def test_rows_and_passages_are_those_of_one_process(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.workspace.indexing._SENT_BATCH", 3)
    monkeypatch.setattr("engine.workspace.passages._SENT_DOCUMENTS", 2)
    library.add_file("own", "own.jsonl", corpus()[:5])
    encoder, reader, ids = encoders.load("word2vec-mean"), PassageEncoder(), library.ids()
    with Threads() as workers:
        there = index_library(library, encoder, workers=workers).rows(ids)
        passages = index_passages(library, reader, workers=workers)
    with Library.open(tmp_path / "plain", create=True) as plain:
        plain.add_file("own", "own.jsonl", corpus()[:5])
        np.testing.assert_allclose(there, index_library(plain, encoder).rows(ids), atol=1e-6)
        expected = index_passages(plain, reader)
    for document in library.iter_documents():
        ours, theirs = (one.view().read(document) for one in (passages, expected))
        assert isinstance(ours, ReadPassages) and isinstance(theirs, ReadPassages)
        assert list(ours.passages) == list(theirs.passages)
        np.testing.assert_allclose(ours.rows, theirs.rows, atol=1e-6)
    assert isinstance(passages, PassageStore)


def test_an_encoder_that_learns_encodes_here(library: Library) -> None:
    library.add_file("own", "own.jsonl", corpus())
    with Threads() as workers:
        index = index_library(library, encoder_for(library, "tfidf"), workers=workers)
    assert (len(index), workers.asked) == (len(library), 0)


def test_another_encoder_of_the_name_is_refused(library: Library) -> None:
    remote_work._encoder.cache_clear()
    library.add_file("own", "own.jsonl", corpus())
    card = replace(encoders.load("word2vec-mean").card, fingerprint="another")
    with Threads() as workers, pytest.raises(EncoderError, match="Expected the same encoder word2vec-mean on every"):
        list(remote_work.rows_there(workers, card, [corpus()], lambda: None))

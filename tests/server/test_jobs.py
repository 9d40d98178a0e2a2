"""Files in over HTTP: what is read of an upload, imports as jobs, their progress as it comes, and what ends them."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

import httpx2

from engine.core.progress import Progress, Report
from engine.workspace import Rank, Workspace
from tests.answering import answer
from tests.browser.tiny_pdf import tiny_pdf
from tests.server.conftest import ENCODER, Served

KETTLE = ("kettle.md", b"# Kettles\n\n## Abstract\n\nA kettle whistles when its water boils.\n")


def ended(client: httpx2.Client, number: int) -> dict[str, object]:
    """The job once it is over, as its events say."""
    with client.stream("GET", f"/jobs/{number}/events") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        told = [line for line in events.iter_lines() if line.startswith(("event: ", "data: "))]
    assert told[-2] == "event: end" and told.count("event: end") == 1
    job: dict[str, object] = json.loads(told[-1].removeprefix("data: "))
    return job


def test_files_come_in_and_their_job_tells_how_far_it_is(served: Served) -> None:
    client = served.client()
    files = [("files", KETTLE), ("files", ("broken.pdf", b"%PDF-1.7 and no more"))]
    job = client.post("/imports", files=files, data={"encoder": ENCODER}).json()
    over = ended(client, job["number"])
    assert over == client.get(f"/jobs/{job['number']}").json()
    assert over["state"] == "done" and over["name"] == "Importing 2 files"
    assert str(over["outcome"]).startswith("Import finished: 1 new document, 1 file could not be read")
    for left in client.get("/jobs").json():
        ended(client, left["number"])
    assert client.get("/documents/Kettles").json()["abstract"] == "A kettle whistles when its water boils."
    assert served.workspace.vector_count(ENCODER) == len(served.workspace.library)


def test_a_job_is_watched_stopped_paused_and_moved(served: Served) -> None:
    client, going, jobs = served.client(), threading.Event(), served.workspace.jobs

    def work(report: Report) -> str:
        while not going.wait(0.01):
            report(Progress("count", 1, 2, 0.5))
        return "Counted."

    first = jobs.start("Counting", work, rank=Rank.READING)
    second, third = (jobs.start(name, lambda report: "", key=name) for name in ("b", "c"))
    held = [one["number"] for one in client.get("/jobs").json()]
    assert held[0] in (first.number, second.number)
    assert client.post(f"/jobs/{first.number}/pause").json()["state"] in ("paused", "running")
    for job in (second, third):
        assert job.finished.wait(30)
    assert client.get(f"/jobs/{first.number}").json()["state"] == "paused"
    assert client.post(f"/jobs/{first.number}/go-on").status_code == 202
    assert client.post(f"/jobs/{first.number}/dance").status_code == 422
    assert client.delete(f"/jobs/{first.number}").status_code == 202
    assert "was stopped" in str(ended(client, first.number)["outcome"])
    assert client.get("/jobs/99").json()["title"] == "Unknown job"


def test_a_job_that_fails_says_why(served: Served) -> None:
    from engine.core.errors import StorageError

    def work(_report: Report) -> str:
        raise StorageError("Expected room; the disk is full. Make room.")

    job = served.workspace.jobs.start("Failing", work)
    over = ended(served.client(), job.number)
    assert (over["state"], over["problem"]) == ("failed", "Expected room; the disk is full. Make room.")


def test_an_upload_in_any_format_asks_by_its_sections_and_pages(served: Served) -> None:
    client = served.client()
    sent = client.post("/uploads", files={"file": ("../../a draft.pdf", tiny_pdf())})
    assert sent.status_code == 201
    read = sent.json()["document"]
    assert read["format"] == "pdf" and read["pages"] == 1 and read["sections"][0]["page"] == 1
    for name, content, status in (
        ("a.pdf", b"", 422),
        ("a.exe", b"MZ\x00\x01\x02\x00\x00", 415),
        ("a.xml", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 422),
    ):
        refused = client.post("/uploads", files={"file": (name, content)})
        assert (refused.status_code, refused.headers["content-type"]) == (status, "application/problem+json"), name
        assert name in refused.json()["detail"]


_SERVES = """
import sys
from engine.cli.main import main
sys.exit(main(["serve", "--library", sys.argv[1], "--port", sys.argv[2]]))
"""


_ROUNDS, _LONGEST_SECONDS = 3, 0.6
"""How often the server is killed, and how long after the first import at most."""


def free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def answering(port: int, process: subprocess.Popen[bytes]) -> httpx2.Client:
    answer(f"http://127.0.0.1:{port}/v1/health", process, seconds=90)
    return httpx2.Client(base_url=f"http://127.0.0.1:{port}/v1", timeout=60)


def test_a_server_that_is_killed_during_an_import_loses_nothing_that_it_took(tmp_path: Path) -> None:
    folder, seed = tmp_path / "library", random.randrange(1 << 32)
    chance, taken = random.Random(seed), list[str]()
    for round_ in range(_ROUNDS):
        port = free_port()
        process = subprocess.Popen([sys.executable, "-c", _SERVES, str(folder), str(port)], stderr=subprocess.PIPE)
        killer = threading.Timer(chance.uniform(0.0, _LONGEST_SECONDS), os.kill, (process.pid, signal.SIGKILL))
        try:
            with closing(answering(port, process)) as client, suppress(httpx2.TransportError):
                for number in count():  # until nobody answers: the server dies before, in or after an import
                    name = f"{round_}.{number}"
                    text = f"# Kettle {name}\n\n## Abstract\n\nKettle number {name} boils.\n"
                    sent = client.post("/imports", files={"files": (f"{name}.md", text.encode())})
                    assert sent.status_code == 202
                    taken.append(f"Kettle {name}")
                    if not number:
                        killer.start()
        finally:
            killer.cancel()
            process.kill()
            process.communicate()
    from engine.workspace import resume_imports

    with Workspace(folder) as workspace:
        for job in resume_imports(workspace):
            assert job.finished.wait(60) and not job.problem
        for job in workspace.jobs.in_line():
            workspace.jobs.cancel(job.number)
            assert job.finished.wait(60)
        titles = [document.title for document in workspace.library.iter_documents()]
    assert len(taken) >= _ROUNDS and len(titles) == len(set(titles)) and set(taken) <= set(titles), (
        f"the waits of seed {seed}"
    )
    assert len(titles) - len(taken) <= _ROUNDS, "beside those, only what was on its way when the server was killed"
    left = [path.name for path in (folder / "incoming").glob("*")]
    assert all(name.startswith(".") for name in left), "what was being written goes later: another process may write it"

"""What is given is imported, also by the next process if the one that took it ended, and then read."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.core.errors import StorageError
from engine.core.progress import Progress, Report
from engine.workspace import Job, Workspace, resume_imports, safe_name, take_files

PAPER = b"""Plankton in a warming lake

Abstract

We count plankton in a lake over ten summers, and find half as many in the last as in the first.
"""
_ENCODER = "tfidf"


def taken(workspace: Workspace, *names: str) -> None:
    job = take_files(workspace, [(name, io.BytesIO(PAPER + name.encode())) for name in names], encoder=_ENCODER)
    assert job.finished.wait(60) and not job.problem
    for one in workspace.jobs.in_line():
        assert one.finished.wait(60)


def incoming(folder: Path) -> list[Path]:
    return sorted((folder / "incoming").glob("*"))


def test_files_that_are_taken_are_imported_under_their_own_names_and_kept_no_longer(tmp_path: Path) -> None:
    with Workspace(tmp_path, create=True) as workspace:
        taken(workspace, "lake.txt", "../lake two.txt")
        assert [file.name for file in workspace.library.files()] == ["lake.txt", "lake two.txt"]
        assert not incoming(tmp_path) and workspace.vector_count(_ENCODER) == len(workspace.library) == 2


def test_the_same_files_in_line_twice_are_imported_once(tmp_path: Path) -> None:
    with Workspace(tmp_path, create=True) as workspace, workspace.working():
        first, second = (take_files(workspace, [("a.txt", io.BytesIO(PAPER))], encoder=_ENCODER) for _ in range(2))
        assert first is second and len(incoming(tmp_path)) == 1
        other = take_files(workspace, [("b.txt", io.BytesIO(PAPER))], encoder=_ENCODER)
        workspace.jobs.cancel(other.number)
        assert len(incoming(tmp_path)) == 1
        workspace.jobs.cancel(first.number)
        assert first.finished.wait(60) and not incoming(tmp_path)


def test_a_few_records_come_in_between_the_files_of_a_long_import(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.txt" for number in range(3)]
    for path in paths:
        path.write_bytes(PAPER + path.name.encode())
    with Workspace(tmp_path / "library", create=True) as workspace:
        short = list[Job]()

        def work(report: Report) -> str:
            def told(progress: Progress) -> None:
                if progress.may_wait and not short:
                    short.append(take_files(workspace, [("few.txt", io.BytesIO(PAPER))], encoder=_ENCODER))
                report(progress)

            return workspace.import_paths(paths, encoder=None, report=told).sentence

        long = workspace.jobs.start("Importing a folder", work)
        assert long.finished.wait(60) and short[0].finished.is_set()
        assert [Path(file.name).name for file in workspace.library.files()] == ["0.txt", "few.txt", "1.txt", "2.txt"]
        assert "1 new document." in short[0].outcome and "3 new documents." in long.outcome
        assert not incoming(tmp_path / "library")
        for one in workspace.jobs.in_line():
            assert one.finished.wait(60)
        assert workspace.vector_count(_ENCODER) == 4


_TAKES = """
import io, os, signal, sys
from pathlib import Path
from engine.workspace import Workspace, importing, take_files

def ended(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)

importing.import_paths = ended
workspace = Workspace(Path(sys.argv[1]), create=True)
if len(sys.argv) > 2:
    job = take_files(workspace, [("lake.txt", io.BytesIO(sys.argv[2].encode()))], encoder="tfidf")
else:
    from engine.workspace import resume_imports
    (job,) = resume_imports(workspace)
print("taken", flush=True)
job.finished.wait(60)
"""


def killed(folder: Path, *given: str) -> None:
    done = subprocess.run([sys.executable, "-c", _TAKES, str(folder), *given], capture_output=True, timeout=120)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


def test_what_was_being_written_when_a_process_was_killed_goes_once_nobody_can_write_it(tmp_path: Path) -> None:
    with Workspace(tmp_path, create=True) as workspace:
        taken(workspace, "lake.txt")
        for name, hours in (("old", 2), ("fresh", 0)):
            folder = tmp_path / "incoming" / f".0{name}.new-x"
            (folder / "0").mkdir(parents=True)
            os.utime(folder, (time.time() - 3600 * hours,) * 2)
        assert resume_imports(workspace) == []
        assert [path.name for path in incoming(tmp_path)] == [".0fresh.new-x"]


def test_files_whose_import_was_killed_are_imported_by_the_next_process(tmp_path: Path) -> None:
    killed(tmp_path, PAPER.decode())
    assert len(incoming(tmp_path)) == 1
    with Workspace(tmp_path) as workspace:
        assert not len(workspace.library)
        (job,) = resume_imports(workspace)
        assert job.finished.wait(60) and job.name == "Importing lake.txt" and not job.problem
        assert [file.name for file in workspace.library.files()] == ["lake.txt"] and not incoming(tmp_path)
        assert resume_imports(workspace) == []


def test_what_was_about_to_go_when_its_process_ended_goes(tmp_path: Path) -> None:
    killed(tmp_path, PAPER.decode())
    (folder,) = incoming(tmp_path)
    (folder / "contents.json").unlink()
    with Workspace(tmp_path) as workspace:
        assert resume_imports(workspace) == [] and not incoming(tmp_path)


def test_files_that_end_every_process_are_left_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    killed(tmp_path, PAPER.decode())
    killed(tmp_path)
    with Workspace(tmp_path) as workspace:
        assert resume_imports(workspace) == [] and "ended the program 2 times" in caplog.text
        assert len(incoming(tmp_path)) == 1


def test_files_that_another_process_is_about_to_import_are_left_to_it(tmp_path: Path) -> None:
    with Workspace(tmp_path, create=True) as one, Workspace(tmp_path) as other, one.working():
        job = take_files(one, [("a.txt", io.BytesIO(PAPER))], encoder=_ENCODER)
        assert resume_imports(other) == []
        one.jobs.cancel(job.number)
        assert job.finished.wait(60)


def test_files_that_cannot_be_kept_are_refused(tmp_path: Path) -> None:
    class Broken(io.BytesIO):
        def read(self, *_: object) -> bytes:
            raise OSError(28, "No space left on device")

    with Workspace(tmp_path, create=True) as workspace:
        with pytest.raises(StorageError, match=r"Expected to keep a\.txt until it is imported; No space left"):
            take_files(workspace, [("a.txt", Broken())], encoder=_ENCODER)
        assert not incoming(tmp_path) and not workspace.jobs.in_line()


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("a draft.pdf", "a draft.pdf"),
        ("..", "upload"),
        ("", "upload"),
        ("../../etc/passwd", "passwd"),
        ("C:\\papers\\b.xml", "b.xml"),
        ("a\0b\n.md", "ab.md"),
        ("日本.pdf", "日本.pdf"),
    ],
)
def test_an_uploads_name_is_never_a_path(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@pytest.mark.parametrize(
    ("name", "safe"), [("aux.pdf", "_aux.pdf"), ("Walks: a study.pdf. ", "Walks_ a study.pdf"), (". .", "upload")]
)
def test_an_uploads_name_is_a_files_on_windows(name: str, safe: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert safe_name(name) == safe


def test_a_very_long_name_keeps_its_ending() -> None:
    short = safe_name("ä" * 400 + ".pdf")
    assert len(short.encode()) <= 200 and short.endswith("ä.pdf")

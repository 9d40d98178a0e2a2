"""A collection that another process reads: the same documents, counted as they come, and no process left behind."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from engine.core.progress import Meter, Progress
from engine.sources import ahead, samples
from engine.sources.ahead import ReadAhead
from tests.sources.old import OTHER, PAGE, SHEET
from tests.sources.test_samples import keep

RECORDS = "".join(f"/Volumes/x/US{number}.txt\t{SHEET}{PAGE}{OTHER}\n" for number in (198080, 198081)).encode("cp1252")


@pytest.fixture
def patents(tmp_path: Path) -> samples.Sample:
    """Two old patents, whose archive is kept already in `tmp_path`."""
    tables = [b"pat\tprogr\tCPC\n198080\t0\tB65H75/44\n", b"pat\tyear\n198080\t1877"]
    return keep(samples.OLD_PATENTS, tmp_path, [RECORDS, *tables])


def path_of(sample: samples.Sample, folder: Path) -> Path:
    return folder / sample.archive.name / f"{sample.archive.name}.tar.gz"


def counting(told: list[Progress]) -> Meter:
    return Meter("read", 2, told.append, interval_seconds=0.0)


def test_another_process_reads_the_same_documents(patents: samples.Sample, tmp_path: Path) -> None:
    told: list[Progress] = []
    with ReadAhead(patents.archive.project, path_of(patents, tmp_path)) as reading:
        found = reading.documents(counting(told))
        assert found is not None
        documents = list(found)
    assert documents == list(samples.read(patents, tmp_path))
    assert documents[0].claims and documents[0].sections and documents[0].year == 1877
    assert told[-1].done == 2


def test_an_archive_that_the_process_cannot_read_gives_none(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.tar.gz"
    damaged.write_bytes(b"no archive")
    told: list[Progress] = []
    with ReadAhead(samples.OLD_PATENTS.archive.project, damaged) as reading:
        assert reading.documents(counting(told)) is None
    assert all(progress.done == 0 for progress in told)


def test_a_system_without_processes_gives_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead.subprocess, "Popen", refuse)
    with ReadAhead(samples.OLD_PATENTS.archive.project, tmp_path) as reading:
        assert reading.documents(counting([])) is None


def refuse(*_: object, **__: object) -> subprocess.Popen[bytes]:
    raise OSError("no process can be started here")


def test_leaving_ends_the_process(patents: samples.Sample, tmp_path: Path) -> None:
    with ReadAhead(patents.archive.project, path_of(patents, tmp_path)) as reading:
        pass
    assert reading._process is not None and reading._process.poll() is not None

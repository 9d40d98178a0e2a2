"""The sample library: its collections are pinned, fetched once and read whole.

A collection that another process reads: the same documents, counted as they come, and no process left behind.
"""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core import files
from engine.core.errors import DownloadError
from engine.core.progress import Meter, Progress
from engine.sources import samples
from engine.sources.samples import ReadAhead
from tests.sources.old import OTHER, PAGE, SHEET
from tests.sources.test_arxiv_records import RECORD


def keep(sample: samples.Sample, folder: Path, contents: list[bytes]) -> samples.Sample:
    """A sample whose archive lies in the downloads already, with our own content."""
    path = folder / sample.archive.name / f"{sample.archive.name}.tar.gz"
    path.parent.mkdir(parents=True)
    with tarfile.open(path, "w:gz") as tar:
        for name, data in zip(sample.members, contents, strict=True):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return replace(sample, archive=replace(sample.archive, sha256=files.sha256_file(path)))


def test_a_kept_archive_needs_no_network(tmp_path: Path) -> None:
    sample = keep(samples.PAPERS, tmp_path, [json.dumps(RECORD).encode()])
    assert [document.id for document in samples.read_sample(sample, tmp_path)] == ["arXiv:1501.00001"]


def test_an_archive_is_fetched_before_the_first_document_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> Path:
        raise DownloadError("no network")

    monkeypatch.setattr(samples.archives, "fetch_archive", refuse)
    with pytest.raises(DownloadError, match="no network"):
        samples.read_sample(samples.PAPERS, tmp_path)


def test_members_reach_the_parser_in_their_order(tmp_path: Path) -> None:
    text = b"/Volumes/x/US198080.txt\tUNITED STATES PATENT OFFICE.\rREEL.\r"
    sample = keep(
        samples.OLD_PATENTS, tmp_path, [text, b"pat\tprogr\tCPC\n198080\t0\tB65H75/44\n", b"pat\tyear\n198080\t1877"]
    )
    (patent,) = samples.read_sample(sample, tmp_path)
    assert (patent.id, patent.categories, patent.year) == ("US198080A", ("B65H75/44",), 1877)


def test_the_collections_are_pinned() -> None:
    assert sum(sample.documents for sample in samples.SAMPLES) == 26_277
    assert len({sample.key for sample in samples.SAMPLES}) == len(samples.SAMPLES) == 8
    for sample in samples.SAMPLES:
        assert len(sample.archive.sha256) == 64 and sample.archive.max_bytes < 2**25


@pytest.mark.parametrize("sample", samples.SAMPLES, ids=lambda sample: sample.archive.name)
def test_members_are_named_in_full(sample: samples.Sample) -> None:
    assert all("/" in name and ".." not in name and not name.startswith("/") for name in sample.members)


def test_a_slow_sample_is_found_by_its_project() -> None:
    projects = [sample.archive.project for sample in samples.SAMPLES]
    assert all(projects.count(sample.archive.project) == 1 for sample in samples.SAMPLES if sample.slow)


def test_the_first_run_downloads_little() -> None:
    assert sum(sample.archive.max_bytes for sample in samples.SAMPLES) < 75 * 2**20


@pytest.fixture
def two(tmp_path: Path) -> tuple[samples.Sample, samples.Sample]:
    """A paper, and after it an old patent, which is read ahead."""
    text = b"/Volumes/x/US198080.txt\tUNITED STATES PATENT OFFICE.\rREEL.\r"
    patents = [text, b"pat\tprogr\tCPC\n198080\t0\tB65H75/44\n", b"pat\tyear\n198080\t1877"]
    return (
        keep(samples.PAPERS, tmp_path, [json.dumps(RECORD).encode()]),
        keep(samples.OLD_PATENTS, tmp_path, patents),
    )


def read_ids(wanted: tuple[samples.Sample, ...], folder: Path, told: list[Progress]) -> list[list[str]]:
    """The ids of each sample's documents."""
    readings = samples.read_all(wanted, folder, report=told.append)
    return [[document.id for document in documents] for _, documents in readings]


def test_a_slow_sample_is_read_ahead(two: tuple[samples.Sample, samples.Sample], tmp_path: Path) -> None:
    told: list[Progress] = []
    assert read_ids(two, tmp_path, told) == [["arXiv:1501.00001"], ["US198080A"]]
    assert ("read US patents 1877-1898", 1) in [(progress.stage, progress.done) for progress in told]


def test_what_no_process_could_read_is_read_here(
    two: tuple[samples.Sample, samples.Sample], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samples.ReadAhead, "documents", lambda *_: None)
    assert read_ids(two, tmp_path, []) == [["arXiv:1501.00001"], ["US198080A"]]


def test_a_slow_sample_alone_needs_no_process(
    two: tuple[samples.Sample, samples.Sample], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samples, "ReadAhead", None)
    assert read_ids(two[1:], tmp_path, []) == [["US198080A"]]


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
    assert documents == list(samples.read_sample(patents, tmp_path))
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
    monkeypatch.setattr(samples.subprocess, "Popen", refuse)
    with ReadAhead(samples.OLD_PATENTS.archive.project, tmp_path) as reading:
        assert reading.documents(counting([])) is None


def refuse(*_: object, **__: object) -> subprocess.Popen[bytes]:
    raise OSError("no process can be started here")


def test_leaving_ends_the_process(patents: samples.Sample, tmp_path: Path) -> None:
    with ReadAhead(patents.archive.project, path_of(patents, tmp_path)) as reading:
        pass
    assert reading._process is not None and reading._process.poll() is not None

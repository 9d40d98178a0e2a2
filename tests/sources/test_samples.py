"""The sample library: pinned, fetched once, verified, and read whole out of its archives within bounds."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import tarfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import requests

from engine.core import files
from engine.core.errors import ChecksumError, DownloadError, SourceError
from engine.core.progress import Meter, Progress
from engine.sources import archives, samples
from engine.sources.archives import Archive, fetch_archive, read_members
from engine.sources.samples import ReadAhead
from tests.sources.old import OTHER, PAGE, SHEET
from tests.sources.test_papers import RECORD


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


def make_tar(path: Path, members: dict[str, bytes], *, link: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
        if link:
            info = tarfile.TarInfo(link)
            info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
            tar.addfile(info)
    return path


def pinned(path: Path, *, sha256: str = "", max_bytes: int = 10_000) -> Archive:
    return Archive("kites", "1.0", sha256 or files.sha256_file(path), max_bytes)


class Page:
    def __init__(self, packages: list[Any]) -> None:
        self.packages = packages


class Package:
    version, package_type = "1.0", "sdist"


class Index:
    """The package index, with one archive to give."""

    content = b""
    packages: list[Any] = [Package]  # noqa: RUF012  read only
    downloads = 0

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def get_project_page(self, project: str, timeout: float) -> Page:
        return Page(self.packages)

    def download_package(
        self, package: object, path: Path, progress: Callable[[int], AbstractContextManager[Any]], timeout: float
    ) -> None:
        Index.downloads += 1
        with progress(len(self.content)) as tracker:
            tracker.update(len(self.content))
        path.write_bytes(self.content)


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> type[Index]:
    monkeypatch.setattr("pypi_simple.PyPISimple", Index)
    monkeypatch.setattr(Index, "content", make_tar(tmp_path / "source.tar.gz", {"a.txt": b"kites"}).read_bytes())
    monkeypatch.setattr(Index, "downloads", 0)
    return Index


def test_an_archive_is_fetched_once(index: type[Index], tmp_path: Path) -> None:
    archive = pinned(tmp_path / "source.tar.gz")
    told: list[Progress] = []
    path = fetch_archive(archive, tmp_path / "cache", report=told.append)
    assert path.read_bytes() == index.content
    assert (told[-1].stage, told[-1].done, told[-1].total) == ("download kites", len(index.content), len(index.content))
    assert fetch_archive(archive, tmp_path / "cache") == path
    assert index.downloads == 1


def test_a_damaged_archive_is_fetched_again(index: type[Index], tmp_path: Path) -> None:
    archive = pinned(tmp_path / "source.tar.gz")
    fetch_archive(archive, tmp_path / "cache").write_bytes(b"half")
    assert fetch_archive(archive, tmp_path / "cache").read_bytes() == index.content
    assert index.downloads == 2


def test_another_content_is_refused_and_not_kept(index: type[Index], tmp_path: Path) -> None:
    with pytest.raises(ChecksumError, match=r"Expected kites-1\.0 with the sha256 0000"):
        fetch_archive(pinned(tmp_path / "source.tar.gz", sha256="0" * 64), tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_download_beyond_its_bound_is_stopped(index: type[Index], tmp_path: Path) -> None:
    with pytest.raises(ChecksumError, match="of at most 5 bytes; more arrived"):
        fetch_archive(pinned(tmp_path / "source.tar.gz", max_bytes=5), tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_no_network_is_said_in_a_sentence(index: type[Index], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise requests.ConnectionError("no route")

    monkeypatch.setattr(index, "get_project_page", refuse)
    with pytest.raises(DownloadError, match=r"Expected to download kites-1\.0 from the package index"):
        fetch_archive(Archive("kites", "1.0", "0" * 64, 1000), tmp_path / "cache")


def test_an_index_without_the_archive(index: type[Index], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "packages", [])
    with pytest.raises(DownloadError, match="it lists none"):
        fetch_archive(pinned(tmp_path / "source.tar.gz"), tmp_path / "cache")


def test_an_index_that_announces_another_digest(
    index: type[Index], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pypi_simple import DigestMismatchError

    def refuse(*_: object, **__: object) -> None:
        raise DigestMismatchError(url="kites", algorithm="sha256", expected_digest="a", actual_digest="b")

    monkeypatch.setattr(index, "download_package", refuse)
    with pytest.raises(ChecksumError, match="as the index announces it"):
        fetch_archive(pinned(tmp_path / "source.tar.gz"), tmp_path / "cache")


def test_only_named_members_are_read(tmp_path: Path) -> None:
    path = make_tar(tmp_path / "x.tar.gz", {"kites/a.txt": b"A", "../../evil.txt": b"E", "kites/b.txt": b"B"})
    assert read_members(path, {"kites/b.txt": 10, "kites/a.txt": 10}) == {"kites/a.txt": b"A", "kites/b.txt": b"B"}
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["x.tar.gz"]


def test_a_star_stands_for_the_files_of_one_folder_in_the_order_of_their_names(tmp_path: Path) -> None:
    members = {
        **{"kites/b.json": b"B", "kites/a.json": b"A", "kites/notes.txt": b"N", "kites/old/c.json": b"C"},
        **{"other/kites/d.json": b"D", "last.txt": b"L"},
    }
    path = make_tar(tmp_path / "x.tar.gz", members)
    found = read_members(path, {"last.txt": 10, "kites/*.json": 10})
    assert list(found.items()) == [("last.txt", b"L"), ("kites/a.json", b"A"), ("kites/b.json", b"B")]


def test_a_star_without_a_file_is_named(tmp_path: Path) -> None:
    path = make_tar(tmp_path / "x.tar.gz", {"kites/a.txt": b"A"})
    with pytest.raises(SourceError, match=r"the members kites/\*\.json in x\.tar\.gz"):
        read_members(path, {"kites/*.json": 10, "kites/a.txt": 10})


def test_each_file_of_a_star_has_its_bound(tmp_path: Path) -> None:
    path = make_tar(tmp_path / "x.tar.gz", {"kites/a.json": b"A", "kites/b.json": bytes(11)})
    with pytest.raises(SourceError, match=r"kites/b\.json of at most 10 bytes"):
        read_members(path, {"kites/*.json": 10})


def test_a_missing_member_is_named(tmp_path: Path) -> None:
    path = make_tar(tmp_path / "x.tar.gz", {"a.txt": b"A"})
    with pytest.raises(SourceError, match=r"the members b\.txt, c\.txt in x\.tar\.gz"):
        read_members(path, {"a.txt": 10, "c.txt": 10, "b.txt": 10})


@pytest.mark.parametrize("name", ["/a.txt", "../a.txt", "./x/../a.txt"])
def test_a_name_with_tricks_is_not_the_member(tmp_path: Path, name: str) -> None:
    path = make_tar(tmp_path / "x.tar.gz", {name: b"evil"})
    with pytest.raises(SourceError, match="an archive without them"):
        read_members(path, {"a.txt": 10})


def test_a_member_over_its_bound(tmp_path: Path) -> None:
    path = make_tar(tmp_path / "x.tar.gz", {"a.txt": bytes(100_000)})
    with pytest.raises(SourceError, match=r"a\.txt of at most 99,999 bytes"):
        read_members(path, {"a.txt": 99_999})


def test_members_too_large_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "_MOST_SKIPPED_BYTES", 50_000)
    path = make_tar(tmp_path / "x.tar.gz", {"bomb": bytes(100_000), "a.txt": b"A"})
    with pytest.raises(SourceError, match="at most 1 GiB together"):
        read_members(path, {"a.txt": 10})


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    path = make_tar(tmp_path / "x.tar.gz", {}, link="a.txt")
    with pytest.raises(SourceError, match=r"a\.txt as a plain file"):
        read_members(path, {"a.txt": 10_000})


@pytest.mark.parametrize("keep", [0.1, 0.5])
def test_a_truncated_archive(tmp_path: Path, keep: float) -> None:
    path = make_tar(tmp_path / "x.tar.gz", {"a.txt": bytes(range(256)) * 400, "b.txt": b"B"})
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])
    with pytest.raises(SourceError, match="a whole tar archive"):
        read_members(path, {"a.txt": 200_000, "b.txt": 10})


def test_an_archive_cut_between_two_members(tmp_path: Path) -> None:
    path = tmp_path / "x.tar.gz"
    with tarfile.open(make_tar(path, {"a.txt": b"A" * 512, "b.txt": b"B"})) as tar:
        second = tar.getmembers()[1].offset
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes())[:second]))
    with pytest.raises(SourceError, match=r"the members b\.txt"):
        read_members(path, {"a.txt": 1000, "b.txt": 10})


@pytest.mark.parametrize("data", [b"", b"no archive", gzip.compress(b"no tar inside it", mtime=0)])
def test_no_archive_at_all(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.tar.gz"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=r"in x\.tar\.gz"):
        read_members(path, {"a.txt": 10})

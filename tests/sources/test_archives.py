"""Archives: fetched only where missing, verified, and read member by member within bounds."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
import requests

from engine.core import files
from engine.core.errors import ChecksumError, DownloadError, SourceError
from engine.core.progress import Progress
from engine.sources import archives
from engine.sources.archives import Archive, fetch_archive, read_members


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

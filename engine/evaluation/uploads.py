"""A benchmark from uploaded files: a zip, or queries and judgements with or without documents."""

from __future__ import annotations

import io
import lzma
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.evaluation.benchmarks import Benchmark, from_files
from engine.evaluation.formats import UPLOADS, Bounds

Upload = tuple[str, bytes]
"""A file's name, as the sender calls it, and its content."""

NEEDED = (
    "Bring queries and qrels, and the documents unless they are your library's: files whose names begin with "
    "“queries”, “qrels” and “corpus”, or a zip of them."
)
_BEGINNINGS = {"queries": ("quer", "topic"), "corpus": ("corpus", "doc", "collection")}
_SPLITS = "query-splits"
_USUAL_QRELS = "test"
_MOST_MEMBERS = 2_000
_BLOCK_BYTES = 1 << 20
_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, ValueError, OSError)
"""What zipfile raises on damaged bytes, depending on the compression; OSError is bz2's."""


@dataclass(frozen=True, slots=True)
class Brought:
    """A benchmark, and whether its documents are the library's."""

    benchmark: Benchmark
    in_library: bool


def from_uploads(
    uploads: Sequence[Upload], library: Callable[[], Sequence[Document]], *, bounds: Bounds = UPLOADS
) -> Brought:
    """Read uploads by their names; without documents, the judgements refer to the library's.

    `library` gives its documents if they are needed. Of several qrels in a zip, "test" is read, as in BEIR.
    Raises EvaluationError where a file is missing, too large or damaged, or InputError where it cannot be read.
    """
    with tempfile.TemporaryDirectory(prefix="priorscope-") as temporary:
        files = _written(uploads, Path(temporary), bounds)
        missing = [role for role in ("queries", "qrels") if role not in files]
        if missing:
            named = ", ".join(name for name, _ in uploads) or "no file"
            raise EvaluationError(f"Expected {' and '.join(missing)}, found none in {named}. {NEEDED}")
        corpus: Path | Sequence[Document] = files["corpus"] if "corpus" in files else library()
        name = PurePosixPath(uploads[0][0]).stem if len(uploads) == 1 else "uploaded"
        benchmark = from_files(name, corpus, files["queries"], files["qrels"], bounds=bounds)
    return Brought(benchmark, in_library="corpus" not in files)


def role_of(name: str) -> str:
    """A file's role in a benchmark, from its name and folders: queries, qrels, corpus, or none."""
    path = PurePosixPath(name.replace("\\", "/").lower())
    if path.name.startswith((".", "_", _SPLITS)) or "__macosx" in path.parts:
        return ""
    if "qrel" in path.name:
        return "qrels"
    named = next((role for role, beginnings in _BEGINNINGS.items() if path.name.startswith(beginnings)), "")
    return named or ("qrels" if any("qrel" in part for part in path.parts) else "")


def _written(uploads: Sequence[Upload], folder: Path, bounds: Bounds) -> dict[str, Path]:
    """The file of each role, written into a folder under our name with its ending."""
    files: dict[str, Path] = {}
    for name, read in sorted(_members(uploads, bounds), key=lambda one: _preference(one[0])):
        role = role_of(name)
        if role and role not in files:
            files[role] = folder / f"{role}{PurePosixPath(name).suffix[:10]}"
            files[role].write_bytes(read())
    return files


def _preference(name: str) -> tuple[bool, str]:
    """Of several files of a role: BEIR's test judgements first, then by name."""
    return PurePosixPath(name).stem.lower() != _USUAL_QRELS, name


def _members(uploads: Sequence[Upload], bounds: Bounds) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Every file by name, including those in a zip, with what reads it."""
    for name, content in uploads:
        if not content.startswith(b"PK\x03\x04") or (role_of(name) and not name.lower().endswith(".zip")):
            yield name, partial(bytes, content)
            continue
        archive = _opened(name, content)
        members = [member for member in archive.infolist() if not member.is_dir()]
        if len(members) > _MOST_MEMBERS:
            raise EvaluationError(
                f"Expected at most {_MOST_MEMBERS:,} files in {name}, it holds {len(members):,}. Zip less."
            )
        for member in members:
            yield member.filename, partial(_unpacked, archive, member, bounds)


def _opened(name: str, content: bytes) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(content))
    except _DAMAGED as error:
        raise EvaluationError(f"Expected a whole zip file, {name} is damaged: {error}. Zip the files again.") from None


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, bounds: Bounds) -> bytes:
    """One file's content, read up to the limit, whatever size the zip claims."""
    if member.flag_bits & 1:
        raise EvaluationError(f"Expected a zip without a password, {member.filename} needs one. Zip the files again.")
    blocks, size = [], 0
    try:
        with archive.open(member) as file:
            while block := file.read(_BLOCK_BYTES):
                blocks.append(block)
                size += len(block)
                if size > bounds.max_bytes:
                    raise EvaluationError(
                        f"Expected at most {bounds.max_bytes >> 20:,} MiB in {member.filename}, it has more. "
                        "Take a part of it."
                    )
    except _DAMAGED as error:
        raise EvaluationError(
            f"Expected a whole zip file, {member.filename} in it cannot be read: {error}. Zip the files again."
        ) from None
    return b"".join(blocks)

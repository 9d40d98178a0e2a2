"""What workers do for a library that they never see: read files, encode documents, read passages; how to ask them."""

from __future__ import annotations

import tempfile
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine import encoders
from engine.core import files
from engine.core.errors import EncoderError, InputError, LostWorkError, MalformedFileError
from engine.core.progress import Report
from engine.core.rows import DenseRows
from engine.documents import Document, as_fields, from_fields
from engine.encoders import Encoder, EncoderCard
from engine.reading import LIMITS, iter_documents
from engine.search import PassageEncoder, PassageReader
from engine.workspace.compute import Awaited, Json, Look, Workers, error_of, told

if TYPE_CHECKING:
    from engine.vectors import ReadPassages

_MOST_CHARACTERS = 16_000_000
"""Of one file, with a thousand for each document, that a worker sends; a longer one is read here as it comes."""


class FileReader:
    """Reads the files of an import, each in its turn in this process, or ahead of it on workers.

    A worker reads a file where it sees the same one at its path; else its bytes are sent. What workers cannot read is
    read here, with the same outcome.
    """

    def __init__(self, workers: Workers | None, is_held: Callable[[str], bool], look: Look) -> None:
        """Let workers read what is not held by its sha256."""
        self._workers, self._is_held, self._look = workers, is_held, look
        self._sends, self._keys = False, dict[Path, str]()
        self._answer: Awaited | None = None

    def in_turn(self, paths: Iterable[Path]) -> Iterator[Path]:
        """Yield the paths."""
        if self._workers is None:
            yield from paths
            return
        for path, answer in self._workers.each(f"{__name__}.read_file", paths, self._given, self._look):
            self._answer = answer
            yield path

    def key(self, path: Path) -> str:
        """Return the sha256 of the file whose turn it is."""
        return self._keys.pop(path, "") or files.sha256_file(path)

    def read(self, path: Path, *, warn: Callable[[str], None], report: Report) -> Iterator[Document]:
        """Yield the documents of the file whose turn it is, as `iter_documents` does."""
        try:
            read = {} if self._answer is None else self._answer()
        except LostWorkError:
            raise MalformedFileError(
                f"Expected a file that can be read; every worker that read {path.name} ended over it. Export or "
                "download it again, or import it without workers."
            ) from None
        self._sends = self._sends or "unseen" in read
        if "documents" not in read:
            yield from iter_documents(path, warn=warn, report=report)
            return
        for note in read["notes"]:
            warn(note)
        yield from map(from_fields, read["documents"])
        if read["raised_by_file"]:
            raise error_of(read["raised_by_file"])

    def _given(self, path: Path) -> Json | None:
        """Return what asks a worker for a file; None for one that is held, or is to be read here."""
        try:
            key = files.sha256_file(path)
            if self._is_held(key) or (self._sends and path.stat().st_size > LIMITS.max_file_bytes):
                return None
            data = b64encode(path.read_bytes()).decode() if self._sends else None
        except OSError:  # read here, for its reason
            return None
        self._keys[path] = key
        return {"path": str(path.absolute()), "key": key, "data": data}


def read_file(given: Json) -> Json:
    """Read a file: the worker's side. Without documents where it is to be read elsewhere."""
    path, data = Path(given["path"]), given["data"]
    with tempfile.TemporaryDirectory() as folder:
        try:
            if data is not None:
                path = Path(folder) / path.name
                path.write_bytes(b64decode(data))
            return _read(path) if files.sha256_file(path) == given["key"] else {"unseen": True}
        except OSError:
            return {"unseen": True}


def _read(path: Path) -> Json:
    notes, documents, characters, raised = list[str](), list[Json](), 0, None
    try:
        for document in iter_documents(path, warn=notes.append):
            documents.append(as_fields(document))
            characters += 1_000 + len(document.text)
            if characters > _MOST_CHARACTERS:
                return {}
    except InputError as error:
        raised = told(error)
    return {"documents": documents, "notes": notes, "raised_by_file": raised}


Batches = Iterable[Sequence[Document]]


def rows_there(
    workers: Workers, card: EncoderCard, batches: Batches, look: Look
) -> Iterator[tuple[Sequence[Document], DenseRows]]:
    """Yield batches of documents with their rows (n, dim) by the encoder of a card.

    Raises EncoderError where a worker has another encoder of that name.
    """
    for documents, answer in _asked(workers, "encode", batches, card.name, card.fingerprint, look):
        yield documents, _rows(answer, card.dim)


def encode(given: Json) -> Json:
    """Encode documents: the worker's side."""
    encoder = _encoder(given["name"], given["fingerprint"])
    return _with_rows(np.asarray(encoder.encode_documents(list(map(from_fields, given["documents"])))))


def passages_there(
    workers: Workers, reader: PassageReader, batches: Batches, look: Look
) -> Iterator[tuple[Sequence[Document], list[ReadPassages]]]:
    """Yield batches of documents with their passages, as the shipped reader of passages cuts and reads them.

    Raises EncoderError where a worker has another.
    """
    from engine.vectors import ReadPassages  # brings faiss

    for documents, answer in _asked(workers, "read_passages", batches, "passages", reader.fingerprint, look):
        rows, found = _rows(answer, reader.dim), []
        places = pairwise(accumulate(map(len, answer["cuts"]), initial=0))
        for document, cuts, (first, end) in zip(documents, answer["cuts"], places, strict=True):
            parts = document.parts
            passages = [parts[part].chunk(document.id, part, start, stop) for part, start, stop in cuts]
            found.append(ReadPassages(document.id, passages, rows[first:end]))
        yield documents, found


def read_passages(given: Json) -> Json:
    """Cut documents and read their passages: the worker's side."""
    reader = _passage_encoder(given["fingerprint"])
    read = [(document, reader.cut(document)) for document in map(from_fields, given["documents"])]
    cuts = [[(one.part, one.start, one.stop) for one in passages] for _, passages in read]
    return {**_with_rows(reader.encode(read)), "cuts": cuts}


def _asked(
    workers: Workers, task: str, batches: Batches, name: str, fingerprint: str, look: Look
) -> Iterator[tuple[Sequence[Document], Json]]:
    def given(documents: Sequence[Document]) -> Json:
        return {"name": name, "fingerprint": fingerprint, "documents": list(map(as_fields, documents))}

    for documents, answer in workers.each(f"{__name__}.{task}", batches, given, look):
        assert answer is not None
        yield documents, answer()


@lru_cache(maxsize=1)
def _encoder(name: str, fingerprint: str) -> Encoder:
    encoder = encoders.load(name)
    _require_same(name, encoder.card.fingerprint, fingerprint)
    return encoder


@lru_cache(maxsize=1)
def _passage_encoder(fingerprint: str) -> PassageEncoder:
    reader = PassageEncoder()
    _require_same("of passages", reader.fingerprint, fingerprint)
    return reader


def _require_same(name: str, found: str, expected: str) -> None:
    if found != expected:
        raise EncoderError(f"Expected the same encoder {name} on every worker, found another. Install the same on all.")


def _with_rows(rows: DenseRows) -> Json:
    return {"rows": b64encode(np.ascontiguousarray(rows, "<f4").tobytes()).decode()}


def _rows(answer: Json, dim: int) -> DenseRows:
    return np.frombuffer(b64decode(answer["rows"]), "<f4").reshape(-1, dim)

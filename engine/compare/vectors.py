"""Keeps what an encoder read from a library's long documents on disk, so that each is read once."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import files
from engine.compare.read_document import LongEncoder
from engine.documents import Document
from engine.encoders.colde.levels import LongRows
from engine.errors import StorageError
from engine.library import Library

_FOLDER, _ARRAYS, _ABOUT = "chunks", "rows.safetensors", "about.json"


class KeptRows:
    """The chunk vectors of documents by one encoder, in a folder; several processes may use it at once.

    A document whose text has changed counts as another, and so does an encoder that reads differently. Encoders that
    read alike share what is kept. Damaged entries are read again.
    """

    def __init__(self, folder: Path, encoder: LongEncoder) -> None:
        """Keep below `folder`, in a folder named after how the encoder reads."""
        self._folder = folder / encoder.card.name / encoder.reading_fingerprint
        self._encoder = encoder

    @classmethod
    def of_library(cls, library: Library, encoder: LongEncoder) -> KeptRows:
        """The vectors kept beside a library."""
        return cls(library.folder / _FOLDER, encoder)

    def holds(self, document: Document) -> bool:
        """Whether a document was read before."""
        return (self._place(document) / _ABOUT).is_file()

    def get(self, document: Document) -> LongRows | None:
        """What was kept for a document; None if missing or damaged."""
        place = self._place(document)
        try:
            about = files.read_json(place / _ABOUT)
            arrays = files.read_arrays(place / _ARRAYS, about["sha256"])
            return _rows(document, about["sections"], arrays)
        except (StorageError, OSError, KeyError, TypeError, IndexError):
            return None  # missing, half removed or damaged: the document itself is at hand to be read again

    def put(self, document: Document, long: LongRows) -> None:
        """Keep what was read from a document. Raises StorageError where the folder cannot be written."""
        places = [(chunk.part, chunk.start, chunk.stop) for chunk in long.chunks]
        arrays: dict[str, NDArray[Any]] = {
            "rows": np.asarray(long.rows, np.float32),
            "section_of": np.asarray(long.section_of, np.int64),
            "places": np.asarray(places, np.int64).reshape(-1, 3),
        }
        with files.new_folder(self._place(document)) as new:
            digest = files.write_arrays(new / _ARRAYS, arrays)
            files.write_json(new / _ABOUT, {"sha256": digest, "sections": list(long.sections)})

    def read(self, document: Document) -> LongRows:
        """What the encoder gives for a document, from disk if it was read before."""
        kept = self.get(document)
        if kept is not None:
            return kept
        long = self._encoder.read([document])[0]
        self.put(document, long)
        return long

    def _place(self, document: Document) -> Path:
        name = _name(document)
        return self._folder / name[:2] / name


def forget_kept(library: Library, ids: Sequence[str]) -> None:
    """Delete what every encoder read from documents that are about to leave the library.

    Raises UnknownDocumentError for an id that is not held.
    """
    kept = {place.name for place in (library.folder / _FOLDER).glob("*/*/??/*")}
    for id_ in ids if kept else ():
        name = _name(library.get([id_])[0])
        for place in (library.folder / _FOLDER).glob(f"*/*/{name[:2]}/{name}") if name in kept else ():
            shutil.rmtree(place)


def _name(document: Document) -> str:
    """Names a document with all of its text."""
    texts = (text for part in document.parts for text in (part.role, part.title, part.text))
    return files.fingerprint(document.id, *texts)


def _rows(document: Document, sections: list[str], arrays: dict[str, NDArray[Any]]) -> LongRows:
    parts = document.parts
    chunks = tuple(parts[part].chunk(document.id, part, start, stop) for part, start, stop in arrays["places"].tolist())
    return LongRows(tuple(sections), chunks, arrays["section_of"], arrays["rows"])

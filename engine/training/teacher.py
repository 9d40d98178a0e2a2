"""The places that a teacher gives to texts, kept so that students can be trained again without it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.core import files
from engine.core.progress import Meter, Report, silent
from engine.documents import Document
from engine.encoders import Encoder, Transformer, source_folder

_SHARD = 4_096  # texts: how many an interrupted run reads again at most
_ARRAYS, _ABOUT = "rows.safetensors", "about.json"


def open_teacher(source: str) -> Transformer:
    """Open the transformer of a recipe: "minilm", a folder, or a name. Raises MissingExtraError or EncoderError."""
    return Transformer.open(source_folder(source))


def read_teacher_rows(
    texts: Sequence[str], teacher: Encoder, *, cache: Path, report: Report = silent
) -> NDArray[np.float16]:
    """Return the teacher's unit rows of texts, (n, dim) in half precision, from `cache` where they were made before.

    Raises StorageError if what was kept is damaged.
    """
    meter = Meter(f"texts placed by {teacher.card.name}", len(texts), report)
    found = [np.zeros((0, teacher.card.dim), np.float16)]
    for first in range(0, len(texts), _SHARD):
        shard = texts[first : first + _SHARD]
        folder = shard_folder(shard, teacher, cache)
        if not folder.exists():
            rows = teacher.encode_documents([Document(str(number), title=one) for number, one in enumerate(shard)])
            write_shard(folder, np.asarray(rows, np.float16))
        found.append(files.read_arrays(folder / _ARRAYS, files.read_json(folder / _ABOUT)["sha256"])["rows"])
        meter.add(len(shard))
    meter.finish()
    return np.concatenate(found)


def shard_folder(texts: Sequence[str], teacher: Encoder, cache: Path) -> Path:
    """Return where the rows of these texts lie under this teacher."""
    return cache / teacher.card.fingerprint / files.fingerprint(*texts)


def write_shard(folder: Path, rows: NDArray[np.float16]) -> None:
    """Write rows (n, dim), all or nothing."""
    with files.new_folder(folder) as new:
        digest = files.write_arrays(new / _ARRAYS, {"rows": rows})
        files.write_json(new / _ABOUT, {"sha256": digest})

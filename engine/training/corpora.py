"""Where corpora lie, and the digests that name their content."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine import files
from engine.errors import InputError

CORPUS, QUERIES = "corpus.parquet", "queries.parquet"


def digests(corpora: Sequence[str], data: Path) -> dict[str, str]:
    """The sha256 of each corpus by its name. Raises InputError where one is missing."""
    missing = [name for name in corpora if not (data / name / CORPUS).is_file()]
    if missing:
        raise InputError(
            f"Expected a folder with {CORPUS} for each of {', '.join(corpora)} in {data}; missing: "
            f"{', '.join(missing)}. Name the folder that holds them all."
        )
    return {name: files.sha256_file(data / name / CORPUS) for name in corpora}

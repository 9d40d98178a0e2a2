"""The quality and speed of shipped encoders that pages show, from one small file in the package.

`python -m engine.research quality --write` makes the file from the reports of research.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

FILE = Path(__file__).with_name("quality.json")


@dataclass(frozen=True, slots=True)
class MeasuredQuality:
    """An encoder's figures on one benchmark and set of queries; `bm25` is BM25's first measure beside them.

    `queries` is 0 and `part` empty where the report does not say. The figures belong to weights of this fingerprint;
    it is empty for an encoder that learns from the library.
    """

    benchmark: str
    part: str
    queries: int
    own_works_hidden: bool
    fingerprint: str
    figures: Mapping[str, float]
    bm25: float | None
    MEASURES: ClassVar[tuple[str, ...]] = ("nDCG@10", "MAP@20", "P@20", "R@100")


@dataclass(frozen=True, slots=True)
class Quality:
    """The results of each row, the command that trains an encoder, and the lowest measured speed of each row."""

    results: Mapping[str, tuple[MeasuredQuality, ...]]
    recipes: Mapping[str, str]
    documents_per_second: Mapping[str, float]


@functools.cache
def read_quality(path: Path = FILE) -> Quality:
    """Return the file's content, read once."""
    content = json.loads(path.read_text("utf-8"))
    results = {name: tuple(MeasuredQuality(**one) for one in found) for name, found in content["results"].items()}
    return Quality(results, content["recipes"], content["documents_per_second"])

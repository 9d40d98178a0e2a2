"""Imports documents with their rows and passages, block by block, and notes how long each took: a stopped run goes on.

Rows and passages are given, as an encoder would give them; making documents is not counted. What the library's rooms
do with them is: `Library.add_file`, an index's `add` and `flush`, a store's `add`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from engine.core.errors import EvaluationError
from engine.core.progress import Meter, Report, silent
from engine.encoders import EncoderCard
from engine.library import Library
from engine.research.scale.made import Batch, Maker
from engine.search import PassageEncoder
from engine.vectors import PassageStore, VectorIndex, open_passage_store
from engine.workspace.indexing import current_index

BLOCK, _KEPT = 5_000, 50_000
"""Documents of one file, and how many come between two writings of the rows."""
_MADE_AT_ONCE = 500
_PROGRESS = "imported.jsonl"


class Clock:
    """Tells the seconds that passed, or those of the processor if they are fewer: what else runs is not counted."""

    def __init__(self) -> None:
        """Start."""
        self._began = self._now()

    def seconds(self) -> float:
        """Return the seconds since it started, or since it was asked before."""
        before, self._began = self._began, self._now()
        return min(now - then for now, then in zip(self._began, before, strict=True))

    @staticmethod
    def _now() -> tuple[float, float]:
        return time.perf_counter(), time.process_time()


@dataclass(frozen=True, slots=True)
class Imported:
    """A block of documents, up to number `last`, its passages, and the seconds that each part of its import took."""

    last: int
    passages: int
    documents_seconds: float
    rows_seconds: float
    passages_seconds: float

    @property
    def seconds(self) -> float:
        """The whole."""
        return self.documents_seconds + self.rows_seconds + self.passages_seconds


def imported(folder: Path) -> list[Imported]:
    """Return the blocks that a library's folder holds, in the order of import."""
    path = folder / _PROGRESS
    return [Imported(**json.loads(line)) for line in path.read_text().splitlines()] if path.is_file() else []


def build(folder: Path, maker: Maker, card: EncoderCard, documents: int, *, report: Report = silent) -> None:
    """Import until the library was given this number of documents. Raises EvaluationError where it has more already."""
    before = imported(folder)
    held = before[-1].last if before else 0
    if held > documents:
        raise EvaluationError(f"Expected a library of at most {documents:,} documents, {folder} was given {held:,}.")
    meter = Meter("import", documents - held, report)
    with closing(Library.open(folder, create=True)) as library:
        index = current_index(library, card, "embedded")
        named = PassageEncoder.shipped_fingerprint()
        store = None
        if maker.passage_dim:
            store = open_passage_store(library.passages_folder / named, fingerprint=named, dim=maker.passage_dim)
        waiting: list[Imported] = []
        for first in range(held, documents, BLOCK):
            last = min(first + BLOCK, documents)
            batches = list(maker.batches(first, last, _MADE_AT_ONCE))
            waiting.append(_take(library, index, store, batches, last))
            if last == documents or last - held >= _KEPT:
                waiting[-1] = _kept(index, waiting[-1])
                _note(folder, waiting)
                held = last
            meter.add(last - first)
    meter.finish()


def _take(
    library: Library, index: VectorIndex, store: PassageStore | None, batches: Sequence[Batch], last: int
) -> Imported:
    """Add a block as one file, its rows and its passages."""
    documents = [document for batch in batches for document in batch.documents]
    clock, read = Clock(), [one for batch in batches for one in batch.passages]
    library.add_file(f"scale {last}", f"block-{last}.jsonl", documents)
    added = clock.seconds()
    for batch in batches:
        index.add([document.id for document in batch.documents], batch.rows)
    indexed = clock.seconds()
    if store is not None:
        store.add(read)
    return Imported(last, sum(len(one.passages) for one in read), added, indexed, clock.seconds())


def _kept(index: VectorIndex, block: Imported) -> Imported:
    clock = Clock()
    index.flush()
    return replace(block, rows_seconds=block.rows_seconds + clock.seconds())


def _note(folder: Path, waiting: list[Imported]) -> None:
    """Note blocks that are kept whole; of a run that stops before, the block is given again."""
    with (folder / _PROGRESS).open("a", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(asdict(one))}\n" for one in waiting)
    waiting.clear()

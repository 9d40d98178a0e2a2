"""The time left is right where a library mixes abstracts and whole papers, in whichever order they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.core.progress import Progress, Report
from engine.documents import Chunk, Document
from engine.documents.text import tokens
from engine.encoders.blend import BlendEncoder
from engine.library import Library
from engine.workspace import filling, indexing
from engine.workspace.costs import reading_costs
from engine.workspace.indexing import index_library
from engine.workspace.passages import index_passages
from tests.search.passages.made import HashedWords, paper
from tests.workspace.ingest.letters import Letters

SHORT = [paper(f"short{n}", body=0) for n in range(120)]
LONG = [paper(f"long{n}", body=900) for n in range(12)]
SECONDS_A_TOKEN = 0.001


class Clock:
    """Seconds as what reads says them."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def read(self, documents: Iterable[Document], most: int | None = None) -> None:
        counts = [len(tokens(document.text)) for document in documents]
        self.now += SECONDS_A_TOKEN * sum(min(most or count, count) for count in counts)


class Timed(HashedWords):
    """Takes as long as a document has tokens."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> np.ndarray:
        self._clock.read(document for document, _ in read)
        return super().encode(read)


class FirstTokens(Letters):
    """Reads the first tokens of a document, all by default."""

    def __init__(self, clock: Clock, most: int | None = None) -> None:
        super().__init__()
        self._card, self._clock = replace(self._card, max_tokens=most), clock

    def encode_documents(self, documents: Sequence[Document]) -> np.ndarray:
        self._clock.read(documents, self.card.max_tokens)
        return super().encode_documents(documents)


def passages(library: Library, clock: Clock, report: Report) -> None:
    index_passages(library, Timed(clock), report=report)  # type: ignore[arg-type]


def beginnings(library: Library, clock: Clock, report: Report) -> None:
    index_library(library, FirstTokens(clock, 60), report=report)


def whole_texts(library: Library, clock: Clock, report: Report) -> None:
    index_library(library, FirstTokens(clock), report=report)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("engine.core.progress.time", made)
    monkeypatch.setattr(filling, "_PASSAGES_AT_ONCE", 1)
    monkeypatch.setattr(indexing, "_batches", _one_by_one)
    return made


def _one_by_one(documents: Iterator[Document]) -> Iterator[list[Document]]:
    return ([document] for document in documents)


@pytest.mark.parametrize("order", [[*SHORT, *LONG], [*LONG, *SHORT], [*SHORT[:60], *LONG, *SHORT[60:]]])
@pytest.mark.parametrize("work", [passages, beginnings, whole_texts])
def test_the_time_left_is_within_a_third_of_the_truth(
    library: Library, clock: Clock, work: Callable[[Library, Clock, Report], None], order: list[Document]
) -> None:
    library.add_file("k", "mixed", order)
    told: list[Progress] = []
    work(library, clock, told.append)
    whole = clock.now
    known = [(one.seconds_left, whole - one.seconds) for one in told if 0.1 * whole <= one.seconds < whole - 0.1]
    assert len(known) >= 10
    assert [pair for pair in known if pair[0] is None or not 0.67 <= pair[0] / pair[1] <= 1.33] == []
    assert told[-1].share == 1 and told[-1].seconds_left == 0


def test_what_costs_is_what_is_read(library: Library) -> None:
    library.add_file("k", "mixed", [SHORT[0], LONG[0]])
    ids = [SHORT[0].id, LONG[0].id]
    short, long = (len(tokens(document.text)) for document in (SHORT[0], LONG[0]))
    assert reading_costs(library, ids) == {ids[0]: short + 20, ids[1]: long + 20}
    first = FirstTokens(Clock(), 60)
    assert list(reading_costs(library, ids, first.costs).values()) == [80, 80]
    blend = BlendEncoder(Letters(), first)
    assert list(reading_costs(library, [*ids, "gone"], blend.costs).values()) == [80, 80, 20]

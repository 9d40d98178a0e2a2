"""Keeps an encoder's index as its library is: makes missing vectors and codes, and takes out what was removed.

Long reading goes in steps, here and in `passages`: what was read is written every few seconds, and progress follows
what documents cost, since a whole paper takes as long as a hundred abstracts. How long an encoder will need for a
library is measured on a sample of it.
"""

from __future__ import annotations

import itertools
import logging
import math
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from engine import encoders
from engine.core import files
from engine.core.errors import EmptyLibraryError, EncoderError, StorageError, VectorIndexError, VectorServerError
from engine.core.progress import Meter, Report, silent
from engine.core.rows import Rows
from engine.documents import Document
from engine.encoders import Encoder, EncoderCard
from engine.library import Filters, Library
from engine.vectors import (
    IndexChoice,
    IndexKind,
    VectorIndex,
    chosen_kind,
    has_codes,
    kept_folders,
    open_index,
    remove_rows,
)
from engine.workspace.importing import count_each
from engine.workspace.reading_state import keep_seen, note_whole, outdated_ids, reading_alone, row_stores
from engine.workspace.workers import Workers

_LOG = logging.getLogger(__name__)
R = TypeVar("R")
_FITTED_ON = "fitted_on.json"
_FIRST_BATCH, _LARGEST_BATCH = 32, 2048
_BATCH_SECONDS = 1.0
"""Whoever cancels reading, or has it give way, waits about this long."""
_BATCH_CHARACTERS = 2_000_000  # some thirty whole papers: what is read is kept, and counts, soon
_SENT_BATCH, _SENT_CHARACTERS = 256, 500_000  # a worker encodes them in a second or two
_SAMPLED, _PARTS = 400, 4
_SECONDS_KEPT, _SECONDS_WRITING = 15.0, 0.75
"""What was read is written this often, and as soon as the first of it is; less often where writing it takes longer.

An index is written as a whole, so that of a million documents each writing takes seconds: a twentieth of the time.
"""


def encoder_for(library: Library, name: str, *, report: Report = silent) -> Encoder:
    """Return the encoder of that name: the shipped one, or the one that has learnt from this library.

    An encoder that learns is fitted when it is first asked for, and again when the library has
    grown by half since or what was kept is damaged. Raises UnknownEncoderError, EmptyLibraryError,
    StorageError if a shipped encoder is damaged.
    """
    if not encoders.find(name).learns:
        return encoders.load(name)
    folder = library.encoder_folder(name)
    if (fitted := _fitted(library, name, folder)) is not None:
        return fitted
    _refuse_empty(library, name)
    meter = Meter(f"fit {name}", len(library), report)
    encoder = encoders.fit(name, list(count_each(library.iter_documents(), meter)))
    meter.finish()
    encoder.save(folder)
    files.write_json(folder / _FITTED_ON, {"documents": len(library)})
    return encoder


def _fitted(library: Library, name: str, folder: Path) -> Encoder | None:
    """Return the encoder that was fitted on the library; None if it is missing, outgrown or damaged."""
    size = folder / _FITTED_ON
    try:
        if not size.is_file() or len(library) > 1.5 * files.read_json(size)["documents"]:
            return None
        return encoders.load(name, folder=folder)
    except (StorageError, KeyError) as error:
        _LOG.warning("%s is fitted again: %s", name, error)
        return None


def index_words(library: Library, *, report: Report = silent) -> None:
    """Index again the words of what an earlier version indexed, if any is left (`engine.library.keywords`)."""
    if library.count_left_to_index():
        with reading_alone(library, report):
            library.index_again(report)


def open_vectors(library: Library, encoder: Encoder, *, choice: IndexChoice = "auto") -> VectorIndex:
    """Return the index of an encoder's vectors of this library's documents, as far as it has been filled.

    A document whose text has changed since has no vector in it. Binary codes search a library of many documents
    (`engine.vectors.registry`) if `index_library` has put them beside the vectors; otherwise, and with the choice
    `embedded`, all vectors are compared.
    Raises StorageError or VectorIndexError if it is damaged; `index_library` rebuilds it.
    """
    card = encoder.card
    kind = chosen_kind(choice, sparse=card.sparse, documents=len(library))
    if kind == "binary" and not has_codes(vectors_folder(library, encoder), row_stores(library, card)):
        kind = "embedded"
    return current_index(library, card, kind)


def current_index(library: Library, card: EncoderCard, kind: IndexKind) -> VectorIndex:
    """Return an index without what the library does not hold, or holds with another text."""
    index = _opened(library, card, kind)
    _drop_removed(index, library)
    if outdated := set(index.ids).intersection(outdated_ids(library, card)):
        index.remove(outdated)
    return index


def _opened(library: Library, card: EncoderCard, kind: IndexKind) -> VectorIndex:
    folder, stores = library.vectors_folder(card.name) / card.fingerprint, row_stores(library, card)
    return open_index(
        folder, fingerprint=card.fingerprint, dim=card.dim, kind=kind, precision=card.stored, stores=stores
    )


def whole_index(
    library: Library,
    encoder: Encoder,
    *,
    choice: IndexChoice = "auto",
    workers: Workers | None = None,
    report: Report = silent,
) -> VectorIndex:
    """Return the index of exactly the library's documents; what is missing or damaged is encoded now, by any workers.

    Raises EmptyLibraryError, VectorIndexError if the choice is not for this encoder.
    """
    kind = chosen_kind(choice, sparse=encoder.card.sparse, documents=len(library))
    try:
        index = open_vectors(library, encoder, choice=choice)
        if len(index) and set(index.ids) == set(library.ids()):
            return index if index.is_exact == (kind != "binary") else _with_codes(library, encoder, report=report)
    except (StorageError, VectorIndexError) as error:
        _LOG.info("the index is not whole: %s", error)
    return index_library(library, encoder, choice=choice, workers=workers, report=report)


def lacks_codes(library: Library, encoder: Encoder, index: VectorIndex) -> bool:
    """Return whether an index holds every document's vector but still lacks the codes: the library was read before."""
    due = chosen_kind("auto", sparse=encoder.card.sparse, documents=len(library)) == "binary"
    return due and index.is_exact and set(index.ids) == set(library.ids())


def search_index(library: Library, encoder: Encoder) -> VectorIndex:
    """Return the index that answers a search, as far as it has been filled; nothing is encoded.

    Codes that it lacks are made now, where the folder can be written to. Raises StorageError or VectorIndexError if
    the index is damaged.
    """
    index = open_vectors(library, encoder)
    if not lacks_codes(library, encoder, index):
        return index
    try:
        return _with_codes(library, encoder, report=silent)
    except (StorageError, OSError) as error:
        _LOG.warning("codes are not made, all vectors are compared: %s", error)
        return index


def exact_index(
    library: Library, encoder: Encoder, *, choice: IndexChoice = "auto", report: Report = silent
) -> VectorIndex:
    """Return the index of exactly the library's documents that compares them all, as a map needs it."""
    index = whole_index(library, encoder, choice=choice, report=report)
    return index if index.is_exact else open_vectors(library, encoder, choice="embedded")


def empty_index(card: EncoderCard) -> VectorIndex:
    """Return an index that holds nothing, for an encoder whose own is out of reach: all rank by their words."""
    kind: IndexKind = "sparse" if card.sparse else "embedded"
    return open_index(Path("nothing"), fingerprint=card.fingerprint, dim=card.dim, kind=kind, precision=card.stored)


def vectors_folder(library: Library, encoder: Encoder) -> Path:
    """Return where an encoder's vectors of this library lie."""
    return library.vectors_folder(encoder.card.name) / encoder.card.fingerprint


def index_library(
    library: Library,
    encoder: Encoder,
    *,
    choice: IndexChoice = "auto",
    first: Set[str] = frozenset(),
    workers: Workers | None = None,
    report: Report = silent,
) -> VectorIndex:
    """Encode every document that the index lacks, or whose text has changed; stopped midway, it goes on from there.

    Those that are to come `first` do. Workers encode, where there are any; an encoder that was fitted on the library,
    which they do not have, encodes here.

    A damaged index is rebuilt, because everything in it comes from the library. Vectors of documents that the library
    does not hold (its database was replaced) are removed, and at the end the vectors of the encoder's other
    fingerprints are, too. Last, binary codes are made of all vectors if the choice is to search by them.
    Waits while another process reads the library. Raises EmptyLibraryError, VectorIndexError if the choice is not for
    this encoder.
    """
    _refuse_empty(library, encoder.card.name)
    with reading_alone(library, report) as report:
        kind = chosen_kind(choice, sparse=encoder.card.sparse, documents=len(library))
        revision, version = library.revision(), library.version()  # what changes from here on is encoded the next time
        index = _whole_to_fill(library, encoder, kind)
        held = set(index.ids)
        missing = sorted((id_ for id_ in library.ids() if id_ not in held), key=lambda id_: id_ not in first)
        costs = reading_costs(library, missing, encoder.costs)
        meter = Meter(f"encode with {encoder.card.name}", None, report)
        meter.expect(len(costs), work=sum(costs.values()))

        def read() -> Iterator[Sequence[Document]]:
            for documents, rows in _encoded(library.iter_documents(missing), encoder, workers, meter):
                index.add([document.id for document in documents], rows)
                yield documents

        keep_in_steps(read(), index.flush, meter, costs)
        keep_seen(library, encoder.card, revision)
        _remove_other_vectors(library, encoder)
        if kind == "binary" and index.is_exact:
            index = _with_codes(library, encoder, report=report)
        note_whole(library, encoder.card, version)
        return index


def _whole_to_fill(library: Library, encoder: Encoder, kind: IndexKind) -> VectorIndex:
    """Return the index that rows are added to; an empty one in place of a damaged one."""
    try:
        return _to_fill(library, encoder, kind)
    except VectorServerError:
        raise
    except (StorageError, VectorIndexError) as error:
        _LOG.warning("vectors are made again: %s", error)
        remove_rows(vectors_folder(library, encoder), row_stores(library, encoder.card))
        return _to_fill(library, encoder, kind)


def _to_fill(library: Library, encoder: Encoder, kind: IndexKind) -> VectorIndex:
    """Return the index that rows are added to, with its codes where it has whole ones: else they are made last."""
    stores = row_stores(library, encoder.card)
    if kind == "binary" and not stores.vectors:
        if has_codes(vectors_folder(library, encoder), stores):
            with suppress(StorageError, VectorIndexError):
                return current_index(library, encoder.card, "binary")
        kind = "embedded"
    return current_index(library, encoder.card, kind)


def _encoded(
    documents: Iterator[Document], encoder: Encoder, workers: Workers | None, meter: Meter
) -> Iterator[tuple[Sequence[Document], Rows]]:
    """Yield documents in batches with their rows (n, dim)."""
    card = encoder.card
    if workers is None or encoders.find(card.name).learns:
        yield from ((batch, encoder.encode_documents(batch)) for batch in _batches(documents))
        return
    sent = iter(partial(next_batch, documents, _SENT_BATCH, _SENT_CHARACTERS), [])
    yield from read_there(workers, partial(encode, card.name, card.fingerprint), sent, meter)


def read_there(
    workers: Workers, do: Callable[[Sequence[Document]], R], batches: Iterable[Sequence[Document]], meter: Meter
) -> Iterator[tuple[Sequence[Document], R]]:
    """Yield batches of documents, each with what workers make of it; the meter may stop them."""
    for batch, answer in workers.each(do, ((one, (one,)) for one in batches), lambda: meter.add(0), encodes=True):
        assert answer is not None
        yield batch, answer()


def encode(name: str, fingerprint: str, documents: Sequence[Document]) -> Rows:
    """Return documents' rows (n, dim): the worker's side. Raises EncoderError if it has another encoder of the name."""
    return _worker_encoder(name, fingerprint).encode_documents(documents)


@lru_cache(maxsize=1)
def _worker_encoder(name: str, fingerprint: str) -> Encoder:
    encoder = encoders.load(name)
    require_same(name, encoder.card.fingerprint, fingerprint)
    return encoder


def require_same(name: str, found: str, expected: str) -> None:
    """Raise EncoderError where a worker's encoder has another fingerprint than ours."""
    if found != expected:
        raise EncoderError(f"Expected the same encoder {name} on every worker, found another. Install the same on all.")


def _with_codes(library: Library, encoder: Encoder, *, report: Report) -> VectorIndex:
    """Return the index with binary codes of all its vectors, or the graph of a server, written."""
    meter = Meter("code vectors", len(library), report)
    index = _opened(library, encoder.card, "binary")
    _drop_removed(index, library)
    index.flush()
    meter.add(len(index))
    meter.finish()
    return index


def _drop_removed(index: VectorIndex, library: Library) -> bool:
    """Forget the vectors of documents that the library does not hold: they were removed, or it was replaced.

    Returns whether there were any.
    """
    gone = library.selection(Filters()).lacking(index.ids)
    if gone:
        index.remove(gone)
    return bool(gone)


def forget_removed(library: Library) -> None:
    """Take the vectors of what the library does not hold out of every encoder's index, without loading encoders."""
    for name in encoders.encoder_names():
        home, fitted = library.vectors_folder(name), library.encoder_folder(name)
        try:
            card = encoders.find(name).card
            kept = kept_folders(home, row_stores(library, card))
            if not len(library):
                for folder in kept:
                    remove_rows(folder, row_stores(library, card))
                if home.is_dir():
                    files.remove_folder(home)
            elif kept:
                card = encoders.read_card(fitted) if fitted.is_dir() else card
                if card.fingerprint and home / card.fingerprint in kept:
                    index = _opened(library, card, "sparse" if card.sparse else "embedded")
                    if _drop_removed(index, library):
                        index.flush()
        except (StorageError, VectorIndexError, EncoderError) as error:
            _LOG.warning("the vectors of %s are left as they are: %s", name, error)  # the next import mends them


def _refuse_empty(library: Library, name: str) -> None:
    if not len(library):
        raise EmptyLibraryError(
            f"Expected documents in {library.folder} for the encoder {name}; the library is empty. Get the samples "
            "with `priorscope samples`, or import files with `priorscope import PATH`."
        )


def _remove_other_vectors(library: Library, encoder: Encoder) -> None:
    home, stores = library.vectors_folder(encoder.card.name), row_stores(library, encoder.card)
    for folder in kept_folders(home, stores):
        if folder.name != encoder.card.fingerprint:
            with suppress(StorageError):
                remove_rows(folder, stores)
    for file in home.glob("*.json"):
        if file.stem != encoder.card.fingerprint:
            file.unlink(missing_ok=True)


# What reading takes, and its steps --------------------------------------------------------------

Costs = Callable[[NDArray[np.int64]], NDArray[np.float64]]


def of_whole_texts(tokens: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return what documents cost, by their numbers of tokens (n,), where they are read to their end: (n,)."""
    return np.asarray(tokens + Encoder.TOKENS_EACH, np.float64)


def reading_costs(library: Library, ids: Collection[str], costs: Costs = of_whole_texts) -> Mapping[str, float]:
    """Return what it costs to read each of some documents, by id, in any unit."""
    lengths = library.keywords.lengths()
    tokens = np.array([lengths.get(id_, 0) for id_ in ids], np.int64)
    return dict(zip(ids, costs(tokens).tolist(), strict=True))


def keep_in_steps(
    read: Iterable[Sequence[Document]], keep: Callable[[], None], meter: Meter, costs: Mapping[str, float]
) -> None:
    """Go through documents, some at a time, as they are `read`, and `keep` what was read every few seconds.

    The meter counts the documents, with their `costs` by id. A run that is stopped keeps what it counted.
    """
    due = -math.inf
    try:
        for documents in read:
            meter.add(len(documents), sum(costs.get(document.id, 0.0) for document in documents))
            if (now := time.monotonic()) >= due:
                keep()
                kept = time.monotonic()
                due = kept + _SECONDS_KEPT * max(1.0, (kept - now) / _SECONDS_WRITING)
    finally:
        keep()
    meter.finish()


class BatchSize:
    """How much to read at once: more while that is quick, as a large batch costs less, and less while it is not."""

    def __init__(self, first: int, most: int) -> None:
        """Begin with this much."""
        self.now, self._most = min(first, most), most

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Read a batch within the block."""
        started = time.monotonic()
        yield
        seconds = time.monotonic() - started
        if seconds < _BATCH_SECONDS / 2:
            self.now = min(2 * self.now, self._most)
        elif seconds > _BATCH_SECONDS:
            self.now = max(self.now // 2, 1)


def _batches(documents: Iterator[Document]) -> Iterator[list[Document]]:
    """Yield documents in batches that grow while the consumer is quick."""
    size = BatchSize(_FIRST_BATCH, _LARGEST_BATCH)
    while batch := next_batch(documents, size.now, _BATCH_CHARACTERS):
        with size.timed():
            yield batch


def next_batch(documents: Iterator[Document], size: int, most_characters: int) -> list[Document]:
    """Return the next `size` documents, or fewer if these come to the most characters."""
    batch: list[Document] = []
    characters = 0
    for document in itertools.islice(documents, size):
        batch.append(document)
        characters += len(document.text)
        if characters >= most_characters:
            break
    return batch


def reading_seconds(library: Library, name: str) -> float:
    """Encode documents spread over the library in some parts, and scale the quickest of them to the whole.

    The first part also warms the encoder up. If the processor was busy with other work, only the time that it spent
    here counts. An encoder that learns from the library is fitted on the sample, and that time counts, too.
    """
    ids = library.ids()
    documents = library.get(ids[:: max(1, len(ids) // _SAMPLED)][:_SAMPLED])
    if not documents:
        return 0.0
    if encoders.find(name).learns:
        encoders.fit(name, documents[::_PARTS])  # loads libraries, which is not to be timed
        clock = _Clock()
        encoder: Encoder = encoders.fit(name, documents)
        fitting = clock.seconds() / len(documents)
    else:
        encoder, fitting = encoders.load(name), 0.0
    parts = [documents[start::_PARTS] for start in range(_PARTS) if documents[start::_PARTS]]
    return len(ids) * (fitting + min(_seconds_each(encoder, part) for part in parts))


def _seconds_each(encoder: Encoder, documents: Sequence[Document]) -> float:
    clock = _Clock()
    encoder.encode_documents(documents)
    return clock.seconds() / len(documents)


class _Clock:
    """Tells the time that passed, or the processor time of this program's threads if that is less."""

    def __init__(self) -> None:
        self._started = self._now()

    def seconds(self) -> float:
        return min(now - then for now, then in zip(self._now(), self._started, strict=True))

    @staticmethod
    def _now() -> tuple[float, float]:
        return time.perf_counter(), time.process_time()

"""Compares documents; what was read of one is kept in memory, and of a library's long ones on disk, too."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from engine import compare
from engine.core.errors import EncoderError, EngineError, StorageError
from engine.core.progress import Report, silent
from engine.documents import Document
from engine.encoders import colde
from engine.library import Library
from engine.workspace.caches import Cache
from engine.workspace.opened_library import LibraryState, load_named

if TYPE_CHECKING:
    from engine.compare import Comparison, Exclusions, ReadDocument, Together, Versions, Words
    from engine.core.rows import DenseRows
    from engine.encoders import EncoderCard
    from engine.encoders.colde import ColdeEncoder, LongRows
    from engine.vectors import PassageView, ReadPassages

_LOG = logging.getLogger(__name__)
COMPARE_ENCODER = "colde"
_Asked: TypeAlias = "tuple[LibraryState | None, tuple[Document, ...], Exclusions]"
_KEPT_SIDES, _KEPT_WORDS, _KEPT_COMPARISONS = 12, 2, 2


@dataclass(frozen=True, slots=True)
class KeptRows:
    """What a library keeps of its documents, so that they are compared without being read.

    `chunks` gives what an encoder of a card has read of a document, the library's or a person's own, `row` the row
    (1, dim) by which a document's nearness is read; None where nothing is kept. `keep` is told what such an encoder has
    read just now.
    """

    chunks: Callable[[EncoderCard, Document], ReadPassages | None]
    keep: Callable[[EncoderCard, Document, LongRows], None]
    row: Callable[[Document], DenseRows | None]


def opened_chunks(library: Library, card: EncoderCard) -> PassageView | None:
    """Return the chunks that an encoder read of a library's documents; None where it has none, or they are damaged."""
    from engine.workspace.passages import chunk_view

    try:
        return chunk_view(library, card)
    except StorageError as error:
        _LOG.warning("documents are read to be compared: %s", error)  # then their chunks are kept again
        return None


def load_colde(name: str) -> ColdeEncoder:
    """Return the encoder of long documents of a name, or in a folder.

    Raises EncoderError for one that does not compare long documents, UnknownEncoderError or StorageError.
    """
    encoder = load_named(name)
    if not isinstance(encoder, colde.ColdeEncoder):
        raise EncoderError(
            f"Expected an encoder that compares long documents, such as {COMPARE_ENCODER}; got {encoder.card.name}."
        )
    return encoder


class Comparer:
    """Reads documents and compares them; may be used from several threads.

    `library` gives the library that documents and words come from, or None; `state` names it as it is now. `kept` is
    what it keeps of its documents.
    """

    def __init__(
        self,
        library: Callable[[], Library | None],
        state: Callable[[], LibraryState | None],
        kept: KeptRows,
        *,
        name: str = COMPARE_ENCODER,
    ) -> None:
        """Read with the encoder of a name, or in a folder, which is loaded when it is first needed."""
        self._library, self._state, self._kept, self._name = library, state, kept, name
        self._encoders: Cache[str, ColdeEncoder] = Cache(1)
        self._words: Cache[LibraryState | None, Words] = Cache(_KEPT_WORDS)
        self._sides: Cache[tuple[LibraryState | None, Document], ReadDocument] = Cache(_KEPT_SIDES)
        self._compared: Cache[_Asked, Comparison] = Cache(_KEPT_COMPARISONS)
        self._alone: Cache[_Asked, Comparison] = Cache(_KEPT_COMPARISONS)
        self._versions: Cache[_Asked, Versions] = Cache(_KEPT_COMPARISONS)
        self._together: Cache[_Asked, Together] = Cache(1)
        self._reading = threading.Lock()
        """Held while a document is read: two at once would only halve each other's speed."""

    def encoder(self) -> ColdeEncoder:
        """Return the encoder that compares. Raises what `load_colde` does."""
        return self._encoders.get(self._name, lambda: load_colde(self._name))

    def words(self) -> Words:
        """Return the words of the library as it is now, or the shipped ones."""
        return self._words.get(self._state(), lambda: compare.Words.of(self._library()))

    def is_read(self, document: Document) -> bool:
        """Return whether a document can be compared without reading it first."""
        return self._sides.held((self._state(), document)) is not None

    def read(self, document: Document, *, report: Report = silent) -> ReadDocument:
        """Return a document read for comparison, once. Raises EngineError if there is nothing to compare."""
        return self._sides.get((self._state(), document), lambda: self._read(document, report))

    def compare(self, a: Document, b: Document, exclusions: Exclusions, *, report: Report = silent) -> Comparison:
        """Return the comparison of two documents; reads nothing twice, and keeps the last comparisons."""

        def made() -> Comparison:
            sides = [self.read(document, report=report) for document in (a, b)]
            return compare.compare(*sides, exclusions=exclusions, report=report)

        return self._compared.get((self._state(), (a, b), exclusions), made)

    def within(self, document: Document, exclusions: Exclusions, *, report: Report = silent) -> Comparison:
        """Return a document against itself; reads nothing twice, and keeps the last ones."""

        def made() -> Comparison:
            return compare.compare_within(self.read(document, report=report), exclusions=exclusions, report=report)

        return self._alone.get((self._state(), (document,), exclusions), made)

    def versions(self, old: Document, new: Document, exclusions: Exclusions, *, report: Report = silent) -> Versions:
        """Return what a second version of a document changes; reads nothing twice, and keeps the last ones."""

        def made() -> Versions:
            return compare.compare_versions(self.read(old, report=report), self.read(new, report=report), exclusions)

        return self._versions.get((self._state(), (old, new), exclusions), made)

    def together(self, documents: Sequence[Document], exclusions: Exclusions, *, report: Report = silent) -> Together:
        """Compare two or three documents with each other and themselves; reads nothing twice, and keeps the last ones.

        Raises InputError for another number of documents.
        """

        def made() -> Together:
            read = [self.read(document, report=report) for document in documents]
            return compare.compare_together(read, exclusions=exclusions, report=report)

        return self._together.get((self._state(), tuple(documents), exclusions), made)

    def is_compared(self, a: Document, b: Document, exclusions: Exclusions) -> bool:
        """Return whether the comparison of two documents is at hand."""
        return self._compared.held((self._state(), (a, b), exclusions)) is not None

    def warm(self) -> None:
        """Load the encoder and the words, so that the first comparison need not wait; for threads in the background."""
        try:
            compare.warm_comparison(self.encoder())
            self.words()
        except EngineError as error:
            _LOG.info("warming the comparison: %s", error)  # who compares in earnest is told

    def _read(self, document: Document, report: Report) -> ReadDocument:
        library, encoder = self._library(), self.encoder()
        is_held = library is not None and library.holds(document)
        long = self._kept_chunks(document)
        with self._reading:
            row = self._kept.row(document) if is_held else None
            read = compare.ReadDocument.read(document, encoder, self.words(), long=long, row=row, report=report)
            if long is None:
                self._kept.keep(encoder.card, document, read.long)
            return read

    def _kept_chunks(self, document: Document) -> LongRows | None:
        """Return what the encoder read of a document when it was compared before, if it was and is kept.

        A library's row has a byte a number, which changes scores by up to .0002 and cells by up to .0023
        (engine/research/reports/kept-chunks.json).
        """
        read = self._kept.chunks(self.encoder().card, document)
        return None if read is None else colde.LongRows.of(document, read.passages, read.rows)

"""The library in a folder, and what is opened of it: encoders, indexes and searches, each once and on demand.

Modules that bring numpy, torch or faiss are loaded by doors or inside the methods, so that a page which needs none of
them paints at once. An encoder is described from its card, without loading it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Hashable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from engine import encoders, search, vectors
from engine.core.errors import LibraryError, StorageError, VectorServerError
from engine.core.files import stamp
from engine.core.progress import Report, silent
from engine.core.stores import Stores
from engine.documents import Document
from engine.documents.questions import Ranking
from engine.library import Filters, Library
from engine.workspace import reading_state
from engine.workspace.caches import Cache
from engine.workspace.jobs import Hold
from engine.workspace.keeping import OwnDocuments

_LOG = logging.getLogger(__name__)

LibraryState = tuple[Path, int, int]
"""The library, which opening of it this is, and the state of its texts: another library has other words."""


@dataclass(frozen=True, slots=True)
class EncoderState:
    """An encoder, and the state of the library that something was opened for."""

    name: str
    documents: int
    version: int


class OpenedLibrary:
    """A library and what is made of it, opened when it is first needed; may be used from several threads."""

    def __init__(self, folder: Path, *, create: bool = False, read_only: bool = False) -> None:
        """Open the library in `folder` on demand; `create` makes an empty one if the folder has none."""
        self.folder = folder
        self._hold = Hold()
        self._create, self._read_only = create, read_only
        self.own = OwnDocuments(folder)
        self._opening = threading.Lock()
        self._library: Library | None = None
        self._openings = 0
        self._shipped: Cache[str, encoders.Encoder] = Cache(8)
        self._fitted: Cache[EncoderState, encoders.Encoder] = Cache(8)
        self._indexes: Cache[str, vectors.VectorIndex] = Cache(8)
        self._exact_indexes: Cache[str, vectors.VectorIndex] = Cache(8)
        self._passage_encoders: Cache[None, search.PassageEncoder] = Cache(1)
        self._passages: Cache[None, search.PassageMatcher | None] = Cache(1)
        self._searchers: Cache[str, search.Searcher] = Cache(8)
        self._unread: Cache[str, int] = Cache(8)

    # The library --------------------------------------------------------------------------------

    @property
    def library(self) -> Library:
        """The library. Raises LibraryError if the folder has none, StorageError if it is damaged."""
        with self._opening:
            if self._library is not None and not self._library.is_in_place():
                self._library = None
                self.forget()
            if self._library is None:
                self._library = Library.open(self.folder, create=self._create, read_only=self._read_only)
                self._openings += 1
            return self._library

    def library_if_any(self) -> Library | None:
        """Return the library; None if the folder has none. Raises StorageError if it is damaged."""
        try:
            return self.library
        except LibraryError:
            return None

    def state(self) -> LibraryState:
        """Name the library as it is now: its folder, which opening of it this is, and the state of its texts."""
        held = self.library
        return self.folder, self._openings, held.version()

    def close(self) -> None:
        """Close the library; the next call opens it again."""
        with self._opening:
            if self._library is not None:
                self._library.close()
            self._library = None
            self.forget()

    def forget(self) -> None:
        """Open everything that was made of the library again at the next call, because its contents changed."""
        for cache in (  # in this order: what is opened meanwhile is not made of what is about to be forgotten
            *(self._fitted, self._indexes, self._exact_indexes, self._passages, self._searchers, self._unread),
        ):
            cache.forget()

    def holds_document(self, document: Document) -> bool:
        """Return whether the library holds this very document, word for word."""
        return self.library.holds(document)

    def has_samples(self, *, whole: bool = False) -> bool:
        """Return whether all of the sample library was imported; `whole`, also whether nothing of it was removed."""
        from engine.workspace.importing import has_samples

        return has_samples(self.library, whole=whole)

    def has_passages_left(self, *, begun: bool = True) -> bool:
        """Return whether passages are not all read as they are now; once any were, or, if not `begun`, if they are due.

        Does not load what reads them.
        """
        from engine.workspace.passages import has_passages_left

        return has_passages_left(self.library, begun=begun)

    # What is known of an encoder without it -------------------------------------------------------

    def encoder_card(self, name: str) -> encoders.EncoderCard:
        """Return the card of the shipped or the fitted encoder; the card of one that has yet to learn has no width."""
        if (fitted := self.library.encoder_folder(name)).is_dir():
            try:
                return replace(encoders.read_card(fitted), trained_on=encoders.find(name).card.trained_on)
            except StorageError as error:
                _LOG.info("%s will be fitted again: %s", name, error)
        return encoders.find(name).card

    def encoder_files(self, name: str) -> Path | None:
        """Return the folder of an encoder's weights, shipped or fitted on this library; None before that fit."""
        fitted = self.library.encoder_folder(name)
        return fitted if fitted.is_dir() else encoders.find(name).folder

    def encoder_bytes(self, name: str) -> int:
        """Return how much room an encoder's weights take on disk, including the encoders that it is made of."""
        folder = self.encoder_files(name)
        own = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) if folder else 0
        return own + sum(self.encoder_bytes(joined) for joined in encoders.find(name).joins)

    def has_vectors(self, name: str) -> bool:
        """Return whether this encoder has read the library, or at least a part of it."""
        return self.vector_bytes(name) > 0

    def vector_bytes(self, name: str) -> int:
        """Return the bytes that a document's vector takes on disk, on average; 0 before the first is made.

        On a server it is a guess, and 0 while that does not answer.
        """
        if not self._stores(name).vectors:
            return sum(path.stat().st_size for path in self._vectors(name).glob("*")) // max(1, len(self.library))
        with suppress(VectorServerError):
            return 2 * self.encoder_card(name).dim if self.unread_count(name) < len(self.library) else 0
        return 0

    def unread_count(self, name: str) -> int:
        """Return how many documents lack their vector under an encoder, as the disk says now; loads no encoder.

        Counted again whenever any process has written vectors. Raises StorageError where their list is damaged,
        VectorServerError where their server does not answer.
        """
        key = self._key(name)
        card, mark = self.encoder_card(key.name), (key, self._written(key.name))
        return self._unread.get(key.name, lambda: len(reading_state.unread_ids(self.library, card)), mark=mark)

    def left_to_read(self, name: str) -> tuple[int, int]:
        """Return how many documents lack their vector under an encoder now, and how many lack their passages.

        Passages count once any were read. Raises StorageError as `unread_count` does.
        """
        matcher = self._passages_so_far()
        unmatched = len(self.library) - len(matcher.view.number_of) if matcher is not None else 0
        return self.unread_count(name), unmatched

    def is_being_read(self) -> bool:
        """Tell whether any process, this one included, reads the library's documents now."""
        return reading_state.is_being_read(self.library)

    def may_be_read(self) -> bool:
        """Tell whether what is unread may be read now: no process reads or imports, and the folder is not read-only."""
        return reading_state.may_be_read(self.library)

    def asking(self) -> AbstractContextManager[None]:
        """Let another process that reads the library wait for a question that is answered within the block."""
        return reading_state.asking(self.library)

    def uses_codes(self, name: str) -> bool:
        """Return whether searches with this encoder find near vectors by binary codes instead of comparing all."""
        kind = vectors.chosen_kind("auto", sparse=self.encoder_card(name).sparse, documents=len(self.library))
        return kind == "binary" and not self._stores(name).vectors and vectors.has_codes(self._vectors(name))

    def _vectors(self, name: str) -> Path:
        return self.library.vectors_folder(name) / (self.encoder_card(name).fingerprint or "none")

    def _stores(self, name: str) -> Stores:
        from engine.workspace.reading_state import row_stores

        return row_stores(self.library, self.encoder_card(name))

    # Encoders, vectors and searches -------------------------------------------------------------

    def encoder(self, name: str, *, report: Report = silent) -> encoders.Encoder:
        """Return the encoder, ready; one that learns from the library is fitted where that was not done yet."""
        return self._encoder(self._key(name), report)

    def index(self, name: str) -> vectors.VectorIndex:
        """Return the library's vectors under an encoder, as far as they were made."""
        return self._index(self._key(name))

    def exact_index(self, name: str) -> vectors.VectorIndex:
        """Return the same vectors, in an index that compares them all with a query."""
        return self._exact_index(self._key(name))

    def vector_count(self, name: str) -> int:
        """Return how many documents of the library have their vector under an encoder."""
        key = self._key(name)
        has_any = self._stores(key.name).vectors or any(self.library.vectors_folder(key.name).glob("*"))
        return len(self._index(key)) if has_any else 0

    def searcher(self, name: str) -> search.Searcher:
        """Return what answers questions with an encoder, from the vectors that were made.

        It is opened again when any process has written more: while a library is read, every few seconds at most.
        """
        key = self._key(name)
        return self._searchers.get(key.name, lambda: self._open_searcher(key), mark=self._searched(key))

    def is_open(self, name: str) -> bool:
        """Return whether what answers questions with an encoder is in memory; opens nothing."""
        key = self._key(name)
        return self._searchers.held(key.name, mark=self._searched(key)) is not None

    def passages(self) -> search.PassageMatcher | None:
        """Return the passages of the library's documents; None until all were read, and where none were begun."""
        found = self._passages_so_far()
        return found if found is not None and found.is_whole else None

    def readings(self, name: str, document: Document, documents: Sequence[Document]) -> list[search.Reading]:
        """Return how near a document is to each of some of the library's, in words; their rows are not made again."""
        key = self._key(name)
        return search.PairReader(self._encoder(key), self._index(key)).read(document, documents)

    def waiting(self, review: str, filters: Filters, near: Sequence[str], *, name: str, most: int) -> list[str]:
        """Return the ids of undecided documents of a review, the nearest to some documents of the library first.

        They pass the filters; those documents themselves come first. Where an encoder has read nothing, words decide.
        """
        undecided = replace(filters, lines=(*filters.lines, f'screen:"{review}/undecided"'))
        is_read = self.vector_count(name) > 0
        ranking: Ranking = "default" if is_read else "keywords"
        question = search.Question(Document("seeds", "query"), most, ranking, undecided, liked=tuple(near))
        passing = self.library.selection(undecided)
        first = [id_ for id_ in near if id_ in passing]
        return [*first, *self.searcher(name if is_read else "default").order(question)][:most]

    def passage_encoder(self) -> search.PassageEncoder:
        """Return what reads passages. Raises StorageError where its weights are missing or damaged."""
        return self._passage_encoders.get(None, search.PassageEncoder)

    def _key(self, name: str) -> EncoderState:
        held = self.library
        return EncoderState(full_name(name), len(held), held.version())

    def _encoder(self, key: EncoderState, report: Report = silent) -> encoders.Encoder:
        from engine.workspace.indexing import encoder_for

        def opens() -> encoders.Encoder:
            return encoder_for(self.library, key.name, report=report)

        return self._fitted.get(key, opens) if encoders.find(key.name).learns else self._shipped.get(key.name, opens)

    def _index(self, key: EncoderState) -> vectors.VectorIndex:
        from engine.workspace.indexing import open_vectors

        mark = (key, self._written(key.name))
        return self._indexes.get(key.name, lambda: open_vectors(self.library, self._encoder(key)), mark=mark)

    def _written(self, name: str) -> Hashable:
        """Return what changes whenever an encoder's vectors are written, by any process."""
        from engine.vectors import rows_written

        return stamp(self.library.vectors_folder(name)), rows_written(self._vectors(name), self._stores(name))

    def _searched(self, key: EncoderState) -> Hashable:
        """Return what changes whenever a search with an encoder may find something else."""
        return key, self._written(key.name), self._passages_written()

    def _passages_written(self) -> Hashable:
        """Return what changes whenever passages are written, by any process."""
        from engine.workspace.passages import passages_written

        return passages_written(self.library)

    def _exact_index(self, key: EncoderState) -> vectors.VectorIndex:
        from engine.workspace.indexing import open_vectors

        def opens() -> vectors.VectorIndex:
            index = self._index(key)
            return index if index.is_exact else open_vectors(self.library, self._encoder(key), choice="embedded")

        return self._exact_indexes.get(key.name, opens, mark=(key, self._written(key.name)))

    def searcher_of(self, encoder: encoders.Encoder, index: vectors.VectorIndex) -> search.Searcher:
        """Return what answers questions with an encoder and its index, and with the passages that were read so far."""
        return search.Searcher(self.library, encoder, index, passages=self._passages_so_far())

    def _open_searcher(self, key: EncoderState) -> search.Searcher:
        from engine.workspace.indexing import empty_index, lacks_codes, search_index

        held, encoder = self.library, self._encoder(key)
        try:
            index = self._index(key)
        except VectorServerError as error:
            _LOG.warning("documents rank by their words alone: %s", error)
            index = empty_index(encoder.card)
        if lacks_codes(held, encoder, index):
            with self._hold.idle() as free:  # while vectors are made, search the ones that exist
                index = search_index(held, encoder) if free else index
        return self.searcher_of(encoder, index)

    def _passages_so_far(self) -> search.PassageMatcher | None:
        return self._passages.get(None, self._open_passages, mark=(self.state(), self._passages_written()))

    def _open_passages(self) -> search.PassageMatcher | None:
        from engine.workspace.passages import has_passages, open_passages

        try:
            if not search.PassageEncoder.is_installed() or not has_passages(self.library):
                return None
            encoder = self.passage_encoder()
            store = open_passages(self.library, encoder)
        except (StorageError, VectorServerError) as error:
            _LOG.warning("passages are not searched: %s", error)  # the next import reads them again
            return None
        return search.PassageMatcher(store.view(), encoder, len(store) >= len(self.library), self.own)


def load_named(name: str) -> encoders.Encoder:
    """Return the encoder of a name, or the one in a folder. Raises UnknownEncoderError or StorageError."""
    from engine.core.files import is_folder

    if name not in encoders.encoder_names() and is_folder(folder := Path(name)):
        return encoders.load_folder(folder)
    return encoders.load(name)


def full_name(name: str) -> str:
    """Return the name of an encoder in the registry and in a library's folder."""
    return encoders.DEFAULT if name == "default" else name

"""One opened library with everything made from it, each thing opened once and only on demand.

The screen, the command line and a server are skins over it. What is opened of a library for all of them stands in
`opened_library`; here is what they do with it: maps, comparisons, long work, and getting ready. Modules that bring
numpy, torch or faiss are loaded by doors or inside the methods, so that a page which needs none of them paints at once.
"""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from engine import compare, encoders, maps, search, vectors
from engine.core.errors import EngineError, StorageError, VectorIndexError
from engine.core.progress import Report, silent
from engine.documents import Document
from engine.encoders import colde
from engine.library import Filters, Library, is_long
from engine.workspace.caches import Cache
from engine.workspace.comparison import COMPARE_ENCODER, Comparer, KeptRows, opened_chunks
from engine.workspace.jobs import Background, Jobs
from engine.workspace.keeping import Recent
from engine.workspace.opened_library import EncoderState, LibraryState, OpenedLibrary, full_name
from engine.workspace.pages import PageReader
from engine.workspace.reading_state import importing
from engine.workspace.salience import SalienceReader

if TYPE_CHECKING:
    from engine.core.rows import DenseRows
    from engine.workspace.importing import ImportSummary
    from engine.workspace.workers import Workers


_LOG = logging.getLogger(__name__)
_ONE_KIND = Filters(kinds=frozenset({"paper"}))
T = TypeVar("T")


class Workspace(OpenedLibrary):
    """A library in a folder, opened when it is first needed; may be used from several threads.

    An encoder's name is its name in the registry, or "default". If a library is deleted, moved or replaced while it is
    open, the next call notices, and opens it again with everything that was made from it.
    """

    def __init__(self, folder: Path, *, create: bool = False, workers: Workers | None = None) -> None:
        """Work on the library in `folder`; `create` makes an empty one if the folder has none.

        Files are read and documents encoded by `workers`, or in this process.
        """
        super().__init__(folder, create=create)
        self._workers = workers
        self.jobs = Jobs(self._hold)
        self.recent = Recent(folder, self.own)
        self.salience = SalienceReader(library=self.library_if_any)
        self.pages = PageReader(self.library_if_any)
        self._comparers: Cache[str, Comparer] = Cache(2)
        self._chunks: Cache[str, vectors.PassageView | None] = Cache(2)
        self._agreements: Cache[tuple[EncoderState, str], maps.EncoderAgreement] = Cache(8)
        self._maps: Cache[str, maps.LibraryMap] = Cache(4)
        self._of_maps: Cache[tuple[str, Hashable], Any] = Cache(12)  # a page with two maps holds eight
        self._background = Background()
        self._came: frozenset[str] = frozenset()
        """What the last imports brought, which is read first."""
        self._reading_seconds: dict[tuple[str, int], float] = {}
        """By encoder and number of documents; never forgotten."""
        self._keeping, self._measuring = threading.Lock(), threading.Lock()

    def __enter__(self) -> Self:
        """Return the workspace itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close the library."""
        self.close()

    def forget(self) -> None:
        """Open everything that was made of the library again at the next call, because its contents changed."""
        super().forget()
        for cache in (self._chunks, self._agreements, self._maps, self._of_maps, self._background):
            cache.forget()

    # The map ------------------------------------------------------------------------------------

    def agreement(self, first: str, second: str) -> maps.EncoderAgreement:
        """Return how far two encoders agree on which documents are near each other."""
        one, other = sorted((self._key(first), self._key(second)), key=lambda key: key.name)

        def counted() -> maps.EncoderAgreement:
            indexes = self._exact_index(one), self._exact_index(other)
            return maps.measure_agreement(*indexes, encoders=(self._encoder(one), self._encoder(other)))

        return self._agreements.get((one, other.name), counted)

    def is_mapped(self, name: str) -> bool:
        """Return whether a map of the library was drawn under an encoder."""
        return self.library.map_folder(full_name(name)).is_dir()

    def library_map(self, name: str, *, report: Report = silent) -> maps.LibraryMap:
        """Return the map of the library under an encoder: draws it if none is kept, and places new documents on it.

        Raises StorageError or MapError if the kept map is damaged or was drawn from other vectors.
        """
        key = self._key(name)
        return self._maps.get(key.name, lambda: self._open_map(key, report), mark=key)

    def _open_map(self, key: EncoderState, report: Report) -> maps.LibraryMap:
        held = self.library
        folder = held.map_folder(key.name)
        kept = maps.kept_map(folder, fingerprint=self.encoder_card(key.name).fingerprint)
        if kept is not None and len(kept) == len(ids := held.ids()) and not kept.missing(ids):
            return kept  # without the encoder, which takes seconds to load
        return maps.open_map(self._exact_index(key), held, folder, encoder=self._encoder(key), report=report)

    def of_map(self, name: str, what: Hashable, make: Callable[[maps.LibraryMap], T]) -> T:
        """Return what `make` makes of an encoder's map, made once for each `what` until the map changes."""
        key = self._key(name)
        return cast(T, self._of_maps.get((key.name, what), lambda: make(self.library_map(name)), mark=key))

    def draw_map(self, name: str, *, report: Report = silent) -> None:
        """Draw a map, encoding first what has no vector yet. Raises LibraryError while the library is held."""
        encoder = self.encoder(name, report=report)
        if not self._is_whole(name):
            self.whole(name, report=report)
        with self.working():  # one index in memory: searches go on with the same
            drawn = maps.fit(self.exact_index(name), self.library, encoder=encoder, report=report)
            self.keep_map(name, drawn)

    def _is_whole(self, name: str) -> bool:
        """Tell whether every document has its row under an encoder, in an index that can be read."""
        try:
            return len(self.exact_index(name)) == len(self.library)
        except (StorageError, VectorIndexError):
            return False

    def keep_map(self, name: str, library_map: maps.LibraryMap) -> None:
        """Keep a map whose groups have new names."""
        library_map.save(self.library.map_folder(full_name(name)))
        self._maps.forget()
        self._of_maps.forget()

    def rename_cluster(self, name: str, level: int, cluster: int, own: str) -> None:
        """Rename a group of an encoder's map; an empty name brings back the generated one.

        Raises MapError for a name that cannot be one.
        """
        self.keep_map(name, self.library_map(name).renamed(level, cluster, own))

    # Work that changes what lies on disk ----------------------------------------------------------

    def working(self) -> AbstractContextManager[None]:
        """Hold the library for the length of a block. Raises LibraryError if it is held already."""
        return self._hold.working()

    def whole(
        self, name: str, *, choice: vectors.IndexChoice = "auto", report: Report = silent
    ) -> tuple[encoders.Encoder, vectors.VectorIndex]:
        """Return the encoder and its index of exactly the library's documents; encodes what is missing or damaged."""
        from engine.workspace.indexing import index_words, whole_index

        with self._changing():
            index_words(self.library, report=report)
            encoder = self.encoder(name, report=report)
            return encoder, whole_index(self.library, encoder, choice=choice, workers=self._workers, report=report)

    def prepare(self, name: str, *, choice: vectors.IndexChoice = "auto", report: Report = silent) -> None:
        """Encode what has no vector yet. Raises LibraryError while other work holds the library."""
        from engine.workspace.indexing import index_library, index_words

        with self._changing():
            index_words(self.library, report=report)
            encoder = self.encoder(name, report=report)
            first, workers = self._came, self._workers
            index_library(self.library, encoder, choice=choice, first=first, workers=workers, report=report)

    def index_words(self, *, report: Report = silent) -> None:
        """Index again what an earlier version indexed. Raises LibraryError while other work holds the library."""
        from engine.workspace.indexing import index_words

        with self._changing():
            index_words(self.library, report=report)

    def read_passages(self, *, report: Report = silent) -> None:
        """Read passages that are missing. Raises LibraryError while other work holds the library."""
        from engine.workspace.passages import forget_foreign_chunks, index_passages

        with self._changing():
            if search.PassageEncoder.is_installed() and self.library.keywords.holds_long:
                self.forget()  # documents are found by their vectors while passages are read
                read = partial(index_passages, first=self._came, whole=self.forget, workers=self._workers)
                read(self.library, self.passage_encoder(), report=report)
            forget_foreign_chunks(self.library)

    def import_paths(
        self,
        paths: Sequence[Path],
        *,
        encoder: str | None,
        names: Mapping[Path, str] | None = None,
        choice: vectors.IndexChoice = "auto",
        report: Report = silent,
    ) -> ImportSummary:
        """Add files and folders as `import_paths` does, then read the library; without an encoder, later."""
        from engine.workspace.importing import import_paths

        add = partial(import_paths, paths=paths, names=names, workers=self._workers, report=report)
        return self._import(add, encoder, choice, report)

    def import_samples(
        self,
        *,
        encoder: str | None,
        cache: Path | None = None,
        again: bool = False,
        choice: vectors.IndexChoice = "auto",
        report: Report = silent,
    ) -> ImportSummary:
        """Add the sample library as `import_samples` does, then read it; without an encoder, later."""
        from engine.workspace.importing import import_samples

        add = partial(import_samples, cache=cache, again=again, report=report)
        return self._import(add, encoder, choice, report)

    def remove_documents(self, ids: Sequence[str]) -> list[str]:
        """Take documents out, with their vectors and passages; returns the ids under which they were held.

        An open search or map keeps what it has until it is opened again. A stored map leaves the documents out when it
        is next opened, and nothing else on it moves. Raises UnknownDocumentError for an id that is not held,
        LibraryError while other work holds the library.
        """
        return self._remove(lambda: self.library.remove(ids))

    def remove_file(self, key: str) -> list[str]:
        """Take a file out with the documents that came with no other; returns their ids.

        Raises LibraryError if the library has no such file, if it was imported before the library recorded which
        documents come with a file, or while other work holds the library.
        """
        return self._remove(lambda: self.library.remove_file(key))

    def _remove(self, remove: Callable[[], list[str]]) -> list[str]:
        from engine.workspace.indexing import forget_removed
        from engine.workspace.passages import forget_passages

        with self._changing():
            gone = remove()
            forget_passages(self.library)
            forget_removed(self.library)
        return gone

    def remove_model(self, name: str) -> None:
        """Take out a model that a person brought, with its vectors and map of this library.

        Raises UnknownEncoderError for a name that none has, LibraryError while other work holds the library.
        """
        with self._changing():
            encoders.KeptModel.remove(name)
            self._shipped.forget()
            if (held := self.library_if_any()) is not None:
                for folder in (held.vectors_folder(name), held.map_folder(name)):
                    shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold the library, and forget what was made of it, whatever ends the work."""
        with self.working():
            try:
                yield
            finally:
                self.forget()

    def _import(
        self, add: Callable[[Library], ImportSummary], encoder: str | None, choice: vectors.IndexChoice, report: Report
    ) -> ImportSummary:
        with importing(self.library):
            with self._changing():
                before = set(self.library.ids())
                try:
                    summary = add(self.library)
                finally:
                    self._came |= set(self.library.ids()) - before if before else set()
            if encoder is not None and len(self.library):
                self.prepare(encoder, choice=choice, report=report)
                self.read_passages(report=report)
        return summary

    # Comparing ----------------------------------------------------------------------------------

    def comparer(self, name: str = COMPARE_ENCODER) -> Comparer:
        """Return what compares two documents with an encoder of long documents, by its name or from its folder."""

        def state() -> LibraryState | None:
            return None if self.library_if_any() is None else self.state()

        kept = KeptRows(self._kept_chunks, self._keep_chunks, self._sentence_row)
        return self._comparers.get(name, lambda: Comparer(self.library_if_any, state, kept, name=name))

    def shelf(self) -> compare.Shelf:
        """Return what covering a document by the library needs (`engine.compare.cover`); loads the passage encoder."""

        def nearest(document: Document, most: int) -> list[str]:
            found = self.searcher("default").search(search.Question(document, k=most))
            return [result.document.id for result in found.results]

        reader = self.passage_encoder()
        return compare.Shelf(
            self.library, reader, self.passages(), nearest, reader.judge(), self.left_to_cover(), self.own
        )

    def left_to_cover(self) -> int:
        """Return how many documents lack what a coverage goes by: a vector and, where any is long, passages."""
        unread, unmatched = self.left_to_read("default")
        if self.passages() is None and self.library.keywords.holds_long:
            return max(unread, unmatched or len(self.library))
        return unread

    def _holds(self, document: Document) -> bool:
        return (held := self.library_if_any()) is not None and held.holds(document)

    def _kept_chunks(self, card: encoders.EncoderCard, document: Document) -> vectors.ReadPassages | None:
        """Return the chunks that an encoder read of a document, the library's or a person's own, if they are kept."""
        if not self._holds(document):
            return self.own.rows(compare.chunks_fingerprint(card), document)
        view = self._chunks.get(card.fingerprint, lambda: opened_chunks(self.library, card), mark=self.state())
        return None if view is None else view.read(document)

    def _keep_chunks(self, card: encoders.EncoderCard, document: Document, read: colde.LongRows) -> None:
        """Keep what was read of a long document, the library's or a person's own; a short one is read in a moment."""
        from engine.workspace.passages import keep_chunks

        if not is_long(document):
            return
        try:
            if not self._holds(document):
                passages = vectors.ReadPassages(document.id, read.chunks, read.rows)
                self.own.keep_rows(compare.chunks_fingerprint(card), document, passages)
                return
            with self._keeping:
                keep_chunks(self.library, card, document.id, read)
        except (EngineError, OSError) as error:
            _LOG.warning("chunks are not kept: %s", error)  # a folder that cannot be written to
        self._chunks.forget()

    def _sentence_row(self, document: Document) -> DenseRows | None:
        """Return the row (1, dim) by which a document's nearness is read, as the default encoder's index keeps it."""
        try:
            if not self.has_vectors(encoders.DEFAULT):
                return None
            key = self._key(encoders.DEFAULT)
            return search.PairReader(self._encoder(key), self._index(key)).kept_rows([document.id])
        except EngineError as error:
            _LOG.info("the row of %s is read again: %s", document.id, error)
            return None

    # Getting ready --------------------------------------------------------------------------------

    def warm(self, name: str) -> None:
        """Load in the background what the first search needs, or measure how long the encoder will read the library."""
        key = self._key(name)
        self._background.start("warm", key, lambda: self.rehearse(key.name))

    def warm_comparison(self) -> None:
        """Load in the background what the first comparison of two documents needs."""

        def work() -> None:
            self.comparer().warm()
            self.salience.warm()

        self._background.start("warm-compare", self.state(), work)

    def rehearse(self, name: str) -> None:
        """Ask one question, so that vectors, words and evidence are in memory; or measure what that still needs.

        The words come first: they find the first hits while the rest loads. The filters' counts come last.
        """
        question = search.Question(Document("warm", title="graph"), k=1)
        try:
            self.library.keywords.weigh(True)
            question.find_word_hits(self.library)
            key = self._key(name)
            if not self.has_vectors(key.name):
                self._measure_reading(self.library, [key.name], key.documents)
            else:
                self.searcher(key.name).search(question)
                self.library.keywords.weigh(False, True)  # one short question needs half of it
            self.library.facets(_ONE_KIND)  # under a filter, categories are read, too
        except EngineError as error:
            _LOG.info("warming %s: %s", name, error)  # who asks in earnest is told
        self.salience.warm()

    def reading_seconds(self, name: str) -> float | None:
        """Return how long the encoder will need to read the library; None until measured, 0 if measuring failed."""
        return self._reading_seconds.get((full_name(name), len(self.library)))

    def measure_reading(self, names: Sequence[str]) -> threading.Thread:
        """Measure in the background, one after the other, how long encoders will need to read the library."""
        library, full = self.library, tuple(map(full_name, names))
        documents = len(library)
        return self._background.start(
            "timing", (full, documents), lambda: self._measure_reading(library, full, documents)
        )

    def _measure_reading(self, library: Library, names: Sequence[str], documents: int) -> None:
        """Measure what was not measured before; one at a time, because two slow each other down."""
        from engine.workspace.indexing import reading_seconds

        for name in names:
            with self._measuring:
                if (name, documents) in self._reading_seconds:
                    continue
                try:
                    self._reading_seconds[name, documents] = reading_seconds(library, name)
                except EngineError as error:
                    self._reading_seconds[name, documents] = 0.0
                    _LOG.info("timing %s: %s", name, error)  # who asks for the encoder is told then

"""One opened library with everything made from it, each thing opened once and only on demand.

The screen, the command line and a server are skins over it: all their doors stand in one file. Modules that bring
numpy, torch or faiss are imported inside the methods, so that a page which needs none of them paints at once.
"""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from engine.core.errors import EngineError, LibraryError, StorageError
from engine.core.progress import Report, silent
from engine.documents import Document
from engine.library import Filters, Library
from engine.search import Reading, read_pair
from engine.workspace import facts
from engine.workspace.caches import Cache
from engine.workspace.comparison import COMPARE_ENCODER, Comparer, KeptRows, LibraryState, opened_chunks
from engine.workspace.jobs import Hold, Jobs
from engine.workspace.keeping import OwnDocuments, Recent
from engine.workspace.pages import PageReader
from engine.workspace.reading_times import ReadingTimes
from engine.workspace.salience import SalienceReader

if TYPE_CHECKING:
    from engine.core.rows import DenseRows
    from engine.encoders import Encoder, EncoderCard
    from engine.encoders.colde import LongRows
    from engine.maps import Agreement, LibraryMap
    from engine.search import PassageEncoder, PassageMatcher, Question, Searcher
    from engine.vectors import IndexChoice, PassageView, VectorIndex
    from engine.workspace.importing import ImportSummary

_LOG = logging.getLogger(__name__)
_ONE_KIND = Filters(kinds=frozenset({"paper"}))
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Key:
    """An encoder, and the state of the library that something was opened for."""

    name: str
    documents: int
    version: int


class Workspace:
    """A library in a folder, opened when it is first needed; may be used from several threads.

    An encoder's name is its name in the registry, or "default". If a library is deleted, moved or replaced while it is
    open, the next call notices, and opens it again with everything that was made from it.
    """

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        """Work on the library in `folder`; `create` makes an empty one if the folder has none."""
        self.folder = folder
        self._hold = Hold()
        self.jobs = Jobs(self._hold)
        self.own = OwnDocuments(folder)
        self.recent = Recent(folder, self.own)
        self.salience = SalienceReader(library=self.library_if_any)
        self.pages = PageReader(self.library_if_any)
        self._create = create
        self._opening, self._keeping = threading.Lock(), threading.Lock()
        self._library: Library | None = None
        self._openings = 0
        self._reading_times = ReadingTimes()
        self._shipped: Cache[str, Encoder] = Cache(8)
        self._comparers: Cache[str, Comparer] = Cache(2)
        self._fitted: Cache[Key, Encoder] = Cache(8)
        self._indexes: Cache[Key, VectorIndex] = Cache(8)
        self._exact_indexes: Cache[Key, VectorIndex] = Cache(8)
        self._passage_encoders: Cache[str, PassageEncoder] = Cache(1)
        self._passages: Cache[LibraryState, PassageMatcher | None] = Cache(2)
        self._chunks: Cache[tuple[LibraryState, str], PassageView | None] = Cache(2)
        self._searchers: Cache[Key, Searcher] = Cache(8)
        self._agreements: Cache[tuple[Key, str], Agreement] = Cache(8)
        self._maps: Cache[Key, LibraryMap] = Cache(4)
        self._of_maps: Cache[tuple[Key, Hashable], Any] = Cache(12)  # a page with two maps holds eight
        self._warming: Cache[Key | LibraryState, threading.Thread] = Cache(8)

    def __enter__(self) -> Self:
        """The workspace itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close the library."""
        self.close()

    # The library --------------------------------------------------------------------------------

    @property
    def library(self) -> Library:
        """The library. Raises LibraryError if the folder has none, StorageError if it is damaged."""
        with self._opening:
            if self._library is not None and not self._library.is_in_place():
                self._library = None
                self.forget()
            if self._library is None:
                self._library = Library.open(self.folder, create=self._create)
                self._openings += 1
            return self._library

    def library_if_any(self) -> Library | None:
        """The library; None if the folder has none. Raises StorageError if it is damaged."""
        try:
            return self.library
        except LibraryError:
            return None

    def state(self) -> LibraryState:
        """Names the library as it is now: its folder, which opening of it this is, and the state of its texts."""
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
            *(self._fitted, self._indexes, self._exact_indexes, self._passages, self._chunks),
            *(self._searchers, self._agreements, self._maps, self._of_maps, self._warming),
        ):
            cache.forget()

    # Encoders, vectors and searches -------------------------------------------------------------

    def encoder(self, name: str, *, report: Report = silent) -> Encoder:
        """The encoder, ready; one that learns from the library is fitted where that was not done yet."""
        return self._encoder(self._key(name), report)

    def index(self, name: str) -> VectorIndex:
        """The library's vectors under an encoder, as far as they were made."""
        return self._index(self._key(name))

    def exact_index(self, name: str) -> VectorIndex:
        """The same vectors, in an index that compares them all with a query."""
        return self._exact_index(self._key(name))

    def vector_count(self, name: str) -> int:
        """How many documents of the library have their vector under an encoder."""
        key = self._key(name)
        has_any = any(self.library.vectors_folder(key.name).glob("*"))
        return len(self._index(key)) if has_any else 0

    def searcher(self, name: str) -> Searcher:
        """What answers questions with an encoder, from the vectors that were made."""
        key = self._key(name)
        return self._searchers.get(key, lambda: self._open_searcher(key))

    def is_open(self, name: str) -> bool:
        """Whether what answers questions with an encoder is in memory; opens nothing."""
        return self._searchers.held(self._key(name)) is not None

    def passages(self) -> PassageMatcher | None:
        """The passages of the library's documents; None until all were read, and where few documents are long."""
        found = self._passages_so_far()
        return found if found is not None and found.is_whole else None

    def readings(self, name: str, document: Document, documents: Sequence[Document]) -> list[Reading]:
        """How near a document is to each of some documents of the library, in words; their rows are not made again."""
        from engine.search import PairReader

        key = self._key(name)
        reader = PairReader(self._encoder(key), self._index(key))
        return [read_pair(pair) for pair in reader.pairs(document, reader.question_row(document), documents)]

    def agreement(self, first: str, second: str) -> Agreement:
        """How far two encoders agree on which documents are near each other."""
        one, other = sorted((self._key(first), self._key(second)), key=lambda key: key.name)

        def counted() -> Agreement:
            from engine.maps import measure_agreement

            indexes = self._exact_index(one), self._exact_index(other)
            return measure_agreement(*indexes, encoders=(self._encoder(one), self._encoder(other)))

        return self._agreements.get((one, other.name), counted)

    # The map ------------------------------------------------------------------------------------

    def is_mapped(self, name: str) -> bool:
        """Whether a map of the library was drawn under an encoder."""
        return self.library.map_folder(_full(name)).is_dir()

    def library_map(self, name: str, *, report: Report = silent) -> LibraryMap:
        """The map of the library under an encoder: draws it if none is kept, and places new documents on it.

        Raises StorageError or MapError if the kept map is damaged or was drawn from other vectors.
        """
        key = self._key(name)
        return self._maps.get(key, lambda: self._open_map(key, report))

    def of_map(self, name: str, what: Hashable, make: Callable[[LibraryMap], T]) -> T:
        """What `make` makes of an encoder's map, made once for each `what` until the map changes."""
        key = self._key(name)
        return cast(T, self._of_maps.get((key, what), lambda: make(self.library_map(name))))

    def draw_map(self, name: str, *, report: Report = silent) -> None:
        """Draw a map, encoding first what has no vector yet. Raises LibraryError while the library is held."""
        from engine.maps import fit
        from engine.workspace.indexing import exact_index

        with self._changing():
            encoder = self.encoder(name, report=report)
            index = exact_index(self.library, encoder, report=report)
            drawn = fit(index, self.library, encoder=encoder, report=report)
            drawn.save(self.library.map_folder(_full(name)))

    def keep_map(self, name: str, library_map: LibraryMap) -> None:
        """Keep a map whose groups have new names."""
        library_map.save(self.library.map_folder(_full(name)))
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

    def whole(self, name: str, *, choice: IndexChoice = "auto", report: Report = silent) -> tuple[Encoder, VectorIndex]:
        """The encoder and its index of exactly the library's documents; what is missing or damaged is encoded now."""
        from engine.workspace.indexing import whole_index

        with self._changing():
            encoder = self.encoder(name, report=report)
            return encoder, whole_index(self.library, encoder, choice=choice, report=report)

    def prepare(self, name: str, *, choice: IndexChoice = "auto", report: Report = silent) -> None:
        """Encode what has no vector yet. Raises LibraryError while other work holds the library."""
        with self._changing():
            self._encode(name, choice, report)

    def read_passages(self, *, report: Report = silent) -> None:
        """Read passages that are missing. Raises LibraryError while other work holds the library."""
        with self._changing():
            self._read_passages(report)

    def import_paths(
        self,
        paths: Sequence[Path],
        *,
        encoder: str,
        names: Mapping[Path, str] | None = None,
        choice: IndexChoice = "auto",
        report: Report = silent,
    ) -> ImportSummary:
        """Add files and folders as `import_paths` does, then encode what came in."""
        from engine.workspace.importing import import_paths

        def add() -> ImportSummary:
            return import_paths(self.library, paths, names=names, report=report)

        return self._import(add, encoder, choice, report)

    def import_samples(
        self,
        *,
        encoder: str | None,
        cache: Path | None = None,
        choice: IndexChoice = "auto",
        report: Report = silent,
    ) -> ImportSummary:
        """Add the sample library as `import_samples` does, then encode it; without an encoder, later."""
        from engine.workspace.importing import import_samples

        return self._import(lambda: import_samples(self.library, cache=cache, report=report), encoder, choice, report)

    def remove_documents(self, ids: Sequence[str]) -> list[str]:
        """Take documents out, with all that was made of them; returns the ids under which they were held.

        Raises UnknownDocumentError for an id that is not held, LibraryError while other work holds the library.
        """
        from engine.workspace.removing import remove_documents

        with self._changing():
            return remove_documents(self.library, ids)

    def remove_file(self, key: str) -> list[str]:
        """Take a file out with the documents that came with no other; returns their ids.

        Raises LibraryError if that cannot be told, or while other work holds the library.
        """
        from engine.workspace.removing import remove_file

        with self._changing():
            return remove_file(self.library, key)

    def remove_model(self, name: str) -> None:
        """Take out a model that a person brought, with its vectors and map of this library.

        Raises UnknownEncoderError for a name that none has, LibraryError while other work holds the library.
        """
        from engine import encoders

        with self._changing():
            encoders.remove_kept(name)
            self._shipped.forget()
            if (held := self.library_if_any()) is not None:
                for folder in (held.vectors_folder(name), held.map_folder(name)):
                    shutil.rmtree(folder, ignore_errors=True)

    # Comparing, and getting ready -----------------------------------------------------------------

    def comparer(self, name: str = COMPARE_ENCODER) -> Comparer:
        """What reads and compares two documents with an encoder of long documents, by its name or from its folder."""

        def state() -> LibraryState | None:
            return None if self.library_if_any() is None else self.state()

        kept = KeptRows(self._chunk_view, self._keep_chunks, self._sentence_row)
        return self._comparers.get(name, lambda: Comparer(self.library_if_any, state, kept, name=name))

    def warm(self, name: str) -> None:
        """Load in the background what the first search needs, or measure how long the encoder will read the library."""
        key = self._key(name)
        self._warming.get(key, lambda: _started("warm", lambda: self.rehearse(key.name)))

    def warm_comparison(self) -> None:
        """Load in the background what the first comparison of two documents needs."""

        def work() -> None:
            self.comparer().warm()
            self.salience.warm()

        self._warming.get(self.state(), lambda: _started("warm-compare", work))

    def rehearse(self, name: str) -> None:
        """Ask one question, so that vectors, words and evidence are in memory; or measure what that still needs.

        The words come first: they find the first hits while the rest loads. The filters' counts come last.
        """
        from engine.search import find_word_hits

        try:
            self.library.keywords.weigh(True)
            find_word_hits(_rehearsed(), self.library)
            self._rehearse(self._key(name))
            self.library.facets(_ONE_KIND)  # under a filter, categories are read, too
        except EngineError as error:
            _LOG.info("warming %s: %s", name, error)  # who asks in earnest is told
        self.salience.warm()

    def reading_seconds(self, name: str) -> float | None:
        """How long the encoder will need to read the library; None until it is measured, 0 if measuring failed."""
        return self._reading_times.seconds(_full(name), len(self.library))

    def measure_reading(self, names: Sequence[str]) -> threading.Thread:
        """Measure in the background, one after the other, how long encoders will need to read the library."""
        library = self.library
        return self._reading_times.start(library, tuple(map(_full, names)), len(library))

    # Opening --------------------------------------------------------------------------------------

    def _key(self, name: str) -> Key:
        held = self.library
        return Key(_full(name), len(held), held.version())

    def _encoder(self, key: Key, report: Report = silent) -> Encoder:
        from engine import encoders
        from engine.workspace.indexing import encoder_for

        def opens() -> Encoder:
            return encoder_for(self.library, key.name, report=report)

        return self._fitted.get(key, opens) if encoders.is_fitted_kind(key.name) else self._shipped.get(key.name, opens)

    def _index(self, key: Key) -> VectorIndex:
        from engine.workspace.indexing import open_index

        return self._indexes.get(key, lambda: open_index(self.library, self._encoder(key)))

    def _exact_index(self, key: Key) -> VectorIndex:
        from engine.workspace.indexing import open_index

        def opens() -> VectorIndex:
            index = self._index(key)
            return index if index.is_exact else open_index(self.library, self._encoder(key), choice="embedded")

        return self._exact_indexes.get(key, opens)

    def _open_searcher(self, key: Key) -> Searcher:
        from engine.search import Searcher
        from engine.workspace.indexing import lacks_codes, search_index

        held, encoder, index = self.library, self._encoder(key), self._index(key)
        if lacks_codes(held, encoder, index):
            with self._hold.idle() as free:  # while vectors are made, search the ones that exist
                index = search_index(held, encoder) if free else index
        return Searcher(held, encoder, index, passages=self._passages_so_far())

    def _passages_so_far(self) -> PassageMatcher | None:
        return self._passages.get(self.state(), self._open_passages)

    def _open_passages(self) -> PassageMatcher | None:
        from engine.search import PassageMatcher, has_passage_encoder
        from engine.workspace.passages import open_passages

        if not has_passage_encoder() or not self.library.passages_folder.is_dir():
            return None
        encoder = self.passage_encoder()
        try:
            store = open_passages(self.library, encoder)
        except StorageError as error:
            _LOG.warning("passages are not searched: %s", error)  # the next import reads them again
            return None
        whole = len(store) >= len(self.library)
        return PassageMatcher(store.view(), encoder, whole) if len(store) else None

    def _chunk_view(self, card: EncoderCard) -> PassageView | None:
        """The chunks that an encoder read of the library's documents, if any."""
        return self._chunks.get((self.state(), card.fingerprint), lambda: opened_chunks(self.library, card))

    def _keep_chunks(self, card: EncoderCard, document: Document, read: LongRows) -> None:
        """Keep what was read of a long document of the library; a short one is read in a moment."""
        from engine.library import is_long
        from engine.workspace.passages import keep_chunks

        if not is_long(document):
            return
        try:
            with self._keeping:
                keep_chunks(self.library, card, document.id, read)
        except (EngineError, OSError) as error:
            _LOG.warning("chunks are not kept: %s", error)  # a folder that cannot be written to
        self._chunks.forget()

    def _sentence_row(self, document: Document) -> DenseRows | None:
        """The row (1, dim) by which a document's nearness is read, as the default encoder's index keeps it, if any."""
        from engine import encoders
        from engine.search import PairReader

        try:
            if not facts.has_vectors(self.library, encoders.DEFAULT):
                return None
            key = self._key(encoders.DEFAULT)
            return PairReader(self._encoder(key), self._index(key)).kept_rows([document.id])
        except EngineError as error:
            _LOG.info("the row of %s is read again: %s", document.id, error)
            return None

    def passage_encoder(self) -> PassageEncoder:
        """What reads passages. Raises StorageError where its weights are missing or damaged."""
        from engine.search import PASSAGE_ENCODER, PassageEncoder

        return self._passage_encoders.get(PASSAGE_ENCODER, PassageEncoder)

    def _open_map(self, key: Key, report: Report) -> LibraryMap:
        from engine.maps import kept_map, open_map

        held = self.library
        folder = held.map_folder(key.name)
        kept = kept_map(folder, fingerprint=facts.encoder_card(held, key.name).fingerprint)
        if kept is not None and len(kept) == len(ids := held.ids()) and not kept.missing(ids):
            return kept  # without the encoder, which takes seconds to load
        return open_map(self._exact_index(key), held, folder, encoder=self._encoder(key), report=report)

    def _rehearse(self, key: Key) -> None:
        if not facts.has_vectors(self.library, key.name):
            self._reading_times.measure(self.library, key.name, key.documents)
        elif len(self._index(key)) >= key.documents:
            self.searcher(key.name).search(_rehearsed())
            self.library.keywords.weigh(False, True)  # one short question needs half of it

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold the library, and forget what was made of it, whatever ends the work."""
        with self.working():
            try:
                yield
            finally:
                self.forget()

    def _import(
        self, add: Callable[[], ImportSummary], encoder: str | None, choice: IndexChoice, report: Report
    ) -> ImportSummary:
        with self._changing():
            summary = add()
            if encoder is not None and len(self.library):
                self._encode(encoder, choice, report)
        return summary

    def _encode(self, name: str, choice: IndexChoice, report: Report) -> None:
        from engine.workspace.indexing import index_library

        index_library(self.library, self.encoder(name, report=report), choice=choice, report=report)
        self._read_passages(report)

    def _read_passages(self, report: Report) -> None:
        from engine.search import has_passage_encoder
        from engine.workspace.passages import forget_foreign_chunks, index_passages

        if has_passage_encoder() and self.library.keywords.holds_long:
            self.forget()  # documents are found by their vectors while passages are read
            index_passages(self.library, self.passage_encoder(), whole=self.forget, report=report)
        forget_foreign_chunks(self.library)


def _rehearsed() -> Question:
    from engine.search import Question

    return Question(Document("warm", title="graph"), k=1)


def _full(name: str) -> str:
    """The name of an encoder in the registry and in a library's folder."""
    from engine import encoders

    return encoders.DEFAULT if name == "default" else name


def _started(name: str, work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, name=name, daemon=True)
    thread.start()
    return thread

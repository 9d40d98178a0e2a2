"""Which sentences of documents to read first, and their key words; what was read is kept."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence

from engine import encoders, search
from engine.core.errors import EncoderError, EngineError
from engine.core.progress import Report, silent
from engine.documents import Document
from engine.encoders import keyvec
from engine.library import Library
from engine.workspace.caches import Cache
from engine.workspace.opened_library import load_named

_LOG = logging.getLogger(__name__)
ENCODER = "keyvec"
KEY_WORDS = 15
"""How many key words a document has at most."""

_KEPT = 400  # documents; a page shows a hundred hits at most
_TELLING_DOCUMENTS = 1_000
"""Of how many documents a library's frequencies say which words are rare; in a smaller one most words are."""


def load_keyvec(name: str) -> keyvec.KeyvecEncoder:
    """Return the encoder that weighs sentences, by its name or from its folder.

    Raises EncoderError for one that does not weigh them, UnknownEncoderError or StorageError.
    """
    encoder = load_named(name)
    if not isinstance(encoder, keyvec.KeyvecEncoder):
        raise EncoderError(
            f"Expected an encoder that weighs sentences, such as {ENCODER}; got {encoder.card.name}. "
            f"Give --encoder {ENCODER}, or leave it out."
        )
    return encoder


class SalienceReader:
    """Weighs the sentences and phrases of documents, each document once; may be used from several threads."""

    def __init__(self, name: str = ENCODER, library: Callable[[], Library | None] = lambda: None) -> None:
        """Read with the encoder of a name, or in a folder, which is loaded when it is first needed.

        A `library` of a thousand documents or more says which words are rare, else the texts that the shipped word
        vectors were trained on.
        """
        self._name, self._library = name, library
        self._encoders: Cache[str, keyvec.KeyvecEncoder] = Cache(1)
        self._words: Cache[int | None, search.KeyWordReader] = Cache(1)
        self._said: OrderedDict[tuple[str, int | None, Document], keyvec.Salience] = OrderedDict()
        """By the encoder's fingerprint, the library's version and the document, the last used at the end."""
        self._reading = threading.Lock()
        """Held while documents are read: two readers at once would only halve each other's speed."""

    def is_there(self) -> bool:
        """Return whether the encoder's weights are installed."""
        return self._name in encoders.encoder_names()

    def encoder(self) -> keyvec.KeyvecEncoder:
        """Return the encoder. Raises what `load_keyvec` does."""
        return self._encoders.get(self._name, lambda: load_keyvec(self._name))

    def read(self, documents: Sequence[Document], *, report: Report = silent) -> list[keyvec.Salience]:
        """Return the salient sentences and key words of documents, in their order. Raises what `load_keyvec` does.

        The key words are phrases of the text with the chance that an author would name them.
        """
        fingerprint = self.encoder().card.fingerprint
        with self._reading:
            library, version = self._telling()
            keys = [(fingerprint, version, document) for document in documents]
            missing = [key for key in dict.fromkeys(keys) if key not in self._said]
            if missing:
                reader, some = self._reader(library, version), [document for *_, document in missing]
                found = self.encoder().salience(some, keywords=reader.predicted, report=report)
                self._said.update(zip(missing, reader.reread(some, found, KEY_WORDS), strict=True))
            for key in keys:
                self._said.move_to_end(key)
            answer = [self._said[key] for key in keys]
            while len(self._said) > _KEPT:
                self._said.popitem(last=False)
        return answer

    def known(self, document: Document) -> keyvec.Salience | None:
        """Return a document's salience if it was read before, else None.

        Never reads the document, so it never waits.
        """
        encoder = self._encoders.held(self._name) if self.is_there() else None
        return None if encoder is None else self._said.get((encoder.card.fingerprint, self._telling()[1], document))

    def warm(self) -> None:
        """Load the encoder, so that the first document need not wait for it; for threads in the background."""
        try:
            if self.is_there():
                self.encoder()
                self._reader(*self._telling())
        except EngineError as error:
            _LOG.info("warming %s: %s", self._name, error)  # who asks for it in earnest is told

    def _reader(self, library: Library | None, version: int | None) -> search.KeyWordReader:
        """Return what weighs key words and sentences; a library's frequencies are counted once a version."""
        return self._words.get(version, lambda: search.KeyWordReader.of(None if library is None else library.keywords))

    def _telling(self) -> tuple[Library | None, int | None]:
        """Return the library if it has documents enough to say which words are rare, and its version."""
        library = self._library()
        if library is None or len(library) < _TELLING_DOCUMENTS:
            return None, None
        return library, library.version()

"""Which sentences of documents to read first, by the encoder that weighs sentences; its answers are kept."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.documents import Document
from engine.errors import EncoderError, EngineError
from engine.progress import Report, silent
from engine.workspace.caches import Cache
from engine.workspace.facts import load_named

if TYPE_CHECKING:
    from engine.encoders.keyvec.encoder import KeyvecEncoder
    from engine.encoders.keyvec.salience import Salience

_LOG = logging.getLogger(__name__)
ENCODER = "keyvec"
_KEPT = 400  # documents; a page shows a hundred hits at most


def load_encoder(name: str) -> KeyvecEncoder:
    """The encoder that weighs sentences, by its name or from its folder.

    Raises EncoderError for one that does not weigh them, UnknownEncoderError or StorageError.
    """
    from engine.encoders.keyvec.encoder import KeyvecEncoder  # brings torch

    encoder = load_named(name)
    if not isinstance(encoder, KeyvecEncoder):
        raise EncoderError(
            f"Expected an encoder that weighs sentences, such as {ENCODER}; got {encoder.card.name}. "
            f"Give --encoder {ENCODER}, or leave it out."
        )
    return encoder


class SalienceReader:
    """Weighs the sentences of documents, each document once; may be used from several threads."""

    def __init__(self, name: str = ENCODER) -> None:
        """Read with the encoder of a name, or in a folder, which is loaded when it is first needed."""
        self._name = name
        self._encoders: Cache[str, KeyvecEncoder] = Cache(1)
        self._said: OrderedDict[tuple[str, Document], Salience] = OrderedDict()
        """By the encoder's fingerprint and the document, the last used at the end."""
        self._reading = threading.Lock()
        """Held while documents are read: two readers at once would only halve each other's speed."""

    def is_there(self) -> bool:
        """Whether the encoder's weights are installed."""
        from engine.encoders import registry

        return self._name in registry.names()

    def encoder(self) -> KeyvecEncoder:
        """The encoder. Raises what `load_encoder` does."""
        return self._encoders.get(self._name, lambda: load_encoder(self._name))

    def read(self, documents: Sequence[Document], *, report: Report = silent) -> list[Salience]:
        """The salient sentences and key words of documents, in their order. Raises what `load_encoder` does."""
        from engine.evidence.terms import PREDICTED

        encoder = self.encoder()
        fingerprint = encoder.card.fingerprint
        with self._reading:
            missing = [one for one in dict.fromkeys(documents) if (fingerprint, one) not in self._said]
            for document, found in zip(
                missing, encoder.salience(missing, keywords=PREDICTED, report=report), strict=True
            ):
                self._said[fingerprint, document] = found
            for document in documents:
                self._said.move_to_end((fingerprint, document))
            answer = [self._said[fingerprint, document] for document in documents]
            while len(self._said) > _KEPT:
                self._said.popitem(last=False)
        return answer

    def known(self, document: Document) -> Salience | None:
        """A document's salience if it was read before, else None. Never reads the document, so it never waits."""
        encoder = self._encoders.held(self._name) if self.is_there() else None
        return None if encoder is None else self._said.get((encoder.card.fingerprint, document))

    def warm(self) -> None:
        """Load the encoder, so that the first document need not wait for it; for threads in the background."""
        try:
            if self.is_there():
                self.encoder()
        except EngineError as error:
            _LOG.info("warming %s: %s", self._name, error)  # who asks for it in earnest is told

"""Access to the encoder that knows which sentences of a document to read first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.core.progress import Report, silent
from engine.documents import Document
from explorer.state import handles

if TYPE_CHECKING:
    from engine.encoders import EncoderCard
    from engine.encoders.keyvec import Salience


def is_there() -> bool:
    """Whether the encoder's weights are installed; without them the screen omits salient sentences."""
    return handles.workspace().salience.is_there()


def salience(documents: Sequence[Document], report: Report = silent) -> list[Salience]:
    """The salient sentences and key words of documents, in their order; each document is read once.

    Raises StorageError where the encoder's folder is damaged.
    """
    return handles.workspace().salience.read(documents, report=report)


def card() -> EncoderCard:
    """The card of the encoder. Raises StorageError where its folder is damaged."""
    return handles.workspace().salience.encoder().card


def known(document: Document) -> Salience | None:
    """What was found in a document before; None if it was not read yet. Reads nothing, so that nothing waits."""
    return handles.workspace().salience.known(document)

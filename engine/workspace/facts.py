"""Facts about a library and an encoder that do not need the encoder loaded: its card, its files, its vectors' size."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.core.errors import StorageError, UnknownDocumentError
from engine.documents import Document, Identifier
from engine.library import Library
from engine.search import spoken

if TYPE_CHECKING:
    from engine.encoders import Encoder, EncoderCard

_LOG = logging.getLogger(__name__)


def holds_document(library: Library, document: Document) -> bool:
    """Whether the library holds this very document, word for word."""
    try:
        return library.get([document.id])[0] == document
    except UnknownDocumentError:
        return False


def find_by_number(library: Library, number: Identifier) -> str:
    """The id of the library's document with this number. Raises UnknownDocumentError, which says how to bring it."""
    if found := library.known_as([number]):
        return found[0]
    raise UnknownDocumentError(
        f"Expected a document of your library, got the {spoken(number)}, which none of them has. "
        "Bring the document itself, as its PDF or as its text, or import it into the library."
    )


def encoder_card(library: Library, name: str) -> EncoderCard:
    """The card of the shipped or the fitted encoder; the card of one that has yet to learn has no width."""
    from engine import encoders

    if (fitted := library.encoder_folder(name)).is_dir():
        try:
            return replace(encoders.read_card(fitted)[0], trained_on=encoders.card(name).trained_on)
        except StorageError as error:
            _LOG.info("%s will be fitted again: %s", name, error)
    return encoders.card(name)


def encoder_files(library: Library, name: str) -> Path | None:
    """The folder of an encoder's weights: the shipped one, or the one fitted on this library; None before that fit."""
    from engine import encoders

    fitted = library.encoder_folder(name)
    return fitted if fitted.is_dir() else encoders.shipped_folder(name)


def encoder_bytes(library: Library, name: str) -> int:
    """How much room an encoder's weights take on disk, including the encoders that it is made of."""
    from engine import encoders

    folder = encoder_files(library, name)
    own = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) if folder else 0
    return own + sum(encoder_bytes(library, joined) for joined in encoders.joined_names(name))


def has_vectors(library: Library, name: str) -> bool:
    """Whether this encoder has read the library, or at least a part of it."""
    return vector_bytes(library, name) > 0


def vector_bytes(library: Library, name: str) -> int:
    """How much room a document's vector takes on disk on average over the library; 0 before the first is made."""
    return sum(path.stat().st_size for path in _vectors(library, name).glob("*")) // max(1, len(library))


def uses_codes(library: Library, name: str) -> bool:
    """Whether searches with this encoder find near vectors by binary codes instead of comparing all."""
    from engine.vectors import chosen_kind, has_codes

    kind = chosen_kind("auto", sparse=encoder_card(library, name).sparse, documents=len(library))
    return kind == "binary" and has_codes(_vectors(library, name))


def load_named(name: str) -> Encoder:
    """The encoder of a name, or the one in a folder. Raises UnknownEncoderError or StorageError."""
    from engine import encoders
    from engine.reading import is_folder

    if name not in encoders.encoder_names() and is_folder(folder := Path(name)):
        return encoders.load_folder(folder)
    return encoders.load(name)


def _vectors(library: Library, name: str) -> Path:
    return library.vectors_folder(name) / (encoder_card(library, name).fingerprint or "none")

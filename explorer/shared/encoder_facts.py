"""What can be said of an encoder without loading it: its card, its files, the room that its vectors take."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import StorageError
from explorer.shared.encoder_names import encoder_name
from explorer.state import handles

if TYPE_CHECKING:
    from engine.encoders.base import EncoderCard

_LOG = logging.getLogger(__name__)


def encoder_card(name: str) -> EncoderCard:
    """The card of an encoder: the shipped one's, or the fitted one's; one that has yet to learn has no width."""
    from engine.encoders import registry, storage

    if (fitted := handles.library().encoder_folder(name)).is_dir():
        try:
            return replace(storage.read_card(fitted)[0], trained_on=registry.card(name).trained_on)
        except StorageError as error:
            _LOG.info("%s will be fitted anew: %s", name, error)
    return registry.card(name)


def training_facts(name: str) -> Mapping[str, Any]:
    """What the card of shipped weights says of their training; nothing for an encoder that learns from the library."""
    from engine.encoders import registry, storage

    folder = registry.shipped_folder(name)
    return storage.read_card(folder)[1]["facts"] if folder else {}  # type: ignore[no-any-return]


def question_tokens(name: str) -> int:
    """How many tokens of a question a shipped encoder reads, where that is a setting of its own; else 0."""
    from engine.encoders import storage

    return int(training_facts(name).get(storage.SETTINGS, {}).get("query_tokens", 0))


def notes_file(name: str) -> Path | None:
    """The model card of shipped weights, in Markdown: their own, or the one that they share with others."""
    from engine.encoders import registry

    folder = registry.shipped_folder(name)
    found = [path for path in (folder / "README.md", folder.parent / "README.md") if path.is_file()] if folder else []
    return next(iter(found), None)


def encoder_files(name: str) -> Path | None:
    """The folder of an encoder's weights: the shipped one, or the one fitted on this library; None before that."""
    from engine.encoders import registry

    fitted = handles.library().encoder_folder(name)
    return fitted if fitted.is_dir() else registry.shipped_folder(name)


def joined_encoders(name: str) -> tuple[str, ...]:
    """The encoders that one is made of, by name; none for most."""
    from engine.encoders import registry

    return registry.joined_names(name)


def encoder_bytes(name: str) -> int:
    """How much room an encoder's weights take on disk, with those of the encoders that it is made of."""
    folder = encoder_files(name)
    own = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) if folder else 0
    return own + sum(map(encoder_bytes, joined_encoders(name)))


def has_vectors(name: str) -> bool:
    """Whether this encoder has read the library, or at least a part of it; said without loading the encoder."""
    return vector_bytes(name) > 0


def vector_bytes(name: str) -> int:
    """How much room a document's vector takes on disk, the average over the library; 0 where there is none yet."""
    return sum(path.stat().st_size for path in _vectors(name).glob("*")) // max(1, handles.document_count())


def uses_codes(name: str) -> bool:
    """Whether searches with this encoder look near vectors up by binary codes instead of comparing all."""
    from engine.index.choice import chosen_kind, has_codes

    kind = chosen_kind("auto", sparse=encoder_card(name).sparse, documents=handles.document_count())
    return kind == "binary" and has_codes(_vectors(name))


def _vectors(name: str) -> Path:
    known = encoder_name(name)
    return handles.library().vectors_folder(known) / (encoder_card(known).fingerprint or "none")

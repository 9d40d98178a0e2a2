"""What is known about an encoder without loading it: its card, its files, the space its vectors take."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.state import handles
from explorer.state.encoder_names import encoder_name

if TYPE_CHECKING:
    from engine.encoders import EncoderCard


def encoder_card(name: str) -> EncoderCard:
    """The card of an encoder, shipped or fitted; before fitting it lacks a width."""
    return handles.workspace().encoder_card(name)


def training_facts(name: str) -> Mapping[str, Any]:
    """What the card of shipped weights says about their training.

    Empty for an encoder that learns from the library, and for a person's own model, whose card does not say it.
    """
    from engine import encoders

    folder = None if is_own(name) else encoders.shipped_folder(name)
    return encoders.read_card(folder)[1]["facts"] if folder else {}  # type: ignore[no-any-return]


def is_own(name: str) -> bool:
    """Whether an encoder is a model that a person brought."""
    from engine import encoders

    return encoders.is_own(name)


def own_speed(name: str) -> float | None:
    """The lowest measured speed of a person's own model, in documents a second; None for any other encoder."""
    from engine import encoders

    if not is_own(name):
        return None
    figures = encoders.read_kept(name).measured.values()
    return min((float(one["model"]["documents_per_second"]) for one in figures), default=None)


def question_tokens(name: str) -> int:
    """How many tokens of a question a shipped encoder reads, if that is set separately; else 0."""
    from engine import encoders

    return int(training_facts(name).get(encoders.SETTINGS, {}).get("query_tokens", 0))


def notes_file(name: str) -> Path | None:
    """The model card of shipped weights, in Markdown: their own, or the one that they share with others."""
    from engine import encoders

    folder = encoders.shipped_folder(name)
    found = [path for path in (folder / "README.md", folder.parent / "README.md") if path.is_file()] if folder else []
    return next(iter(found), None)


def encoder_files(name: str) -> Path | None:
    """The folder of an encoder's weights: the shipped one, or the one fitted on this library; None before that."""
    return handles.workspace().encoder_files(name)


def joined_encoders(name: str) -> tuple[str, ...]:
    """The names of the encoders that one combines; empty for most."""
    from engine import encoders

    return encoders.joined_names(name)


def encoder_bytes(name: str) -> int:
    """The space that an encoder's weights take on disk, including the encoders that it combines."""
    return handles.workspace().encoder_bytes(name)


def has_vectors(name: str) -> bool:
    """Whether this encoder has read the library, or at least a part of it; said without loading the encoder."""
    return handles.workspace().has_vectors(encoder_name(name))


def vector_bytes(name: str) -> int:
    """How much room a document's vector takes on disk, the average over the library; 0 before there is one."""
    return handles.workspace().vector_bytes(encoder_name(name))


def uses_codes(name: str) -> bool:
    """Whether searches with this encoder look near vectors up by binary codes instead of comparing all."""
    return handles.workspace().uses_codes(encoder_name(name))

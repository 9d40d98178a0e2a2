"""Encoders, and models of a person's own among them: what each is."""

from __future__ import annotations

from typing_extensions import TypedDict

from engine import encoders
from engine.core.config import filled
from engine.core.rows import Precision
from engine.encoders import Unit


class EncoderJson(TypedDict):
    """An encoder's card, whether it is `fitted` to the library that it searches, and whether it is a person's own."""

    name: str
    summary: str
    dim: int
    fingerprint: str
    unit: Unit
    max_tokens: int | None
    trained_on: list[str]
    licence: str
    sparse: bool
    stored: Precision
    fitted: bool
    own: bool


class EncodersJson(TypedDict):
    """Every encoder, which is the default, and the models that are kept and not offered yet."""

    default: str
    encoders: list[EncoderJson]
    not_offered: list[str]


def encoders_as_json() -> EncodersJson:
    """Return every encoder's card, and the models that are not offered yet. Raises StorageError for a damaged one."""
    every = map(encoders.find, encoders.encoder_names())
    return {
        "default": encoders.DEFAULT,
        "encoders": [filled(EncoderJson, one.card, fitted=one.learns, own=one.is_own) for one in every],
        "not_offered": [one.name for one in encoders.KeptModel.read_all() if not one.offered],
    }

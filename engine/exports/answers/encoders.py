"""Encoders and models of a person's own: what each is, before and after it is offered."""

from __future__ import annotations

from dataclasses import asdict
from typing import NotRequired, cast

from typing_extensions import TypedDict

from engine import encoders
from engine.core.rows import Precision
from engine.encoders import ModelFacts, Unit


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


class ModelJson(TypedDict):
    """What a model says about itself before it is loaded; empty or null where it does not say."""

    place: str
    licence: str
    trained_on: list[str]
    architecture: str
    weight_bytes: int
    max_tokens: int
    pools: list[str]
    unit_length: bool
    query_prompt: str
    document_prompt: str
    parameters: int | None
    dim: int | None
    name: str


class ModelChangeJson(TypedDict):
    """The name of the model that was offered, or removed."""

    offered: NotRequired[str]
    removed: NotRequired[str]


def encoders_as_json() -> EncodersJson:
    """Return every encoder's card, and the models that are not offered yet. Raises StorageError for a damaged one."""
    return {
        "default": encoders.DEFAULT,
        "encoders": [_encoder(name) for name in encoders.encoder_names()],
        "not_offered": [one.name for one in encoders.KeptModel.read_all() if not one.offered],
    }


def _encoder(name: str) -> EncoderJson:
    found = encoders.find(name)
    return cast(EncoderJson, {**asdict(found.card), "fitted": found.learns, "own": found.is_own})


def model_as_json(facts: ModelFacts) -> ModelJson:
    """Return what a model says about itself."""
    return cast(ModelJson, {**asdict(facts), "name": facts.name})

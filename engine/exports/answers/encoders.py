"""Encoders and models of a person's own: what each is, before and after it is offered."""

from __future__ import annotations

from typing import NotRequired

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
    card = found.card
    return {
        "name": card.name,
        "summary": card.summary,
        "dim": card.dim,
        "fingerprint": card.fingerprint,
        "unit": card.unit,
        "max_tokens": card.max_tokens,
        "trained_on": list(card.trained_on),
        "licence": card.licence,
        "sparse": card.sparse,
        "stored": card.stored,
        "fitted": found.learns,
        "own": found.is_own,
    }


def model_as_json(facts: ModelFacts) -> ModelJson:
    """Return what a model says about itself."""
    return {
        "place": facts.place,
        "licence": facts.licence,
        "trained_on": list(facts.trained_on),
        "architecture": facts.architecture,
        "weight_bytes": facts.weight_bytes,
        "max_tokens": facts.max_tokens,
        "pools": list(facts.pools),
        "unit_length": facts.unit_length,
        "query_prompt": facts.query_prompt,
        "document_prompt": facts.document_prompt,
        "parameters": facts.parameters,
        "dim": facts.dim,
        "name": facts.name,
    }

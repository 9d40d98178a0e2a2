"""A person's own models, kept beside the shipped encoders: each a folder with its weights, facts and figures.

They lie in $PRIORSCOPE_MODELS, or in ~/.priorscope/models. A model is offered as an encoder once it was measured.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from engine.core import files
from engine.core.config import from_mapping
from engine.core.errors import ConfigError, EncoderError, StorageError, UnknownEncoderError
from engine.encoders import storage
from engine.encoders.model_folder import ModelFacts, name_from

MODELS_VARIABLE = "PRIORSCOPE_MODELS"
_FILE = "model.json"
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KeptModel:
    """One model: its name as an encoder, what its folder said, its figures by set of questions, if it is offered."""

    name: str
    facts: ModelFacts
    measured: Mapping[str, Mapping[str, Any]]
    offered: bool = False


def models_folder() -> Path:
    """Return where models are kept."""
    named = os.environ.get(MODELS_VARIABLE)
    return Path(named).expanduser() if named else Path.home() / ".priorscope" / "models"


def kept_folder(name: str) -> Path:
    """Return the folder of the model of a name."""
    return models_folder() / name


def list_kept() -> list[KeptModel]:
    """Return every model that was brought, by name; one whose folder is damaged is left out."""
    found = []
    for place in sorted(models_folder().glob(f"[!.]*/{_FILE}")):
        try:
            storage.read_card(place.parent)
            found.append(read_kept(place.parent.name))
        except (StorageError, UnknownEncoderError) as error:
            _LOG.info("%s is left out: %s", place.parent.name, error)
    return found


def read_kept(name: str) -> KeptModel:
    """The model of a name. Raises UnknownEncoderError where none has it, StorageError where its file is damaged."""
    path = kept_folder(name) / _FILE
    if name != name_from(name) or not path.is_file():
        known = ", ".join(one.parent.name for one in sorted(models_folder().glob(f"[!.]*/{_FILE}"))) or "none yet"
        raise UnknownEncoderError(f"Expected a model that was brought ({known}), got {name!r}. Bring it first.")
    held = files.read_json(path)
    try:
        told = {key: value for key, value in held["facts"].items() if value is not None}
        facts = from_mapping(told, ModelFacts, origin=_FILE)
        return KeptModel(name, facts, dict(held["measured"]), bool(held["offered"]))
    except (ConfigError, KeyError, TypeError, ValueError, AttributeError):
        raise StorageError(f"Expected what was kept of a model in {path}, found another file. Remove {name}.") from None


def offered_names() -> tuple[str, ...]:
    """Return the names of the models that are offered as encoders."""
    return tuple(one.name for one in list_kept() if one.offered)


def write(model: KeptModel) -> None:
    """Keep what is known about a model."""
    value = {"facts": asdict(model.facts), "measured": dict(model.measured), "offered": model.offered}
    files.write_json(kept_folder(model.name) / _FILE, value)


def add_measured(name: str, questions: str, figures: Mapping[str, Any]) -> None:
    """Keep a model's figures on a set of questions in place of earlier ones. Raises UnknownEncoderError."""
    model = read_kept(name)
    write(replace(model, measured={**model.measured, questions: figures}))


def offer_kept(name: str) -> None:
    """Offer a model wherever an encoder is chosen.

    Raises UnknownEncoderError, or EncoderError for a model that was not measured.
    """
    model = read_kept(name)
    if not model.measured:
        raise EncoderError(f"Expected a model that was measured beside the default, {name} was not. Measure it first.")
    write(replace(model, offered=True))


def remove_kept(name: str) -> None:
    """Take a model out with its weights, damaged or not. Raises UnknownEncoderError."""
    with suppress(StorageError):
        read_kept(name)
    shutil.rmtree(kept_folder(name))

"""A person's own models, kept beside the shipped encoders: each a folder with its weights, facts and figures.

They lie in $PRIORSCOPE_MODELS, or in ~/.priorscope/models. A model is offered as an encoder once it was measured.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

from engine.core import files
from engine.core.config import from_mapping
from engine.core.errors import ConfigError, EncoderError, StorageError, UnknownEncoderError
from engine.encoders import storage
from engine.encoders.base import CardedEncoder
from engine.encoders.model_folder import README, UNSTATED, ModelFacts, name_from

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

    @property
    def folder(self) -> Path:
        """Where its weights, facts and figures lie."""
        return models_folder() / self.name

    @classmethod
    def read(cls, name: str) -> Self:
        """Read the model of a name. Raises UnknownEncoderError for none, StorageError where its file is damaged."""
        path = models_folder() / name / _FILE
        if name != name_from(name) or not path.is_file():
            known = ", ".join(one.parent.name for one in _files()) or "none yet"
            raise UnknownEncoderError(f"Expected a model that was brought ({known}), got {name!r}. Bring it first.")
        held = files.read_json(path)
        try:
            given = {key: value for key, value in held["facts"].items() if value is not None}
            facts = from_mapping(given, ModelFacts, origin=_FILE)
            return cls(name, facts, dict(held["measured"]), bool(held["offered"]))
        except (ConfigError, KeyError, TypeError, ValueError, AttributeError):
            raise StorageError(
                f"Expected what was kept of a model in {path}, found another file. Remove {name}."
            ) from None

    @classmethod
    def read_all(cls) -> list[Self]:
        """Read every model that was brought, by name; one whose folder is damaged is left out."""
        found = []
        for path in _files():
            try:
                storage.read_card(path.parent)
                found.append(cls.read(path.parent.name))
            except (StorageError, UnknownEncoderError) as error:
                _LOG.info("%s is left out: %s", path.parent.name, error)
        return found

    @classmethod
    def keep(cls, encoder: CardedEncoder, folder: Path, name: str, facts: ModelFacts) -> Self:
        """Write a model's weights, the README of the folder that it is from, and its facts under a name."""
        licence = facts.licence or UNSTATED
        words = replace(encoder.card, name=name, summary=facts.summary(), trained_on=facts.data_sets, licence=licence)
        kept = cls(name, replace(facts, dim=words.dim, max_tokens=words.max_tokens or 0), {})
        encoder.called(words).save(kept.folder)
        if (folder / README).is_file():
            files.write_bytes(kept.folder / README, (folder / README).read_bytes())
        kept._write()
        return kept

    def add_measured(self, questions: str, figures: Mapping[str, Any]) -> None:
        """Keep the model's figures on a set of questions in place of earlier ones."""
        replace(self, measured={**self.measured, questions: figures})._write()

    def offer(self) -> None:
        """Offer the model wherever an encoder is chosen. Raises EncoderError for one that was not measured."""
        if not self.measured:
            raise EncoderError(
                f"Expected a model that was measured beside the default, {self.name} was not. Measure it first."
            )
        replace(self, offered=True)._write()

    @classmethod
    def remove(cls, name: str) -> None:
        """Take a model out with its weights, damaged or not. Raises UnknownEncoderError."""
        with suppress(StorageError):
            cls.read(name)
        files.remove_folder(models_folder() / name)

    def _write(self) -> None:
        value = {"facts": asdict(self.facts), "measured": dict(self.measured), "offered": self.offered}
        files.write_json(self.folder / _FILE, value)


def models_folder() -> Path:
    """Return where models are kept."""
    named = os.environ.get(MODELS_VARIABLE)
    return Path(named).expanduser() if named else Path.home() / ".priorscope" / "models"


def _files() -> list[Path]:
    """Return the file of each model that was brought, by name."""
    return sorted(models_folder().glob(f"[!.]*/{_FILE}"))

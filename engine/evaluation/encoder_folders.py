"""What stands behind "=" in a row: an encoder's folder, or a model that is on this machine, and how it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from engine.encoders import registry
from engine.encoders.base import Encoder
from engine.encoders.sentence_mean import SentenceMeanEncoder
from engine.encoders.transformer import local_folder
from engine.encoders.transformer_mean import TransformerMeanEncoder


def _sentences(folder: Path) -> Encoder:
    return SentenceMeanEncoder(registry.load_folder(folder))


READINGS: Mapping[str, Callable[[Path], Encoder]] = {
    "": registry.load_folder,
    "sentences": _sentences,
    "tokens": TransformerMeanEncoder.open,
}
"""As the folder says; the mean of its rows of each sentence; the mean of a transformer's token vectors."""


def split(given: str) -> tuple[Path, str]:
    """The folder or the model's name of "FOLDER" or "FOLDER:READING", and the reading."""
    folder, _, reading = given.rpartition(":")
    if folder and reading in READINGS and not Path(given).is_dir():
        return Path(folder), reading
    return Path(given), ""


def is_there(place: Path) -> bool:
    """Whether this is a folder, or the name of a model that an earlier download left on this machine."""
    return place.is_dir() or local_folder(place.as_posix()) is not None


def without_place(given: str) -> str:
    """The same without the machine's path: a folder by its own name, a model's name whole."""
    place, reading = split(given)
    name = place.name if place.is_dir() or place.is_absolute() else place.as_posix()
    return f"{name}:{reading}" if reading else name


def load(given: str) -> Encoder:
    """The encoder. Raises EngineError as the reading of its folder does."""
    place, reading = split(given)
    return READINGS[reading](place if place.is_dir() else local_folder(place.as_posix()) or place)

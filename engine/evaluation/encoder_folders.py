"""The part of a row after "=": an encoder's folder, or a model on this machine, and how it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from engine import encoders
from engine.encoders import Encoder, SentenceMeanEncoder, TransformerMeanEncoder, local_folder

Loaders = Mapping[str, str]
"""The classes that read folders which the registry cannot, as dotted paths by the method in their card."""


def _sentences(folder: Path, loaders: Loaders) -> Encoder:
    return SentenceMeanEncoder(encoders.load_folder(folder, loaders))


def _tokens(folder: Path, _: Loaders) -> Encoder:
    return TransformerMeanEncoder.open(folder)


READINGS: Mapping[str, Callable[[Path, Loaders], Encoder]] = {
    "": encoders.load_folder,
    "sentences": _sentences,
    "tokens": _tokens,
}
"""As the folder says; the mean of its rows over sentences; the mean of a transformer's token vectors."""


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
    """The same without the machine's path: a folder by its name, a model by its full name."""
    place, reading = split(given)
    name = place.name if place.is_dir() or place.is_absolute() else place.as_posix()
    return f"{name}:{reading}" if reading else name


def load(given: str, loaders: Loaders = MappingProxyType({})) -> Encoder:
    """The encoder; `loaders` as of `registry.load_folder`. Raises EngineError as the reading of its folder does."""
    place, reading = split(given)
    return READINGS[reading](place if place.is_dir() else local_folder(place.as_posix()) or place, loaders)

"""What a run begins with beside its corpora: word vectors, transformers and teachers, by what their folders hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine import files
from engine.encoders import minilm
from engine.errors import EngineError
from engine.training.word_folders import folder_of

_KEYS = frozenset({"source", "words"})
"""What recipes call a folder of weights, or a name that stands for one."""


def source_digests(recipe: Mapping[str, Any]) -> dict[str, str]:
    """By key of a recipe as JSON holds it ("vectors.source"): a digest of the weights in that folder.

    What is no folder here, as a transformer's name at a hub, is not in it: the recipe's own text says which it is.
    """
    found = {}
    for key, name in _sources(recipe):
        folder = _folder(name)
        weights = sorted(folder.glob("*.safetensors")) if folder is not None else []
        if weights:
            found[key] = files.fingerprint(*(part for one in weights for part in (one.name, files.sha256_file(one))))
    return found


def _sources(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """The keys that name a source, at any depth, with their values."""
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _sources(value, f"{prefix}{key}.")
        elif key in _KEYS and isinstance(value, str) and value:
            yield f"{prefix}{key}", value


def _folder(name: str) -> Path | None:
    """The folder of a name in pretrained/, of the teacher's package, or at a path; None where there is none."""
    try:
        folder = minilm.folder() if name == minilm.NAME else folder_of(name)
    except EngineError:
        return None  # whoever opens it says what is wrong
    return folder if folder.is_dir() else None

"""Finds word vectors by the name that a recipe gives."""

from __future__ import annotations

from pathlib import Path

from engine import encoders
from engine.core.errors import InputError
from engine.encoders import WordVectors


def folder_of(source: str) -> Path:
    """The folder of that name in pretrained/, else the path, whether or not it exists."""
    shipped = encoders.PRETRAINED / source
    return shipped if shipped.is_dir() else Path(source)


def open_words(source: str) -> WordVectors:
    """The word vectors in a folder of pretrained/ or at a path. Raises InputError if the folder does not exist."""
    folder = folder_of(source)
    if not folder.is_dir():
        raise InputError(
            f"Expected word vectors in {source}, a folder of pretrained/ or a path; there is none. "
            "Train them: priorscope train word2vec-full."
        )
    return WordVectors.load(folder)

"""Values read from a link: unknown, malformed or too long ones count as missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

from engine.documents.text import tokens
from engine.workspace import is_key

Parameters = Mapping[str, Sequence[str]]
Choice = TypeVar("Choice", bound=str)
Origin = Literal["", "library", "example", "text", "own"]
"""Where a document came from: nothing yet, the library, one of our examples, a short text in a link made before own
texts were kept, or the visitor's own file, text or correction, which a link names by the key under which it is kept."""

MAX_LINK_TEXT = 1_500
MAX_ID = 1_000
"""Ids of 250 characters and venues named by a whole title are in use."""

MAX_LISTED = 30

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Controls, line ends and marks that turn the writing direction: an import drops them, and they could make a value
look like another."""


def first(parameters: Parameters, key: str) -> str:
    """The first value of a key, or the empty string."""
    values = parameters.get(key, ())
    return values[0] if values else ""


def is_identifier(value: str) -> bool:
    """Whether a value can be an id: on one line, not too long, without white space at its ends."""
    return 0 < len(value) <= MAX_ID and value.strip() == value and not _UNSEEN.search(value)


def identifier(parameters: Parameters, key: str) -> str:
    """The id that a key holds, or the empty string."""
    value = first(parameters, key)
    return value if is_identifier(value) else ""


def own_key(parameters: Parameters, key: str) -> str:
    """The key of a kept document that a key of the link holds, or the empty string."""
    value = first(parameters, key)
    return value if is_key(value) else ""


def ids(parameters: Parameters, key: str) -> tuple[str, ...]:
    """Every id that a key holds, each once, up to a limit."""
    found = [value for value in parameters.get(key, ()) if is_identifier(value)]
    return tuple(dict.fromkeys(found))[:MAX_LISTED]


def words(parameters: Parameters, key: str) -> tuple[str, ...]:
    """Every word that a key holds, each once, up to a limit."""
    found = parameters.get(key, ())
    return tuple(word for word in as_words(found) if word in found)


def as_words(values: Sequence[str]) -> tuple[str, ...]:
    """The tokens of values that a person typed, each once, up to a limit."""
    found = (token for value in values if len(value) <= MAX_ID for token in tokens(value))
    return tuple(dict.fromkeys(found))[:MAX_LISTED]


def one_of(parameters: Parameters, key: str, choices: tuple[Choice, ...]) -> Choice | None:
    """The choice that a key holds, or None."""
    value = first(parameters, key)
    return next((choice for choice in choices if choice == value), None)


def number(parameters: Parameters, key: str, bounds: tuple[int, int]) -> int | None:
    """The whole number that a key holds, if within the bounds."""
    return number_of(first(parameters, key), bounds)


def number_of(value: str, bounds: tuple[int, int]) -> int | None:
    """A whole number written in digits, if within the bounds."""
    if not (value.isascii() and value.isdigit() and len(value) <= 6):
        return None
    return int(value) if bounds[0] <= int(value) <= bounds[1] else None


def fits_in_a_link(text: str) -> bool:
    """Whether a text is short enough for a link."""
    return 0 < len(text) <= MAX_LINK_TEXT

"""Values of JSON objects by their names; what has another type than was expected counts as absent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def string_at(values: Mapping[str, Any], name: str) -> str:
    """A text of an object; empty where it has none, or something else."""
    value = values.get(name)
    return value if isinstance(value, str) else ""


def object_at(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """An object within another; empty where it has none, or something else."""
    value = values.get(name)
    return value if isinstance(value, dict) else {}


def list_at(values: Mapping[str, Any], name: str) -> list[Any]:
    """A list of an object; empty where it has none, or something else."""
    value = values.get(name)
    return value if isinstance(value, list) else []


def objects_at(values: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    """The objects in a list of an object."""
    return (one for one in list_at(values, name) if isinstance(one, dict))

"""TOML files into frozen dataclasses: unknown keys are refused, and every problem is named at once."""

from __future__ import annotations

import dataclasses
import tomllib
import types
import typing
from pathlib import Path
from typing import Any, TypeVar

from engine.errors import ConfigError

T = TypeVar("T")


def load_toml(path: Path, into: type[T]) -> T:
    """Read a TOML file into the frozen dataclass `into`.

    A dataclass checks its own ranges in `__post_init__` by raising ValueError. Raises ConfigError
    that names the file and every wrong key.
    """
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"Expected a TOML file at {path}; there is none.") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"Expected TOML in {path.name}: {error}.") from None
    return from_mapping(values, into, origin=path.name)


def from_mapping(values: dict[str, Any], into: type[T], *, origin: str) -> T:
    """Build the frozen dataclass `into` from a mapping; `origin` names it in errors."""
    problems: list[str] = []
    built = _build(values, into, "", problems)
    if problems:
        raise ConfigError(f"{origin}: " + "; ".join(problems) + ".")
    return typing.cast(T, built)


def _build(values: dict[str, Any], into: type[Any], prefix: str, problems: list[str]) -> object:
    fields = {field.name: field for field in dataclasses.fields(into)}
    hints = typing.get_type_hints(into)
    before = len(problems)
    for key in sorted(values.keys() - fields.keys()):
        problems.append(f"unknown key {prefix}{key} (known: {', '.join(sorted(fields))})")
    arguments: dict[str, object] = {}
    for name, field in fields.items():
        if name in values:
            arguments[name] = _convert(values[name], hints[name], f"{prefix}{name}", problems)
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            problems.append(f"missing key {prefix}{name}")
    if len(problems) > before:
        return None
    try:
        return into(**arguments)
    except ValueError as error:
        problems.append(f"{prefix.rstrip('.') or into.__name__}: {error}")
        return None


def _convert(value: object, hint: Any, key: str, problems: list[str]) -> object:  # noqa: ANN401  a type hint
    if dataclasses.is_dataclass(hint):
        if isinstance(value, dict):
            return _build(value, typing.cast(type[Any], hint), f"{key}.", problems)
        problems.append(f"{key} must be a table, got {value!r}")
        return None
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        inner = [argument for argument in arguments if argument is not type(None)]
        return _convert(value, inner[0], key, problems)
    if origin is tuple:
        if isinstance(value, list):
            return tuple(_convert(item, arguments[0], f"{key}[{n}]", problems) for n, item in enumerate(value))
        problems.append(f"{key} must be a list, got {value!r}")
        return None
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, hint) or (isinstance(value, bool) and hint is not bool):
        problems.append(f"{key} must be {hint.__name__}, got {value!r}")
    return value

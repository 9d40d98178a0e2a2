"""TOML files into frozen dataclasses, and what has attributes into typed dictionaries.

Unknown keys of a file are refused, and every problem is named at once.
"""

from __future__ import annotations

import copy
import dataclasses
import tomllib
import types
import typing
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from engine.core.errors import ConfigError

T = TypeVar("T")


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file. Raises ConfigError if the file is missing or is not TOML."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"Expected a TOML file at {path}; there is none.") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"Expected TOML in {path.name}: {error}.") from None


def with_settings(values: Mapping[str, Any], settings: Iterable[str]) -> dict[str, Any]:
    """Return a copy of the tables with each "key.sub=value" set; a value that is not TOML is taken as text.

    Whether the keys are known is for `from_mapping` to say. Raises ConfigError for a setting of another form.
    """
    changed = copy.deepcopy(dict(values))
    for setting in settings:
        key, equals, value = setting.partition("=")
        *tables, last = (part.strip() for part in key.split("."))
        if not equals or not all([*tables, last]):
            raise ConfigError(f"Expected a setting like optimizer.learning_rate=0.001, got {setting!r}.")
        table = changed
        for name in tables:
            table = table.setdefault(name, {})
            if not isinstance(table, dict):
                raise ConfigError(f"Expected a table before the last dot of {key.strip()!r}; {name} is a value.")
        table[last] = _value_of(value)
    return changed


def _value_of(text: str) -> object:
    """Return the value that TOML reads there, else the plain text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text.strip()


def filled(kind: type[T], *sources: object, **given: object) -> T:
    """Return a typed dictionary: each key as it is given, else from the first source that has such an attribute.

    Tuples become lists. Raises AttributeError for a key that is not given and that no source has.
    """
    told: dict[str, object] = {}
    for key in kind.__annotations__:
        if key in given:
            value = given[key]
        else:
            value = getattr(next((one for one in sources if hasattr(one, key)), sources), key)
        told[key] = list(value) if isinstance(value, tuple) else value
    return typing.cast(T, told)


def from_mapping(values: object, into: type[T], *, origin: str) -> T:
    """Build the frozen dataclass `into` from a mapping, such as a TOML file's; `origin` names that in errors.

    A dataclass checks its own ranges in `__post_init__` by raising ValueError. Raises ConfigError that names the origin
    and every wrong key.
    """
    if not isinstance(values, dict):
        raise ConfigError(f"{origin}: {into.__name__} must be a table, got {values!r}.")
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
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _convert_one_of(value, [one for one in arguments if one is not type(None)], key, problems)
    if origin is tuple and isinstance(value, list):
        return tuple(_convert(item, arguments[0], f"{key}[{n}]", problems) for n, item in enumerate(value))
    if origin is dict and isinstance(value, dict):
        return {name: _convert(item, arguments[1], f"{key}.{name}", problems) for name, item in value.items()}
    if dataclasses.is_dataclass(hint) and isinstance(value, dict):
        return _build(value, typing.cast(type[Any], hint), f"{key}.", problems)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not _is_one(value, hint):
        problems.append(f"{key} must be {_wanted(hint)}, got {value!r}")
        return None
    return value


def _is_one(value: object, hint: Any) -> bool:  # noqa: ANN401  a type hint
    """Tell whether a value has the type that a hint without parts names; True does not count as a number."""
    if typing.get_origin(hint) is typing.Literal:
        return any(type(value) is type(one) and value == one for one in typing.get_args(hint))
    return type(hint) is type and isinstance(value, hint) and (hint is bool or not isinstance(value, bool))


def _wanted(hint: Any) -> str:  # noqa: ANN401  a type hint
    """Say in words what a hint asks for."""
    origin = typing.get_origin(hint)
    if origin is typing.Literal:
        return f"one of {', '.join(map(repr, typing.get_args(hint)))}"
    if origin is tuple:
        return "a list"
    return "a table" if origin is dict or dataclasses.is_dataclass(hint) else str(hint.__name__)


def _convert_one_of(value: object, hints: list[Any], key: str, problems: list[str]) -> object:
    """Return the value as the first of several types that takes it without a problem."""
    for hint in hints:
        found: list[str] = []
        converted = _convert(value, hint, key, found)
        if not found:
            return converted
    if len(hints) == 1:
        problems.extend(found)
    else:
        problems.append(f"{key} must be {' or '.join(map(_wanted, hints))}, got {value!r}")
    return None

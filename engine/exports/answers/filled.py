"""A JSON value of a type, filled from what has attributes of the same names."""

from __future__ import annotations

from typing import TypeVar, cast

T = TypeVar("T")


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
    return cast(T, told)

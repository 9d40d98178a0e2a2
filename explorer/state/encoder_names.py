"""Encoders by name, as the registry lists them: which to offer, which a link means, what people call them."""

from __future__ import annotations


def encoder_names() -> tuple[str, ...]:
    """All encoders in order of preference, the default first."""
    from engine import encoders

    return encoders.encoder_names()


def search_names() -> tuple[str, ...]:
    """The encoders that can search and map a library, the default first."""
    from engine import encoders

    return encoders.search_names()


def encoder_name(name: str) -> str:
    """The encoder to search with: the one asked for, or the default if the link names an unknown one."""
    names = search_names()
    return name if name in names else names[0]


def encoder_beside(name: str, first: str) -> str:
    """The encoder to compare with the first: a known one that differs from it, else empty."""
    return name if name in search_names() and name != encoder_name(first) else ""


def spoken(name: str) -> str:
    """An encoder's label, from its entry."""
    from engine import encoders

    return encoders.label(name)


def short(name: str) -> str:
    """The beginning of an encoder's name, for sentences: "CTPE"."""
    return spoken(name).partition(":")[0]


def offered(name: str) -> str:
    """An encoder's name in a list to choose from; it marks the default."""
    return f"{spoken(name)} (default)" if name == encoder_names()[0] else spoken(name)

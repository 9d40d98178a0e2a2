"""Which of our columns a table's header means, as other tools name them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

COLUMNS = (
    "id",
    "kind",
    "title",
    "abstract",
    "text",
    "sections",
    "year",
    "categories",
    "keywords",
    "venue",
    "authors",
    "family",
    "url",
    "claims",
    "doi",
)
"""The columns that are read; others are ignored. A DOI is the id of a work without one, and its link."""

_ALIASES = {
    "title": ("article title", "document title", "display name", "ti"),
    "abstract": ("abstract note", "ab"),
    "year": ("publication year", "py"),
    "keywords": ("author keywords", "de"),
    "venue": (
        "source title",
        "publication title",
        "journal",
        "journal title",
        "container title",
        "primary location source display name",
        "so",
        "assignee",
    ),
    "authors": ("author full names", "author", "authorships author display name", "af", "au"),
    "url": ("link", "result link"),
}
"""Scopus, Web of Science, Zotero, OpenAlex and Google Patents; the first that a table has is read."""


def as_ours(header: Sequence[str]) -> list[str]:
    """The header with our names where a column is one of ours: as it is written, in other letters, or by an alias.

    Each of our names is used once, and unknown columns stay as they are.
    """
    return list(_as_ours(tuple(header)))


@lru_cache(maxsize=64)  # rows of JSON have theirs each
def _as_ours(header: tuple[str, ...]) -> tuple[str, ...]:
    plain = [_plain(name) for name in header]
    found = list(header)
    taken = {name for name in header if name in COLUMNS}
    for ours in COLUMNS:
        for name in (ours, *_ALIASES.get(ours, ())):
            if ours not in taken and name in plain:
                found[plain.index(name)] = ours
                taken.add(ours)
    return tuple(found)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", name.lower()).strip()

"""Gives entries of BibTeX what the entry lacks that it names as its parent: a paper its proceedings' year and title."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from engine.readers.references.bibtex_entries import Entry

_TAKEN = {"year": "year", "date": "date", "publisher": "publisher", "booktitle": "title"}
"""What is taken, and from which field of the parent, where it has none of the same name."""


def with_parents(entries: Iterable[Entry], *, most: int) -> Iterator[Entry]:
    """The entries, each that names a parent by "crossref" once that has come, or at the end.

    At most so many wait and as many parents are known at a time; what is beyond stays as it is.
    """
    parents: dict[str, dict[str, str]] = {}
    waiting: dict[str, list[Entry]] = {}
    count = 0
    for entry in entries:
        parent = entry.fields.get("crossref", "").strip().lower()
        if entry.key and len(parents) < most:
            taken = {name: entry.fields.get(name) or entry.fields.get(other, "") for name, other in _TAKEN.items()}
            parents[entry.key.lower()] = {name: value for name, value in taken.items() if value}
        if not parent or (parent not in parents and count >= most):
            yield entry
        elif parent in parents:
            yield _completed(entry, parents[parent])
        else:
            waiting.setdefault(parent, []).append(entry)
            count += 1
        for child in waiting.pop(entry.key.lower(), ()) if entry.key else ():
            count -= 1
            yield _completed(child, parents.get(entry.key.lower(), {}))
    for children in waiting.values():
        yield from children


def _completed(entry: Entry, parent: dict[str, str]) -> Entry:
    """An entry with what it lacks; a year and a date say the same."""
    own = {name: value for name, value in entry.fields.items() if value.strip()}
    lacking = {name: value for name, value in parent.items() if name not in own}
    if own.keys() & {"year", "date"}:
        lacking = {name: value for name, value in lacking.items() if name not in ("year", "date")}
    return replace(entry, fields={**entry.fields, **lacking})

"""Lets a library's vectors lie elsewhere: copies the rows that encoders made to a server, or back to the folder."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from engine import encoders
from engine.core.config import from_mapping
from engine.core.progress import Meter, Report, silent
from engine.core.stores import Stores, keep_stores, stores_of
from engine.documents import Chunk
from engine.encoders import EncoderCard
from engine.library import Library
from engine.vectors import (
    PassageView,
    ReadPassages,
    kept_folders,
    kept_passage_store,
    open_index,
    open_passage_store,
)
from engine.workspace.indexing import current_index
from engine.workspace.passages import following
from engine.workspace.reading_state import keep_seen, reading_alone

_DOCUMENTS, _PASSAGES = 10_000, 10_000
"""This many rows are read and sent at once."""


def copy_vectors(library: Library, address: str, *, report: Report = silent) -> None:
    """Let a library's vectors lie at an address, "" for its folder, with all rows that are not there yet.

    What was copied before is left as it is, so a copy that was stopped goes on; where the rows were, they stay. Raises
    ConfigError for an address that is none, VectorServerError where a server does not answer.
    """
    old = stores_of(library.folder)
    name = old.name or ("" if old.documents else f"library-{secrets.token_hex(8)}")
    wanted = {"documents": old.documents, "vectors": address, "name": name}
    new = from_mapping(wanted, Stores, origin="--vectors")
    if new.vectors == old.vectors:
        return
    with reading_alone(library, report) as report:
        revision, begun = library.revision(), []
        for card in _cards(library):
            folder = library.vectors_folder(card.name) / card.fingerprint
            if folder in kept_folders(folder.parent, old) and _copy_index(library, card, folder, new, report):
                begun.append(card)
        for folder in kept_folders(library.passages_folder, old):
            _copy_passages(library, folder, (old, new), report)
        keep_stores(library.folder, new)
        for card in begun:
            keep_seen(library, card, revision)


def _cards(library: Library) -> Iterator[EncoderCard]:
    """Yield the cards of encoders of dense rows, as they are shipped or fitted on the library."""
    for name in encoders.encoder_names():
        fitted = library.encoder_folder(name)
        card = encoders.read_card(fitted) if fitted.is_dir() else encoders.find(name).card
        if card.fingerprint and not card.sparse:
            yield card


def _copy_index(library: Library, card: EncoderCard, folder: Path, new: Stores, report: Report) -> bool:
    """Copy an encoder's rows; returns whether none were there before."""
    rows = current_index(library, card, "embedded")
    target = open_index(
        folder,
        fingerprint=card.fingerprint,
        dim=card.dim,
        kind="binary" if new.vectors else "embedded",
        precision=card.stored,
        stores=new,
    )
    was_empty, missing = not len(target), [name for name in rows.ids if name not in target]
    meter = Meter(f"copy vectors of {card.name}", len(missing), report)
    for start in range(0, len(missing), _DOCUMENTS):
        some = missing[start : start + _DOCUMENTS]
        target.add(some, rows.rows(some))
        target.flush()
        meter.add(len(some))
    meter.finish()
    return was_empty


def _copy_passages(library: Library, folder: Path, stores: tuple[Stores, Stores], report: Report) -> None:
    kept = kept_passage_store(folder, stores[0])
    if kept is None:
        return
    source = following(library, kept)
    target = open_passage_store(folder, fingerprint=source.fingerprint, dim=source.dim, stores=stores[1])
    target.revision = target.revision if len(target) else library.revision()
    view = source.view()
    missing = [name for name in source.ids if name not in target]
    meter = Meter("copy passages", len(missing), report)
    waiting: list[ReadPassages] = []
    for name in missing:
        waiting.append(_read(view, name))
        if sum(len(one.passages) for one in waiting) >= _PASSAGES:
            target.add(waiting)
            meter.add(len(waiting))
            waiting = []
    target.add(waiting)
    target.keep()
    meter.add(len(waiting))
    meter.finish()


def _read(view: PassageView, name: str) -> ReadPassages:
    """Return a document's passages without their words, which are not copied."""
    passages, _ = view.of_documents(np.array([view.number_of[name]]))
    chunks: Sequence[Chunk] = [
        Chunk(name, place.part, "", place.start, place.stop, "") for place in map(view.place, passages.tolist())
    ]
    return ReadPassages(name, chunks, view.rows(passages))

"""The kinds of index and the servers of vectors by name, and which of them searches a library's rows."""

from __future__ import annotations

import importlib
import time
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from engine.core.errors import VectorIndexError, VectorServerError
from engine.core.files import remove_folder
from engine.core.rows import Precision
from engine.core.stores import VECTOR_SERVERS, Stores
from engine.vectors import storage
from engine.vectors.binary import BinaryIndex, BinarySettings
from engine.vectors.exact import EmbeddedIndex, SparseIndex
from engine.vectors.index import VectorIndex
from engine.vectors.passages import PassageStore, SegmentStore
from engine.vectors.storage import IndexForm

if TYPE_CHECKING:
    from engine.vectors.served import RowTable

IndexKind = Literal["embedded", "binary", "sparse"]
"""`embedded` is the default for dense rows, `sparse` the one for CSR rows.

`binary` is for more dense rows than can all be compared: nearly the same answers, in constant time.
"""

IndexChoice = Literal["auto", "embedded", "binary"]

BINARY_ABOVE = 50_000
"""Libraries of more documents than this are searched by binary codes unless another choice is made.

Comparing all rows takes a millisecond for every thousand documents: p50 20 ms at 20,000 and 95 ms at 100,000, where
codes take 3 and 4 ms (engine/research/reports/retrieve.json: ctpe, 960 bytes a row, two cores). An answer feels
immediate for a tenth of a second (Nielsen 1993, chapter 5), and the rest of a search takes most of that (search.json).
At 20,000 documents nobody would feel the 17 ms saved, and each near document that codes miss would be a loss. At
100,000 the comparison alone takes the whole tenth of a second, at 50,000 half of it.
"""

FEWEST = BinarySettings().fewest
"""Libraries smaller than this have no codes, whatever is chosen: comparing all rows is as fast."""

RECALL_AT_10: Mapping[int, float] = {20_000: 0.9997, 100_000: 0.9867, 1_000_000: 0.9387}
"""By the number of documents held: the share of the exact search's ten that codes find (retrieve.json)."""

_FILES = Stores()


def open_index(
    folder: Path,
    *,
    fingerprint: str,
    dim: int,
    kind: IndexKind,
    precision: Precision = "float32",
    stores: Stores = _FILES,
) -> VectorIndex:
    """Open the index kept in `folder`, or under its name on a server, for one encoder's rows (n, dim), or an empty one.

    `precision` is how dense rows are kept, in memory and on disk alike; sparse ones are kept whole, and in the folder.
    Raises FingerprintError, ShapeError, VectorIndexError or StorageError where the folder holds
    another encoder's rows, rows of another width, layout or precision, or damage.
    """
    if precision not in get_args(Precision):
        raise VectorIndexError(f"Expected a precision among {', '.join(get_args(Precision))}, got {precision!r}.")
    if kind in ("embedded", "binary") and stores.vectors:
        from engine.vectors.served import ServedIndex

        form = IndexForm(fingerprint, dim, "dense", precision)
        return ServedIndex(_table(folder, stores), form, loaded=kind == "embedded")
    if kind == "embedded":
        return EmbeddedIndex(folder, fingerprint=fingerprint, dim=dim, precision=precision)
    if kind == "binary":
        return BinaryIndex(folder, fingerprint=fingerprint, dim=dim, precision=precision)
    if kind == "sparse":
        if precision != "float32":
            raise VectorIndexError(
                f"Expected sparse rows to be kept as float32, got the precision {precision}. "
                "Leave it out, or encode with a method of dense rows."
            )
        return SparseIndex(folder, fingerprint=fingerprint, dim=dim)
    raise VectorIndexError(f"Expected a kind of index among {', '.join(get_args(IndexKind))}, got {kind!r}.")


def open_passage_store(folder: Path, *, fingerprint: str, dim: int, stores: Stores = _FILES) -> PassageStore:
    """Open the passages kept in `folder`, or under its name on a server, or start without any.

    Raises FingerprintError for another encoder's passages, StorageError where their list is damaged.
    """
    if stores.vectors:
        from engine.vectors.served import ServedPassages

        return ServedPassages(_table(folder, stores), fingerprint=fingerprint, dim=dim)
    return SegmentStore(folder, fingerprint=fingerprint, dim=dim)


def kept_passage_store(folder: Path, stores: Stores = _FILES) -> PassageStore | None:
    """Open the passages that are kept, whatever encoder read them; None before any are.

    Raises StorageError where their list is damaged.
    """
    if not stores.vectors:
        return SegmentStore.kept(folder) if folder.is_dir() else None
    state = _table(folder, stores).state()
    if state is None:
        return None
    return open_passage_store(folder, fingerprint=state.form.fingerprint, dim=state.form.dim, stores=stores)


# What is kept of an encoder, in a folder or under its name on a server -------------------------------


def kept_ids(folder: Path, stores: Stores = _FILES) -> list[str]:
    """Return the ids of the documents whose rows an index keeps, without reading the rows; none before any are kept.

    Raises StorageError where their list is damaged.
    """
    if not stores.vectors:
        return storage.kept_ids(folder)
    table = _table(folder, stores)
    return [one.id for one in table.listed()] if table.state() is not None else []


def has_codes(folder: Path, stores: Stores = _FILES) -> bool:
    """Return whether near rows of an index are looked up: by codes in its folder, or by the graph of a server."""
    if not stores.vectors:
        return storage.has_codes(folder)
    table = _table(folder, stores)
    return table.state() is not None and table.has_graph()


def kept_folders(home: Path, stores: Stores = _FILES) -> list[Path]:
    """Return the folders of rows in one, or those that stand for the rows on a server."""
    if not stores.vectors:
        return sorted(path for path in home.iterdir() if path.is_dir()) if home.is_dir() else []
    start = f"{stores.library}/{home.name}/"
    names = _server(stores).names(stores.vectors)
    return [home / name.removeprefix(start) for name in names if name.startswith(start)]


def remove_rows(folder: Path, stores: Stores = _FILES) -> None:
    """Remove rows in a folder, or of its name on a server. Raises StorageError if the system does not let us."""
    if stores.vectors:
        _table(folder, stores).drop()
    else:
        remove_folder(folder)


def seen_revision(folder: Path, stores: Stores) -> int:
    """Return the revision of the library that rows on a server have seen."""
    state = _table(folder, stores).state()
    return 0 if state is None else state.revision


def keep_revision(folder: Path, stores: Stores, revision: int) -> None:
    """Write it, for rows on a server that are kept."""
    table = _table(folder, stores)
    if (state := table.state()) is not None:
        table.change(state.form, revision)


def rows_written(folder: Path, stores: Stores) -> Hashable:
    """Return what changes whenever rows on a server do, as it was two seconds ago at most; None for those in a folder.

    A server that does not answer is another state, and is asked again after ten seconds.
    """
    if not stores.vectors:
        return None
    key, now = (folder, stores), time.monotonic()
    if key not in _looks or now > _looks[key][0]:
        try:
            state: Hashable = _table(folder, stores).state()
            seconds = _SECONDS_BETWEEN_LOOKS
        except VectorServerError:
            state, seconds = "away", _SECONDS_AWAY
        _looks[key] = time.monotonic() + seconds, state
    return _looks[key][1]


_SECONDS_BETWEEN_LOOKS, _SECONDS_AWAY = 2.0, 10.0
_looks: dict[tuple[Path, Stores], tuple[float, Hashable]] = {}


def _server(stores: Stores) -> type[RowTable]:
    module, name = VECTOR_SERVERS[stores.vectors.partition("://")[0]]
    table: type[RowTable] = getattr(importlib.import_module(module), name)
    return table


def _table(folder: Path, stores: Stores) -> RowTable:
    return _server(stores)(stores.vectors, "/".join((stores.library, *folder.parts[-2:])))


def chosen_kind(choice: IndexChoice, *, sparse: bool, documents: int) -> IndexKind:
    """Return the kind of index for some documents. Raises VectorIndexError for a choice that is for dense rows."""
    choices = get_args(IndexChoice)
    if choice not in choices:
        raise VectorIndexError(f"Expected an index of {', '.join(choices)}, got {choice!r}. Choose one of these.")
    if sparse:
        if choice == "binary":
            raise VectorIndexError(
                "Expected an encoder of dense rows for the binary index, got one of sparse rows. "
                "Leave the index to auto, or name another encoder."
            )
        return "sparse"
    most = {"auto": BINARY_ABOVE, "embedded": documents, "binary": 0}[choice]
    return "binary" if documents > most and documents >= FEWEST else "embedded"


def measured_recall(documents: int) -> tuple[int, float]:
    """Return the nearest measured size that is not smaller (else the largest), and the recall@10 of codes at it."""
    size = min((size for size in RECALL_AT_10 if size >= documents), default=max(RECALL_AT_10))
    return size, RECALL_AT_10[size]

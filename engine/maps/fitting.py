"""A library's vectors into a map: neighbours, positions, groups, labels and the figures that say how true it is.

Positions come from true neighbours by UMAP, and without it where there are only a few.
"""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import EmptyLibraryError, MapError
from engine.core.progress import Meter, Report, silent
from engine.core.rows import DenseRows, Rows, RowsInParts, are_dense, parts_of
from engine.documents import Document
from engine.encoders import Encoder
from engine.maps.clusters import LEVELS, find_levels
from engine.maps.labels import ClusterLabel, LabelWords, label_levels
from engine.maps.model import NEIGHBOURS, LibraryMap, counted_neighbours
from engine.maps.neighbours import AskedNeighbours, IndexRows, MadeRows, Neighbours, find_neighbours
from engine.maps.placement import extend
from engine.maps.trust import Truth, is_known, kept_neighbours, neighbours_in_picture, trustworthiness, truth_of_some
from engine.maps.umap_process import SEED, Drawing, draw
from engine.vectors import VectorIndex

FEWEST_POINTS = NEIGHBOURS + 1
"""With fewer documents than this all are neighbours of each other, and UMAP cannot tell them apart."""

_EPOCHS = {10_000: 200}
_EPOCHS_ABOVE = 100


def _begun(asked: AskedNeighbours, near: Neighbours, encoder: Encoder) -> Drawing | DenseRows:
    """Return what UMAP is to draw of documents from their neighbours, or where a few documents stand, (n, 2).

    The neighbours come from the index, and the same input gives the same positions. Points begin at the principal
    components of one row a document, the mean of its two. These order the whole map, as the spectral start does (Kobak
    and Linderman, 2021), keep as many neighbours, and take a quarter of a second in place of five.
    """
    size = len(asked.ids)
    middle = asked.rows
    if asked.queries is not asked.rows:
        middle = MadeRows(asked.rows, lambda rows: rows + encoder.as_queries(rows))
    if size < FEWEST_POINTS:
        return few_positions(middle[:])
    epochs = next((count for most, count in _EPOCHS.items() if size <= most), _EPOCHS_ABOVE)
    return Drawing(*_nearest(asked.rows, near), _start(middle), epochs)


def _positions(begun: Drawing | DenseRows, report: Report) -> DenseRows:
    """Return positions (n, 2), by UMAP with 15 neighbours in another process. Raises MapError when that ends."""
    if not isinstance(begun, Drawing):
        return begun
    meter = Meter("Drawing the map", begun.epochs, report)
    meter.begin()  # loading and compiling libraries come before the first epoch
    positions = draw(begun, meter)
    meter.finish()
    centred: DenseRows = positions - positions.mean(axis=0)
    return centred


def few_positions(rows: Rows) -> DenseRows:
    """Return positions (n, 2) of a few rows (n, dim): two principal components, or a circle where rows are equal."""
    size = rows.shape[0]
    if size >= 3:
        positions = principal_components(rows)
        extent = np.ptp(positions, axis=0)
        if extent.min() > 1e-6:
            scaled: DenseRows = (positions / extent.max()).astype(np.float32)
            return scaled
    return circle(size)


def circle(size: int) -> DenseRows:
    """Return positions (n, 2), evenly on a circle; a single one stands in the middle."""
    angles = np.arange(size) * (2 * np.pi / max(size, 1))
    return (np.stack([np.cos(angles), np.sin(angles)], axis=1) * (size > 1)).astype(np.float32)


def principal_components(rows: RowsInParts) -> DenseRows:
    """Return the first two principal components (n, 2) of rows (n, dim)."""
    from sklearn.decomposition import PCA

    if all(_are_all_alike(part, rows[:1]) for _, part in parts_of(rows)):
        return np.zeros((rows.shape[0], 2), np.float32)
    dense = are_dense(rows)
    if dense and rows.shape[0] > rows.shape[1]:
        return _components_by_covariance(rows)
    solver = PCA(2, svd_solver="full") if dense else PCA(2, svd_solver="arpack", random_state=SEED)
    components: DenseRows = solver.fit_transform(rows[:])
    return components


def _components_by_covariance(rows: RowsInParts) -> DenseRows:
    """Return the first two principal components (n, 2) of dense rows (n, dim), which are taken some at a time."""
    from scipy.linalg import eigh

    size, dim = rows.shape
    total, products = np.zeros(dim), np.zeros((dim, dim))
    for _, part in parts_of(rows):
        total += part.sum(axis=0, dtype=np.float64)
        products += part.T @ part
    mean = total / size
    _, axes = eigh(products / size - np.outer(mean, mean), subset_by_index=[max(dim - 2, 0), dim - 1])
    axes = axes[:, ::-1] * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])[::-1]
    return np.concatenate([((part - mean) @ axes).astype(np.float32) for _, part in parts_of(rows)])


def _are_all_alike(rows: Rows, first: Rows) -> bool:
    """Tell whether all rows (n, dim) equal one (1, dim): they have no principal components then, and ARPACK fails."""
    if isinstance(rows, np.ndarray):
        return not (rows != first).any()
    return not (rows.max(axis=0) - rows.min(axis=0)).count_nonzero() and not (rows[:1] - first).count_nonzero()


def _nearest(rows: RowsInParts, neighbours: Neighbours) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return each document's 15 nearest, itself first, as numbers and distances (n, 15).

    UMAP counts a document among its own 15 neighbours. It takes distances, and shifts those of each row until the
    nearest is 0. So a distance may be any bound on the similarities less the similarity. Here the bound is the square
    of the row's length, a document's similarity to itself where the method is symmetric.
    """
    own = np.arange(rows.shape[0], dtype=np.int32)[:, None]
    others = neighbours.numbers[:, : NEIGHBOURS - 1]
    similar = neighbours.similarities[:, : NEIGHBOURS - 1]
    squares = np.concatenate([_squared_lengths(part) for _, part in parts_of(rows)])
    nearest = np.maximum(similar[:, :1], squares[:, None])  # (n, 1)
    numbers = np.concatenate([own, others], axis=1)  # (n, 15)
    distances = np.concatenate([np.zeros_like(nearest), nearest - similar], axis=1)  # (n, 15)
    return numbers, distances.astype(np.float32)


def _squared_lengths(rows: Rows) -> NDArray[np.float32]:
    """Return the inner product (n,) of each row with itself."""
    if isinstance(rows, np.ndarray):
        products: NDArray[np.float32] = np.einsum("nd,nd->n", rows, rows)
        return products
    return np.asarray(rows.multiply(rows).sum(axis=1), np.float32).ravel()


def _start(rows: RowsInParts) -> DenseRows:
    """Return where the points begin (n, 2): principal components, or noise along an axis on which all rows agree."""
    start = principal_components(rows)
    flat = np.ptp(start, axis=0) < 1e-6
    start[:, flat] = np.random.default_rng(SEED).normal(size=(len(start), int(flat.sum())))
    scaled: DenseRows = (10.0 * start / np.abs(start).max(axis=0)).astype(np.float32)
    return scaled


LARGE = 100_000
"""A map of more documents is drawn from some of them, and the others are placed among these."""

DRAWN = 60_000
"""How many documents a large map is drawn from, evenly taken."""

_MEASURED = 1_000
"""How many documents of a large map are asked for their true neighbours among all."""

_ROWS_AT_ONCE = 8_192
_SEED = 11
_LOG = logging.getLogger(__name__)
_LABEL_CHARACTERS = 600


class DocumentStream(Protocol):
    """What a map is fitted on besides vectors: a library's documents, streamed."""

    def iter_documents(self, *, batch: int = 500) -> Iterator[Document]:
        """Yield every document in turn."""


class Holding(DocumentStream, Protocol):
    """A library whose stored map is opened: its documents may have changed."""

    def ids(self) -> list[str]:
        """Return the id of every document."""


def fit(index: VectorIndex, library: DocumentStream, *, encoder: Encoder, report: Report = silent) -> LibraryMap:
    """Draw the map of all documents of an index that `encoder` has filled; the same vectors give the same map.

    Above 100,000 documents the map is fitted on 60,000 of them, drawn at random but the same ones each time, and the
    others are placed among these. Sparse rows work too, but their neighbours take longer to find: for 26,033 documents
    by TF-IDF 64 seconds of processor time, where 100 dense dimensions take 20. Documents whose row is zero have no
    neighbours and stand in a line below the map. Fewer than 16 documents are laid out by principal components. Raises
    EmptyLibraryError where the index holds nothing.
    """
    started = time.monotonic()
    if not len(index):
        raise EmptyLibraryError("Expected documents to map, the library holds none. Import some first.")
    drawn = _drawn(index.ids)
    library_map = _fit(index, drawn, library, encoder=encoder, report=report)
    others = library_map.missing(index.ids)
    if others:
        library_map = extend(library_map, index, others, encoder=encoder, report=report)
        truth = _truth(library_map, index, encoder, report)
        library_map = dataclasses.replace(
            library_map,
            beside=len(others),
            notes=(*library_map.notes, _note_beside(library_map)),
            trustworthiness=truth.trustworthiness,
            kept=truth.kept,
            fitted=int(np.count_nonzero(library_map.neighbours[:, 0] >= 0)),
        )
    return dataclasses.replace(library_map, seconds=round(time.monotonic() - started, 3))


def _drawn(ids: Sequence[str]) -> list[str]:
    """Return the documents that a map is fitted on, in the order of the index."""
    if len(ids) <= LARGE:
        return list(ids)
    chosen = np.random.default_rng(_SEED).permutation(len(ids))[:DRAWN]
    return [ids[number] for number in np.sort(chosen)]


def _note_beside(library_map: LibraryMap) -> str:
    fitted = len(library_map) - library_map.placed_count
    return (
        f"The map was drawn from {fitted:,} of its {len(library_map):,} documents, taken at random; the others were "
        "put among their nearest. The figures speak of all."
    )


def _truth(library_map: LibraryMap, index: VectorIndex, encoder: Encoder, report: Report) -> Truth:
    """Return how true a map of many documents is, by some of those that have neighbours."""
    ids, known = library_map.ids, np.flatnonzero(library_map.neighbours[:, 0] >= 0)
    chosen = np.sort(np.random.default_rng(_SEED).permutation(known)[:_MEASURED])
    queries = encoder.as_queries(index.rows([ids[number] for number in chosen]))
    meter = Meter("Measuring the map", len(ids), report)
    meter.begin()

    def blocks() -> Iterator[Rows]:
        for first in range(0, len(ids), _ROWS_AT_ONCE):
            some = ids[first : first + _ROWS_AT_ONCE]
            yield index.rows(some)
            meter.add(len(some))

    truth = truth_of_some(blocks(), library_map.positions, queries=queries, chosen=chosen)
    meter.finish()
    return truth


def _fit(
    index: VectorIndex, ids: list[str], library: DocumentStream, *, encoder: Encoder, report: Report
) -> LibraryMap:
    """Return the map of these documents alone, drawn together."""
    seen, near, begun = _near(index, ids, encoder, report)
    drawn = _positions(begun, report)
    trust = _trust(IndexRows(index, [ids[number] for number in seen]), drawn, encoder, report)
    positions = _with_blanks(drawn, seen, len(ids))
    levels = np.full((len(LEVELS), len(ids)), -1, np.int32)
    levels[:, seen] = find_levels(drawn)
    kept = np.zeros(len(ids), np.float32)
    kept[seen] = kept_neighbours(drawn, near.numbers[:, : counted_neighbours(len(seen))])
    labels = _labels(library, ids, levels, positions, report)
    return LibraryMap(
        ids=tuple(ids),
        positions=positions,
        levels=levels,
        labels=labels,
        neighbours=_widened(near, seen, len(ids)),
        kept_per_point=kept,
        placed=np.zeros(len(ids), dtype=bool),
        trustworthiness=trust,
        kept=float(kept[seen].mean()) if len(seen) else 0.0,
        spacing=_spacing(drawn),
        fingerprint=index.fingerprint,
        encoder=encoder.card.name,
        notes=_notes(len(seen), len(ids) - len(seen)),
        fitted=len(seen),
    )


def _near(
    index: VectorIndex, ids: list[str], encoder: Encoder, report: Report
) -> tuple[NDArray[np.int64], Neighbours, Drawing | DenseRows]:
    """Return which documents have a row (n,), their neighbours, and what is to be drawn of them."""
    seen, asked = _asked(index, ids, encoder)
    near = find_neighbours(index, asked, k=min(NEIGHBOURS, max(len(seen) - 1, 0)), report=report)
    return seen, near, _begun(asked, near, encoder)


def _asked(index: VectorIndex, ids: list[str], encoder: Encoder) -> tuple[NDArray[np.int64], AskedNeighbours]:
    """Return which documents have a row (n,), and these with their rows, too large to be held all at once."""
    seen = np.flatnonzero(np.concatenate([is_known(part) for _, part in parts_of(IndexRows(index, ids))]))
    rows = IndexRows(index, [ids[number] for number in seen])
    is_symmetric = encoder.as_queries(few := rows[:1]) is few
    return seen, AskedNeighbours(rows.ids, rows, rows if is_symmetric else MadeRows(rows, encoder.as_queries))


def open_map(
    index: VectorIndex,
    library: Holding,
    folder: Path,
    *,
    encoder: Encoder,
    refit: bool = False,
    report: Report = silent,
) -> LibraryMap:
    """Return the map kept in `folder`, fitted and saved first where the folder has none or `refit` asks for it.

    A map of vectors that the encoder would not give today is fitted again. Documents added to the index after the fit
    are placed on it, and those removed from the library are taken off; if none of the fitted ones is left, it is fitted
    again. Raises StorageError where the folder is damaged; `refit` mends that.
    """
    library_map = None if refit else kept_map(folder, fingerprint=index.fingerprint)
    opened = library_map
    if library_map is not None:
        library_map = library_map.without(set(library_map.ids).difference(library.ids(), index.ids))
    if library_map is None or library_map.placed.all():
        library_map = fit(index, library, encoder=encoder, report=report)
        library_map.save(folder)
        return library_map
    library_map = extend(library_map, index, library_map.missing(index.ids), encoder=encoder, report=report)
    if library_map is not opened:
        library_map.save(folder)
    return library_map


def kept_map(folder: Path, *, fingerprint: str) -> LibraryMap | None:
    """Return the map in `folder` if it was fitted on vectors of this fingerprint.

    Raises StorageError for a damaged one.
    """
    if not folder.exists():
        return None
    try:
        return LibraryMap.load(folder, fingerprint=fingerprint)
    except MapError as error:
        _LOG.info("%s", error)
        return None


def _with_blanks(drawn: DenseRows, seen: NDArray[np.int64], size: int) -> DenseRows:
    """Return positions (n, 2) of all documents; those without a row stand in a line below the others (m, 2)."""
    positions = np.zeros((size, 2), np.float32)
    positions[seen] = drawn
    blank = np.setdiff1d(np.arange(size), seen)
    if len(blank):
        low = drawn.min(axis=0) if len(drawn) else np.zeros(2)
        high = drawn.max(axis=0) if len(drawn) else np.zeros(2)
        extent = np.maximum(high - low, 1.0)
        positions[blank, 0] = np.linspace(low[0], low[0] + extent[0], len(blank) + 2)[1:-1]
        positions[blank, 1] = low[1] - 0.1 * extent[1]
    return positions


def _widened(near: Neighbours, seen: NDArray[np.int64], size: int) -> NDArray[np.int32]:
    """Return neighbours (m, k) among the documents seen as numbers (n, 15) among all, -1 for none."""
    table = np.full((size, NEIGHBOURS), -1, np.int32)
    table[seen, : near.numbers.shape[1]] = seen[near.numbers]
    return table


def _labels(
    library: DocumentStream, ids: Sequence[str], levels: NDArray[np.int32], positions: DenseRows, report: Report
) -> tuple[ClusterLabel, ...]:
    """Name the groups by the titles and abstracts of their members."""
    if levels.max() < 0:
        return ()
    numbers = {identity: number for number, identity in enumerate(ids)}
    read: list[int] = []
    vocabulary = LabelWords()
    meter = Meter("Naming groups", len(ids), report)
    for document in library.iter_documents():
        number = numbers.get(document.id)
        if number is not None:
            read.append(number)
            vocabulary.add(document.title, _summary(document)[:_LABEL_CHARACTERS])
            meter.add()
    meter.finish()
    return label_levels(levels[:, read], positions[read], vocabulary)


def _trust(rows: RowsInParts, drawn: DenseRows, encoder: Encoder, report: Report) -> float:
    """Return how few strangers the picture (n, 2) shows as neighbours of rows (n, dim)."""
    meter = Meter("Measuring the map", len(drawn), report)
    meter.begin()
    trust = trustworthiness(rows, drawn, as_queries=encoder.as_queries)
    meter.add(len(drawn))
    meter.finish()
    return trust


def _summary(document: Document) -> str:
    """Return the abstract, else the first claim, else the opening of the text."""
    if found := document.abstract or document.first_claim:
        return found
    return next((section.text for section in document.sections if section.role == "body"), "")


def _spacing(positions: DenseRows) -> float:
    """Return the median distance from a point (n, 2) to its 15th nearest; 1 for a single point."""
    k = min(NEIGHBOURS, len(positions) - 1)
    if k < 1:
        return 1.0
    furthest = neighbours_in_picture(positions, k)[:, -1]
    return float(np.median(np.linalg.norm(positions - positions[furthest], axis=1)))


def _notes(seen: int, blank: int) -> tuple[str, ...]:
    notes = []
    if seen < FEWEST_POINTS:
        notes.append(
            f"With fewer than {FEWEST_POINTS} documents the map shows their two principal components, not UMAP."
        )
    if blank:
        notes.append(f"In {blank:,} documents the encoder knows no word; they stand in a line below the map.")
    return tuple(notes)

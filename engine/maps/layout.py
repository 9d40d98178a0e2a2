"""Positions on a plane: from true neighbours by UMAP, and without it where there are only a few."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.core.progress import Meter, Report
from engine.core.rows import DenseRows, Rows
from engine.maps.model import NEIGHBOURS
from engine.maps.neighbours import Neighbours
from engine.maps.umap_process import SEED, Drawing, draw

FEWEST_POINTS = NEIGHBOURS + 1
"""With fewer documents than this all are neighbours of each other, and UMAP cannot tell them apart."""

_EPOCHS = {10_000: 200}
_EPOCHS_ABOVE = 100


def umap_positions(rows: Rows, neighbours: Neighbours, *, start: Rows, report: Report) -> DenseRows:
    """Positions (n, 2) of rows (n, dim), n >= 16, by UMAP with 15 neighbours, drawn by another process.

    The neighbours come from the index, and the same input gives the same positions. Points begin at the principal
    components of `start` (n, dim). These order the whole map, as the spectral start does (Kobak and Linderman, 2021),
    keep as many neighbours, and take a quarter of a second in place of five. Raises MapError when that process ends.
    """
    epochs = next((count for size, count in _EPOCHS.items() if rows.shape[0] <= size), _EPOCHS_ABOVE)
    meter = Meter("Drawing the map", epochs, report)
    meter.begin()  # loading and compiling libraries come before the first epoch
    positions = draw(Drawing(*_nearest(rows, neighbours), _start(start), epochs), meter)
    meter.finish()
    centred: DenseRows = positions - positions.mean(axis=0)
    return centred


def few_positions(rows: Rows) -> DenseRows:
    """Positions (n, 2) of a handful of rows (n, dim): two principal components, or a circle where rows are equal."""
    size = rows.shape[0]
    if size >= 3:
        positions = principal_components(rows)
        extent = np.ptp(positions, axis=0)
        if extent.min() > 1e-6:
            scaled: DenseRows = (positions / extent.max()).astype(np.float32)
            return scaled
    return circle(size)


def circle(size: int) -> DenseRows:
    """Positions (n, 2), evenly on a circle; a single one stands in the middle."""
    angles = np.arange(size) * (2 * np.pi / max(size, 1))
    return (np.stack([np.cos(angles), np.sin(angles)], axis=1) * (size > 1)).astype(np.float32)


def principal_components(rows: Rows) -> DenseRows:
    """The first two principal components (n, 2) of rows (n, dim)."""
    from sklearn.decomposition import PCA

    if _are_all_alike(rows):
        return np.zeros((rows.shape[0], 2), np.float32)
    if not isinstance(rows, np.ndarray):
        solver = PCA(2, svd_solver="arpack", random_state=SEED)
    else:
        solver = PCA(2, svd_solver="covariance_eigh" if rows.shape[0] > rows.shape[1] else "full")
    components: DenseRows = solver.fit_transform(rows)
    return components


def _are_all_alike(rows: Rows) -> bool:
    """Whether all rows (n, dim) are equal: then they have no principal components, and ARPACK fails to find any."""
    if isinstance(rows, np.ndarray):
        return not np.ptp(rows, axis=0).any()
    return not (rows.max(axis=0) - rows.min(axis=0)).count_nonzero()


def _nearest(rows: Rows, neighbours: Neighbours) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Each document's 15 nearest, itself first, as numbers and distances (n, 15).

    UMAP counts a document among its own 15 neighbours. It wants distances and shifts each row's so that
    the nearest is 0, hence `1 - similarity` may be measured from any number that no similarity exceeds: the square of
    the row's length, which is a document's similarity to itself where the method is symmetric.
    """
    own = np.arange(rows.shape[0], dtype=np.int32)[:, None]
    others = neighbours.numbers[:, : NEIGHBOURS - 1]
    similar = neighbours.similarities[:, : NEIGHBOURS - 1]
    nearest = np.maximum(similar[:, :1], _squared_lengths(rows)[:, None])  # (n, 1)
    numbers = np.concatenate([own, others], axis=1)  # (n, 15)
    distances = np.concatenate([np.zeros_like(nearest), nearest - similar], axis=1)  # (n, 15)
    return numbers, distances.astype(np.float32)


def _squared_lengths(rows: Rows) -> NDArray[np.float32]:
    """The inner product (n,) of each row with itself."""
    if isinstance(rows, np.ndarray):
        products: NDArray[np.float32] = np.einsum("nd,nd->n", rows, rows)
        return products
    return np.asarray(rows.multiply(rows).sum(axis=1), np.float32).ravel()


def _start(rows: Rows) -> DenseRows:
    """Where the points begin (n, 2): principal components, or noise along an axis on which all rows agree."""
    start = principal_components(rows)
    flat = np.ptp(start, axis=0) < 1e-6
    start[:, flat] = np.random.default_rng(SEED).normal(size=(len(start), int(flat.sum())))
    scaled: DenseRows = (10.0 * start / np.abs(start).max(axis=0)).astype(np.float32)
    return scaled

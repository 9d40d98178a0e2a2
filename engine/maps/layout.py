"""UMAP: from true neighbours to positions on a plane."""

from __future__ import annotations

import io
import re
import threading
import warnings
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.maps.model import NEIGHBOURS
from engine.maps.neighbours import Neighbours
from engine.progress import Meter, Report
from engine.rows import DenseRows, Rows

FEWEST_POINTS = NEIGHBOURS + 1
"""With fewer documents than this all are neighbours of each other, and UMAP cannot tell them apart."""

SEED = 42
MIN_DISTANCE = 0.05
NEGATIVES = 10
"""UMAP's defaults are .1, 5 and 200 epochs. On 26,033 LSA vectors ours keep 17.1 % of true neighbours (trustworthiness
.960) in 6.4 seconds of one core, the defaults 14.4 % (.946) in 8.7."""

_EPOCHS = {10_000: 200}
_EPOCHS_ABOVE = 100
_ONE_AT_A_TIME = threading.Lock()


def umap_positions(rows: Rows, neighbours: Neighbours, *, start: Rows, report: Report) -> DenseRows:
    """Positions (n, 2) of rows (n, dim), n >= 16, by UMAP (McInnes, Healy and Melville, 2018) with 15 neighbours.

    The neighbours come from the index, so a second, approximate search is not needed, and the same input gives the same
    positions. Points begin at the principal components of `start` (n, dim). These order the whole map, as the spectral
    start does (Kobak and Linderman, 2021), keep as many neighbours, and take a quarter of a second in place of five.
    """
    epochs = next((count for size, count in _EPOCHS.items() if rows.shape[0] <= size), _EPOCHS_ABOVE)
    meter = Meter("Drawing the map", epochs, report)
    meter.begin()  # loading and compiling libraries come before the first epoch
    with _ONE_AT_A_TIME:  # numba's thread pool ends the process when two threads enter it
        umap = _umap()
        random = np.random.RandomState(SEED)
        graph = _graph(umap, rows, neighbours, random)
        a, b = umap.find_ab_params(1.0, MIN_DISTANCE)
        positions, _ = umap.simplicial_set_embedding(
            data=rows,
            graph=graph,
            n_components=2,
            initial_alpha=1.0,
            a=np.float32(a),  # in double precision the powers take a fifth longer and keep no more
            b=np.float32(b),
            gamma=1.0,
            negative_sample_rate=NEGATIVES,
            n_epochs=epochs,
            init=_start(start, random),
            random_state=random,
            metric="cosine",
            metric_kwds={},
            densmap=False,
            densmap_kwds={},
            output_dens=False,
            tqdm_kwds={"disable": False, "file": _Epochs(meter), "bar_format": "{n_fmt}", "mininterval": 0.2},
        )
        meter.finish()
    centred: DenseRows = (positions - positions.mean(axis=0)).astype(np.float32)
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


def _umap() -> ModuleType:
    """UMAP's functions; importing it warns that TensorFlow is not installed, which nothing here needs."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Tensorflow not installed", category=ImportWarning)
        import umap.umap_ as umap
    module: ModuleType = umap
    return module


def _graph(umap: ModuleType, rows: Rows, neighbours: Neighbours, random: Any) -> Any:  # noqa: ANN401  untyped
    """UMAP's fuzzy graph (n, n), from the index's neighbours.

    UMAP counts a document among its own 15 neighbours. It wants distances and shifts each row's so that
    the nearest is 0, hence `1 - similarity` may be measured from any number that no similarity exceeds: the square of
    the row's length, which is a document's similarity to itself where the method is symmetric.
    """
    size = rows.shape[0]
    own = np.arange(size, dtype=np.int32)[:, None]
    others = neighbours.numbers[:, : NEIGHBOURS - 1]
    similar = neighbours.similarities[:, : NEIGHBOURS - 1]
    nearest = np.maximum(similar[:, :1], _squared_lengths(rows)[:, None])  # (n, 1)
    numbers = np.concatenate([own, others], axis=1)  # (n, 15)
    distances = np.concatenate([np.zeros_like(nearest), nearest - similar], axis=1)  # (n, 15)
    graph, *_ = umap.fuzzy_simplicial_set(
        rows, NEIGHBOURS, random, "cosine", knn_indices=numbers, knn_dists=distances.astype(np.float32)
    )
    return graph


def _squared_lengths(rows: Rows) -> NDArray[np.float32]:
    """The inner product (n,) of each row with itself."""
    if isinstance(rows, np.ndarray):
        products: NDArray[np.float32] = np.einsum("nd,nd->n", rows, rows)
        return products
    return np.asarray(rows.multiply(rows).sum(axis=1), np.float32).ravel()


def _start(rows: Rows, random: Any) -> DenseRows:  # noqa: ANN401  numpy's old generator
    """Where the points begin (n, 2): principal components, or noise along an axis on which all rows agree."""
    start = principal_components(rows)
    flat = np.ptp(start, axis=0) < 1e-6
    start[:, flat] = random.normal(size=(len(start), int(flat.sum())))
    scaled: DenseRows = (10.0 * start / np.abs(start).max(axis=0)).astype(np.float32)
    return scaled


class _Epochs(io.StringIO):
    """What UMAP writes its progress bar to: the last number written is the epoch it has reached."""

    def __init__(self, meter: Meter) -> None:
        super().__init__()
        self._meter, self._done = meter, 0

    def write(self, text: str) -> int:
        """Read the epoch from a piece of the bar and tell the meter."""
        for number in re.findall(r"\d+", text):
            self._meter.add(max(0, int(number) - self._done))
            self._done = max(self._done, int(number))
        return len(text)

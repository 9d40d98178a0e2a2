"""Groups of points that lie close together on a map, at three levels of zoom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Level:
    """How large a group may be: at least n / `smallest` points and `floor`, at most n / `largest`."""

    smallest: int
    floor: int
    largest: int


LEVELS = (Level(80, 12, 6), Level(200, 8, 8), Level(500, 5, 40))
"""From coarse to fine: 10, 42 and 104 groups on the 26,033 papers and patents of the sample library."""

FEWEST_POINTS = 24
"""A map with fewer points than this has no groups: they can be read one by one."""

_MIN_SAMPLES = 4
_NEIGHBOURS = 16
_UNLIMITED_BELOW = 2_000


def find_levels(positions: NDArray[np.float32]) -> NDArray[np.int32]:
    """HDBSCAN (Campello, Moulavi and Sander, 2013) of positions (n, 2) at every level: (levels, n).

    Groups are numbered by size, the largest 0; -1 lies in none. Groups of positions agree with the documents' first
    categories far better than groups of vectors: on 6,000 papers and patents by LSA the adjusted mutual information is
    .31 to .45 against .07 to .08, and in 100 dimensions half of all points fall in no group. HDBSCAN walks a sparse
    graph (Delaunay edges and 15 nearest neighbours) in place of all pairs: on 26,033 points the adjusted Rand index to
    the full one is .99 to 1.00, at .2 seconds a level in place of 2.
    """
    groups = np.full((len(LEVELS), len(positions)), -1, np.int32)
    if len(positions) < FEWEST_POINTS or not np.ptp(positions, axis=0).any():
        return groups
    graph = _near_graph(positions.astype(np.float64))
    for number, level in enumerate(LEVELS):
        groups[number] = _by_size(_hdbscan(graph, level))
    return groups


def _hdbscan(graph: Any, level: Level) -> NDArray[np.int64]:  # noqa: ANN401  scipy's csr_matrix is untyped
    """The group (n,) of every point at one level, -1 for none."""
    from sklearn.cluster import HDBSCAN

    size = graph.shape[0]
    search = HDBSCAN(
        min_cluster_size=max(level.floor, size // level.smallest),
        min_samples=_MIN_SAMPLES,
        max_cluster_size=None if size < _UNLIMITED_BELOW else size // level.largest,
        metric="precomputed",
        copy=True,  # HDBSCAN writes reachability into what it is given
    )
    found: NDArray[np.int64] = search.fit_predict(graph)
    return found


def _near_graph(points: NDArray[np.float64]) -> Any:  # noqa: ANN401  scipy's csr_matrix is untyped
    """Distances between points (n, 2) that lie near each other, symmetric (n, n) and connected."""
    from scipy.sparse import csr_matrix
    from scipy.spatial import cKDTree

    size = len(points)
    _, near = cKDTree(points).query(points, min(_NEIGHBOURS, size))  # (n, 16)
    own = np.repeat(np.arange(size), near.shape[1])
    edges = np.vstack([np.stack([own, near.ravel()], axis=1), _spanning_edges(points)])
    codes = np.sort(edges.min(axis=1) * size + edges.max(axis=1))  # sorted: np.unique hashes, which takes far longer
    edges = np.stack(np.divmod(codes[np.append(True, codes[1:] != codes[:-1])], size), axis=1)  # once each
    edges = edges[edges[:, 0] != edges[:, 1]]
    lengths = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
    lengths = np.maximum(lengths, 1e-9)  # a stored zero would read as a missing edge
    ends = np.vstack([edges, edges[:, ::-1]])
    return csr_matrix((np.tile(lengths, 2), (ends[:, 0], ends[:, 1])), shape=(size, size))


def _spanning_edges(points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Edges (e, 2) that connect all points: Delaunay's, and a chain along the map where it leaves points out."""
    from scipy.spatial import Delaunay, QhullError

    order = np.lexsort((points[:, 1], points[:, 0]))
    chain = np.stack([order[:-1], order[1:]], axis=1)
    try:
        corners = Delaunay(points).simplices  # (t, 3)
    except QhullError:  # all points on one line: the chain along it is the triangulation
        return chain
    sides = np.vstack([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [0, 2]]]).astype(np.int64)
    left_out = np.ones(len(points), dtype=bool)
    left_out[sides] = False  # points on the same spot as another stand in no triangle
    return np.vstack([sides, chain[left_out[chain].any(axis=1)]])


def _by_size(groups: NDArray[np.int64]) -> NDArray[np.int32]:
    """Number groups by size, the largest 0; equal sizes by their first member; -1 stays."""
    sizes = np.bincount(groups[groups >= 0], minlength=0)
    first = np.array([np.argmax(groups == number) for number in range(len(sizes))], dtype=np.int64)
    new = np.empty(len(sizes) + 1, np.int32)
    new[np.lexsort((first, -sizes))] = np.arange(len(sizes))
    new[-1] = -1
    renumbered: NDArray[np.int32] = new[groups]
    return renumbered

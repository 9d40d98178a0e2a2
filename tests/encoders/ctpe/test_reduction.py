"""One linear map for both halves."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.decomposition import PCA

from engine.core.errors import EncoderError
from engine.encoders.ctpe.parts import Reduction, summed
from engine.encoders.words import unit_length


def halves(count: int, *, rank: int = 6, width: int = 24, seed: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Two sides of halves that lie near a space of few directions, all numbers above zero as a network's are."""
    generator = np.random.default_rng(seed)
    basis = generator.gamma(1.0, size=(rank, width))
    sides = (generator.gamma(1.0, size=(count, rank)) @ basis for _ in range(2))
    former, latter = ((side + 0.01 * generator.random((count, width))).astype(np.float32) for side in sides)
    return former, latter


def test_directions_are_those_of_pca_on_both_halves_together() -> None:
    former, latter = halves(300)
    reduction = Reduction.fit(former, latter, dim=4)
    reference = PCA(4, svd_solver="full").fit(np.concatenate([unit_length(former), unit_length(latter)]))
    np.testing.assert_allclose(reduction.mean, reference.mean_, atol=1e-5)
    ours = reduction.components.astype(np.float64)
    np.testing.assert_allclose(np.abs(np.sum(reference.components_.T * ours, axis=0)), 1, atol=1e-3)


def test_without_centring_inner_products_are_kept() -> None:
    former, latter = halves(300)
    reduction = Reduction.fit(former, latter, dim=6, centred=False)
    assert not reduction.mean.any()
    assert not reduction.centred
    found = reduction.apply(former) @ reduction.apply(latter).T
    np.testing.assert_allclose(found, unit_length(former) @ unit_length(latter).T, atol=5e-3)


@pytest.mark.parametrize("centred", [True, False])
def test_rows_have_unit_length_and_a_half_without_text_stays_zero(centred: bool) -> None:
    former, latter = halves(50)
    former[3] = 0
    reduction = Reduction.fit(former, latter, dim=5, centred=centred)
    rows = reduction.apply(former)
    assert (rows.shape, rows.dtype, reduction.dim) == ((50, 5), np.float32, 5)
    assert not rows[3].any()
    np.testing.assert_allclose(np.delete(np.linalg.norm(rows, axis=1), 3), 1, atol=1e-5)


def test_the_length_of_a_half_and_empty_halves_do_not_matter() -> None:
    former, latter = halves(80)
    plain = Reduction.fit(former, latter, dim=3)
    longer = Reduction.fit(former * 7, np.concatenate([latter, np.zeros((40, 24), np.float32)]), dim=3)
    np.testing.assert_allclose(plain.mean, longer.mean, atol=1e-6)
    np.testing.assert_allclose(plain.apply(former), longer.apply(former * 7), atol=1e-2)


def test_many_halves_are_read_in_parts() -> None:
    former, latter = halves(5000)
    reduction = Reduction.fit(former, latter, dim=2)
    np.testing.assert_allclose(
        reduction.mean, np.concatenate([unit_length(former), unit_length(latter)]).mean(axis=0), atol=1e-5
    )


@pytest.mark.parametrize(("count", "dim"), [(2, 5), (50, 25), (50, 0), (0, 1)])
def test_more_directions_than_halves_allow_are_refused(count: int, dim: int) -> None:
    with pytest.raises(EncoderError, match=rf"Expected a dimension from 1 to {min(2 * count, 24)}, .* got {dim}"):
        Reduction.fit(*halves(count), dim=dim)


def test_summed_halves_count_alike_whatever_their_lengths_and_an_empty_one_not_at_all() -> None:
    former, latter = halves(4)
    former[1] = latter[1] = latter[2] = 0
    rows = summed(former * 7, latter)
    assert rows.dtype == np.float32
    both = former[0] / np.linalg.norm(former[0]) + latter[0] / np.linalg.norm(latter[0])
    np.testing.assert_allclose(rows[0], both / np.linalg.norm(both), atol=1e-6)
    np.testing.assert_allclose(rows[2], former[2] / np.linalg.norm(former[2]), atol=1e-6)
    assert not rows[1].any()


def test_one_side_alone_can_be_fitted() -> None:
    rows = summed(*halves(300))
    reduction = Reduction.fit(rows, dim=4)
    np.testing.assert_allclose(reduction.mean, PCA(4).fit(rows).mean_, atol=1e-5)

"""CTPE on disk: every array by its name, its reduction, and parts that do not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.decomposition import PCA

from engine.core import files
from engine.core.errors import EncoderError, StorageError
from engine.core.rows import unit_length
from engine.encoders.ctpe.embeddings import EmbeddingModel, SentenceMeans, end_to_end
from engine.encoders.ctpe.encoder import CtpeEncoder, CtpeModel, CtpeShape, Reduction, expected_arrays, summed
from engine.encoders.ctpe.network import PairNetwork
from engine.encoders.ctpe.settings import CtpeSettings
from tests.encoders.ctpe import tiny
from tests.encoders.ctpe.test_encoder import reduced


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


def drawn(dim: int) -> Reduction:
    components = np.random.default_rng(3).normal(size=(dim, 5)).astype(np.float16)
    return Reduction(np.linspace(0, 1, dim, dtype=np.float32), components, centred=False)


def shape_of(parts: CtpeModel) -> CtpeShape:
    """The shape that a card keeps."""
    kept = parts.stored(CtpeSettings()).settings
    return CtpeShape(**{**kept, "widths": tuple(kept["widths"]), "reading": CtpeSettings(**kept["reading"])})


def averaged() -> PairNetwork:
    with torch.random.fork_rng():
        torch.manual_seed(1)
        return PairNetwork(12, 3, (1, 4), mean_dim=6)


@pytest.mark.parametrize(
    ("embedding", "network", "reduction"),
    [
        (tiny.words(), tiny.network(12), None),
        (SentenceMeans(tiny.words()), tiny.network(12, channels=2), drawn(8)),
        (tiny.weighted_words(), averaged(), drawn(12)),
    ],
)
def test_parts_come_back_from_their_arrays(
    embedding: EmbeddingModel, network: PairNetwork, reduction: Reduction | None
) -> None:
    parts = CtpeModel.of(embedding, network, reduction)
    shape, arrays = shape_of(parts), parts.arrays
    assert expected_arrays(shape) == {name: array.ndim for name, array in arrays.items()}
    again = CtpeModel.build(shape, arrays, parts.embedding.words)
    assert shape_of(again) == shape
    assert again.arrays.keys() == arrays.keys()
    for name, array in again.arrays.items():
        np.testing.assert_array_equal(array, arrays[name])
        assert array.dtype == arrays[name].dtype
    flat = end_to_end([embedding.ids(text, 9) for text in ("boiler valve", "gene")])
    given = (*embedding.encode_ids(*flat), embedding.token_weights(*flat))
    torch.testing.assert_close(again.network(*given), parts.network(*given), rtol=0, atol=0)


def test_matrices_are_rounded_before_they_are_kept_and_biases_stay_whole() -> None:
    network = tiny.network(12)
    with torch.no_grad():
        network.weights[0][0, 0] = network.biases[0][0] = 0.1
    kept = CtpeModel.of(tiny.words(), network, None).network
    assert kept.weights[0][0, 0].item() == float(np.float16(0.1)) != 0.1
    assert kept.biases[0][0].item() == float(np.float32(0.1))
    assert network.weights[0][0, 0].item() == float(np.float32(0.1)), "the network that was given stays as it is"


def test_an_array_of_another_shape_is_told() -> None:
    parts = CtpeModel.of(tiny.words(), tiny.network(12), None)
    arrays = {**parts.arrays, "convolution.2": np.zeros((16, 23), np.float16)}
    with pytest.raises(EncoderError, match=r"Expected convolution\.2 of shape \(16, 24\), got \(16, 23\)\. Build the"):
        CtpeModel.build(shape_of(parts), arrays, parts.embedding.words)


def test_words_are_stored_as_bytes_and_convolutions_in_half_precision(tmp_path: Path) -> None:
    reduced(tiny.encoder(), dim=5).save(tmp_path / "saved")
    digest = files.read_json(tmp_path / "saved" / "card.json")["weights_sha256"]
    arrays = files.read_arrays(tmp_path / "saved" / "weights.safetensors", digest)
    types = {name.split(".")[0]: array.dtype.name for name, array in arrays.items() if "scales" not in name}
    halves = dict.fromkeys(("convolution", "reduction"), "float16")
    assert types | {"reduction": "float16"} == {"embedding": "int8", "bias": "float32", **halves}
    assert arrays["embedding.scales"].shape == (len(tiny.words().words),)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"embedding": "pictures"}, "embedding must be one of words, sentences, transformer, got 'pictures'"),
        ({"widths": []}, "widths must be one or more numbers from 1 on"),
        ({"widths": [1, 2]}, "Expected the arrays"),
        ({"reduced": True}, "Expected the arrays"),
        ({"reading": {"position": "never"}}, "position must be"),
        ({"reading": {"position": "30%"}}, r"Expected the encoder \w+ in .*, found other weights"),
        ({"embedding_config": None}, "embedding_config must be a table, got None"),
        ({"more": 1}, "unknown key more"),
    ],
)
def test_changed_settings_are_refused(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    tiny.encoder().save(tmp_path / "saved")
    value = files.read_json(tmp_path / "saved" / "card.json")
    value["facts"]["settings"] |= change
    files.write_json(tmp_path / "saved" / "card.json", value)
    with pytest.raises(StorageError, match=told):
        CtpeEncoder.load(tmp_path / "saved")


def test_parts_that_do_not_fit_are_refused() -> None:
    with pytest.raises(EncoderError, match=r"Expected a network for vectors of 12 numbers.* got one for 9"):
        CtpeEncoder.of(tiny.words(), tiny.network(9))
    other = Reduction(np.zeros(7, np.float32), np.zeros((7, 2), np.float16), centred=True)
    with pytest.raises(EncoderError, match=r"Expected a reduction of 64 numbers.* got one of 7"):
        tiny.encoder(reduction=other)


def test_a_network_that_went_astray_is_refused() -> None:
    network = tiny.network(12)
    with torch.no_grad():
        network.weights[1][0, 0] = torch.nan
    with pytest.raises(EncoderError, match=r"Expected finite numbers in every part, found others in convolution\.2"):
        CtpeEncoder.of(tiny.words(), network)

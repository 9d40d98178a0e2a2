"""CTPE's network against plain loops and plain autograd, and its arrays on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.decomposition import PCA
from torch import Tensor

from engine.core import files
from engine.core.errors import EncoderError, StorageError
from engine.core.rows import unit_length
from engine.encoders.ctpe.embeddings import EmbeddingModel, SentenceMeans, end_to_end
from engine.encoders.ctpe.encoder import CtpeEncoder, CtpeModel, CtpeShape, Reduction, expected_arrays, summed
from engine.encoders.ctpe.network import PairNetwork, _products, in_parts, summed_parts
from engine.encoders.ctpe.settings import CtpeSettings
from tests.encoders.ctpe import tiny
from tests.encoders.ctpe.test_encoder import reduced

LENGTHS = torch.tensor([12, 1, 0, 3, 5, 7, 2, 12, 4, 6])


MEAN_DIM = 6


@pytest.fixture
def network() -> PairNetwork:
    torch.manual_seed(0)
    return PairNetwork(20, 7)


@pytest.fixture
def tokens() -> Tensor:
    return torch.randn(10, 12, 20, generator=torch.Generator().manual_seed(1))


def by_hand(network: PairNetwork, tokens: Tensor, lengths: Tensor) -> Tensor:
    """One half, one width, one window at a time, with torch's own gradients: (b, 4 n_f)."""
    rows = []
    for half, length in zip(tokens, lengths.tolist(), strict=True):
        parts = []
        for width, weight, bias in zip(network.widths, network.weights, network.biases, strict=True):
            missing = torch.zeros(max(0, width - length), tokens.shape[2])
            inside = torch.cat([half[:length], missing])
            windows = [inside[start : start + width].flatten() for start in range(len(inside) - width + 1)]
            found = torch.stack([torch.relu(weight @ window + bias) for window in windows])
            parts.append(found.amax(dim=0))
        rows.append(torch.cat(parts))
    return torch.stack(rows)


def test_the_answer_is_that_of_plain_loops(network: PairNetwork, tokens: Tensor) -> None:
    found = network(tokens, LENGTHS)
    assert found.shape == (10, 28) == (10, network.out_dim)
    torch.testing.assert_close(found, by_hand(network, tokens, LENGTHS))


@pytest.mark.parametrize("rubbish", [1e6, -1e6, float("inf"), float("nan")])
def test_padding_never_wins_the_max(network: PairNetwork, tokens: Tensor, rubbish: float) -> None:
    behind = torch.arange(12) >= LENGTHS[:, None]
    torch.testing.assert_close(
        network(tokens.masked_fill(behind[:, :, None], rubbish), LENGTHS), network(tokens, LENGTHS), rtol=0, atol=0
    )


def test_padding_of_zeros_does_not_win_over_products_below_zero(network: PairNetwork) -> None:
    with torch.no_grad():
        for weight in network.weights:
            weight.copy_(-weight.abs() - 0.1)
    tokens = torch.ones(2, 9, 20)
    with torch.no_grad():
        for bias in network.biases:
            bias.fill_(1000)  # so that ReLU hides nothing
    found = network(tokens, torch.tensor([5, 9]))
    torch.testing.assert_close(found[0], found[1])
    assert bool((found < 1000).all())


def test_more_padding_changes_nothing(network: PairNetwork, tokens: Tensor) -> None:
    wider = torch.cat([tokens, torch.randn(10, 30, 20)], dim=1)
    torch.testing.assert_close(network(wider, LENGTHS), network(tokens, LENGTHS))


@pytest.mark.parametrize("length", [0, 1, 2, 4])
def test_windows_wider_than_the_text_see_its_words_and_zeros(network: PairNetwork, length: int) -> None:
    tokens = torch.randn(3, length, 20)
    lengths = torch.full((3,), length)
    torch.testing.assert_close(network(tokens, lengths), by_hand(network, tokens, lengths))


def test_no_half_at_all_gives_no_row(network: PairNetwork) -> None:
    assert network(torch.zeros(0, 5, 20), torch.zeros(0, dtype=torch.long)).shape == (0, 28)


@pytest.mark.parametrize("halves", [1, 8, 9, 40])
def test_gradients_are_those_of_plain_autograd(network: PairNetwork, halves: int) -> None:
    generator = torch.Generator().manual_seed(halves)
    lengths = torch.randint(0, 13, (halves,), generator=generator)
    tokens = torch.randn(halves, 12, 20, generator=generator)
    wanted = torch.randn(halves, 28, generator=generator)
    gradients = []
    for forward in (network, lambda tokens, lengths: by_hand(network, tokens, lengths)):
        network.zero_grad()
        given = tokens.clone().requires_grad_()
        (forward(given, lengths) * wanted).sum().backward()
        gradients.append([given.grad, *(parameter.grad.clone() for parameter in network.parameters())])
    for ours, plain in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, plain)


def test_a_frozen_embedding_asks_for_no_gradient(network: PairNetwork, tokens: Tensor) -> None:
    network(tokens, LENGTHS).sum().backward()
    assert tokens.grad is None
    assert all(parameter.grad is not None for parameter in network.parameters())


def test_bfloat16_stays_close_forwards_and_backwards(network: PairNetwork, tokens: Tensor) -> None:
    whole = network(tokens, LENGTHS)
    whole.sum().backward()
    gradients = [parameter.grad.clone() for parameter in network.parameters()]
    network.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        quick = network(tokens, LENGTHS)
    quick.sum().backward()
    assert quick.dtype == torch.float32
    torch.testing.assert_close(quick, whole, rtol=2e-2, atol=2e-2)
    for ours, exact in zip((parameter.grad for parameter in network.parameters()), gradients, strict=True):
        assert torch.nn.functional.cosine_similarity(ours.flatten(), exact.flatten(), dim=0) > 0.98


def test_the_same_seed_draws_the_same_network() -> None:
    drawn = []
    for seed in (3, 3, 4):
        torch.manual_seed(seed)
        drawn.append(np.concatenate([weight.detach().numpy().ravel() for weight in PairNetwork(5, 2).weights]))
    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])


def test_operations_count_two_for_each_weight_at_each_window(network: PairNetwork) -> None:
    windows = {1: 10, 2: 9, 3: 8, 5: 6}
    assert network.operations(10) == sum(2 * count * width * 20 * 7 for width, count in windows.items())
    assert network.operations(2) == 2 * 20 * 7 * (2 * 1 + 1 * 2 + 3 + 5)  # a short half is one window of a wide filter


@pytest.fixture
def mixed() -> PairNetwork:
    """A network with a mean beside the max, its shift and biases away from zero."""
    torch.manual_seed(0)
    network = PairNetwork(20, 7, mean_dim=MEAN_DIM)
    with torch.no_grad():
        network.shift.normal_()
        for bias in network.biases:
            bias.add_(0.1)
    return network


@pytest.fixture
def weights() -> Tensor:
    return torch.rand(10, 12, generator=torch.Generator().manual_seed(2))


def unit(row: Tensor) -> Tensor:
    """At unit length; zeros stay zeros."""
    return row / row.norm() if bool(row.any()) else row


def mixed_by_hand(network: PairNetwork, tokens: Tensor, lengths: Tensor, weights: Tensor) -> Tensor:
    """The mean token by token beside the max, the max cut off from the tokens: (b, 4 n_f + mean_dim)."""
    rows = []
    largest = by_hand(network, tokens.detach(), lengths)
    for half, length, weighing, best in zip(tokens, lengths.tolist(), weights, largest, strict=True):
        total = torch.zeros(20)
        for place in range(length):
            total = total + weighing[place] * half[place] - network.shift
        rows.append(torch.cat([unit(best), unit(network.mean_map @ total)]))
    return torch.stack(rows)


def test_without_a_mean_the_same_seed_draws_the_same_convolutions(network: PairNetwork, mixed: PairNetwork) -> None:
    assert {name.split(".")[0] for name, _ in network.named_parameters()} == {"weights", "biases"}
    for ours, theirs in zip(network.weights, mixed.weights, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=0, atol=0)


def test_the_mean_starts_as_a_map_that_keeps_lengths_and_a_shift_of_zero() -> None:
    torch.manual_seed(0)
    network = PairNetwork(9, 2, mean_dim=9)
    torch.testing.assert_close(network.mean_map @ network.mean_map.t(), torch.eye(9))
    assert not network.shift.any()


def test_a_mean_beside_the_max_is_that_of_plain_loops(mixed: PairNetwork, tokens: Tensor, weights: Tensor) -> None:
    found = mixed(tokens, LENGTHS, weights)
    assert found.shape == (10, 28 + MEAN_DIM) == (10, mixed.out_dim)
    torch.testing.assert_close(found, mixed_by_hand(mixed, tokens, LENGTHS, weights))
    torch.testing.assert_close(mixed(tokens, LENGTHS), mixed_by_hand(mixed, tokens, LENGTHS, torch.ones(10, 12)))


def test_gradients_with_a_mean_are_those_of_plain_autograd(mixed: PairNetwork, tokens: Tensor, weights: Tensor) -> None:
    wanted = torch.randn(10, mixed.out_dim, generator=torch.Generator().manual_seed(3))
    wanted[LENGTHS == 0] = 0
    gradients = []
    for forward in (mixed, lambda *given: mixed_by_hand(mixed, *given)):
        mixed.zero_grad()
        given = [one.clone().requires_grad_() for one in (tokens, weights)]
        (forward(given[0], LENGTHS, given[1]) * wanted).sum().backward()
        gradients.append([*(one.grad for one in given), *(parameter.grad.clone() for parameter in mixed.parameters())])
    for ours, plain in zip(*gradients, strict=True):
        assert bool(ours.any())
        torch.testing.assert_close(ours, plain)


def test_only_the_mean_moves_the_tokens(mixed: PairNetwork, tokens: Tensor) -> None:
    given = tokens.clone().requires_grad_()
    mixed(given, LENGTHS)[:, :28].sum().backward()
    assert given.grad is None or not given.grad.any()
    mixed(given, LENGTHS)[:, 28:].sum().backward()
    assert bool(given.grad.any())


@pytest.mark.parametrize("rubbish", [1e6, float("inf"), float("nan")])
def test_padding_never_reaches_the_mean(mixed: PairNetwork, tokens: Tensor, weights: Tensor, rubbish: float) -> None:
    behind = torch.arange(12) >= LENGTHS[:, None]
    soiled = tokens.masked_fill(behind[:, :, None], rubbish), LENGTHS, weights.masked_fill(behind, rubbish)
    found = mixed(tokens, LENGTHS, weights)
    torch.testing.assert_close(mixed(*soiled), found, rtol=0, atol=0)
    torch.testing.assert_close(mixed(soiled[0], LENGTHS), mixed(tokens, LENGTHS), rtol=0, atol=0)
    wider = torch.cat([tokens, torch.randn(10, 30, 20)], dim=1), LENGTHS, torch.cat([weights, torch.rand(10, 30)], 1)
    torch.testing.assert_close(mixed(*wider), found)


def test_halves_without_tokens_stay_finite_forwards_and_backwards(mixed: PairNetwork) -> None:
    for length in (0, 9):
        tokens, weights = torch.randn(2, length, 20).requires_grad_(), torch.rand(2, length).requires_grad_()
        found = mixed(tokens, torch.zeros(2, dtype=torch.long), weights)
        assert not found[:, 28:].any()
        found.sum().backward()
        given = [tokens, weights, *mixed.parameters()]
        assert all(bool(torch.isfinite(one.grad).all()) for one in given if one.grad is not None)
    assert mixed(torch.zeros(0, 5, 20), torch.zeros(0, dtype=torch.long)).shape == (0, 34)


def test_a_mean_of_nothing_and_a_max_of_nothing_are_zeros(mixed: PairNetwork) -> None:
    with torch.no_grad():
        for bias in mixed.biases:
            bias.fill_(-1e3)
    found = mixed(mixed.shift.detach().expand(1, 4, 20), torch.tensor([4]))
    assert not found[:, :28].any()
    assert bool(torch.isfinite(found).all())


def test_bfloat16_leaves_the_mean_whole(mixed: PairNetwork, tokens: Tensor, weights: Tensor) -> None:
    whole = mixed(tokens, LENGTHS, weights)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        quick = mixed(tokens, LENGTHS, weights)
    assert quick.dtype == torch.float32
    assert not torch.equal(quick[:, :28], whole[:, :28])
    torch.testing.assert_close(quick[:, :28], whole[:, :28], rtol=2e-2, atol=2e-2)
    torch.testing.assert_close(quick[:, 28:], whole[:, 28:], rtol=0, atol=0)


def test_operations_count_the_mean_too(network: PairNetwork, mixed: PairNetwork) -> None:
    weighing, shifting, mapping = 2 * 10 * 20, 2 * 20, 2 * MEAN_DIM * 20
    assert mixed.operations(10) == network.operations(10) + weighing + shifting + mapping


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_without_gradients_the_answer_is_the_same_to_the_last_bit(
    network: PairNetwork, tokens: Tensor, precision: str
) -> None:
    with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bfloat16"):
        trained = network(tokens, LENGTHS)
        with torch.no_grad():
            assert torch.equal(network(tokens, LENGTHS), trained.detach())


def test_texts_are_cut_into_even_parts_that_none_exceeds() -> None:
    offsets, owners = in_parts(np.array([0, 7, 7, 10, 14]), 3)
    assert np.diff(offsets).tolist() == [2, 2, 3, 0, 3, 2, 2]
    assert owners.tolist() == [0, 0, 0, 1, 2, 3, 3]


def test_a_texts_parts_are_summed_at_unit_length() -> None:
    rows = torch.tensor([[3.0, 4.0], [0.0, 2.0], [5.0, 0.0]])
    torch.testing.assert_close(summed_parts(rows, np.array([0, 0, 1]), 2), torch.tensor([[0.6, 1.8], [1.0, 0.0]]))


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


def test_windows_are_counted_in_steps_so_that_few_shapes_of_products_exist() -> None:
    lengths = torch.tensor([1, 5, 30, 47, 48, 90])
    tokens, cast = torch.randn(6, 96 + 2, 4), torch.randn(3 * 4, 7)
    counts = {_products(tokens[n : n + 1], cast, 3, lengths[n : n + 1]).__next__()[1].shape[1] for n in range(6)}
    assert counts == {16, 32, 48, 96}
    (_, whole), *more = _products(tokens, cast, 3, lengths)
    assert not more
    assert torch.isinf(whole).all(dim=2).sum(dim=1).tolist() == [96 - max(1, n - 2) for n in lengths.tolist()]

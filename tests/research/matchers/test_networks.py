"""The networks of matchers, and documents as rows of numbers in batches, by hand."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention
from torch.utils._python_dispatch import TorchDispatchMode

from engine.research.matchers.networks import (
    KINDS,
    Dssm,
    FrozenWords,
    Kind,
    Level,
    MatcherSettings,
    Read,
    batches,
    encode_reads,
    in_windows,
    padded,
    positions,
)
from tests.research.matchers.small import SETTINGS, a_read, lexicon, network, some_reads

CPU = torch.device("cpu")
TWO_ROWS, ONE_ROW, NOTHING = Read.of([[1, 2], [], [3]]), Read.of([[4, 5, 6]]), Read.of([[], []])


def weighed(read: Read, *weights: float) -> Read:
    return Read(read.numbers, read.lengths, np.array(weights, np.float32))


def test_rows_stand_end_to_end_and_empty_ones_are_skipped() -> None:
    assert TWO_ROWS.numbers.tolist() == [1, 2, 3]
    assert TWO_ROWS.lengths.tolist() == [2, 1]
    assert (len(TWO_ROWS), len(NOTHING), NOTHING.lengths.tolist()) == (3, 0, [])


def test_thinning_keeps_numbers_with_their_weights_and_drops_rows_that_are_empty_then() -> None:
    read = weighed(TWO_ROWS, 0.1, 0.2, 0.3)
    for kept, numbers, lengths in (
        ([True, False, True], [1, 3], [1, 1]),
        ([False, True, False], [2], [1]),
        ([False, False, True], [3], [1]),
        ([True, True, True], [1, 2, 3], [2, 1]),
    ):
        thin = read.thinned(np.array(kept))
        assert (thin.numbers.tolist(), thin.lengths.tolist()) == (numbers, lengths)
        assert thin.weights is not None
        np.testing.assert_allclose(thin.weights, np.array(numbers) / 10)
    assert TWO_ROWS.thinned(np.array([True, False, False])).weights is None
    assert read.thinned(np.zeros(3, bool)) is read, "no document loses its last word"


def test_a_batch_is_padded_to_its_longest_row() -> None:
    batch = padded([TWO_ROWS, ONE_ROW], CPU)
    assert batch.numbers.tolist() == [[1, 2, 0], [3, 0, 0], [4, 5, 6]]
    assert (batch.lengths.tolist(), batch.rows.tolist(), batch.weights) == ([2, 1, 3], [2, 1], None)
    assert batch.inside.tolist() == [[True, True, False], [True, False, False], [True, True, True]]


def test_weights_lie_where_their_numbers_do() -> None:
    batch = padded([weighed(TWO_ROWS, 1, 2, 3), weighed(ONE_ROW, 4, 5, 6)], CPU)
    assert batch.weights is not None
    assert batch.weights.tolist() == batch.numbers.tolist() == [[1, 2, 0], [3, 0, 0], [4, 5, 6]]


def test_batches_hold_documents_of_like_size_and_none_without_a_word() -> None:
    long, pair, short = Read.of([[1, 2, 3, 4]]), Read.of([[1], [2]]), Read.of([[9]])
    reads = [long, NOTHING, pair, short]
    assert list(batches(reads, 4)) == [[3, 2], [0]]
    assert list(batches(reads, 16)) == [[3, 2, 0]], "three rows and one, four wide"
    assert list(batches(reads, 1)) == [[3], [2], [0]], "a document that is too large is read alone"
    assert list(batches([NOTHING], 4)) == []


def test_no_batch_is_larger_than_asked_and_no_document_is_left_out() -> None:
    generator = np.random.default_rng(4)
    reads = [Read.of([[7] * int(width) for width in generator.integers(0, 9, 5)]) for _ in range(60)]
    found = list(batches(reads, 200))
    assert sorted(place for batch in found for place in batch) == [n for n, read in enumerate(reads) if len(read)]
    for batch in found:
        assert padded([reads[place] for place in batch], CPU).numbers.numel() <= 200
    assert len(found) < 15


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"max_words": 0, "window": -1}, "max_words must be at least 1, got 0; window must be at least 1, got -1"),
        ({"width": 12, "heads": 4}, "width must be a multiple of 2 heads = 8, got 12"),
    ],
)
def test_sizes_out_of_range_are_refused(settings: dict[str, int], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        MatcherSettings(**settings)


@pytest.mark.parametrize("kind", KINDS)
@torch.inference_mode()
def test_padding_and_other_documents_change_nothing(kind: Kind) -> None:
    net, reads = network(kind), some_reads(kind)
    together = encode_reads(net, reads)
    alone = torch.cat([encode_reads(net, [read]) for read in reads])
    torch.testing.assert_close(alone, together, atol=1e-5, rtol=0)
    texts = padded(reads, CPU)
    more = torch.full((len(texts.numbers), 7), 3)
    weights = None if texts.weights is None else torch.cat([texts.weights, more + 0.5], 1)
    wider = texts._replace(numbers=torch.cat([texts.numbers, more], 1), weights=weights)
    torch.testing.assert_close(net(wider), net(texts), atol=1e-5, rtol=0)
    assert not torch.allclose(together[3], together[4], atol=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_of_nothing_is_zeros_and_has_no_gradient_of_its_own(kind: Kind) -> None:
    net, nothing = network(kind), Read.of([])
    assert not encode_reads(net, [nothing]).any()
    rows = encode_reads(net, [nothing, *some_reads(kind)])
    assert not rows[0].any()
    rows.square().sum().backward()
    assert all(torch.isfinite(one.grad).all() for one in net.parameters() if one.grad is not None)


class Largest(TorchDispatchMode):
    """Notes the size of the largest tensor that is made."""

    numbers = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN204
        made = func(*args, **(kwargs or {}))
        for one in made if isinstance(made, tuple | list) else [made]:
            if isinstance(one, torch.Tensor):
                self.numbers = max(self.numbers, one.numel())
        return made


@pytest.mark.parametrize("kind", KINDS)
@torch.inference_mode()
def test_memory_grows_with_a_document_and_not_with_its_square(kind: Kind) -> None:
    words = 50_000
    rows = [5] * (words // 5) if kind == "han" else [50] * (words // 50) if kind == "smith" else [words]
    net = network(kind, MatcherSettings(max_words=words, width=8, layers=1, heads=2, window=16))
    with Largest() as largest:
        assert torch.isfinite(encode_reads(net, [a_read(kind, rows, seed=1)])).all()
    assert largest.numbers <= 150 * words  # 30 MB; the square is 10 GB


@pytest.mark.parametrize("kind", ["arc-i", "han", "smith", "s-long"])
@torch.inference_mode()
def test_the_order_of_words_counts(kind: Kind) -> None:
    read = a_read(kind, [30], seed=3)
    backwards = Read(read.numbers[::-1].copy(), read.lengths)
    rows = encode_reads(network(kind), [read, backwards])
    assert (rows[0] - rows[1]).abs().max() > 1e-4


def test_positions_differ_and_word_vectors_have_one_size() -> None:
    found = positions(50, 8)
    assert torch.cdist(found, found).add(torch.eye(50)).min() > 0.1
    table = FrozenWords(np.full((3, 4), 0.25, np.float16)).table
    torch.testing.assert_close(table, torch.ones(3, 4))
    assert torch.isfinite(FrozenWords(np.zeros((2, 4), np.float16)).table).all()


@torch.inference_mode()
def test_arc_i_takes_the_largest_of_windows_three_times() -> None:
    net, read = network("arc-i"), a_read("arc-i", [11], seed=4)
    weights = {name: tensor.numpy() for name, tensor in net.state_dict().items()}
    states = FrozenWords(lexicon("arc-i").vectors).table.numpy()[read.numbers]  # type: ignore[arg-type]
    for layer in range(3):
        if layer:
            states = np.stack([states[start : start + 2].max(axis=0) for start in range(0, len(states), 2)])
        kernel, bias = weights[f"layers.{layer}.weight"], weights[f"layers.{layer}.bias"]
        around = np.pad(states, ((1, 1), (0, 0)))
        windows = [np.einsum("odk,kd->o", kernel, around[place : place + 3]) for place in range(len(states))]
        states = np.maximum(np.stack(windows) + bias, 0)
    wanted = weights["out.weight"] @ states.max(axis=0) + weights["out.bias"]
    np.testing.assert_allclose(encode_reads(net, [read])[0].numpy(), wanted, atol=1e-5)


@torch.inference_mode()
def test_dssm_is_three_layers_of_tanh() -> None:
    net = network("dssm")
    assert isinstance(net, Dssm)
    read = a_read("dssm", [9], seed=4)
    assert read.weights is not None
    weights = {name: tensor.numpy() for name, tensor in net.state_dict().items()}
    first = np.zeros(SETTINGS.width)
    for number, weight in zip(read.numbers, read.weights, strict=True):
        first += weight * weights["letters.weight"][number]
    first = np.tanh(first + weights["bias"])
    second = np.tanh(weights["hidden.weight"] @ first + weights["hidden.bias"])
    third = np.tanh(weights["out.weight"] @ second + weights["out.bias"])
    np.testing.assert_allclose(encode_reads(net, [read])[0].numpy(), third, atol=1e-6)


@torch.inference_mode()
def test_han_weighs_states_by_their_nearness_to_a_context() -> None:
    torch.manual_seed(1)
    level, given = Level(3, 4), torch.randn(1, 5, 3)
    states = level.gru(given)[0][0]
    scores = torch.tanh(states @ level.hidden.weight.T + level.hidden.bias) @ level.context.weight[0]
    weights = scores.exp() / scores.exp().sum()
    found = level(given, torch.ones(1, 5, dtype=torch.bool))
    torch.testing.assert_close(found[0], (weights[:, None] * states).sum(0))


@pytest.mark.parametrize("words", [1, 3, 4, 9, 16])
def test_attention_in_windows_is_attention_under_a_band(words: int) -> None:
    torch.manual_seed(words)
    window, length = 3, 1 + words
    queries, keys, values = torch.randn(3, 2, 2, length, 5)
    inside = torch.arange(length) < torch.tensor([[length], [max(2, length - 4)]])
    places = torch.arange(length)
    band = ((places[:, None] - places).abs() <= window) | (places[:, None] == 0) | (places == 0)
    mask = (band & inside[:, None, :])[:, None]
    wanted = scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
    found = in_windows(queries, keys, values, inside, window=window)
    there = inside[:, None, :, None].expand_as(found)
    torch.testing.assert_close(found[there], wanted[there])

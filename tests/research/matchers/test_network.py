"""The networks: padding changes nothing, and each computes what its paper says."""

from __future__ import annotations

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from engine.encoders.masked_texts import Read, padded
from engine.research.matchers.network import encode_reads
from engine.research.matchers.settings import KINDS, Kind, MatcherSettings
from tests.research.matchers.reads import a_read, some_reads
from tests.research.matchers.small import network

CPU = torch.device("cpu")


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

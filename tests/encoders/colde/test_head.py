"""CoLDE's head: attention by hand, padding that changes nothing, the order of chunks, sections without chunks."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn.functional import normalize

from engine.encoders.colde.network import ChunkAttention, ColdeHead, HeadShape, _following
from tests.encoders.colde import tiny


def chunks(*shape: int, seed: int = 4) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def product(rows: list[list[float]], weights: Tensor, bias: Tensor) -> list[list[float]]:
    """rows @ weights.T + bias in plain Python."""
    return [
        [
            sum(x * w for x, w in zip(row, line, strict=True)) + b
            for line, b in zip(weights.tolist(), bias.tolist(), strict=True)
        ]
        for row in rows
    ]


def plain_attention(attention: ChunkAttention, ours: list[list[float]], theirs: list[list[float]]) -> tuple[list, list]:
    """Scaled dot-product attention, a loop a head, a query and a key (CoLDE, section 3.2)."""
    queries, keys, values = (
        product(rows, part.weight, part.bias)
        for rows, part in ((ours, attention.queries), (theirs, attention.keys), (theirs, attention.values))
    )
    size = len(ours[0]) // attention.heads
    taken, shares = [[] for _ in ours], []
    for first in range(0, len(ours[0]), size):
        part = slice(first, first + size)
        of_head = []
        for place, query in enumerate(queries):
            raised = [
                math.exp(sum(q * k for q, k in zip(query[part], key[part], strict=True)) / math.sqrt(size))
                for key in keys
            ]
            share = [one / sum(raised) for one in raised]
            of_head.append(share)
            taken[place] += [
                sum(one * value[part][column] for one, value in zip(share, values, strict=True))
                for column in range(size)
            ]
        shares.append(of_head)
    return taken, shares


def test_attention_is_the_scaled_dot_product_of_each_head() -> None:
    attention = tiny.head(8, heads=4).attention
    assert attention is not None
    ours, theirs = chunks(1, 3, 8), chunks(1, 4, 8, seed=5)
    taken, weights = attention(ours, theirs, torch.ones(1, 4, dtype=torch.bool))
    expected, shares = plain_attention(attention, ours[0].tolist(), theirs[0].tolist())
    np.testing.assert_allclose(taken[0], expected, atol=1e-6)
    np.testing.assert_allclose(weights[0], shares, atol=1e-6)
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-6)


def test_a_padded_chunk_gets_no_attention() -> None:
    attention = tiny.head(8).attention
    assert attention is not None
    ours, theirs = chunks(1, 3, 8), chunks(1, 4, 8, seed=5)
    inside = torch.tensor([[True, True, False, False]])
    taken, weights = attention(ours, theirs, inside)
    assert (weights[..., 2:] == 0).all()
    np.testing.assert_allclose(taken, attention(ours, theirs[:, :2], inside[:, :2])[0], atol=1e-6)
    nothing, none = attention(ours, theirs, torch.zeros(1, 4, dtype=torch.bool))
    assert not nothing.any() and not none.any()


@pytest.mark.parametrize("changed", [{}, {"skip": False}, {"aggregation": "mean"}, {"space_dim": 20}])
@pytest.mark.parametrize("sections", [1, 2, 3, 5])
def test_padding_and_other_documents_change_nothing(changed: dict[str, object], sections: int) -> None:
    head = tiny.head(**changed)
    counts = torch.tensor([[3, 1, 4, 2, 2], [1, 1, 1, 1, 1]])[:, :sections]
    inside = torch.arange(4) < counts[..., None]  # (2, s, 4)
    rows = chunks(2, sections, 4, 32) * inside[..., None]
    alone = head(rows[:1], inside[:1])
    assert alone.shape == (1, sections, 24)
    np.testing.assert_allclose(alone.norm(dim=-1), 1, atol=1e-6)
    np.testing.assert_allclose(head(rows, inside)[:1], alone, atol=1e-4)
    padding = chunks(2, sections, 9, 32, seed=6) * 100
    padded = torch.cat([rows + padding[:, :, :4] * ~inside[..., None], padding], 2)
    wider = torch.cat([inside, torch.zeros(2, sections, 9, dtype=torch.bool)], 2)
    np.testing.assert_allclose(head(padded, wider)[:1], alone, atol=1e-4)


@pytest.mark.parametrize("changed", [{}, {"skip": False}, {"aggregation": "mean"}, {"space_dim": 20}])
def test_a_section_without_chunks_gives_zeros_and_no_nan(changed: dict[str, object]) -> None:
    head = tiny.head(**changed).requires_grad_(True)
    inside = torch.tensor([[[True, True], [False, False], [True, False]], [[False] * 2] * 3])  # (2, 3, 2)
    z = head(chunks(2, 3, 2, 32), inside)
    assert z.isfinite().all()
    assert not z[0, 1].any() and not z[1].any()
    np.testing.assert_allclose(z[0, [0, 2]].norm(dim=-1).detach(), 1, atol=1e-6)
    z.sum().backward()
    assert all(part.grad is None or part.grad.isfinite().all() for part in head.parameters())


def test_a_section_attends_to_the_next_and_the_last_to_the_first() -> None:
    head, rows, inside = tiny.head(skip=False), chunks(1, 3, 2, 32), torch.ones(1, 3, 2, dtype=torch.bool)
    before = head(rows, inside)[0]
    for changed, feels in ((0, {0, 2}), (1, {1, 0}), (2, {2, 1})):
        other = rows.clone()
        other[0, changed] += 1
        moved = (head(other, inside)[0] - before).abs().amax(-1)
        assert {section for section in range(3) if moved[section] > 1e-6} == feels


def test_sections_without_chunks_are_passed_over_as_if_they_were_not_there() -> None:
    head, rows = tiny.head(skip=False), chunks(1, 5, 2, 32)
    inside = torch.tensor([[[True, True], [False, False], [True, False], [False, False], [False, False]]])
    filled = [0, 2]
    np.testing.assert_allclose(head(rows, inside)[0, filled], head(rows[:, filled], inside[:, filled])[0], atol=1e-6)
    assert _following(torch.tensor([[True, False, True, False], [False, False, True, False]])).tolist() == [
        [2, 2, 0, 0],
        [2, 2, 2, 2],
    ]


def test_one_section_alone_attends_to_itself() -> None:
    head, rows, inside = tiny.head(), chunks(1, 1, 5, 32), torch.ones(1, 1, 5, dtype=torch.bool)
    one = rows[:, 0], inside[:, 0]
    np.testing.assert_allclose(head(rows, inside)[:, 0], head.vectors(one, one), atol=1e-6)


def test_the_order_of_chunks_counts_only_to_the_bilstm() -> None:
    rows, inside = chunks(1, 1, 5, 32), torch.ones(1, 1, 5, dtype=torch.bool)
    for changed, differs in (({}, True), ({"space_dim": 16}, True), ({"aggregation": "mean"}, False)):
        head = tiny.head(**changed)
        assert (not torch.allclose(head(rows, inside), head(rows.flip(2), inside), atol=1e-5)) == differs


def test_what_the_head_holds_is_what_its_form_needs() -> None:
    assert ColdeHead(32).skip is None
    assert ColdeHead(32).projection.weight.shape == (256, 512)
    ablation = ColdeHead(32, HeadShape(aggregation="mean", skip=True))
    assert (ablation.attention, ablation.lstm, ablation.skip) == (None, None, None)


def test_with_a_skip_training_starts_from_the_mean_of_the_chunks() -> None:
    head, rows = ColdeHead(32, HeadShape(dim=32, skip=True)), chunks(1, 1, 5, 32)
    z = head(rows, torch.ones(1, 1, 5, dtype=torch.bool))[0, 0]
    np.testing.assert_allclose(z.detach(), normalize(rows[0, 0].mean(0), dim=0), atol=1e-6)


def test_a_map_begins_centred_along_the_principal_axes() -> None:
    vectors = chunks(1, 40, 32)[0] * torch.linspace(3, 0.1, 32) + 5
    head = ColdeHead(32, HeadShape(space_dim=32))
    head.whiten(vectors, power=0)
    turned = head.spaced(vectors).detach()
    np.testing.assert_allclose(turned.mean(0), 0, atol=1e-4)
    centred = vectors - vectors.mean(0)
    np.testing.assert_allclose(turned @ turned.T, centred @ centred.T, atol=1e-3)
    head.whiten(vectors, power=1)
    spreads = head.spaced(vectors).detach().std(0)
    np.testing.assert_allclose(spreads, spreads[0], rtol=1e-2)


def test_a_map_of_few_vectors_has_few_axes() -> None:
    head = ColdeHead(32, HeadShape(space_dim=16))
    head.whiten(chunks(1, 3, 32)[0], power=0.25)
    assert head.spaced(chunks(1, 4, 32)[0]).isfinite().all()
    before = ColdeHead(32)
    before.whiten(chunks(1, 3, 32)[0], power=0.25)  # no map, nothing to begin
    assert before.spaced(chunks(1, 3, 32)) is not None


def test_shares_of_attention_are_the_mean_of_the_heads_in_the_space_of_the_map() -> None:
    head, ours, theirs = tiny.head(space_dim=16), chunks(1, 3, 32)[0], chunks(1, 4, 32, seed=5)[0]
    assert head.attention is not None
    weights = head.attention(head.spaced(ours)[None], head.spaced(theirs)[None], torch.ones(1, 4, dtype=torch.bool))[1]
    shares = head.attends(ours, theirs)
    assert shares is not None
    np.testing.assert_allclose(shares, weights[0].mean(0), atol=1e-6)
    assert tiny.head(aggregation="mean").attends(ours, theirs) is None

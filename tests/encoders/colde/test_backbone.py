"""One vector a chunk: the transformer's own at first, then aware of its section and its number there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from engine.encoders.colde.network import Backbone, as_tensors, read_chunks
from tests.encoders.colde import tiny
from tests.encoders.colde.test_reading import drawn, of


def test_an_untrained_backbone_reads_as_its_transformer_does(folder: Path) -> None:
    from transformers import AutoModel

    model = AutoModel.from_pretrained(folder).eval()
    tokens = drawn(7, 3)
    means = read_chunks(tiny.backbone(folder), [of(tokens, section=3, first=2)])[0]
    firsts = read_chunks(tiny.backbone(folder, pooling="first"), [of(tokens)])[0]
    for ids, mean, first in zip(tokens, means, firsts, strict=True):
        with torch.inference_mode():
            states = model(torch.tensor([ids])).last_hidden_state[0]
        np.testing.assert_allclose(mean, states.mean(0), atol=1e-5)
        np.testing.assert_allclose(first, states[0], atol=1e-5)


def test_more_padding_changes_nothing(backbone: Backbone) -> None:
    tokens, lengths = as_tensors(drawn(7, 3))
    numbers = torch.tensor([0, 1]), torch.tensor([1, 0])
    before = backbone(tokens, lengths, *numbers)
    for filling in (0, 9):
        wider = torch.nn.functional.pad(tokens, (0, 11), value=filling)
        np.testing.assert_allclose(backbone(wider, lengths, *numbers), before, atol=1e-4)


def test_the_numbers_of_section_and_chunk_are_added_before_the_transformer(backbone: Backbone) -> None:
    tokens = drawn(7)
    rows = {(s, c): read_chunks(backbone, [of(tokens, s, c)])[0][0] for s in range(5) for c in range(4)}
    assert len({row.tobytes() for row in rows.values()}) == 20
    shifts = {place: row - rows[0, 0] for place, row in rows.items()}
    added = backbone.sections.weight[1] - backbone.sections.weight[0]
    assert not np.allclose(shifts[1, 0], added, atol=1e-2), "the transformer made something else of it"
    by_hand = backbone.model.get_input_embeddings()(torch.tensor([tokens[0]]))
    by_hand = by_hand + backbone.sections.weight[2] + backbone.chunks.weight[3]
    with torch.inference_mode():
        states = backbone.model(inputs_embeds=by_hand).last_hidden_state[0]
    np.testing.assert_allclose(rows[2, 3], states.mean(0), atol=1e-5)


def test_numbers_beyond_the_tables_read_as_the_last(backbone: Backbone) -> None:
    tokens = drawn(7)
    last = read_chunks(backbone, [of(tokens, 4, 3)])[0]
    np.testing.assert_array_equal(read_chunks(backbone, [of(tokens, 70, 1_000)])[0], last)


def test_the_mean_is_of_the_tokens_within_a_chunk_and_the_first_is_the_first(folder: Path) -> None:
    tokens, lengths = torch.tensor([[7, 8, 9], [7, 8, 0]]), torch.tensor([3, 2])
    zeros = torch.zeros(2, dtype=torch.long)
    whole, cut = tiny.backbone(folder)(tokens, lengths, zeros, zeros)
    shorter = tiny.backbone(folder)(tokens[:1, :2], lengths[1:], zeros[:1], zeros[:1])[0]
    np.testing.assert_allclose(cut, shorter, atol=1e-5)
    assert not np.allclose(cut, whole, atol=1e-2)
    first = tiny.backbone(folder, pooling="first")(tokens, lengths, zeros, zeros)
    assert first.shape == (2, 32) and not np.allclose(first[1], cut, atol=1e-2)


def test_training_moves_the_embeddings_from_zero(folder: Path) -> None:
    backbone = tiny.backbone(folder).requires_grad_(True)
    assert not backbone.sections.weight.any() and not backbone.chunks.weight.any()
    tokens = torch.tensor([[7, 8]])
    backbone(tokens, torch.tensor([2]), torch.tensor([1]), torch.tensor([99]))[0, 0].backward()
    for table, used in ((backbone.sections, 1), (backbone.chunks, 3)):
        assert table.weight.grad is not None
        assert table.weight.grad.any(dim=1).nonzero().flatten().tolist() == [used]

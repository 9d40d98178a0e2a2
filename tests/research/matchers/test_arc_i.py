"""ARC-I's convolutions."""

from __future__ import annotations

import numpy as np
import torch

from engine.research.matchers.network import FrozenWords, encode_reads
from tests.research.matchers.reads import a_read
from tests.research.matchers.small import lexicon, network


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

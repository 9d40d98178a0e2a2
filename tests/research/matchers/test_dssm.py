"""DSSM's layers."""

from __future__ import annotations

import numpy as np
import torch

from engine.research.matchers.dssm import Dssm
from engine.research.matchers.network import encode_reads
from tests.research.matchers.reads import a_read
from tests.research.matchers.small import SETTINGS, network


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

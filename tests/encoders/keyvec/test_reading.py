"""Documents read in batches of their sentences."""

from __future__ import annotations

import numpy as np
import torch

from engine.encoders.keyvec.network import KeyvecNetwork, batches, sentence_vectors
from tests.encoders.keyvec import tiny


def test_sentences_come_back_in_the_order_given(network: KeyvecNetwork) -> None:
    table = tiny.words().table
    ids = [np.arange(length, dtype=np.int32) for length in (9, 2, 30, 1, 2)]
    together = sentence_vectors(network, table, ids)
    alone = torch.cat([sentence_vectors(network, table, [one]) for one in ids])
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=0)
    assert sentence_vectors(network, table, []).shape == (0, network.sentences.out_dim)


def test_batches_are_bounded_with_their_padding() -> None:
    found = [places.tolist() for places in batches([4, 1, 0, 9, 2, 2], 8)]
    assert found == [[1, 4, 5], [0], [3]]

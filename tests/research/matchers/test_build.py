"""Every kind of matcher, built."""

from __future__ import annotations

import pytest

from engine.research.matchers.network import encode_reads
from engine.research.matchers.settings import KINDS, Kind
from tests.research.matchers.reads import some_reads
from tests.research.matchers.small import network


@pytest.mark.parametrize("kind", KINDS)
def test_the_weights_that_learn_do_not_hold_the_words(kind: Kind) -> None:
    net = network(kind)
    encode_reads(net, some_reads(kind)).square().sum().backward()
    assert all(one.grad is not None for one in net.parameters())
    assert not any("table" in name for name in net.state_dict())

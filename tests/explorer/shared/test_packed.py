"""Whole numbers as the browser gets them."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.shared.packed import packed
from tests.explorer.shared.unpacked import unpacked


@pytest.mark.parametrize(
    ("numbers", "kind"),
    [([], "i1"), ([-128, 127], "i1"), ([[128, 0], [-1, 5]], "i2"), ([-32_769], "i4"), ([2**31 - 1], "i4")],
)
def test_numbers_come_back_from_the_smallest_kind_that_holds_them(numbers: list[int], kind: str) -> None:
    told = packed(np.asarray(numbers, np.int64))
    assert told["kind"] == kind
    assert unpacked(told).tolist() == np.ravel(numbers).tolist()


def test_a_number_that_no_kind_holds_is_refused() -> None:
    with pytest.raises(StopIteration):
        packed(np.asarray([2**31]))

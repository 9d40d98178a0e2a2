"""The arrow keys that choose another cell."""

from __future__ import annotations

from explorer.shared import cell_keys
from explorer.shared.cell_keys import Walk


def test_the_arrow_keys_cannot_leave_the_grid() -> None:
    walk = Walk(3, 4, (0, 0), (1, 1))
    assert cell_keys._is_cell([2, 3], walk)
    for place in ([3, 0], [0, 4], [-1, 0], [0], "00", [0, True], [0.0, 1], None):
        assert not cell_keys._is_cell(place, walk)

"""What the browser answers: rows, and nothing else."""

from __future__ import annotations

import pytest

from explorer.map import scatter


@pytest.mark.parametrize("sent", [None, "1", {"0": 1}, [-1, 5, 2.5, True, "3", None]])
def test_rows_that_are_not_rows_are_left_out(sent: object) -> None:
    assert scatter._rows(sent, 5) == ()


def test_rows_from_the_browser_are_taken_once_each() -> None:
    assert scatter._rows([4, 0, 4, 9], 5) == (4, 0)


@pytest.mark.parametrize("sent", [None, [], [1990], [2001, 1990], [1990, "2001"], [-1, 5], [1, 10**9], "1990-2001"])
def test_years_that_are_not_two_in_order_limit_nothing(sent: object) -> None:
    assert scatter._years(sent) is None


def test_years_from_the_browser_are_taken() -> None:
    assert scatter._years([1990, 1990]) == (1990, 1990)

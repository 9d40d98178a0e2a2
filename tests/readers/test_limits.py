"""The limits of the readers."""

from __future__ import annotations

import pytest

from engine.errors import (
    InputTooLargeError,
)
from engine.readers import LIMITS, dispatch
from engine.readers.limits import Limits, require_record_size


def test_a_record_is_as_large_as_a_file_may_be() -> None:
    limits = Limits(max_file_bytes=2 << 20)
    require_record_size(2 << 20, "weekly.xml", limits)
    with pytest.raises(InputTooLargeError, match=r"of at most 2 MiB in weekly\.xml; one is larger\. Cut the"):
        require_record_size((2 << 20) + 1, "weekly.xml", limits)


def test_a_limit_of_nothing() -> None:
    with pytest.raises(ValueError, match=r"max_pages must be at least 1, got 0"):
        Limits(max_pages=0)


def test_limits_stand_in_one_place() -> None:
    assert dispatch.LIMITS is LIMITS
    assert LIMITS.max_file_bytes == 64 << 20

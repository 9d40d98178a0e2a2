"""How many threads a small product takes."""

from __future__ import annotations

import pytest

from engine.encoders import processor


def test_one_thread_is_for_the_while_only() -> None:
    with processor.one_thread():
        pass  # another test's thread may have had one when this one began: from here on it has the usual number
    before = processor.threads()
    assert before == processor._usual_threads()
    with processor.one_thread():
        assert processor.threads() == 1
    assert processor.threads() == before
    with pytest.raises(ZeroDivisionError), processor.one_thread():
        raise ZeroDivisionError
    assert processor.threads() == before

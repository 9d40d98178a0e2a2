"""The form by which titles are put in order."""

from __future__ import annotations

import pytest

from engine.library.sort_keys import sort_title


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("«Zephyr»", "zephyr»"),
        ("Éolian Harps", "eolian harps"),
        ("$k$-means", "k$-means"),
        ("3D kites", "3d kites"),
        ("", None),
        ("—", None),
        ("x" * 300, "x" * 200),
    ],
)
def test_titles_are_put_in_order_by_their_first_letters(title: str, key: str | None) -> None:
    assert sort_title(title) == key

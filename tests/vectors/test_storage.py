"""Segments of passages on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import StorageError
from engine.core.files import write_arrays
from engine.vectors.storage import Segment, forget_segment
from tests.search.hashed_words import DIM, read


def test_a_segment_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = Segment.of([read("a"), read("b", body=0)], DIM)
    again = Segment.read(tmp_path, made.name, made.write(tmp_path))
    assert (again.ids, again.counts.tolist(), len(again)) == (("a", "b"), made.counts.tolist(), len(made))
    for name in ("parts", "starts", "lengths"):
        np.testing.assert_array_equal(getattr(again, name), getattr(made, name))
    np.testing.assert_array_equal(again.rows.unpacked(), made.rows.unpacked())


def test_segments_are_joined_without_what_is_gone() -> None:
    one, other = Segment.of([read("a"), read("b")], DIM), Segment.of([read("c")], DIM)
    joined = Segment.joined([(one, np.array([False, True])), (other, np.array([True]))], DIM)
    assert joined.ids == ("b", "c") and joined.name not in {one.name, other.name}
    expected = Segment.of([read("b"), read("c")], DIM)
    np.testing.assert_array_equal(joined.rows.unpacked(), expected.rows.unpacked())
    np.testing.assert_array_equal(joined.starts, expected.starts)


def test_a_segment_without_an_array_is_refused(tmp_path: Path) -> None:
    digest = write_arrays(tmp_path / "x.safetensors", {"ids": np.zeros(1, np.uint8)})
    with pytest.raises(StorageError, match="Expected the array counts in a segment of passages; it is missing"):
        Segment.read(tmp_path, "x", digest)


def test_a_file_is_removed_once(tmp_path: Path) -> None:
    made = Segment.of([read("a")], DIM)
    made.write(tmp_path)
    forget_segment(tmp_path, made.name)
    forget_segment(tmp_path, made.name)
    assert not list(tmp_path.iterdir())

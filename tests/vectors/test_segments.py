"""Segments of passages, and the signs of their vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import StorageError
from engine.core.files import write_arrays
from engine.vectors.segments import Segment, Signs, fewest, forget_file
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
    forget_file(tmp_path, made.name)
    forget_file(tmp_path, made.name)
    assert not list(tmp_path.iterdir())


def drawn(size: int, dim: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(size, dim)).astype(np.float32)


@pytest.mark.parametrize("dim", [3, 16, 64, 100, 384])
def test_signs_that_differ_are_counted_whatever_the_width(dim: int) -> None:
    rows = drawn(9_000, dim)
    rows[5, 0] = 0
    query = drawn(1, dim, 1)[0]
    expected = ((rows >= 0) != (query >= 0)).sum(axis=1)
    np.testing.assert_array_equal(Signs.of(rows).differing(query), expected)


def test_bytes_have_the_signs_of_what_they_stand_for() -> None:
    codes = np.array([[-127, 0, 3], [1, -1, 127]], np.int8)
    np.testing.assert_array_equal(Signs.of(codes).words, Signs.of(codes.astype(np.float32)).words)


def test_those_that_differ_least_are_chosen_and_ties_are_all_taken() -> None:
    rows = drawn(500, 64)
    differing = Signs.of(rows).differing(drawn(1, 64, 1)[0])
    found = fewest(differing, 40, np.ones(500, bool))
    assert 40 <= len(found) and (np.diff(found) > 0).all()
    assert differing[found].max() < np.delete(differing, found).min()


def test_only_rows_that_count_are_chosen() -> None:
    differing = Signs.of(drawn(500, 64)).differing(drawn(1, 64, 1)[0])
    among = np.arange(500) % 7 == 0
    found = fewest(differing, 20, among)
    assert among[found].all() and len(found) >= 20
    np.testing.assert_array_equal(fewest(differing, 1_000, among), np.flatnonzero(among))
    assert not len(fewest(differing, 20, np.zeros(500, bool)))

"""A library's passages: kept in segments, joined, found again after a crash, and searched."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import StorageError
from engine.core.files import write_arrays
from engine.documents import Chunk
from engine.vectors import codes, lists, storage
from engine.vectors import passages as module
from engine.vectors.passages import PassageView, SegmentStore
from engine.vectors.storage import ReadPassages, Segment, forget_segment
from tests.contracts.passages import NAMES, SharedPassageContract
from tests.search.hashed_words import DIM, opened, read


class TestContract(SharedPassageContract):
    pass


@pytest.fixture
def view(tmp_path: Path) -> PassageView:
    store = opened(tmp_path)
    for first in range(0, 30, 7):
        store.add([read(name) for name in NAMES[first : first + 7]])
    store.remove(["d3", "d20"])
    return store.view()


def test_blocks_do_not_change_the_answer(view: PassageView, monkeypatch: pytest.MonkeyPatch) -> None:
    queries = read("d8").rows
    whole = view.search(queries, 12)
    monkeypatch.setattr(module, "_NUMBERS_AT_ONCE", 1)
    monkeypatch.setattr(module, "_FEWEST_AT_ONCE", 3)
    np.testing.assert_array_equal(view.search(queries, 12)[0], whole[0])


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries of any size count as large."""
    monkeypatch.setattr(module, "_ALL_COMPARED", 0)


def test_where_few_are_asked_of_many_the_answer_is_nearly_that_of_comparing_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SegmentStore(tmp_path, fingerprint="f" * 16, dim=64)
    subjects = _subjects(store, 3_000)
    view, queries = store.view(), subjects[:20]
    exact, _ = view.search(queries, 10)
    monkeypatch.setattr(module, "_ALL_COMPARED", 0)
    found, scores = view.search(queries, 10)
    assert len(view.segments) == 2
    assert np.mean([len(set(one) & set(other)) / 10 for one, other in zip(found, exact, strict=True)]) >= 0.98
    assert (np.diff(scores, axis=1) <= 0).all()
    np.testing.assert_allclose(scores[:, 0], (queries * view.rows(found[:, 0])).sum(axis=1), atol=1e-4)


def _subjects(store: SegmentStore, count: int) -> np.ndarray:
    """Add documents of one passage each on forty subjects, 1,500 at a time; returns the subjects (40, dim)."""
    rng = np.random.default_rng(0)
    subjects = rng.normal(size=(40, store.dim)).astype(np.float32)
    for first in range(0, count, 1_500):
        rows = subjects[np.arange(1_500) % 40] + rng.normal(size=(1_500, store.dim)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        chunk = Chunk("", 0, "", 0, 1, "x")
        store.add([ReadPassages(f"{first + n}", [chunk], rows[n : n + 1]) for n in range(1_500)])
    return subjects


def test_signs_are_counted_in_the_nearest_lists_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "LISTED", 1_000)
    monkeypatch.setattr(lists, "_ROWS_A_LIST", 30)
    queries = _subjects(SegmentStore(tmp_path, fingerprint="f" * 16, dim=64), 3_000)[:20]
    view = SegmentStore(tmp_path, fingerprint="f" * 16, dim=64).view()  # as the disk holds it
    exact, _ = view.search(queries, 10)
    monkeypatch.setattr(module, "_ALL_COMPARED", 0)
    monkeypatch.setattr(module, "_LOOKED_UP", 300)
    counted: list[int] = []
    differing = codes.Signs.differing

    def count(self: codes.Signs, one: codes.Signs) -> np.ndarray:
        counted.append(self.words.shape[1])
        return differing(self, one)

    monkeypatch.setattr(codes.Signs, "differing", count)
    found, _ = view.search(queries, 10)
    assert 300 * 20 <= sum(counted) <= 450 * 20
    assert np.mean([len(set(one) & set(other)) / 10 for one, other in zip(found, exact, strict=True)]) >= 0.98
    among = view.among([str(number) for number in range(0, 3_000, 2)])
    places, scores = view.search(queries, 10, among=among)
    assert (places >= 0).all() and among[view.owner[places]].all() and (np.diff(scores, axis=1) <= 0).all()


def test_what_would_not_fit_in_memory_is_not_joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LARGEST", 10_000)
    store = SegmentStore(tmp_path, fingerprint="f" * 16, dim=64)
    _subjects(store, 24_000)
    assert max(len(one) for one in store.view().segments) <= 10_000
    assert len(store) == 24_000


@pytest.mark.usefixtures("large")
def test_a_large_library_leaves_out_what_is_removed_or_not_asked_for(view: PassageView) -> None:
    among = view.among(["d1", "d3", "d5", "unknown"])
    places, scores = view.search(read("d1").rows, 40, among=among)
    assert {view.names[view.owner[one]] for one in places.ravel() if one >= 0} == {"d1", "d5"}
    assert ((places == -1) == (scores == -np.inf)).all() and (places == -1).any()
    places, _ = view.search(read("d1").rows, 400)
    assert not {"d3", "d20"} & {view.names[view.owner[one]] for one in places.ravel() if one >= 0}


@pytest.mark.usefixtures("large")
def test_what_is_added_costs_only_its_own_signs(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.add([read(name) for name in NAMES[:5]])
    store.view().search(read("d1").rows, 3)
    before = store.view().segments[0].signs
    store.add([read(name) for name in NAMES[5:10]])
    view = store.view()
    places, _ = view.search(np.concatenate([read("d1").rows, read("d7").rows]), 1)
    assert view.segments[0].signs is before and len(view.segments) == 2
    assert {view.names[view.owner[one]] for one in places[:, 0]} == {"d1", "d7"}


@pytest.mark.usefixtures("large")
def test_an_empty_library_finds_nothing(tmp_path: Path) -> None:
    places, scores = opened(tmp_path).view().search(read("d1").rows, 3)
    assert (places == -1).all() and (scores == -np.inf).all()


def held_rows(folder: Path, name: str) -> np.ndarray:
    view = opened(folder).view()
    passages, _ = view.of_documents(np.array([view.number_of[name]]))
    return view.rows(passages)


def test_adding_writes_only_what_is_added(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.add([read("a")])
    before = {path.name: path.stat().st_mtime_ns for path in store.folder.glob("*.safetensors")}
    store.add([read("b")])
    after = {path.name: path.stat().st_mtime_ns for path in store.folder.glob("*.safetensors")}
    assert len(after) == 2 and before.items() <= after.items()


def test_a_segment_that_lost_most_documents_is_written_without_them(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.add([read(name, body=400) for name in "abcd"])
    before = sum(path.stat().st_size for path in store.folder.glob("*.safetensors"))
    store.remove(["a", "b", "c"])
    assert sum(path.stat().st_size for path in store.folder.glob("*.safetensors")) < before / 2
    store.remove(["d"])
    assert not list(store.folder.glob("*.safetensors")) and len(opened(tmp_path)) == 0


def test_many_small_segments_become_few(tmp_path: Path) -> None:
    store = opened(tmp_path)
    for number in range(50):
        store.add([read(f"d{number}")])
        store.remove([f"d{number - 3}"])
    assert set(opened(tmp_path).ids) == {"d47", "d48", "d49"}
    for number in range(50, 100):
        store.add([read(f"d{number}")])
    assert len(list(store.folder.glob("*.safetensors"))) < module._JOINED
    assert len(opened(tmp_path)) == 53
    np.testing.assert_allclose(held_rows(tmp_path, "d60"), read("d60").rows, atol=0.01)


def test_a_passage_is_written_again_a_few_times_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    plain = module.Segment.write

    def counted(self: module.Segment, folder: Path) -> str:
        written.append(len(self))
        return plain(self, folder)

    monkeypatch.setattr(module.Segment, "write", counted)
    monkeypatch.setattr(module, "_SMALLEST", 10)
    store = opened(tmp_path)
    for number in range(300):
        store.add([read(f"d{number}", body=0)])
    assert sum(written) <= 4 * 300


def test_no_file_is_left_where_joined_segments_are_joined_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SMALLEST", 10)
    store = opened(tmp_path)
    for number in range(80):
        store.add([read(f"d{number}")])
        files = {path.stem for path in store.folder.glob("*.safetensors")}
        assert files == {segment.name for segment in store.view().segments}


def test_joined_segments_that_the_system_holds_on_to_are_left_lying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "The process cannot access the file")  # as Windows says of a file that is mapped

    store = opened(tmp_path)
    monkeypatch.setattr(os, "unlink", refuse)
    for name in NAMES[:9]:
        store.add([read(name)])
    listed = {segment["name"] for segment in json.loads((store.folder / "passages.json").read_text())["segments"]}
    lying = {path.stem for path in store.folder.glob("*.safetensors")} - listed
    assert lying and set(opened(tmp_path).ids) == set(NAMES[:9])


def test_a_list_of_another_format_is_refused(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.keep()
    (store.folder / "passages.json").write_text("{}", "utf-8")
    with pytest.raises(StorageError, match=r"Expected passages of format 1 in .*, found another"):
        opened(tmp_path)


def test_documents_of_a_damaged_segment_are_held_no_longer(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.add([read("a")])
    (first,) = store.folder.glob("*.safetensors")
    store.add([read("b")])
    first.write_bytes(first.read_bytes()[:-1] + b"\x01")
    assert set(opened(tmp_path).ids) == {"b"}
    first.unlink()
    again = opened(tmp_path)
    again.add([read("a")])
    assert set(opened(tmp_path).ids) == {"a", "b"}


def test_a_passage_takes_four_hundred_bytes_at_most(tmp_path: Path) -> None:
    from engine.vectors.storage import ReadPassages

    chunks = read("a").passages * 400
    store = SegmentStore(tmp_path, fingerprint="f", dim=384)
    store.add([ReadPassages("a", chunks, np.ones((len(chunks), 384), np.float32))])
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 400 * len(chunks)


def test_nothing_is_written_where_nothing_is_added(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.add([])
    store.remove(["a"])
    assert not (tmp_path / "passages").exists() and store.view().search(np.ones((1, DIM), np.float32), 3)[
        0
    ].tolist() == [[-1, -1, -1]]


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

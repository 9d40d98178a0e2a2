"""Signs of rows, codes learned from them, and the hash tables in which a query finds its candidates."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import numpy as np
import pytest

from engine.core import files
from engine.core.errors import StorageError, VectorIndexError
from engine.vectors.binary import BinaryIndex, BinarySettings
from engine.vectors.codes import CodeSettings, HashTables, Signs, bits_for, fewest, keys_of
from tests.vectors.grouped import filled, grouped_rows, opened


def test_with_the_settings_that_ship_a_document_takes_64_bytes_at_most(tmp_path: Path) -> None:
    index = filled(tmp_path / "i", grouped_rows(1_250, 16), BinarySettings(fewest=1_250))
    assert index.code_bytes == 40
    assert index.code_bytes + index.table_bytes <= 64


def test_the_same_rows_give_the_same_codes_and_answers(index: BinaryIndex, rows: np.ndarray, tmp_path: Path) -> None:
    other = filled(tmp_path / "other", rows[:6_000])
    answers = other.search(rows[6_000:], 10)
    assert answers == index.search(rows[6_000:], 10) == opened(tmp_path / "index").search(rows[6_000:], 10)
    other.flush()
    name = "codes.safetensors"
    assert (tmp_path / "other" / name).read_bytes() == (tmp_path / "index" / name).read_bytes()


def test_a_rotation_is_learned_anew_from_four_times_as_many_rows(tmp_path: Path, rows: np.ndarray) -> None:
    settings = BinarySettings(candidates=500, rerank=100, fewest=400, codes=CodeSettings(code_bits=64, tables=2))
    index = filled(tmp_path / "i", rows[:500], settings)
    learned = []
    for first, last in ((0, 500), (500, 1_900), (1_900, 2_100)):
        index.add([f"doc{number}" for number in range(first, last)], rows[first:last])
        index.flush()
        learned.append(int(index._rotation.learned_from[0]))  # type: ignore[union-attr]
    assert learned == [500, 500, 2_100]


def test_settings_that_ask_for_nothing_are_refused() -> None:
    with pytest.raises(VectorIndexError, match="Expected code_bits as a multiple of 64 up to 512, got 576"):
        CodeSettings(code_bits=576)
    with pytest.raises(VectorIndexError, match="Expected at least 1 table and 1 row to learn from, got 0 and 9"):
        CodeSettings(tables=0, learn_rows=9)
    with pytest.raises(VectorIndexError, match="Expected 1 <= rerank <= candidates and fewest of at least 1, got 9, 8"):
        BinarySettings(candidates=8, rerank=9)


BITS, TABLES, SIZE = 6, 3, 400


@pytest.fixture
def margins() -> np.ndarray:
    return np.random.default_rng(4).normal(size=(SIZE, TABLES, BITS)).astype(np.float32)


@pytest.fixture
def tables(margins: np.ndarray) -> HashTables:
    return HashTables.build(keys_of(margins), BITS)


def likeliest(query: np.ndarray, margins: np.ndarray) -> list[tuple[float, int, int]]:
    """Every bucket of every table by its penalty, computed one by one: penalty, table, key."""
    buckets = []
    for table, flipped in itertools.product(range(TABLES), itertools.product([False, True], repeat=BITS)):
        bits = (query[table] > 0) ^ np.array(flipped)
        penalty = float((query[table][np.array(flipped)] ** 2).sum())
        buckets.append((penalty, table, int((bits * 2 ** np.arange(BITS)).sum())))
    return sorted(buckets)


@pytest.mark.parametrize("most", [1, 7, 60, 300])
def test_rows_are_those_of_the_nearest_buckets_of_all_tables(
    tables: HashTables, margins: np.ndarray, most: int
) -> None:
    query, keys = margins[0] + 0.1, keys_of(margins)
    expected: list[int] = []
    for _, table, key in likeliest(query, margins):
        expected += np.flatnonzero(keys[table] == key).tolist()
    np.testing.assert_array_equal(tables.find(query, most), sorted(set(expected[:most])))


def test_all_rows_are_found_where_all_are_asked_for(tables: HashTables, margins: np.ndarray) -> None:
    np.testing.assert_array_equal(tables.find(margins[3], 3 * SIZE), np.arange(SIZE))
    assert tables.bits == BITS


def test_a_bucket_with_more_rows_than_are_asked_for_gives_its_first(margins: np.ndarray) -> None:
    alike = HashTables.build(keys_of(np.ones((50, 1, BITS), np.float32)), BITS)
    np.testing.assert_array_equal(alike.find(np.ones((1, BITS), np.float32), 8), np.arange(8))
    away = alike.find(-np.ones((1, BITS), np.float32), 8)
    np.testing.assert_array_equal(away, np.arange(8))


def test_keys_grow_with_the_logarithm_of_the_rows() -> None:
    assert [bits_for(size, 32) for size in (1, 8, 1_000, 100_000, 1_000_000)] == [1, 1, 7, 14, 17]
    assert bits_for(1_000_000, 9) == 9


def test_codes_tables_and_rows_are_mapped_from_the_disk(index: BinaryIndex, rows: np.ndarray, tmp_path: Path) -> None:
    written = filled(tmp_path / "written", rows[:1_200])
    written.flush()
    for held in (index, written):
        coded = held._coded
        assert coded is not None
        for array in (coded.rows.codes, coded.codes, coded.tables.rows, coded.tables.starts):
            assert not array.flags.writeable
            while isinstance(array, np.ndarray) and not isinstance(array, np.memmap):
                array = array.base
            assert isinstance(array, np.memmap)


def test_damage_of_the_codes_is_told(index: BinaryIndex, tmp_path: Path) -> None:
    assert len(index) == 6_000
    file = tmp_path / "index" / "codes.safetensors"
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    with pytest.raises(StorageError, match="it is damaged"):
        opened(tmp_path / "index")
    file.unlink()
    with pytest.raises(StorageError, match=r"Expected the file codes\.safetensors"):
        opened(tmp_path / "index")


@pytest.mark.parametrize(
    ("name", "changed", "message"),
    [
        ("code", None, "Expected the array code in a binary index; it is missing"),
        ("code", np.zeros((9, 64), np.float32), "Expected a rotation of rows of width 40, found 9"),
        ("codes", None, r"Expected codes \(1200, 2\) in a binary index, found None"),
        ("table_rows", None, "Expected the array table_rows in a binary index; it is missing"),
        ("table_rows", np.zeros((4, 5), np.int32), r"Expected 4 tables of 1200 rows in a binary index, found \(4, 5\)"),
    ],
)
def test_other_arrays_than_the_header_says_are_told(
    tmp_path: Path, made: Path, name: str, changed: np.ndarray | None, message: str
) -> None:
    shutil.copytree(made / "1200", tmp_path / "i")
    header = files.read_json(tmp_path / "i" / "index.json")
    path = tmp_path / "i" / "codes.safetensors"
    arrays = files.read_arrays(path, header["codes_sha256"])
    del arrays[name]
    header["codes_sha256"] = files.write_arrays(path, arrays if changed is None else {**arrays, name: changed})
    files.write_json(tmp_path / "i" / "index.json", header)
    with pytest.raises(StorageError, match=message):
        opened(tmp_path / "i")


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

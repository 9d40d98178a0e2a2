"""The index of binary codes: codes learned from rows, and nearly the answers of comparing all rows."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest

from engine.core import files
from engine.core.errors import StorageError, VectorIndexError
from engine.vectors import binary
from engine.vectors.binary import BinaryIndex, BinarySettings
from engine.vectors.codes import CodedRows, CodeSettings, HashTables, Signs, bits_for, fewest, keys_of
from engine.vectors.exact import DenseIndex, EmbeddedIndex
from engine.vectors.index import VectorIndex
from engine.vectors.storage import has_codes
from tests.contracts.index import DIM, FolderIndexContract

SMALL = BinarySettings(candidates=1_000, rerank=200, fewest=1_000, codes=CodeSettings(code_bits=128, learn_rows=2_000))


def grouped_rows(size: int, dim: int = 40) -> np.ndarray:
    """Rows in 60 groups whose members are spread along few directions, as rows of documents are."""
    chance = np.random.default_rng(11)
    centres, inner = chance.normal(size=(60, dim)), chance.normal(size=(12, dim)) / 3
    rows = centres[chance.integers(60, size=size)] + chance.normal(size=(size, 12)) @ inner
    rows += 0.1 * chance.normal(size=(size, dim))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def opened(folder: Path, settings: BinarySettings = SMALL, dim: int = 40) -> BinaryIndex:
    return BinaryIndex(folder, fingerprint="f", dim=dim, precision="int8", settings=settings)


def filled(folder: Path, rows: np.ndarray, settings: BinarySettings = SMALL) -> BinaryIndex:
    index = opened(folder, settings, rows.shape[1])
    index.add([f"doc{number}" for number in range(len(rows))], rows)
    return index


def exactly(rows: np.ndarray, queries: np.ndarray, k: int, within: list[str] | None = None) -> list[list[str]]:
    """Ids of the reference's answer."""
    with tempfile.TemporaryDirectory() as folder:
        index = DenseIndex(Path(folder) / "i", fingerprint="f", dim=rows.shape[1], precision="int8")
        index.add([f"doc{number}" for number in range(len(rows))], rows)
        return [[hit.id for hit in hits] for hits in index.search(queries, k, within=within)]


def share_found(index: BinaryIndex, queries: np.ndarray, expected: list[list[str]], k: int = 10) -> float:
    found = [{hit.id for hit in hits} for hits in index.search(queries, k)]
    assert all(len(ids) == k for ids in found)
    return float(np.mean([len(ids & set(true)) / k for ids, true in zip(found, expected, strict=True)]))


@pytest.fixture(scope="session")
def rows() -> np.ndarray:
    return grouped_rows(6_050)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, rows: np.ndarray) -> Path:
    """Folders of 6,000 rows and of 1,200 with their codes, whose rotations take seconds to learn."""
    folder = tmp_path_factory.mktemp("made")
    for size in (6_000, 1_200):
        filled(folder / str(size), rows[:size]).flush()
    return folder


@pytest.fixture
def index(tmp_path: Path, made: Path) -> BinaryIndex:
    """An index of 6,000 rows, as it lies on the disk, in a folder of the test's own."""
    shutil.copytree(made / "6000", tmp_path / "index")
    return opened(tmp_path / "index")


class TestFewRows(FolderIndexContract):
    kind = "binary"


class TestBytes(FolderIndexContract):
    kind = "binary"
    precision = "int8"
    tolerance = 0.5001 / 127


EAGER = BinarySettings(candidates=2_000, rerank=150, fewest=3, codes=CodeSettings(code_bits=64, tables=3))


"""Codes from three rows on; of 200 rows of noise, whose neighbours share little, all are looked up, 150 compared."""


class TestCoded(FolderIndexContract):
    kind = "binary"
    precision = "int8"
    tolerance = 0.5001 / 127

    def opened(self, folder: Path, **changed: object) -> VectorIndex:
        given = {"fingerprint": "f" * 16, "dim": DIM, "precision": self.precision, "settings": EAGER, **changed}
        return BinaryIndex(folder / "index", **given)  # type: ignore[arg-type]


def test_most_of_the_nearest_are_found_among_a_bounded_number_of_rows(index: BinaryIndex, rows: np.ndarray) -> None:
    queries = rows[6_000:]
    assert share_found(index, queries, exactly(rows[:6_000], queries, 10)) >= 0.95
    looked_up = index.looked_up(queries)
    assert 300 < min(looked_up) <= max(looked_up) <= SMALL.candidates
    assert index.code_bytes == 16
    assert 4 * 4 < index.table_bytes <= 4 * 4 + 4 * 4  # a place in each of four tables, and where buckets start


def test_scores_are_the_inner_products(index: BinaryIndex, rows: np.ndarray) -> None:
    (found,) = index.search(rows[6_000:6_001], 20)
    kept = np.asarray(index.rows([hit.id for hit in found]))
    np.testing.assert_allclose([hit.score for hit in found], kept @ rows[6_000], rtol=1e-5)
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


def test_what_came_and_went_since_the_codes_were_made_counts(index: BinaryIndex, rows: np.ndarray) -> None:
    query = rows[6_000:6_001]
    first, second, third = (hit.id for hit in index.search(query, 3)[0])
    index.remove([first])
    index.add([second, "new"], np.concatenate([-query, query]))
    assert index._current().coded is not None
    found = [hit.id for hit in index.search(query, 5)[0]]
    assert found[:2] == ["new", third]
    assert not {first, second} & set(found)
    np.testing.assert_allclose(index.rows(["new", third])[:1], query, atol=0.02)
    before = [[hit.id for hit in hits] for hits in index.search(rows[6_000:], 10)]
    index.flush()
    assert share_found(index, rows[6_000:], before) >= 0.95
    assert len(index) == 6_000


def test_many_new_rows_get_codes_at_the_next_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary, "_MOST_RECENT", 100)
    rows = grouped_rows(3_000)
    index = filled(tmp_path / "i", rows[:1_500])
    index.search(rows[:1], 1)
    for last, coded in ((1_580, 1_500), (1_650, 1_650)):
        index.add([f"late{number}" for number in range(1_500, last)], rows[1_500:last])
        index.search(rows[:1], 1)
        assert index._current().coded is not None
        assert index._current().coded.size == coded  # type: ignore[union-attr]


def test_a_few_new_rows_are_written_beside_the_codes_of_the_others(
    tmp_path: Path, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(binary, "_MOST_RECENT", 100)
    shutil.copytree(made / "1200", tmp_path / "i")
    rows, index = grouped_rows(1_400), opened(tmp_path / "i")
    coded: list[int] = []
    for last in (1_280, 1_290, 1_400):
        held = len(index)
        index.add([f"late{number}" for number in range(held, last)], rows[held:last])
        before = index.search(rows[:20], 10)
        index.flush()
        for one in (index, opened(tmp_path / "i")):
            assert one.search(rows[:20], 10) == before and len(one) == last
        coded.append(index._current().coded.size)  # type: ignore[union-attr]
    assert coded == [1_200, 1_200, 1_400]
    index.remove(["late1200"])
    index.flush()
    assert opened(tmp_path / "i")._current().coded.size == 1_399  # type: ignore[union-attr]


def test_an_index_that_shrinks_answers_without_codes(index: BinaryIndex, rows: np.ndarray, tmp_path: Path) -> None:
    index.remove([f"doc{number}" for number in range(500, 6_000)])
    assert [hit.id for hit in index.search(rows[:1], 3)[0]] == exactly(rows[:500], rows[:1], 3)[0]
    index.flush()
    assert not (tmp_path / "index" / "codes.safetensors").exists()
    assert index.code_bytes == index.table_bytes == 0
    assert index.looked_up(rows[:1]) == [500]


def test_dense_indexes_and_this_one_share_a_folder_and_its_rows(index: BinaryIndex, rows: np.ndarray) -> None:
    folder = index._folder
    for kind in (DenseIndex, EmbeddedIndex):
        dense = kind(folder, fingerprint="f", dim=40, precision="int8")
        assert dense.is_exact and not index.is_exact
        assert dense.ids == index.ids
        found = [[hit.id for hit in hits] for hits in dense.search(rows[6_000:6_004], 10)]
        assert found == exactly(rows[:6_000], rows[6_000:6_004], 10)
    dense.add(["new"], rows[6_000:6_001])
    dense.remove(["doc0"])
    dense.flush()
    assert not has_codes(folder)
    again = opened(folder)
    assert len(again) == 6_000
    assert share_found(again, rows[6_000:], [[hit.id for hit in hits] for hits in dense.search(rows[6_000:], 10)]) > 0.9
    again.flush()
    assert has_codes(folder)
    assert again.search(rows[6_000:6_001], 1)[0][0].id == "new"


def test_a_longer_answer_compares_more_rows(tmp_path: Path, rows: np.ndarray) -> None:
    settings = BinarySettings(candidates=3_000, rerank=100, fewest=1_000, codes=SMALL.codes)
    index = filled(tmp_path / "i", rows[:6_000], settings)
    queries = rows[6_000:]
    assert share_found(index, queries, exactly(rows[:6_000], queries, 100), k=100) >= 0.95


def test_more_recent_rows_than_are_compared_exactly_are_chosen_from(tmp_path: Path, rows: np.ndarray) -> None:
    index = filled(tmp_path / "i", rows[:4_000])
    index.search(rows[:1], 1)
    index.add([f"doc{number}" for number in range(4_000, 5_000)], rows[4_000:5_000])
    queries = rows[6_000:]
    assert share_found(index, queries, exactly(rows[:5_000], queries, 10)) >= 0.95
    assert index._current().recent.shape[0] == 1_000


def test_ties_go_to_the_id_added_first_among_coded_and_recent_rows(tmp_path: Path, rows: np.ndarray) -> None:
    same = rows[:3_000].copy()
    same[500:2_500:100] = same[7]
    index = filled(tmp_path / "i", same)
    index.search(same[:1], 1)
    index.add(["doc600", "late"], same[[7, 7]])
    expected = ["doc7", *(f"doc{number}" for number in range(500, 2_500, 100)), "late"]
    assert [hit.id for hit in index.search(same[7:8], 22)[0]] == expected


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_rows_that_are_all_the_same_are_answered_in_the_order_added(tmp_path: Path, value: float) -> None:
    index = filled(tmp_path / "i", np.full((3_000, 8), value, np.float32))
    assert index._current().coded is not None
    (found,) = index.search(np.ones((1, 8), np.float32), 5)
    assert [hit.id for hit in found] == [f"doc{number}" for number in range(5)]
    assert [hit.score for hit in found] == pytest.approx([8 * value] * 5)


def test_within_many_and_few_ids(index: BinaryIndex, rows: np.ndarray) -> None:
    queries, chance = rows[6_000:], np.random.default_rng(2)
    for count, least in ((4_000, 0.95), (300, 1.0)):
        within = [f"doc{number}" for number in chance.choice(6_000, count, replace=False)]
        found = [{hit.id for hit in hits} for hits in index.search(queries, 10, within=[*within, "nobody"])]
        assert all(len(ids) == 10 and ids <= set(within) for ids in found)
        true = exactly(rows[:6_000], queries, 10, within)
        assert np.mean([len(ids & set(best)) / 10 for ids, best in zip(found, true, strict=True)]) >= least


def test_long_answers_are_exact(index: BinaryIndex, rows: np.ndarray) -> None:
    found = index.search(rows[6_000:6_004], 100)
    assert [[hit.id for hit in hits] for hits in found] == exactly(rows[:6_000], rows[6_000:6_004], 100)


def test_too_few_candidates_lead_to_comparing_all(
    index: BinaryIndex, rows: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CodedRows, "candidates", lambda *_: np.arange(39, dtype=np.int32))
    found = [[hit.id for hit in hits] for hits in index.search(rows[6_000:6_004], 10)]
    assert found == exactly(rows[:6_000], rows[6_000:6_004], 10)


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
    np.testing.assert_array_equal(Signs.of(rows).differing(Signs.of(query[None])), expected)


def test_bytes_have_the_signs_of_what_they_stand_for() -> None:
    codes = np.array([[-127, 0, 3], [1, -1, 127]], np.int8)
    np.testing.assert_array_equal(Signs.of(codes).words, Signs.of(codes.astype(np.float32)).words)


def test_those_that_differ_least_are_chosen_and_ties_are_all_taken() -> None:
    rows = drawn(500, 64)
    differing = Signs.of(rows).differing(Signs.of(drawn(1, 64, 1)))
    found = fewest(differing, 40)
    assert 40 <= len(found) and (np.diff(found) > 0).all()
    assert differing[found].max() < np.delete(differing, found).min()

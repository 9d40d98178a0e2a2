"""Rows with their codes and tables, mapped from the disk."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from engine.core import files
from engine.core.errors import StorageError
from engine.vectors.binary import BinaryIndex
from tests.vectors.grouped import filled, opened


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

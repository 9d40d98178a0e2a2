"""The matrices of a comparison as CSV files."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from engine.compare import Comparison
from engine.exports.comparison.tables import csv_files


def test_each_matrix_is_a_table_with_its_names(made: Comparison) -> None:
    files = csv_files(made)
    value = made.as_json()
    for level in ("sections", "chunks"):
        grid = value[level]
        for name, rows, columns in (("across", "a", "b"), ("within_a", "a", "a"), ("within_b", "b", "b")):
            read = list(csv.reader(io.StringIO(files[f"{level}-{name.replace('_', '-')}.csv"], newline="")))
            assert read[0] == ["", *grid[columns]]  # type: ignore[index]
            assert [line[0] for line in read[1:]] == grid[rows]  # type: ignore[index]
            assert [[float(cell) for cell in line[1:]] for line in read[1:]] == grid[name]  # type: ignore[index]
    attention = list(csv.reader(io.StringIO(files["attention-b-to-a.csv"], newline="")))
    assert [[float(cell) for cell in line[1:]] for line in attention[1:]] == made.attention_back.tolist()
    assert len(files) == 8


def test_no_name_is_a_formula_to_a_spreadsheet(made: Comparison) -> None:
    grid = replace(made.sections, a=("=HYPERLINK(1)", "+1", "@x"), b=("-1\n=2", 'say "no"'))
    read = list(csv.reader(io.StringIO(csv_files(replace(made, sections=grid))["sections-across.csv"], newline="")))
    assert [line[0] for line in read] == ["", "'=HYPERLINK(1)", "'+1", "'@x"]
    assert read[0] == ["", "'-1 =2", 'say "no"']

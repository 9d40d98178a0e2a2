"""The matrices of a comparison as CSV files, each with the names of its rows and columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from engine.compare import Comparison, Grid, Matrix, numbers
from engine.exports.records import csv_cell


def csv_files(comparison: Comparison) -> dict[str, str]:
    """Each file's text by its name: sections and chunks, across and within, then the chunks' attention.

    The first column names the rows, the first line the columns; lines end in CR LF, as RFC 4180 asks, and no name is
    a formula to a spreadsheet.
    """
    chunks = comparison.chunks
    return {
        **_grid("sections", comparison.sections),
        **_grid("chunks", chunks),
        "attention-a-to-b.csv": _table(comparison.attention, chunks.a, chunks.b),
        "attention-b-to-a.csv": _table(comparison.attention_back, chunks.b, chunks.a),
    }


def _grid(name: str, grid: Grid) -> dict[str, str]:
    return {
        f"{name}-across.csv": _table(grid.across, grid.a, grid.b),
        f"{name}-within-a.csv": _table(grid.within_a, grid.a, grid.a),
        f"{name}-within-b.csv": _table(grid.within_b, grid.b, grid.b),
    }


def _table(values: Matrix, rows: Sequence[str], columns: Sequence[str]) -> str:
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(["", *map(csv_cell, columns)])
    writer.writerows([csv_cell(name), *row] for name, row in zip(rows, numbers(values), strict=True))
    return file.getvalue()

"""A coverage for other programs: its probabilities as a table, and its heatmap as a picture."""

from __future__ import annotations

import csv
import io
import warnings

import numpy as np

from engine.compare import Coverage
from engine.exports.records import csv_cell

NEW = "may be new"
_ROOM, _NAME_ROOM = 40, 48
_CELL_INCHES, _LEAST_INCHES = 0.28, 2.5
_MARGIN_INCHES = (4.6, 3.8)
_MOST_INCHES = 60.0
_DOTS = 150


def coverage_csv(coverage: Coverage) -> str:
    """A line a row: its title, whether it is covered, its share and best p, then the p of each document.

    Documents are named by their ids in the first line. Lines end in CR LF (RFC 4180), and no name is a formula to a
    spreadsheet.
    """
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(map(csv_cell, ["row", "page", "covered", "share", "p", *(one.id for one in coverage.columns)]))
    for number, (row, cells) in enumerate(zip(coverage.rows, coverage.cells, strict=True)):
        ps = [round(cell.p, 3) for cell in cells]
        covered = "yes" if coverage.is_covered(number) else "no"
        facts = [row.title, row.chunk.page or "", covered, round(coverage.row_share(number), 3), max(ps, default=0.0)]
        writer.writerow(map(csv_cell, [*facts, *ps]))
    return stream.getvalue()


def coverage_png(coverage: Coverage) -> bytes:
    """The heatmap: rows downwards, documents across, dark where one covers; rows that may be new are named so."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    values = np.array([[cell.p for cell in cells] for cells in coverage.cells])
    inches = [
        min(_MOST_INCHES, max(_LEAST_INCHES, _CELL_INCHES * count) + margin)
        for count, margin in zip(values.shape[::-1], _MARGIN_INCHES, strict=True)
    ]
    figure = Figure(figsize=(inches[0], inches[1]), layout="constrained")
    axis = figure.subplots()
    drawn = axis.imshow(values, cmap="YlGnBu", vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    names = [_plain(row.title, _NAME_ROOM) for row in coverage.rows]
    new = set(coverage.new())
    axis.set_yticks(range(len(names)), [f"{NEW} · {name}" if row in new else name for row, name in enumerate(names)])
    for row in new:
        axis.get_yticklabels()[row].set_color("#8a4b00")
    axis.set_xticks(range(len(coverage.columns)), [_plain(one.name, _ROOM) for one in coverage.columns], rotation=90)
    axis.tick_params(length=0, labelsize=8)
    axis.set_title(_plain(f"What stands already of {coverage.question.name}", 2 * _ROOM), fontsize=10, loc="left")
    figure.colorbar(drawn, ax=axis, label="probability that the document covers it", shrink=0.6)
    stream = io.BytesIO()
    FigureCanvasAgg(figure)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # names in other scripts
        figure.savefig(stream, format="png", dpi=_DOTS, metadata={"Software": None})
    return stream.getvalue()


def _plain(text: str, room: int) -> str:
    """A name on one line, in which no dollar sign begins a formula."""
    line = " ".join(text.split())
    return (line if len(line) <= room else f"{line[: room - 1].rstrip()}…").replace("$", r"\$")

"""A coverage as one HTML file for people, and as a table and a picture for other programs.

The file shows what may be new, the heatmap, and the passages behind what is covered.
"""

from __future__ import annotations

import csv
import io
import warnings
from datetime import date
from pathlib import Path
from textwrap import shorten

import numpy as np

from engine.compare import COVERED, Cell, Coverage
from engine.documents import KIND_NAMES, Document
from engine.exports.page import day, render
from engine.exports.records import csv_cell
from engine.search import said

_SHEET = Path(__file__).parent / "comparison" / "report.css"
_STEPS = 8
_SHOWN, _OPENING = 900, 110
_NOTE = (
    "Each number is the probability that a document covers a part of yours: that a passage of it says the same, "
    f"perhaps in other words. From {COVERED:.2f} on, the passage is covered; a part is covered where at least half "
    "of its words are. The words beside it say how near two passages are, whatever else the library holds. What no "
    "document of the library covers may still stand elsewhere."
)


def coverage_html(coverage: Coverage, *, held: int, made_on: date | None = None) -> str:
    """Return the file's text; nothing in it is fetched or runs, and no text of a document becomes markup.

    `held` is how many documents the library holds.
    """
    return render(
        "coverage_report.html",
        title=f"What stands already of {coverage.question.name}",
        heading="What stands already, and what may be new",
        sheet=_SHEET.read_text("utf-8"),
        making=_making(coverage, held, made_on),
        note=_NOTE,
        coverage=coverage,
        new=coverage.new(),
        rows=range(len(coverage.rows)),
        covered=_covered(coverage),
        step=_step,
        said=said,
        facts_of=_facts,
        shown=_shown,
        opening=_opening,
        percent=_percent,
    )


def _making(coverage: Coverage, held: int, made_on: date | None) -> dict[str, str]:
    return {
        "Rows": coverage.kind,
        "Columns": f"{len(coverage.columns):,} of {held:,} documents",
        "Left out": f"{', '.join(coverage.copies)}: the document itself" if coverage.copies else "",
        "Made on": day(made_on) if made_on else "",
    }


def _covered(coverage: Coverage) -> list[tuple[int, int, Cell]]:
    """Return every cell that covers something, row by row, the surest first."""
    found = [
        (row, column, cell)
        for row, cells in enumerate(coverage.cells)
        for column, cell in enumerate(cells)
        if cell.is_covered
    ]
    return sorted(found, key=lambda one: (one[0], -one[2].p))


def _step(p: float) -> int:
    return min(_STEPS - 1, int(p * _STEPS))


def _facts(document: Document) -> str:
    return ", ".join(filter(None, (KIND_NAMES[document.kind], str(document.year or ""), document.public_id)))


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN].rstrip()} …"


def _opening(text: str) -> str:
    return shorten(text, _OPENING, placeholder=" …")


def _percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")


NEW = "may be new"
_ROOM, _NAME_ROOM = 40, 48
_CELL_INCHES, _LEAST_INCHES = 0.28, 2.5
_MARGIN_INCHES = (4.6, 3.8)
_MOST_INCHES = 60.0
_DOTS = 150


def coverage_csv(coverage: Coverage) -> str:
    """Return a line a row: its title, whether it is covered, its share and best p, then the p of each document.

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
    """Return a name on one line, in which no dollar sign begins a formula."""
    line = " ".join(text.split())
    return (line if len(line) <= room else f"{line[: room - 1].rstrip()}…").replace("$", r"\$")

"""A coverage as one HTML file: what may be new, the heatmap, and the passages behind what is covered."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from textwrap import shorten

from engine.compare import COVERED, Cell, Coverage
from engine.documents import KIND_NAMES, Document
from engine.exports.page import day, render
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
    """The file's text; nothing in it is fetched or runs, and no text of a document becomes markup.

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
    """Every cell that covers something, row by row, the surest first."""
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

"""`python -m engine.research scale growth`: how each figure grows with the library, from reports of several sizes.

The exponent is the slope of a line through the logarithms (least squares): 0 does not grow, 1 grows as the documents
do, above 1 faster than they do.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.core import files
from engine.core.errors import EvaluationError
from engine.research import measurement
from engine.research.paper.plots import FIXED

_FASTER = 1.1
"""A figure that doubles the documents more than doubles grows faster than they do; so much is noise."""
_COLUMNS, _INCHES = 2, 3.4


@dataclass(frozen=True, slots=True)
class Growth:
    """One figure of a stage at each size, and its exponent; None where it is 0 at any."""

    stage: str
    name: str
    values: Sequence[float]
    exponent: float | None


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("growth", help="the exponent of each figure, from reports of several sizes")
    parser.add_argument("reports", nargs="+", type=Path, metavar="REPORT", help="what `scale embedded` saved")
    parser.add_argument("--save", type=Path, required=True, metavar="FILE", help="as JSON, .md, and a plot a stage")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Write and print the table, and draw the plots."""
    measurement.check_save(arguments)
    reports = sorted(map(files.read_json, arguments.reports), key=lambda one: int(one["documents"]))
    sizes, grown = [one["documents"] for one in reports], growths(reports)
    text = as_text(reports, grown)
    drawn = {stage: draw(sizes, [one for one in grown if one.stage == stage]) for stage in {one.stage for one in grown}}
    for stage, picture in sorted(drawn.items()):
        path = arguments.save.with_name(f"{arguments.save.stem}-{stage}.svg")
        files.write_bytes(path, picture)
        text += f"\n![{stage}]({path.name})\n"
    found = [{"stage": one.stage, "name": one.name, "values": one.values, "exponent": one.exponent} for one in grown]
    measurement.save(arguments.save, {"documents": sizes, "reports": reports, "growth": found}, text)
    print(text)


def growths(reports: Sequence[Mapping[str, Any]]) -> list[Growth]:
    """Return each figure that all reports have, p50 and p95 of times apart.

    Raises EvaluationError for fewer than two sizes.
    """
    sizes = [int(one["documents"]) for one in reports]
    if len(set(sizes)) < 2:
        raise EvaluationError(f"Expected reports of at least 2 sizes, got {sizes}. Measure a larger library.")
    tables = [
        {(stage, name): value for stage, found in report["stages"].items() for name, value in _figures(found)}
        for report in reports
    ]
    names = [key for key in tables[0] if all(key in table for table in tables)]
    rows = [(key, [table[key] for table in tables]) for key in sorted(names)]
    return [Growth(*key, values, exponent(sizes, values)) for key, values in rows]


def exponent(sizes: Sequence[int], values: Sequence[float]) -> float | None:
    """Return the slope of log value over log size; None where a value is not above 0."""
    if min(values) <= 0:
        return None
    return round(float(np.polyfit(np.log(sizes), np.log(values), 1)[0]), 3)


def as_text(reports: Sequence[Mapping[str, Any]], grown: Sequence[Growth]) -> str:
    """Return a table a stage: each figure at each size, its exponent, and whether it outgrows the documents."""
    heads = ["", *(f"{one['documents']:,}" for one in reports), "exponent"]
    lines = ["# How a library grows", ""]
    for name in ("hardware", "commit", "threads"):
        lines.append(f"* {name}: {', '.join(dict.fromkeys(str(one[name]) for one in reports))}")
    lines.append("")
    for stage in dict.fromkeys(one.stage for one in grown):
        rows = [
            [one.name, *(f"{value:,.3g}" for value in one.values), _told(one.exponent)]
            for one in grown
            if one.stage == stage
        ]
        lines += [f"## {stage}", "", *measurement.table(heads, rows)]
    return "\n".join(lines)


def draw(sizes: Sequence[int], grown: Sequence[Growth]) -> bytes:
    """Return a plot of figures over sizes, both as logarithms, as an SVG that is the same for the same figures."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    units = list(dict.fromkeys(_unit(one.name) for one in grown if one.exponent is not None))
    with rc_context(FIXED):
        figure = Figure(figsize=(7 * _COLUMNS, _INCHES * max(1, len(units))), layout="constrained")
        FigureCanvasSVG(figure)
        for place, unit in enumerate(units):
            axes = figure.add_subplot(len(units), 1, place + 1)
            for one in grown:
                if one.exponent is not None and _unit(one.name) == unit:
                    axes.loglog(sizes, one.values, marker=".", label=f"{one.name}: {one.exponent:.2f}")
            axes.set(xlabel="documents", ylabel=unit)
            axes.legend(frameon=False, fontsize=6, loc="center left", bbox_to_anchor=(1, 0.5))
        data = io.BytesIO()
        figure.savefig(data, format="svg", metadata={"Date": None})
    return data.getvalue()


def _figures(found: Mapping[str, Any]) -> list[tuple[str, float]]:
    rows: list[tuple[str, float]] = []
    for name, value in found.items():
        if isinstance(value, dict):
            rows += [(f"{part} of {name}", float(value[part])) for part in ("p50", "p95")]
        elif name != "load":
            rows.append((name, float(value)))
    return rows


def _unit(name: str) -> str:
    """Return what a figure is counted in: the last word of its name, or a plain number."""
    last = name.rpartition(" ")[2]
    return last if last in ("ms", "s", "GB") else "GB" if "GB" in name else "number"


def _told(found: float | None) -> str:
    return "" if found is None else f"**{found:.2f}**" if found > _FASTER else f"{found:.2f}"

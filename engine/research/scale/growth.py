"""`python -m engine.research scale growth`: how each figure grows with the library, from reports of several sizes.

The exponent is the slope of a line through the logarithms (least squares): 0 does not grow, 1 grows as the documents
do, above 1 faster than they do. `--to N` says what a line through the two largest sizes gives for N documents.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.core import files
from engine.core.errors import EvaluationError
from engine.research import measurement
from engine.research.paper.plots import FIXED

_FASTER = 1.1
"""A figure with a larger exponent grows faster than the documents do; less is noise."""
_INCHES = (14, 3.4)
_UNITS = ("ms", "s", "GB")


@dataclass(frozen=True, slots=True)
class Growth:
    """One figure of a stage at each size, p50 or p95 of times, and its exponent; None where it is 0 at any size."""

    stage: str
    name: str
    part: str
    values: Sequence[float]
    exponent: float | None

    @property
    def said(self) -> str:
        """The figure in words."""
        return self.name if self.part == "value" else f"{self.name}, {self.part}"

    @property
    def unit(self) -> str:
        """What it is counted in."""
        return next((unit for unit in _UNITS if unit in self.name.replace(",", " ").split()), "number")


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("growth", help="the exponent of each figure, from reports of several sizes")
    parser.add_argument("reports", nargs="+", type=Path, metavar="REPORT", help="what `scale embedded` saved")
    parser.add_argument("--to", type=int, metavar="N", help="also reckon the figures of N documents")
    parser.add_argument("--save", type=Path, required=True, metavar="FILE", help="as JSON, .md, and a plot a stage")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Write and print the table, and draw the plots."""
    measurement.check_save(arguments)
    reports = sorted(map(files.read_json, arguments.reports), key=lambda one: int(one["documents"]))
    counts, grown = [int(one["documents"]) for one in reports], growths(reports)
    text, found = as_text(reports, grown, arguments.to), dict[str, Any]()
    for stage in dict.fromkeys(one.stage for one in grown):
        own = [one for one in grown if one.stage == stage]
        path = arguments.save.with_name(f"{arguments.save.stem}-{stage}.svg")
        files.write_bytes(path, draw(counts, own))
        text += f"\n![{stage}]({path.name})\n"
        for one in own:
            values = dict(zip((f"{count:,}" for count in counts), one.values, strict=True)) | {"exponent": one.exponent}
            if arguments.to:
                values[f"{arguments.to:,}"] = reckoned(counts, one.values, arguments.to)
            found.setdefault(stage, {}).setdefault(one.name, {})[one.part] = values
    facts = {name: [one[name] for one in reports] for name in ("documents", "passages", "hardware")}
    report = {"commit": reports[-1]["commit"], "reports": [one.name for one in arguments.reports], **facts}
    measurement.save(arguments.save, {**report, "growth": found}, text)
    print(text)


def growths(reports: Sequence[Mapping[str, Any]]) -> list[Growth]:
    """Return each figure that all reports have, p50 and p95 of times apart.

    Raises EvaluationError for fewer than two sizes.
    """
    sizes = [int(one["documents"]) for one in reports]
    if len(set(sizes)) < 2:
        raise EvaluationError(f"Expected reports of at least 2 sizes, got {sizes}. Measure a larger library.")
    tables = [dict(_figures(one["stages"])) for one in reports]
    rows = [(key, [table[key] for table in tables]) for key in tables[0] if all(key in table for table in tables)]
    return [Growth(*key, values, exponent(sizes, values)) for key, values in rows]


def exponent(sizes: Sequence[int], values: Sequence[float]) -> float | None:
    """Return the slope of log value over log size; None where a value is not above 0."""
    if min(values) <= 0:
        return None
    return round(float(np.polyfit(np.log(sizes), np.log(values), 1)[0]), 3)


def reckoned(sizes: Sequence[int], values: Sequence[float], size: int) -> float:
    """Return the value at a size on the line through those at the two largest."""
    (one, two), (first, second) = sizes[-2:], values[-2:]
    return second + (second - first) / (two - one) * (size - two)


def as_text(reports: Sequence[Mapping[str, Any]], grown: Sequence[Growth], to: int | None = None) -> str:
    """Return a table a stage: each figure at each size, its exponent, and the figure that is reckoned."""
    sizes = [int(one["documents"]) for one in reports]
    heads = ["", *(f"{size:,}" for size in sizes), *([f"{to:,}, reckoned"] if to else []), "exponent"]
    lines = ["# How a library grows", ""]
    for name in ("hardware", "commit", "threads", "passages"):
        lines.append(f"* {name}: {', '.join(dict.fromkeys(str(one[name]) for one in reports))}")
    lines.append("")
    for stage in dict.fromkeys(one.stage for one in grown):
        own = [one for one in grown if one.stage == stage]
        rows = []
        for one in own:
            more = [reckoned(sizes, one.values, to)] if to else []
            rows.append([one.said, *(f"{value:,.4g}" for value in (*one.values, *more)), _told(one.exponent)])
        lines += [f"## {stage}", "", *measurement.table(heads, rows)]
    return "\n".join(lines)


def draw(sizes: Sequence[int], grown: Sequence[Growth]) -> bytes:
    """Return a plot of figures over sizes, both as logarithms, as an SVG that is the same for the same figures."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    drawn = [one for one in grown if one.exponent is not None]
    units = list(dict.fromkeys(one.unit for one in drawn))
    with rc_context(FIXED):
        figure = Figure(figsize=(_INCHES[0], _INCHES[1] * max(1, len(units))), layout="constrained")
        FigureCanvasSVG(figure)
        for place, unit in enumerate(units):
            axes = figure.add_subplot(len(units), 1, place + 1)
            for one in drawn:
                if one.unit == unit:
                    axes.loglog(sizes, one.values, marker=".", label=f"{one.said}: {one.exponent:.2f}")
            axes.set(xlabel="documents", ylabel=unit)
            axes.legend(frameon=False, fontsize=6, loc="center left", bbox_to_anchor=(1, 0.5))
        data = io.BytesIO()
        figure.savefig(data, format="svg", metadata={"Date": None})
    return data.getvalue()


def _figures(stages: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[tuple[str, str, str], float]]:
    """Give each figure with its stage, its name and its part; the real documents stay as they are."""
    for stage, found in stages.items():
        if stage == "real":
            continue
        for name, value in found.items():
            parts = {part: value[part] for part in ("p50", "p95")} if isinstance(value, dict) else {"value": value}
            if name != "load":
                yield from (((stage, name, part), float(number)) for part, number in parts.items())


def _told(found: float | None) -> str:
    return "" if found is None else f"**{found:.2f}**" if found > _FASTER else f"{found:.2f}"

"""The rebuilt tables as Markdown: ours with the paper's in brackets, whether its order holds, what was left out.

Digests and fingerprints are left to the JSON beside it; what a set was is said once, at the end.

Above them stands what to conclude: how much of each table's orders stands, and a reading of the figures. The reading
is conclusions.md beside this module, written by hand: a heading a paper, paragraphs with figures by their place in a
table, as {ctpe-2|arxiv-subject|CTPE|P@20}. A paragraph stands where each of its figures was measured, one without
figures where another of its paper stands. Its last heading has a line a table: why its orders do not hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.evaluation.significance import p_in_words
from engine.research.paper.tables import CHANCE, COMMIT, Claim, Line, Panel, Table

READING = Path(__file__).with_name("conclusions.md")
_REASONS = "Why"
_ALL = ("each row and column",)
MAIN: Mapping[str, tuple[str, ...]] = {
    "ctpe-2": ("P@20",),
    "ctpe-3": (),  # the rankings of table 2, by other metrics
    "ctpe-5": ("P@20",),  # and not the means over its sets
    "ctpe-6": ("P@20", "best epoch"),
    "colde-2": ("accuracy",),
    "keyvec-1": ("P@10",),
    "keyvec-2": ("F1",),
    **{f"cdssm-{number}": () for number in (2, 3, 4, 5)},  # one model at several depths: nothing about methods
    "cdssm-6": ("f1@10",),
}
"""By which figures the rankings of a table count, so that each counts once; of a table that is not here, all."""

_ONCE = (
    "Each ranking counts once, by the figure named: CTPE's table 3 has the rankings of its table 2 by other metrics, "
    "and C-DSSM's tables 2 to 5 each ask one model at several depths of its list, so they say nothing about which "
    "method is better. All orders stand below."
)
_HEADING = "# "
_PLACE = re.compile(r"\{([^{}]+)\}")
Places = Mapping[str, float]


def conclusions(tables: Sequence[Table], reading: str) -> Iterator[str]:
    """Give lines of Markdown: how much of each table's orders stands and why, then paragraphs whose figures are there.

    Each ranking counts once (`counted`).
    """
    by_paper, found = _by_paper(reading), counted(tables)
    places = _places(tables)
    reasons = dict(_filled(text, places).partition(": ")[::2] for text in by_paper.pop(_REASONS, ()))
    if found:
        heads = ("table", "counted by", "orders that hold", "pairs as in the paper", "of the others, perhaps chance")
        yield f"| {' | '.join(heads)} | why others do not hold, most likely |"
        yield "|---" * (len(heads) + 1) + "|"
        for name, one in found.items():
            cells = (f"{one['hold']} of {one['orders']}", f"{one['kept']} of {one['pairs']}")
            chance = f"{one['chance']} of {one['pairs'] - one['kept']}"
            why = "" if one["hold"] == one["orders"] else reasons.get(name, "")
            yield f"| {name} | {one['by']} | {' | '.join(cells)} | {chance} | {why} |"
        yield from ("", _ONCE, "")
    for paper, paragraphs in by_paper.items():
        filled = {paragraph: _filled(paragraph, places) for paragraph in paragraphs}
        said = [text for text in filled.values() if text]
        if any(text and text != paragraph for paragraph, text in filled.items()):
            yield from (f"**{paper}.** {said[0]}", "")
            yield from (line for text in said[1:] for line in (text, ""))


def counted(tables: Sequence[Table]) -> dict[str, dict[str, Any]]:
    """Return by table how many of its orders hold, and of how many pairs, each ranking counted once.

    "by" names what is counted, "orders" and "hold" count the orders in which the paper tells a pair apart; "pairs" are
    those that it tells apart, "kept" stand so here, and "chance" changed places perhaps by chance.
    """
    found: dict[str, dict[str, Any]] = {}
    for table in tables:
        by = MAIN.get(table.name, _ALL)
        every = [order for panel in table.panels for order in panel.orders if order.pairs]
        orders = [order for order in every if by is _ALL or order.over in by]
        if orders:
            pairs = sum(order.pairs for order in orders)
            found[table.name] = {
                "by": ", ".join(by),
                "orders": len(orders),
                "hold": sum(bool(order.holds) for order in orders),
                "pairs": pairs,
                "kept": pairs - sum(len(order.swapped) + len(order.tied) for order in orders),
                "chance": sum(len(order.uncertain) for order in orders),
            }
    return found


def _by_paper(reading: str) -> dict[str, list[str]]:
    """Return the paragraphs under each heading, in their order, each on one line."""
    found: dict[str, list[str]] = {}
    paper = ""
    for block in reading.split("\n\n"):
        text = " ".join(block.split())
        if text.startswith(_HEADING):
            paper = text.removeprefix(_HEADING)
        elif text:
            found.setdefault(paper, []).append(text)
    return found


def _places(tables: Sequence[Table]) -> dict[str, float]:
    """Return each figure of ours by its table, set, row and column, and the paper's with "paper|" before them."""
    found: dict[str, float] = {}
    for table in tables:
        for panel in table.panels:
            for line in panel.lines:
                place = f"{table.name}|{panel.data}|{line.name}"
                found |= {f"{place}|{column}": value for column, value in line.ours.items()}
                found |= {f"paper|{place}|{column}": value for column, value in line.theirs.items()}
    return found


def _filled(paragraph: str, places: Places) -> str:
    """Return the paragraph with its figures, of a ratio "a / b" the quotient; empty where one is not there."""
    asked = _PLACE.findall(paragraph)
    if any(name.strip() not in places for place in asked for name in place.split(" / ")):
        return ""
    return _PLACE.sub(lambda match: _figure_of(match[1], places), paragraph)


def _figure_of(place: str, places: Places) -> str:
    """Return three decimals without the zero before the point; of a ratio two decimals."""
    first, *under = (places[name.strip()] for name in place.split(" / "))
    if not under:
        return f"{first:.0f}" if first >= 1 else f"{first:.3f}".removeprefix("0")
    return f"{first / under[0]:.2f}" if under[0] else "0"


_LARGE, _COMMIT_SHOWN = 10_000, 8
_SHA256 = "sha256"
_FOR_MACHINES = (_SHA256, "fingerprint")
_HOLDS = {True: "holds", False: "does not hold", None: "cannot be told"}


def as_markdown(tables: Sequence[Table], circumstances: Mapping[str, object], plots: Mapping[str, str]) -> str:
    """Return every table, with the file of each panel's plot by "table panel"."""
    lines = [
        "# The papers' tables on rebuilt data",
        "",
        "Ours, with the paper's figure in brackets. The data are not the papers': compare orders, not figures.",
        "",
        "## What to conclude",
        "",
        *conclusions(tables, READING.read_text("utf-8")),
        "## Every order",
        "",
        *_summary(tables),
    ]
    for table in tables:
        lines += [f"## {table.name}: {table.title}", "", table.protocol, ""]
        for panel in table.panels:
            lines += [*_panel(panel), *_plot(plots, table, panel)]
    said = {**circumstances, **{f"sha256 of {data}": digests for data, digests in _digests(tables).items()}}
    lines += ["## Circumstances", "", *(f"* {name}: {_in_words(value)}" for name, value in said.items())]
    return "\n".join([*lines, ""])


def _summary(tables: Sequence[Table]) -> Iterator[str]:
    """Give one line an order: where the paper's holds and where not."""
    yield from ("| table | set | order of | holds | Kendall's tau | pairs | changed places |", "|---" * 7 + "|")
    for table in tables:
        for panel in table.panels:
            for order in panel.orders:
                if order.pairs:
                    tau = "" if order.tau is None else f"{order.tau:.2f}"
                    told = "yes" if order.holds else "no"
                    cells = (table.name, panel.data, order.over, told, tau, order.pairs, len(order.swapped))
                    yield "| " + " | ".join(map(str, cells)) + " |"
    yield ""


def _panel(panel: Panel) -> Iterator[str]:
    yield from (f"### {panel.data}" + (f" (the paper's {panel.beside})" if panel.beside else ""), "")
    if panel.lines:
        yield "| | " + " | ".join(panel.columns) + " |"
        yield "|---" * (1 + len(panel.columns)) + "|"
        yield from (f"| {line.label} | " + " | ".join(_cells(line, panel.columns)) + " |" for line in panel.lines)
        yield ""
    yield from (f"* {order.in_words()}" for order in panel.orders)
    yield from (f"* {_claim(claim)}" for claim in panel.claims)
    yield from (f"* left out: {', '.join(names)}: {why}" for why, names in _left_out(panel).items())
    yield from (
        f"* {name}: {_in_words(value)}" for name, value in panel.facts.items() if not name.startswith(_FOR_MACHINES)
    )
    for commit, names in _earlier(panel).items():
        yield f"* measured by an earlier run, at {commit}: {', '.join(names)}"
    learnt = [line for line in panel.lines if line.facts.get("epochs")]
    trained = [f"{line.name} {line.facts['best_epoch']} of {line.facts['epochs']}" for line in learnt]
    if trained:
        yield f"* best epoch of those trained: {', '.join(trained)}"
    yield ""


def _left_out(panel: Panel) -> dict[str, list[str]]:
    """Return the rows that are not there by the reason why."""
    names: dict[str, list[str]] = {}
    for one in panel.skipped:
        names.setdefault(one.why, []).append(one.name)
    return names


def _earlier(panel: Panel) -> dict[str, list[str]]:
    """Return the rows of earlier runs by the commit."""
    names: dict[str, list[str]] = {}
    for line in panel.lines:
        if commit := line.facts.get(COMMIT):
            names.setdefault(str(commit)[:_COMMIT_SHOWN], []).append(line.name)
    return {commit: held if len(held) < len(panel.lines) else ["all"] for commit, held in names.items()}


def _digests(tables: Sequence[Table]) -> dict[str, object]:
    """Return the digests of each set's files, from the first table that read it."""
    found: dict[str, object] = {}
    for panel in (panel for table in tables for panel in table.panels):
        if _SHA256 in panel.facts:
            found.setdefault(panel.data, panel.facts[_SHA256])
    return found


def _cells(line: Line, columns: Sequence[str]) -> Iterator[str]:
    for column in columns:
        ours = _shown(column, line.ours[column]) if column in line.ours else ""
        yield ours + (f" ({_figure(line.theirs[column])})" if column in line.theirs else "")


def _shown(column: str, value: float) -> str:
    """Return a figure, as its column has it."""
    return p_in_words(value) if column == CHANCE else _figure(value)


def _figure(value: float) -> str:
    """Write four digits; a number of more is whole, its thousands apart."""
    return f"{value:.4g}" if abs(value) < _LARGE else f"{value:,.0f}"


def _claim(claim: Claim) -> str:
    return f"{claim.said}: {_HOLDS[claim.holds]}" + (f" ({claim.figures})" if claim.figures else "")


def _plot(plots: Mapping[str, str], table: Table, panel: Panel) -> list[str]:
    file = plots.get(f"{table.name} {panel.data}")
    return [f"![{table.name} on {panel.data}]({file})", ""] if file else []


def _in_words(value: object) -> str:
    return ", ".join(f"{key} {item}" for key, item in value.items()) if isinstance(value, Mapping) else str(value)

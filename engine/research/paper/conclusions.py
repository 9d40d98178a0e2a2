"""What to conclude from the rebuilt tables: how much of each paper's orders stands, and a reading of the figures.

The reading is conclusions.md beside this module, written by hand: a heading a paper, paragraphs with figures by their
place in a table, as {ctpe-2|arxiv-subject|CTPE|P@20}. A paragraph stands where each of its figures was measured, one
without figures where another of its paper stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from engine.research.paper.tables import Order, Table

READING = Path(__file__).with_name("conclusions.md")
_PAPERS = {"ctpe": "CTPE", "colde": "CoLDE", "keyvec": "KeyVec", "cdssm": "C-DSSM"}
_HEADING = "# "
_PLACE = re.compile(r"\{([^{}]+)\}")
Places = Mapping[str, float]


def conclusions(tables: Sequence[Table], reading: str) -> Iterator[str]:
    """Lines of Markdown: a table of the orders that stand, by paper, then the paragraphs whose figures are there."""
    counted = {name: _orders(tables, paper) for paper, name in _PAPERS.items()}
    if any(counted.values()):
        yield from (
            "| | orders that hold whole | pairs as in the paper | of the others, perhaps chance |",
            "|---" * 4 + "|",
        )
        for name, orders in counted.items():
            if orders:
                pairs, kept, chance = _pairs(orders)
                whole = sum(bool(order.holds) for order in orders)
                yield f"| {name} | {whole} of {len(orders)} | {kept} of {pairs} | {chance} of {pairs - kept} |"
        yield ""
    places = _places(tables)
    for paper, paragraphs in _by_paper(reading).items():
        filled = {paragraph: _filled(paragraph, places) for paragraph in paragraphs}
        said = [text for text in filled.values() if text]
        if any(text and text != paragraph for paragraph, text in filled.items()):
            yield from (f"**{paper}.** {said[0]}", "")
            yield from (line for text in said[1:] for line in (text, ""))


def _orders(tables: Sequence[Table], paper: str) -> list[Order]:
    """Every order of a paper's tables in which the paper tells a pair apart."""
    of = (panel for table in tables if table.name.partition("-")[0] == paper for panel in table.panels)
    return [order for panel in of for order in panel.orders if order.pairs]


def _pairs(orders: Sequence[Order]) -> tuple[int, int, int]:
    """How many pairs the paper tells apart, how many stand so here, and how many changed places perhaps by chance."""
    pairs = sum(order.pairs for order in orders)
    kept = pairs - sum(len(order.swapped) + len(order.tied) for order in orders)
    return pairs, kept, sum(len(order.uncertain) for order in orders)


def _by_paper(reading: str) -> dict[str, list[str]]:
    """The paragraphs under each heading, in their order, each on one line."""
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
    """Each figure of ours by its table, set, row and column, and the paper's with "paper|" before them."""
    found: dict[str, float] = {}
    for table in tables:
        for panel in table.panels:
            for line in panel.lines:
                place = f"{table.name}|{panel.data}|{line.name}"
                found |= {f"{place}|{column}": value for column, value in line.ours.items()}
                found |= {f"paper|{place}|{column}": value for column, value in line.theirs.items()}
    return found


def _filled(paragraph: str, places: Places) -> str:
    """The paragraph with its figures, of a ratio "a / b" the quotient; empty where one is not there."""
    asked = _PLACE.findall(paragraph)
    if any(name.strip() not in places for place in asked for name in place.split(" / ")):
        return ""
    return _PLACE.sub(lambda match: _figure(match[1], places), paragraph)


def _figure(place: str, places: Places) -> str:
    """Three decimals without the zero before the point; of a ratio two decimals."""
    first, *under = (places[name.strip()] for name in place.split(" / "))
    if not under:
        return f"{first:.0f}" if first >= 1 else f"{first:.3f}".removeprefix("0")
    return f"{first / under[0]:.2f}" if under[0] else "0"

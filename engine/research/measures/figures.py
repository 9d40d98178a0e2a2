"""Hold the figures of a text to the reports that they come from: `python -m engine.research figures --write`.

`figures.toml` names the cell of a report that each figure of a table or sentence is. A cell is a JMESPath expression
over the report's JSON, as in `match-acl-long: encoders.tfidf.auc`; a name with a slash is a card's, as in
`pretrained/judge/card: facts.epochs`; `A over B` divides one by another. How a figure is written (decimals, per cent,
thousands, the zero before the point) follows the text.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jmespath

from engine.core.errors import ConfigError, EvaluationError

PROJECT = Path(__file__).resolve().parents[3]
SOURCES = Path(__file__).with_name("figures.toml")
REPORTS = Path(__file__).resolve().parents[1] / "reports"

FIGURE = r"(?:\d[\d,]*)?(?:\.\d+)|\d[\d,]*"
_BREAK = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure where it stands in a text, and the cell that it is."""

    text: Path
    place: slice
    written: str
    is_share: bool
    cell: str

    @property
    def expected(self) -> str:
        """The cell's value, written as this text writes it; one that lies halfway between two may be either."""
        value = value_of(self.cell) * (100 if self.is_share else 1)
        decimals = len(self.written.partition(".")[2])
        if abs(float(self.written.replace(",", "")) - value) <= 0.5 * 10**-decimals + _HALFWAY:
            return self.written
        plain = f"{value:,.{decimals}f}" if "," in self.written or value >= _GROUPED else f"{value:.{decimals}f}"
        return plain.removeprefix("0") if self.written.startswith(".") else plain


_GROUPED = 10_000
"""Numbers of this size are written with a comma for each thousand; smaller ones as the text has them."""
_HALFWAY = 1e-9


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare every figure that `figures.toml` names with its cell, or write the cells into the texts.

    Raises EvaluationError if they differ.
    """
    parser = argparse.ArgumentParser(prog="python -m engine.research figures", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the figures instead of comparing them")
    found = list(figures())
    wrong = [figure for figure in found if figure.written != figure.expected]
    if parser.parse_args(arguments).write:
        write(wrong)
        print(f"Wrote {len(wrong)} of {len(found)} figures.")
    elif wrong:
        told = "\n".join(
            f"  {one.text.relative_to(PROJECT)}: {one.written} is {one.expected} in {one.cell}" for one in wrong
        )
        raise EvaluationError(
            f"Expected each figure as its report has it; {len(wrong)} differ:\n{told}\n"
            "Write them: python -m engine.research figures --write"
        )
    else:
        print(f"All {len(found)} figures are what their reports say.")


def figures() -> Iterator[Figure]:
    """Yield every figure that `figures.toml` names.

    Raises ConfigError if a text lacks such a table, row or sentence.
    """
    for name, of_text in tomllib.loads(SOURCES.read_text("utf-8")).items():
        path = PROJECT / name
        text = path.read_text("utf-8")
        for table in of_text.get("tables", ()):
            yield from _of_table(path, text, table)
        for sentence in of_text.get("sentences", ()):
            yield from _of_sentence(path, text, sentence)


def write(found: Sequence[Figure]) -> None:
    """Write figures as they are expected into their texts."""
    for path in {figure.text for figure in found}:
        text = path.read_text("utf-8")
        here = (figure for figure in found if figure.text == path)
        for figure in sorted(here, key=lambda one: one.place.start, reverse=True):
            text = text[: figure.place.start] + figure.expected + text[figure.place.stop :]
        path.write_text(text, "utf-8")


def value_of(cell: str) -> float:
    """Return the number that a cell holds.

    Raises ConfigError if the report is missing, or holds no number there.
    """
    parts = [_number(part) for part in cell.split(" over ")]
    return parts[0] if len(parts) == 1 else parts[0] / parts[1]


def _number(cell: str) -> float:
    name, is_cell, expression = cell.partition(": ")
    if not is_cell:
        return float(cell)
    found = jmespath.search(expression, _report(name))
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise ConfigError(f"Expected a number at {cell!r} (figures.toml); found {found!r}.")
    return float(found)


@cache
def _report(name: str) -> Any:  # noqa: ANN401  a report's JSON
    path = (PROJECT if "/" in name else REPORTS) / f"{name}.json"
    if not path.is_file():
        raise ConfigError(f"Expected a report named in figures.toml; {path.name} is not there.")
    return json.loads(path.read_text("utf-8"))


def _of_sentence(path: Path, text: str, sentence: Mapping[str, Any]) -> Iterator[Figure]:
    """Find a sentence by its words; `{}` stands for each of its figures, and any space for a line's end, too."""
    words, cells = sentence["says"], sentence["of"]
    pattern = rf"({FIGURE})".join(r"\s+".join(map(re.escape, _BREAK.split(part))) for part in words.split("{}"))
    found = list(re.finditer(pattern, text))
    if len(found) != 1 or found[0].re.groups != len(cells):
        raise ConfigError(f"Expected once in {path.name}, with {len(cells)} figures (figures.toml): {words!r}.")
    for number, cell in enumerate(cells, 1):
        yield _figure(path, text, found[0].span(number), cell)


def _of_table(path: Path, text: str, table: Mapping[str, Any]) -> Iterator[Figure]:
    """Find a table by how it begins and its rows by their first cells.

    In a row's cell `COLUMN` stands for a column's name, up to a bracket, and `METRIC` for each metric of the table.
    """
    start = text.find(f"\n{table['head']}") + 1
    if not start:
        raise ConfigError(f"Expected a table in {path.name} that begins {table['head']!r} (figures.toml).")
    lines = text[start : text.find("\n\n", start)].splitlines(keepends=True)
    columns = [cell.strip().partition(" (")[0] for cell in lines[0].split("|")[2:-1]]
    missing = dict(table["rows"])
    for number, line in enumerate(lines):
        cell = missing.pop(line.split("|")[1].strip(), None)
        if cell is None:
            continue
        at = start + sum(map(len, lines[:number])) + line.index("|", 1) + 1
        for column, shown in zip(columns, line.split("|")[2:-1], strict=True):
            named = cell.replace("COLUMN", column)
            is_of_it = column in table.get("columns", columns)
            spans = [found.span() for found in re.finditer(FIGURE, shown) if is_of_it]
            if spans and len(spans) != len(table["metrics"]):
                raise ConfigError(f"Expected {len(table['metrics'])} figures in {shown!r} of {path.name}.")
            for (first, last), metric in zip(spans, table["metrics"] if spans else (), strict=True):
                yield _figure(path, text, (at + first, at + last), _in_metric(named, metric))
            at += len(shown) + 1
    if missing:
        raise ConfigError(f"Expected rows in {path.name}'s table {table['head']!r}: {', '.join(missing)}.")


def _in_metric(cell: str, metric: str) -> str:
    """Fill in a metric: as a key in quotes, or as a text that is compared with."""
    return cell.replace("'METRIC'", f"'{metric}'").replace("METRIC", f'"{metric}"')


def _figure(path: Path, text: str, span: tuple[int, int], cell: str) -> Figure:
    first, last = span
    return Figure(path, slice(first, last), text[first:last], text[last : last + 2] == " %", cell)

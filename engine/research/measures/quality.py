"""Make engine/evaluation/quality.json, from which pages show quality: `python -m engine.research quality --write`.

Every figure comes from the saved reports of rankings. Without --write the command says whether the file is up to date.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine import encoders
from engine.core.errors import EvaluationError
from engine.evaluation import DEFAULT_ROW, KEYWORDS_ROW, MeasuredQuality, row_fingerprint
from engine.evaluation.quality import FILE, Quality

REPORTS = Path(__file__).resolve().parents[1] / "reports"
RECIPES = Path(__file__).resolve().parents[2] / "training" / "recipes"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the file, or compare it with the reports.

    Raises EvaluationError if they differ.
    """
    parser = argparse.ArgumentParser(prog="python -m engine.research quality", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the file instead of comparing it")
    made = as_json(gathered())
    if parser.parse_args(arguments).write:
        FILE.write_text(made, "utf-8")
        print(f"Wrote {FILE}.")
    elif made != FILE.read_text("utf-8"):
        raise EvaluationError(
            f"Expected {FILE.name} to hold what the reports say; it differs. "
            "Write it: python -m engine.research quality --write"
        )
    else:
        print(f"{FILE.name} is what the reports say.")


def gathered(reports: Path = REPORTS) -> Quality:
    """Return what the reports in a folder say of rankings and encoders, with the commands of the recipes."""
    read = [report for path in sorted(reports.glob("*.json")) for report in _of_rankings(path)]
    results = {name: tuple(_results(read, name)) for name in (DEFAULT_ROW, KEYWORDS_ROW, *encoders.encoder_names())}
    recipes = {name: recipe_command(name) for name in encoders.encoder_names()}
    return Quality(
        results={name: found for name, found in results.items() if found},
        recipes={name: command for name, command in recipes.items() if command},
        documents_per_second=_lowest_rates(read),
    )


def as_json(quality: Quality) -> str:
    """Return the file's text: one line a result, so that a change shows in a diff."""
    lines = ["{", '"results": {']
    for place, (name, results) in enumerate(quality.results.items(), 1):
        lines.append(f"{json.dumps(name)}: [")
        lines.append(",\n".join(json.dumps(asdict(result), ensure_ascii=False) for result in results))
        lines.append("]" if place == len(quality.results) else "],")
    rest = {"recipes": quality.recipes, "documents_per_second": quality.documents_per_second}
    return "\n".join([*lines, "},", json.dumps(rest, indent=1, sort_keys=True)[2:], ""])


def _of_rankings(path: Path) -> Iterator[dict[str, Any]]:
    """Give the report in a file if it is a report of rankings; without a benchmark's name, it gets the file's name."""
    report = json.loads(path.read_text("utf-8"))
    if isinstance(report, dict) and isinstance(report.get("encoders"), dict):
        rows = {name: figures for name, figures in report["encoders"].items() if isinstance(figures, dict)}
        yield {"benchmark": path.stem, **report, "encoders": rows, "is_measured": "benchmark" in report}


def _results(reports: Sequence[Mapping[str, Any]], name: str) -> list[MeasuredQuality]:
    """Return a row's results by benchmark, from the first report of each; leaves out weights that are not shipped.

    Reports of different processors differ in the fourth decimal.
    """
    present = _present(name)
    found: dict[tuple[object, ...], MeasuredQuality] = {}
    for report in reports:
        row = report["encoders"].get(name, {})
        figures = {measure: row[measure] for measure in MeasuredQuality.MEASURES if isinstance(row.get(measure), float)}
        if figures and (not present or row.get("fingerprint", present) == present):
            result = MeasuredQuality(
                benchmark=report["benchmark"],
                part=report.get("part") or "",
                queries=report.get("queries") or 0,
                own_works_hidden=bool(report.get("queries_own_works_hidden")),
                fingerprint=present,
                figures=figures,
                bm25=report["encoders"].get("bm25", {}).get(MeasuredQuality.MEASURES[0]),
            )
            asked = (result.benchmark, result.part, result.queries, result.own_works_hidden)
            found.setdefault(asked, result)
    return sorted(found.values(), key=lambda result: json.dumps(asdict(result)))


def _present(name: str) -> str:
    """Return the fingerprint of a row as it is shipped; empty for an encoder that learns from the library."""
    if name in (DEFAULT_ROW, KEYWORDS_ROW):
        return row_fingerprint(name, encoders.find(encoders.DEFAULT).card, passages=False, mixed=False)
    return encoders.find(name).card.fingerprint


def _lowest_rates(reports: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return documents a second of each row, the lowest in any report, so that no page promises too short a wait."""
    rates: dict[str, float] = {}
    for report in reports:
        for name, figures in report["encoders"].items() if report["is_measured"] else ():
            rate = figures.get("documents_per_second")
            if isinstance(rate, int | float) and rate > 0:
                rates[name] = min(rate, rates.get(name, rate))
    return rates


def recipe_command(name: str) -> str:
    """Return the command that trains a shipped encoder, as its recipe's header gives it; empty for any other encoder.

    If several recipes train it, picks the one whose values the card mostly holds: these weights came from it. Weights
    between two have no recipe, so no single command makes them.
    """
    folder, facts = encoders.find(name).folder, encoders.find(name).facts
    if folder is None or "between" in facts:
        return ""
    used = _leaves(facts.get("recipe", {}))
    commands: list[tuple[int, str]] = []
    for path in sorted(RECIPES.glob("*.toml")):
        text = path.read_text("utf-8")
        place, agreed = f"--out pretrained/{folder.name} ", len(used & _leaves(tomllib.loads(text)))
        headers = [line.strip("# ") for line in text.splitlines() if line.startswith("#")]
        commands += [(agreed, line) for line in headers if place in f"{line} "]
    return max(commands, default=(0, ""), key=lambda found: found[0])[1]


def _leaves(values: Mapping[str, Any], place: str = "") -> set[str]:
    """Return every plain value of nested tables under its full name, as text."""
    found: set[str] = set()
    for key, value in values.items():
        name = f"{place}{key}"
        found |= _leaves(value, f"{name}.") if isinstance(value, Mapping) else {f"{name} = {json.dumps(value)}"}
    return found


if __name__ == "__main__":
    main()

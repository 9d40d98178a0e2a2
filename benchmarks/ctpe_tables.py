"""CTPE's tables 4 to 6 on rebuilt data: `python -m benchmarks.ctpe_tables --data DIR --runs DIR`.

DIR of --data holds the benchmarks' folders. Each table trains small models of the paper's own form on a benchmark's
corpus: table 4 several embedding models (their average, the untrained CTPE_0, and CTPE), table 5 five positions of
the cut, table 6 two ways to draw negatives. The best epoch is chosen on the valid queries; --queries says on which
ones the figures are. What is trained stays in --runs and is found there again, so a run that was stopped goes on.

An epoch over 20,000 documents with 128 channels takes some 15 s on two cores, and its score on the valid queries as
long; MiniLM reads a corpus for minutes and is left out unless --embeddings names it.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.ctpe_runs import EMBEDDINGS, FULL, MINILM, SENTENCES, Cell, Runs, Size
from engine import files, provenance
from engine.errors import EvaluationError
from engine.evaluation.benchmarks import PARTS
from engine.evaluation.paper.published import ctpe as published

BESIDE = {SENTENCES: "Skip-thoughts", MINILM: "BERT"}
"""The paper's row that an embedding model of ours stands beside where it is another model."""

Table = list[dict[str, Any]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and measure the tables asked for, print them and save them after each benchmark."""
    given = _parser().parse_args(arguments)
    files.check_writable(given.save)
    unknown = [name for name in given.embeddings if name not in EMBEDDINGS]
    if unknown:
        raise EvaluationError(f"Expected embeddings among {', '.join(EMBEDDINGS)}; got {', '.join(unknown)}.")
    size = Size(
        given.channels, given.epochs, given.patience, given.documents, given.queries, given.seed, tuple(given.settings)
    )
    report: dict[str, Any] = {"size": asdict(size), "benchmarks": {}, **_circumstances(given)}
    for name in given.benchmarks:
        runs = Runs(given.data, name, given.runs, size)
        tables: dict[str, Table] = {}
        makers: Mapping[int, Callable[[], Table]] = {
            4: lambda runs=runs: table_4(runs, given.embeddings),
            5: lambda runs=runs: table_5(runs),
            6: lambda runs=runs: table_6(runs),
        }
        for number in given.tables:
            tables[f"table {number}"] = makers[number]()
        report["benchmarks"][name] = {"sha256": dict(runs.benchmark.sha256), **tables}
        files.write_json(given.save, report)
        files.write_bytes(given.save.with_suffix(".md"), as_markdown(report).encode())
    print(as_markdown(report))


def table_4(runs: Runs, embeddings: Sequence[str]) -> Table:
    """F1@20 of the average, CTPE_0 and CTPE on each embedding model."""
    rows = []
    for embedding in embeddings:
        cells = [
            runs.average(embedding),
            runs.ctpe(f"CTPE_0 {embedding}", embedding=embedding, epochs=0),
            runs.ctpe(f"CTPE {embedding}", embedding=embedding),
        ]
        theirs = published.TABLE_4.get(BESIDE.get(embedding, embedding), {}).get(_paper(runs), ())
        ours = [cell.metrics["F1@20"] for cell in cells]
        rows.append(
            {
                "embedding": embedding,
                "beside": BESIDE.get(embedding, embedding),
                "F1@20": dict(zip(published.METHODS, ours, strict=True)),
                "paper": dict(zip(published.METHODS, theirs, strict=False)),
                "order_holds": _same_order(ours, theirs),
                "cells": [asdict(cell) for cell in cells],
            }
        )
    return rows


def table_5(runs: Runs) -> Table:
    """P, R and F1 at 20 with the cut at five positions, and whether F1 puts the positions in the paper's order."""
    cells = {place: _positioned(runs, place) for place in published.TABLE_5}
    theirs = {place: row.get(_paper(runs)) for place, row in published.TABLE_5.items()}
    f1 = [row.f1 for row in theirs.values() if row is not None]
    holds = _same_order([cell.metrics["F1@20"] for cell in cells.values()], f1)
    return [
        {
            "position": place,
            **{name: cell.metrics[name] for name in ("P@20", "R@20", "F1@20")},
            "paper": asdict(row) if (row := theirs[place]) else {},
            "order_holds": holds,
            "cells": [asdict(cell)],
        }
        for place, cell in cells.items()
    ]


def table_6(runs: Runs) -> Table:
    """P and R at 20 and the best epoch with both ways to draw negatives, and which is ahead in each."""
    cells = {"CTPE_T": runs.ctpe("CTPE_T", settings=['objective.sampling="tfidf"']), "CTPE": _positioned(runs)}
    theirs = {name: row.get(_paper(runs)) for name, row in published.TABLE_6.items()}
    by_precision = [row.p for row in theirs.values() if row is not None]
    by_epochs = [float(row.epochs) for row in theirs.values() if row is not None]
    return [
        {
            "sampling": name,
            "P@20": cell.metrics["P@20"],
            "R@20": cell.metrics["R@20"],
            "epochs": cell.best_epoch,
            "paper": asdict(row) if (row := theirs[name]) else {},
            "order_holds": _same_order([one.metrics["P@20"] for one in cells.values()], by_precision),
            "epochs_order_holds": _same_order([float(one.best_epoch or 0) for one in cells.values()], by_epochs),
            "cells": [asdict(cell)],
        }
        for name, cell in cells.items()
    ]


def as_markdown(report: Mapping[str, Any]) -> str:
    """Every table of every benchmark, ours beside the paper's, and the circumstances."""
    lines = ["# CTPE's tables 4 to 6 on rebuilt data", "", "A figure of the paper stands in brackets.", ""]
    for name, benchmark in report["benchmarks"].items():
        lines += [f"## {name} (the paper's {published.DATASETS.get(name, 'sets: none')})", ""]
        for number, lines_of in ((4, _lines_4), (5, _lines_5), (6, _lines_6)):
            if f"table {number}" in benchmark:
                lines += [f"Table {number}", "", *lines_of(benchmark[f"table {number}"]), ""]
    shown = ("command", "size", "commit", "hardware")
    return "\n".join([*lines, *(f"* {name}: {report[name]}" for name in shown), ""])


def _lines_4(rows: Table) -> list[str]:
    heads = ["embedding model, F1@20", *published.METHODS, "the paper's order holds"]
    lines = _table(heads, [[_row_name(row), *_beside(row["F1@20"], row["paper"]), row["order_holds"]] for row in rows])
    beside = [row for row in rows if row["paper"]]
    for better, worse in (("CTPE", "avg"), ("CTPE", "CTPE_0"), ("avg", "CTPE_0")):
        ours = sum(row["F1@20"][better] > row["F1@20"][worse] for row in rows)
        theirs = sum(row["paper"][better] > row["paper"][worse] for row in beside)
        lines.append(f"* {better} above {worse}: {ours} of {len(rows)}; in the paper {theirs} of {len(beside)}")
    return lines


def _lines_5(rows: Table) -> list[str]:
    lines = _table(["position", "P@20", "R@20", "F1@20"], [[row["position"], *_beside_5(row)] for row in rows])
    ours = sorted(rows, key=lambda row: -row["F1@20"])
    lines.append(f"* by F1@20: {', '.join(row['position'] for row in ours)}")
    if rows[0]["paper"]:
        theirs = sorted(rows, key=lambda row: -row["paper"]["f1"])
        lines.append(f"* in the paper: {', '.join(row['position'] for row in theirs)}")
    return [*lines, f"* the paper's order holds: {_say(rows[0]['order_holds'])}"]


def _lines_6(rows: Table) -> list[str]:
    heads = ["negatives", "P@20", "R@20", "best epoch"]
    return [
        *_table(heads, [[row["sampling"], *_beside_6(row)] for row in rows]),
        f"* the paper's order by P@20 holds: {_say(rows[0]['order_holds'])}",
        f"* the paper's order by epochs holds: {_say(rows[0]['epochs_order_holds'])}",
    ]


def _positioned(runs: Runs, position: str = "meaningful") -> Cell:
    """CTPE with the cut at a position; tables 4 to 6 share the meaningful one."""
    if position == "meaningful":
        return runs.ctpe(f"CTPE {FULL}")
    return runs.ctpe(f"CTPE {position.replace('%', ' percent')}", settings=[f'pairs.position="{position}"'])


def _paper(runs: Runs) -> str:
    return published.DATASETS.get(runs.name, "")


def _same_order(ours: Sequence[float], theirs: Sequence[float]) -> bool | None:
    """Whether both put the same things in the same order, largest first; None where the paper has none of it."""
    if len(ours) != len(theirs):
        return None
    places = range(len(ours))
    return sorted(places, key=lambda place: -ours[place]) == sorted(places, key=lambda place: -theirs[place])


def _row_name(row: Mapping[str, Any]) -> str:
    own, other = row["embedding"], row["beside"]
    return own if own == other else f"{own} (beside the paper's {other})"


def _beside(ours: Mapping[str, float], theirs: Mapping[str, float]) -> list[str]:
    return [f"{value:.4f}" + (f" ({theirs[name]:.4f})" if name in theirs else "") for name, value in ours.items()]


def _beside_5(row: Mapping[str, Any]) -> list[str]:
    names = {"P@20": "p", "R@20": "r", "F1@20": "f1"}
    ours = {short: row[name] for name, short in names.items()}
    return _beside(ours, row["paper"])


def _beside_6(row: Mapping[str, Any]) -> list[str]:
    epochs = f"{row['epochs']}" + (f" ({row['paper']['epochs']})" if row["paper"] else "")
    return [*_beside({"p": row["P@20"], "r": row["R@20"]}, row["paper"]), epochs]


def _table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    return [*lines, *("| " + " | ".join(_say(cell) for cell in row) + " |" for row in rows), ""]


def _say(value: object) -> str:
    return (
        {True: "yes", False: "no", None: "no such row there"}.get(value, str(value))
        if not isinstance(value, str)
        else value
    )


def _circumstances(given: argparse.Namespace) -> dict[str, str]:
    """The command without the folders of one machine, the commit and the machine."""
    options = [("benchmarks", given.benchmarks), ("tables", map(str, given.tables)), ("embeddings", given.embeddings)]
    words = [word for name, values in options for word in (f"--{name}", *values)]
    names = ("channels", "epochs", "patience", "documents", "queries", "seed")
    words += [word for name in names for word in (f"--{name}", str(getattr(given, name)))]
    words += [word for setting in given.settings for word in ("--set", setting)]
    command = shlex.join(["python", "-m", "benchmarks.ctpe_tables", "--data", "DIR", "--runs", "DIR", *words])
    return {"command": command, "commit": provenance.commit(), "hardware": provenance.hardware()}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="holds one folder a benchmark")
    parser.add_argument("--runs", type=Path, required=True, metavar="DIR", help="keeps what is trained")
    parser.add_argument("--benchmarks", nargs="+", metavar="NAME", default=["arxiv-subject", "patents-citation"])
    parser.add_argument("--tables", nargs="+", type=int, choices=(4, 5, 6), default=[4, 5, 6])
    named = [name for name in EMBEDDINGS if name != MINILM]
    parser.add_argument("--embeddings", nargs="+", metavar="NAME", default=named, help=f"of {', '.join(EMBEDDINGS)}")
    parser.add_argument("--channels", type=int, default=Size.channels, help="n_f; the paper's is 1024")
    parser.add_argument("--epochs", type=int, default=Size.epochs, help="at most so many")
    parser.add_argument("--patience", type=int, default=Size.patience, help="epochs without a better score (0: all)")
    parser.add_argument("--documents", type=int, default=0, help="to train on, evenly drawn (0: the whole corpus)")
    parser.add_argument("--queries", choices=PARTS, default=Size.part, help="that are reported (default: test)")
    parser.add_argument("--seed", type=int, default=Size.seed)
    parser.add_argument(
        "--set", dest="settings", action="append", default=[], metavar="KEY=VALUE", help="of the recipe"
    )
    parser.add_argument("--save", type=Path, default=Path("benchmarks/reports/ctpe-tables.json"))
    return parser


if __name__ == "__main__":
    main()

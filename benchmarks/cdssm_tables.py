"""C-DSSM's tables on rebuilt data: `python -m benchmarks.cdssm_tables --data DIR --encoders NAME[=FOLDER],...`.

DIR of --data holds the benchmarks' folders. Precision, recall and F1 at 1 to 50 are the paper's
(section III), with its figures beside the rows that stand for its tables: "lda", "cdssm-two-towers", "cdssm-trigrams"
and "cdssm-words", by these names, as in `--encoders lda,cdssm-words=FOLDER`. The paper asked BioASQ's questions of
PubMed's abstracts, so its figures are of another collection: what can hold here is the order of the four rows.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.writing import as_list, circumstances, save, table
from engine.cli.terminal import bar
from engine.evaluation.benchmarks import CORPUS, PARTS, Benchmark, load_benchmark
from engine.evaluation.measure import rank, score
from engine.evaluation.metrics import CDSSM, CDSSM_DEPTHS
from engine.evaluation.paper.published import cdssm as published
from engine.evaluation.report import check_place
from engine.evaluation.systems import name_of, prepare, rows_of, without_place

SETS = ("arxiv-subject", "acm-citation", "patents-citation")
_COMPARED = ("f1@1-cdssm", "f1@5-cdssm", "f1@10-cdssm")
"""The paper's table 6 compares the four by these."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every row on every benchmark, print the tables and save them after each benchmark."""
    given = _parser().parse_args(arguments)
    rows = rows_of(given.encoders)
    check_place(given.save)
    report: dict[str, Any] = {
        "part": given.queries,
        "benchmarks": {},
        **circumstances("cdssm_tables", _command(given, rows)),
    }
    for name in given.benchmarks:
        benchmark = load_benchmark(given.data / name, part=given.queries)
        measured = {name_of(row): measure(benchmark, row, cache=given.cache) for row in rows}
        report["benchmarks"][name] = {
            "queries": len(benchmark.queries),
            "documents": len(benchmark.corpus),
            "sha256": dict(benchmark.sha256),
            "order_holds": order_holds({row: one["metrics"] for row, one in measured.items()}),
            "encoders": measured,
        }
        save(given.save, report, as_markdown(report))
    print(as_markdown(report))


def measure(benchmark: Benchmark, row: str, *, cache: Path | None) -> dict[str, Any]:
    """The paper's metrics of one row; `cache` keeps rows as `priorscope evaluate --cache` does."""
    keep = None if cache is None else cache / benchmark.sha256[CORPUS]
    prepared = prepare(row, benchmark.corpus, keep=keep, report=bar())
    metrics, _ = score(rank(benchmark, prepared), benchmark, metrics=CDSSM)
    return {"fingerprint": prepared.fingerprint, "metrics": {name: round(value, 4) for name, value in metrics.items()}}


def order_holds(figures: Mapping[str, Mapping[str, float]]) -> dict[str, bool | None]:
    """Whether the rows that stand for the paper's tables are in its order, worst first; None with fewer than two."""
    present = [row for row in published.ROWS if row in figures]
    if len(present) < 2:
        return dict.fromkeys(_COMPARED)
    values = {name: [figures[row][name] for row in present] for name in _COMPARED}
    return {name: all(a < b for a, b in pairwise(of)) for name, of in values.items()}


def as_markdown(report: Mapping[str, Any]) -> str:
    """A table a benchmark and metric, ours with the paper's in brackets, and whether its order holds."""
    lines = ["# C-DSSM's metrics", "", "A figure of the paper, which is of another collection, stands in brackets.", ""]
    for name, benchmark in report["benchmarks"].items():
        size = f"{benchmark['queries']:,} queries ({report['part']}), {benchmark['documents']:,} documents"
        lines += [f"## {name}: {size}", ""]
        for metric in ("f1", "precision", "recall"):
            lines += _table(metric, benchmark["encoders"])
        for metric, holds in benchmark["order_holds"].items():
            said = {True: "holds", False: "does not hold", None: "cannot be told: fewer than two of its rows"}[holds]
            lines.append(f"* {_plain(metric)}: the paper's order {' < '.join(published.ROWS)} {said}")
        lines.append("")
    prints = {row: one["fingerprint"] for of in report["benchmarks"].values() for row, one in of["encoders"].items()}
    lines.append("* fingerprints on the last benchmark: " + ", ".join(f"{row} {one}" for row, one in prints.items()))
    return "\n".join([*lines, *as_list({name: report[name] for name in ("command", "commit", "hardware")}), ""])


def _table(metric: str, measured: Mapping[str, Mapping[str, Any]]) -> list[str]:
    columns = [f"{metric}@{k}-cdssm" for k in CDSSM_DEPTHS]
    rows = []
    for row, one in measured.items():
        theirs = published.FIGURES.get(row, {})
        cells = [f"{one['metrics'][name]:.3f}" + (f" ({theirs[name]:.3f})" if theirs else "") for name in columns]
        rows.append([f"{row} ({published.ROWS[row]})" if row in published.ROWS else row, *cells])
    return table([metric, *(f"@{k}" for k in CDSSM_DEPTHS)], rows)


def _plain(metric: str) -> str:
    return metric.removesuffix("-cdssm")


def _command(given: argparse.Namespace, rows: Sequence[str]) -> list[str]:
    encoders = ",".join(map(without_place, rows))
    return ["--data", "DIR", "--encoders", encoders, "--benchmarks", *given.benchmarks, "--queries", given.queries]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="holds one folder a benchmark")
    parser.add_argument("--encoders", required=True, metavar="NAMES", help="as in `priorscope evaluate`, with commas")
    parser.add_argument("--benchmarks", nargs="+", metavar="NAME", default=list(SETS))
    parser.add_argument("--queries", choices=PARTS, default="all", help="which queries to ask (default: all)")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keep the rows of each encoder and corpus here")
    parser.add_argument("--save", type=Path, default=Path("benchmarks/reports/cdssm-tables.json"))
    return parser


if __name__ == "__main__":
    main()

"""`python -m engine.research bench compare`: planted passages, roles of sections, and speed of comparisons."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.cli import options
from engine.cli.terminal import bar
from engine.core.errors import EvaluationError
from engine.research.bench import output
from engine.research.bench.comparing import CompareSpeed, measure_comparing
from engine.research.bench.planted import Plan, Planted, measure_planted
from engine.research.bench.roles import RoleAgreement, measure_roles
from engine.research.matching.pair_set import PairSet, load_pair_set
from engine.training.long_corpus import SPLITS
from engine.workspace import COMPARE_ENCODER, Workspace

if TYPE_CHECKING:
    from engine.compare import Words
    from engine.encoders.colde import ColdeEncoder

_PARTS = ("planted", "roles", "speed")


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("compare", help="planted passages, roles of sections, and speed of comparisons")
    parser.add_argument(
        "--pairs", metavar="FILE", type=Path, required=True, help="a pairs.tsv with corpus.parquet beside it"
    )
    parser.add_argument(
        "--encoder", metavar="NAME", default=COMPARE_ENCODER, help=f"a name, or a folder (default: {COMPARE_ENCODER})"
    )
    parser.add_argument(
        "--what", metavar="PARTS", default=",".join(_PARTS), help=f"among {','.join(_PARTS)} (default: all)"
    )
    parser.add_argument("--split", choices=SPLITS, default="test", help="which pairs (default: test)")
    parser.add_argument("--most", type=int, default=200, metavar="N", help="how many pairs of each kind (default: 200)")
    parser.add_argument("--words", type=int, default=80, metavar="N", help="of a planted paragraph (default: 80)")
    parser.add_argument("--length", type=int, default=8_000, metavar="N", help="words of a timed text (default: 8000)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="how often each is timed (default: 5)")
    parser.add_argument("--seed", type=int, default=0, help="which pairs and paragraphs are drawn (default: 0)")
    options.add_library(parser)
    output.add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure what was asked for and print the report."""
    parts = [part.strip() for part in arguments.what.split(",") if part.strip()]
    if not parts or set(parts) - set(_PARTS):
        raise EvaluationError(f"Expected measurements among {', '.join(_PARTS)}, got {arguments.what!r}.")
    output.check_place(arguments)
    pairs = load_pair_set(arguments.pairs, form=None)
    encoder, words = _read_with(arguments)
    measured: dict[str, Any] = {}
    held = {document.id: document for document in pairs.documents}
    chosen = [pair for pair in pairs.pairs if pair.split == arguments.split]
    source = f"{pairs.name}, {arguments.split}"
    if "speed" in parts:  # first: the peak of memory is of the whole process
        measured["speed"] = measure_comparing(
            _documents(pairs), encoder, words=words, length=arguments.length, rounds=arguments.rounds, source=source
        )
    if "planted" in parts:
        plan = Plan(arguments.most, arguments.words, arguments.seed, source)
        measured["planted"] = measure_planted(held, chosen, encoder, words=words, plan=plan, report=bar())
    if "roles" in parts:
        measured["roles"] = measure_roles(held, chosen, encoder, most=arguments.most, source=source, report=bar())
    report = {name: one.as_json() for name, one in measured.items()}
    output.give(report, "\n\n".join(_AS_TEXT[name](one) for name, one in measured.items()), arguments)


def _read_with(arguments: argparse.Namespace) -> tuple[ColdeEncoder, Words]:
    """The encoder, and the words of the library that was named, or of the default one if it exists."""
    with Workspace(options.library_folder(arguments)) as workspace:
        comparer = workspace.comparer(arguments.encoder)
        if arguments.library is not None:
            _ = workspace.library  # a library that was named must exist
        return comparer.encoder(), comparer.words()


def _documents(pairs: PairSet) -> list[Any]:
    return list(pairs.documents)


def planted_as_text(report: Planted) -> str:
    """A line a way of planting."""
    lines = [
        f"{report.source}: a paragraph of {report.words} words or more in {report.pairs} unrelated documents "
        f"({report.left_out} pairs left out), encoder {report.encoder}",
        f"{'found first by':<34}{'cell':>8}{'chunks alone':>14}{'passage':>9}",
    ]
    for way, found in report.found.items():
        lines.append(f"{way:<34}{found.cell:>8.1%}{found.cell_by_chunks:>14.1%}{found.passage:>9.1%}")
    return "\n".join(lines)


def roles_as_text(report: RoleAgreement) -> str:
    """One sentence."""
    return (
        f"{report.source}: the largest section cell joins sections of one role in {report.agree:.1%} of {report.pairs} "
        f"related pairs ({report.by_chance:.1%} of all cells do; {report.left_out} pairs left out)"
    )


def speed_as_text(report: CompareSpeed) -> str:
    """A line a way of comparing."""
    lines = [
        f"{report.hardware}, {report.threads} threads",
        f"two documents of {report.words[0]:,} and {report.words[1]:,} words, {report.rounds} rounds; peak memory "
        f"{report.peak_memory_mib:,} MiB; reading is {report.times_plain:.1f} x as fast as plainly in float32",
        f"{'':<14}{'p50 ms':>10}{'p95 ms':>10}{'max ms':>10}",
    ]
    for name, times in report.milliseconds.items():
        lines.append(f"{name.replace('_', ' '):<14}{times.p50:>10,.1f}{times.p95:>10,.1f}{times.max:>10,.1f}")
    return "\n".join(lines)


_AS_TEXT: dict[str, Any] = {"planted": planted_as_text, "roles": roles_as_text, "speed": speed_as_text}

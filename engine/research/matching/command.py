"""How well each encoder tells long documents that belong together from others: `python -m engine.research match`."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.cli import options
from engine.cli.terminal import Parser, bar
from engine.core import files, provenance
from engine.core.errors import EvaluationError
from engine.evaluation import check_place
from engine.research.matching.judging import (
    FIGURES,
    THRESHOLD_RULE,
    Judged,
    Scored,
    compare,
    judge,
    save_scores,
    take_scores,
)
from engine.research.matching.pair_set import Form, PairSet, load_pair_set
from engine.research.matching.rows import SEED, TFIDF, Row, names, parse_rows
from engine.research.matching.scoring import Plan, score

_PROGRAM = "python -m engine.research match"
_MIX_SPLITS = ("train", "valid")

_NAMED = 5  # ids that a sentence names before it only counts


@dataclass(frozen=True, slots=True)
class MatchReport:
    """The rows judged on one set, in the order asked for; each is compared with the first."""

    pairs: PairSet
    judged: Sequence[Judged]
    command: str = ""

    def figures(self) -> dict[str, Any]:
        """Return the set's name, its pairs, and each row's figures on test with the threshold from valid."""
        rows = {one.name: {**one.test.rounded(), "threshold": round(one.threshold, 6)} for one in self.judged}
        return {"pairs": self.pairs.name, "encoders": rows, "counts": self._counts()}

    def as_json(self) -> dict[str, Any]:
        """Return figures with everything that is needed to repeat and to judge them."""
        value = self.figures()
        for one in self.judged:
            row = value["encoders"][one.name]
            row["valid"] = one.valid.rounded()
            row["unseen"] = None if one.unseen is None else one.unseen.rounded()
            row["fingerprint"] = one.scored.fingerprint
            row["seconds"] = None if one.scored.seconds is None else round(one.scored.seconds, 1)
            if one is not self.judged[0]:
                row["mcnemar"] = {"against": self.judged[0].name, **compare(one, self.judged[0]).as_json()}
            row |= one.scored.facts
        return {**value, **self._circumstances()}

    def as_markdown(self) -> str:
        """Return the figures on test as a table, with accuracy on valid and McNemar's p against the first row.

        Two columns are of test pairs whose documents stand in no train pair.
        """
        first = self.judged[0]
        columns = [*FIGURES, "threshold", "accuracy on valid", f"p against {first.name}", "unseen: accuracy", "AUC"]
        lines = [f"# {self.pairs.name}", "", "| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
        for one in self.judged:
            figures = [*(f"{getattr(one.test, name):.4f}" for name in FIGURES), f"{one.threshold:.4g}"]
            chance = "" if one is first else f"{compare(one, first).p:.2g}"
            new = one.unseen
            unseen = ["", ""] if new is None else [f"{new.accuracy:.4f}", f"{new.auc:.4f}"]
            figures += [f"{one.valid.accuracy:.4f}", chance, *unseen]
            lines.append(f"| {one.name} | {' | '.join(figures)} |")
        lines += ["", *(f"* {name}: {_in_words(value)}" for name, value in self._circumstances().items())]
        lines += [f"* {split}: {_in_words(counts)}" for split, counts in self._counts().items()]
        lines += [f"* left out: {sentence}" for sentence in told(self.pairs)]
        lines.append("* fingerprints: " + ", ".join(f"{one.name} {one.scored.fingerprint}" for one in self.judged))
        lines += [f"* {one.name}: {_in_words(one.scored.facts)}" for one in self.judged if one.scored.facts]
        return "\n".join([*lines, ""])

    def save(self, path: Path) -> None:
        """Write the JSON to `path` and the table beside it as Markdown."""
        files.write_json(path, self.as_json())
        files.write_bytes(path.with_suffix(".md"), self.as_markdown().encode())

    def _counts(self) -> dict[str, dict[str, int]]:
        related = int(self.pairs.related[self.pairs.unseen].sum())
        unseen = {"related": related, "unrelated": int(self.pairs.unseen.sum()) - related}
        return {**self.pairs.counts, "unseen": unseen}

    def _circumstances(self) -> dict[str, Any]:
        return {
            "command": self.command,
            "text": "title, abstract, references and claims removed",
            "threshold": THRESHOLD_RULE,
            "unseen": "test pairs of two documents that no train pair holds, by the threshold from all valid pairs",
            "documents": len(self.pairs.documents),
            "documents_without_text": len(self.pairs.empty),
            "corpus": len(self.pairs.corpus),
            "sha256": dict(self.pairs.sha256),
            "commit": provenance.commit(),
            "hardware": provenance.hardware(),
            "seed": f"{SEED}, of LSA's decomposition; nothing else is drawn but an order of sections asked for",
        }


def told(pairs: PairSet) -> list[str]:
    """Return a sentence for each reason why figures rest on less than the table of pairs promises."""
    sentences = []
    held = {document.id for document in pairs.corpus}
    if pairs.missing:
        lost = sorted({name for pair in pairs.missing for name in (pair.a, pair.b)} - held)
        counts = {split: count["left_out"] for split, count in pairs.counts.items() if count["left_out"]}
        sentences.append(
            f"{len(pairs.missing)} pairs ({_in_words(counts)}) for want of {len(lost)} documents: {_some(lost)}"
        )
    if pairs.empty:
        sentences.append(f"no pair, but {len(pairs.empty)} documents have no text to compare: {_some(pairs.empty)}")
    return sentences


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return ", ".join(ids[:_NAMED]) + more


def _in_words(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_in_words(item)}" for key, item in value.items())
    return str(value)


def main(given: Sequence[str] | None = None) -> None:
    """Score the pairs by each row in turn and print the table."""
    run(_parser().parse_args(given))


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog=_PROGRAM, description=__doc__)
    parser.add_argument(
        "--pairs", metavar="FILE", type=Path, required=True, help="a pairs.tsv with a corpus.parquet beside it"
    )
    parser.add_argument(
        "--encoders",
        metavar="NAMES",
        default=TFIDF,
        help=f"separated by commas, among {', '.join(names())}, NAME=FOLDER for an encoder's folder, or mix(NAME,NAME) "
        f"for a learned mix of rows; the others are tested against the first (default: {TFIDF})",
    )
    _add_changes(parser)
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the report as JSON, and as .md beside it")
    parser.add_argument("--scores", metavar="FILE", type=Path, help="keep the scores of every pair here, as JSON")
    parser.add_argument(
        "--take",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="take rows by name from the --scores of an earlier run on the same pairs; may be given more than once",
    )
    parser.add_argument("--cache", metavar="DIR", type=Path, help="keep each encoder's rows of texts for later runs")
    options.add_json(parser)
    return parser


def _add_changes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--shuffle-sections", metavar="SEED", type=int, help="put each document's sections in another order"
    )
    parser.add_argument("--max-tokens", metavar="N", type=int, help="compare no more than each document's first tokens")
    parser.add_argument(
        "--sections", metavar="N", type=int, help="number the chunks that CoLDE reads as N equal stretches"
    )
    parser.add_argument(
        "--mix-on", choices=_MIX_SPLITS, default="train", help="the pairs that mixes are learned on (default: train)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Score the pairs by each row in turn and print the table."""
    _check_places(arguments)
    form = Form(shuffle_sections=arguments.shuffle_sections, max_tokens=arguments.max_tokens)
    if not arguments.take:
        parse_rows(arguments.encoders)  # report a wrong name before the documents are read
    pairs = load_pair_set(arguments.pairs, form=form)
    for split in ("valid", "test"):
        pairs.require_both(split)
    kept = {one.name: one for path in arguments.take for one in take_scores(path, pairs)}
    rows = parse_rows(arguments.encoders, kept=tuple(kept))
    plan = Plan(kept, arguments.cache, arguments.mix_on, arguments.sections)
    scored = score(rows, pairs, plan, report=bar())
    report = MatchReport(pairs, [judge(one, pairs) for one in scored], command=_command(pairs, rows, arguments))
    _keep(report, scored, arguments)
    if arguments.json:
        options.print_json(report.figures())
    else:
        _print_table(report)


def _check_places(arguments: argparse.Namespace) -> None:
    """Raise StorageError or EvaluationError if a result could not be written, before the work."""
    if arguments.save is not None:
        check_place(arguments.save)
    if arguments.scores is not None:
        files.check_writable(arguments.scores)
    if arguments.cache is not None:
        files.check_writable(arguments.cache / "rows.json")
    if arguments.scores is not None and arguments.save is not None and arguments.scores == arguments.save:
        raise EvaluationError(f"Expected two files for --save and --scores, got {arguments.save.name} for both.")


def _keep(report: MatchReport, scored: list[Scored], arguments: argparse.Namespace) -> None:
    if arguments.scores is not None:
        save_scores(arguments.scores, scored, report.pairs)
    if arguments.save is not None:
        report.save(arguments.save)


def _command(pairs: PairSet, rows: list[Row], arguments: argparse.Namespace) -> str:
    """Return the command that gives the figures again, with folders by their names."""
    parts = [*_PROGRAM.split(), "--pairs", f"{pairs.name}/pairs.tsv", "--encoders"]
    parts += [",".join(row.command for row in rows), *(pairs.form.options if pairs.form else [])]
    parts += [] if arguments.sections is None else ["--sections", str(arguments.sections)]
    mixed = ["--mix-on", arguments.mix_on] if any(row.parts for row in rows) else []
    taken = [word for path in arguments.take for word in ("--take", path.name)]
    return shlex.join([*parts, *mixed, *taken])


def _print_table(report: MatchReport) -> None:
    pairs, first = report.pairs, report.judged[0]
    width = max(len(one.name) for one in report.judged) + 2
    counts = {split: count["related"] + count["unrelated"] for split, count in pairs.counts.items()}
    print(f"{pairs.name}: {counts['test']:,} test pairs, threshold from {counts['valid']:,} valid ones")
    for sentence in told(pairs):
        print(f"Left out: {sentence}")
    print(" " * width + "".join(f"{name:>11}" for name in [*FIGURES, "threshold", "valid acc.", "p"]))
    for one in report.judged:
        figures = "".join(f"{getattr(one.test, name):11.4f}" for name in FIGURES)
        chance = "" if one is first else f"{compare(one, first).p:.2g}"
        print(f"{one.name:<{width}}{figures}{one.threshold:>11.4g}{one.valid.accuracy:11.4f}{chance:>11}")
    if len(report.judged) > 1:
        print(f"p: how likely such a difference from {first.name} is by chance (McNemar's test on the test pairs)")

"""How much of a document the student reads: `python -m engine.research student_reading --data DIR`.

DIR of --data holds the benchmarks; only valid queries are read. The shipped transformer reads the first tokens of every
document and query, at each of --tokens: alone, as half of the blend, and in the blend fused with the keywords. 96/256
means 96 tokens of a paper or a patent and 256 of a question. Documents a second are counted if no rows were kept.
--write FOLDER writes the student that reads the first of --tokens there.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from engine import encoders
from engine.cli.terminal import Parser, bar
from engine.core import files
from engine.encoders.blend import BlendEncoder
from engine.encoders.blend_settings import BlendSettings
from engine.encoders.student import StudentEncoder
from engine.evaluation import Benchmark, Prepared, load_benchmark
from engine.evaluation.measure import rank, score
from engine.evaluation.systems import KEYWORDS, Encoded
from engine.research import writing
from engine.research.baselines.rows import ROWS
from engine.research.measures.blend_weights import Weighed, similarities
from engine.research.measures.fusion import SETS, Fusion
from engine.search import keyword_weight

METRICS = ("nDCG@10", "R@100")
ALONE, BLEND, FUSED = "student", "blend", "blend and keywords"


@dataclass(frozen=True)
class Length:
    """How many tokens are read of a document, and of a question (0 = as many)."""

    of_documents: int
    of_questions: int = 0

    @classmethod
    def parse(cls, words: str) -> Length:
        """96 or 96/256. Raises ValueError for anything else."""
        return cls(*(int(word) for word in words.split("/", 1)))

    def __str__(self) -> str:
        """As it is written on the command line."""
        return f"{self.of_documents}/{self.of_questions}" if self.of_questions else str(self.of_documents)

    def read_by(self, student: StudentEncoder) -> StudentEncoder:
        """The student that reads this much."""
        return student.reading(self.of_documents, query_tokens=self.of_questions)


TOKENS = (Length(64), Length(96), Length(128))


@dataclass(frozen=True)
class Held:
    """A benchmark, with everything that does not depend on how much the student reads."""

    benchmark: Benchmark
    keywords: Prepared
    coupled: Weighed
    keep: Path | None


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every length on every set, print and save the tables, and write the student where asked."""
    given = _parser().parse_args(arguments)
    if given.save is not None:
        files.check_writable(given.save)
    student = cast(StudentEncoder, encoders.load("student"))
    figures: dict[str, dict[str, dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        folders = {length.of_documents: Path(temporary) / str(length.of_documents) for length in given.tokens}
        for tokens, folder in folders.items():
            student.reading(tokens).save(folder)
        for name in given.sets:
            held = loaded(load_benchmark(given.data / name, part="valid"), given.cache)
            figures[name] = {
                str(length): measured(held, length.read_by(student), folders[length.of_documents])
                for length in given.tokens
            }
            print(name, figures[name], flush=True)
    circumstances = writing.circumstances("student_reading", _words(given))
    text = as_markdown(figures, circumstances)
    print(text)
    if given.save is not None:
        writing.save(given.save, {**circumstances, "figures": figures}, text)
    if given.write is not None:
        given.tokens[0].read_by(student).save(given.write)


def as_markdown(
    figures: Mapping[str, Mapping[str, Mapping[str, Any]]],
    facts: Mapping[str, object],
    *,
    title: str = "How much the student reads",
    tried: str = "tokens",
) -> str:
    """A table a metric, a line a length or whatever else was tried, a column a set; below them documents a second."""
    lines, lengths = [f"# {title}", ""], list(next(iter(figures.values())))
    for system in (ALONE, BLEND, FUSED):
        for metric in METRICS:
            found = {tokens: [of[tokens][system][metric] for of in figures.values()] for tokens in lengths}
            lines += [f"## {system}: {metric}, valid queries", ""]
            rows = [
                [tokens, *(f"{value:.4f}" for value in values), f"{sum(values) / len(values):.4f}"]
                for tokens, values in found.items()
            ]
            lines += writing.table((tried, *figures, "mean"), rows)
    speeds = [
        [tokens, *("" if of[tokens]["speed"] is None else f"{of[tokens]['speed']:.0f}" for of in figures.values())]
        for tokens in lengths
    ]
    lines += ["## Documents a second", "", *writing.table((tried, *figures), speeds)]
    return "\n".join([*lines, *writing.as_list(facts), ""])


def loaded(benchmark: Benchmark, cache: Path | None) -> Held:
    """The benchmark with its keywords and CTPE's similarities; a short question's are left out, as the blend does."""
    keep, settings = None if cache is None else cache / benchmark.corpus_sha256, BlendSettings()
    coupled = similarities(ROWS.prepare(settings.coupled, benchmark.corpus, keep=keep, report=bar()), benchmark)
    weights = cast(BlendEncoder, encoders.load("blend")).query_weights(benchmark.queries)  # as shipped
    weighed = weights[:, None].astype(np.float32) * coupled  # (q, n)
    ids = [document.id for document in benchmark.corpus]
    keywords = ROWS.prepare(KEYWORDS, benchmark.corpus)
    return Held(benchmark, keywords, Weighed(ids, weighed, np.zeros_like(weighed), 1.0), keep)


def measured(held: Held, student: StudentEncoder, folder: Path) -> dict[str, Any]:
    """The metrics of a student, alone and in the blend; the one in `folder` reads documents as it does."""
    row = f"{ALONE}-{student.settings.max_tokens}={folder}"
    prepared = ROWS.prepare(row, held.benchmark.corpus, keep=held.keep, report=bar())
    index = cast(Encoded, prepared.system).index
    asked = Prepared(ALONE, Encoded(student, index), student.card.fingerprint, prepared.seconds)
    blend = Weighed(held.coupled.ids, held.coupled.coupled, similarities(asked, held.benchmark), 1.0)
    both = Fusion(blend, held.keywords.system, keyword_weight("blend"))
    systems = {ALONE: asked, BLEND: Prepared(BLEND, blend, "", None), FUSED: Prepared(FUSED, both, "", None)}
    found: dict[str, Any] = {}
    for name, system in systems.items():
        over_all = score(rank(held.benchmark, system), held.benchmark)[0]
        found[name] = {metric: round(over_all[metric], 4) for metric in METRICS}
    speed = None if prepared.seconds is None else round(len(held.benchmark.corpus) / prepared.seconds, 1)
    return {**found, "speed": speed, "fingerprint": asked.fingerprint}


def _words(given: argparse.Namespace) -> list[str]:
    return ["--data", "DIR", "--sets", *given.sets, "--tokens", *map(str, given.tokens)]


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m engine.research student_reading",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder of the benchmarks")
    parser.add_argument("--sets", nargs="+", default=SETS, metavar="SET", help=f"default: {' '.join(SETS)}")
    parser.add_argument(
        "--tokens", nargs="+", type=Length.parse, default=TOKENS, metavar="N[/M]", help="first tokens that are read"
    )
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keep the rows of each encoder and corpus here")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the report as JSON, and as .md beside it")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="write the student that reads the first length")
    return parser

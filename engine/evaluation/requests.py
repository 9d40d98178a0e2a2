"""A request for a measurement: which rankings, on which queries of a benchmark, by which metrics, against which one."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from typing_extensions import Doc

from engine.core.errors import EvaluationError
from engine.core.progress import Report, silent
from engine.evaluation.benchmarks import Benchmark, QueryPart
from engine.evaluation.measure import METRIC_SETS, Measured
from engine.evaluation.report import EvaluationReport
from engine.evaluation.systems import Catalogue, name_of, without_place

_SCALE: Literal["ctpe"] = "ctpe"


@dataclass(frozen=True, slots=True)
class EvaluateChoice:
    """What to measure: rows by name or folder, and run files by the names of their rows."""

    rows: list[str]
    runs: Mapping[str, Path]

    @property
    def names(self) -> list[str]:
        """The name of each row of the table."""
        return [*(name_of(row) for row in self.rows), *self.runs]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateRequest:
    """What is measured, and how it is compared."""

    encoders: Annotated[str | None, Doc("names of rows, separated by commas")] = None
    queries: Annotated[
        QueryPart,
        Doc("which queries to ask; of BEIR's, valid reads qrels/dev.tsv and the others qrels/test.tsv"),
    ] = "all"
    hide_itself: Annotated[
        bool,
        Doc("leave documents out of a ranking that are the query's own work under another id, as a search does"),
    ] = False
    against: Annotated[
        str | None,
        Doc("compare every other row with this one: paired randomisation tests, and the queries that move most"),
    ] = None
    complete_runs: Annotated[
        bool,
        Doc("judged queries that a run file lacks found nothing (trec_eval's -c); without it such a file is refused"),
    ] = False
    metrics: Annotated[
        Literal["ctpe", "trec"], Doc("as CTPE defines them, 100 ranks deep, or as trec_eval does, 1,000 deep")
    ] = _SCALE

    def choice(self, catalogue: Catalogue, runs: Mapping[str, Path], *, usual: Sequence[str]) -> EvaluateChoice:
        """Return the rows and run files to measure, the `usual` rows where none is named.

        Raises EvaluationError for an unknown row, or two of one name.
        """
        rows = list(usual) if self.encoders is None else catalogue.rows_of(self.encoders)
        asked = EvaluateChoice(rows, runs)
        if self.against and name_of(self.against) not in asked.names:
            asked = EvaluateChoice(catalogue.rows_of(",".join([self.against, *rows])), runs)
        twice = sorted(set(runs) & {name_of(row) for row in asked.rows})
        if twice:
            raise EvaluationError(
                f"Expected a name of its own for each row, got {twice[0]!r} for a run, too. Say NAME=FILE."
            )
        return asked

    def run(
        self,
        benchmark: Benchmark,
        asked: EvaluateChoice,
        catalogue: Catalogue,
        *,
        cache: Path | None = None,
        program: str = "priorscope evaluate",
        report: Report = silent,
    ) -> EvaluationReport:
        """Measure each row in turn; `cache` keeps encoders' rows, `program` begins the command that the report names.

        Raises EvaluationError for a row or a run file that cannot be measured.
        """
        scale = METRIC_SETS[self.metrics]
        if self.hide_itself:
            benchmark = benchmark.without_own_works()
        measured = [catalogue.measure(benchmark, row, cache=cache, scale=scale, report=report) for row in asked.rows]
        measured += self.of_runs(benchmark, asked)
        words = [*program.split(), "--benchmark", benchmark.name]
        words += ["--encoders", ",".join(map(without_place, asked.rows))] if asked.rows else []
        words += ["--queries", self.queries, *(["--hide-itself"] if self.hide_itself else [])]
        command = shlex.join([*words, *self.words(asked)])
        against = name_of(self.against) if self.against else ""
        return EvaluationReport(benchmark, measured, command=command, scale=scale, against=against)

    def of_runs(self, benchmark: Benchmark, asked: EvaluateChoice) -> list[Measured]:
        """Return the scores of the run files. Raises EvaluationError as `Measured.of_run` does."""
        scale, complete = METRIC_SETS[self.metrics], self.complete_runs
        return [Measured.of_run(benchmark, *named, scale=scale, complete=complete) for named in asked.runs.items()]

    def words(self, asked: EvaluateChoice) -> list[str]:
        """Return the words of a command that say how rows are compared, with files by their names."""
        words = [word for name, path in asked.runs.items() for word in ("--run", f"{name}={path.name}")]
        words += ["--complete-runs"] if asked.runs and self.complete_runs else []
        words += ["--against", name_of(self.against)] if self.against else []
        return [*words, *(["--metrics", self.metrics] if self.metrics != _SCALE else [])]

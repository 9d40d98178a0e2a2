"""What a measurement leaves: a report with data, encoder, commit and machine; and results that are kept for a page."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from engine.core import files, provenance
from engine.core.errors import EvaluationError, StorageError
from engine.documents import Document, as_fields, from_fields
from engine.documents.markup import in_markdown
from engine.evaluation import significance
from engine.evaluation.benchmarks import Benchmark
from engine.evaluation.formats import run_text
from engine.evaluation.measure import SCALES, Measured, Scale
from engine.evaluation.metrics import METRICS
from engine.evaluation.significance import Interval, interval

PER_SECOND = "documents_per_second"
_TABLE = ".md"
_UNSAFE = re.compile(r"[^\w.+-]+")
_WORDS_SHOWN = 12
_SEED = "fixed in each row's recipe, and 0 of intervals and of tests; two runs give the same"


def check_place(path: Path) -> None:
    """Raise EvaluationError or StorageError where a report could not be saved at `path`; call this before measuring."""
    if path.suffix == _TABLE:
        raise EvaluationError(f"Expected a name for the JSON, got {path.name}; the table goes beside it as {_TABLE}.")
    for place in (path, path.with_suffix(_TABLE)):
        files.check_writable(place)


@dataclass(frozen=True)
class EvaluationReport:
    """The systems measured on one benchmark, in the order asked for.

    `against` is the row that others are compared with, `skipped` says why rows could not be measured.
    """

    benchmark: Benchmark
    measured: Sequence[Measured]
    command: str = ""
    scale: Scale = SCALES["ctpe"]
    against: str = ""
    skipped: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def contrasts(self) -> list[significance.Corrected]:
        """Every other row against the one asked for, in every metric, the main ones first."""
        if not self.against:
            return []
        metrics = [*self.scale.main, *(name for name in self.scale.metrics if name not in self.scale.main)]
        return significance.against(self.measured, self.against, metrics)

    @cached_property
    def unanswered(self) -> Mapping[str, int]:
        """How many queries a row found nothing for, by its name; only rows with some."""
        counts = {one.name: sum(not ids for ids in one.run.values()) for one in self.measured}
        return {name: count for name, count in counts.items() if count}

    @property
    def main_contrasts(self) -> list[significance.Corrected]:
        """The contrasts in the main metrics."""
        return [one for one in self.contrasts if one.contrast.metric in self.scale.main]

    @cached_property
    def intervals(self) -> Mapping[str, Mapping[str, Interval]]:
        """The 95 % interval of each figure that is a mean over queries, by system and metric."""
        means = [name for name, metric in self.scale.metrics.items() if metric.pooled is None]
        return {
            one.name: {name: interval([scores[name] for scores in one.by_query.values()]) for name in means}
            for one in self.measured
        }

    def figures(self) -> dict[str, Any]:
        """Return the benchmark's name, each system's metrics and speed, and the contrasts asked for."""
        systems = {
            one.name: {**{name: round(value, 4) for name, value in one.metrics.items()}, **_speed(one)}
            for one in self.measured
        }
        compared = {"contrasts": [significance.contrast_as_json(one) for one in self.contrasts]} if self.against else {}
        return {"benchmark": self.benchmark.name, "encoders": systems, **compared}

    def as_json(self, *, by_query: bool = False) -> dict[str, Any]:
        """Figures with everything needed to repeat and judge them; each query's scores if asked for."""
        value = self.figures()
        for one in self.measured:
            row = value["encoders"][one.name]
            row["fingerprint"] = one.fingerprint
            row["seconds"] = round(one.seconds, 1)
            row["peak_memory_mib"] = None if one.peak_bytes is None else round(one.peak_bytes / 2**20)
            row["intervals"] = {
                name: [round(found.low, 4), round(found.high, 4)] for name, found in self.intervals[one.name].items()
            }
            if by_query:
                row["by_query"] = {
                    query: {name: round(score, 4) for name, score in scores.items()}
                    for query, scores in one.by_query.items()
                }
        return {**value, **self._circumstances()}

    def as_markdown(self) -> str:
        """Return the figures as a table, their intervals, the contrasts asked for, and the circumstances."""
        columns = [*self.scale.metrics, PER_SECOND, "peak MiB"]
        lines = [f"# {in_markdown(self.benchmark.name)}", "", *_table_head(columns)]
        for one in self.measured:
            figures = [f"{one.metrics[name]:.4f}" for name in self.scale.metrics]
            lines.append(f"| {one.name} | " + " | ".join([*figures, one.speed_in_words, _memory(one)]) + " |")
        lines += ["", *self._intervals_as_markdown()]
        if self.against:
            lines += ["", *significance.contrast_as_markdown(self.main_contrasts, self._asked())]
        lines += ["", *(f"* {name}: {_in_words(value)}" for name, value in self._circumstances().items())]
        lines += ["* fingerprints: " + ", ".join(f"{one.name} {one.fingerprint}" for one in self.measured), ""]
        return "\n".join(lines)

    def save(self, path: Path, *, by_query: bool = False) -> None:
        """Write the JSON to `path` and the table beside it as Markdown."""
        files.write_json(path, self.as_json(by_query=by_query))
        files.write_bytes(path.with_suffix(_TABLE), self.as_markdown().encode())

    def save_runs(self, folder: Path) -> list[Path]:
        """Write each system's rankings as a TREC run, NAME.run. Raises EvaluationError or StorageError."""
        texts = {_run_name(one.name): run_text(one.run, _UNSAFE.sub("-", one.name)) for one in self.measured}
        if len(texts) < len(self.measured):
            names = ", ".join(one.name for one in self.measured)
            raise EvaluationError(
                f"Expected names that differ in letters or digits, a file each, got {names}. Rename the rows."
            )
        for name, text in texts.items():
            files.write_bytes(folder / name, text.encode())
        return [folder / name for name in texts]

    def _intervals_as_markdown(self) -> list[str]:
        means = [name for name, metric in self.scale.metrics.items() if metric.pooled is None]
        lines = ["95 % intervals over queries, by bootstrap:", "", *_table_head(means)]
        for one in self.measured:
            found = (self.intervals[one.name][name] for name in means)
            lines.append(f"| {one.name} | " + " | ".join(f"{each.low:.3f} to {each.high:.3f}" for each in found) + " |")
        return lines

    def _asked(self) -> dict[str, str]:
        return {query.id: opening(query) for query in self.benchmark.queries}

    def _circumstances(self) -> dict[str, Any]:
        deepest = self.scale.most_ranks(self.benchmark.qrels)
        return {
            "command": self.command,
            "queries": len(self.benchmark.queries),
            "queries_left_out_unjudged": self.benchmark.left_out,
            "queries_own_works_hidden": len(self.benchmark.own_works),
            **({"queries_with_exclusions": len(excluded)} if (excluded := self.benchmark.excluded) else {}),
            "part": self.benchmark.part,
            "documents": len(self.benchmark.corpus),
            "ranks_read": self.scale.depth,
            **({"ranks_read_for_bpref_at_most": deepest} if deepest > self.scale.depth else {}),
            **({"queries_that_found_nothing": dict(self.unanswered)} if self.unanswered else {}),
            "sha256": dict(self.benchmark.sha256),
            "commit": provenance.commit(),
            "hardware": provenance.hardware(),
            **({"left_out": dict(self.skipped)} if self.skipped else {}),
            **({"rows": said} if (said := {one.name: one.summary for one in self.measured if one.summary}) else {}),
            "memory": "the most that the whole process had held when a row was done, earlier rows' included",
            "seed": _SEED,
        }


def opening(query: Document) -> str:
    """Return the first words of a query, to recognise it."""
    words = query.text.split()
    return " ".join(words[:_WORDS_SHOWN]) + (" …" if len(words) > _WORDS_SHOWN else "")


def _run_name(system: str) -> str:
    return f"{_UNSAFE.sub('-', system)}.run"


def _speed(measured: Measured) -> dict[str, float]:
    speeds = {PER_SECOND: measured.documents_per_second, "queries_per_second": measured.queries_per_second}
    return {name: round(value, 1) for name, value in speeds.items() if value is not None}


def _memory(measured: Measured) -> str:
    return "" if measured.peak_bytes is None else f"{measured.peak_bytes / 2**20:,.0f}"


def _table_head(columns: Sequence[str]) -> list[str]:
    return ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]


def _in_words(value: object) -> str:
    return ", ".join(f"{key} {item}" for key, item in value.items()) if isinstance(value, dict) else str(value)


_Made = TypeVar("_Made")
_FORMAT = 2
_BENCHMARK, _RESULT = "benchmark.json", "row-*.json"
_MOST = 8
"""How many sets of questions are kept, the last measured."""


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """One system's figures, and when they were measured (ISO 8601, UTC)."""

    measured: Measured
    when: str


def keep_result(folder: Path, key: str, benchmark: Benchmark, result: MeasuredRow) -> None:
    """Keep one result; `key` identifies questions and documents by their content, and `folder` holds several sets.

    An unreadable set is replaced, and sets beyond the newest eight are deleted. Raises StorageError where the
    folder cannot be written.
    """
    place = _place(folder, key)
    if not _is_whole(folder, key):
        _write(place / _BENCHMARK, {"key": key, **_benchmark_fields(benchmark)})
    measured = asdict(result.measured)
    name = files.fingerprint(result.measured.name)
    _write(place / _RESULT.replace("*", name), {"when": result.when, "measured": measured})
    newest_first = sorted(folder.iterdir(), key=lambda one: one.stat().st_mtime, reverse=True)
    for old in newest_first[_MOST:]:
        shutil.rmtree(old, ignore_errors=True)


def kept_results(folder: Path, key: str) -> tuple[Benchmark, Mapping[str, MeasuredRow]] | None:
    """Return the benchmark, with a corpus of names only, and its results by name; None for an unknown key.

    Raises StorageError where a file is damaged or of another version.
    """
    place = _place(folder, key)
    if not (place / _BENCHMARK).is_file():
        return None
    benchmark = _read(place / _BENCHMARK, _benchmark_of)
    results = [_read(path, _result_of) for path in sorted(place.glob(_RESULT))]
    return benchmark, {result.measured.name: result for result in results}


def _is_whole(folder: Path, key: str) -> bool:
    """Return whether a set is kept under the key; a damaged one or one of another version is removed."""
    try:
        return kept_results(folder, key) is not None
    except StorageError:
        shutil.rmtree(_place(folder, key), ignore_errors=True)
        return False


def _place(folder: Path, key: str) -> Path:
    return folder / files.fingerprint(key)


def _write(path: Path, fields: Mapping[str, Any]) -> None:
    text = json.dumps({"format": _FORMAT, **fields}, ensure_ascii=False, separators=(",", ":"))
    files.write_bytes(path, text.encode("utf-8", "replace"))


def _read(path: Path, made: Callable[[Mapping[str, Any]], _Made]) -> _Made:
    fields = files.read_json(path)
    try:
        if fields["format"] != _FORMAT:
            raise ValueError(f"format {fields['format']}")
        return made(fields)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise StorageError(f"Expected what was measured in {path}; {error!r}. Measure it again.") from None


def _benchmark_fields(benchmark: Benchmark) -> dict[str, Any]:
    return {
        "name": benchmark.name,
        "part": benchmark.part,
        "corpus": [as_fields(document) for document in benchmark.names_only().corpus],
        "queries": [as_fields(query) for query in benchmark.queries],
        "qrels": {query: dict(grades) for query, grades in benchmark.qrels.items()},
        "sha256": dict(benchmark.sha256),
        "left_out": benchmark.left_out,
        "others": sorted(benchmark.others),
        "own_works": {query: sorted(ids) for query, ids in benchmark.own_works.items()},
        "excluded": {query: sorted(ids) for query, ids in benchmark.excluded.items()},
    }


def _benchmark_of(fields: Mapping[str, Any]) -> Benchmark:
    return Benchmark(
        name=fields["name"],
        part=fields["part"],
        corpus=[from_fields(document) for document in fields["corpus"]],
        queries=[from_fields(query) for query in fields["queries"]],
        qrels=fields["qrels"],
        sha256=fields["sha256"],
        left_out=fields["left_out"],
        others=frozenset(fields["others"]),
        own_works={query: frozenset(ids) for query, ids in fields["own_works"].items()},
        excluded={query: frozenset(ids) for query, ids in fields.get("excluded", {}).items()},
    )


def _result_of(fields: Mapping[str, Any]) -> MeasuredRow:
    measured = Measured(**fields["measured"])
    if any(METRICS.keys() - scores.keys() for scores in [measured.metrics, *measured.by_query.values()]):
        raise ValueError("a metric is missing")
    run = {query: tuple(ids) for query, ids in measured.run.items()}
    return MeasuredRow(replace(measured, run=run), fields["when"])

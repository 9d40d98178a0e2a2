"""What a measurement leaves: a report with data, encoder, commit and machine; and results that are kept for a page."""

from __future__ import annotations

import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NotRequired, TypeVar
from urllib.parse import quote

from typing_extensions import TypedDict

from engine.core import files, provenance
from engine.core.errors import EvaluationError, StorageError
from engine.documents import Document, as_fields, from_fields
from engine.documents.markup import in_markdown
from engine.evaluation import significance
from engine.evaluation.benchmarks import Benchmark
from engine.evaluation.formats import run_text
from engine.evaluation.measure import METRIC_SETS, Measured, MetricSet
from engine.evaluation.metrics import METRICS
from engine.evaluation.significance import Interval, interval

PER_SECOND = "documents_per_second"
_TABLE = ".md"
_UNSAFE = re.compile(r"[^\w.+-]+")
_WHITE = re.compile(r"\s")
_WORDS_SHOWN = 12
_ROWS_SHOWN, _MOVED_SHOWN, _WORDS_WIDE = 3, 5, 60
_A_DAY = (1980, 1, 1, 0, 0, 0)  # the same rankings make the same file
_SEED = "fixed in each row's recipe, and 0 of intervals and of tests; two runs give the same"


def check_place(path: Path) -> None:
    """Raise EvaluationError or StorageError where a report could not be saved at `path`; call this before measuring."""
    if path.suffix == _TABLE:
        raise EvaluationError(f"Expected a name for the JSON, got {path.name}; the table goes beside it as {_TABLE}.")
    for place in (path, path.with_suffix(_TABLE)):
        files.check_writable(place)


class EvaluationJson(TypedDict):
    """Each system's figures on a benchmark: metrics by name, speeds; `contrasts` with the one they are held against."""

    benchmark: str
    encoders: dict[str, dict[str, float]]
    contrasts: NotRequired[list[significance.ContrastJson]]


@dataclass(frozen=True)
class EvaluationReport:
    """The systems measured on one benchmark, in the order asked for.

    `against` is the row that others are compared with, `skipped` says why rows could not be measured.
    """

    benchmark: Benchmark
    measured: Sequence[Measured]
    command: str = ""
    scale: MetricSet = METRIC_SETS["ctpe"]
    against: str = ""
    skipped: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def contrasts(self) -> list[significance.Corrected]:
        """Every other row against the one asked for, in every metric, the main ones first."""
        metrics = [*self.scale.main, *(name for name in self.scale.metrics if name not in self.scale.main)]
        return [one for metric in metrics for one in self.contrasts_in(metric)] if self.against else []

    def contrasts_in(self, metric: str) -> list[significance.Corrected]:
        """Return every other row against the one asked for, in one metric.

        Raises EvaluationError where no row has that name, or it is the only one.
        """
        return significance.contrast_rows(self.measured, self.against, metric)

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
        return {one.name: {name: self.interval_of(one, name) for name in means} for one in self.measured}

    def interval_of(self, measured: Measured, metric: str) -> Interval:
        """Return a row's mean over queries in one metric, with its 95 % interval."""
        return interval([scores[metric] for scores in measured.by_query.values()])

    def figures(self) -> EvaluationJson:
        """Return the benchmark's name, each system's metrics and speed, and the contrasts asked for."""
        systems = {
            one.name: {**{name: round(value, 4) for name, value in one.metrics.items()}, **_speed(one)}
            for one in self.measured
        }
        told: EvaluationJson = {"benchmark": self.benchmark.name, "encoders": systems}
        if self.against:
            told["contrasts"] = [significance.contrast_as_json(one) for one in self.contrasts]
        return told

    def as_json(self, *, by_query: bool = False) -> dict[str, Any]:
        """Return the figures with everything needed to repeat and judge them; each query's scores if asked for."""
        value = self.figures()
        rows: dict[str, dict[str, Any]] = {name: {**row} for name, row in value["encoders"].items()}
        for one in self.measured:
            row = rows[one.name]
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
        return {**value, "encoders": rows, **self._circumstances()}

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

    def as_text(self) -> str:
        """Return the table, the contrasts asked for and the queries that moved most, for a terminal."""
        width = max(len(one.name) for one in self.measured) + 2
        benchmark, names = self.benchmark, [*self.scale.metrics, "documents/s"]
        count = len(benchmark.queries)
        lines = [f"{benchmark.name}: {count:,} queries, {len(benchmark.corpus):,} documents"]
        lines += [" " * width + "".join(f"{name:>15}" for name in names)]
        for one in self.measured:
            figures = "".join(f"{one.metrics[name]:15.4f}" for name in self.scale.metrics)
            lines += [f"{one.name:<{width}}{figures}{one.speed_in_words:>15}"]
        lines += [
            f"{name}: found nothing for {none:,} of {count:,} queries, scored as empty rankings"
            for name, none in self.unanswered.items()
        ]
        lines += [f"{name}: left out; {reason}" for name, reason in self.skipped.items()]
        return "\n".join([*lines, *(self._contrast_lines(width) if self.against else ())])

    def _contrast_lines(self, width: int) -> list[str]:
        lines = []
        for metric in self.scale.main:
            found = [one for one in self.main_contrasts if one.contrast.metric == metric]
            head = f"{metric} against {self.against}; 95 % interval, p by paired randomisation, corrected after Holm"
            lines += ["", head, *(_contrast_line(one, width) for one in found)]
        if len(self.measured) - 1 > _ROWS_SHOWN:
            return [*lines, "", "The queries that move most stand in the report that --save FILE writes."]
        asks = {query: text[:_WORDS_WIDE] for query, text in self._asked().items()}
        for one in self.main_contrasts:
            contrast = one.contrast
            if contrast.metric == self.scale.main[0] and contrast.moved:
                lines += ["", f"queries that move most in {contrast.metric}, {self.against} to {contrast.ours}"]
                lines += [
                    f"  {moved.theirs:.3f} to {moved.ours:.3f}  {moved.query}  {asks[moved.query]}"
                    for moved in contrast.moved[:_MOVED_SHOWN]
                ]
        return lines

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

    def zipped_runs(self) -> bytes:
        """Return a zip of a TREC run for each system, and the judgements.

        White space in ids is written as in addresses (%20). The same rankings make the same bytes.
        """
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for one in self.measured:
                run = {_column(query): [_column(id_) for id_ in ids] for query, ids in one.run.items()}
                archive.writestr(zipfile.ZipInfo(f"{one.name}.run", _A_DAY), run_text(run, _column(one.name)))
            qrels = "".join(
                f"{_column(query)} 0 {_column(id_)} {grade}\n"
                for query, grades in self.benchmark.qrels.items()
                for id_, grade in grades.items()
            )
            archive.writestr(zipfile.ZipInfo("judgements.qrels", _A_DAY), qrels)
        return stream.getvalue()

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
            **({"missing": list(self.benchmark.notes)} if self.benchmark.notes else {}),
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


def _contrast_line(one: significance.Corrected, width: int) -> str:
    contrast, difference = one.contrast, one.contrast.difference
    return (
        f"{contrast.ours:<{width}}{difference.mean:+8.4f}  [{difference.low:+.4f}, {difference.high:+.4f}]  "
        f"p {contrast.p:.4f}, corrected {one.p_holm:.4f}  "
        f"{contrast.wins} better, {contrast.ties} same, {contrast.losses} worse: {one.verdict}"
    )


def _column(id_: str) -> str:
    return _WHITE.sub(lambda found: quote(found.group()), id_)


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


class KeptResults:
    """Results that a folder keeps: of the eight sets of questions measured last, one result a system.

    A set's `key` identifies its questions and documents by their content.
    """

    def __init__(self, folder: Path) -> None:
        """Take the folder; it need not exist yet."""
        self._folder = folder

    def keep(self, key: str, benchmark: Benchmark, result: MeasuredRow) -> None:
        """Keep one result; an unreadable set is replaced, and sets beyond the newest eight are deleted.

        Raises StorageError where the folder cannot be written.
        """
        place = self._place(key)
        if not self._is_whole(key):
            _write(place / _BENCHMARK, {"key": key, **_benchmark_fields(benchmark)})
        measured = asdict(result.measured)
        name = files.fingerprint(result.measured.name)
        _write(place / _RESULT.replace("*", name), {"when": result.when, "measured": measured})
        newest_first = sorted(self._folder.iterdir(), key=lambda one: one.stat().st_mtime, reverse=True)
        for old in newest_first[_MOST:]:
            shutil.rmtree(old, ignore_errors=True)

    def read(self, key: str) -> tuple[Benchmark, Mapping[str, MeasuredRow]] | None:
        """Return the benchmark, with a corpus of names only, and its results by name; None for an unknown key.

        Raises StorageError where a file is damaged or of another version.
        """
        place = self._place(key)
        if not (place / _BENCHMARK).is_file():
            return None
        benchmark = _read(place / _BENCHMARK, _benchmark_of)
        results = [_read(path, _result_of) for path in sorted(place.glob(_RESULT))]
        return benchmark, {result.measured.name: result for result in results}

    def _is_whole(self, key: str) -> bool:
        """Return whether a set is kept under the key; a damaged one or one of another version is removed."""
        try:
            return self.read(key) is not None
        except StorageError:
            shutil.rmtree(self._place(key), ignore_errors=True)
            return False

    def _place(self, key: str) -> Path:
        return self._folder / files.fingerprint(key)


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
        "notes": list(benchmark.notes),
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
        notes=tuple(fields.get("notes", ())),
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

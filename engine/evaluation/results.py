"""Results on a set of questions, kept in a folder as JSON."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from engine.core import files
from engine.core.errors import StorageError
from engine.documents import Document, as_fields, from_fields
from engine.evaluation.benchmarks import Benchmark
from engine.evaluation.measure import Measured
from engine.evaluation.metrics import METRICS

_Made = TypeVar("_Made")
_FORMAT = 2
_BENCHMARK, _RESULT = "benchmark.json", "row-*.json"
_MOST = 8
"""How many sets of questions are kept, the last measured."""


@dataclass(frozen=True, slots=True)
class Result:
    """One system's figures, and when they were measured (ISO 8601, UTC)."""

    measured: Measured
    when: str


def names_only(benchmark: Benchmark) -> Benchmark:
    """The benchmark without texts: the corpus has only what a list of hits shows."""
    corpus = [Document(one.id, one.kind, one.name, year=one.year) for one in benchmark.corpus]
    return replace(benchmark, corpus=corpus)


def keep(folder: Path, key: str, benchmark: Benchmark, result: Result) -> None:
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


def kept(folder: Path, key: str) -> tuple[Benchmark, Mapping[str, Result]] | None:
    """The benchmark, with a corpus of names only, and its results by name; None for an unknown key.

    Raises StorageError where a file is damaged or of another version.
    """
    place = _place(folder, key)
    if not (place / _BENCHMARK).is_file():
        return None
    benchmark = _read(place / _BENCHMARK, _benchmark_of)
    results = [_read(path, _result_of) for path in sorted(place.glob(_RESULT))]
    return benchmark, {result.measured.name: result for result in results}


def _is_whole(folder: Path, key: str) -> bool:
    """Whether a set is kept under the key; a damaged one or one of another version is removed."""
    try:
        return kept(folder, key) is not None
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
        "corpus": [as_fields(document) for document in names_only(benchmark).corpus],
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


def _result_of(fields: Mapping[str, Any]) -> Result:
    measured = Measured(**fields["measured"])
    if any(METRICS.keys() - scores.keys() for scores in [measured.metrics, *measured.by_query.values()]):
        raise ValueError("a metric is missing")
    run = {query: tuple(ids) for query, ids in measured.run.items()}
    return Result(replace(measured, run=run), fields["when"])

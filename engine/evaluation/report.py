"""A saved evaluation: every figure with the data, the encoder, the commit and the machine that gave it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import files, provenance
from engine.errors import EvaluationError
from engine.evaluation.benchmarks import Benchmark
from engine.evaluation.measure import Measured
from engine.evaluation.metrics import METRICS

PER_SECOND = "documents_per_second"
_TABLE = ".md"


def check_place(path: Path) -> None:
    """Raise EvaluationError or StorageError where a report could not be saved at `path`; measure after that."""
    if path.suffix == _TABLE:
        raise EvaluationError(f"Expected a name for the JSON, got {path.name}; the table goes beside it as {_TABLE}.")
    for place in (path, path.with_suffix(_TABLE)):
        files.check_writable(place)


@dataclass(frozen=True, slots=True)
class Report:
    """The systems measured on one benchmark, in the order asked for."""

    benchmark: Benchmark
    measured: Sequence[Measured]
    command: str = ""

    def figures(self) -> dict[str, Any]:
        """The benchmark's name and each system's metrics and speed."""
        systems = {
            one.name: {**{name: round(value, 4) for name, value in one.metrics.items()}, **_speed(one)}
            for one in self.measured
        }
        return {"benchmark": self.benchmark.name, "encoders": systems}

    def as_json(self, *, by_query: bool = False) -> dict[str, Any]:
        """Figures with everything that is needed to repeat and to judge them; each query's scores where asked for."""
        value = self.figures()
        for one in self.measured:
            value["encoders"][one.name]["fingerprint"] = one.fingerprint
            value["encoders"][one.name]["seconds"] = round(one.seconds, 1)
            if by_query:
                value["encoders"][one.name]["by_query"] = {
                    query: {name: round(score, 4) for name, score in scores.items()}
                    for query, scores in one.by_query.items()
                }
        return {**value, **self._circumstances()}

    def as_markdown(self) -> str:
        """The figures as a table, and the circumstances below it."""
        columns = [*METRICS, PER_SECOND]
        lines = [f"# {self.benchmark.name}", "", "| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
        for one in self.measured:
            figures = [f"{one.metrics[name]:.4f}" for name in METRICS]
            lines.append(f"| {one.name} | " + " | ".join([*figures, speed_in_words(one)]) + " |")
        lines += ["", *(f"* {name}: {_in_words(value)}" for name, value in self._circumstances().items()), ""]
        lines.insert(-1, "* fingerprints: " + ", ".join(f"{one.name} {one.fingerprint}" for one in self.measured))
        return "\n".join(lines)

    def save(self, path: Path, *, by_query: bool = False) -> None:
        """Write the JSON to `path` and the table beside it as Markdown."""
        files.write_json(path, self.as_json(by_query=by_query))
        files.write_bytes(path.with_suffix(_TABLE), self.as_markdown().encode())

    def _circumstances(self) -> dict[str, Any]:
        return {
            "command": self.command,
            "queries": len(self.benchmark.queries),
            "queries_left_out_unjudged": self.benchmark.left_out,
            "part": self.benchmark.part,
            "documents": len(self.benchmark.corpus),
            "sha256": dict(self.benchmark.sha256),
            "commit": provenance.commit(),
            "hardware": provenance.hardware(),
            "seed": "1, of LSA's start and of word2vec-own's training; nothing else is drawn",
        }


def speed_in_words(measured: Measured) -> str:
    """Documents a second, or that their rows had been kept from an earlier run."""
    return "kept" if measured.documents_per_second is None else f"{measured.documents_per_second:,.0f}"


def _speed(measured: Measured) -> dict[str, float]:
    encoding = {} if measured.documents_per_second is None else {PER_SECOND: round(measured.documents_per_second, 1)}
    return {**encoding, "queries_per_second": round(measured.queries_per_second, 1)}


def _in_words(value: object) -> str:
    return ", ".join(f"{key} {item}" for key, item in value.items()) if isinstance(value, dict) else str(value)

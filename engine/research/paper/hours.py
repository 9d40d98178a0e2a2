"""How long the tables took, over every run that shared a cache: a run that was broken off and one that went on."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.core import provenance

_SECONDS_AN_HOUR = 3600


@dataclass(frozen=True, slots=True)
class Hours:
    """A file of JSON lines, one for each stretch of work on a table, or on a part made beside other parts."""

    path: Path

    @contextmanager
    def of(self, table: str) -> Iterator[None]:
        """Add the time of the block, even if it is interrupted."""
        with self._timed({"table": table}):
            yield

    @contextmanager
    def of_part(self, table: str, data: str) -> Iterator[None]:
        """Note the time of a table's panel that is made beside others; the block around them counts in the total."""
        with self._timed({"part": f"{table} {data}".strip()}):
            yield

    @contextmanager
    def _timed(self, what: Mapping[str, str]) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            seconds = round(time.perf_counter() - started, 1)
            line = {**what, "seconds": seconds, "hardware": provenance.hardware()}
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")

    def total(self) -> float:
        """The hours of every table's line, to a tenth; cached figures take almost no time."""
        return round(sum(float(line["seconds"]) for line in self._lines() if "table" in line) / _SECONDS_AN_HOUR, 1)

    def parts(self) -> dict[str, float]:
        """The seconds of each part, longest first; empty if nothing was made side by side.

        A process that was killed left no line for its part, so the parts of a resumed run can add up to less than
        `total`, which counts that time.
        """
        found: Counter[str] = Counter()
        for line in self._lines():
            if "part" in line:
                found[line["part"]] += line["seconds"]
        return {name: round(seconds, 1) for name, seconds in found.most_common()}

    def _lines(self) -> list[dict[str, Any]]:
        if not self.path.exists():
            return []
        return [json.loads(line) for line in self.path.read_text("utf-8").splitlines()]

"""How long the tables took, over every run that shared a cache: a run that was broken off and one that went on."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine import provenance

_SECONDS_AN_HOUR = 3600


@dataclass(frozen=True, slots=True)
class Hours:
    """A file of JSON lines, one for each time that a table was worked on."""

    path: Path

    @contextmanager
    def of(self, table: str) -> Iterator[None]:
        """Add the time of the block, also where it is broken off."""
        started = time.perf_counter()
        try:
            yield
        finally:
            seconds = round(time.perf_counter() - started, 1)
            line = {"table": table, "seconds": seconds, "hardware": provenance.hardware()}
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")

    def total(self) -> float:
        """The hours of every line, to a tenth; what was looked up in the cache took next to none."""
        if not self.path.exists():
            return 0.0
        lines = self.path.read_text("utf-8").splitlines()
        return round(sum(float(json.loads(line)["seconds"]) for line in lines) / _SECONDS_AN_HOUR, 1)

"""A page's text by baseline: segments of text that wide gaps part, before anything is known about columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.readers.pdf.runs import Run

_SEGMENT_GAP = 0.75
"""A gap of this many ems ends a segment: wider than a word space, narrower than a gutter."""
_BROKEN_GAP = 0.35
"""The same where the file ends a line: an overlong line comes close to the next column."""
_UNLIKE_GAP = 0.5
"""The same between letters of unlike size: a side column stands close to the text."""


class Segment(NamedTuple):
    """Runs that stand close together on one baseline."""

    x0: float
    x1: float
    runs: list[Run]

    @property
    def text(self) -> str:
        """The runs' text, with a space between them."""
        return " ".join(run.text for run in self.runs).strip()


@dataclass(slots=True)
class Baseline:
    """The segments that stand on about one baseline, from left to right."""

    y: float
    size: float
    segments: list[Segment] = field(default_factory=list)

    def within(self, x0: float, x1: float) -> Baseline:
        """This baseline with only those segments whose middle lies between two places."""
        kept = [segment for segment in self.segments if x0 <= (segment.x0 + segment.x1) / 2 < x1]
        return Baseline(self.y, max((run.size for one in kept for run in one.runs), default=self.size), kept)


def baselines(runs: Sequence[Run]) -> list[Baseline]:
    """Group runs by baseline, large ones first, so that a raised or lowered run joins its line."""
    found: list[Baseline] = []
    members: list[list[Run]] = []
    by_y: dict[int, list[int]] = {}
    for run in sorted(runs, key=lambda run: (-round(run.size, 1), run.y)):
        cell = int(run.y // 8)
        near = [number for step in (0, -1, 1) for number in by_y.get(cell + step, ())]
        best = min(near, key=lambda number: abs(found[number].y - run.y), default=-1)
        if best >= 0 and abs(found[best].y - run.y) <= _reach(found[best].size, run.size):
            members[best].append(run)
            continue
        by_y.setdefault(cell, []).append(len(found))
        found.append(Baseline(run.y, run.size))
        members.append([run])
    for baseline, its_runs in zip(found, members, strict=True):
        baseline.segments = _segments(its_runs)
    return sorted(found, key=lambda baseline: baseline.y)


def _reach(size: float, run_size: float) -> float:
    """How far a run may be from a baseline: more for a small one, which may be raised."""
    return 0.55 * size if run_size < 0.85 * size else 0.25 * run_size


def _segments(runs: list[Run]) -> list[Segment]:
    segments: list[Segment] = []
    for run in sorted(runs, key=lambda run: run.x0):
        if segments and run.x0 - segments[-1].x1 < _gap(segments[-1].runs[-1], run):
            x0, x1, members = segments[-1]
            members.append(run)
            segments[-1] = Segment(x0, max(x1, run.x1), members)
        else:
            segments.append(Segment(run.x0, run.x1, [run]))
    return segments


def _gap(before: Run, run: Run) -> float:
    """How wide a gap parts two runs."""
    if run.broken or is_five(run.text) or is_five(before.text):
        return _BROKEN_GAP * run.size
    unlike = min(run.size, before.size) < 0.93 * max(run.size, before.size)
    return (_UNLIKE_GAP if unlike else _SEGMENT_GAP) * max(run.size, before.size)


def is_five(text: str) -> bool:
    """Whether a text is 5, 10, 15 ... up to 95, as patents number their lines between the columns."""
    return len(text) < 3 and text.isdecimal() and int(text) % 5 == 0


def runs_of(lines: Iterable[Baseline]) -> Iterator[Run]:
    """The runs of baselines, from the top down."""
    return (run for line in lines for segment in line.segments for run in segment.runs)


def text_edges(lines: Sequence[Baseline]) -> tuple[float, float]:
    """Where text starts and ends, ignoring a few outliers."""
    starts = sorted(line.segments[0].x0 for line in lines)
    ends = sorted(line.segments[-1].x1 for line in lines)
    aside = len(lines) // 20
    return starts[aside], ends[-1 - aside]


def between(lines: Iterable[Baseline], x0: float, x1: float) -> list[Baseline]:
    """The baselines with what stands between two places; those that have nothing there are left out."""
    kept = (line.within(x0, x1) for line in lines)
    return [line for line in kept if line.segments]

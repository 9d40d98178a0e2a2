"""Progress and durations in words."""

from __future__ import annotations

import pytest

from engine.progress import Progress
from explorer.shared.progress import sentence


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (Progress("Encoding", 500, 2000, 5.0), "Encoding: 500 of 2,000 · 100 a second · about 15 s left"),
        (Progress("Encoding", 2000, 2000, 20.0), "Encoding: 2,000 of 2,000 in 20 s"),
        (Progress("Reading", 3, None, 30.0), "Reading: 3"),
        (
            Progress("import files", 0, 1, 3.0, "12,345 documents", uneven=True),
            "Import files: 0 of 1 · 12,345 documents",
        ),
        (
            Progress("import files", 3, 4, 3.0, "9 documents", uneven=True),
            "Import files: 3 of 4 · 9 documents · 1 a second",
        ),
        (
            Progress("import files", 3, 4, 6.0, "9 documents", uneven=True, left=40.0),
            "Import files: 3 of 4 · 9 documents · about 40 s left",
        ),
        (
            Progress("import files", 4, 4, 3.0, "9 documents, 1 failed"),
            "Import files: 4 of 4 · 9 documents, 1 failed in 3 s",
        ),
        (
            Progress("download x", 5_000_000, 10_000_000, 1.0),
            "Download x: 5.0 MB of 10.0 MB · 5.0 MB a second · about 1 s left",
        ),
        (Progress("Reading", 0, 10, 0.0), "Reading: 0 of 10"),
    ],
)
def test_progress_says_count_rate_and_time_left(progress: Progress, words: str) -> None:
    assert sentence(progress) == words

"""Readings as they stand in answers and comparisons that tests make by hand."""

from __future__ import annotations

from engine.search import Reading
from engine.search.verdicts import Verdict

READ = Reading("closely related", 0.83, 0.57)
NEAR = Verdict(True, 0.97)

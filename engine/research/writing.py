"""Writes a benchmark's report: a table's lines, the circumstances of its figures, JSON with Markdown beside it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.core import files, provenance


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table and the empty one after it."""
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


def circumstances(module: str, words: Sequence[str]) -> dict[str, str]:
    """The command that gives the figures again, without one machine's folders; the commit and the machine."""
    command = shlex.join(["python", "-m", "engine.research", module, *words])
    return {"command": command, "commit": provenance.commit(), "hardware": provenance.hardware()}


def as_list(facts: Mapping[str, object]) -> list[str]:
    """One line a fact."""
    return [f"* {name}: {value}" for name, value in facts.items()]


def save(path: Path, report: Mapping[str, Any], markdown: str) -> None:
    """Write a report as JSON, and its tables beside it as Markdown."""
    files.write_json(path, report)
    files.write_bytes(path.with_suffix(".md"), markdown.encode())

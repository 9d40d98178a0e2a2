"""Our example documents, for a visitor without one at hand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.documents import Kind
from explorer import ASSETS

FOLDER = ASSETS / "examples"
PAIR_FOLDER = ASSETS / "pairs"
_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)
_ABSTRACT = re.compile(r"^## Abstract\s+(.+?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Example:
    """What the front page says about an example; the document is read when it is chosen."""

    name: str
    kind: Kind
    title: str
    opening: str
    path: Path


@dataclass(frozen=True, slots=True)
class ExamplePair:
    """Two examples worth comparing, and what a visitor will see in them; both are examples' names."""

    first: str
    second: str
    lead: str


EXAMPLE_PAIRS = (
    ExamplePair("sentence-graph-duplicates", "manuscript-alignment", "Two papers with one idea in different words"),
    ExamplePair("infusion-occlusion", "feeding-pump-blockage", "Two patents whose claims read on each other"),
)


@cache
def examples() -> dict[str, Example]:
    """Return every example to search with by name: papers first, then patents."""
    return _in(FOLDER)


@cache
def every_example() -> dict[str, Example]:
    """Those, and the ones to compare them with."""
    return examples() | _in(PAIR_FOLDER)


def _in(folder: Path) -> dict[str, Example]:
    found = [_example(path) for path in sorted(folder.glob("*.md"))]
    return {example.name: example for example in sorted(found, key=lambda example: (example.kind, example.name))}


def _example(path: Path) -> Example:
    text = path.read_text("utf-8")
    title, abstract = _HEADING.search(text), _ABSTRACT.search(text)
    kind: Kind = "patent" if "\n## Claims" in text else "paper"
    opening = " ".join(abstract.group(1).split()) if abstract else ""
    return Example(path.stem, kind, title.group(1) if title else path.stem, opening, path)

"""The figures of `engine.research.measures.colde_robustness` as a Markdown table with bars that any page can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_LEAST, _CELLS = 0.5, 20
_EIGHTHS = " ▏▎▍▌▋▊▉"
_TITLES = {"compared": "What is compared", "trained": "How it was trained"}


@dataclass(frozen=True)
class Figure:
    """One variation on one set: figures on test and valid, and `p` against the encoder as it is (None for itself)."""

    benchmark: str
    group: str
    name: str
    test: dict[str, float]
    valid: dict[str, float]
    p: float | None


def as_markdown(figures: Sequence[Figure]) -> str:
    """A table a group: a row a variation, and for each set its accuracy as a bar, the accuracy, the AUC and p."""
    sets = list(dict.fromkeys(one.benchmark for one in figures))
    parts = []
    for group in dict.fromkeys(one.group for one in figures):
        columns = [f"{name}: accuracy from .5 to 1 | accuracy | AUC | p" for name in sets]
        lines = [f"| {_TITLES[group]} | " + " | ".join(columns) + " |", "|---" * (1 + 4 * len(sets)) + "|"]
        for name in dict.fromkeys(one.name for one in figures if one.group == group):
            held = {one.benchmark: one for one in figures if (one.group, one.name) == (group, name)}
            lines.append(f"| {name} | " + " | ".join(_cells(held.get(each)) for each in sets) + " |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n\np: how likely such a difference is by chance (McNemar's test on the test pairs)\n"


def bar(value: float) -> str:
    """A bar of up to twenty cells for a share from a half to one."""
    eighths = round(8 * _CELLS * max(0.0, min(1.0, (value - _LEAST) / (1 - _LEAST))))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _cells(figure: Figure | None) -> str:
    if figure is None:
        return " | | | "
    accuracy, auc = (f"{figure.test[name]:.3f}".removeprefix("0") for name in ("accuracy", "auc"))
    chance = "" if figure.p is None else f"{figure.p:.2g}"
    return f"{bar(figure.test['accuracy'])} | {accuracy} | {auc} | {chance}"

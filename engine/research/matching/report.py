"""A saved table of matching: every figure with the data, the encoders, the commit and the machine that gave it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.core import files, provenance
from engine.research.matching.judging import FIGURES, THRESHOLD_RULE, Judged, compare
from engine.research.matching.pair_set import PairSet
from engine.research.matching.rows import SEED

_NAMED = 5  # ids that a sentence names before it only counts


@dataclass(frozen=True, slots=True)
class MatchReport:
    """The rows judged on one set, in the order asked for; each is compared with the first."""

    pairs: PairSet
    judged: Sequence[Judged]
    command: str = ""

    def figures(self) -> dict[str, Any]:
        """The set's name, its pairs, and each row's figures on test with the threshold from valid."""
        rows = {one.name: {**one.test.rounded(), "threshold": round(one.threshold, 6)} for one in self.judged}
        return {"pairs": self.pairs.name, "encoders": rows, "counts": self.pairs.counts}

    def as_json(self) -> dict[str, Any]:
        """Figures with everything that is needed to repeat and to judge them."""
        value = self.figures()
        for one in self.judged:
            row = value["encoders"][one.name]
            row["valid"] = one.valid.rounded()
            row["fingerprint"] = one.scored.fingerprint
            row["seconds"] = None if one.scored.seconds is None else round(one.scored.seconds, 1)
            if one is not self.judged[0]:
                row["mcnemar"] = {"against": self.judged[0].name, **compare(one, self.judged[0]).as_json()}
            row |= one.scored.facts
        return {**value, **self._circumstances()}

    def as_markdown(self) -> str:
        """The figures on test as a table, with accuracy on valid and McNemar's p against the first row."""
        first = self.judged[0]
        columns = [*FIGURES, "threshold", "accuracy on valid", f"p against {first.name}"]
        lines = [f"# {self.pairs.name}", "", "| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
        for one in self.judged:
            figures = [*(f"{getattr(one.test, name):.4f}" for name in FIGURES), f"{one.threshold:.4g}"]
            chance = "" if one is first else f"{compare(one, first).p:.2g}"
            lines.append(f"| {one.name} | " + " | ".join([*figures, f"{one.valid.accuracy:.4f}", chance]) + " |")
        lines += ["", *(f"* {name}: {_in_words(value)}" for name, value in self._circumstances().items())]
        lines += [f"* {split}: {_in_words(counts)}" for split, counts in self.pairs.counts.items()]
        lines += [f"* left out: {sentence}" for sentence in told(self.pairs)]
        lines.append("* fingerprints: " + ", ".join(f"{one.name} {one.scored.fingerprint}" for one in self.judged))
        lines += [f"* {one.name}: {_in_words(one.scored.facts)}" for one in self.judged if one.scored.facts]
        return "\n".join([*lines, ""])

    def save(self, path: Path) -> None:
        """Write the JSON to `path` and the table beside it as Markdown."""
        files.write_json(path, self.as_json())
        files.write_bytes(path.with_suffix(".md"), self.as_markdown().encode())

    def _circumstances(self) -> dict[str, Any]:
        return {
            "command": self.command,
            "text": "title, abstract, references and claims removed",
            "threshold": THRESHOLD_RULE,
            "documents": len(self.pairs.documents),
            "documents_without_text": len(self.pairs.empty),
            "corpus": len(self.pairs.corpus),
            "sha256": dict(self.pairs.sha256),
            "commit": provenance.commit(),
            "hardware": provenance.hardware(),
            "seed": f"{SEED}, of LSA's decomposition; nothing else is drawn but an order of sections asked for",
        }


def told(pairs: PairSet) -> list[str]:
    """A sentence for each reason why figures rest on less than the table of pairs promises."""
    sentences = []
    held = {document.id for document in pairs.corpus}
    if pairs.missing:
        lost = sorted({name for pair in pairs.missing for name in (pair.a, pair.b)} - held)
        counts = {split: count["left_out"] for split, count in pairs.counts.items() if count["left_out"]}
        sentences.append(
            f"{len(pairs.missing)} pairs ({_in_words(counts)}) for want of {len(lost)} documents: {_some(lost)}"
        )
    if pairs.empty:
        sentences.append(f"no pair, but {len(pairs.empty)} documents have no text to compare: {_some(pairs.empty)}")
    return sentences


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return ", ".join(ids[:_NAMED]) + more


def _in_words(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_in_words(item)}" for key, item in value.items())
    return str(value)

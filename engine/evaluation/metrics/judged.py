"""One query's ranking with its judgements: what every metric reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Judged:
    """The grades of a ranking, nearest first (0 = not relevant), and of all relevant documents, highest first.

    A document without a judgement counts as not relevant: the judgements of these benchmarks list
    relevant documents only. `rejected` says of each ranked document whether somebody judged it not
    relevant, `rejections` how many were, retrieved or not; only trec_eval's bpref asks.
    """

    ranking: tuple[int, ...]
    ideal: tuple[int, ...]
    rejected: tuple[bool, ...] = ()
    rejections: int = 0

    @classmethod
    def of(cls, ids: Sequence[str], grades: Mapping[str, int]) -> Judged:
        """Join a ranking of ids with the grades of one query."""
        ideal = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
        return cls(
            tuple(max(0, grades.get(name, 0)) for name in ids),
            tuple(ideal),
            rejected=tuple(grades.get(name) == 0 for name in ids),
            rejections=sum(grade == 0 for grade in grades.values()),
        )

    @cached_property
    def hits(self) -> tuple[bool, ...]:
        """Whether each ranked document is relevant."""
        return tuple(grade > 0 for grade in self.ranking)

    @property
    def relevant(self) -> int:
        """How many documents are relevant to the query, retrieved or not."""
        return len(self.ideal)

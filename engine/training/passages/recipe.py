"""The recipe of an encoder of passages: what it begins as, which papers it reads, and what it learns of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine.encoders.student import NAME, PASSAGES, StudentSettings
from engine.training.settings import OptimizerSettings, RelatedFile, ScheduleSettings, check


@dataclass(frozen=True, slots=True)
class PassageDataSettings:
    """Tables of related documents; only the documents of their train pairs are read.

    They are cut into passages of about `words` words; a step reads at most `each` of a document, drawn evenly.
    """

    files: tuple[RelatedFile, ...]
    words: int = 200
    each: int = 8

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (bool(self.files), "files must name at least one table of pairs"),
            (self.words >= 1, f"words must be at least 1, got {self.words}"),
            (self.each >= 1, f"each must be at least 1, got {self.each}"),
        )

    @property
    def subjects(self) -> tuple[str, ...]:
        """Corpora whose documents are drawn by their categories: none."""
        return ()

    @property
    def subject_share(self) -> float:
        """The share of the steps that draw a subject's documents."""
        return 0.0

    @property
    def corpora(self) -> tuple[str, ...]:
        """Every corpus that is read, once."""
        return tuple(dict.fromkeys(one.corpus for one in self.files))


@dataclass(frozen=True, slots=True)
class QuoteSettings:
    """A stretch of a passage finds it among all of the step, by a softmax of this `temperature`, `weight` times.

    A stretch has from `fewest` to `most` words, short ones as often as long ones twice as long; it may run on into the
    next passage. In the share `changed` of stretches words are left out, up to the share `dropped`, and others put in
    the place of some, up to the share `replaced`.
    """

    weight: float = 1.0
    temperature: float = 0.05
    spans: int = 384
    fewest: int = 10
    most: int = 120
    changed: float = 0.6
    dropped: float = 0.5
    replaced: float = 0.4

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        shares = {"changed": self.changed, "dropped": self.dropped, "replaced": self.replaced}
        check(
            (self.weight >= 0, f"weight must not be negative, got {self.weight}"),
            (self.temperature > 0, f"temperature must be above 0, got {self.temperature}"),
            (self.spans >= 1, f"spans must be at least 1, got {self.spans}"),
            (1 <= self.fewest <= self.most, f"fewest must be from 1 to {self.most}, got {self.fewest}"),
            *((0 <= share <= 1, f"{name} must be from 0 to 1, got {share}") for name, share in shares.items()),
        )


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """Related documents match each other better both ways than others, `weight` times, at this `temperature`.

    They match as in CoLDE (Jha et al. 2023, section 3.2), by the passages that a step reads.
    """

    weight: float = 1.0
    temperature: float = 0.05

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.weight >= 0, f"weight must not be negative, got {self.weight}"),
            (self.temperature > 0, f"temperature must be above 0, got {self.temperature}"),
        )


@dataclass(frozen=True, slots=True)
class PassageObjectiveSettings:
    """What is learnt; `places` times the distance from where the passages were in the beginning keeps the rest.

    An epoch has `steps` steps.
    """

    places: float = 1.0
    steps: int = 500
    quotes: QuoteSettings = field(default_factory=QuoteSettings)
    matches: MatchSettings = field(default_factory=MatchSettings)

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.places >= 0, f"places must not be negative, got {self.places}"),
            (self.steps >= 1, f"steps must be at least 1, got {self.steps}"),
        )


def _reading() -> StudentSettings:
    return StudentSettings(max_tokens=256, reads=PASSAGES)


@dataclass(frozen=True, slots=True)
class PassagesRecipe:
    """How a small transformer is taught passages; `source` is the one it begins as, by name or folder.

    A batch is a number of related pairs.
    """

    data: PassageDataSettings
    schedule: ScheduleSettings
    method: Literal["passages"] = "passages"
    seed: int = 0
    device: Literal["auto", "cpu", "cuda"] = "auto"
    source: str = NAME
    reading: StudentSettings = field(default_factory=_reading)
    objective: PassageObjectiveSettings = field(default_factory=PassageObjectiveSettings)
    optimizer: OptimizerSettings = field(default_factory=lambda: OptimizerSettings(learning_rate=1e-4, batch=48))

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check((self.seed >= 0, f"seed must not be negative, got {self.seed}"))

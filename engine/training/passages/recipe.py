"""The recipe of an encoder of passages: what it begins as, which papers it reads, and what it learns of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine.encoders.student import NAME, PASSAGES, StudentSettings
from engine.training.settings import (
    OptimizerSettings,
    Recipe,
    RelatedFile,
    Rules,
    Settings,
    above_0,
    at_least,
    from_0_to_1,
    zero_or_more,
)


@dataclass(frozen=True, slots=True)
class PassageDataSettings(Settings):
    """Tables of related documents; only the documents of their train pairs are read.

    They are cut into passages of about `words` words; a step reads at most `each` of a document, drawn evenly.
    """

    files: tuple[RelatedFile, ...]
    words: int = at_least(1, 200)
    each: int = at_least(1, 8)

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return ((bool(self.files), "files must name at least one table of pairs"),)

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
class QuoteSettings(Settings):
    """A stretch of a passage finds it among all of the step, by a softmax of this `temperature`, `weight` times.

    A stretch has from `fewest` to `most` words, short ones as often as long ones twice as long; it may run on into the
    next passage. In the share `changed` of stretches words are left out, up to the share `dropped`, and others put in
    the place of some, up to the share `replaced`.
    """

    weight: float = zero_or_more(1.0)
    temperature: float = above_0(0.05)
    spans: int = at_least(1, 384)
    fewest: int = 10
    most: int = 120
    changed: float = from_0_to_1(0.6)
    dropped: float = from_0_to_1(0.5)
    replaced: float = from_0_to_1(0.4)

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return ((1 <= self.fewest <= self.most, f"fewest must be from 1 to {self.most}, got {self.fewest}"),)


@dataclass(frozen=True, slots=True)
class MatchSettings(Settings):
    """Related documents match each other better both ways than others, `weight` times, at this `temperature`.

    They match as in CoLDE (Jha et al. 2023, section 3.2), by the passages that a step reads.
    """

    weight: float = zero_or_more(1.0)
    temperature: float = above_0(0.05)


@dataclass(frozen=True, slots=True)
class PassageObjectiveSettings(Settings):
    """What is learnt; `places` times the distance from where the passages were in the beginning keeps the rest.

    An epoch has `steps` steps.
    """

    places: float = zero_or_more(1.0)
    steps: int = at_least(1, 500)
    quotes: QuoteSettings = field(default_factory=QuoteSettings)
    matches: MatchSettings = field(default_factory=MatchSettings)


def _reading() -> StudentSettings:
    return StudentSettings(max_tokens=256, reads=PASSAGES)


@dataclass(frozen=True, slots=True)
class PassagesRecipe(Recipe):
    """How a small transformer is taught passages; `source` is the one it begins as, by name or folder.

    A batch is a number of related pairs.
    """

    data: PassageDataSettings
    method: Literal["passages"] = "passages"
    seed: int = zero_or_more(0)
    source: str = NAME
    reading: StudentSettings = field(default_factory=_reading)
    objective: PassageObjectiveSettings = field(default_factory=PassageObjectiveSettings)
    optimizer: OptimizerSettings = field(default_factory=lambda: OptimizerSettings(learning_rate=1e-4, batch=48))

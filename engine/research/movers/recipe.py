"""The recipe of supervised word mover's distance: which documents belong together, what is learnt of words, and how."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine.training.cdssm.recipe import CdssmDataSettings
from engine.training.settings import OptimizerSettings, ScheduleSettings, check

METHOD = "swmd"


@dataclass(frozen=True, slots=True)
class MoverSettings:
    """What is read of a document, its first tokens and of these the most frequent words, and the width of a word."""

    max_tokens: int = 200
    most_words: int = 40
    dim: int = 100

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        values = {name: getattr(self, name) for name in ("max_tokens", "most_words", "dim")}
        check(*((value >= 1, f"{name} must be at least 1, got {value}") for name, value in values.items()))


@dataclass(frozen=True, slots=True)
class MoverObjectiveSettings:
    """The softmax over distances times `gamma`, and the transport that they come from.

    Its entropy is divided by `sharpness`, and `rounds` of Sinkhorn's algorithm solve it. Costs are scaled so that two
    drawn words lie one apart before training: a `gamma` of one would ask the map for a larger scale first of all.
    """

    gamma: float = 20.0
    sharpness: float = 10.0
    rounds: int = 20

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.gamma > 0, f"gamma must be above 0, got {self.gamma}"),
            (self.sharpness > 0, f"sharpness must be above 0, got {self.sharpness}"),
            (self.rounds >= 1, f"rounds must be at least 1, got {self.rounds}"),
        )


@dataclass(frozen=True, slots=True)
class MoverRecipe:
    """How the map and the weights are trained (Huang et al., "Supervised Word Mover's Distance", NeurIPS 2016).

    `words` names a folder of word vectors; `optimizer.batch` counts pairs, two documents each, and the
    weights learn by its `words_learning_rate`.
    """

    data: CdssmDataSettings
    schedule: ScheduleSettings
    method: Literal["swmd"] = "swmd"
    seed: int = 1
    device: Literal["auto", "cpu", "cuda"] = "auto"
    words: str = "word2vec"
    network: MoverSettings = field(default_factory=MoverSettings)
    objective: MoverObjectiveSettings = field(default_factory=MoverObjectiveSettings)
    optimizer: OptimizerSettings = field(default_factory=lambda: OptimizerSettings(batch=16))

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check((self.seed >= 0, f"seed must not be negative, got {self.seed}"))

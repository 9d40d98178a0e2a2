"""The tables of a recipe that every method shares: how weights are moved, and for how long."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class OptimizerSettings:
    """Adam's step; `words_learning_rate` is for word vectors that are trained too (0 = the same rate)."""

    learning_rate: float = 1e-3
    batch: int = 200
    words_learning_rate: float = 0.0

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.learning_rate > 0, f"learning_rate must be above 0, got {self.learning_rate}"),
            (self.batch >= 2, f"batch must be at least 2, got {self.batch}"),
            (
                self.words_learning_rate >= 0,
                f"words_learning_rate must be 0 or more, got {self.words_learning_rate}",
            ),
        )


@dataclass(frozen=True, slots=True)
class ScheduleSettings:
    """How long to train: `patience` epochs without a better score end it (0 = never).

    The learning rate rises over the first `warmup` steps; "linear" lets it fall evenly, down to the share `lowest`.
    A checkpoint is written after each epoch, and `checkpoint_minutes` after the last one (0 = after every step).
    """

    epochs: int
    patience: int = 0
    decay: Literal["constant", "linear"] = "constant"
    warmup: int = 0
    lowest: float = 0.02
    checkpoint_minutes: float = 10.0

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.epochs >= 0, f"epochs must not be negative, got {self.epochs}"),
            (self.patience >= 0, f"patience must not be negative, got {self.patience}"),
            (self.warmup >= 0, f"warmup must not be negative, got {self.warmup}"),
            (0 <= self.lowest <= 1, f"lowest must be a share from 0 to 1, got {self.lowest}"),
            (self.checkpoint_minutes >= 0, f"checkpoint_minutes must not be negative, got {self.checkpoint_minutes}"),
        )

    def rate_at(self, step: int, steps: int) -> float:
        """The share of the learning rate at a step, counted from 0, of `steps` in all."""
        risen = min(1.0, (step + 1) / self.warmup) if self.warmup else 1.0
        return risen if self.decay == "constant" else risen * max(self.lowest, 1 - step / steps)


def check(*rules: tuple[bool, str]) -> None:
    """Raise ValueError with the text of every rule that does not hold, all at once."""
    broken = [text for holds, text in rules if not holds]
    if broken:
        raise ValueError("; ".join(broken))

"""The tables that recipes of several methods share: how and how long to train, and which documents belong together."""

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
        """Return the share of the learning rate at a step, counted from 0, of `steps` in all."""
        risen = min(1.0, (step + 1) / self.warmup) if self.warmup else 1.0
        return risen if self.decay == "constant" else risen * max(self.lowest, 1 - step / steps)


@dataclass(frozen=True, slots=True)
class RelatedFile:
    """A file of pairs whose documents belong together, in a corpus's folder: tab-separated, with id-a and id-b."""

    corpus: str
    pairs: str = "train-pairs.tsv"


@dataclass(frozen=True, slots=True)
class RelatedSettings:
    """A second objective beyond the paper: whole documents of one subject, or that are paired in a file, lie near.

    A share of the steps adds `weight` times a softmax over `batch` related pairs. They come from `subjects`, corpora
    whose documents carry categories, in `subject_share` of these steps, else from `files`.
    """

    share: float = 0.0
    weight: float = 1.0
    temperature: float = 0.07
    batch: int = 100
    subjects: tuple[str, ...] = ()
    subject_share: float = 0.7
    files: tuple[RelatedFile, ...] = ()

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (0 <= self.share <= 1, f"share must be from 0 to 1, got {self.share}"),
            (self.weight > 0, f"weight must be above 0, got {self.weight}"),
            (self.temperature > 0, f"temperature must be above 0, got {self.temperature}"),
            (self.batch >= 2, f"batch must be at least 2, got {self.batch}"),
            (0 <= self.subject_share <= 1, f"subject_share must be from 0 to 1, got {self.subject_share}"),
            (not self.share or bool(self.subjects or self.files), "share needs subjects or files to draw from"),
        )

    @property
    def corpora(self) -> set[str]:
        """The corpora that pairs are drawn from."""
        return {*self.subjects, *(one.corpus for one in self.files)}


def check(*rules: tuple[bool, str]) -> None:
    """Raise ValueError with the text of every rule that does not hold, all at once."""
    broken = [text for holds, text in rules if not holds]
    if broken:
        raise ValueError("; ".join(broken))

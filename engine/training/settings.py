"""What recipes share: their first keys, the tables that several methods have, and how values are checked.

A field names its range beside its default: `batch: int = at_least(2, 200)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from typing import Any, Literal, NamedTuple, TypeAlias

Rules: TypeAlias = Iterable[tuple[bool, str]]
"""Whether each of some rules holds, and what to say where it does not."""


class _Range(NamedTuple):
    """The values that a field may have, in words and as a test."""

    words: str
    holds: Callable[[Any], bool]


_RANGE = "range"


class CheckedSettings:
    """Settings, such as a table of a recipe, that refuse values outside their ranges."""

    __slots__ = ()

    def __post_init__(self) -> None:
        """Raise ValueError that names every value outside its range, and every rule that does not hold."""
        ranges = ((one.name, getattr(self, one.name), one.metadata.get(_RANGE)) for one in fields(self))  # type: ignore[arg-type]
        broken = [f"{name} must {of.words}, got {value}" for name, value, of in ranges if of and not of.holds(value)]
        broken += [text for holds, text in self.rules() if not holds]
        if broken:
            raise ValueError("; ".join(broken))

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return ()


def at_least(least: float, default: float) -> Any:  # noqa: ANN401  a field of a dataclass
    """Return a field whose value is at least `least`."""
    return _ranged(default, f"be at least {least}", lambda value: value >= least)


def above_0(default: float) -> Any:  # noqa: ANN401
    """Return a field whose value is above 0."""
    return _ranged(default, "be above 0", lambda value: value > 0)


def zero_or_more(default: float) -> Any:  # noqa: ANN401
    """Return a field whose value is 0 or more."""
    return _ranged(default, "be 0 or more", lambda value: value >= 0)


def from_0_to_1(default: float) -> Any:  # noqa: ANN401
    """Return a field whose value is from 0 to 1."""
    return _ranged(default, "be from 0 to 1", lambda value: 0 <= value <= 1)


def from_0_below_1(default: float) -> Any:  # noqa: ANN401
    """Return a field whose value is a share that leaves something over."""
    return _ranged(default, "be a share from 0 to below 1", lambda value: 0 <= value < 1)


def _ranged(default: float, words: str, holds: Callable[[Any], bool]) -> Any:  # noqa: ANN401
    return field(default=default, metadata={_RANGE: _Range(words, holds)})


@dataclass(frozen=True, slots=True)
class OptimizerSettings(CheckedSettings):
    """Adam's step; `words_learning_rate` is for word vectors that are trained too (0 = the same rate)."""

    learning_rate: float = above_0(1e-3)
    batch: int = at_least(2, 200)
    words_learning_rate: float = zero_or_more(0.0)


@dataclass(frozen=True, slots=True)
class ScheduleSettings(CheckedSettings):
    """How long to train: `patience` epochs without a better score end it (0 = never).

    The learning rate rises over the first `warmup` steps; "linear" lets it fall evenly, down to the share `lowest`.
    A checkpoint is written after each epoch, and `checkpoint_minutes` after the last one (0 = after every step).
    """

    epochs: int
    patience: int = zero_or_more(0)
    decay: Literal["constant", "linear"] = "constant"
    warmup: int = zero_or_more(0)
    lowest: float = from_0_to_1(0.02)
    checkpoint_minutes: float = zero_or_more(10.0)

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return ((self.epochs >= 0, f"epochs must be 0 or more, got {self.epochs}"),)

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
class RelatedSettings(CheckedSettings):
    """A second objective beyond the paper: whole documents of one subject, or that are paired in a file, lie near.

    A share of the steps adds `weight` times a softmax over `batch` related pairs. They come from `subjects`, corpora
    whose documents carry categories, in `subject_share` of these steps, else from `files`.
    """

    share: float = from_0_to_1(0.0)
    weight: float = above_0(1.0)
    temperature: float = above_0(0.07)
    batch: int = at_least(2, 100)
    subjects: tuple[str, ...] = ()
    subject_share: float = from_0_to_1(0.7)
    files: tuple[RelatedFile, ...] = ()

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return ((not self.share or bool(self.subjects or self.files), "share needs subjects or files to draw from"),)

    @property
    def corpora(self) -> set[str]:
        """The corpora that pairs are drawn from."""
        return {*self.subjects, *(one.corpus for one in self.files)}


@dataclass(frozen=True, slots=True)
class CorporaSettings(CheckedSettings):
    """Corpora to train on.

    Those with a pairs.tsv are trained on their train pairs, and each epoch is scored on their valid pairs.
    """

    corpora: tuple[str, ...]

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return ((bool(self.corpora), "corpora must name at least one corpus"),)


@dataclass(frozen=True, slots=True)
class Recipe(CheckedSettings):
    """How an encoder is trained: the keys that every recipe has before those of its method.

    `data` names what is learnt from, `seed` seeds every draw, and on "auto" a GPU is used where there is one.
    """

    data: Any
    schedule: ScheduleSettings
    method: str = ""
    seed: int = zero_or_more(1)
    device: Literal["auto", "cpu", "cuda"] = "auto"


@dataclass(frozen=True, slots=True)
class WordsRecipe(CorporaSettings):
    """How word vectors are trained on corpora: the keys that every such recipe has first."""

    method: str = ""
    dim: int = at_least(1, 100)
    window: int = at_least(1, 10)
    epochs: int = at_least(1, 5)

"""The recipe of a small transformer: the teacher's layers it begins with, what it learns from it, and what else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine.encoders.student import StudentSettings
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
class StudentDataSettings(Settings):
    """Texts to place, and benchmarks whose valid queries score each epoch by `metric`.

    In the corpora `shorts`, every title is a text, and so is one sentence of the abstract in `sentence_share` of the
    documents. In the corpora `wholes`, the whole text is one, to the length that teacher and student read.
    """

    shorts: tuple[str, ...] = ()
    wholes: tuple[str, ...] = ()
    sentence_share: float = from_0_to_1(0.7)
    valid: tuple[str, ...] = ()
    metric: str = "nDCG@10"

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return ((bool(self.corpora), "shorts or wholes must name at least one corpus"),)

    @property
    def corpora(self) -> tuple[str, ...]:
        """Every corpus that is read, once."""
        return tuple(dict.fromkeys([*self.shorts, *self.wholes]))


@dataclass(frozen=True, slots=True)
class TeacherSettings(Settings):
    """The sentence transformer: "minilm", or a folder or name of a `transformers` model."""

    source: str = "minilm"
    max_tokens: int = at_least(1, 256)


@dataclass(frozen=True, slots=True)
class StudentObjectiveSettings(Settings):
    """The loss: neighbours as the teacher has them (a softmax of this `temperature`), and `places` times the distance.

    An epoch has `steps` batches. The seed draws one order for the texts of all corpora, and another when they run out.
    Only the share `wholes_share` of whole texts is used, and at most `shorts_most` short texts if that is above 0.
    """

    temperature: float = above_0(0.05)
    places: float = zero_or_more(5.0)
    steps: int = at_least(1, 500)
    wholes_share: float = from_0_to_1(0.25)
    shorts_most: int = zero_or_more(0)


@dataclass(frozen=True, slots=True)
class RelatedTextSettings(Settings):
    """What is learnt beside the teacher's places, `weight` times (0 = nothing): which texts belong together.

    A step draws `batch` pairs from one source, and a softmax of this `temperature` finds each text's fellow among all.
    In `title_share` of the steps, a pair is a title of the corpora `titles` and its text. In `passage_share` of the
    others, it is a citing passage and the cited work, from papers paired in a file of `passages`, `passages_most` a
    pair. In `subject_share` of the rest, it is two documents of `subjects` with the same set of categories, else a pair
    of one of `files`, the longer ones more often. Related documents of the corpora in `abstracts` are read to the end
    of their abstract.
    """

    weight: float = zero_or_more(0.0)
    temperature: float = above_0(0.05)
    batch: int = at_least(2, 256)
    subjects: tuple[str, ...] = ()
    files: tuple[RelatedFile, ...] = ()
    abstracts: tuple[str, ...] = ()
    subject_share: float = from_0_to_1(0.5)
    titles: tuple[str, ...] = ()
    title_share: float = from_0_to_1(0.3)
    passages: tuple[RelatedFile, ...] = ()
    passage_share: float = from_0_to_1(0.3)
    passages_most: int = at_least(1, 3)

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return (
            (not self.weight or bool(self.corpora), "weight needs subjects, files, passages or titles to draw from"),
        )

    @property
    def corpora(self) -> tuple[str, ...]:
        """Every corpus that pairs are drawn from, once."""
        return tuple(dict.fromkeys([*self.subjects, *(one.corpus for one in self.tables), *self.titles]))

    @property
    def tables(self) -> tuple[RelatedFile, ...]:
        """Every table of pairs that is read, once."""
        return tuple(dict.fromkeys([*self.files, *self.passages]))


@dataclass(frozen=True, slots=True)
class StudentRecipe(Recipe):
    """How a small transformer is taught; `layers` are the teacher's that it begins with, counted from 0."""

    data: StudentDataSettings
    method: Literal["student"] = "student"
    seed: int = zero_or_more(0)
    layers: tuple[int, ...] = (0, 5)
    train_words: bool = False
    teacher: TeacherSettings = field(default_factory=TeacherSettings)
    reading: StudentSettings = field(default_factory=StudentSettings)
    objective: StudentObjectiveSettings = field(default_factory=StudentObjectiveSettings)
    related: RelatedTextSettings = field(default_factory=RelatedTextSettings)
    optimizer: OptimizerSettings = field(default_factory=OptimizerSettings)

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return (
            (bool(self.layers) and min(self.layers) >= 0, f"layers must name at least one, from 0, got {self.layers}"),
        )

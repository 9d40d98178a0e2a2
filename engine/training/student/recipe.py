"""The recipe of a small transformer: the teacher's layers it begins with, what it learns from it, and what else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine.encoders.student import StudentSettings
from engine.training.settings import OptimizerSettings, RelatedFile, ScheduleSettings, check


@dataclass(frozen=True, slots=True)
class StudentDataSettings:
    """Texts to place, and benchmarks whose valid queries score each epoch by `metric`.

    In the corpora `shorts`, every title is a text, and so is one sentence of the abstract in `sentence_share` of the
    documents. In the corpora `wholes`, the whole text is one, to the length that teacher and student read.
    """

    shorts: tuple[str, ...] = ()
    wholes: tuple[str, ...] = ()
    sentence_share: float = 0.7
    valid: tuple[str, ...] = ()
    metric: str = "nDCG@10"

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (bool(self.corpora), "shorts or wholes must name at least one corpus"),
            (0 <= self.sentence_share <= 1, f"sentence_share must be from 0 to 1, got {self.sentence_share}"),
        )

    @property
    def corpora(self) -> tuple[str, ...]:
        """Every corpus that is read, once."""
        return tuple(dict.fromkeys([*self.shorts, *self.wholes]))


@dataclass(frozen=True, slots=True)
class TeacherSettings:
    """The sentence transformer: "minilm", or a folder or name of a `transformers` model."""

    source: str = "minilm"
    max_tokens: int = 256

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check((self.max_tokens >= 1, f"max_tokens must be at least 1, got {self.max_tokens}"))


@dataclass(frozen=True, slots=True)
class StudentObjectiveSettings:
    """The loss: neighbours as the teacher has them (a softmax of this `temperature`), and `places` times the distance.

    An epoch has `steps` batches. The seed draws one order for the texts of all corpora, and another when they run out.
    Only the share `wholes_share` of whole texts is used, and at most `shorts_most` short texts if that is above 0.
    """

    temperature: float = 0.05
    places: float = 5.0
    steps: int = 500
    wholes_share: float = 0.25
    shorts_most: int = 0

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.temperature > 0, f"temperature must be above 0, got {self.temperature}"),
            (self.places >= 0, f"places must not be negative, got {self.places}"),
            (self.steps >= 1, f"steps must be at least 1, got {self.steps}"),
            (0 <= self.wholes_share <= 1, f"wholes_share must be from 0 to 1, got {self.wholes_share}"),
            (self.shorts_most >= 0, f"shorts_most must not be negative, got {self.shorts_most}"),
        )


@dataclass(frozen=True, slots=True)
class RelatedTextSettings:
    """What is learnt beside the teacher's places, `weight` times (0 = nothing): which texts belong together.

    A step draws `batch` pairs from one source, and a softmax of this `temperature` finds each text's fellow among all.
    In `title_share` of the steps, a pair is a title of the corpora `titles` and its text. In `passage_share` of the
    others, it is a citing passage and the cited work, from papers paired in a file of `passages`, `passages_most` a
    pair. In `subject_share` of the rest, it is two documents of `subjects` with the same set of categories, else a pair
    of one of `files`, the longer ones more often. Related documents of the corpora in `abstracts` are read to the end
    of their abstract.
    """

    weight: float = 0.0
    temperature: float = 0.05
    batch: int = 256
    subjects: tuple[str, ...] = ()
    files: tuple[RelatedFile, ...] = ()
    abstracts: tuple[str, ...] = ()
    subject_share: float = 0.5
    titles: tuple[str, ...] = ()
    title_share: float = 0.3
    passages: tuple[RelatedFile, ...] = ()
    passage_share: float = 0.3
    passages_most: int = 3

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.weight >= 0, f"weight must not be negative, got {self.weight}"),
            (self.temperature > 0, f"temperature must be above 0, got {self.temperature}"),
            (self.batch >= 2, f"batch must be at least 2, got {self.batch}"),
            (0 <= self.subject_share <= 1, f"subject_share must be from 0 to 1, got {self.subject_share}"),
            (0 <= self.title_share <= 1, f"title_share must be from 0 to 1, got {self.title_share}"),
            (0 <= self.passage_share <= 1, f"passage_share must be from 0 to 1, got {self.passage_share}"),
            (self.passages_most >= 1, f"passages_most must be at least 1, got {self.passages_most}"),
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
class StudentRecipe:
    """How a small transformer is taught; `layers` are the teacher's that it begins with, counted from 0."""

    data: StudentDataSettings
    schedule: ScheduleSettings
    method: Literal["student"] = "student"
    seed: int = 0
    device: Literal["auto", "cpu", "cuda"] = "auto"
    layers: tuple[int, ...] = (0, 5)
    train_words: bool = False
    teacher: TeacherSettings = field(default_factory=TeacherSettings)
    reading: StudentSettings = field(default_factory=StudentSettings)
    objective: StudentObjectiveSettings = field(default_factory=StudentObjectiveSettings)
    related: RelatedTextSettings = field(default_factory=RelatedTextSettings)
    optimizer: OptimizerSettings = field(default_factory=OptimizerSettings)

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.seed >= 0, f"seed must not be negative, got {self.seed}"),
            (bool(self.layers) and min(self.layers) >= 0, f"layers must name at least one, from 0, got {self.layers}"),
        )

"""The recipe of a small transformer: which layers of its teacher it begins with, and what it learns from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine.encoders.student.settings import StudentSettings
from engine.training.distilled_recipe import DistilledDataSettings, TeacherSettings
from engine.training.settings import OptimizerSettings, ScheduleSettings, check


@dataclass(frozen=True, slots=True)
class StudentObjectiveSettings:
    """The loss: neighbours as the teacher has them (a softmax of this `temperature`), and `places` times the distance.

    An epoch is of `steps` batches; the texts of all corpora come in one order that the seed draws, then anew.
    Of whole texts only `wholes_share` is used.
    """

    temperature: float = 0.05
    places: float = 5.0
    steps: int = 500
    wholes_share: float = 0.25

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.temperature > 0, f"temperature must be above 0, got {self.temperature}"),
            (self.places >= 0, f"places must not be negative, got {self.places}"),
            (self.steps >= 1, f"steps must be at least 1, got {self.steps}"),
            (0 <= self.wholes_share <= 1, f"wholes_share must be from 0 to 1, got {self.wholes_share}"),
        )


@dataclass(frozen=True, slots=True)
class StudentRecipe:
    """How a small transformer is taught; `layers` are the teacher's that it begins with, counted from 0."""

    data: DistilledDataSettings
    schedule: ScheduleSettings
    method: Literal["student"] = "student"
    seed: int = 0
    device: Literal["auto", "cpu", "cuda"] = "auto"
    layers: tuple[int, ...] = (0, 5)
    train_words: bool = False
    teacher: TeacherSettings = field(default_factory=TeacherSettings)
    reading: StudentSettings = field(default_factory=StudentSettings)
    objective: StudentObjectiveSettings = field(default_factory=StudentObjectiveSettings)
    optimizer: OptimizerSettings = field(default_factory=OptimizerSettings)

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.seed >= 0, f"seed must not be negative, got {self.seed}"),
            (bool(self.layers) and min(self.layers) >= 0, f"layers must name at least one, from 0, got {self.layers}"),
        )

"""The recipe of distilled word vectors: which texts a teacher places, and how the words learn to place them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine.encoders.distilled.settings import DistilledSettings
from engine.training.settings import OptimizerSettings, ScheduleSettings, check


@dataclass(frozen=True, slots=True)
class DistilledDataSettings:
    """Texts to place, and benchmarks whose valid queries score each epoch by `metric`.

    Of the corpora in `shorts` every title is a text of its own, and in `sentence_share` of the documents one sentence
    of the abstract; of those in `wholes` the whole text is one, to the length that teacher and student read.
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
    """The sentence transformer: "minilm", or a folder or name of a `transformers` model with a WordPiece tokenizer."""

    source: str = "minilm"
    max_tokens: int = 256

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check((self.max_tokens >= 1, f"max_tokens must be at least 1, got {self.max_tokens}"))


@dataclass(frozen=True, slots=True)
class DistilledVectorSettings:
    """The vectors that training begins with: the teacher's of each word alone, on their `dim` widest directions.

    The words are the `most` first of `source`, word vectors in pretrained/ or anywhere, of which nothing but words and
    frequencies is used. A word counts a / (a + its frequency) at first (`frequency`).
    """

    source: str = "word2vec"
    most: int = 100_000
    dim: int = 256
    frequency: float = 1e-3

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.most >= 1, f"most must be at least 1, got {self.most}"),
            (self.dim >= 1, f"dim must be at least 1, got {self.dim}"),
            (self.frequency > 0, f"frequency must be above 0, got {self.frequency}"),
        )


@dataclass(frozen=True, slots=True)
class DistilledRecipe:
    """How word vectors are taught; `temperature` is the softmax's, over the other texts of a batch."""

    data: DistilledDataSettings
    schedule: ScheduleSettings
    method: Literal["distilled"] = "distilled"
    seed: int = 1
    temperature: float = 0.05
    train_tokens: int = 200
    teacher: TeacherSettings = field(default_factory=TeacherSettings)
    vectors: DistilledVectorSettings = field(default_factory=DistilledVectorSettings)
    reading: DistilledSettings = field(default_factory=DistilledSettings)
    optimizer: OptimizerSettings = field(default_factory=OptimizerSettings)

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.seed >= 0, f"seed must not be negative, got {self.seed}"),
            (self.temperature > 0, f"temperature must be above 0, got {self.temperature}"),
            (self.train_tokens >= 1, f"train_tokens must be at least 1, got {self.train_tokens}"),
        )

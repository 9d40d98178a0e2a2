"""The recipes of matchers: which pairs are learnt from, how much is read, what is learnt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine import encoders
from engine.research.matchers.settings import Kind, MatcherSettings
from engine.training.settings import ScheduleSettings, check


@dataclass(frozen=True, slots=True)
class MatcherDataSettings:
    """Corpora with a pairs.tsv: trained on their train pairs, each epoch scored on their valid pairs.

    `words` is the folder of the word vectors, in pretrained/ or anywhere; DSSM needs none.
    """

    corpora: tuple[str, ...]
    words: str = "word2vec"

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check((bool(self.corpora), "corpora must name at least one corpus"))


@dataclass(frozen=True, slots=True)
class MatcherOptimizerSettings:
    """Adam's step over about `batch` documents, half as many pairs.

    `word_dropout` is the share of words or trigrams hidden at each step, which the published networks do not do.
    """

    learning_rate: float = 1e-3
    batch: int = 64
    word_dropout: float = 0.0

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.learning_rate > 0, f"learning_rate must be above 0, got {self.learning_rate}"),
            (self.batch >= 4, f"batch must be at least 4, got {self.batch}"),
            (0 <= self.word_dropout < 1, f"word_dropout must be a share from 0 to below 1, got {self.word_dropout}"),
        )


@dataclass(frozen=True, slots=True)
class MatcherRecipe:
    """How a matcher is trained; the objective is one for all, the cosine's squared distance from the label."""

    kind: Kind
    data: MatcherDataSettings
    schedule: ScheduleSettings
    method: Literal["matcher"] = "matcher"
    seed: int = 1
    device: Literal["auto", "cpu", "cuda"] = "auto"
    network: MatcherSettings = field(default_factory=MatcherSettings)
    optimizer: MatcherOptimizerSettings = field(default_factory=MatcherOptimizerSettings)

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check((self.seed >= 0, f"seed must not be negative, got {self.seed}"))


@dataclass(frozen=True, slots=True)
class SBertDataSettings:
    """Corpora with a pairs.tsv: trained on their train pairs, each epoch scored on their valid pairs."""

    corpora: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check((bool(self.corpora), "corpora must name at least one corpus"))


@dataclass(frozen=True, slots=True)
class SBertSettings:
    """The transformer to begin with, "minilm" or any `transformers` folder, and how many tokens it reads.

    `max_tokens` counts the start and end tokens; the published length is 512.
    """

    source: str = encoders.MINILM
    max_tokens: int = 512

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check((self.max_tokens >= 4, f"max_tokens must be at least 4, got {self.max_tokens}"))


@dataclass(frozen=True, slots=True)
class SBertRecipe:
    """How S-BERT is fine-tuned: its mean of token vectors, by the same objective as the other matchers.

    That is the regression objective of Reimers and Gurevych (EMNLP 2019, section 3) and the one that CoLDE's authors
    name (section 4.1.3); their classifier over (u, v, |u - v|) would give no vectors to compare by cosine.
    """

    data: SBertDataSettings
    schedule: ScheduleSettings
    method: Literal["s-bert"] = "s-bert"
    seed: int = 1
    device: Literal["auto", "cpu", "cuda"] = "auto"
    network: SBertSettings = field(default_factory=SBertSettings)
    optimizer: MatcherOptimizerSettings = field(default_factory=MatcherOptimizerSettings)

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check((self.seed >= 0, f"seed must not be negative, got {self.seed}"))

"""The recipe of CoLDE: which pairs are learnt from, how documents are cut, what is learnt and how."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine.training.settings import ScheduleSettings, check

MINILM = "minilm"


@dataclass(frozen=True, slots=True)
class LongDataSettings:
    """Corpora with a pairs.tsv: trained on their train pairs, each epoch scored on their valid pairs."""

    corpora: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check((bool(self.corpora), "corpora must name at least one corpus"))


@dataclass(frozen=True, slots=True)
class BackboneSettings:
    """The transformer that chunks are read by: "minilm", or any `transformers` folder or name on this machine.

    The folder of a CoLDE encoder gives its transformer as it learnt, with its embeddings, under a new head.
    Frozen, the chunks of every document are read once and kept. `chunk_tokens` counts the start and end tokens;
    `section_numbers` and `chunk_numbers` are the sizes of the learned embeddings; a frozen backbone leaves them at
    nothing. `tokens_at_once` bounds what a training step holds of the transformer at any time. Without
    `attention_dropout` the transformer's attention keeps all of its weights in training, too, so that a step on a
    processor takes a third of the time.
    """

    source: str = MINILM
    trained: bool = True
    pooling: Literal["mean", "first"] = "mean"
    chunk_tokens: int = 512
    whole_sentences: bool = False
    section_numbers: int = 5
    chunk_numbers: int = 64
    attention_dropout: bool = True
    tokens_at_once: int = 16_384

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.chunk_tokens >= 8, f"chunk_tokens must be at least 8, got {self.chunk_tokens}"),
            (self.section_numbers >= 1, f"section_numbers must be at least 1, got {self.section_numbers}"),
            (self.chunk_numbers >= 1, f"chunk_numbers must be at least 1, got {self.chunk_numbers}"),
            (self.tokens_at_once >= self.chunk_tokens, "tokens_at_once must be at least chunk_tokens"),
        )


@dataclass(frozen=True, slots=True)
class HeadSettings:
    """The layers above the transformer; `aggregation` "mean" is -LSTM.

    Beyond the paper: `skip`, and a map of chunk vectors to `space_dim` numbers (0 = none) that begins centred on those
    of the training documents, its axes divided by their spread to the power `whitening`. `late_share` of two
    documents' similarity comes from their best matching chunks, the rest from the cosine of their vectors; of each
    document the share `late_best` of its chunks counts, those that match best, in training, too.
    """

    heads: int = 4
    lstm_dim: int = 512
    dim: int = 256
    aggregation: Literal["lstm", "mean"] = "lstm"
    skip: bool = False
    space_dim: int = 0
    whitening: float = 0.25
    late_share: float = 0.0
    late_best: float = 1.0

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.heads >= 1, f"heads must be at least 1, got {self.heads}"),
            (self.lstm_dim >= 2 and self.lstm_dim % 2 == 0, f"lstm_dim must be even, got {self.lstm_dim}"),
            (self.dim >= 1, f"dim must be at least 1, got {self.dim}"),
            (self.space_dim >= 0, f"space_dim must be 0 or more, got {self.space_dim}"),
            (self.whitening >= 0, f"whitening must be 0 or more, got {self.whitening}"),
            (0 <= self.late_share <= 1, f"late_share must be from 0 to 1, got {self.late_share}"),
            (0 < self.late_best <= 1, f"late_best must be above 0 and up to 1, got {self.late_best}"),
        )


@dataclass(frozen=True, slots=True)
class LongObjectiveSettings:
    """The loss, and what of a document it sees.

    `sections` is how many a document is made into (1 is -Aug), `kind` "cosine" is -CL. `max_tokens` bounds what is
    read of a section (0 = all). Beyond the paper: `whole` adds the document in one piece to its sections, `late` adds
    that share of the same loss over documents by their best matching chunks, at its own temperature,
    `chunk_dropout` leaves that share of a section's chunks out of a step.
    """

    kind: Literal["contrastive", "cosine"] = "contrastive"
    temperature: float = 0.5
    sections: int = 2
    max_tokens: int = 0
    whole: bool = False
    late: float = 0.0
    late_temperature: float = 0.05
    chunk_dropout: float = 0.0

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.temperature > 0, f"temperature must be above 0, got {self.temperature}"),
            (1 <= self.sections <= 5, f"sections must be from 1 to 5, got {self.sections}"),
            (self.max_tokens >= 0, f"max_tokens must be 0 or more, got {self.max_tokens}"),
            (0 <= self.chunk_dropout < 1, f"chunk_dropout must be a share below 1, got {self.chunk_dropout}"),
            (self.late >= 0, f"late must be 0 or more, got {self.late}"),
            (self.late_temperature > 0, f"late_temperature must be above 0, got {self.late_temperature}"),
            (self.kind == "contrastive" or not self.late, 'late needs kind = "contrastive"'),
            (self.kind == "contrastive" or self.sections == 1, 'kind = "cosine" needs sections = 1'),
        )


@dataclass(frozen=True, slots=True)
class LongOptimizerSettings:
    """Adam's step with its L2 penalty; `batch` counts documents, a rate of 0 is the one before it.

    The section and chunk embeddings learn by `embedding_learning_rate` and under no penalty: a row that no step reads
    stays as it was drawn.
    """

    learning_rate: float = 5e-5
    weight_decay: float = 0.01
    batch: int = 100
    backbone_learning_rate: float = 0.0
    embedding_learning_rate: float = 0.0

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.learning_rate > 0, f"learning_rate must be above 0, got {self.learning_rate}"),
            (self.weight_decay >= 0, f"weight_decay must be 0 or more, got {self.weight_decay}"),
            (self.batch >= 4, f"batch must be at least 4, got {self.batch}"),
            (self.backbone_learning_rate >= 0, "backbone_learning_rate must be 0 or more"),
            (self.embedding_learning_rate >= 0, "embedding_learning_rate must be 0 or more"),
        )


@dataclass(frozen=True, slots=True)
class ColdeRecipe:
    """How a CoLDE encoder is trained; what is left out is the paper's (section 4.1.2)."""

    data: LongDataSettings
    schedule: ScheduleSettings
    method: Literal["colde"] = "colde"
    seed: int = 1
    device: Literal["auto", "cpu", "cuda"] = "auto"
    backbone: BackboneSettings = field(default_factory=BackboneSettings)
    head: HeadSettings = field(default_factory=HeadSettings)
    objective: LongObjectiveSettings = field(default_factory=LongObjectiveSettings)
    optimizer: LongOptimizerSettings = field(default_factory=LongOptimizerSettings)

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (self.seed >= 0, f"seed must be 0 or more, got {self.seed}"),
            (
                self.objective.sections <= self.backbone.section_numbers,
                "backbone.section_numbers must be at least objective.sections",
            ),
        )

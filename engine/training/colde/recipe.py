"""The recipe of CoLDE: which pairs are learnt from, how documents are cut, what is learnt and how."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine.training.settings import (
    CheckedSettings,
    CorporaSettings,
    Recipe,
    Rules,
    above_0,
    at_least,
    from_0_below_1,
    from_0_to_1,
    zero_or_more,
)

MINILM = "minilm"


@dataclass(frozen=True, slots=True)
class BackboneSettings(CheckedSettings):
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
    chunk_tokens: int = at_least(8, 512)
    whole_sentences: bool = False
    section_numbers: int = at_least(1, 5)
    chunk_numbers: int = at_least(1, 64)
    attention_dropout: bool = True
    tokens_at_once: int = 16_384

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return ((self.tokens_at_once >= self.chunk_tokens, "tokens_at_once must be at least chunk_tokens"),)


@dataclass(frozen=True, slots=True)
class HeadSettings(CheckedSettings):
    """The layers above the transformer; `aggregation` "mean" is -LSTM.

    Beyond the paper: `skip`, and a map of chunk vectors to `space_dim` numbers (0 = none) that begins centred on those
    of the training documents, its axes divided by their spread to the power `whitening`. `late_share` of two
    documents' similarity comes from their best matching chunks, the rest from the cosine of their vectors; of each
    document the share `late_best` of its chunks counts, those that match best, in training, too.
    """

    heads: int = at_least(1, 4)
    lstm_dim: int = 512
    dim: int = at_least(1, 256)
    aggregation: Literal["lstm", "mean"] = "lstm"
    skip: bool = False
    space_dim: int = zero_or_more(0)
    whitening: float = zero_or_more(0.25)
    late_share: float = from_0_to_1(0.0)
    late_best: float = 1.0

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return (
            (self.lstm_dim >= 2 and self.lstm_dim % 2 == 0, f"lstm_dim must be even, got {self.lstm_dim}"),
            (0 < self.late_best <= 1, f"late_best must be above 0 and up to 1, got {self.late_best}"),
        )


@dataclass(frozen=True, slots=True)
class LongObjectiveSettings(CheckedSettings):
    """The loss, and what of a document it sees.

    `sections` is how many a document is made into (1 is -Aug), `kind` "cosine" is -CL. `max_tokens` bounds what is
    read of a section (0 = all). Beyond the paper: `whole` adds the document in one piece to its sections, `late` adds
    that share of the same loss over documents by their best matching chunks, at its own temperature,
    `chunk_dropout` leaves that share of a section's chunks out of a step.
    """

    kind: Literal["contrastive", "cosine"] = "contrastive"
    temperature: float = above_0(0.5)
    sections: int = 2
    max_tokens: int = zero_or_more(0)
    whole: bool = False
    late: float = zero_or_more(0.0)
    late_temperature: float = above_0(0.05)
    chunk_dropout: float = from_0_below_1(0.0)

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return (
            (1 <= self.sections <= 5, f"sections must be from 1 to 5, got {self.sections}"),
            (self.kind == "contrastive" or not self.late, 'late needs kind = "contrastive"'),
            (self.kind == "contrastive" or self.sections == 1, 'kind = "cosine" needs sections = 1'),
        )


@dataclass(frozen=True, slots=True)
class LongOptimizerSettings(CheckedSettings):
    """Adam's step and its decoupled weight decay; `batch` counts documents, a rate of 0 is the one before it.

    The section and chunk embeddings learn by `embedding_learning_rate` and without decay: a row that no step reads
    stays as it was drawn.
    """

    learning_rate: float = above_0(5e-5)
    weight_decay: float = zero_or_more(0.01)
    batch: int = at_least(4, 100)
    backbone_learning_rate: float = zero_or_more(0.0)
    embedding_learning_rate: float = zero_or_more(0.0)


@dataclass(frozen=True, slots=True)
class ColdeRecipe(Recipe):
    """How a CoLDE encoder is trained; what is left out is the paper's (section 4.1.2)."""

    data: CorporaSettings
    method: Literal["colde"] = "colde"
    backbone: BackboneSettings = field(default_factory=BackboneSettings)
    head: HeadSettings = field(default_factory=HeadSettings)
    objective: LongObjectiveSettings = field(default_factory=LongObjectiveSettings)
    optimizer: LongOptimizerSettings = field(default_factory=LongOptimizerSettings)

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return (
            (
                self.objective.sections <= self.backbone.section_numbers,
                "backbone.section_numbers must be at least objective.sections",
            ),
        )

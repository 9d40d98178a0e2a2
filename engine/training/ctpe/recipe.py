"""The recipe of CTPE: what is read, how it is cut, what is learnt and how."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine.core.rows import Precision
from engine.encoders.ctpe import Position
from engine.training.settings import (
    CheckedSettings,
    CorporaSettings,
    OptimizerSettings,
    Recipe,
    RelatedSettings,
    Rules,
    above_0,
    at_least,
    from_0_below_1,
    zero_or_more,
)


def _is_position(text: str) -> bool:
    try:
        Position.parse(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class DataSettings(CorporaSettings):
    """Corpora to train on, and benchmarks whose valid queries score each epoch by `metric`."""

    valid: tuple[str, ...] = ()
    metric: str = "MAP@20"


@dataclass(frozen=True, slots=True)
class PairSettings(CheckedSettings):
    """Where a document is cut, and how many tokens of a half are read (CTPE: pos, l_max).

    With `part_tokens` the network reads a half that is longer in as many even parts as it takes, whose vectors at unit
    length are summed; the paper reads it at once, and leaves more than two parts to later work.
    The last two are for the finished encoder: shorter texts are both halves at once, and documents are compared by
    their coupled halves (equation 2) or by the sum of both, as one "whole" vector.
    """

    position: str = "meaningful"
    max_tokens: int = at_least(1, 200)
    part_tokens: int = zero_or_more(0)
    whole_below_tokens: int = zero_or_more(0)
    similarity: Literal["coupled", "whole"] = "coupled"

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return (
            (_is_position(self.position), f'position must be "meaningful" or a share as "30%", got {self.position!r}'),
        )


@dataclass(frozen=True, slots=True)
class NetworkSettings(CheckedSettings):
    """The number of channels n_f, and what the network reads.

    `mean_dim` puts a map of the weighted mean of the token vectors beside the channels (0 = none, the paper's form).
    `embedding` is a vector a word, a sentence's mean of them, or a token of a transformer; `source` is the folder of
    the word vectors, in pretrained/ or anywhere, or a transformer's folder or name. Word vectors may be trained too.
    """

    channels: int = at_least(1, 1024)
    mean_dim: int = zero_or_more(0)
    embedding: Literal["words", "sentences", "transformer"] = "words"
    source: str = "word2vec"
    train_words: bool = False

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return (
            (self.embedding == "words" or not self.mean_dim, 'mean_dim needs embedding = "words"'),
            (self.embedding == "words" or not self.train_words, 'train_words needs embedding = "words"'),
        )


@dataclass(frozen=True, slots=True)
class ObjectiveSettings(CheckedSettings):
    """The loss, and where its negatives come from ("tfidf" is CTPE_T, section 4.7).

    A softmax has the whole batch as negatives; "tfidf" adds one half of another document for each pair, beyond the
    paper. `word_dropout` is the share of tokens hidden at each step, 0 in the paper.
    """

    kind: Literal["margin", "softmax"] = "margin"
    margin: float = above_0(0.1)
    temperature: float = above_0(0.05)
    sampling: Literal["uniform", "tfidf"] = "uniform"
    word_dropout: float = from_0_below_1(0.0)


@dataclass(frozen=True, slots=True)
class PlacesSettings(CheckedSettings):
    """An objective beyond the paper: documents lie to each other as a teacher has them, which counts `weight` times.

    In each batch a softmax of this `temperature` over a document's neighbours is brought to the teacher's. The teacher
    is `source`, "minilm" or a folder or name of a `transformers` model ("" for none); it reads the first `max_tokens`
    of its own tokens.
    """

    source: str = ""
    max_tokens: int = at_least(1, 256)
    weight: float = zero_or_more(1.0)
    temperature: float = above_0(0.05)


@dataclass(frozen=True, slots=True)
class ReductionSettings(CheckedSettings):
    """How many dimensions a half keeps (0 = all), by which map, and how an index keeps the rows.

    "pca" is fitted when training is over, on halves whose mean is taken off first where `centred`; "learnt" is
    trained with the network, so that the loss sees the halves as they will be compared.
    """

    dim: int = zero_or_more(0)
    kind: Literal["pca", "learnt"] = "pca"
    centred: bool = True
    stored: Precision = "float32"

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return ((self.dim > 0 or self.kind == "pca", 'kind = "learnt" needs a dim above 0'),)


@dataclass(frozen=True, slots=True)
class CtpeRecipe(Recipe):
    """How a CTPE encoder is trained; what is left out is the paper's."""

    data: DataSettings
    method: Literal["ctpe"] = "ctpe"
    pairs: PairSettings = field(default_factory=PairSettings)
    network: NetworkSettings = field(default_factory=NetworkSettings)
    objective: ObjectiveSettings = field(default_factory=ObjectiveSettings)
    optimizer: OptimizerSettings = field(default_factory=OptimizerSettings)
    reduction: ReductionSettings = field(default_factory=ReductionSettings)
    related: RelatedSettings = field(default_factory=RelatedSettings)
    places: PlacesSettings = field(default_factory=PlacesSettings)

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        learnt = self.reduction.kind == "pca" or self.pairs.similarity == "coupled"
        strangers = sorted(self.related.corpora - set(self.data.corpora))
        only_words = self.network.embedding == "words" or not self.objective.word_dropout
        return (
            (
                not (self.pairs.part_tokens and self.objective.word_dropout),
                "pairs.part_tokens and objective.word_dropout do not go together; leave one out",
            ),
            (only_words, 'objective.word_dropout needs network.embedding = "words"'),
            (learnt, 'reduction.kind = "learnt" is of halves and needs pairs.similarity = "coupled"'),
            (not strangers, f"related must name corpora that are trained on, got {', '.join(strangers)}"),
        )

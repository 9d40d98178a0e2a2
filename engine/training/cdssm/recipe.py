"""The recipe of C-DSSM: which documents belong together, what reads them, what is learnt and how."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine.encoders.cdssm import TWO, VECTORS, CdssmSettings
from engine.training.settings import (
    CheckedSettings,
    OptimizerSettings,
    Recipe,
    RelatedFile,
    Rules,
    above_0,
    at_least,
    from_0_below_1,
    from_0_to_1,
    zero_or_more,
)


@dataclass(frozen=True, slots=True)
class CdssmDataSettings(CheckedSettings):
    """Where related documents come from, and benchmarks whose valid queries score each epoch by `metric`.

    A step draws its pairs from one place: in `subject_share` of the steps from `subjects`, corpora whose documents
    are of one subject where they carry the same set of categories, else from one of `files`, the longer ones more
    often. Only titles and abstracts are read of the corpora in `abstracts`. An epoch has `steps` steps.
    """

    subjects: tuple[str, ...] = ()
    files: tuple[RelatedFile, ...] = ()
    abstracts: tuple[str, ...] = ()
    subject_share: float = from_0_to_1(0.7)
    steps: int = at_least(1, 500)
    valid: tuple[str, ...] = ()
    metric: str = "MAP@20"

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        strangers = sorted({*self.abstracts} - {*self.corpora})
        return (
            (bool(self.corpora), "subjects or files must name at least one corpus"),
            (not strangers, f"abstracts must name corpora of subjects or files, got {', '.join(strangers)}"),
        )

    @property
    def corpora(self) -> tuple[str, ...]:
        """Every corpus that is read, once."""
        return tuple(dict.fromkeys([*self.subjects, *(one.corpus for one in self.files)]))


@dataclass(frozen=True, slots=True)
class VectorSettings(CheckedSettings):
    """The word vectors in a folder of pretrained/ or at a path, and what they are for.

    Where `dim` is not 0, vectors of that many numbers take their place, which the recipe named `recipe` trains first.

    A network of "vectors" reads them, and moves them where `trained`. One of "trigrams" begins with filters that make
    of a word's letters nearly what its vector would give, where `begin_letters`; the paper draws them.
    """

    source: str = "word2vec"
    dim: int = zero_or_more(0)
    recipe: str = "word2vec-full"
    trained: bool = False
    begin_letters: bool = False


@dataclass(frozen=True, slots=True)
class CdssmObjectiveSettings(CheckedSettings):
    """The loss: the softmax's gamma; `word_dropout` is the share of words hidden at each step, 0 in the paper.

    `asks` says which of a pair's two documents are queries, with one tower and with two: of m pairs a step the "first"
    asks among the m second ones, as the paper's query does among documents (C-DSSM's tweaks, section I.A), or "both"
    ask among all 2 m. "" is "first" with two towers and "both" with one. Two models are compared at equal counts of
    queries and negatives where `asks` is the same.
    """

    gamma: float = above_0(10.0)
    asks: Literal["", "first", "both"] = ""
    word_dropout: float = from_0_below_1(0.0)


@dataclass(frozen=True, slots=True)
class CdssmRecipe(Recipe):
    """How a C-DSSM encoder is trained; `optimizer.batch` counts pairs, two documents each."""

    data: CdssmDataSettings
    method: Literal["cdssm"] = "cdssm"
    network: CdssmSettings = field(default_factory=CdssmSettings)
    vectors: VectorSettings = field(default_factory=VectorSettings)
    objective: CdssmObjectiveSettings = field(default_factory=CdssmObjectiveSettings)
    optimizer: OptimizerSettings = field(default_factory=OptimizerSettings)

    @property
    def queries(self) -> int:
        """The queries of a step; each asks among as many documents."""
        return (2 if self.both_ask else 1) * self.optimizer.batch

    @property
    def both_ask(self) -> bool:
        """Whether both documents of a pair are queries."""
        return self.objective.asks == "both" or (not self.objective.asks and self.network.towers != TWO)

    @property
    def reads_words(self) -> bool:
        """Whether word vectors are read at all."""
        return self.network.words == VECTORS or self.vectors.begin_letters

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        reads_vectors = self.network.words == VECTORS
        return (
            (reads_vectors or not self.vectors.trained, 'vectors.trained needs network.words = "vectors"'),
            (
                not (reads_vectors and self.vectors.begin_letters),
                'vectors.begin_letters needs network.words = "trigrams"',
            ),
        )

"""The recipes of a small transformer: of documents, placed as a teacher has them, and of passages.

Each says what the transformer begins as, which texts it reads, and what it learns of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine.encoders.student import NAME, PASSAGES, StudentSettings
from engine.training.settings import (
    CheckedSettings,
    OptimizerSettings,
    Recipe,
    RelatedFile,
    Rules,
    above_0,
    at_least,
    from_0_to_1,
    zero_or_more,
)


@dataclass(frozen=True, slots=True)
class StudentDataSettings(CheckedSettings):
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
class TeacherSettings(CheckedSettings):
    """The sentence transformer: "minilm", or a folder or name of a `transformers` model."""

    source: str = "minilm"
    max_tokens: int = at_least(1, 256)


@dataclass(frozen=True, slots=True)
class StudentObjectiveSettings(CheckedSettings):
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
class RelatedTextSettings(CheckedSettings):
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


@dataclass(frozen=True, slots=True)
class PassageDataSettings(CheckedSettings):
    """Tables of related documents; only the documents of their train pairs are read.

    They are cut into passages of about `words` words; a step reads at most `each` of a document, drawn evenly.
    """

    files: tuple[RelatedFile, ...]
    words: int = at_least(1, 200)
    each: int = at_least(1, 8)

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return ((bool(self.files), "files must name at least one table of pairs"),)

    @property
    def subjects(self) -> tuple[str, ...]:
        """Corpora whose documents are drawn by their categories: none."""
        return ()

    @property
    def subject_share(self) -> float:
        """The share of the steps that draw a subject's documents."""
        return 0.0

    @property
    def corpora(self) -> tuple[str, ...]:
        """Every corpus that is read, once."""
        return tuple(dict.fromkeys(one.corpus for one in self.files))


@dataclass(frozen=True, slots=True)
class QuoteSettings(CheckedSettings):
    """A stretch of a passage finds it among all of the step, by a softmax of this `temperature`, `weight` times.

    A stretch has from `fewest` to `most` words, short ones as often as long ones twice as long; it may run on into the
    next passage. In the share `changed` of stretches words are left out, up to the share `dropped`, and others put in
    the place of some, up to the share `replaced`.
    """

    weight: float = zero_or_more(1.0)
    temperature: float = above_0(0.05)
    spans: int = at_least(1, 384)
    fewest: int = 10
    most: int = 120
    changed: float = from_0_to_1(0.6)
    dropped: float = from_0_to_1(0.5)
    replaced: float = from_0_to_1(0.4)

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return ((1 <= self.fewest <= self.most, f"fewest must be from 1 to {self.most}, got {self.fewest}"),)


@dataclass(frozen=True, slots=True)
class MatchSettings(CheckedSettings):
    """Related documents match each other better both ways than others, `weight` times, at this `temperature`.

    They match as in CoLDE (Jha et al. 2023, section 3.2), by the passages that a step reads.
    """

    weight: float = zero_or_more(1.0)
    temperature: float = above_0(0.05)


@dataclass(frozen=True, slots=True)
class PassageObjectiveSettings(CheckedSettings):
    """What is learnt; `places` times the distance from where the passages were in the beginning keeps the rest.

    An epoch has `steps` steps.
    """

    places: float = zero_or_more(1.0)
    steps: int = at_least(1, 500)
    quotes: QuoteSettings = field(default_factory=QuoteSettings)
    matches: MatchSettings = field(default_factory=MatchSettings)


def _reading() -> StudentSettings:
    return StudentSettings(max_tokens=256, reads=PASSAGES)


@dataclass(frozen=True, slots=True)
class PassagesRecipe(Recipe):
    """How a small transformer is taught passages; `source` is the one it begins as, by name or folder.

    A batch is a number of related pairs.
    """

    data: PassageDataSettings
    method: Literal["passages"] = "passages"
    seed: int = zero_or_more(0)
    source: str = NAME
    reading: StudentSettings = field(default_factory=_reading)
    objective: PassageObjectiveSettings = field(default_factory=PassageObjectiveSettings)
    optimizer: OptimizerSettings = field(default_factory=lambda: OptimizerSettings(learning_rate=1e-4, batch=48))

"""The recipe of KeyVec: what is read, how salient sentences are labelled, what is learnt, and how."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine.encoders.keyvec import KeyvecSettings
from engine.training.settings import CheckedSettings, Recipe, Rules, above_0, at_least, from_0_below_1, zero_or_more


@dataclass(frozen=True, slots=True)
class KeyvecDataSettings(CheckedSettings):
    """Corpora of abstracts, which train the encoder's part alone, and of full texts, which train the reader's too.

    `most_abstracts` documents are drawn for abstracts (0 = all), without those that the papers' tables may ask with:
    one in `held_out_one_in` by its id's sha1 (0 = none; the tables hold out every tenth of acm-citation).

    Full texts are the documents in a train pair of their corpus's pairs.tsv; with `apart`, only those in no valid or
    test pair. Each full text comes `full_text_passes` times in an epoch. `words` is a folder of word vectors, in
    pretrained/ or anywhere. `valid` are benchmarks whose valid queries score each epoch by `metric`, beside the full
    texts of valid pairs.
    """

    abstracts: tuple[str, ...] = ()
    full_texts: tuple[str, ...] = ()
    most_abstracts: int = zero_or_more(0)
    held_out_one_in: int = 0
    apart: bool = False
    full_text_passes: int = at_least(1, 1)
    words: str = "word2vec"
    valid: tuple[str, ...] = ()
    metric: str = "MAP@20"

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        twice = sorted(set(self.abstracts) & set(self.full_texts))
        return (
            (bool(self.abstracts or self.full_texts), "abstracts or full_texts must name at least one corpus"),
            (not twice, f"a corpus must be of abstracts or of full texts, got {', '.join(twice)} as both"),
            (
                self.held_out_one_in == 0 or self.held_out_one_in >= 2,
                f"held_out_one_in must be 0, or 2 or more, got {self.held_out_one_in}",
            ),
        )

    @property
    def corpora(self) -> tuple[str, ...]:
        """Every corpus that is trained on."""
        return (*self.abstracts, *self.full_texts)


@dataclass(frozen=True, slots=True)
class LabelSettings(CheckedSettings):
    """Which sentences of a body are called salient (KeyVec, section 4, "Reader's Objective").

    For each sentence of the abstract, the `top` nearest sentences of the body are salient if their cosine is above
    `threshold`. The paper's cosine is a DSSM's, here one trained on the bodies' sentences and their abstracts; TF-IDF's
    is over content words. The two need thresholds of their own.
    """

    threshold: float = 0.15
    top: int = at_least(1, 2)
    similarity: Literal["tfidf", "dssm"] = "tfidf"

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return ((0 <= self.threshold < 1, f"threshold must be from 0 to below 1, got {self.threshold}"),)


@dataclass(frozen=True, slots=True)
class WordSettings(CheckedSettings):
    """Which words have a vector: the `most` frequent of those that training saw `least` times; `train` moves them."""

    train: bool = True
    least: int = at_least(1, 5)
    most: int = at_least(1, 40_000)


@dataclass(frozen=True, slots=True)
class KeywordSettings(CheckedSettings):
    """The vocabulary of key words, the abstracts' most frequent content words, and how many one abstract gets.

    A key word's row of U is `drawn`, or starts from the word's vector; that needs network.dim to be as long.
    """

    vocabulary: int = at_least(1, 20_000)
    per_document: int = at_least(1, 30)
    start: Literal["drawn", "words"] = "drawn"


@dataclass(frozen=True, slots=True)
class KeyvecObjectiveSettings(CheckedSettings):
    """L = read L_read + enc L_enc; 0 leaves one out. Beyond the paper, `dropout` hides that share of each e_i.

    The paper predicts the words of an abstract that it does not read. Where the text is itself an abstract, a share
    `hidden` of its words is drawn in each step, by type and not by token: they are not read, and of its key words only
    these are predicted. With 0 it is read whole and every key word is predicted.
    """

    read: float = 1.0
    enc: float = 1.0
    dropout: float = from_0_below_1(0.0)
    hidden: float = from_0_below_1(0.0)

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return (
            (min(self.read, self.enc) >= 0, f"read and enc must be 0 or more, got {self.read} and {self.enc}"),
            (self.read + self.enc > 0, "one of read and enc must be above 0"),
        )


@dataclass(frozen=True, slots=True)
class KeyvecOptimizerSettings(CheckedSettings):
    """The step over `batch` documents: plain SGD as the paper's (section 4), or Adam.

    `words_learning_rate` is for the words' vectors (0 = the same rate).
    """

    kind: Literal["sgd", "adam"] = "sgd"
    learning_rate: float = above_0(1e-3)
    words_learning_rate: float = zero_or_more(0.0)
    batch: int = at_least(1, 100)


@dataclass(frozen=True, slots=True)
class KeyvecRecipe(Recipe):
    """How a KeyVec encoder is trained; what is left out is the paper's, where it says."""

    data: KeyvecDataSettings
    method: Literal["keyvec"] = "keyvec"
    labels: LabelSettings = field(default_factory=LabelSettings)
    words: WordSettings = field(default_factory=WordSettings)
    keywords: KeywordSettings = field(default_factory=KeywordSettings)
    network: KeyvecSettings = field(default_factory=KeyvecSettings)
    objective: KeyvecObjectiveSettings = field(default_factory=KeyvecObjectiveSettings)
    optimizer: KeyvecOptimizerSettings = field(default_factory=KeyvecOptimizerSettings)

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        return (
            (not self.objective.read or bool(self.data.full_texts), "objective.read needs data.full_texts"),
            (
                self.objective.enc > 0 or not self.data.abstracts,
                "data.abstracts need objective.enc: abstracts alone have no labelled sentences",
            ),
        )

"""The mix of an encoder's similarity of two documents with the words that they share, as its card keeps it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from engine.compare.base import DIGITS, Mixed
from engine.compare.shared_words import Said, shared_words
from engine.compare.words import shipped_vocabulary
from engine.errors import ConfigError

FACT = "mix"


@dataclass(frozen=True, slots=True)
class Mix:
    """How a document score is mixed: score = (1 - words_share) * similarity + words_share * shared words.

    It orders pairs as the logistic regression of both numbers does whose weights stand to each other as these, and
    two equal documents keep a score of 1. `mean_length` is the mean count of words of the documents that it was
    fitted on. `common` are words that many long documents of one field hold, with the share of them in the field
    where it is largest: abstracts, by which words weigh otherwise, do not show how common they are.
    """

    words_share: float
    mean_length: float
    common: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse shares that are none, and lengths that no document has."""
        if not 0 <= self.words_share <= 1:
            raise ConfigError(f"{FACT}: words_share must be a share from 0 to 1, got {self.words_share}.")
        if not self.mean_length > 0:
            raise ConfigError(f"{FACT}: mean_length must be above 0, got {self.mean_length}.")
        shares = self.common.values()
        if shares and not 0 < min(shares) <= max(shares) <= 1:
            raise ConfigError(f"{FACT}: common must hold shares above 0 and up to 1, got {min(shares)}, {max(shares)}.")

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Self | None:
        """What an encoder's facts keep; None where they keep none. Raises ConfigError for what is no mix."""
        kept = facts.get(FACT)
        if kept is None:
            return None
        try:
            return cls(float(kept["words_share"]), float(kept["mean_length"]), dict(kept["common"]))
        except (KeyError, TypeError, ValueError):
            raise ConfigError(
                f"{FACT}: words_share, mean_length and common must be kept together, got {str(kept)[:80]}. "
                "Fit the mix anew."
            ) from None

    def as_facts(self) -> dict[str, Any]:
        """What `from_facts` reads under the key "mix"."""
        return {"words_share": self.words_share, "mean_length": self.mean_length, "common": dict(self.common)}

    def weight(self, word: str) -> float:
        """The word's idf among the abstracts that the shipped words were counted in, or ln(1 / share) where less."""
        idf = shipped_vocabulary().idf(word)
        share = self.common.get(word)
        return idf if share is None else min(idf, -math.log(share))

    def words(self, a: Said, b: Said) -> float | None:
        """How many words two documents share, from 0 to 1; None where either has none."""
        return shared_words(a, b, self.weight, mean_length=self.mean_length)

    def mixed(self, similarity: float, words: float, *, encoder: str) -> Mixed:
        """Both parts and their mix, rounded as a comparison shows them; `encoder` is the encoder's name."""
        ours, theirs = round(similarity, DIGITS), round(words, DIGITS)
        score = round((1 - self.words_share) * ours + self.words_share * theirs, DIGITS)
        return Mixed(score, encoder, ours, theirs, self.words_share)

"""How a document score mixes an encoder's similarity with shared words and a second encoder, as the card keeps it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any, Self

from engine import encoders
from engine.compare.base import Mixed, Part
from engine.compare.shared_words import Said, shared_words
from engine.core.errors import ConfigError, FingerprintError
from engine.core.rows import DenseRows
from engine.documents import Document
from engine.encoders import Encoder
from engine.search import shipped_vocabulary

FACT = "mix"
WORDS = "shared words"
KINDS = ("paper, paper", "paper, patent", "patent, patent")
"""What two documents can be, as `calibration.kinds_of` calls it."""


@dataclass(frozen=True, slots=True)
class PinnedEncoder:
    """A shipped encoder of whole documents by name, and its fingerprint when the mix was fitted."""

    name: str
    fingerprint: str

    @classmethod
    def shipped(cls, name: str) -> PinnedEncoder:
        """The encoder as it is now. Raises UnknownEncoderError, or StorageError where it is damaged."""
        return cls(name, _load(name).card.fingerprint)

    def open(self) -> Encoder:
        """The encoder, loaded once. Raises FingerprintError where it has changed since the mix was fitted."""
        encoder = _load(self.name)
        if encoder.card.fingerprint != self.fingerprint:
            raise FingerprintError(
                f"Expected {self.name} as it was when the mix of the document score was fitted, {self.fingerprint}; "
                f"found {encoder.card.fingerprint}. Fit the mix again."
            )
        return encoder

    def row(self, document: Document) -> DenseRows | None:
        """The vector (dim,) of a document, None where the encoder finds nothing to read in it. Raises as `open`."""
        row: DenseRows = self.open().encode_documents([document])[0]
        return row if row.any() else None


@dataclass(frozen=True, slots=True)
class Shares:
    """The shares of a score for shared words and the second encoder's similarity; the first encoder's is the rest."""

    words: float
    second: float = 0.0

    def __post_init__(self) -> None:
        """Refuse shares outside 0 to 1."""
        for name, share in (("words", self.words), ("second", self.second), ("all", self.words + self.second)):
            if not 0 <= share <= 1 + 1e-9:
                raise ConfigError(f"{FACT}: shares: {name} must be a share from 0 to 1, got {share:g}.")


@dataclass(frozen=True, slots=True)
class Mix:
    """How a document score is mixed: a weighted mean of the encoder's similarity, shared words and a second encoder's.

    `shares` says for the kinds of the two documents how much each counts. Pairs are ordered as by a logistic regression
    whose weights are in proportion to the shares, and two equal documents keep a score of 1. `mean_length` is the mean
    word count of the documents that it was fitted on. `common` are words that many long documents of one field hold,
    each with its largest share of documents in any field: word weights come from abstracts, which do not show how
    common such words are.
    """

    shares: Mapping[str, Shares]
    mean_length: float
    common: Mapping[str, float] = field(default_factory=dict)
    second: PinnedEncoder | None = None

    def __post_init__(self) -> None:
        """Refuse kinds without shares, impossible lengths, and shares of an unnamed encoder."""
        if missing := [kinds for kinds in KINDS if kinds not in self.shares]:
            wanted, lacking = "; ".join(KINDS), "; ".join(missing)
            raise ConfigError(f"{FACT}: shares must be given for {wanted}, got none for {lacking}.")
        if self.second is None and any(shares.second for shares in self.shares.values()):
            raise ConfigError(f"{FACT}: second must name an encoder where it has a share, got none.")
        if not self.mean_length > 0:
            raise ConfigError(f"{FACT}: mean_length must be above 0, got {self.mean_length}.")
        common = self.common.values()
        if common and not 0 < min(common) <= max(common) <= 1:
            raise ConfigError(f"{FACT}: common must hold shares above 0 and up to 1, got {min(common)}, {max(common)}.")

    @classmethod
    def alike(cls, words: float, mean_length: float, common: Mapping[str, float] | None = None) -> Self:
        """One share for shared words in documents of all kinds, without a second encoder."""
        return cls(dict.fromkeys(KINDS, Shares(words)), mean_length, common or {})

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Self | None:
        """The mix in an encoder's facts, if any. Raises ConfigError for an invalid one."""
        kept = facts.get(FACT)
        if kept is None:
            return None
        try:
            shares = {kinds: Shares(**one) for kinds, one in kept["shares"].items()}
            second = PinnedEncoder(**kept["second"]) if kept["second"] is not None else None
            return cls(shares, float(kept["mean_length"]), dict(kept["common"]), second)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise ConfigError(
                f"{FACT}: shares, mean_length, common and second must be kept together, got {str(kept)[:80]}. "
                "Fit the mix again."
            ) from None

    def as_facts(self) -> dict[str, Any]:
        """What `from_facts` reads under the key "mix"."""
        return {
            "shares": {kinds: asdict(one) for kinds, one in self.shares.items()},
            "second": None if self.second is None else asdict(self.second),
            "mean_length": self.mean_length,
            "common": dict(self.common),
        }

    def second_for(self, kinds: str) -> PinnedEncoder | None:
        """The second encoder, if it counts for two documents of these kinds."""
        return self.second if self.shares[kinds].second else None

    def weight(self, word: str) -> float:
        """The word's idf among the abstracts that the shipped words were counted in, or ln(1 / share) where less."""
        idf = shipped_vocabulary().idf(word)
        share = self.common.get(word)
        return idf if share is None else min(idf, -math.log(share))

    def words(self, a: Said, b: Said) -> float | None:
        """How many words two documents share, from 0 to 1; None where either has none."""
        return shared_words(a, b, self.weight, mean_length=self.mean_length)

    def mixed(self, kinds: str, values: Mapping[str, float]) -> Mixed | None:
        """The parts of the score of two documents of some kinds, as a comparison shows them.

        `values` holds the encoder's similarity by its name, the shared words and the second encoder's similarity. The
        others take a missing part's share. None where fewer than two parts count.
        """
        chosen = self.shares[kinds]
        shares = {WORDS: chosen.words, **({self.second.name: chosen.second} if self.second is not None else {})}
        rest = 1 - sum(shares.values())
        parts = [Part(name, value, shares.get(name, rest)) for name, value in values.items()]
        counted = [part for part in parts if part.share > 0]
        return Mixed.of(counted) if len(counted) > 1 else None


@lru_cache(maxsize=2)
def _load(name: str) -> Encoder:
    return encoders.load(name)

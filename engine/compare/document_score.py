"""The score of two documents: how it is mixed of similarities, and how it compares with those of unrelated pairs.

The mix, of the encoder's similarity with shared words and a second encoder's, stands in the encoder's card, and so do
the scores of unrelated pairs.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from itertools import compress
from typing import Any, Self

import numpy as np

from engine import encoders
from engine.compare.model import DIGITS, Mixed, MixedPart, Percentile
from engine.compare.read_document import KeptParts, LongEncoder, ReadDocument
from engine.compare.stretches import DocumentTerms
from engine.core.errors import ConfigError, FingerprintError
from engine.core.rows import DenseRows
from engine.documents import Chunk, Document, Kind
from engine.encoders import Encoder
from engine.encoders.colde import Levels
from engine.library import weigh_answer
from engine.search import Vocabulary

CALIBRATION_FACT = "calibration"
_STEPS = 1_000  # quantiles kept: a thousandth apart
_FEWEST_PAIRS = 100


MIX_FACT = "mix"
WORDS = "shared words"
KINDS = ("paper, paper", "paper, patent", "patent, patent")
"""What two documents can be, as `kinds_of` calls it."""


@dataclass(frozen=True, slots=True, eq=False)
class KeptDocument:
    """The vectors of a document's kept text, its word counts, and the document with only that text."""

    levels: Levels
    said: DocumentTerms
    document: Document
    _rows: dict[PinnedEncoder, DenseRows | None] = field(default_factory=dict)

    @classmethod
    def of(cls, read: ReadDocument, kept: KeptParts) -> KeptDocument:
        """Return the kept text of a read document."""
        left = cut_out(read.document, compress(read.sentences.chunks, ~kept.sentences))
        return cls(read.encoder.levels(read.long, keep=kept.chunks), read.said(kept), left)

    def row(self, second: PinnedEncoder) -> DenseRows | None:
        """Return the vector (dim,) of the kept text by a second encoder, read once; None where that reads nothing.

        Raises FingerprintError where the mix was fitted with a different encoder.
        """
        if second not in self._rows:
            self._rows[second] = second.row(self.document)
        return self._rows[second]


@dataclass(frozen=True, slots=True)
class DocumentScore:
    """How near two documents are; `mixed` has the parts of the score where the encoder's card has a mix."""

    score: float
    mixed: Mixed | None = None


def document_score(encoder: LongEncoder, a: KeptDocument, b: KeptDocument) -> DocumentScore:
    """Return the encoder's similarity, mixed as its card says: with the words that both share, and a second encoder's.

    A document and itself have 1. Parts that say nothing about these documents are dropped; if none is left, the
    similarity stands alone. Raises ConfigError where the card's mix is invalid, or FingerprintError where its second
    encoder has changed.
    """
    mix = Mix.from_facts(encoder.facts)
    if mix is None:
        return DocumentScore(round(encoder.similarity(a.levels, b.levels), DIGITS))
    values = score_parts(encoder, mix, a, b)
    mixed = mix.mixed(kinds_of(a.document.kind, b.document.kind), values)
    if mixed is None:
        return DocumentScore(round(values[encoder.card.name], DIGITS))
    return DocumentScore(mixed.score, mixed)


def score_parts(encoder: LongEncoder, mix: Mix, a: KeptDocument, b: KeptDocument) -> dict[str, float]:
    """Return the parts of a score of two documents, by name, the encoder's similarity first.

    Parts without a share for their kinds are left out, and so are those that say nothing about them: words where either
    has none, and the second encoder where it finds nothing to read in one.
    """
    kinds = kinds_of(a.document.kind, b.document.kind)
    found = {encoder.card.name: encoder.similarity(a.levels, b.levels)}
    if mix.shares[kinds].words and (words := mix.words(a.said, b.said)) is not None:
        found[WORDS] = words
    if (second := mix.second_for(kinds)) is not None:
        ours, theirs = a.row(second), b.row(second)
        if ours is not None and theirs is not None:
            found[second.name] = float(ours @ theirs)
    return found


def cut_out(document: Document, gone: Iterable[Chunk]) -> Document:
    """Return a document without the stretches `gone`, which do not overlap."""
    spans: dict[int, list[tuple[int, int]]] = {}
    for chunk in gone:
        spans.setdefault(chunk.part, []).append((chunk.start, chunk.stop))
    if not spans:
        return document
    texts = iter([_cut(part.text, spans.get(number, [])) for number, part in enumerate(document.parts)])
    return replace(  # in the order of the parts
        document,
        title=next(texts) if document.title else "",
        abstract=next(texts) if document.abstract else "",
        sections=tuple(replace(section, text=next(texts), pages=()) for section in document.sections),
        claims=tuple(next(texts) for _ in document.claims),
    )


def _cut(text: str, spans: list[tuple[int, int]]) -> str:
    edges = [0, *(edge for span in sorted(spans) for edge in span), len(text)]
    return "".join(text[start:stop] for start, stop in zip(edges[::2], edges[1::2], strict=True))


# Mixing ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PinnedEncoder:
    """A shipped encoder of whole documents by name, and its fingerprint when the mix was fitted."""

    name: str
    fingerprint: str

    @classmethod
    def shipped(cls, name: str) -> PinnedEncoder:
        """Return the encoder as it is now. Raises UnknownEncoderError, or StorageError where it is damaged."""
        return cls(name, _load(name).card.fingerprint)

    def open(self) -> Encoder:
        """Return the encoder, loaded once. Raises FingerprintError where it has changed since the mix was fitted."""
        encoder = _load(self.name)
        if encoder.card.fingerprint != self.fingerprint:
            raise FingerprintError(
                f"Expected {self.name} as it was when the mix of the document score was fitted, {self.fingerprint}; "
                f"found {encoder.card.fingerprint}. Fit the mix again."
            )
        return encoder

    def row(self, document: Document) -> DenseRows | None:
        """Return the vector (dim,) of a document, None where the encoder finds nothing to read. Raises as `open`."""
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
                raise ConfigError(f"{MIX_FACT}: shares: {name} must be a share from 0 to 1, got {share:g}.")


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
            raise ConfigError(f"{MIX_FACT}: shares must be given for {wanted}, got none for {lacking}.")
        if self.second is None and any(shares.second for shares in self.shares.values()):
            raise ConfigError(f"{MIX_FACT}: second must name an encoder where it has a share, got none.")
        if not self.mean_length > 0:
            raise ConfigError(f"{MIX_FACT}: mean_length must be above 0, got {self.mean_length}.")
        common = self.common.values()
        if common and not 0 < min(common) <= max(common) <= 1:
            raise ConfigError(
                f"{MIX_FACT}: common must hold shares above 0 and up to 1, got {min(common)}, {max(common)}."
            )

    @classmethod
    def alike(cls, words: float, mean_length: float, common: Mapping[str, float] | None = None) -> Self:
        """Return a mix with one share for shared words in documents of all kinds, without a second encoder."""
        return cls(dict.fromkeys(KINDS, Shares(words)), mean_length, common or {})

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Self | None:
        """Return the mix in an encoder's facts, if any. Raises ConfigError for an invalid one."""
        kept = facts.get(MIX_FACT)
        if kept is None:
            return None
        try:
            shares = {kinds: Shares(**one) for kinds, one in kept["shares"].items()}
            second = PinnedEncoder(**kept["second"]) if kept["second"] is not None else None
            return cls(shares, float(kept["mean_length"]), dict(kept["common"]), second)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise ConfigError(
                f"{MIX_FACT}: shares, mean_length, common and second must be kept together, got {str(kept)[:80]}. "
                "Fit the mix again."
            ) from None

    def as_facts(self) -> dict[str, Any]:
        """Return what `from_facts` reads under the key "mix"."""
        return {
            "shares": {kinds: asdict(one) for kinds, one in self.shares.items()},
            "second": None if self.second is None else asdict(self.second),
            "mean_length": self.mean_length,
            "common": dict(self.common),
        }

    def second_for(self, kinds: str) -> PinnedEncoder | None:
        """Return the second encoder, if it counts for two documents of these kinds."""
        return self.second if self.shares[kinds].second else None

    def weight(self, word: str) -> float:
        """Return a word's idf among the abstracts of the shipped words, or ln(1 / share) where that is less."""
        idf = Vocabulary.shipped().idf(word)
        share = self.common.get(word)
        return idf if share is None else min(idf, -math.log(share))

    def words(self, a: DocumentTerms, b: DocumentTerms) -> float | None:
        """Return how many words two documents share, from 0 to 1; None where either has none."""
        return word_overlap(a, b, self.weight, mean_length=self.mean_length)

    def mixed(self, kinds: str, values: Mapping[str, float]) -> Mixed | None:
        """Return the parts of the score of two documents of some kinds, as a comparison shows them.

        `values` holds the encoder's similarity by its name, the shared words and the second encoder's similarity. The
        others take a missing part's share. None where fewer than two parts count.
        """
        chosen = self.shares[kinds]
        shares = {WORDS: chosen.words, **({self.second.name: chosen.second} if self.second is not None else {})}
        rest = 1 - sum(shares.values())
        parts = [MixedPart(name, value, shares.get(name, rest)) for name, value in values.items()]
        counted = [part for part in parts if part.share > 0]
        return Mixed.of(counted) if len(counted) > 1 else None


@lru_cache(maxsize=2)
def _load(name: str) -> Encoder:
    return encoders.load(name)


# Shared words ---------------------------------------------------------------------------------


_LEAST_WEIGHT = 1e-6  # of a term, as in FTS5: one that every document holds still says a little


Weigh = Callable[[str], float]
"""How much a term weighs: its idf."""


def word_overlap(a: DocumentTerms, b: DocumentTerms, weigh: Weigh, *, mean_length: float) -> float | None:
    """Return the mean of the shares of a's telling terms in b and of b's in a, from 0 to 1; 1 for equal documents.

    Each is the other's BM25 score (Robertson and Walker, TREC-3), with the constants of the keyword index, divided by
    the document's score against itself (`engine.library.weigh_answer`). None where a document has no term.
    """
    if not a.counts.any() or not b.counts.any():
        return None
    return (_share(a, b, weigh, mean_length) + _share(b, a, weigh, mean_length)) / 2


def _share(question: DocumentTerms, answer: DocumentTerms, weigh: Weigh, mean_length: float) -> float:
    places = np.flatnonzero(question.counts)
    terms = list(question.columns)  # in the order of their places
    counts = question.counts[places]
    weights = np.array([max(_LEAST_WEIGHT, weigh(terms[place])) for place in places.tolist()])
    found = [answer.columns.get(terms[place], -1) for place in places.tolist()]
    held = np.array([answer.counts[place] if place >= 0 else 0.0 for place in found])
    return weigh_answer(weights, counts, held, lengths=(question.length / mean_length, answer.length / mean_length))


# Unrelated pairs ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unrelated:
    """Scores of unrelated pairs: their number, and `quantiles`, rising, evenly spaced from smallest to largest."""

    pairs: int
    quantiles: tuple[float, ...]

    def share_below(self, score: float) -> float:
        """Return the share of the pairs with a smaller score, in [0, 1]."""
        last = len(self.quantiles) - 1
        place = bisect_left(self.quantiles, score)
        if place in (0, last + 1):
            return float(place > 0)
        below, above = self.quantiles[place - 1], self.quantiles[place]
        return (place - 1 + (score - below) / (above - below)) / last


@dataclass(frozen=True, slots=True)
class Calibration:
    """Scores of unrelated pairs by the kinds of the two documents, in alphabetical order: "paper, patent"."""

    unrelated: Mapping[str, Unrelated] = field(default_factory=dict)

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Self:
        """Return the scores in an encoder's facts; empty without any."""
        kept = facts.get(CALIBRATION_FACT, {})
        return cls({kinds: Unrelated(int(one["pairs"]), tuple(one["quantiles"])) for kinds, one in kept.items()})

    @classmethod
    def measured(cls, scores: Mapping[str, Sequence[float]]) -> Self:
        """Keep the scores of unrelated pairs by kinds (`kinds_of`), of kinds with at least a hundred."""
        enough = {kinds: found for kinds, found in scores.items() if len(found) >= _FEWEST_PAIRS}
        return cls({kinds: Unrelated(len(found), _quantiles(found)) for kinds, found in sorted(enough.items())})

    def as_facts(self) -> dict[str, Any]:
        """Return what `from_facts` reads under the key "calibration"."""
        return {kinds: {"pairs": one.pairs, "quantiles": list(one.quantiles)} for kinds, one in self.unrelated.items()}

    def read(self, score: float, kinds: Iterable[Kind]) -> Percentile:
        """Say how to read a score of two documents of some kinds."""
        name = kinds_of(*kinds)
        known = self.unrelated.get(name)
        if known is None:
            return Percentile(
                None, f"No unrelated pairs of {_in_words(name)} were measured, so the score stands alone."
            )
        measured = f"{known.pairs:,} unrelated pairs of {_in_words(name)}"
        if score > known.quantiles[-1]:
            return Percentile(100.0, f"Closer than every one of {measured}.")
        if score <= known.quantiles[0]:
            return Percentile(0.0, f"No closer than any of {measured}.")
        percentile = min(99.9, max(0.1, round(100 * known.share_below(score), 1)))  # some are closer, some are not
        return Percentile(percentile, f"Closer than {_percent(percentile)}\N{NO-BREAK SPACE}% of {measured}.")


def kinds_of(a: Kind, b: Kind) -> str:
    """Return the name of a pair of kinds; plain text counts as a paper."""
    return ", ".join(sorted("patent" if kind == "patent" else "paper" for kind in (a, b)))


def _in_words(name: str) -> str:
    first, second = name.split(", ")
    return f"{first}s" if first == second else f"a {first} and a {second}"


def _percent(percentile: float) -> str:
    """Return a whole number, with a decimal where it would round to 0 or 100; never rounded up."""
    whole = math.floor(percentile)
    return f"{percentile:.1f}" if whole in (0, 99) and whole != percentile else f"{whole}"


def _quantiles(scores: Sequence[float]) -> tuple[float, ...]:
    steps = min(_STEPS, len(scores) - 1) + 1
    return tuple(round(float(one), 5) for one in np.quantile(np.asarray(scores, np.float64), np.linspace(0, 1, steps)))

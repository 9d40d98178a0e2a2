"""How near two texts are, in one of five words: "closely related" means one thing in every library.

A reading depends on two texts alone, not on what else a library holds. It comes from the plain cosine of a sentence
encoder, `student` for documents and `student-passages` for passages, and from the telling words that the two share.
`readings.json` holds the fitted numbers; `python -m engine.research readings` fits them on collections of several
fields, and measures them on fields that they were not fitted on (engine/research/reports/readings.md). Whether anything
in a whole list is near, `engine.search.verdicts` says.
"""

from __future__ import annotations

import functools
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, cast, get_args

import numpy as np

from engine import encoders
from engine.core.rows import DenseRows, Rows
from engine.documents import Document
from engine.documents.text import first_tokens
from engine.search.vocabulary import Vocabulary

if TYPE_CHECKING:
    from engine.encoders import Encoder
    from engine.vectors import VectorIndex

SENTENCES = "student"
"""The encoder whose cosines a reading reads; another's would need another scale."""

_MEANINGS = {
    "says the same": "one work, one patent family, or a paraphrase",
    "closely related": "as near as texts that cite one another or share references",
    "same field": "as near as texts of one category, venue or class that do not cite one another",
    "shares vocabulary only": "words in common, but another subject",
    "unrelated": "as far as texts of different fields",
}

WORDS = tuple(_MEANINGS)
"""The nearest first."""

SAME, CLOSE, SAME_FIELD, OTHER = range(4)
"""The kinds of pairs that are fitted; the last has two words, by the words that a pair shares."""

FILE = Path(__file__).with_name("readings.json")

READ_TOKENS = 400
"""How many of a text's words count, so that long texts compare with abstracts."""

_FEWEST_WORDS, _MOST_WORDS = 1, 400
_LIKELY = 0.5
_QUOTED_FROM, _QUOTED_SHARE = 5, 0.75
"""From how many telling words on a text can be quoted, and which share of them a passage holds that quotes it.

No paper of another subject reached that share (engine/research/reports/quoted-passages.md).
"""

ReadingLevel = Literal["document", "passage"]
"""Whole documents by their beginnings, or passages as a library keeps them (`engine.search.passages`)."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What a reading reads of two texts; the same either way round.

    `cosine` compares their rows by the encoder of their level. `keywords` is the cosine of their telling words, and
    `contained` the share of the shorter's telling words that the other has, both in [0, 1]. `words` counts the tokens
    of the shorter.
    """

    cosine: float
    keywords: float
    contained: float
    words: int

    @property
    def features(self) -> tuple[float, ...]:
        """The numbers that the scale weighs, the first of them always 1: (f,)."""
        short = shortness(self.words)
        return (1.0, self.cosine, self.keywords, self.contained, short, short * self.cosine)

    def read(self, level: ReadingLevel = "document") -> Reading:
        """Return the reading of a pair of documents, or of passages."""
        return scales()[level].read(self)


def shortness(words: int) -> float:
    """Return how short a text is by its number of words: from 1 for a single word to 0 for 400 and more."""
    return 1 - math.log(min(_MOST_WORDS, max(_FEWEST_WORDS, words))) / math.log(_MOST_WORDS)


@dataclass(frozen=True, slots=True)
class Reading:
    """One of the five words for a pair, how probable it is, and the cosine that a ruler shows."""

    meanings: ClassVar[Mapping[str, str]] = _MEANINGS
    """What each of the five words means, the nearest first."""

    word: str
    p: float
    cosine: float
    level: ReadingLevel = "document"

    @property
    def rank(self) -> int:
        """0 for the nearest word, 4 for the furthest."""
        return WORDS.index(self.word)

    @property
    def meaning(self) -> str:
        """What the word means."""
        return self.meanings[self.word]

    @property
    def is_near(self) -> bool:
        """Whether the document alone makes a list near: "nothing is near" never stands above it.

        It does if it says the same, or is at least as likely closely related as not.
        """
        return self.rank == SAME or (self.rank == CLOSE and self.is_likely)

    @property
    def is_likely(self) -> bool:
        """Whether the word is at least as likely right as not."""
        return self.p >= _LIKELY

    @property
    def in_words(self) -> str:
        """The word with both numbers: "closely related (83 %), nearness 0.57"."""
        return f"{self.word} ({self.p:.0%}), nearness {self.cosine:.2f}".replace("%)", " %)")

    @property
    def ruler(self) -> Mapping[str, float]:
        """The usual cosines at this reading's level."""
        return self.usual(self.level)

    @staticmethod
    def usual(level: ReadingLevel = "document") -> Mapping[str, float]:
        """Return the median cosine of each kind of pair of a level, by what a ruler calls it, the lowest first."""
        return scales()[level].ruler

    def as_json(self) -> dict[str, str | float]:
        """Return the word and its probability."""
        return {"word": self.word, "p": round(self.p, 2)}


@dataclass(frozen=True, slots=True)
class ReadingScale:
    """A fitted scale of one level; it holds for cosines of the encoder with this fingerprint.

    `weights` (4, f) give each kind of pair its logit from a pair's features: a multinomial logistic regression.
    `vocabulary` is the share of telling words that only a tenth of unrelated pairs reach. `ruler` gives the median
    cosine of each kind of pair, by what a ruler calls it.
    """

    weights: Sequence[Sequence[float]]
    vocabulary: float
    ruler: Mapping[str, float]
    fingerprint: str
    level: ReadingLevel = "document"

    def probabilities(self, pair: Pair) -> tuple[float, ...]:
        """Return how probable each kind of pair is: (4,)."""
        logits = [math.fsum(w * x for w, x in zip(row, pair.features, strict=True)) for row in self.weights]
        largest = max(logits)
        powers = [math.exp(logit - largest) for logit in logits]
        return tuple(power / math.fsum(powers) for power in powers)

    def read(self, pair: Pair) -> Reading:
        """Return the most probable word; the nearer one of two that are equally so."""
        found = self.probabilities(pair)
        best = found.index(max(found))
        unrelated = best == OTHER and pair.keywords < self.vocabulary
        return Reading(WORDS[best + unrelated], found[best], pair.cosine, self.level)


@functools.cache
def scales() -> Mapping[ReadingLevel, ReadingScale]:
    """Return the fitted scale of each level, read once."""
    fitted = json.loads(FILE.read_text("utf-8"))["levels"]
    return {level: ReadingScale(**fitted[level], level=level) for level in get_args(ReadingLevel)}


def fitted_on(level: ReadingLevel) -> str:
    """Return the fingerprint of the encoder on whose cosines the readings of a level were fitted."""
    return scales()[level].fingerprint


# Telling words --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TellingWords:
    """The telling words of a text's beginning, each with its weight: (1 + ln tf) idf.

    `length` is the root of the sum of the squared weights, `total` the sum of the words' idf; `tokens` counts all of
    its words.
    """

    weights: Mapping[str, float]
    length: float
    total: float
    tokens: int

    @classmethod
    def of(cls, text: str) -> TellingWords:
        """Read the first 400 tokens of a text; words weigh as in `Vocabulary.shipped`, in every library alike."""
        vocabulary, read = Vocabulary.shipped(), first_tokens(text, READ_TOKENS)
        counts = Counter(key for token in read if (key := vocabulary.keys[token]))
        idf = {key: vocabulary.idf(key) for key in counts}
        weights = {key: (1 + math.log(count)) * idf[key] for key, count in counts.items()}
        return cls(weights, math.sqrt(sum(one * one for one in weights.values())), sum(idf.values()), len(read))

    @property
    def can_be_quoted(self) -> bool:
        """Whether these are enough words to tell that another text quotes this one."""
        return len(self.weights) >= _QUOTED_FROM

    def pair(self, other: TellingWords, cosine: float) -> Pair:
        """Return what a reading reads of two texts whose rows by the encoder of their level have this cosine."""
        vocabulary = Vocabulary.shipped()
        both = self.weights.keys() & other.weights.keys()
        lengths = self.length * other.length
        shared = sum(self.weights[key] * other.weights[key] for key in both) / lengths if lengths else 0.0
        least = min(self.total, other.total)
        contained = sum(vocabulary.idf(key) for key in both) / least if least else 0.0
        return Pair(cosine, shared, contained, min(self.tokens, other.tokens))


@dataclass(frozen=True, slots=True)
class Quoted:
    """How many of a text's telling words one passage holds, where that is most of them, and how many there are."""

    held: int
    telling: int

    @property
    def sentence(self) -> str:
        """The same for a person."""
        return f"A passage of it says most of your text: {self.held} of its {self.telling} telling words."


def find_quoted(asked: TellingWords, passages: Sequence[str]) -> Quoted | None:
    """Return how much one of some passages holds of a text's telling words; None unless that is most, and of many.

    It needs no encoder, and says of a quote what the reading of its whole document cannot.
    """
    if not asked.can_be_quoted or not passages:
        return None
    telling = len(asked.weights)
    held = max(len(asked.weights.keys() & TellingWords.of(text).weights.keys()) for text in passages)
    return Quoted(held, telling) if held >= _QUOTED_SHARE * telling else None


# Documents ------------------------------------------------------------------------------------


class SentenceEncoder(Protocol):
    """The part of `student` that readings and key words need."""

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        """Encode questions: (n, dim), at unit length."""

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim), at unit length."""


class PairReader:
    """Reads pairs of texts; may be used from several threads.

    Rows of a library's documents are taken from its index where the encoder holds a part of `student`. Other encoders'
    cosines are on scales of their own, so `student` reads the beginnings of both texts for them: a word then means the
    same whatever ranks, at the cost of reading some ten abstracts.
    """

    def __init__(self, encoder: Encoder, index: VectorIndex | None = None, *, max_cached: int = 512) -> None:
        """Take the library's encoder and index; keep the telling words of the last `max_cached` texts."""
        self._encoder, self._index = encoder, index
        self._words = lru_cache(max_cached)(TellingWords.of)

    @staticmethod
    def warm() -> None:
        """Load what the first reading needs."""
        sentence_encoder()
        Vocabulary.shipped()

    def question_row(self, document: Document, row: Rows | None = None) -> DenseRows:
        """Return the row (1, dim) of a document that asks; `row` is its row by the library's encoder, if at hand."""
        known = None if row is None else self._encoder.sentence_rows(row, fitted_on("document"))
        return known if known is not None else sentence_encoder().encode_queries([document])

    def rows(self, documents: Sequence[Document]) -> DenseRows:
        """Return the rows (n, dim) of documents, those of the library as they are kept."""
        held = self.kept([one.id for one in documents])
        known = self.kept_rows(held)
        if known is None:
            return sentence_encoder().encode_documents(documents)
        lacking = [one for one in documents if one.id not in set(held)]
        read = sentence_encoder().encode_documents(lacking) if lacking else known[:0]
        rows = dict(zip([*held, *(one.id for one in lacking)], [*known, *read], strict=True))
        return np.stack([rows[one.id] for one in documents])

    def kept(self, ids: Sequence[str]) -> list[str]:
        """Return those of some documents that the index holds."""
        return [] if self._index is None else [name for name in ids if name in self._index]

    def kept_rows(self, ids: Sequence[str]) -> DenseRows | None:
        """Return the rows (n, dim) of documents by their ids, without reading one; None where the index lacks any."""
        if self._index is None or not ids or any(name not in self._index for name in ids):
            return None
        return self._encoder.sentence_rows(self._index.rows(ids), fitted_on("document"))

    def pairs(self, asking: Document, row: DenseRows, documents: Sequence[Document]) -> list[Pair]:
        """Return what readings read of a document with each other one; `row` (1, dim) comes from `question_row`."""
        if not documents:
            return []
        cosines = (self.rows(documents) @ row[0]).tolist()  # (n,)
        ours = self._words(asking.text)
        return [ours.pair(self._words(one.text), cosine) for one, cosine in zip(documents, cosines, strict=True)]

    def read(self, asking: Document, documents: Sequence[Document]) -> list[Reading]:
        """Return how near a document that asks is to each of some others."""
        return [pair.read() for pair in self.pairs(asking, self.question_row(asking), documents)]


def read_two(
    one: Document, other: Document, *, rows: tuple[DenseRows | None, DenseRows | None] = (None, None)
) -> Reading:
    """Return how near two documents are; the same either way round.

    `rows`, (1, dim) each, are theirs where an index keeps them (`PairReader.kept_rows`); else `student` reads them.
    """
    read = zip((one, other), rows, strict=True)
    ours, theirs = (_document_row(document) if row is None else row for document, row in read)
    return TellingWords.of(one.text).pair(TellingWords.of(other.text), float(ours[0] @ theirs[0])).read()


@lru_cache(maxsize=64)
def _document_row(document: Document) -> DenseRows:
    return sentence_encoder().encode_documents([document])


@lru_cache(maxsize=1)
def sentence_encoder() -> SentenceEncoder:
    """Return the encoder `SENTENCES`, loaded once for all that ask."""
    return cast(SentenceEncoder, encoders.load(SENTENCES))

"""How near two texts are, in one of five words: "closely related" means one thing in every library.

A reading depends on two texts alone, not on what else a library holds. It comes from the plain cosine of a sentence
encoder, `student` for documents and `student-passages` for passages, and from the telling words that the two share.
`readings.json` holds the fitted numbers; `python -m engine.research readings` fits them on collections of several
fields, and measures them on others (engine/research/reports/readings.md). `engine.search.verdicts` reads whole lists.
It is long, because words, numbers and passages that are quoted are read of the same pairs.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, cast, get_args

import numpy as np
from typing_extensions import TypedDict

from engine import encoders
from engine.core.rows import DenseRows, Rows
from engine.documents import Document
from engine.documents.questions import is_bare_topic
from engine.documents.text import CHARACTERS_A_TOKEN, STOP_WORDS, first_tokens, in_percent
from engine.search.vocabulary import GENRE_WORDS, Vocabulary

if TYPE_CHECKING:
    from engine.encoders import Encoder
    from engine.search.passages import PassageEncoder
    from engine.vectors import VectorIndex

SENTENCES = "student"
"""The encoder whose cosines a reading reads; another's would need another scale."""

_MEANINGS = {
    "says the same": "one work, one patent family, or a paraphrase",
    "closely related": "as near as texts that cite one another or share references",
    "same field": "as near as texts of one category, venue or class that do not cite one another",
    "shares vocabulary only": "words in common, but another subject",
    "unrelated": "as far apart as texts of different fields",
}

WORDS = tuple(_MEANINGS)
"""The nearest first."""

_TOPIC_MEANINGS = {
    "on this topic": "about what the question names",
    "not on this topic": "about something else, even where it shares words with the question",
}
OTHER_LANGUAGE = "in another language"
"""In place of a word where nothing was compared; it has no numbers."""
ON_TOPIC, OFF_TOPIC = _TOPIC_MEANINGS
"""In place of the five where the question is a bare topic (`is_bare_topic`): nothing can say the same as that."""

SAME, CLOSE, SAME_FIELD, OTHER = range(4)
"""The kinds of pairs that are fitted; the last has two words, by the words that a pair shares."""

FILE = Path(__file__).with_name("readings.json")

READ_TOKENS = 400
"""How many of a text's words count, so that long texts compare with abstracts."""

_MOST_TIMES = 4
"""How many times as long as the other one of two texts of like length may be."""
_FEWEST_WORDS, _MOST_WORDS = 1, 400
_MOST_PASSAGES = 4_096  # some 20 MB with their words
_PASSAGES: dict[str, tuple[DenseRows, TellingWords]] = {}
LIKELY = 0.5
"""As likely as this must a pair be so near as a word says."""
_QUOTED_FROM, _QUOTED_SHARE = 5, 0.75
"""From how many telling words on a text can be quoted, and which share of them a passage holds that quotes it.

No paper of another subject reached that share (engine/research/reports/quoted-passages.md).
"""

_TWO_CAPITALS = re.compile(r"\b[A-Z]{2}\b")
_ROMAN = re.compile("[IVXLCM]{2}")

ReadingLevel = Literal["document", "passage"]
"""Whole documents by their beginnings, or passages as a library keeps them (`engine.search.passages`)."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What a reading reads of two texts; the same either way round.

    `cosine` compares their rows by the encoder of their level. `keywords` is the cosine of their telling words, and
    `contained` the share of the shorter's telling words that the other has, both in [0, 1]. `words` counts the tokens
    of the shorter. `is_topic` where one of the two is a bare topic; `named` is the share of its telling words, by
    weight, that the other's title holds, where these are two or more.
    """

    cosine: float
    keywords: float
    contained: float
    words: int
    is_topic: bool = False
    named: float = 0.0

    @property
    def short(self) -> float:
        """How short the shorter is: from 1 for a single word to 0 for 400 and more."""
        return shortness(self.words)

    @property
    def features(self) -> tuple[float, ...]:
        """The numbers that the scale weighs, the first of them always 1: (f,)."""
        return (1.0, self.cosine, self.keywords, self.contained, self.short, self.short * self.cosine)

    def read(self, level: ReadingLevel = "document", *, same: float | None = None) -> Reading:
        """Return the reading of a pair of documents, or of passages.

        `same` is the probability that they say the same, where more is known of that than the numbers here tell.
        """
        return scales()[level].read(self, same=same)


def shortness(words: int) -> float:
    """Return how short a text is by its number of words: from 1 for a single word to 0 for 400 and more."""
    return 1 - math.log(min(_MOST_WORDS, max(_FEWEST_WORDS, words))) / math.log(_MOST_WORDS)


class ReadingJson(TypedDict):
    """A word for how near two texts are, and its probability."""

    word: str
    p: float


@dataclass(frozen=True, slots=True)
class Reading:
    """One of the five words for a pair, or one of two for a bare topic, and the cosine that a ruler shows.

    `p` is how probable it is that the two are at least so near; of the words for other subjects, that they are such.
    """

    meanings: ClassVar[Mapping[str, str]] = _MEANINGS
    """What each of the five words means, the nearest first."""
    topic_meanings: ClassVar[Mapping[str, str]] = _TOPIC_MEANINGS
    """What the two words for a bare topic mean."""

    word: str
    p: float
    cosine: float
    level: ReadingLevel = "document"

    @property
    def is_of_topic(self) -> bool:
        """Whether the question was a bare topic."""
        return self.word in self.topic_meanings

    @property
    def is_compared(self) -> bool:
        """Whether the two texts are of one language, as far as is known, and so could be compared."""
        return self.word != OTHER_LANGUAGE

    @property
    def rank(self) -> int:
        """0 for the nearest word, 4 for the furthest; what is on a topic stands with what is closely related."""
        special = {ON_TOPIC: CLOSE, OFF_TOPIC: OTHER, OTHER_LANGUAGE: len(WORDS) - 1}
        return special[self.word] if self.word in special else WORDS.index(self.word)

    @property
    def meaning(self) -> str:
        """What the word means."""
        return {**self.meanings, **self.topic_meanings, OTHER_LANGUAGE: "the two texts were not compared"}[self.word]

    @property
    def is_near(self) -> bool:
        """Whether the document alone makes a list near: "nothing is near" never stands above it."""
        return self.rank <= CLOSE

    @property
    def with_p(self) -> str:
        """The word with its probability: "closely related (83 %)"."""
        return f"{self.word} ({in_percent(self.p)})"

    @property
    def in_words(self) -> str:
        """The word with both numbers: "closely related (83 %), nearness 0.57"."""
        if not self.is_compared:
            return self.word
        return f"{self.with_p}, nearness {self.cosine:.2f}"

    @property
    def ruler(self) -> Mapping[str, float]:
        """The usual cosines at this reading's level."""
        return self.usual(self.level)

    @staticmethod
    def usual(level: ReadingLevel = "document") -> Mapping[str, float]:
        """Return the median cosine of each kind of pair of a level, by what a ruler calls it, the lowest first."""
        return scales()[level].ruler

    def as_json(self) -> ReadingJson:
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

    def read(self, pair: Pair, *, same: float | None = None) -> Reading:
        """Return the nearest word such that the pair is at least as likely as not so near, or nearer.

        `same` takes the place of the first probability; the others share what it leaves as before.
        """
        found = self.probabilities(pair)
        if same is not None:
            others = max(math.fsum(found[CLOSE:]), 1e-9)
            found = (same, *((1 - same) * one / others for one in found[CLOSE:]))
        so_near = list(accumulate(found[:OTHER]))  # the probability of each kind or a nearer one
        best = next((kind for kind, p in enumerate(so_near) if p >= LIKELY), OTHER)
        p = so_near[best] if best < OTHER else found[OTHER]
        if pair.is_topic:
            on_topic = max(so_near[-1], pair.named)  # a title that names the topic counts, however far its text
            likely = on_topic >= LIKELY
            return Reading(ON_TOPIC if likely else OFF_TOPIC, on_topic if likely else 1 - on_topic, pair.cosine)
        unrelated = best == OTHER and pair.keywords < self.vocabulary
        return Reading(WORDS[best + unrelated], p, pair.cosine, self.level)


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
        short = _short_names(text)
        counts = Counter(key for token in read if (key := vocabulary.keys[token] or (token if token in short else "")))
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
        shared = math.fsum(self.weights[key] * other.weights[key] for key in both) / lengths if lengths else 0.0
        least = min(self.total, other.total)
        contained = math.fsum(vocabulary.idf(key) for key in both) / least if least else 0.0
        return Pair(cosine, shared, contained, min(self.tokens, other.tokens))


@lru_cache(maxsize=256)
def words_of_passage(text: str) -> TellingWords:
    """Return the telling words of a passage, at hand for the last few: one answer reads a passage several times."""
    return TellingWords.of(text)


def _short_names(text: str) -> set[str]:
    """Return the names of two capitals in a text, in small letters: they tell what "P = NP" is about, as "NP" does."""
    found = set(_TWO_CAPITALS.findall(text[: READ_TOKENS * CHARACTERS_A_TOKEN]))
    return {one.lower() for one in found if not _ROMAN.fullmatch(one)} - STOP_WORDS


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
    held = max(len(asked.weights.keys() & words_of_passage(text).weights.keys()) for text in passages)
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
        found = [ours.pair(self._words(one.text), cosine) for one, cosine in zip(documents, cosines, strict=True)]
        if not is_bare_topic(asking):
            return found
        return [_of_topic(pair, asking.text, one.title) for pair, one in zip(found, documents, strict=True)]

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
    pair = TellingWords.of(one.text).pair(TellingWords.of(other.text), float(ours[0] @ theirs[0]))
    for topic, title in ((one, other.title), (other, one.title)):
        if is_bare_topic(topic):
            return _of_topic(pair, topic.text, title).read()
    return pair.read()


def _of_topic(pair: Pair, topic: str, title: str) -> Pair:
    """Return the pair of a bare topic and a document with a title."""
    asked, idf = _naming_words(topic), Vocabulary.shipped().idf
    named = asked & _naming_words(title)
    share = math.fsum(map(idf, named)) / math.fsum(map(idf, asked)) if len(named) > 1 else 0.0
    return replace(pair, is_topic=True, named=share)


def _naming_words(text: str) -> set[str]:
    """Return the words by which a topic is named: telling words, and single capitals, such as the P of "P = NP"."""
    letters = {one.lower() for one in re.findall(r"\b[A-Z]\b", text)}
    return (TellingWords.of(text).weights.keys() | letters) - GENRE_WORDS - STOP_WORDS


@lru_cache(maxsize=64)
def _document_row(document: Document) -> DenseRows:
    return sentence_encoder().encode_documents([document])


def is_much_shorter(one: Document, other: Document) -> bool:
    """Tell whether a text is far shorter than what is read of another: one word for the two would say too much."""
    count, read = (len(first_tokens(document.text, READ_TOKENS)) for document in (one, other))
    return _MOST_TIMES * count < read and not is_bare_topic(one)


def read_part(one: Document, other: Document, names: tuple[str, str]) -> str:
    """Return which part of two documents, called by `names`, a reading reads: it compares beginnings."""
    are_long = [len(first_tokens(document.text, READ_TOKENS + 1)) > READ_TOKENS for document in (one, other)]
    if all(are_long):
        return f"by their beginnings, the first {READ_TOKENS} words of each"
    if not any(are_long):
        return "by both texts whole"
    long, short = names if are_long[0] else reversed(names)
    return f"by the first {READ_TOKENS} words of {long} and all of {short}"


# Passages -------------------------------------------------------------------------------------


def read_passages(pairs: Sequence[tuple[str, str]]) -> list[Reading] | None:
    """Return how near the two passages of each pair are; None where the encoder of passages is not installed."""
    from engine.search.passages import PassageEncoder

    if not PassageEncoder.is_installed() or PassageEncoder.shipped_fingerprint() != fitted_on("passage"):
        return None
    read = _read_passages({text for pair in pairs for text in pair})
    found = []
    for one, other in pairs:
        (row, words), (their_row, their_words) = read[one], read[other]
        found.append(words.pair(their_words, float(row @ their_row)).read("passage"))
    return found


def _read_passages(texts: Set[str]) -> Mapping[str, tuple[DenseRows, TellingWords]]:
    """Return the row (dim,) and the telling words of each passage; the last ones are kept for the next comparison."""
    found = {text: kept for text in texts if (kept := _PASSAGES.get(text)) is not None}
    missing = sorted(texts - found.keys())
    if missing:
        rows = passage_encoder().encode_texts(missing)
        found |= {text: (row, TellingWords.of(text)) for text, row in zip(missing, rows, strict=True)}
        if len(_PASSAGES) > _MOST_PASSAGES:
            _PASSAGES.clear()
        _PASSAGES.update(found)
    return found


@lru_cache(maxsize=1)
def passage_encoder() -> PassageEncoder:
    """Return the encoder of passages, loaded once for all that ask."""
    from engine.search.passages import PassageEncoder

    return PassageEncoder()


@lru_cache(maxsize=1)
def sentence_encoder() -> SentenceEncoder:
    """Return the encoder `SENTENCES`, loaded once for all that ask."""
    return cast(SentenceEncoder, encoders.load(SENTENCES))

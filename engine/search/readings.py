"""What nearness means in words: one absolute scale for every pair of texts, and a verdict on a whole list.

A reading depends on two texts alone, not on what else a library holds: 0.39 means one thing everywhere. It comes from
the plain cosine of a sentence encoder, `student` for documents and `student-passages` for passages, and from the
telling words that the two share (`engine.search.nearness`). `readings.json` holds the fitted numbers;
`python -m engine.research readings` fits them on collections of several fields, and measures them on fields that they
were not fitted on (engine/research/reports/readings.md).
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

SENTENCES = "student"
"""The encoder whose cosines a reading reads; another's would need another scale."""

WORDS = ("says the same", "closely related", "same field", "shares vocabulary only", "unrelated")
"""The nearest first."""

MEANINGS = {
    "says the same": "one work, one patent family, or a paraphrase",
    "closely related": "as near as texts that cite one another or share references",
    "same field": "as near as texts of one category, venue or class that do not cite one another",
    "shares vocabulary only": "words in common, but another subject",
    "unrelated": "as far as texts of different fields",
}

SAME, CLOSE, SAME_FIELD, OTHER = range(4)
"""The kinds of pairs that are fitted; the last has two words, by the words that a pair shares."""

FILE = Path(__file__).with_name("readings.json")
NEAREST = 10
"""How many of the nearest documents say whether anything is near."""

_FEWEST_WORDS, _MOST_WORDS = 1, 400
_SHOWN_TERMS, _KEPT_TERMS = 5, 20
_LIKELY = 0.5

Level = Literal["document", "passage"]
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
        short = 1 - math.log(min(_MOST_WORDS, max(_FEWEST_WORDS, self.words))) / math.log(_MOST_WORDS)
        return (1.0, self.cosine, self.keywords, self.contained, short, short * self.cosine)


@dataclass(frozen=True, slots=True)
class Reading:
    """One of the five words for a pair, how probable it is, and the cosine that a ruler shows."""

    word: str
    p: float
    cosine: float

    @property
    def rank(self) -> int:
        """0 for the nearest word, 4 for the furthest."""
        return WORDS.index(self.word)

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

    def as_json(self) -> dict[str, str | float]:
        """Return the word and its probability."""
        return {"word": self.word, "p": round(self.p, 2)}


@dataclass(frozen=True, slots=True)
class Scale:
    """A fitted scale of one level; it holds for cosines of the encoder with this fingerprint.

    `weights` (4, f) give each kind of pair its logit from a pair's features: a multinomial logistic regression.
    `vocabulary` is the share of telling words that only a tenth of unrelated pairs reach. `ruler` gives the median
    cosine of each kind of pair, by what a ruler calls it.
    """

    weights: Sequence[Sequence[float]]
    vocabulary: float
    ruler: Mapping[str, float]
    fingerprint: str

    def probabilities(self, pair: Pair) -> tuple[float, ...]:
        """How probable each kind of pair is: (4,)."""
        logits = [math.fsum(w * x for w, x in zip(row, pair.features, strict=True)) for row in self.weights]
        largest = max(logits)
        powers = [math.exp(logit - largest) for logit in logits]
        return tuple(power / math.fsum(powers) for power in powers)

    def read(self, pair: Pair) -> Reading:
        """Return the most probable word; the nearer one of two that are equally so."""
        found = self.probabilities(pair)
        best = found.index(max(found))
        unrelated = best == OTHER and pair.keywords < self.vocabulary
        return Reading(WORDS[best + unrelated], found[best], pair.cosine)


@dataclass(frozen=True, slots=True)
class ListScale:
    """Says of a list whether anything in it is near: a logistic regression, and the probability from which it is."""

    weights: Sequence[float]
    threshold: float

    def probability(self, pairs: Sequence[Pair], *, documents: int, unknown: float) -> float:
        """How probable it is that a library of some documents holds what a question is about."""
        features = list_features(pairs, documents=documents, unknown=unknown)
        return 1 / (1 + math.exp(-math.fsum(w * x for w, x in zip(self.weights, features, strict=True))))


def list_features(pairs: Sequence[Pair], *, documents: int, unknown: float) -> tuple[float, ...]:
    """Return the numbers that say whether a list holds anything near, the first of them always 1: (f,).

    `pairs` are the question with the nearest documents; ten count. The best of many documents is nearer by
    chance, so their number counts, too. `unknown` is the share of the question's telling words that no document holds.
    """
    nearest = sorted(pairs, key=lambda pair: -pair.cosine)[:NEAREST]
    count = max(1, len(nearest))
    cosine, keywords, contained = (
        (
            math.fsum(values) / count
            for values in zip(*((one.cosine, one.keywords, one.contained) for one in nearest), strict=True)
        )
        if nearest
        else (0.0, 0.0, 0.0)
    )
    words = max((one.words for one in nearest), default=_FEWEST_WORDS)
    short = 1 - math.log(min(_MOST_WORDS, max(_FEWEST_WORDS, words))) / math.log(_MOST_WORDS)
    return (1.0, cosine, keywords, contained, math.log(max(1, documents)), short, unknown, short * contained)


@dataclass(frozen=True, slots=True)
class Scales:
    """The fitted numbers; a list's are of documents."""

    levels: Mapping[Level, Scale]
    lists: ListScale


@functools.cache
def scales(path: Path = FILE) -> Scales:
    """Return the fitted numbers, read once."""
    content = json.loads(path.read_text("utf-8"))
    levels: dict[Level, Scale] = {level: Scale(**content["levels"][level]) for level in get_args(Level)}
    return Scales(levels, ListScale(**content["list"]))


def fitted_on(level: Level) -> str:
    """Return the fingerprint of the encoder on whose cosines the readings of a level were fitted."""
    return scales().levels[level].fingerprint


def read_pair(pair: Pair, level: Level = "document") -> Reading:
    """Return the reading of a pair of documents, or of passages."""
    return scales().levels[level].read(pair)


@dataclass(frozen=True, slots=True)
class Among:
    """What a list was found among: how many documents, and what the nearest have in common, such as "category cs.CL".

    `scope` says which documents they are where they are not the whole library: "the documents that pass the filters".
    """

    documents: int
    field: str = ""
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a whole list: whether anything is near, in a sentence, and what the library lacks.

    `unknown_terms` are telling words of the question that no document holds, the most frequent first. `p` is the
    probability that the documents searched hold what the question is about; none are searched where `is_gibberish`.
    `lacks` is the part of the sentence on unknown terms; empty without any. `scope` comes from `Among`.
    """

    near: bool
    p: float
    sentence: str
    unknown_terms: tuple[str, ...] = ()
    is_gibberish: bool = False
    lacks: str = ""
    scope: str = ""

    def as_json(self) -> dict[str, object]:
        """Return the verdict by its fields' names."""
        return {"near": self.near, "sentence": self.sentence, "unknown_terms": list(self.unknown_terms)}


def said(reading: Reading) -> str:
    """A reading in words: "closely related (83 %), nearness 0.57"."""
    return f"{reading.word} ({reading.p:.0%}), nearness {reading.cosine:.2f}".replace("%)", " %)")


def gibberish(unknown: Sequence[str]) -> Verdict:
    """Return the verdict on a question none of whose words is one."""
    words = ", ".join(unknown[:_SHOWN_TERMS])
    return Verdict(False, 0.0, f"No document holds any of these words: {words}.", tuple(unknown), True)


def verdict(
    pairs: Sequence[Pair], among: Among, *, unknown: Sequence[str], telling: int, quoted: bool = False
) -> Verdict:
    """Return the verdict on a list, from the question's pairs with the nearest documents.

    `telling` counts the question's telling words; no document holds the `unknown` ones. `quoted` where a passage of one
    says most of the question.
    """
    lists = scales().lists
    p = lists.probability(pairs, documents=among.documents, unknown=len(unknown) / telling if telling else 0.0)
    whole = p >= lists.threshold or any(read_pair(pair).is_near for pair in pairs)
    where = f", of {among.field}," if among.field else ""
    if whole:
        sentence = scoped(f"The nearest documents{where} are on the question's subject.", among.scope)
    elif quoted:
        told = f"as a whole, the nearest{where} are on other subjects."
        sentence = scoped(f"A passage of a document says most of the question; {told}", among.scope)
    else:
        none = f"None of {among.scope}" if among.scope else "Nothing in this library"
        sentence = f"{none} is near: the nearest documents{where} are on other subjects."
    lacks, terms = _lacking(unknown), tuple(unknown[:_KEPT_TERMS])
    return Verdict(whole or quoted, p, f"{sentence} {lacks}".strip(), terms, lacks=lacks, scope=among.scope)


def scoped(sentence: str, scope: str) -> str:
    """A sentence on documents of a list that begins with what the list was found among, if that is not all."""
    return f"Among {scope}, {sentence[0].lower()}{sentence[1:]}" if scope else sentence


def _lacking(unknown: Sequence[str]) -> str:
    """What the library lacks, in a sentence; empty where it lacks nothing."""
    if not unknown:
        return ""
    more = len(unknown) - len(unknown[:_SHOWN_TERMS])
    return f"No document holds: {', '.join(unknown[:_SHOWN_TERMS])}{f' and {more} more' if more else ''}."

"""The key words of documents: phrases that people would keep, weighed by what makes authors name a phrase."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from engine import encoders
from engine.documents import Document
from engine.documents.text import STOP_WORDS, singular
from engine.encoders.keyvec import Salience
from engine.library import KeywordIndex
from engine.search.evidence.phrases import Phrase, PhraseKey, PhraseReader, Phrases, split_words
from engine.search.evidence.salience import Regression, reread
from engine.search.readings import SENTENCES, SentenceEncoder, sentence_encoder
from engine.search.vocabulary import BY_WORDS, GENRE_WORDS, Vocabulary

NEAREST = 30
"""Phrases of a document that are compared with it by meaning: the best by everything else."""

FILE = Path(__file__).with_name("key_words.json")
_USUAL_COSINE = 0.4  # of a phrase with its document; stands for it where no encoder reads them
_OWNED, _RESTS, _STANDS = 0.6, 0.2, 0.3
_TENTHS = 10
_LONG_FROM = 1_000  # words
_ADJECTIVE = re.compile(r"(?:ive|able|ible|ous|ful|less|ary|ent|ant|al|ar|est|wide|ised|ized)$")
_COMPUTED = (
    "count|relative count|title|abstract|first word|relative first word|tenths|sentences|one word|three words|"
    "four words or more|mean rareness|least rareness|largest rareness|alone|within a longer one|general words|"
    "ends in -ed|ends in -ing|ends as an adjective|one adjective|capital|abbreviated|predicted by KeyVec|salience"
).split("|")
FEATURES = (*_COMPUTED, "cosine")
"""What is known of a phrase, in the order of `features`."""


@dataclass(frozen=True)
class Weighed:
    """The phrases of a document with their features (n, F), and the weights that fit its length."""

    phrases: tuple[Phrase, ...]
    rows: NDArray[np.float64]
    weights: Regression

    @property
    def scores(self) -> NDArray[np.float64]:
        """The log-odds (n,) that an author would name the phrases."""
        return self.weights.log_odds(self.rows)


def phrase_weights(length: str) -> Regression:
    """Return the weights for "short" or "long" documents, fitted by `python -m engine.research key_words --fit`."""
    return Regression.shipped(FILE, length, FEATURES)


class KeyWordReader:
    """Names the key words of documents, and weighs their sentences; may be used from one thread at a time.

    Words are the rarer the fewer documents of the vocabulary hold them: a library's, or the shipped one. Without an
    encoder nearness in meaning does not count.
    """

    predicted: ClassVar[int] = 200
    """How many words KeyVec is asked for: one that it does not name among them counts as if it were the last."""

    def __init__(self, vocabulary: Vocabulary, encoder: SentenceEncoder | None) -> None:
        """Take the frequencies, and the encoder that places phrases beside documents."""
        self._vocabulary, self._encoder = vocabulary, encoder
        self._phrases = PhraseReader()
        self._rareness = _Rareness(vocabulary)

    @classmethod
    def of(cls, keywords: KeywordIndex | None) -> Self:
        """Return what reads by a library's frequencies, else by the shipped ones, as far as weights are installed."""
        here = encoders.encoder_names()
        if keywords is not None:
            vocabulary = Vocabulary.of(keywords)
        else:
            vocabulary = Vocabulary.shipped() if BY_WORDS in here else Vocabulary({}, 0)
        return cls(vocabulary, sentence_encoder() if SENTENCES in here else None)

    def reread(self, documents: Sequence[Document], found: Sequence[Salience], most: int) -> list[Salience]:
        """Return what KeyVec says of documents with its sentences weighed again and its key words as `read` has them.

        `found` holds `predicted` key words of each.
        """
        named = self.read(documents, found, most)
        weighed = reread(documents, found, self._vocabulary)
        return [replace(one, keywords=keywords) for one, keywords in zip(weighed, named, strict=True)]

    def read(
        self, documents: Sequence[Document], found: Sequence[Salience], most: int
    ) -> list[tuple[tuple[str, float], ...]]:
        """Return at most `most` key words of each document, the likeliest first, with the chance of each.

        The chance is that an author would name it. `found` is what KeyVec says of each document, with `predicted` key
        words.
        """
        return [
            tuple((phrase.name, 1 / (1 + math.exp(-score))) for phrase, score in choose_phrases(one, one.scores, most))
            for one in self.weigh(documents, found)
        ]

    def weigh(self, documents: Sequence[Document], found: Sequence[Salience]) -> list[Weighed]:
        """Return the phrases of each document that are compared with it by meaning, with all features."""
        made = []
        for document, said in zip(documents, found, strict=True):
            phrases = self._phrases.read(document)
            every, rows = tuple(phrases.found.values()), self.features(phrases, said)
            weights = phrase_weights(length_of(phrases))
            best = np.argsort(-weights.log_odds(rows), kind="stable")[:NEAREST]
            made.append(Weighed(tuple(every[place] for place in best), rows[best], weights))
        self._compare(documents, made)
        return made

    def features(self, phrases: Phrases, said: Salience) -> NDArray[np.float64]:
        """Return the features (n, F) of a document's phrases; the cosine is the usual one until it is known."""
        every = phrases.found.values()
        rows = np.zeros((len(every), len(FEATURES)))
        if not every:
            return rows
        facts = _Facts.of(phrases, said)
        for row, phrase in zip(rows, every, strict=True):
            row[:-1] = [*_place(phrase, facts), *_shape(phrase, self._rareness), *_salience(phrase, facts)]
        rows[:, -1] = _USUAL_COSINE
        return rows

    def _compare(self, documents: Sequence[Document], made: Sequence[Weighed]) -> None:
        """Fill in the cosines of phrases with their documents; each phrase is read once."""
        forms = list(dict.fromkeys(phrase.form.lower() for one in made for phrase in one.phrases))
        if self._encoder is None or not forms:
            return
        whole = self._encoder.encode_documents(documents)  # (n, dim)
        rows = self._encoder.encode_documents([Document(form, "query", form) for form in forms])  # (p, dim)
        places = {form: place for place, form in enumerate(forms)}
        for one, row in zip(made, whole, strict=True):
            one.rows[:, -1] = rows[[places[phrase.form.lower()] for phrase in one.phrases]] @ row


def length_of(phrases: Phrases) -> str:
    """Return "short" for a document such as a title with its abstract, else "long"."""
    return "short" if phrases.words < _LONG_FROM else "long"


def choose_phrases(weighed: Weighed, scores: NDArray[np.float64], most: int) -> list[tuple[Phrase, float]]:
    """Return the likeliest phrases, at most `most`; none says what another says.

    A phrase within a longer one that was chosen is left out if it seldom stands elsewhere, and a longer one around a
    chosen phrase if that mostly stands without it: "random effects" stays beside "random effects model" only if both
    stand on their own.
    """
    kept: list[tuple[Phrase, float]] = []
    for place in np.argsort(-scores, kind="stable"):
        phrase = weighed.phrases[place]
        if not any(_repeats(phrase, other) for other, _ in kept):
            kept.append((phrase, float(scores[place])))
            if len(kept) == most:
                break
    return kept


def _repeats(phrase: Phrase, kept: Phrase) -> bool:
    if _holds(kept.key, phrase.key):
        is_part = len(phrase.key) == 1 and phrase.alone < _STANDS * phrase.count
        return is_part or kept.count >= _OWNED * phrase.count
    return _holds(phrase.key, kept.key) and phrase.count < _RESTS * kept.count


def _holds(key: PhraseKey, part: PhraseKey) -> bool:
    size = len(part)
    return any(key[start : start + size] == part for start in range(len(key) - size + 1))


class _Rareness(dict[str, float]):
    """How rare each word is, from 0 to 1: its idf as a share of an unknown word's."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary, self._most = vocabulary, math.log(2 * vocabulary.documents + 2)

    def __missing__(self, word: str) -> float:
        self[word] = self._vocabulary.idf(singular(word)) / self._most
        return self[word]


@dataclass(frozen=True)
class _Facts:
    """What features of all phrases of a document share."""

    words: int
    sentences: int
    most: int
    has_abstract: bool
    p: Mapping[int, float]
    """By a sentence's number, as a share of the largest."""
    predicted: Mapping[str, float]
    last: float

    @classmethod
    def of(cls, phrases: Phrases, said: Salience) -> _Facts:
        every = phrases.found.values()
        largest_p = max(float(said.p.max(initial=0)), 1e-9)
        p = {(one.part, one.start): float(value) / largest_p for one, value in zip(said.sentences, said.p, strict=True)}
        predicted = {singular(word): math.log(max(chance, 1e-9)) for word, chance in said.keywords}
        return cls(
            phrases.words,
            len(phrases.sentences),
            max(phrase.count for phrase in every),
            any(phrase.in_abstract for phrase in every),
            {number: p[place] for number, place in enumerate(phrases.sentences) if place in p},
            predicted,
            min(predicted.values(), default=0.0),
        )


def _place(phrase: Phrase, facts: _Facts) -> list[float]:
    """Return a phrase's counts and where it stands."""
    tenths = {_TENTHS * place // facts.sentences for place in phrase.places}
    first = math.log(1 + phrase.first)
    return [
        math.log(phrase.count),
        math.log(1 + phrase.count) / math.log(1 + facts.most),
        phrase.in_title,
        phrase.in_abstract or not facts.has_abstract,
        first,
        first / math.log(2 + facts.words),
        len(tenths) / min(_TENTHS, facts.sentences),
        len(set(phrase.places)) / facts.sentences,
    ]


def _shape(phrase: Phrase, rareness: _Rareness) -> list[float]:
    """Return how a phrase is written and how rare its words are."""
    words = split_words(phrase.form)
    rare = [rareness[word] for word in words]
    general = sum(word in GENRE_WORDS or word in STOP_WORDS for word in words)
    is_adjective = _ADJECTIVE.search(words[-1]) is not None
    return [
        len(words) == 1,
        len(words) == 3,
        len(words) > 3,
        sum(rare) / len(rare),
        min(rare),
        max(rare),
        phrase.alone / phrase.count,
        min(1.0, phrase.longer / phrase.count),
        general / len(words),
        words[-1].endswith("ed"),
        words[-1].endswith("ing"),
        is_adjective,
        is_adjective and len(words) == 1,
        phrase.capitals / phrase.count,
        phrase.also != "",
    ]


def _salience(phrase: Phrase, facts: _Facts) -> list[float]:
    """Return what KeyVec says of a phrase's words and of the sentences that it stands in."""
    words = [singular(word) for word in split_words(phrase.form)]
    return [
        max(facts.predicted.get(word, facts.last) for word in words) - facts.last,
        max((facts.p.get(place, 0.0) for place in phrase.places), default=0.0),
    ]

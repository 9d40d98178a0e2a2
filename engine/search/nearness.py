"""How near two texts are, and whether anything in a list is near.

A pair of texts is read by the cosine of their rows by a sentence encoder and by the telling words that they share;
`engine.search.readings` puts that in words. `HitReader` reads what a search found: a word for each hit, and a verdict
on the whole list, with the telling words of the question that no document of the library holds.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol, cast

import numpy as np

from engine import encoders
from engine.core.rows import DenseRows, Rows
from engine.documents import Document
from engine.documents.text import STOP_WORDS, first_tokens
from engine.encoders import Encoder, Word2vecMeanEncoder
from engine.library import Library
from engine.search import readings
from engine.search.readings import NEAREST, SENTENCES, Among, Pair, Reading, Verdict, fitted_on
from engine.search.vocabulary import GENRE_WORDS, HALVES, Vocabulary
from engine.vectors import VectorIndex

BY_WORDS = "word2vec-sif"
"""What compares sentences, whatever encoder ranks: to read a library's sentences with a network costs a tenth of a
second and more a document, and finds the right one no more often (engine/research/reports/planted-sentences.md).
"""

READ_TOKENS = 400
"""How many of a text's words count, so that long texts compare with abstracts."""
QUOTED_FROM, _QUOTED_SHARE = 5, 0.75
"""From how many telling words on a text can be quoted, and which share of them a passage holds that quotes it.

No paper of another subject reached that share (engine/research/reports/quoted-passages.md).
"""


class Sentences(Protocol):
    """The part of `student` that readings and key words need."""

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        """Encode questions: (n, dim), at unit length."""

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim), at unit length."""


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
        """Read the first 400 tokens of a text; words weigh as in `shipped_vocabulary`, in every library alike."""
        vocabulary, read = shipped_vocabulary(), first_tokens(text, READ_TOKENS)
        counts = Counter(key for token in read if (key := vocabulary.keys[token]))
        idf = {key: vocabulary.idf(key) for key in counts}
        weights = {key: (1 + math.log(count)) * idf[key] for key, count in counts.items()}
        return cls(weights, math.sqrt(sum(one * one for one in weights.values())), sum(idf.values()), len(read))


def pair_of(ours: TellingWords, theirs: TellingWords, cosine: float) -> Pair:
    """What a reading reads of two texts whose rows by `student` have this cosine; the same either way round."""
    vocabulary = shipped_vocabulary()
    both = ours.weights.keys() & theirs.weights.keys()
    lengths = ours.length * theirs.length
    shared = sum(ours.weights[key] * theirs.weights[key] for key in both) / lengths if lengths else 0.0
    least = min(ours.total, theirs.total)
    contained = sum(vocabulary.idf(key) for key in both) / least if least else 0.0
    return Pair(cosine, shared, contained, min(ours.tokens, theirs.tokens))


@dataclass(frozen=True, slots=True)
class Quoted:
    """How many of a text's telling words one passage holds, where that is most of them, and how many there are."""

    held: int
    telling: int

    @property
    def sentence(self) -> str:
        """The same for a person."""
        return f"A passage of it says most of your text: {self.held} of its {self.telling} telling words."


def quoted(asked: TellingWords, passages: Sequence[str]) -> Quoted | None:
    """Whether one of some passages holds most of a text's telling words; None also for a text of few.

    It needs no encoder, and says of a quote what the reading of its whole document cannot.
    """
    telling = len(asked.weights)
    if telling < QUOTED_FROM or not passages:
        return None
    held = max(len(asked.weights.keys() & TellingWords.of(text).weights.keys()) for text in passages)
    return Quoted(held, telling) if held >= _QUOTED_SHARE * telling else None


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

    def question_row(self, document: Document, row: Rows | None = None) -> DenseRows:
        """The row (1, dim) of a document that asks; `row` is its row by the library's encoder, if it is at hand."""
        known = None if row is None else self._encoder.sentence_rows(row, fitted_on("document"))
        return known if known is not None else sentence_encoder().encode_queries([document])

    def rows(self, documents: Sequence[Document]) -> DenseRows:
        """Return the rows (n, dim) of documents, those of the library as they are kept."""
        known = self.kept_rows([one.id for one in documents])
        return known if known is not None else sentence_encoder().encode_documents(documents)

    def kept_rows(self, ids: Sequence[str]) -> DenseRows | None:
        """Return the rows (n, dim) of documents by their ids, without reading one; None where the index lacks any."""
        if self._index is None or not ids or any(name not in self._index for name in ids):
            return None
        return self._encoder.sentence_rows(self._index.rows(ids), fitted_on("document"))

    def pairs(self, asking: Document, row: DenseRows, documents: Sequence[Document]) -> list[Pair]:
        """What readings read of a document with each other one; `row` (1, dim) comes from `question_row`."""
        if not documents:
            return []
        cosines = (self.rows(documents) @ row[0]).tolist()  # (n,)
        ours = self._words(asking.text)
        return [pair_of(ours, self._words(one.text), cosine) for one, cosine in zip(documents, cosines, strict=True)]


def document_pair(
    one: Document, other: Document, *, rows: tuple[DenseRows | None, DenseRows | None] = (None, None)
) -> Pair:
    """What a reading reads of two documents; the same either way round.

    `rows`, (1, dim) each, are theirs where an index keeps them (`PairReader.kept_rows`); else `student` reads them.
    """
    read = zip((one, other), rows, strict=True)
    ours, theirs = (_document_row(document) if row is None else row for document, row in read)
    cosine = float(ours[0] @ theirs[0])
    return pair_of(TellingWords.of(one.text), TellingWords.of(other.text), cosine)


@lru_cache(maxsize=64)
def _document_row(document: Document) -> DenseRows:
    return sentence_encoder().encode_documents([document])


def warm_nearness() -> None:
    """Load what the first reading needs."""
    sentence_encoder()
    shipped_vocabulary()


@lru_cache(maxsize=1)
def sentence_encoder() -> Sentences:
    """Return the encoder `SENTENCES`, loaded once for all that ask."""
    return cast(Sentences, encoders.load(SENTENCES))


@lru_cache(maxsize=1)
def sentence_words() -> Word2vecMeanEncoder:
    """Return the encoder `BY_WORDS`, loaded once for all that ask."""
    return cast(Word2vecMeanEncoder, encoders.load(BY_WORDS))


@lru_cache(maxsize=1)
def shipped_vocabulary() -> Vocabulary:
    """How rare words are among the abstracts that the shipped word vectors were trained on: the same everywhere.

    They count occurrences. A word that occurs n times in N documents is in about N (1 - exp(-n / N)) of them, if
    occurrences are spread at random (a Poisson distribution).
    """
    vectors = sentence_words().vectors
    documents = int(vectors.facts["documents"])
    held = -documents * np.expm1(-vectors.counts / documents)  # (V,)
    frequencies: Mapping[str, int] = dict(zip(vectors.words, held.round().astype(int).tolist(), strict=True))
    return Vocabulary(frequencies, documents)


_TELLING = re.compile(r"[^\W\d_]{3,}+|[^\W\d_]{2,}+[\d-]++[^\W_]*+")


def telling_words(text: str) -> Counter[str]:
    """Return the words that may say what a text is about, with their counts, in the order in which they come."""
    found = (token.strip("'").removesuffix("'s") for token in first_tokens(text, READ_TOKENS))
    return Counter(
        one
        for one in found
        if _TELLING.fullmatch(one) and one not in STOP_WORDS and one not in GENRE_WORDS and one not in HALVES
    )


def unknown_terms(text: str, library: Vocabulary) -> tuple[list[str], int]:
    """Return the telling words that no document of a library holds in any number, and how many are telling."""
    words = telling_words(text)
    lacking = [word for word, _ in words.most_common() if not library.holds(word)]
    return lacking, len(words)


def is_gibberish(text: str, library: Vocabulary) -> bool:
    """Whether a library holds none of a text's telling words, and no abstract that we know holds most of them.

    A text without telling words is not: it says little, but in words.
    """
    lacking, telling = unknown_terms(text, library)
    if not telling or len(lacking) < telling:
        return False
    return 2 * sum(shipped_vocabulary().holds(word) for word in lacking) <= telling


CANDIDATES = 60
"""How many of the first documents of a list are looked at for the ten nearest."""

_AGREE = 0.6  # of the nearest documents have a category or venue in common


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks, each document with its row by `student` (n, dim): the question, or the liked documents."""

    documents: Sequence[Document]
    rows: DenseRows
    is_question: bool


class HitReader:
    """Reads what a search found in a library; `vocabulary` are the library's words as they are now."""

    def __init__(self, library: Library, reader: PairReader, vocabulary: Vocabulary) -> None:
        """Read with rows from the library's index where the encoder has them."""
        self._library, self._reader, self._vocabulary = library, reader, vocabulary

    def gibberish(self, document: Document) -> Verdict | None:
        """Return the verdict on a question whose words are none; None for any other."""
        if not is_gibberish(document.text, self._vocabulary):
            return None
        return readings.gibberish(unknown_terms(document.text, self._vocabulary)[0])

    def asking(self, query: Document | None, liked: Sequence[Document], row: Rows | None) -> Asking:
        """Who asks; `row` (1, dim) is the question's by the library's encoder where nothing moved it."""
        if query is None:
            return Asking(liked, self._reader.rows(liked), is_question=False)
        return Asking([query], self._reader.question_row(query, row), is_question=True)

    def read(self, asking: Asking, documents: Sequence[Document]) -> list[Reading]:
        """A reading for each document, with the nearest of those that ask."""
        return [readings.read_pair(one) for one in self._pairs(asking, documents)]

    def verdict(
        self,
        asking: Asking,
        candidates: Sequence[str],
        shown: Sequence[Document],
        among: Among | None = None,
        *,
        quoted: bool = False,
    ) -> Verdict:
        """Whether anything is near, from the nearest of some candidates; `quoted` where a passage says the question.

        `among` says what was searched where that is not the whole library. Where the candidates' rows by `student` are
        not at hand, the documents shown are read.
        """
        nearest, rows = list(shown[:NEAREST]), self._reader.kept_rows(candidates)
        if rows is not None:
            best = np.argsort(-(rows @ asking.rows.T).max(axis=1), kind="stable")[:NEAREST]
            nearest = self._library.get([candidates[place] for place in best])
        text = asking.documents[0].text if asking.is_question else ""
        unknown, telling = unknown_terms(text, self._vocabulary)
        return readings.verdict(
            self._pairs(asking, nearest),
            replace(among or Among(self._vocabulary.documents), field=common_field(nearest)),
            unknown=unknown,
            telling=telling,
            quoted=quoted,
        )

    def _pairs(self, asking: Asking, documents: Sequence[Document]) -> list[Pair]:
        asked = [self._reader.pairs(one, asking.rows[[place]], documents) for place, one in enumerate(asking.documents)]
        return [max(each, key=lambda pair: pair.cosine) for each in zip(*asked, strict=True)]


def common_field(documents: Sequence[Document]) -> str:
    """What most of some documents have in common: a category, such as "category cs.CL", or a venue; else empty."""
    categories = Counter(name for one in documents for name in set(one.categories))
    venues = Counter(one.venue for one in documents if one.venue)
    for called, counts in (("category", categories), ("venue", venues)):
        name, count = max(counts.items(), key=lambda item: item[1], default=("", 0))
        if count and count >= _AGREE * len(documents):
            return f"{called} {name}"
    return ""

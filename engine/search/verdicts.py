"""Whether anything in a list is near: a word for each hit of a search, and a verdict on the whole list.

A verdict is read from the pairs of the question with the nearest documents (`engine.search.readings`), and says which
telling words of the question no document of the library holds.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.core.rows import DenseRows, Rows
from engine.documents import Document
from engine.documents.text import STOP_WORDS, first_tokens, how_many
from engine.library import Library
from engine.search.readings import FILE, READ_TOKENS, Pair, PairReader, Reading, shortness
from engine.search.vocabulary import GENRE_WORDS, HALVES, Vocabulary

NEAREST = 10
"""How many of the nearest documents say whether anything is near."""

CANDIDATES = 60
"""How many of the first documents of a list are looked at for the ten nearest."""

_QUOTED = "A passage of a document says most of the question."
_AGREE = 0.6  # of the nearest documents have a category or venue in common
_SHOWN_TERMS, _KEPT_TERMS = 5, 20


@dataclass(frozen=True, slots=True)
class ListScale:
    """Says of a list whether anything in it is near: a logistic regression, and the probability from which it is."""

    weights: Sequence[float]
    threshold: float

    def probability(self, pairs: Sequence[Pair], *, documents: int, unknown: float) -> float:
        """Return how probable it is that a library of some documents holds what a question is about."""
        features = list_features(pairs, documents=documents, unknown=unknown)
        return 1 / (1 + math.exp(-math.fsum(w * x for w, x in zip(self.weights, features, strict=True))))


@functools.cache
def list_scale() -> ListScale:
    """Return the fitted numbers, read once."""
    return ListScale(**json.loads(FILE.read_text("utf-8"))["list"])


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
    short = shortness(max((one.words for one in nearest), default=1))
    return (1.0, cosine, keywords, contained, math.log(max(1, documents)), short, unknown, short * contained)


@dataclass(frozen=True, slots=True)
class Among:
    """What a list was found among: how many documents, and what the nearest have in common, such as "category cs.CL".

    `scope` says which documents they are where they are not the whole library: "the documents that pass the filters".
    `unread` of them have no row yet, and `unmatched` lack their passages where these count.
    """

    documents: int
    field: str = ""
    scope: str = ""
    unread: int = 0
    unmatched: int = 0

    @property
    def read(self) -> str:
        """How many of the documents are read, in a sentence; empty where all are."""
        lacking = self.unread or self.unmatched
        if not lacking:
            return ""
        percent = 100 * (self.documents - lacking) / self.documents
        share = "less than 1" if 0 < percent < 1 else "more than 99" if percent > 99 else f"{percent:.0f}"
        of, documents = f"{share} % of {self.scope or 'your library'}", how_many(lacking, "document")
        if not self.unread:
            return f"Read so far: the passages of {of}; those of {documents} are not read yet."
        rest = "is not read yet and ranks by its words alone"
        if lacking > 1:
            rest = "are not read yet and rank by their words alone"
        return f"Read so far: {of}; {documents} {rest}."


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a whole list: whether anything is near, in a sentence, and what the library lacks.

    `unknown_terms` are telling words of the question that no document holds, the most frequent first. `p` is the
    probability that the documents searched hold what the question is about; none are searched where `is_gibberish`.
    `lacks` is the part of the sentence on unknown terms; empty without any. `scope` comes from `Among`, and so do
    `read`, the part of the sentence on how much is read, and `unread`, how many documents are not.
    """

    near: bool
    p: float
    sentence: str
    unknown_terms: tuple[str, ...] = ()
    is_gibberish: bool = False
    lacks: str = ""
    scope: str = ""
    read: str = ""
    unread: int = 0

    def as_json(self) -> dict[str, object]:
        """Return the verdict by its fields' names."""
        return {"near": self.near, "sentence": self.sentence, "unknown_terms": list(self.unknown_terms)}


def verdict(
    pairs: Sequence[Pair], among: Among, *, unknown: Sequence[str], telling: int, quoted: bool = False
) -> Verdict:
    """Return the verdict on a list, from the question's pairs with the nearest documents.

    `telling` counts the question's telling words; no document holds the `unknown` ones. `quoted` where a passage of one
    says most of the question. While documents are unread, it never says that nothing is near: an unread one may be.
    """
    lists = list_scale()
    p = lists.probability(pairs, documents=among.documents, unknown=len(unknown) / telling if telling else 0.0)
    whole = p >= lists.threshold or any(pair.read().is_near for pair in pairs)
    where = f", of {among.field}," if among.field else ""
    if whole:
        sentence = scoped(f"The nearest documents{where} are on the question's subject.", among.scope)
    elif among.read:
        sentence = f"{_QUOTED if quoted else ''} Nearer documents may still come as more is read.".strip()
    elif quoted:
        told = f"as a whole, the nearest{where} are on other subjects."
        sentence = scoped(f"{_QUOTED[:-1]}; {told}", among.scope)
    else:
        none = f"None of {among.scope}" if among.scope else "Nothing in this library"
        sentence = f"{none} is near: the nearest documents{where} are on other subjects."
    lacks, terms = "", tuple(unknown[:_KEPT_TERMS])
    if unknown:
        more = len(unknown) - len(unknown[:_SHOWN_TERMS])
        lacks = f"No document holds: {', '.join(unknown[:_SHOWN_TERMS])}{f' and {more} more' if more else ''}."
    told = " ".join(part for part in (sentence, among.read, lacks) if part)
    unread = among.unread or among.unmatched
    return Verdict(whole or quoted, p, told, terms, lacks=lacks, scope=among.scope, read=among.read, unread=unread)


def scoped(sentence: str, scope: str) -> str:
    """Return a sentence on documents of a list that begins with what the list was found among, if that is not all."""
    return f"Among {scope}, {sentence[0].lower()}{sentence[1:]}" if scope else sentence


# What no document holds -------------------------------------------------------------------------


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
    """Tell whether a library holds none of a text's telling words, and no abstract that we know holds most of them.

    A text without telling words is not gibberish: it says little, but in words.
    """
    lacking, telling = unknown_terms(text, library)
    if not telling or len(lacking) < telling:
        return False
    return 2 * sum(Vocabulary.shipped().holds(word) for word in lacking) <= telling


# The hits of a search ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Askers:
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
        unknown, _ = unknown_terms(document.text, self._vocabulary)
        words = ", ".join(unknown[:_SHOWN_TERMS])
        return Verdict(False, 0.0, f"No document holds any of these words: {words}.", tuple(unknown), is_gibberish=True)

    def asking(self, query: Document | None, liked: Sequence[Document], row: Rows | None) -> Askers:
        """Return who asks; `row` (1, dim) is the question's by the library's encoder where nothing moved it."""
        if query is None:
            return Askers(liked, self._reader.rows(liked), is_question=False)
        return Askers([query], self._reader.question_row(query, row), is_question=True)

    def read(self, asking: Askers, documents: Sequence[Document]) -> list[Reading]:
        """Return a reading for each document, with the nearest of those that ask."""
        return [one.read() for one in self._pairs(asking, documents)]

    def verdict(
        self,
        asking: Askers,
        candidates: Sequence[str],
        shown: Sequence[Document],
        among: Among | None = None,
        *,
        quoted: bool = False,
    ) -> Verdict:
        """Tell whether anything is near, from the nearest of some candidates.

        `among` says what was searched where that is not the whole library, and `quoted` whether a passage says the
        question. Where the candidates' rows by `student` are not at hand, the documents shown are read, and so are
        those shown that have no row yet.
        """
        known = self._reader.kept(candidates)
        nearest, rows = list(shown[:NEAREST]), self._reader.kept_rows(known)
        if rows is not None:
            best = np.argsort(-(rows @ asking.rows.T).max(axis=1), kind="stable")[:NEAREST]
            unread = [one for one in nearest if not self._reader.kept([one.id])]
            nearest = [*self._library.get([known[place] for place in best]), *unread]
        text = asking.documents[0].text if asking.is_question else ""
        unknown, telling = unknown_terms(text, self._vocabulary)
        return verdict(
            self._pairs(asking, nearest),
            replace(among or Among(self._vocabulary.documents), field=common_field(nearest)),
            unknown=unknown,
            telling=telling,
            quoted=quoted,
        )

    def _pairs(self, asking: Askers, documents: Sequence[Document]) -> list[Pair]:
        asked = [self._reader.pairs(one, asking.rows[[place]], documents) for place, one in enumerate(asking.documents)]
        return [max(each, key=lambda pair: pair.cosine) for each in zip(*asked, strict=True)]


def common_field(documents: Sequence[Document]) -> str:
    """Return what most of some documents have in common, such as "category cs.CL" or a venue; empty for nothing."""
    categories = Counter(name for one in documents for name in set(one.categories))
    venues = Counter(one.venue for one in documents if one.venue)
    for called, counts in (("category", categories), ("venue", venues)):
        name, count = max(counts.items(), key=lambda item: item[1], default=("", 0))
        if count and count >= _AGREE * len(documents):
            return f"{called} {name}"
    return ""

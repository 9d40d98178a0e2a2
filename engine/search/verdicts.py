"""Whether anything in a list is near: a word for each hit of a search, and a headline on the whole list.

A verdict is read from the pairs of the question with the nearest documents (`engine.search.readings`), and says which
telling words of the question no document of the library holds. The headline follows from it and the words of the hits.

It is long, because what a list says is decided in one place: of a text in another language, of gibberish, of a bare
topic, while a library is being read.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from engine.core.rows import DenseRows, Rows
from engine.documents import KINDS, Document, Kind
from engine.documents.text import CHARACTERS_A_TOKEN, STOP_WORDS, how_many
from engine.documents.text import stretches as pieces
from engine.documents.words import PREFIX, UNSPACED, letters, names_something, stretches, words
from engine.library import Library
from engine.reading import LANGUAGE_NAMES, sure_language
from engine.search.readings import (
    FILE,
    OFF_TOPIC,
    ON_TOPIC,
    OTHER_LANGUAGE,
    READ_TOKENS,
    SAME,
    SAME_FIELD,
    WORDS,
    Pair,
    PairReader,
    Reading,
    shortness,
)
from engine.search.vocabulary import GENRE_WORDS, HALVES, Vocabulary

NEAREST = 10
"""How many of the nearest documents say whether anything is near."""

CANDIDATES = 60
"""How many of the first documents of a list are looked at for the ten nearest."""

_ENGLISH, _LANGUAGE_CHARACTERS = "en", 1_000
_AGREE = 0.6  # of the nearest documents have a category or venue in common
_SHOWN_TERMS, _KEPT_TERMS = 5, 20
_SURE, _SURER, _HARDLY = 0.8, 0.97, 0.1
"""How likely on a bare topic a hit must be to make a list near that is far by its numbers; the second where `p` is less
than the third."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SAID = {
    **dict(
        zip(
            WORDS,
            (
                ("says much the same", "say much the same"),
                ("is closely related", "are closely related"),
                ("is in the same field", "are in the same field"),
                ("only shares vocabulary", "only share vocabulary"),
                ("is unrelated", "are unrelated"),
            ),
            strict=True,
        )
    ),
    ON_TOPIC: ("is on this topic", "are on this topic"),
    OFF_TOPIC: ("is not", "are not"),
    OTHER_LANGUAGE: ("is in another language", "are in another language"),
}
"""Each word of a reading in a sentence on one hit, and on several, in the order in which they are told."""
_NOUNS: dict[Kind, str] = {"paper": "paper", "patent": "patent", "query": "question"}


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
    """What is known of a list beside its rows; what the list says follows from both (`headline`).

    `near` where the numbers of the nearest documents say that those searched hold what the question is about, and `p`
    how probable that is. `holds_near` where one of them is near by itself, listed or not. `refusal` is the sentence on
    a question that is not judged, such as one of no known words (`is_gibberish`). `unknown_terms` are telling words of
    the question that no document holds, the most frequent first, and `lacks` is the sentence on them. `field` and
    `scope` come from `Among`. `read` says how much of what was searched is read
    so far, empty where all is, and `unread` how many documents are not.
    """

    near: bool
    p: float
    refusal: str = ""
    unknown_terms: tuple[str, ...] = ()
    is_gibberish: bool = False
    lacks: str = ""
    scope: str = ""
    field: str = ""
    holds_near: bool = False
    read: str = ""
    unread: int = 0


def verdict(
    pairs: Sequence[Pair], among: Among, *, unknown: Sequence[str], telling: int, missing: Sequence[str] | None = None
) -> Verdict:
    """Return the verdict on a list, from the question's pairs with the nearest documents.

    `telling` counts the question's telling words; no document holds the `unknown` ones, and those `missing` are named.
    """
    missing = unknown if missing is None else missing
    lists = list_scale()
    p = lists.probability(pairs, documents=among.documents, unknown=len(unknown) / telling if telling else 0.0)
    lacks, terms = "", tuple(missing[:_KEPT_TERMS])
    if missing:
        more = len(missing) - len(missing[:_SHOWN_TERMS])
        lacks = f"No document holds: {', '.join(missing[:_SHOWN_TERMS])}{f' and {more} more' if more else ''}."
    return Verdict(
        p >= lists.threshold,
        p,
        unknown_terms=terms,
        lacks=lacks,
        scope=among.scope,
        field=among.field,
        holds_near=any(pair.read().is_near for pair in pairs),
        read=among.read,
        unread=among.unread or among.unmatched,
    )


# What a list says -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReadHit:
    """What a headline reads of a hit: its kind, its word, and whether a passage of it is near, or says the question."""

    kind: Kind
    reading: Reading
    has_near_passage: bool = False
    is_quoted: bool = False

    def makes_near(self, found: Verdict) -> bool:
        """Tell whether the hit makes a list near by itself; on a bare topic, only if it is likely enough."""
        needed = (_SURE if found.p >= _HARDLY else _SURER) if self.reading.is_of_topic else 0.0
        return self.has_near_passage or self.is_quoted or (self.reading.is_near and self.reading.p >= needed)


@dataclass(frozen=True, slots=True)
class Headline:
    """What a whole list says, and whether that is that something in it is near."""

    near: bool
    sentence: str


def headline(found: Verdict, rows: Sequence[ReadHit]) -> Headline:
    """Return what a list says: the only place where that is decided, from the words of its rows and their numbers.

    A row that is near makes the list near, whatever the numbers say; rows of the same field do where the numbers agree,
    and so do rows that are hardly likely on a topic. Rows of other subjects alone never do. While documents are unread,
    it never says that nothing is near: an unread one may be.
    """
    if found.refusal:
        return Headline(False, found.refusal)
    counted, passages = count_hits(rows), _say_passages(rows)
    if counted and (found.near or any(row.makes_near(found) for row in rows)):
        return Headline(True, scoped(f"{counted} {passages}".strip(), found.scope))
    if passages:
        whole = "" if found.read else "As a whole, the nearest are on other subjects. "
        return Headline(True, scoped(f"{whole}{passages}", found.scope))
    return Headline(found.holds_near and not counted, _say_far(found, counted, rows))


def _say_far(found: Verdict, counted: str, rows: Sequence[ReadHit]) -> str:
    """Say that nothing is near; `counted` says how many rows are of the same field, or on the topic, if any."""
    if found.read:
        return f"{counted} Nearer documents may still come as more is read.".strip()
    none = f"None of {found.scope}" if found.scope else "Nothing in this library"
    nearest = f"the nearest documents{f', of {found.field},' if found.field else ''}"
    of_topic = bool(rows) and all(row.reading.is_of_topic for row in rows)
    if counted and of_topic:
        likely = [row.kind for row in rows if row.reading.is_near]
        return f"{none} is clearly on this topic, but {_who(likely)} may be."
    if counted:
        return f"{none} is closely related: {counted[0].lower()}{counted[1:]}"
    if found.holds_near:
        return "None of these documents is near, but the library holds nearer ones: list more, or rank by meaning."
    if of_topic:
        return f"{none} is on this topic: {nearest} are on others."
    if found.near:
        return f"{none} is clearly near: each of {nearest} is more likely on another subject than on yours."
    return f"{none} is near: {nearest} are on other subjects."


def _say_passages(rows: Sequence[ReadHit]) -> str:
    """Say how many hits further off have a passage that says the question, or is near; empty where none has."""
    if quoted := sum(row.is_quoted and row.reading.rank > SAME for row in rows):
        return f"A passage of {spell_count(quoted)} says most of your text."
    near = sum(row.has_near_passage and not row.reading.is_near for row in rows)
    if not near or any(row.reading.is_near for row in rows):
        return ""
    who = f"{spell_count(near)} holds" if near == 1 else f"{spell_count(near)} hold"
    return f"{who[0].upper()}{who[1:]} a passage that is closely related to yours."


def count_hits(rows: Sequence[ReadHit]) -> str:
    """Say how many hits of each kind are how near: "Two papers say much the same; eight are in the same field.".

    Empty where none is of the same field or nearer, or on the topic: a count of what is far says less.
    """
    groups = {word: [row.kind for row in rows if row.reading.word == word] for word in _SAID}
    if not any(row.reading.rank <= SAME_FIELD for row in rows):
        return ""
    one_kind = len({row.kind for row in rows}) == 1
    parts: list[str] = []
    for word, kinds in groups.items():
        if kinds:
            who = spell_count(len(kinds)) if one_kind and parts else _who(kinds)
            parts.append(f"{who} {_SAID[word][len(kinds) > 1]}")
    sentence = "; ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


def spell_count(count: int) -> str:
    """Return a count as it is written in a sentence: in a word up to twelve."""
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def _who(kinds: Sequence[Kind]) -> str:
    """Return papers and patents, each with their number."""
    counts = Counter(kinds)
    nouns = [(counts[kind], _NOUNS[kind]) for kind in KINDS if counts[kind]]
    return " and ".join(f"{spell_count(count)} {how_many(count, noun).split()[-1]}" for count, noun in nouns)


def scoped(sentence: str, scope: str) -> str:
    """Return a sentence on documents of a list that begins with what the list was found among, if that is not all."""
    return f"Among {scope}, {sentence[0].lower()}{sentence[1:]}" if scope else sentence


# What no document holds -------------------------------------------------------------------------


_TELLING = re.compile(r"[^\W\d_]{3,}+|[^\W\d_]{2,}+[\d-]++[^\W_]*+")


def telling_words(text: str) -> Counter[str]:
    """Return the words that may say what a text is about, with their counts, in the order in which they come."""
    found = (word.strip("'").removesuffix("'s") for word in words(_beginning(text), ends=False)[:READ_TOKENS])
    return Counter(
        one
        for one in found
        if (_TELLING.fullmatch(one) and one not in STOP_WORDS and one not in GENRE_WORDS and one not in HALVES)
        or (UNSPACED.fullmatch(one) and names_something(one))
    )


def _beginning(text: str) -> str:
    return next(pieces(text, READ_TOKENS * CHARACTERS_A_TOKEN), "")


def unknown_terms(text: str, library: Vocabulary) -> tuple[list[str], int]:
    """Return the telling words that no document of a library holds in any number, and how many are telling."""
    telling = telling_words(text)
    spaced = (word for word, _ in telling.most_common() if UNSPACED.match(word) is None)
    lacking = [word for word in spaced if not library.holds(word)]
    runs = dict.fromkeys(UNSPACED.findall(_beginning(text)))
    return [*lacking, *dict.fromkeys(word for run in runs for word in _unknown_within(run, library))], len(telling)


_MARKS = 9
"""Characters among which a letter with its marks stands."""


def _unknown_within(run: str, library: Vocabulary) -> Iterator[str]:
    """Yield the words of a run of letters without spaces that no document holds.

    Of the pairs that no document holds, those at either end also have a letter of the word beside.
    """
    pairs = set(map("".join, pairwise(letters(run))))
    for start, stop in stretches(run, {pair for pair in pairs if names_something(pair) and not library.holds(pair)}):
        found = letters(run[start:stop])
        before, behind = letters(run[max(0, start - _MARKS) : start]), letters(run[stop : stop + _MARKS])
        if before and names_something(before[-1] + found[0]):
            found = found[1:]
        if behind and names_something(found[-1] + behind[0]):
            found = found[:-1]
        if any(map(names_something, map("".join, pairwise(found)))):
            yield "".join(found)


_COMPOUND = re.compile(r"(?<![^\W\d_])[^\W\d_]++(?:[-\u2010\u2011][^\W\d_]++)+")
_CODE = re.compile(
    r"\b(?=[^\W_]*\d)[^\W_]+|\b[A-Z][^\W\d_]{0,5}(?=[-\u2010\u2011/][^\W_]*\d)|\b[^\W\d_]*[a-z][A-Z][^\W\d_]*"
)
"""What has a digit in it or beside a hyphen, or a capital after a small letter: TaCNR2, XJ-9000, FrameNet."""
_SURNAME, _YEAR = r"(?<![\w’'-])[A-ZÀ-ÖØ-Þ][\w’'-]++", r"\(?(?:18|19|20)\d\d"
_CITED_NAME = re.compile(
    rf"({_SURNAME})(?=,? (?:et al\b|[A-Z]\.|{_YEAR}\b)| (?:and|&) {_SURNAME},? {_YEAR})|"
    rf"\b(?:[A-Z]|Dr|Prof|Mrs?|Ms)\. ?({_SURNAME})|\b(?:and|&) ({_SURNAME})(?=,? {_YEAR}| et al)"
)
"""A surname where a work is cited, or behind initials or a title."""
_NAME = re.compile(r"(?<=[a-zà-öø-ÿ,;(] )[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ’'-]+(?=[’'),;.]| [a-zà-öø-ÿ(])")
"""A word with a capital amid words in small letters."""
_HYPHEN = re.compile("[-\u2010\u2011’']")
_USUAL_NAME = 20
"""A name in as many abstracts is a term of a field: a Banach space, the Navier-Stokes equations."""


def missing_words(text: str, unknown: Sequence[str], library: Vocabulary) -> list[str]:
    """Return which unknown words of a text a person would miss in a library.

    Not names of people and codes, which say nothing of a subject, nor what the library writes with a hyphen or without.
    """
    written = text[: READ_TOKENS * CHARACTERS_A_TOKEN]
    apart = {one: one.lower().replace("\u2010", "-").replace("\u2011", "-") for one in _COMPOUND.findall(written)}
    joined = {part for one in apart.values() if library.holds(one.replace("-", "")) for part in one.split("-")}
    cited = {part for found in _CITED_NAME.findall(written) for one in found for part in _HYPHEN.split(one.lower())}
    named = {part for one in _NAME.findall(written) for part in _HYPHEN.split(one.lower())}
    names = cited | {one for one in named if Vocabulary.shipped().frequency(one) < _USUAL_NAME}
    names = {one for one in names if one and not re.search(rf"\b{re.escape(one)}", written)}
    codes = {one.lower() for one in _CODE.findall(written)}
    left = [word for word in unknown if word not in names | codes | joined]
    return [word for word in left if not _is_prefixed(word, library)]


def _is_prefixed(word: str, library: Vocabulary) -> bool:
    """Tell whether a library holds a word behind its prefix: "supervised" of "semisupervised"."""
    found = PREFIX.match(word)
    return found is not None and library.holds(found.group()) and library.holds(word[found.end() :])


def is_gibberish(text: str, library: Vocabulary) -> bool:
    """Tell whether a library holds none of a text's telling words, and no abstract that we know holds most of them.

    A text without telling words is not gibberish: it says little, but in words.
    """
    return _are_gibberish(*unknown_terms(text, library))


def _are_gibberish(lacking: Sequence[str], telling: int) -> bool:
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
        self._unknown = functools.lru_cache(maxsize=4)(functools.partial(unknown_terms, library=vocabulary))

    def gibberish(self, document: Document) -> Verdict | None:
        """Return the verdict on a question whose words are none; None for any other, and in another language."""
        text = document.text
        if _language(text) not in ("", _ENGLISH) or not _are_gibberish(*self._unknown(text)):
            return None
        unknown, _ = self._unknown(text)
        words = ", ".join(unknown[:_SHOWN_TERMS])
        refusal = f"No document holds any of these words: {words}."
        return Verdict(False, 0.0, refusal, tuple(unknown), is_gibberish=True)

    def asking(self, query: Document | None, liked: Sequence[Document], row: Rows | None) -> Askers:
        """Return who asks; `row` (1, dim) is the question's by the library's encoder where nothing moved it."""
        if query is None:
            return Askers(liked, self._reader.rows(liked), is_question=False)
        return Askers([query], self._reader.question_row(query, row), is_question=True)

    def read(self, asking: Askers, documents: Sequence[Document]) -> list[Reading]:
        """Return a reading for each document, with the nearest of those that ask; none is read in another language."""
        apart = _languages_apart(asking, documents)
        return [
            Reading(OTHER_LANGUAGE, 1.0, pair.cosine) if language else pair.read()
            for pair, language in zip(self._pairs(asking, documents), apart, strict=True)
        ]

    def verdict(
        self,
        asking: Askers,
        candidates: Sequence[str],
        shown: Sequence[Document],
        among: Among | None = None,
    ) -> Verdict:
        """Tell whether anything is near, from the nearest of some candidates.

        `among` says what was searched where that is not the whole library. Where the candidates' rows by `student` are
        not at hand, the documents shown are read, and so are those shown that have no row yet.
        """
        if told := _say_language(asking, shown):
            return Verdict(False, 0.0, told)
        known = self._reader.kept(candidates)
        nearest, rows = list(shown[:NEAREST]), self._reader.kept_rows(known)
        if rows is not None:
            best = np.argsort(-(rows @ asking.rows.T).max(axis=1), kind="stable")[:NEAREST]
            unread = [one for one in nearest if not self._reader.kept([one.id])]
            nearest = [*self._library.get([known[place] for place in best]), *unread]
        text = asking.documents[0].text if asking.is_question else ""
        unknown, telling = self._unknown(text)
        return verdict(
            self._pairs(asking, nearest),
            replace(among or Among(self._vocabulary.documents), field=common_field(nearest)),
            unknown=unknown,
            telling=telling,
            missing=self._missing(text, unknown),
        )

    def _missing(self, text: str, unknown: Sequence[str]) -> list[str]:
        """Return which unknown words of a question are worth naming: those that the library holds in no form at all."""
        named = missing_words(text, unknown, self._vocabulary)
        return [word for word in named if not self._library.keywords.holds(word)]

    def _pairs(self, asking: Askers, documents: Sequence[Document]) -> list[Pair]:
        asked = [self._reader.pairs(one, asking.rows[[place]], documents) for place, one in enumerate(asking.documents)]
        return [max(each, key=lambda pair: pair.cosine) for each in zip(*asked, strict=True)]


def _languages_apart(asking: Askers, documents: Sequence[Document]) -> list[str]:
    """Return the language of each document where it is not the question's; empty where it is.

    A document whose language is not known is taken for one of the question's, unless none is and others are not.
    """
    own = _language(asking.documents[0].text) if asking.is_question else ""
    theirs = [_language_of(one) if own else "" for one in documents]
    others = Counter(language for language in theirs if language not in ("", own))
    if others and own not in theirs:
        return [language or others.most_common(1)[0][0] for language in theirs]
    return [language if language != own else "" for language in theirs]


def _say_language(asking: Askers, shown: Sequence[Document]) -> str:
    """Return what a list says that holds nothing in the question's language; empty for any other."""
    apart = _languages_apart(asking, shown)
    if not apart or not all(apart):
        return ""
    own, theirs = _language(asking.documents[0].text), Counter(apart).most_common(1)[0][0]
    return (
        f"Your text is {LANGUAGE_NAMES[own]}, the library {LANGUAGE_NAMES[theirs]}: how near they are cannot be judged "
        "across languages. Translate your text to search this library."
    )


def _language_of(document: Document) -> str:
    return _language(f"{document.title}\n{document.abstract or document.text[:_LANGUAGE_CHARACTERS]}")


def _language(text: str) -> str:
    return _told_language(text[:_LANGUAGE_CHARACTERS])


_told_language = functools.lru_cache(maxsize=1024)(sure_language)


def common_field(documents: Sequence[Document]) -> str:
    """Return what most of some documents have in common, such as "category cs.CL" or a venue; empty for nothing."""
    categories = Counter(name for one in documents for name in set(one.categories))
    venues = Counter(one.venue for one in documents if one.venue)
    for called, counts in (("category", categories), ("venue", venues)):
        name, count = max(counts.items(), key=lambda item: item[1], default=("", 0))
        if count and count >= _AGREE * len(documents):
            return f"{called} {name}"
    return ""

"""Cuts a document into the sentences and words that evidence is looked for in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from engine.documents import Chunk, Document, Section
from engine.evidence.vocabulary import Vocabulary
from engine.text import Span, chunks, sentences, tokens

MAX_SENTENCES = 200
MAX_CLAIM_SENTENCES = 50
MIN_WORDS = 6
MIN_TERMS = 3
MAX_WORDS = 60
_USUAL_CHARACTERS = 200
_NO_KEY = frozenset({""})

_STOCK_PHRASES = tuple(
    "letters patent|be it known|beit known|in testimony|in witness whereof|hereunto|hereby declare|a citizen of|"
    "residing at|residing in|subscribed|witnesses:|patent office|assignor to|assignor of|accompanying draw|"
    "letters of reference|letter of reference|reference letter|reference-letter|similar letters|like letters|"
    "similar reference|like reference|same reference|like numerals|similar parts|like parts|same parts|"
    "skilled in the art|spirit and scope|thus described|fully described|claims the benefit|claim the benefit|"
    "claims priority|claim priority|provisional application|cross-reference|cross reference|"
    "incorporated by reference|incorporated herein|all rights reserved|copyright|supported by the|"
    "supported in part|funded by|acknowledge|remainder of th|paper is organi|article is organi|"
    "subject classification|non-transitory|computer program product|machine-readable|computer-readable".split("|")
)
"""What stands in half of all papers or patents, in lower case, and says nothing of the topic."""

_STOCK_WORDS = frozenset(
    "patent known beit testimony witness hereunto hereby citizen residing subscribed witnesses assignor accompanying "
    "letters letter reference similar like same skilled spirit thus fully claims claim provisional cross incorporated "
    "rights copyright copyrighted supported funded acknowledge acknowledges acknowledged acknowledgement "
    "acknowledgements remainder paper article classification transitory program machine computer fig figs figure "
    "figures".split()
)
"""A sentence without any of these words holds no stock phrase; looking words up is quicker than phrases."""

_DRAWING = re.compile(r"\W*fig(?:ure)?s?\W+\S+(?:\W+\S+)?\W+(?:is|are|shows?|represents?|illustrates?)\b")
"""Opens the description of a drawing: "Fig. 2 is a side view of the same"."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document's sentences with the words in each, and how often it uses each word and phrase.

    `sentences` are those that may be shown as a passage, `keys` the words of each and `squares` the sums
    of the words' squared idf. `counts` are of tokens as written, `phrases` of two neighbouring tokens
    that stand together at least twice.
    """

    document: Document
    sentences: tuple[Chunk, ...]
    keys: tuple[frozenset[str], ...]
    squares: tuple[float, ...]
    counts: Counter[str]
    phrases: dict[tuple[str, str], int]


def prepare(document: Document, vocabulary: Vocabulary) -> Prepared:
    """Read a document once for all evidence; at most 200 sentences, of which 50 are kept for claims.

    Stock phrases and stray headings are not counted at all. Titles and very short sentences count, but
    are shown as passages only where there is nothing else.
    """
    counts: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    levels: dict[str, list[tuple[Chunk, frozenset[str]]]] = {"good": [], "short": [], "title": []}
    for role, chunk in _bounded(document):
        words = tokens(chunk.text)
        distinct = set(words)
        if role != "title" and (_is_heading(chunk.text) or _is_stock_phrase(chunk.text, distinct)):
            continue
        counts.update(words)
        pairs.update(pairwise(words))
        keys = frozenset(map(vocabulary.keys.__getitem__, distinct)) - _NO_KEY
        good = len(words) >= MIN_WORDS and len(keys) >= MIN_TERMS
        if keys:
            levels["title" if role == "title" else "good" if good else "short"].append((chunk, keys))
    chosen = levels["good"] or levels["short"] or levels["title"]
    return Prepared(
        document,
        tuple(chunk for chunk, _ in chosen),
        tuple(keys for _, keys in chosen),
        tuple(sum([vocabulary.idf(key) ** 2 for key in keys]) for _, keys in chosen),
        counts,
        {pair: count for pair, count in pairs.items() if count > 1},
    )


def _bounded(document: Document) -> Iterator[tuple[str, Chunk]]:
    """The first sentences of a document, claims counted apart so that a long description leaves them room."""
    left = {"claim": MAX_CLAIM_SENTENCES, "other": MAX_SENTENCES - MAX_CLAIM_SENTENCES}
    for position, part in enumerate(document.parts):
        if part.role == "references":
            continue
        account = "claim" if part.role == "claim" else "other"
        if left[account] == 0:
            continue
        for span in islice(_readable(part, max_characters=left[account] * _USUAL_CHARACTERS), left[account]):
            left[account] -= 1
            text = part.text[span.start : span.stop]
            yield part.role, Chunk(document.id, position, part.title, span.start, span.stop, text)


def _readable(part: Section, *, max_characters: int) -> Iterator[Span]:
    """Sentences short enough to be read in a list: longer ones are cut at semicolons, then by length.

    Of a text with more than `max_characters` only so much is read, up to its last whole sentence.
    """
    found = sentences(part.text[:max_characters])
    if len(part.text) > max_characters and len(found) > 1:
        found.pop()
    for sentence in found:
        text = part.text[sentence.start : sentence.stop]
        if text.count(" ") < MAX_WORDS:
            yield sentence
            continue
        for clause in _clauses(text):
            for piece in chunks(text[clause.start : clause.stop], MAX_WORDS):
                start = sentence.start + clause.start + piece.start
                yield Span(start, start + piece.stop - piece.start)


def _clauses(text: str) -> Iterator[Span]:
    start = 0
    for match in re.finditer(r";\s", text):
        yield Span(start, match.start() + 1)
        start = match.end()
    yield Span(start, len(text))


def _is_heading(text: str) -> bool:
    """Whether most of a text is in capitals: a heading that stuck to a sentence, or a drawing's label."""
    return sum(map(str.isupper, text)) > 0.4 * len(text)


def _is_stock_phrase(text: str, words: set[str]) -> bool:
    if _STOCK_WORDS.isdisjoint(words):
        return False
    text = text.lower()
    return any(phrase in text for phrase in _STOCK_PHRASES) or _DRAWING.match(text) is not None

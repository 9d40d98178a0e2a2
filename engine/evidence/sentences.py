"""Cuts a document into the sentences and words that evidence is looked for in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from engine.documents import Chunk, Document, Section
from engine.evidence.vocabulary import Vocabulary
from engine.text import Span, chunks, sentences, tokens

MAX_SENTENCES = 400
MAX_CLAIM_SENTENCES = 100
MIN_WORDS = 6
MIN_TERMS = 3
MAX_WORDS = 60

_BOILERPLATE = re.compile(
    r"letters patent|be it known|in testimony|in witness whereof|hereunto set|to all whom|all rights reserved|"
    r"copyright|claims? (?:the )?(?:benefit|priority)|cross.reference|incorporated (?:herein )?by reference|"
    r"supported (?:in part )?by|acknowledge|spirit and scope|skilled in the art|remainder of th|"
    r"(?:paper|article) is organi[sz]ed|subject classification|having thus (?:fully )?described|what (?:i|we) claim",
    re.IGNORECASE,
)
"""Sentences that stand in half of all papers or patents and say nothing of the topic."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document's sentences with the words in each, and how often it uses each word and phrase.

    `sentences` are those that may be shown as a passage, `keys` the words of each; `counts` are of
    tokens as written, `phrases` of two neighbouring tokens that stand together at least twice.
    """

    document: Document
    sentences: tuple[Chunk, ...]
    keys: tuple[frozenset[str], ...]
    counts: Counter[str]
    phrases: dict[tuple[str, str], int]


def prepare(document: Document, vocabulary: Vocabulary) -> Prepared:
    """Read a document once for all evidence; at most 400 sentences, of which 100 are kept for claims."""
    counts: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    kept: list[tuple[Chunk, frozenset[str]]] = []
    spare: list[tuple[Chunk, frozenset[str]]] = []
    for role, chunk in _bounded(document):
        words = tokens(chunk.text)
        counts.update(words)
        pairs.update(pairwise(words))
        keys = frozenset(word.key for token in set(words) if (word := vocabulary.word(token)))
        good = role != "title" and len(words) >= MIN_WORDS and len(keys) >= MIN_TERMS
        if good and not _is_boilerplate(chunk.text):
            kept.append((chunk, keys))
        elif keys:
            spare.append((chunk, keys))
    chosen = kept or [pair for pair in spare if pair[0].section != "Title"] or spare
    return Prepared(
        document,
        tuple(chunk for chunk, _ in chosen),
        tuple(keys for _, keys in chosen),
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
        for span in _readable(part):
            if left[account] == 0:
                break
            left[account] -= 1
            text = part.text[span.start : span.stop]
            yield part.role, Chunk(document.id, position, part.title, span.start, span.stop, text)


def _readable(part: Section) -> Iterator[Span]:
    """Sentences short enough to be read in a list: longer ones are cut at semicolons, then by length."""
    for sentence in sentences(part.text):
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


def _is_boilerplate(text: str) -> bool:
    """Whether a sentence is a stock phrase, or a heading that stuck to the text in capitals."""
    letters = [character for character in text if character.isalpha()]
    capitals = sum(character.isupper() for character in letters)
    return capitals > 0.5 * len(letters) or _BOILERPLATE.search(text) is not None

"""Cuts a document into sentences and words to look for evidence in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import NamedTuple, Self, TypeAlias

from engine.documents import Chunk, Document, Section
from engine.documents.text import Span, chunks, sentences, tokens
from engine.search.boilerplate import is_boilerplate
from engine.search.evidence.vocabulary import Vocabulary

MAX_SENTENCES = 200
MAX_CLAIM_SENTENCES = 50
MIN_WORDS = 6
MIN_TERMS = 3
MAX_WORDS = 60
_USUAL_CHARACTERS = 200
_NO_KEY = frozenset({""})

Worded: TypeAlias = tuple[Chunk, frozenset[str]]
"""A sentence and its words."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document's sentences with the words in each, and how often it uses each word and phrase.

    `sentences` may be shown as a passage; `keys` are the words of each and `squares` the sums of the words' squared
    idf. `counts` are for tokens as written, `phrases` for pairs of neighbouring tokens that occur at least twice. Each
    part was read up to the character in `read`, by the part's number. `spare` are short sentences, which are not shown
    where there are others, with their words.
    """

    document: Document
    sentences: tuple[Chunk, ...]
    keys: tuple[frozenset[str], ...]
    squares: tuple[float, ...]
    counts: Counter[str]
    phrases: dict[tuple[str, str], int]
    read: Mapping[int, int]
    spare: tuple[Worded, ...] = ()


def prepare(document: Document, vocabulary: Vocabulary) -> Prepared:
    """Read a document once for all evidence; at most 200 sentences, with 50 kept for claims.

    Boilerplate is not counted at all. Titles and very short sentences count, but are shown as passages only as a last
    resort.
    """
    return _gathered(document, _bounded(document), vocabulary)


def extended(prepared: Prepared, passages: Iterable[Chunk], vocabulary: Vocabulary) -> Prepared:
    """The document read further: what some of its passages say beyond what was read.

    In these passages short sentences may be shown, too: they matched a question that may have no other.
    """
    bounds = sorted({(one.part, one.start, one.stop) for one in passages})
    added = _gathered(prepared.document, _beyond(prepared, bounds), vocabulary)
    inside = [one for one in prepared.spare if any(_lies_in(one[0], bound) for bound in bounds)]
    if not added.read and not inside:
        return prepared
    shown = _Shown.of([*inside, *added.spare], vocabulary)
    counts, phrases = prepared.counts.copy(), dict(prepared.phrases)
    counts.update(added.counts)
    for pair, count in added.phrases.items():
        phrases[pair] = phrases.get(pair, 0) + count
    return Prepared(
        prepared.document,
        prepared.sentences + added.sentences + shown.sentences,
        prepared.keys + added.keys + shown.keys,
        prepared.squares + added.squares + shown.squares,
        counts,
        phrases,
        {**prepared.read, **added.read},
    )


class _Shown(NamedTuple):
    """Sentences that may be shown, with their words."""

    sentences: tuple[Chunk, ...]
    keys: tuple[frozenset[str], ...]
    squares: tuple[float, ...]

    @classmethod
    def of(cls, chosen: Sequence[Worded], vocabulary: Vocabulary) -> Self:
        """Some sentences by their words."""
        return cls(
            tuple(chunk for chunk, _ in chosen),
            tuple(keys for _, keys in chosen),
            tuple(sum([vocabulary.idf(key) ** 2 for key in keys]) for _, keys in chosen),
        )


def _gathered(document: Document, found: Iterable[tuple[str, Chunk]], vocabulary: Vocabulary) -> Prepared:
    """The sentences found, each with the role of its part, and what is counted in them."""
    counts: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    levels: dict[str, list[Worded]] = {"good": [], "short": [], "title": []}
    read: dict[int, int] = {}
    for role, chunk in found:
        read[chunk.part] = chunk.stop
        words = tokens(chunk.text)
        distinct = set(words)
        keys = frozenset(map(vocabulary.keys.__getitem__, distinct)) - _NO_KEY
        if role != "title" and is_boilerplate(chunk.text, distinct, keys):
            continue
        counts.update(words)
        pairs.update(pairwise(words))
        good = len(words) >= MIN_WORDS and len(keys) >= MIN_TERMS
        if keys:
            levels["title" if role == "title" else "good" if good else "short"].append((chunk, keys))
    shown = _Shown.of(levels["good"] or levels["short"] or levels["title"], vocabulary)
    phrases = {pair: count for pair, count in pairs.items() if count > 1}
    return Prepared(document, *shown, counts, phrases, read, tuple(levels["short"] if levels["good"] else ()))


def _bounded(document: Document) -> Iterator[tuple[str, Chunk]]:
    """The first sentences of a document; claims are counted separately so that a long description leaves them room."""
    left = {"claim": MAX_CLAIM_SENTENCES, "other": MAX_SENTENCES - MAX_CLAIM_SENTENCES}
    for position, part in enumerate(document.parts):
        if part.role == "references":
            continue
        account = "claim" if part.role == "claim" else "other"
        if left[account] == 0:
            continue
        for span in islice(readable(part, max_characters=left[account] * _USUAL_CHARACTERS), left[account]):
            left[account] -= 1
            yield part.role, part.chunk(document.id, position, span.start, span.stop)


def _beyond(prepared: Prepared, bounds: Iterable[tuple[int, int, int]]) -> Iterator[tuple[str, Chunk]]:
    """The sentences of some stretches (part, start, stop) that lie behind what was read of their parts."""
    document = prepared.document
    for part, first, stop in bounds:
        section, start = document.parts[part], max(first, prepared.read.get(part, 0))
        for span in readable(replace(section, text=section.text[start:stop])) if start < stop else ():
            yield section.role, section.chunk(document.id, part, start + span.start, start + span.stop)


def _lies_in(chunk: Chunk, bound: tuple[int, int, int]) -> bool:
    return chunk.part == bound[0] and bound[1] <= chunk.start and chunk.stop <= bound[2]


def readable(part: Section, *, max_characters: int | None = None) -> Iterator[Span]:
    """Sentences short enough to be read in a list: longer ones are cut at semicolons, then by length.

    A text is read up to the last whole sentence within `max_characters`.
    """
    found = sentences(part.text[:max_characters])
    if max_characters is not None and len(part.text) > max_characters and len(found) > 1:
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

"""Cuts a document into passages of about 130 words: whole sentences of one section, with their place in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from engine.documents import Chunk, Document, Section
from engine.documents.text import STOP_WORDS, Span, sentences, singular, tokens
from engine.search.boilerplate import is_boilerplate

WORDS = 130
"""A passage ends with the sentence that brings it to this length. Of passages of 200 words, a quote finds its own less
often, and related papers no better."""

_LONGEST = 300
"""A longer sentence is cut: a table, or a list without full stops."""

FEWEST = 20
"""A shorter stretch, such as a caption, stands for nothing where its document holds longer ones."""

_UNREAD = re.compile(
    r"\W*(?:\w{1,4}[.)]\s+)?(?:acks?|acknowled\w+|references?(?: cited)?|bibliography|works cited|literature cited|"
    r"(?:conflicts?|declarations?|statements?|disclosures?) of (?:competing )?interests?|competing interests?|"
    r"(?:author|authors['’]?) contributions?|funding(?: \w+)?|(?:data|code)(?: and \w+)? availability(?: statement)?|"
    r"ethics (?:statement|approval)\w*|abbreviations?|supplementary (?:materials?|data|information)|"
    r"cross[- ]references? to .{0,60}|related applications?|(?:brief )?description of (?:the )?(?:several )?"
    r"(?:views? of (?:the )?)?(?:accompanying )?(?:drawings?|figures?))\W*",
    re.IGNORECASE | re.DOTALL,
)
"""Titles of sections that say nothing on their document's subject, whole, with or without a number."""

_MOST_BOILERPLATE = 0.5


def cut_passages(document: Document, words: int = WORDS) -> list[Chunk]:
    """The passages of a document in reading order, of about `words` words; the title alone where it is all.

    Reference lists, acknowledgements and the like are left out, and passages that are boilerplate for the most part
    ("the memory may be RAM, ROM, a disk"). A document with words has at least one passage.
    """
    read = parts_read(document)
    found = [part.chunk(document.id, n, one.start, one.stop) for n, part in read for one in stretches(part.text, words)]
    told = [one for one in found if not is_mostly_boilerplate(one.text)]
    long = [one for one in told if len(one.text.split()) >= FEWEST]
    parts = enumerate(document.parts)
    titles = (part.chunk(document.id, n, 0, len(part.text)) for n, part in parts if part.role == "title")
    return long or told or list(titles) or found


def parts_read(document: Document) -> list[tuple[int, Section]]:
    """The parts that passages are cut from, by their numbers: no titles, reference lists or acknowledgements."""
    parts = enumerate(document.parts)
    return [(n, part) for n, part in parts if part.role not in {"title", "references"} and not _is_unread(part)]


def passage_text(document: Document, passage: Chunk) -> str:
    """What an encoder reads of a passage: its text, and before an abstract the title."""
    if document.title and document.parts[passage.part].role == "abstract" and passage.start == 0:
        return f"{document.title}\n\n{passage.text}"
    return passage.text


def cutting_fingerprint() -> str:
    """Names every choice made here, so that passages cut otherwise are read again."""
    return f"passages 1: {WORDS} words, {_LONGEST} at most, {FEWEST} at least"


def _is_unread(part: Section) -> bool:
    return part.role == "body" and _UNREAD.fullmatch(part.title) is not None


def stretches(text: str, most: int = WORDS) -> list[Span]:
    """The passages of one text; a last one of under half the usual length goes with the one before."""
    found: list[Span] = []
    start, words = 0, 0
    pieces = list(_pieces(text))
    for number, (piece, count) in enumerate(pieces):
        start = piece.start if not words else start
        words += count
        if words >= most or number == len(pieces) - 1:
            if found and words < most // 2:
                start = found.pop().start
            found.append(Span(start, piece.stop))
            words = 0
    return found


def _pieces(text: str) -> Iterator[tuple[Span, int]]:
    """Sentences with their numbers of words; those that are too long in pieces."""
    for sentence in sentences(text):
        words = [*re.finditer(r"\S+", text[sentence.start : sentence.stop])]
        for first in range(0, len(words), _LONGEST):
            some: Sequence[re.Match[str]] = words[first : first + _LONGEST]
            yield Span(sentence.start + some[0].start(), sentence.start + some[-1].end()), len(some)


def is_mostly_boilerplate(text: str) -> bool:
    """Whether most of a text is stock phrases of papers or patents, which say nothing on a subject."""
    spans = sentences(text)
    stock = sum(one.stop - one.start for one in spans if _says_nothing(text[one.start : one.stop]))
    return stock > _MOST_BOILERPLATE * sum(one.stop - one.start for one in spans)


def _says_nothing(sentence: str) -> bool:
    words = set(tokens(sentence))
    return is_boilerplate(sentence, words, {singular(word) for word in words - STOP_WORDS})

"""Where a quote comes from: the documents that hold its words, with section and page, or what is nearest to them.

A quote stands in a text verbatim if its letters, digits and marks do, in their order and their case. White space, the
shapes of dashes and quotation marks, and invisible characters do not count. What an ellipsis leaves out may be anything
in the same document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from engine.core.errors import InputError
from engine.documents import Chunk, Document
from engine.documents.text import clean, first_tokens
from engine.library import Filters, Library
from engine.reading import read_text
from engine.search import Question, Reading
from engine.workspace.workspace import Workspace

MOST_CHARACTERS = 5_000
_PHRASE_WORDS, _NEAREST = 12, 3
"""How many words of a quote find the documents that hold it as a phrase, and how many are named where none is near."""
_FEW_WORDS = 4
"""A piece of fewer words stands only where its first and last are whole words; a longer one may be cut anywhere."""
_ELLIPSIS = re.compile(r"[\[(]\s*(?:…|\.\s?\.\s?\.)\s*[\])]|…|\.\s?\.\s?\.")
_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\N{MINUS SIGN}"
_DOUBLE, _SINGLE = '"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033', "'\u2018\u2019\u201a\u201b\u00b4`\u2032"
_AROUND = f"{_DOUBLE}{_SINGLE} \n\t"
_ONE_OF = {letter: f"[{re.escape(group)}]" for group in (_DASHES, _DOUBLE, _SINGLE) for letter in group}
_WIDE = "\u2e80"
"""From here on, scripts put no space between words."""


@dataclass(frozen=True, slots=True)
class QuoteSource:
    """A document, and where a quote stands in it: each piece of it, or, where it is not verbatim, what is nearest.

    `reading` says how near the nearest passage is, or the document; None where only its words found it.
    """

    document: Document
    passages: tuple[Chunk, ...]
    is_verbatim: bool
    reading: Reading | None = None


@dataclass(frozen=True, slots=True)
class QuoteSources:
    """The sources of a quote, verbatim or, where none is, the nearest; `unread` says what is not read yet."""

    sources: tuple[QuoteSource, ...]
    unread: str = ""


def sources_of(workspace: Workspace, quote: str, k: int = 10) -> QuoteSources:
    """Return at most k documents that hold a quote; where none does, those near to it, else the three nearest.

    Raises InputError for a quote without words, or with more than 5,000 characters, and what a search raises.
    """
    quote = clean(quote).strip(_AROUND)
    if not re.search(r"\w", quote) or len(quote) > MOST_CHARACTERS:
        raise InputError(
            f"Expected a quote of 1 to {MOST_CHARACTERS:,} characters, with words; got {len(quote):,}. "
            "Give a sentence or two of it."
        )
    answer = workspace.searcher("default").search(Question(read_text(quote).document, k))
    readings = {one.document.id: one for one in answer.results}
    phrased = workspace.library.get(_with_phrase(workspace.library, quote, k))
    copies = workspace.library.get(answer.query_duplicates)  # a quote may be all that a short document says
    found = []
    for document in {one.id: one for one in (*phrased, *copies, *(hit.document for hit in answer.results))}.values():
        pieces, hit = stretches_of(document, quote), readings.get(document.id)
        nearest = () if hit is None else tuple(one.document for one in hit.evidence.passages[:1])
        if hit is not None and not nearest and hit.evidence.passage is not None:
            nearest = (hit.evidence.passage.document,)
        if pieces or hit is not None:
            reading = None if hit is None else hit.by_passage or hit.reading
            found.append(QuoteSource(document, pieces or nearest, bool(pieces), reading))
    holding = [one for one in found if one.is_verbatim]
    near = [one for one in found if one.reading is not None and one.reading.is_near]
    return QuoteSources(tuple((holding or near or found[:_NEAREST])[:k]), answer.verdict.read)


def _with_phrase(library: Library, quote: str, k: int) -> list[str]:
    """Return the ids of documents that hold the first words of a quote's longest piece as a phrase."""
    words = first_tokens(max(_pieces(quote), key=len), _PHRASE_WORDS)
    return library.ids(Filters(lines=(f'"{" ".join(words)}"',)))[:k] if words else []


def found_in(document: Document, words: str) -> Chunk | None:
    """Return the first passage with these words, whatever white space stands between them; None without one."""
    return next(_stretches(document, words), None)


def stretches_of(document: Document, quote: str) -> tuple[Chunk, ...]:
    """Return where the pieces of a quote stand in a document, one after the other; empty unless all do, verbatim."""
    found: list[Chunk] = []
    for piece in _pieces(quote):
        after = (found[-1].part, found[-1].stop) if found else (0, 0)
        stretch = next((one for one in _stretches(document, piece) if (one.part, one.start) >= after), None)
        if stretch is None:
            return ()
        found.append(stretch)
    return tuple(found)


def _pieces(quote: str) -> list[str]:
    """Return what stands between the ellipses of a quote."""
    return [piece for piece in (one.strip(_AROUND) for one in _ELLIPSIS.split(quote)) if piece] or [quote]


def _stretches(document: Document, words: str) -> Iterator[Chunk]:
    """Yield each passage that holds words as they are written."""
    letters = clean(words).split()
    if not letters:
        return
    sought = re.compile(_pattern(" ".join(letters)))
    for number, part in enumerate(document.parts):
        for at in sought.finditer(part.text):
            yield part.chunk(document.id, number, at.start(), at.end())


def _pattern(words: str) -> str:
    """Return the pattern of words with one space between them, and in the text any white space.

    A line's end may stand behind a dash, and anywhere in a script without spaces.
    """
    is_whole = words.count(" ") < _FEW_WORDS - 1
    pattern = [r"(?<!\w)" if is_whole and _is_of_word(words[0]) else "", _ONE_OF.get(words[0], re.escape(words[0]))]
    for before, letter in pairwise(words):
        if letter == " ":
            pattern.append(r"\s*" if before in _DASHES or before >= _WIDE else r"\s+")
            continue
        pattern.append(r"\s*" if before in _DASHES or (before >= _WIDE and letter >= _WIDE) else "")
        pattern.append(_ONE_OF.get(letter, re.escape(letter)))
    return "".join([*pattern, r"(?!\w)" if is_whole and _is_of_word(words[-1]) else ""])


def _is_of_word(letter: str) -> bool:
    return re.match(r"\w", letter) is not None and letter < _WIDE

"""One document read for comparison: everything that does not depend on the other document or on what is left out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from engine import encoders
from engine.compare import claim_chart, stretches
from engine.compare.model import RECURRING, REFERENCES, Exclusions
from engine.compare.stretches import DocumentTerms, Stretches, Words
from engine.core import files
from engine.core.errors import EmptyInputError, InputTooLargeError
from engine.core.progress import Report, silent
from engine.core.rows import DenseRows, Flags, Positions
from engine.documents import Chunk, Document, Section, SectionRole
from engine.documents.dates import CITED_YEAR
from engine.encoders import EncoderCard
from engine.encoders.colde import NAME, Levels, LongRows
from engine.search import is_boilerplate, says_enough

_HEADING = re.compile(r"\W*(?:\d+\W+)?(?:references?|bibliography|literature cited|works cited|citations)\W*", re.I)
_NAME = (
    r"(?:[A-Z][\w'’-]{1,40},? (?:[A-Z]\.[ -]?){1,3}|(?:[A-Z]\.[ -]?){1,3} ?[A-Z][\w'’-]{1,40}"
    r"|[A-Z]{1,3} [A-Z][a-z][\w'’-]{1,40})"
)
"""Smith, J. A. or J. A. Smith or JA Smith."""

_NAMES = re.compile(rf"(?:\W|^){_NAME}(?:,|;| and\b| &|\.$|\. ?\(| \()|{_NAME},? (?:and|&) {_NAME}")
_MANY_NAMES = re.compile(rf"(?:{_NAME}[,;] ?(?:and |& )?){{2}}|(?:[A-Z][\w'’-]{{1,40}} [A-Z]{{1,3}}, ){{2}}")
_VENUE = re.compile(
    r"\b(?:[Ii]n )?Proc(?:eedings\b|\.)|\barXiv\b|\b(?:Springer|Elsevier|Wiley)\b|\bdoi\b|\bUniversity Press\b"
    r"|\b(?:Trans(?:actions|\.)|J(?:ournal|\.)|Conf(?:erence|\.)) (?:on|of)\b"
    r"|\bTech(?:nical|\.) [Rr]ep|\bPh\.? ?D\.? thesis\b"
)
_PAGES = re.compile(
    r"\bpages? \d+ ?[-\u2013]|\bpp?\. ?\d|\b[Vv]ol(?:ume|\.) ?\d|\b\d+ ?\(\d+\) ?[:,] ?\d|\b\d+ ?: ?\d+ ?[-\u2013] ?\d+"
)
_YEAR = re.compile(rf"(?<!\d)\(?{CITED_YEAR}[a-z]?\)?(?=[.,;:\n]|$)")
_YEAR_ALONE = re.compile(rf"\(?{CITED_YEAR}[a-z]?\)?\.")
_NUMBERED = re.compile(r"\s*(?:\[\w{1,12}\]|\d{1,3}\.)\s+[A-Z]")
_DIGIT, _INITIAL = re.compile(r"\d"), re.compile(r"[A-Z][., ]")
"""Characters in any pages and years, and in any name: looked for first, because a miss is quickly found."""

_OF_VENUES = ("Proc", "arXiv", "Springer", "Elsevier", "Wiley", "doi", "Univ", "Trans", "J", "Conf", "Tech", "Ph")
_ENOUGH, _WINDOW, _SHARE = 2, 7, 0.3
_COMMAS = 2  # of a list of names


MOST_SENTENCES, MOST_CHARACTERS, MOST_SECTIONS = 15_000, 2_000_000, 1_500
"""A document of more is not compared: every sentence of one is held against every one of the other.

That is a book of some 300,000 words, or a thesis of 700 pages.
"""
_MOSTLY = 0.5  # of a chunk's words are left out before it is left out itself
_CUT = "chunks 1"
"""Names how documents are cut into chunks, so that chunks cut otherwise are read again."""


class LongEncoder(Protocol):
    """An encoder that compares long documents at three levels; CoLDE is one."""

    @property
    def card(self) -> EncoderCard:
        """What it is."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """What is kept with it: its calibration, and how a score is mixed."""

    def read(self, documents: Sequence[Document], *, report: Report = silent) -> list[LongRows]:
        """Read documents once, for all comparisons; `report` hears of the chunks that are read."""

    def levels(self, long: LongRows, *, keep: Flags | None = None) -> Levels:
        """Return the vectors of a document with only the chunks to `keep` (c,)."""

    def similarity(self, a: Levels, b: Levels) -> float:
        """Return how near two documents are; 1 for a document and itself."""

    def attends(self, a: LongRows, b: LongRows) -> DenseRows:
        """Return how much each chunk of a attends to those of b: (c_a, c_b), rows sum to 1."""


@dataclass(frozen=True, slots=True)
class KeptParts:
    """What is left of a document: sentences (s,), chunks (c,), and how many sentences went by reason.

    A sentence that goes with most of its chunk is counted under the chunk's main reason.
    """

    sentences: Flags
    chunks: Flags
    left_out: dict[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class ReadDocument:
    """A document with its chunks' vectors, its s sentences, and the elements of its claims.

    `chunk_of` (s,) is the chunk that a sentence lies in, -1 for those of a reference list. `telling` (s,) are the
    sentences long enough to say something; exclusions can leave out `references` and `recurring` (s,). `claim_of` holds
    each element's claim number. `key` names the content. `row` (1, dim) is what readings read of it, where its
    library's index keeps that.
    """

    document: Document
    encoder: LongEncoder
    words: Words
    long: LongRows
    sentences: Stretches
    chunk_of: Positions
    telling: Flags
    references: Flags
    recurring: Flags
    elements: Stretches
    claim_of: tuple[int, ...]
    key: str
    row: DenseRows | None = None

    @classmethod
    def read(
        cls,
        document: Document,
        encoder: LongEncoder,
        words: Words,
        *,
        long: LongRows | None = None,
        row: DenseRows | None = None,
        report: Report = silent,
    ) -> Self:
        """Read a document; `long` is what the encoder read before, and `row` what its index keeps, if anything.

        Raises EmptyInputError for a document with nothing to compare, and InputTooLargeError, before the encoder reads
        it, for one that is too long.
        """
        found, roles = _sentences(document)
        rows = long if long is not None else encoder.read([document], report=report)[0]
        if not len(rows.chunks):
            raise EmptyInputError(
                f"Expected text to compare in {document.name!r}; found no word outside its reference list. "
                "Give a document with a body, or paste its text."
            )
        chunk_of = _chunk_of(found, rows.chunks)
        inside = [place for place in range(len(found)) if chunk_of[place] >= 0 or roles[place] == "references"]
        ready = stretches.make([found[place] for place in inside], words)
        parts = [chunk.part for chunk in ready.chunks]
        elements = claim_chart.elements(document)
        return cls(
            document=document,
            encoder=encoder,
            words=words,
            long=rows,
            sentences=ready,
            chunk_of=chunk_of[inside],
            telling=_telling(ready),
            references=_references(document, ready.chunks, parts),
            recurring=_recurring(ready, words),
            elements=stretches.make([element for _, element in elements], words),
            claim_of=tuple(number for number, _ in elements),
            key=files.fingerprint(document.id, *(part.text for part in document.parts)),
            row=row,
        )

    def kept(self, exclusions: Exclusions) -> KeptParts:
        """Return what is left under some exclusions, before matching finds what is too short."""
        references = self.references & exclusions.references
        recurring = self.recurring & exclusions.recurring & ~references
        words, listed, repeated = (self._words_of(flags) for flags in (self.chunk_of >= 0, references, recurring))
        gone = listed + repeated  # (c,) words
        chunks = (gone == 0) | (gone < _MOSTLY * words)
        sentences = ~(references | recurring) & ((self.chunk_of < 0) | chunks[np.maximum(self.chunk_of, 0)])
        with_chunk = ~(references | recurring | sentences)  # went for what the rest of its chunk is
        for_lists = with_chunk & (listed >= repeated)[np.maximum(self.chunk_of, 0)]
        counts = {REFERENCES: references | for_lists, RECURRING: recurring | (with_chunk & ~for_lists)}
        return KeptParts(sentences, chunks, {reason: int(flags.sum()) for reason, flags in counts.items()})

    def _words_of(self, sentences: Flags) -> Positions:
        """Return how many words of each chunk lie in some sentences: (c,)."""
        held = sentences & (self.chunk_of >= 0)
        counted = np.bincount(self.chunk_of[held], self.sentences.counts[held], len(self.long.chunks))
        return np.asarray(counted, np.int64)

    def said(self, kept: KeptParts) -> DocumentTerms:
        """Return the words that are kept and that the encoder read too: all but reference lists."""
        return self.sentences.spoken.said(kept.sentences & (self.chunk_of >= 0))

    def of_chunks(self, keep: Flags) -> LongRows:
        """Return the chunks to keep (c,) alone, as they were read."""
        places = np.flatnonzero(keep)
        chunks = tuple(self.long.chunks[place] for place in places)
        return replace(self.long, chunks=chunks, section_of=self.long.section_of[places], rows=self.long.rows[places])


def chunks_fingerprint(card: EncoderCard | None = None) -> str:
    """Name the chunks that an encoder reads to compare documents: its weights, its settings, and how it cuts.

    Without a card, the chunks of the installed encoder, which is not loaded; empty where none is installed.
    """
    if card is None:
        folder = encoders.PRETRAINED / NAME
        if not folder.is_dir():
            return ""
        card = encoders.read_card(folder)
    return files.fingerprint(card.fingerprint, _CUT)


def sentences_of(document: Document, words: Words) -> tuple[Stretches, list[SectionRole], Flags]:
    """Return the s sentences of a document without an encoder: their parts' roles, and which tell enough alone (s,).

    Raises InputTooLargeError for a document that is too long.
    """
    found, roles = _sentences(document)
    ready = stretches.make(found, words)
    return ready, roles, _telling(ready)


def _require(what: str, count: int, most: int, document: Document) -> None:
    if count > most:
        raise InputTooLargeError(
            f"Expected at most {most:,} {what} to compare, {document.name!r} has more. Give the chapters that matter, "
            "or one of its parts."
        )


def _sentences(document: Document) -> tuple[list[Chunk], list[SectionRole]]:
    """Return every sentence of a document with its part's role, including reference lists.

    Raises InputTooLargeError for a document that is too long. Sentences are counted last, and only until they are too
    many: the longest texts take the longest to cut.
    """
    parts = document.parts
    _require("sections", len(document.sections), MOST_SECTIONS, document)
    _require("characters", sum(len(part.text) for part in parts), MOST_CHARACTERS, document)
    cut = ((number, span) for number, part in enumerate(parts) for span in stretches.sentence_spans(part))
    spans = list(islice(cut, MOST_SENTENCES + 1))
    _require("sentences", len(spans), MOST_SENTENCES, document)
    found = [parts[number].chunk(document.id, number, span.start, span.stop) for number, span in spans]
    return found, [parts[number].role for number, _ in spans]


def _chunk_of(sentences: Sequence[Chunk], chunks: Sequence[Chunk]) -> Positions:
    """Return the chunk that holds the middle of each sentence: (s,), -1 for none."""
    starts = [(chunk.part, chunk.start) for chunk in chunks]
    numbers = np.full(len(sentences), -1, np.int64)
    for place, sentence in enumerate(sentences):
        number = bisect_right(starts, (sentence.part, (sentence.start + sentence.stop) // 2)) - 1
        if number < 0 or chunks[number].part != sentence.part:
            number += 1  # the first chunk of a part may begin after white space
        if number < len(chunks) and chunks[number].part == sentence.part:
            numbers[place] = number
    return numbers


def _telling(ready: Stretches) -> Flags:
    """Return which sentences can be shown as a passage; shorter ones only in a document without any."""
    keys = np.asarray([len(one) for one in ready.keys], np.int64)
    good = np.asarray([says_enough(*one) for one in zip(ready.counts.tolist(), keys.tolist(), strict=True)], np.bool_)
    return np.asarray(good if good.any() else keys > 0 if keys.any() else keys >= 0, np.bool_)


def _references(document: Document, sentences: Sequence[Chunk], parts: Sequence[int]) -> Flags:
    """Return which sentences are of reference lists, or entries that slipped from one into the body: (s,)."""
    flags = np.zeros(len(sentences), np.bool_)
    numbers: NDArray[np.int64] = np.asarray(parts, np.int64)
    for number, part in enumerate(document.parts):
        places = np.flatnonzero(numbers == number)
        if is_list(part):
            flags[places] = True
        elif len(places):
            flags[places] = find_entries([sentences[place].text for place in places.tolist()])
    return flags


def _recurring(ready: Stretches, words: Words) -> Flags:
    """Return which sentences are boilerplate, or held by several documents of the library: (s,)."""
    rows = list(zip(ready.tokens, ready.keys, strict=True))
    stock = [is_boilerplate(chunk.text, *row) for chunk, row in zip(ready.chunks, rows, strict=True)]
    return np.asarray(stock, np.bool_) | np.asarray(words.recurring(rows), np.bool_)


# Reference lists ------------------------------------------------------------------------------


def is_list(section: Section) -> bool:
    """Tell whether a whole section is a reference list, by its role or its title."""
    return section.role == "references" or _HEADING.fullmatch(section.title) is not None


def find_entries(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Return which sentences of one section, in order, are entries of a reference list: (s,).

    An entry shows two of: authors with initials, where it appeared, a year that ends a clause, a number in front.
    A sentence that shows fewer also counts where it stands between two that do and three in ten around it show
    something: a list is cut at every full stop, so that a title stands alone.
    """
    signs = np.asarray([_signs(text) for text in texts], np.int64)
    sure = signs >= _ENOUGH
    if not sure.any():
        return sure
    window = np.ones(min(_WINDOW, len(signs)))
    around = np.convolve(signs > 0, window, "same") / np.convolve(np.ones(len(signs)), window, "same")
    places = np.arange(len(signs))
    before = np.maximum.accumulate(np.where(sure, places, -_WINDOW))
    after = np.minimum.accumulate(np.where(sure, places, len(signs) + _WINDOW)[::-1])[::-1]
    near = (places - before < _WINDOW) & (after - places < _WINDOW)
    alone = np.convolve(sure, window, "same") <= 1  # a single one may just mention a work
    return np.asarray((sure & ~alone) | (near & (around >= _SHARE)), np.bool_)


def _signs(text: str) -> int:
    """Count the marks of an entry that a sentence shows; names, which take longest, are sought if they may decide."""
    if _YEAR_ALONE.fullmatch(text):
        return _ENOUGH
    shown = int(any(word in text for word in _OF_VENUES) and _VENUE.search(text) is not None)
    if _DIGIT.search(text):
        shown += (_PAGES.search(text) is not None) + (_YEAR.search(text) is not None)
    shown += _NUMBERED.match(text) is not None
    if shown >= _ENOUGH or not _INITIAL.search(text):
        return shown
    if text.count(",") >= _COMMAS and _MANY_NAMES.search(text):
        return _ENOUGH
    return shown + (shown == 1 and _NAMES.search(text) is not None)

"""Passages: how documents are cut into them, what reads them, and how a question's match those of a library.

A passage has about 130 words: whole sentences of one section, with their place in it. A small transformer that was
taught passages reads them.

Each passage of a question finds its best match in a document, and each of the document's its best match in the
question: CoLDE's idea (Jha et al. 2023, section 3.2: similarities of chunks, the largest of each row and column) at the
size of a library, with vectors that are made once. A long document has more passages for one of the question's to
match by chance, and more that match none of them: both ways together favour neither long ones nor short ones.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from engine import encoders
from engine.core import files
from engine.core.errors import StorageError
from engine.core.rows import DenseRows
from engine.documents import Chunk, Document, Section
from engine.documents.text import STOP_WORDS, Span, sentences, singular, tokens
from engine.encoders.student import OF_PASSAGES
from engine.search.boilerplate import is_boilerplate

if TYPE_CHECKING:
    from engine.vectors import PassagePlace, PassageView, ReadPassages

_LOG = logging.getLogger(__name__)

WORDS = 130
"""A passage ends with the sentence that brings it to this length. Of passages of 200 words, a quote finds its own less
often, and related papers no better."""

_LONGEST = 300
"""A longer sentence is cut: a table, or a list without full stops."""

_FEWEST = 20
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

_BESIDE, _LOOKED_AT = 25, 600
_BLANK = re.compile(r"\n\s*\n")
_MOST_BOILERPLATE = 0.5

_FEWEST_KEPT = 8
"""Fewer passages of a question are read in a moment, and not kept."""

_SAMPLE = 512
"""How many documents say what a score is by chance."""
_LEAST_SPREAD = 1e-6


def cut_passages(document: Document, words: int = WORDS, *, apart: bool = False) -> list[Chunk]:
    """Return the passages of a document in reading order, of about `words` words; the title alone where it is all.

    Reference lists, acknowledgements and the like are left out, and passages that are boilerplate for the most part
    ("the memory may be RAM, ROM, a disk"). A document with words has at least one passage. Where paragraphs are kept
    `apart`, no passage holds parts of two, unless one is shorter than a passage may be.
    """
    cut = _cut_apart if apart else cut_text
    read = _parts_read(document)
    found = [part.chunk(document.id, n, one.start, one.stop) for n, part in read for one in cut(part.text, words)]
    told = [one for one in found if not is_mostly_boilerplate(one.text)]
    long = [one for one in told if len(one.text.split()) >= _FEWEST]
    parts = enumerate(document.parts)
    titles = (part.chunk(document.id, n, 0, len(part.text)) for n, part in parts if part.role == "title")
    return long or told or list(titles) or found


def _parts_read(document: Document) -> list[tuple[int, Section]]:
    """Return the parts that passages are cut from, by their numbers: no titles, reference lists or acknowledgements."""
    return [
        (n, part)
        for n, part in enumerate(document.parts)
        if part.role not in {"title", "references"}
        and not (part.role == "body" and _UNREAD.fullmatch(part.title) is not None)
    ]


def cut_paragraphs(document: Document) -> list[tuple[str, Chunk]]:
    """Return what blank lines divide, each with a title; the same parts are read as for passages.

    Headings, formulas and boilerplate are left out, unless nothing else stands there.
    """
    found = [
        (f"{part.title or 'Untitled'}, paragraph {place}", part.chunk(document.id, number, start, stop))
        for number, part in _parts_read(document)
        for place, (start, stop) in enumerate(_divided(part.text), start=1)
    ]
    told = [one for one in found if len(one[1].text.split()) >= _FEWEST and not is_mostly_boilerplate(one[1].text)]
    return told or found


def _divided(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a text between blank lines, without the white space around them."""
    start = 0
    for stop, following in [*(found.span() for found in _BLANK.finditer(text)), (len(text), len(text))]:
        own = text[start:stop]
        if own.strip():
            first = start + len(own) - len(own.lstrip())
            yield first, first + len(own.strip())
        start = following


def passage_text(document: Document, passage: Chunk) -> str:
    """Return what an encoder reads of a passage: its text, and before an abstract the title."""
    if document.title and document.parts[passage.part].role == "abstract" and passage.start == 0:
        return f"{document.title}\n\n{passage.text}"
    return passage.text


def with_neighbours(text: str, start: int, stop: int) -> str:
    """Return a stretch of a text with the whole sentences beside it that have at most 25 words together, on each side.

    What was cut apart is read together: the judge of passages reads them so.
    """
    return text[_reached(text, start, -1) : _reached(text, stop, 1)]


def _reached(text: str, place: int, step: int) -> int:
    """Return the end of the sentences that follow a place, or the start of those before it, while their words fit."""
    first, last = (place, place + _LOOKED_AT) if step > 0 else (max(0, place - _LOOKED_AT), place)
    count = 0
    for one in sentences(text[first:last])[::step]:
        count += len(text[first + one.start : first + one.stop].split())
        if count > _BESIDE:
            break
        place = first + (one.stop if step > 0 else one.start)
    return place


def cutting_fingerprint() -> str:
    """Name every choice in cutting, so that passages cut otherwise are read again."""
    return f"passages 1: {WORDS} words, {_LONGEST} at most, {_FEWEST} at least"


def cut_text(text: str, most: int = WORDS) -> list[Span]:
    """Return the passages of one text; a last one of under half the usual length goes with the one before."""
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


def _cut_apart(text: str, most: int) -> Iterator[Span]:
    """Yield the passages of each paragraph; short paragraphs go with what follows, a last one with what is before."""
    starts: list[int] = []
    stop = 0
    for start, end in _divided(text):
        if not starts or len(text[starts[-1] : stop].split()) >= _FEWEST:
            starts.append(start)
        stop = end
    if len(starts) > 1 and len(text[starts[-1] : stop].split()) < _FEWEST:
        starts.pop()
    for start, following in pairwise([*starts, len(text)]):
        yield from (Span(start + one.start, start + one.stop) for one in cut_text(text[start:following], most))


def _pieces(text: str) -> Iterator[tuple[Span, int]]:
    """Yield the sentences of a text with their numbers of words, those that are too long in pieces."""
    for sentence in sentences(text):
        words = [*re.finditer(r"\S+", text[sentence.start : sentence.stop])]
        for first in range(0, len(words), _LONGEST):
            some: Sequence[re.Match[str]] = words[first : first + _LONGEST]
            yield Span(sentence.start + some[0].start(), sentence.start + some[-1].end()), len(some)


def is_mostly_boilerplate(text: str) -> bool:
    """Tell whether most of a text is stock phrases of papers or patents, which say nothing on a subject."""
    spans = sentences(text)
    stock = 0
    for one in spans:
        sentence = text[one.start : one.stop]
        words = set(tokens(sentence))
        if is_boilerplate(sentence, words, {singular(word) for word in words - STOP_WORDS}):
            stock += len(sentence)
    return stock > _MOST_BOILERPLATE * sum(one.stop - one.start for one in spans)


class PassageJudge(Protocol):
    """What tells whether a passage says a text."""

    def judge(
        self, asked: Sequence[str], there: Sequence[str], pairs: Sequence[tuple[int, int]]
    ) -> NDArray[np.float64]:
        """Return the logits (p,) of pairs of one of the texts that are asked and one of those there, by place."""


class PassageReader(Protocol):
    """What cuts documents into passages, and gives these their rows; rows are kept under its fingerprint."""

    @property
    def fingerprint(self) -> str:
        """Names what reads, and how."""

    @property
    def dim(self) -> int:
        """How many numbers a row has."""

    def cut(self, document: Document) -> Sequence[Chunk]:
        """Return the passages of a document in reading order."""

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> DenseRows:
        """Return the rows (n, dim) of the passages of several documents, end to end."""

    def __hash__(self) -> int:
        """Tell it from others: what it read of questions is kept for it alone."""


class RowsKept(Protocol):
    """Where what was read of a question outlives the app."""

    def rows(self, fingerprint: str, document: Document) -> ReadPassages | None:
        """Return what an encoder of a fingerprint read of a document, if that is kept."""

    def keep_rows(self, fingerprint: str, document: Document, read: ReadPassages) -> None:
        """Keep it, if anything of that document is kept. Raises StorageError if it cannot be written."""


class PassageEncoder:
    """Reads passages: rows (n, dim) at unit length, the inner product as similarity, alike for asking and answering."""

    def __init__(self) -> None:
        """Load the shipped weights. Raises StorageError where they are missing or damaged."""
        from engine.encoders.student import StudentEncoder  # imports torch

        self._encoder = cast(StudentEncoder, encoders.load_folder(self._folder()))
        self.dim = self._encoder.card.dim
        self.fingerprint = self.shipped_fingerprint()

    @staticmethod
    def _folder() -> Path:
        return encoders.PRETRAINED / OF_PASSAGES

    @classmethod
    def is_installed(cls) -> bool:
        """Tell whether the shipped weights are there."""
        return cls._folder().is_dir()

    @classmethod
    def shipped_fingerprint(cls) -> str:
        """Name the weights, how far they read, and how passages are cut; without loading them."""
        return files.fingerprint(encoders.read_card(cls._folder()).fingerprint, cutting_fingerprint())

    def cut(self, document: Document) -> Sequence[Chunk]:
        """Return the passages of a document in reading order."""
        return cut_passages(document)

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> DenseRows:
        """Return the rows (n, dim) of the passages of several documents, end to end."""
        return self.encode_texts([passage_text(document, one) for document, passages in read for one in passages])

    def encode_texts(self, texts: Sequence[str]) -> DenseRows:
        """Return the rows (n, dim) of texts that are passages."""
        return self._encoder.encode_documents([Document(str(n), abstract=text) for n, text in enumerate(texts)])

    def judge(self) -> PassageJudge:
        """Load what tells whether a passage says a text. Raises StorageError where it is missing or damaged."""
        return encoders.Judge.shipped(self._encoder.transformer, self._encoder.card.fingerprint)


@dataclass(frozen=True, slots=True, eq=False)
class AskedPassages:
    """A question's passages, and their rows (q, dim)."""

    passages: Sequence[Chunk]
    rows: DenseRows

    def some(self, most: int) -> AskedPassages:
        """Return `most` of them at even steps, or all where they are fewer."""
        if len(self.passages) <= most:
            return self
        places = np.linspace(0, len(self.passages) - 1, most).astype(np.int64)
        return AskedPassages([self.passages[place] for place in places], self.rows[places])


class QuestionRows:
    """The rows of a question's passages, each read once, however the question is cut and whoever asks.

    Those of the last few questions are in memory, so that a filter, another ranking or a library that has grown reads
    none again; where the question is kept, its rows are, too, and outlive the app. May be used from several threads.
    """

    def __init__(self, reader: PassageReader, document: Document) -> None:
        """Begin with no row; `of` gives what was read already."""
        self._reader, self._document = reader, document
        self._known: dict[Chunk, NDArray[np.float32]] = {}
        self._kept = 0
        self._loading, self._reading = threading.Lock(), threading.Lock()

    @cached_property
    def passages(self) -> Sequence[Chunk]:
        """The passages that a search asks with."""
        return self._reader.cut(self._document)

    @property
    def count_unread(self) -> int:
        """How many of these passages are still to be read."""
        return sum(one not in self._known for one in self.passages)

    @classmethod
    def of(cls, reader: PassageReader, document: Document, kept: RowsKept | None = None) -> QuestionRows:
        """Return the rows of a question, with those that are kept; waits for none that are being read."""
        found = _questions(reader, document)
        with found._loading:
            if kept is not None and not found._known and (read := kept.rows(reader.fingerprint, document)) is not None:
                found._known.update(zip(read.passages, read.rows, strict=True))
                found._kept = len(read.passages)
        return found

    def read(self, passages: Sequence[Chunk]) -> DenseRows:
        """Return the rows (n, dim) of some of its passages."""
        with self._reading:
            if missing := [one for one in dict.fromkeys(passages) if one not in self._known]:
                rows = self._reader.encode([(self._document, missing)])
                self._known |= dict(zip(missing, rows, strict=True))
            return np.stack([self._known[one] for one in passages])

    def keep(self, kept: RowsKept | None) -> None:
        """Keep what was read since the rows were last kept."""
        if kept is None or len(self._known) < max(self._kept + 1, _FEWEST_KEPT):
            return
        from engine.vectors import ReadPassages  # brings faiss

        known, self._kept = dict(self._known), len(self._known)
        read = ReadPassages(self._document.id, list(known), np.stack(list(known.values())))
        try:
            kept.keep_rows(self._reader.fingerprint, self._document, read)
        except StorageError as error:
            _LOG.warning("the rows of a question are not kept: %s", error)


@lru_cache(maxsize=16)
def _questions(reader: PassageReader, document: Document) -> QuestionRows:
    return QuestionRows(reader, document)


@dataclass(frozen=True, slots=True)
class Match:
    """A passage of the question and one of a document, by place, with the cosine of their rows."""

    query: Chunk
    document: PassagePlace
    score: float


@dataclass(frozen=True)
class PassageMatcher:
    """The passages of a library, ready to be asked; documents can be ranked by them once those of all are read."""

    view: PassageView
    reader: PassageReader
    is_whole: bool = True
    kept: RowsKept | None = None

    def ask(self, document: Document) -> AskedPassages | None:
        """Return the passages of a document that asks, with their rows; None where it has no words."""
        question = QuestionRows.of(self.reader, document, self.kept)
        if not question.passages:
            return None
        asked = AskedPassages(question.passages, question.read(question.passages))
        question.keep(self.kept)
        return asked

    def count_unread(self, document: Document) -> int:
        """Return how many passages of a document would be read before it can ask."""
        return QuestionRows.of(self.reader, document, self.kept).count_unread

    def ask_with(self, document: Document) -> AskedPassages | None:
        """Return the passages of a document of the library, word for word, which are read already if it counts."""
        held = self.view.read(document)
        return self.ask(document) if held is None or not held.passages else AskedPassages(held.passages, held.rows)

    def nearest(self, asked: AskedPassages, k: int, among: NDArray[np.bool_] | None = None) -> list[str]:
        """Return the documents that hold one of the `k` nearest passages of a question's passage, by id, nearest first.

        `among` (documents,) limits the answer.
        """
        passages, scores = self.view.search(asked.rows, k, among=among)
        found = passages >= 0
        owners = self.view.owner[passages[found]]
        order = np.argsort(-scores[found], kind="stable")
        return [self.view.names[owner] for owner in dict.fromkeys(owners[order].tolist())]

    def scores(self, asked: AskedPassages, ids: Collection[str]) -> dict[str, float]:
        """Return how near each document with words is both ways, in standard deviations above the mean document."""
        known = {name: number for name in ids if (number := self.view.number_of.get(name)) is not None}
        numbers = {name: number for name, number in known.items() if self.view.counts[number]}
        if not numbers:
            return {}
        passages, starts = self.view.of_documents(np.array(list(numbers.values()), np.int64))
        both = _both_ways(asked.rows @ self.view.rows(passages).T, starts)
        rows, sampled = self._sample
        chance = _both_ways(asked.rows @ rows.T, sampled)
        above = (both - chance.mean()) / max(float(chance.std()), _LEAST_SPREAD)
        return dict(zip(numbers, above.tolist(), strict=True))

    def matches(self, asked: AskedPassages, name: str, k: int) -> list[Match]:
        """Return the k best pairs of a question's passage and a document's, each passage once, the best first."""
        number = self.view.number_of.get(name)
        if number is None:
            return []
        passages, _ = self.view.of_documents(np.array([number]))
        scores = asked.rows @ self.view.rows(passages).T  # (q, n)
        found: list[Match] = []
        while len(found) < min(k, *scores.shape):
            row, column = np.unravel_index(int(scores.argmax()), scores.shape)
            place = self.view.place(int(passages[column]))
            found.append(Match(asked.passages[int(row)], place, float(scores[row, column])))
            scores[row], scores[:, column] = -np.inf, -np.inf
        return found

    @cached_property
    def _sample(self) -> tuple[DenseRows, NDArray[np.int64]]:
        """The rows of documents at even steps, and where each one's begin."""
        held = np.flatnonzero(self.view.held & (self.view.counts > 0))
        some = held[np.linspace(0, len(held) - 1, min(len(held), _SAMPLE)).astype(np.int64)]
        passages, starts = self.view.of_documents(some)
        return self.view.rows(passages), starts


def _both_ways(scores: DenseRows, starts: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the mean best match of the question's passages, plus that of each document's: (q, n) to (m,).

    The second counts 1 - 1/q: a question of one passage, such as a quote, does not cover a document. Documents'
    passages stand end to end, and begin at `starts` (m,).
    """
    asked = len(scores)
    forward = np.maximum.reduceat(scores, starts, axis=1).mean(axis=0)
    counts = np.diff(np.append(starts, scores.shape[1]))
    backward = np.add.reduceat(scores.max(axis=0), starts) / counts
    return np.asarray(forward + (1 - 1 / asked) * backward, np.float32)

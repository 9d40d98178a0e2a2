"""Made documents, with their rows and passages, spread as real ones are: any number of them from some thousand.

A made document is drawn from five real ones of its length (abstract or whole): one, two of its ten nearest, and two at
random. Its row is a sum of theirs, `WEIGHTS` times a number from .5 to 1.5 each, as long as the first one's: some are
taken away, so that rows stay as varied as real ones, which their means would not be. So is the row of each of its
passages, of the first one's passage at this place, those of the neighbours that are nearest to it, and two at random.
Its words come from the first four, in stretches of 4 to 12 words; titles are made of titles. Sections, their lengths,
the places of passages, year, categories and venue are the first one's.

Real texts bring new words as they grow (Heaps 1978). So one word in 170 is made up, by a number that is r or more with
probability (first / r)**ALPHA, where the real documents' words end at the first number: a power law goes on. How near
all this comes is measured (`engine.research.scale.spread`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core.rows import DenseRows, Positions
from engine.documents import Chunk, Document, Section
from engine.research.scale.real import RealTexts
from engine.vectors import ReadPassages

PARTNERS, WEIGHTS, SHARES = 10, (1.0, 0.6, -0.3, 0.7, -0.6), (8.0, 4.0, 2.0, 1.0)
"""The nearest real documents to choose from, what each of the five counts in a row, and how the shares of the first
four in the words are drawn (Dirichlet)."""
NEW, ALPHA = 0.006, 0.8
"""The share of words that no real document has, and how their frequencies fall."""
_SHORTEST, _LONGEST = 4, 12
_WHOLE_WORDS = 1_000
_BLOCK = 1_024
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Batch:
    """Some documents, with their rows (n, dim) and passages; without passages where the library is to have none."""

    documents: Sequence[Document]
    rows: DenseRows
    passages: Sequence[ReadPassages]


@dataclass(frozen=True, slots=True)
class _Frame:
    """How a real document is built: what it is, each part's role, title and words, and its passages (p, 3).

    A passage is the number of its part, its first word in the document and the one behind its last.
    """

    facts: Mapping[str, Any]
    parts: Sequence[tuple[str, str, int]]
    passages: NDArray[np.int64]

    @property
    def title_words(self) -> int:
        return self.parts[0][2] if self.parts and self.parts[0][0] == "title" else 0


class Maker:
    """Gives documents by number: the real ones first, then made ones, the same ones each time."""

    def __init__(self, real: RealTexts, seed: int = 0) -> None:
        """Read the real documents' words and find each one's neighbours."""
        self._real, self._seed = real, seed
        self._frames: list[_Frame] = []
        self._starts, self._tokens, vocabulary = self._read()
        self._words = np.array([*vocabulary], object)
        self._widths = np.array([len(word) for word in vocabulary], np.int64)
        self._titles = np.array([one.title_words for one in self._frames], np.int64)
        self._lengths = np.diff(self._starts)
        whole = self._lengths >= _WHOLE_WORDS
        self._alike = [np.flatnonzero(~whole), np.flatnonzero(whole)]
        self._is_whole = whole.astype(np.int64)
        self._partners = self._neighbours()

    def __len__(self) -> int:
        """Return how many are real."""
        return len(self._frames)

    @property
    def passage_dim(self) -> int:
        """How many numbers a passage's row has; 0 where the library is to have no passages."""
        return self._real.passages.dim if self._real.passages is not None else 0

    def batches(self, first: int, last: int, size: int) -> Iterator[Batch]:
        """Give the documents from number `first` to before `last`, some at a time."""
        for start in range(first, last, size):
            stop = min(start + size, last)
            if start < len(self) < stop:
                yield self._real_ones(start, len(self))
                start = len(self)
            yield self._real_ones(start, stop) if stop <= len(self) else self._made(np.arange(start, stop))

    def _read(self) -> tuple[Positions, NDArray[np.int32], dict[str, int]]:
        """Return where each document's words begin (n + 1,), the words by number, and the numbers of words."""
        vocabulary: dict[str, int] = {}
        tokens: list[NDArray[np.int32]] = []
        for document in self._real.library.iter_documents(self._real.ids):
            split = [part.text.split() for part in document.parts]
            listed = [vocabulary.setdefault(word, len(vocabulary)) for words in split for word in words]
            tokens.append(np.array(listed, np.int32))
            begins = np.cumsum([0, *map(len, split)])
            self._frames.append(
                _Frame(
                    {name: getattr(document, name) for name in ("kind", "year", "categories", "venue", "authors")},
                    [(part.role, part.title, len(words)) for part, words in zip(document.parts, split, strict=True)],
                    self._places(document, begins),
                )
            )
        return np.cumsum([0, *map(len, tokens)]), np.concatenate(tokens), vocabulary

    def _places(self, document: Document, begins: Positions) -> NDArray[np.int64]:
        view = self._real.passages
        if view is None or document.id not in view.number_of:
            return np.zeros((0, 3), np.int64)
        own, _ = view.of_documents(np.array([view.number_of[document.id]]))
        found = []
        for place in map(view.place, own.tolist()):
            text = document.parts[place.part].text
            first = begins[place.part] + len(text[: place.start].split())
            found.append((place.part, first, first + len(text[place.start : place.stop].split())))
        return np.array(found, np.int64).reshape(-1, 3)

    def _neighbours(self) -> NDArray[np.int64]:
        """Return the numbers (n, 10) of the nearest of each document among those of its length."""
        found = np.empty((len(self), PARTNERS), np.int64)
        for own in self._alike:
            if not len(own):
                continue
            rows = np.asarray(self._real.index.rows([self._real.ids[one] for one in own.tolist()]))
            for first in range(0, len(own), _BLOCK):
                products = rows[first : first + _BLOCK] @ rows.T
                products[np.arange(len(products)), first + np.arange(len(products))] = -np.inf
                found[own[first : first + _BLOCK]] = own[np.argpartition(-products, PARTNERS, axis=1)[:, :PARTNERS]]
        return found

    def _real_ones(self, first: int, last: int) -> Batch:
        names = list(self._real.ids[first:last])
        documents, view = list(self._real.library.iter_documents(names)), self._real.passages
        read = [view.read(document) for document in documents] if view is not None else []
        return Batch(documents, np.asarray(self._real.index.rows(names)), [one for one in read if one is not None])

    def _made(self, numbers: Positions) -> Batch:
        chance = np.random.default_rng([self._seed, int(numbers[0])])
        first = numbers % len(self)
        two = self._partners[first[:, None], np.argsort(chance.random((len(first), PARTNERS)), axis=1)[:, :2]]
        others = np.array([chance.choice(self._alike[kind], 2) for kind in self._is_whole[first]])
        parents = np.column_stack([first, two, others])  # (n, 5)
        documents, chunks = self._texts(numbers, parents, chance)
        weights = np.array(WEIGHTS) * chance.uniform(0.5, 1.5, parents.shape)
        weights[:, 0] = 1
        names = [self._real.ids[number] for number in parents.ravel()]
        rows = np.asarray(self._real.index.rows(names)).reshape(*parents.shape, -1)
        made = np.einsum("nkd,nk->nd", rows, weights.astype(np.float32))
        made *= np.linalg.norm(rows[:, 0], axis=1, keepdims=True) / np.linalg.norm(made, axis=1, keepdims=True)
        read = self._passages(documents, chunks, parents, weights, chance) if self._real.passages is not None else []
        return Batch(documents, made, read)

    def _texts(
        self, numbers: Positions, parents: NDArray[np.int64], chance: np.random.Generator
    ) -> tuple[list[Document], list[list[Chunk]]]:
        begins = np.cumsum([0, *self._lengths[parents[:, 0]]])
        words, widths = self._drawn(begins, parents, chance)
        listed, ends = words.tolist(), np.concatenate([[0], np.cumsum(widths + 1)])
        documents, chunks = [], []
        for number, parent, begin in zip(numbers.tolist(), parents[:, 0].tolist(), begins.tolist(), strict=False):
            frame, names = self._frames[parent], self._frames[parents[number - numbers[0], 1]].facts["authors"]
            sections: list[Section] = []
            claims: list[str] = []
            fields = {**frame.facts, "authors": (*frame.facts["authors"][:2], *names[-2:])}
            starts, at = [], begin
            for role, title, count in frame.parts:
                text = " ".join(listed[at : at + count])
                starts.append(at)
                at += count
                if role in ("title", "abstract"):
                    fields[role] = text
                elif role == "claim":
                    claims.append(text)
                else:
                    sections.append(Section(title, text, role))
            name = f"made:{number}"
            documents.append(Document(name, sections=tuple(sections), claims=tuple(claims), **fields))
            chunks.append(
                [
                    Chunk(name, part, "", int(ends[begin + start] - ends[starts[part]]), stop, "")
                    for part, start, last in frame.passages.tolist()
                    for stop in (int(ends[begin + last] - ends[starts[part]]) - 1,)
                ]
            )
        return documents, chunks

    def _drawn(
        self, begins: Positions, parents: NDArray[np.int64], chance: np.random.Generator
    ) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Return the words of documents end to end, which begin at (n + 1,), and how many letters each has."""
        total = int(begins[-1])
        sizes = chance.integers(_SHORTEST, _LONGEST + 1, total // _SHORTEST + 1)
        stops = np.cumsum(sizes)
        sizes = sizes[: int(np.searchsorted(stops, total)) + 1]
        at = np.cumsum(sizes) - sizes  # (spans,)
        own = np.searchsorted(begins, at, side="right") - 1
        shares = np.cumsum(chance.dirichlet(SHARES, len(parents)), axis=1)
        which = (chance.random((len(at), 1)) > shares[own, :-1]).sum(axis=1)
        source = parents[own, which]
        titles = self._titles[source]
        is_title = (at - begins[own] < self._titles[parents[own, 0]]) & (titles > 0)
        room = np.where(is_title, titles, self._lengths[source])
        sizes = np.minimum(sizes, room)
        start = self._starts[source] + (chance.random(len(at)) * (room - sizes + 1)).astype(np.int64)
        stops = np.cumsum(sizes)
        within = np.arange(int(stops[-1])) - np.repeat(stops - sizes, sizes)
        tokens = np.resize(self._tokens[np.repeat(start, sizes) + within], total)
        words, widths = self._words[tokens], self._widths[tokens]
        new = np.flatnonzero(chance.random(total) < NEW)
        numbers = len(self._words) * chance.random(len(new)) ** (-1 / ALPHA)
        spelt = [spell(number) for number in numbers.astype(np.int64).tolist()]
        words[new], widths[new] = spelt, [len(word) for word in spelt]
        return words, widths

    def _passages(
        self,
        documents: Sequence[Document],
        chunks: Sequence[Sequence[Chunk]],
        parents: NDArray[np.int64],
        weights: NDArray[np.float64],
        chance: np.random.Generator,
    ) -> list[ReadPassages]:
        view = self._real.passages
        assert view is not None
        named = np.array([[view.number_of[self._real.ids[one]] for one in row] for row in parents.tolist()])
        numbers, begins = view.of_documents(named.ravel())
        rows, found = view.rows(numbers), []
        parts = np.split(rows, begins[1:])
        for place, (document, own) in enumerate(zip(documents, chunks, strict=True)):
            first, *near, one, other = parts[5 * place : 5 * place + 5]
            each = [first, *(some[(first @ some.T).argmax(axis=1)] for some in near)]
            each += [some[chance.integers(len(some), size=len(first))] for some in (one, other)]
            made = np.einsum("knd,k->nd", np.stack(each), weights[place].astype(np.float32))
            found.append(ReadPassages(document.id, own, made / np.linalg.norm(made, axis=1, keepdims=True)))
        return found


def spell(number: int) -> str:
    """Return a word of letters for a number."""
    letters = ""
    while number:
        number, rest = divmod(number, len(_LETTERS))
        letters += _LETTERS[rest]
    return f"q{letters}x"

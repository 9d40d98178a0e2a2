"""The sentences that are judged, the bodies of long documents, and the sentences of other papers that cite them."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import EvaluationError
from engine.core.rows import SparseRows, unit_length_sparse
from engine.documents import Chunk, Document
from engine.documents.text import content_tokens, sentences
from engine.training.keyvec.labels import idf, weighted
from engine.training.long_corpus import LabelledPair, Split, body_of

FEWEST, MOST = 5, 3_000
"""Sentences that a body must have to be judged, and how many of it are."""


@dataclass(frozen=True, slots=True)
class Body:
    """A document without title, abstract and references, and its sentences with a word of content, in order.

    `abstract` are the sentences of what was left out, from which labels are made.
    """

    document: Document
    sentences: tuple[Chunk, ...]
    abstract: tuple[str, ...]

    @property
    def texts(self) -> list[str]:
        """The sentences' texts (m)."""
        return [chunk.text for chunk in self.sentences]

    @classmethod
    def of(cls, document: Document) -> Self:
        """Cut a document."""
        body = body_of(document)
        found = [
            part.chunk(body.id, number, span.start, span.stop)
            for number, part in enumerate(body.parts)
            for span in sentences(part.text)
        ]
        abstract = [document.abstract[span.start : span.stop] for span in sentences(document.abstract)]
        worded = [chunk for chunk in found if content_tokens(chunk.text)]
        return cls(body, tuple(worded[:MOST]), tuple(text for text in abstract if content_tokens(text)))


@dataclass(frozen=True)
class SentenceWords:
    """The words of many sentences and their weights (V,): TF-IDF where a sentence counts as a document."""

    vectorizer: Any
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """Learn from sentences. Raises EvaluationError if none has a word of content."""
        from sklearn.feature_extraction.text import CountVectorizer

        vectorizer = CountVectorizer(analyzer=content_tokens)
        try:
            counts = vectorizer.fit_transform(texts)
        except ValueError:  # what it says of an empty vocabulary
            raise EvaluationError(
                "Expected sentences with words to weigh by, got none. Give documents with text."
            ) from None
        return cls(vectorizer, idf(counts))

    def counts(self, texts: Sequence[str]) -> SparseRows:
        """Return how often each word occurs in each text: (n, V)."""
        counted: SparseRows = self.vectorizer.transform(texts)
        return counted

    def rows(self, texts: Sequence[str]) -> SparseRows:
        """Return TF-IDF rows at unit length: (n, V); their products are cosines."""
        return unit_length_sparse(weighted(self.counts(texts), self.weights))


def trained_on(pairs: Sequence[LabelledPair]) -> frozenset[str]:
    """Return the documents that training may have read: those of a train pair."""
    return frozenset(name for pair in pairs if pair.split == "train" for name in (pair.a, pair.b))


def held_out(pairs: Sequence[LabelledPair], split: Split) -> frozenset[str]:
    """Return the documents of a split's pairs that are in no train pair, and for `valid` in no test pair either."""
    found = {name for pair in pairs if pair.split == split for name in (pair.a, pair.b)}
    tested = {name for pair in pairs if split == "valid" and pair.split == "test" for name in (pair.a, pair.b)}
    return frozenset(found - trained_on(pairs) - tested)


Mention = tuple[str, int]
"""A first author's surname with a year, as texts cite: ("Collins", 1997)."""

_NAME = r"(?:(?:[Vv]an|[Vv]on|[Dd]e|[Dd]en|[Dd]er|[Ll]a|[Dd]i) )*[A-ZÀ-ÖØ-Þ][\w’'\-]+"
_MENTION = re.compile(
    rf"\b(?P<name>{_NAME})(?:'s|’s)?(?:,? et al\.?| (?:and|&) {_NAME}|(?:, {_NAME})+,? (?:and|&) {_NAME})?"
    r",? ?[(\[]?(?P<year>(?:19|20)\d\d)[a-z]?\b[)\]]?"
)
FEWEST_CITING = 2
FEWEST_SHARE = 2 / 3
FEWEST_WORDS = 5


@dataclass(frozen=True, slots=True)
class Cited:
    """A cited paper, the name by which papers cite it, and their sentences that do, without any citation's mark."""

    id: str
    mention: Mention
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A sentence of one paper that cites another, as it is written, and the name by which it does."""

    citing: str
    cited: str
    mention: Mention
    sentence: str


def read_citations(path: Path) -> list[tuple[str, str]]:
    """Return pairs (citing, cited) of a table separated by tabs, under a line of heads. Raises EvaluationError."""
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    pairs = [(line.split("\t")[0], line.split("\t")[1]) for line in lines[1:] if line.count("\t") == 1]
    if not pairs or len(pairs) != len(lines) - 1:
        raise EvaluationError(
            f"Expected the columns citing and cited, separated by a tab, in {path.name}; found another table or none."
        )
    return pairs


def mentions(text: str) -> set[Mention]:
    """Return every mention in a text."""
    return {_of(match) for match in _MENTION.finditer(text)}


def citing_sentences(documents: Iterable[Document], citations: Sequence[tuple[str, str]]) -> dict[str, Cited]:
    """Return what is said about each cited paper whose name can be told (`links`), by its id."""
    said: dict[str, list[str]] = defaultdict(list)
    names: dict[str, Mention] = {}
    for link in links(documents, citations):
        said[link.cited].append(without_marks(link.sentence))
        names[link.cited] = link.mention
    return {cited: Cited(cited, names[cited], tuple(dict.fromkeys(texts))) for cited, texts in said.items()}


def links(documents: Iterable[Document], citations: Sequence[tuple[str, str]]) -> list[Link]:
    """Return the sentences that cite each paper whose name can be told.

    The data name no authors, so a paper's mention is told from who cites it: of the mentions with its year, the one
    that its citing papers share most and that papers at large share least, by n ln((n / c) / (d / N)) where n of its c
    citing papers and d of all N papers have it. Two citing papers and two thirds of them must have it, it must be
    ahead of any other, and not be the mention of two papers: else the paper is left out.
    """
    held = {document.id: body_of(document) for document in documents}
    mentioned = {name: mentions(body.text) for name, body in held.items()}
    citing: dict[str, list[str]] = defaultdict(list)
    for by, of in citations:
        if by in held and of in held and by != of:
            citing[of].append(by)
    return [
        Link(by, cited, mention, sentence)
        for cited, mention in _names(held, mentioned, citing).items()
        for by in citing[cited]
        if mention in mentioned[by]
        for sentence in _saying(held[by], mention)
    ]


def without_marks(sentence: str) -> str:
    """Return a sentence without the names and years that cite."""
    return " ".join(_MENTION.sub(" ", sentence).split())


def _names(
    held: Mapping[str, Document], mentioned: Mapping[str, set[Mention]], citing: Mapping[str, Sequence[str]]
) -> dict[str, Mention]:
    """Return the mention of each cited paper that has one of its own."""
    papers_with = Counter(mention for found in mentioned.values() for mention in found)
    best = {}
    for cited, by in citing.items():
        shared = Counter(mention for paper in set(by) for mention in mentioned[paper] if mention[1] == held[cited].year)
        mention = _standing_out(shared, len(set(by)), papers_with, len(held))
        if mention is not None:
            best[cited] = mention
    claims = Counter(best.values())
    return {cited: mention for cited, mention in best.items() if claims[mention] == 1}


def _standing_out(shared: Counter[Mention], citing: int, papers_with: Counter[Mention], papers: int) -> Mention | None:
    """Return the mention that is ahead of all others, None if none is or too few have it."""
    enough = [one for one, n in shared.items() if n >= FEWEST_CITING and n >= FEWEST_SHARE * citing]

    def weight(mention: Mention) -> float:
        n = shared[mention]
        return n * math.log((n / citing) / (papers_with[mention] / papers))

    ordered = sorted(enough, key=lambda mention: (-weight(mention), mention))
    if not ordered or (len(ordered) > 1 and weight(ordered[0]) <= weight(ordered[1])):
        return None
    return ordered[0]


def _saying(document: Document, mention: Mention) -> list[str]:
    """Return the sentences of a citing paper with the mention that say enough without marks of citation."""
    found = []
    for part in document.parts:
        for span in sentences(part.text):
            text = part.text[span.start : span.stop]
            if mention in mentions(text) and len(content_tokens(without_marks(text))) >= FEWEST_WORDS:
                found.append(" ".join(text.split()))
    return found


def _of(match: re.Match[str]) -> Mention:
    return match["name"].removesuffix("’s").removesuffix("'s"), int(match["year"])

"""Cuts a document into the sentences that KeyVec reads, with their places in the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from engine.documents import Chunk, Document, Section, SectionRole
from engine.documents.text import Span, sentences
from engine.encoders.ctpe.embeddings import Numbers, WordEmbeddings
from engine.encoders.keyvec.settings import KeyvecSettings

MIN_BODY = 5
"""How many sentences a body needs for salient ones to be sought there, not in the abstract."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A stretch of one part of a document, and the numbers of its first known words (t,), at least one."""

    part: int
    section: Section
    span: Span
    ids: Numbers

    def chunk(self, document: Document) -> Chunk:
        """The sentence's text in the document."""
        return self.section.chunk(document.id, self.part, self.span.start, self.span.stop)


def read_sentences(document: Document, words: WordEmbeddings, settings: KeyvecSettings) -> list[Sentence]:
    """The sentences of all parts but reference lists, in reading order: the first `max_sentences` with a known word."""
    return list(islice(_known(document, words, settings.max_words), settings.max_sentences))


def judged(found: Sequence[Sentence]) -> NDArray[np.int64]:
    """The places of the sentences that can be salient: the body's if it has five, else the abstract's.

    Without an abstract, a short body is used. Titles and claims never are.
    """
    by_role = {role: [place for place, one in enumerate(found) if one.section.role == role] for role in _JUDGED}
    body, abstract = by_role["body"], by_role["abstract"]
    return np.array(body if len(body) >= MIN_BODY or not abstract else abstract, np.int64)


_JUDGED: tuple[SectionRole, ...] = ("body", "abstract")


def _known(document: Document, words: WordEmbeddings, max_words: int) -> Iterator[Sentence]:
    for number, part in enumerate(document.parts):
        if part.role == "references":
            continue
        for span in sentences(part.text):
            ids = words.ids(part.text[span.start : span.stop], max_words)
            if len(ids):
                yield Sentence(number, part, span, ids)

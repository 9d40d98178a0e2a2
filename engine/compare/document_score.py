"""The score of two documents, from what is left of each under some exclusions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import compress

from engine.compare.base import DIGITS, Mixed
from engine.compare.calibration import kinds_of
from engine.compare.mix import WORDS, Mix, PinnedEncoder
from engine.compare.read_document import Kept, LongEncoder, ReadDocument
from engine.compare.shared_words import Said
from engine.documents import Chunk, Document
from engine.encoders.colde.levels import Levels
from engine.rows import DenseRows


@dataclass(frozen=True, slots=True, eq=False)
class KeptDocument:
    """The vectors of what is kept of a document, how often that says each word, and the document with that alone."""

    levels: Levels
    said: Said
    document: Document
    _rows: dict[PinnedEncoder, DenseRows | None] = field(default_factory=dict)

    @classmethod
    def of(cls, read: ReadDocument, kept: Kept) -> KeptDocument:
        """What is kept of a document that was read."""
        left = without(read.document, compress(read.sentences.chunks, ~kept.sentences))
        return cls(read.encoder.levels(read.long, keep=kept.chunks), read.said(kept), left)

    def row(self, second: PinnedEncoder) -> DenseRows | None:
        """The vector (dim,) of what is kept by a second encoder, read once; None where it finds nothing to read.

        Raises FingerprintError where that encoder is another than the one that the mix was fitted with.
        """
        if second not in self._rows:
            self._rows[second] = second.row(self.document)
        return self._rows[second]


@dataclass(frozen=True, slots=True)
class DocumentScore:
    """How near two documents are; `mixed` says of what it is made where the encoder's card has a mix."""

    score: float
    mixed: Mixed | None = None


def document_score(encoder: LongEncoder, a: KeptDocument, b: KeptDocument) -> DocumentScore:
    """The encoder's similarity, mixed as its card says: with the words that both share, and a second encoder's.

    A document and itself have 1. What says nothing of these documents has no part; without any other the similarity
    stands alone. Raises ConfigError where the card's mix is none, or FingerprintError where its second encoder is
    another one.
    """
    mix = Mix.from_facts(encoder.facts)
    if mix is None:
        return DocumentScore(round(encoder.similarity(a.levels, b.levels), DIGITS))
    values = parts_of(encoder, mix, a, b)
    mixed = mix.mixed(kinds_of(a.document.kind, b.document.kind), values)
    if mixed is None:
        return DocumentScore(round(values[encoder.card.name], DIGITS))
    return DocumentScore(mixed.score, mixed)


def parts_of(encoder: LongEncoder, mix: Mix, a: KeptDocument, b: KeptDocument) -> dict[str, float]:
    """What the score of two documents is mixed of, by name, the encoder's similarity first.

    What has no share for their kinds is not there, nor what says nothing of them: words where either has none, and the
    second encoder where it finds nothing to read in one.
    """
    kinds = kinds_of(a.document.kind, b.document.kind)
    found = {encoder.card.name: encoder.similarity(a.levels, b.levels)}
    if mix.shares[kinds].words and (words := mix.words(a.said, b.said)) is not None:
        found[WORDS] = words
    if (second := mix.second_for(kinds)) is not None:
        ours, theirs = a.row(second), b.row(second)
        if ours is not None and theirs is not None:
            found[second.name] = float(ours @ theirs)
    return found


def without(document: Document, gone: Iterable[Chunk]) -> Document:
    """A document without the stretches that are gone, which do not overlap."""
    spans: dict[int, list[tuple[int, int]]] = {}
    for chunk in gone:
        spans.setdefault(chunk.part, []).append((chunk.start, chunk.stop))
    if not spans:
        return document
    texts = iter([_cut(part.text, spans.get(number, [])) for number, part in enumerate(document.parts)])
    return replace(  # in the order of the parts
        document,
        title=next(texts) if document.title else "",
        abstract=next(texts) if document.abstract else "",
        sections=tuple(replace(section, text=next(texts), pages=()) for section in document.sections),
        claims=tuple(next(texts) for _ in document.claims),
    )


def _cut(text: str, spans: list[tuple[int, int]]) -> str:
    for start, stop in sorted(spans, reverse=True):
        text = text[:start] + text[stop:]
    return text

"""The score of two documents, from what some exclusions leave of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import compress

from engine.compare.base import DIGITS, Mixed
from engine.compare.calibration import kinds_of
from engine.compare.mix import WORDS, Mix, PinnedEncoder
from engine.compare.read_document import Kept, LongEncoder, ReadDocument
from engine.compare.shared_words import Said
from engine.core.rows import DenseRows
from engine.documents import Chunk, Document
from engine.encoders.colde import Levels


@dataclass(frozen=True, slots=True, eq=False)
class KeptDocument:
    """The vectors of a document's kept text, its word counts, and the document with only that text."""

    levels: Levels
    said: Said
    document: Document
    _rows: dict[PinnedEncoder, DenseRows | None] = field(default_factory=dict)

    @classmethod
    def of(cls, read: ReadDocument, kept: Kept) -> KeptDocument:
        """The kept text of a read document."""
        left = without(read.document, compress(read.sentences.chunks, ~kept.sentences))
        return cls(read.encoder.levels(read.long, keep=kept.chunks), read.said(kept), left)

    def row(self, second: PinnedEncoder) -> DenseRows | None:
        """The vector (dim,) of the kept text by a second encoder, read once; None where it finds nothing to read.

        Raises FingerprintError where the mix was fitted with a different encoder.
        """
        if second not in self._rows:
            self._rows[second] = second.row(self.document)
        return self._rows[second]


@dataclass(frozen=True, slots=True)
class DocumentScore:
    """How near two documents are; `mixed` has the parts of the score where the encoder's card has a mix."""

    score: float
    mixed: Mixed | None = None


def document_score(encoder: LongEncoder, a: KeptDocument, b: KeptDocument) -> DocumentScore:
    """The encoder's similarity, mixed as its card says: with the words that both share, and a second encoder's.

    A document and itself have 1. Parts that say nothing about these documents are dropped; if none is left, the
    similarity stands alone. Raises ConfigError where the card's mix is invalid, or FingerprintError where its second
    encoder has changed.
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
    """The parts of a score of two documents, by name, the encoder's similarity first.

    Parts without a share for their kinds are left out, and so are those that say nothing about them: words where either
    has none, and the second encoder where it finds nothing to read in one.
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
    """A document without the stretches `gone`, which do not overlap."""
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
    edges = [0, *(edge for span in sorted(spans) for edge in span), len(text)]
    return "".join(text[start:stop] for start, stop in zip(edges[::2], edges[1::2], strict=True))
